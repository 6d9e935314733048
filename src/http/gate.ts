/**
 * Refusals based on a request's headers, before its body is read, in this order: web pages, other hosts, credentials, bodies
 * of the wrong form. Web pages come first, so that none can get its visitor's address throttled by sending wrong tokens.
 */
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../session/principal.ts';
import type { ServerIdentity } from '../session/server-identity.ts';
import { type HttpError, httpError, plain } from './errors.ts';

const LOOPBACK_HOST = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** The principal, or a refusal. `health` needs no credentials, `metrics` takes the metrics token. */
export function admitted(request: FastifyRequest, identity: ServerIdentity, route: 'health' | 'metrics' | 'other'): Principal | HttpError {
  const { headers, method } = request.raw;
  if (headers.origin !== undefined) {
    return plain(403, '42501', 'requests from web pages (with an Origin header) are refused', 'Call the API from a program, not from a browser page.');
  }
  if (headers.host === undefined && request.raw.httpVersion === '1.1')
    return plain(400, '08P01', 'the Host header is missing', 'Send `Host: localhost`, or the name under which the server is reached.');
  // Against DNS rebinding: without a token, only names of this machine are accepted.
  if (identity.token === null && (headers.host === undefined || !LOOPBACK_HOST.test(headers.host))) {
    return plain(403, '42501', `the Host header ${JSON.stringify(headers.host ?? '')} does not name this machine`, 'Use localhost, 127.0.0.1 or [::1].');
  }
  let principal: Principal = identity.usual;
  if (route !== 'health') {
    try {
      principal = identity.bearer(headers.authorization, request.raw.socket.remoteAddress ?? '', route === 'metrics');
    } catch (error) {
      return httpError(error);
    }
  }
  if (method === 'POST') {
    if (headers['transfer-encoding'] !== undefined) return plain(411, '08P01', 'chunked bodies are refused', 'Send the body whole, with Content-Length.');
    if (headers['content-length'] === undefined) return plain(411, '08P01', 'Content-Length is missing', 'Send the body with its length.');
    if (headers['content-type'] === undefined)
      return plain(415, '22023', 'the request must carry Content-Type: application/json', 'Add the header `Content-Type: application/json`.');
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return plain(415, '0A000', `Content-Encoding ${encoding.slice(0, 40)} is not supported`, 'Send the body as it is.');
  }
  return principal;
}
