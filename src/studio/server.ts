/**
 * The web console's entrance: a listener of its own, which serves the client's files and calls operations for it.
 *
 *   Host, Origin (gate) ─► visitor (key or session) ─► body ─► what the visitor may (rights) ─► operation, as the owner or the role
 *
 *   GET  /            the page              POST /api/who        who is here
 *   GET  /assets/…    scripts, styles       POST /api/sign-in    {role, password}
 *   POST /op/<name>   an operation          POST /api/sign-out
 *
 * An operation whose request takes `application/x-ndjson` is answered in lines: `{progress: {done, total}}` while it runs, at last
 * `{result}` or `{error, status}`. A request that its browser drops cancels its operation.
 */
import type { Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { exactJsonText } from '../base/exact-json.ts';
import { bytesInSlices, exactJsonPieces } from '../base/exact-json-pieces.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { RunControl } from '../commands/contract.ts';
import { answerBrokenRequest, closeSilent, limitConnections } from '../http/connection-limits.ts';
import { Connections } from '../http/connections.ts';
import { type HttpError, httpError, plain } from '../http/errors.ts';
import { JSON_VALIDATION, takeJsonAlone } from '../http/json-body.ts';
import { routeOf } from '../http/operation-route.ts';
import type { AnyOperation } from '../operations/define-operation.ts';
import { OPERATIONS } from '../operations/table.ts';
import { type Asset, clientAssets, PAGE } from './assets.ts';
import { type Place, placeOf, refusal } from './gate.ts';
import { policyOf, secured } from './headers.ts';
import type { StudioLink } from './link.ts';
import { admitOperation, type Visitor } from './rights.ts';
import { Visitors, type VisitorsOptions } from './visitors.ts';

export interface StudioServerOptions extends Omit<VisitorsOptions, 'isTls' | 'port'> {
  readonly link: StudioLink;
  readonly release: string;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Address under which browsers reach the console, where it is not that of the listener. */
  readonly origin?: string;
  readonly log?: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
  readonly connectionsMax?: number;
  readonly assets?: ReadonlyMap<string, Asset>;
}

export interface StudioServer {
  /** Its address with the key in the fragment: the whole link. Roles sign in at an address without one. */
  readonly link: string;
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens. Port 0 takes a free one. */
export async function startStudio(options: StudioServerOptions, host: string, port: number): Promise<StudioServer> {
  const isTls = options.tls !== undefined;
  const assets = options.assets ?? clientAssets();
  const page = assets.get(PAGE);
  const policy = policyOf(page?.bytes);
  const log = options.log ?? ((): void => {});
  let place: Place = placeOf('http://invalid');
  let visitors: Visitors;
  const ofServer = {
    maxHeaderSize: LIMITS.httpHeaderBytesMax,
    requireHostHeader: false,
    connectionsCheckingInterval: 5000,
    headersTimeout: LIMITS.httpRequestMs,
  };
  const app = Fastify({
    bodyLimit: LIMITS.httpBodyBytesMax,
    keepAliveTimeout: LIMITS.httpIdleMs,
    requestTimeout: LIMITS.httpRequestMs,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    logger: false,
    ...(options.tls === undefined ? { http: ofServer } : { https: { ...options.tls, minVersion: 'TLSv1.2' as const, ...ofServer } }),
    ajv: JSON_VALIDATION,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, _request, reply) => {
      secured((reply as unknown as FastifyReply).raw, isTls, policy);
      void send(reply as unknown as FastifyReply, httpError(error));
    },
  }) as unknown as FastifyInstance;
  const connections = new Connections(app.server as Server, isTls);
  closeSilent(app.server as Server, isTls, LIMITS.httpIdleMs);
  limitConnections(app.server as Server, options.connectionsMax ?? LIMITS.httpConnectionsMax, isTls);
  takeJsonAlone(app);
  app.decorateRequest('visitor', null as never);
  app.addHook('onRequest', async (request, reply) => {
    secured(reply.raw, isTls, policy);
    const refused = refusal(request.raw, place);
    if (refused !== null) {
      log('warn', { address: addressOf(request), status: refused.status, reason: refused.body.error['message'] }, 'request refused');
      if (refused.status === 403) reply.raw.setHeader('Connection', 'close');
      return send(reply, refused);
    }
    // Before the body is read.
    if (isOpen(request)) return;
    try {
      request.visitor = await visitors.of(request.raw);
      const operation = /^\/op\/([^/]+)$/.exec(request.routeOptions.url ?? '')?.[1];
      if (operation !== undefined) admitOperation(request.visitor, operation);
    } catch (error) {
      const answer = httpError(error);
      if (answer.status !== 401 || (error as SvcError).code === '28P01')
        log('warn', { address: addressOf(request), status: answer.status, reason: answer.body.error['message'] }, 'login refused');
      return send(reply, answer);
    }
  });
  app.setErrorHandler((error, request, reply) => send(reply, httpError(error, request.routeOptions.bodyLimit)));
  app.setNotFoundHandler((request, reply) => send(reply, plain(404, '42704', `there is nothing at ${request.url.split('?')[0].slice(0, 100)}`)));

  app.get('/', (request, reply) => sendAsset(request, reply, page, false));
  app.get('/assets/:name', (request, reply) => sendAsset(request, reply, assets.get((request.params as { name: string }).name), true));
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());

  const about = (visitor: Visitor): object => ({
    kind: visitor.kind,
    role: visitor.kind === 'role' ? visitor.name : null,
    superuser: visitor.kind === 'key' || visitor.superuser,
    release: options.release,
  });
  app.post('/api/door', (_request, reply) => send(reply, { status: 200, body: { login: options.login, release: options.release } }));
  app.post('/api/who', (request, reply) => send(reply, { status: 200, body: about(request.visitor) }));
  const credentials = { type: 'object', required: ['role', 'password'], additionalProperties: false, properties: { role: text(256), password: text(4096) } };
  app.post('/api/sign-in', { schema: { body: credentials }, bodyLimit: 64 * 1024 }, async (request, reply) => {
    const { role, password } = request.body as { role: string; password: string };
    try {
      reply.header('Set-Cookie', await visitors.signIn(request.raw, role, password));
    } catch (error) {
      log('warn', { address: addressOf(request), role: role.slice(0, 80) }, 'sign-in refused');
      throw error;
    }
    log('info', { address: addressOf(request), role }, 'signed in');
    return send(reply, { status: 200, body: { ok: true } });
  });
  app.post('/api/sign-out', async (request, reply) => {
    reply.header('Set-Cookie', visitors.signOut(request.raw));
    return send(reply, { status: 200, body: { ok: true } });
  });

  for (const operation of OPERATIONS) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      app.post(`/op/${name}`, routeOf(operation), (request, reply) => run(operation, request, reply));
    }
  }

  async function run(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { visitor } = request;
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableEnded) gone.abort(new SvcError('57014', 'canceling statement due to user request'));
    });
    const inLines = request.headers.accept === LINES;
    const control: RunControl = {
      ...(operation.long === true ? { signal: gone.signal } : {}),
      ...(inLines ? { onProgress: (done: number, total: number) => void reply.raw.write(`${JSON.stringify({ progress: { done, total } })}\n`) } : {}),
    };
    if (inLines) {
      reply.hijack();
      reply.raw.writeHead(200, { 'Content-Type': LINES });
    }
    try {
      const caller = await options.link.as(visitor.kind === 'key' ? { kind: 'owner' } : { kind: 'role', name: visitor.name });
      const result = await caller.call(operation, request.body, control);
      const bytes = await bytesInSlices(await exactJsonPieces(inLines ? { result } : result));
      if (!inLines) return reply.header('Content-Type', JSON_TYPE).send(bytes);
      reply.raw.end(bytes);
    } catch (error) {
      const answer = httpError(error);
      if (answer.status >= 500) log('error', { err: error, operation: operation.name }, 'operation failed');
      if (!inLines) return send(reply, answer);
      reply.raw.end(exactJsonText({ ...answer.body, status: answer.status }));
    }
    return reply;
  }

  const at = new URL(await app.listen({ host, port }));
  const listening = Number(at.port === '' ? (isTls ? 443 : 80) : at.port);
  const shown = host.includes(':') ? `[${host}]` : host;
  place = placeOf(options.origin ?? `${isTls ? 'https' : 'http'}://${shown}:${listening}`);
  visitors = new Visitors({ ...options, isTls, port: listening });
  return {
    origin: place.origin,
    link: `${place.origin}/${visitors.key === null ? '' : `#key=${visitors.key}`}`,
    close: async () => {
      const idle = setInterval(() => connections.closeIdle(), 50);
      const late = setTimeout(() => connections.closeAll(), LIMITS.httpCloseMs);
      await app.close().finally(() => {
        clearInterval(idle);
        clearTimeout(late);
      });
      await options.link.close();
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Known once the headers were checked; not at the door. */
    visitor: Visitor;
  }
}

const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json; charset=utf-8';
/** The files, and what a person calls who has not signed in. */
const DOOR: readonly string[] = ['/api/door', '/api/sign-in', '/api/sign-out'];

function isOpen(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0];
  return request.method === 'GET' || DOOR.includes(path);
}

const text = (most: number): object => ({ type: 'string', maxLength: most });

function addressOf(request: FastifyRequest): string {
  return request.raw.socket.remoteAddress ?? '';
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset | undefined, isKept: boolean): FastifyReply {
  if (asset === undefined) return send(reply, plain(404, '42704', 'there is no such file'));
  if (isKept) reply.raw.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
  const isSmall = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isSmall) reply.header('Content-Encoding', 'gzip');
  return reply
    .header('Content-Type', asset.type)
    .header('Vary', 'Accept-Encoding')
    .send(isSmall ? asset.gzip : asset.bytes);
}

function send(reply: FastifyReply, { status, body }: { status: number; body: object } | HttpError): FastifyReply {
  return reply.code(status).header('Content-Type', JSON_TYPE).send(exactJsonText(body));
}
