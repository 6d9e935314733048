/** Refusals by a request's headers, before its body is read. A web page of another site reaches this server through its visitor's browser: the exact Host and Origin keep it out. */
import type { IncomingMessage } from 'node:http';
import { type HttpError, plain } from '../http/errors.ts';

/** Address of the console as browsers write it: `http://127.0.0.1:7071`. */
export interface Place {
  readonly origin: string;
  /** With the port where a browser sends one. */
  readonly host: string;
}

export function placeOf(origin: string): Place {
  const url = new URL(origin);
  return { origin: url.origin, host: url.host };
}

/** null: admitted. */
export function refusal({ headers, method }: IncomingMessage, { origin, host }: Place): HttpError | null {
  if (headers.host?.toLowerCase() !== host) {
    return plain(403, '42501', `the Host header ${JSON.stringify((headers.host ?? '').slice(0, 200))} is not ${host}`, `Open ${origin}`);
  }
  const isCall = method !== 'GET' && method !== 'HEAD';
  if (headers.origin === undefined ? isCall : headers.origin !== origin) {
    return plain(403, '42501', `the Origin header ${JSON.stringify((headers.origin ?? '').slice(0, 200))} is not ${origin}`, `Open ${origin}`);
  }
  if (!isCall) return null;
  if (headers['transfer-encoding'] !== undefined) return plain(411, '08P01', 'chunked bodies are refused', 'Send the body whole, with Content-Length.');
  if (headers['content-length'] === undefined) return plain(411, '08P01', 'Content-Length is missing', 'Send the body with its length.');
  if (headers['content-type'] === undefined)
    return plain(415, '22023', 'the request must carry Content-Type: application/json', 'Add the header `Content-Type: application/json`.');
  return null;
}
