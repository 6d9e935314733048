/**
 * The HTTP entrance: `POST /v1/<op>` for every operation of the table.
 *
 *   headers, principal (gate) ─► body (json-body) ─► schema ─► dispatch ─► reply
 *
 * Limits are the contract's: headers 64 KB (431), bodies 32 MB (413), whole bodies only (411), 1000
 * connections (503), 60 s idle, a request within 120 s, its headers too.
 */
import { exactJsonText } from '../base/exact-json.ts';
import { bytesInSlices, exactJsonPieces, isLong } from '../base/exact-json-pieces.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SvcError } from '../base/errors/svc-error.ts';
import { parseMessage } from '../base/model-message.ts';
import { LIMITS } from '../base/limits.ts';
import { countComing } from '../base/slices.ts';
import { Turnstile } from '../base/turnstile.ts';
import { answerBrokenRequest, closeSilent, limitConnections, ONE_YEAR } from './connection-limits.ts';
import { Connections } from './connections.ts';
import type { AllCommands, RunControl, SqlReply } from '../commands/contract.ts';
import type { AnyOperation } from '../operations/define-operation.ts';
import { OPERATIONS, operationByName } from '../operations/table.ts';
import { call, type Session } from '../operations/session.ts';
import { AgentDirectory } from '../session/agent-directory.ts';
import { LoginThrottle } from '../session/login-throttle.ts';
import { describe, type Principal } from '../session/principal.ts';
import { enterRunning } from '../session/quotas.ts';
import { ServerIdentity } from '../session/server-identity.ts';
import { type HttpError, httpError, plain } from './errors.ts';
import { admitted } from './gate.ts';
import { JSON_VALIDATION, takeJsonAlone } from './json-body.ts';
import { Metrics } from './metrics.ts';
import { routeOf } from './operation-route.ts';
import { openApiDocument } from './openapi.ts';
import { PendingReplies } from './pending-replies.ts';

export interface HttpServerOptions {
  /** The commands as a principal may call them. */
  commandsOf(principal: Principal): AllCommands;
  version: string;
  /** Maps tokens to principals; without it every client is the database's own user. */
  identity?: ServerIdentity;
  /** PEM texts. */
  tls?: { readonly cert: string; readonly key: string };
  /** For refusals, failed logins and the administration of agents. */
  log?: (level: 'info' | 'warn', fields: Record<string, unknown>, message: string) => void;
  /** The database's metrics; without them the server keeps its own. */
  metrics?: Metrics;
  /** Answers one message of MCP for an agent or the guest. */
  answerModel?: (principal: Principal, commands: AllCommands, message: unknown, gone: AbortSignal) => Promise<ModelAnswer>;
  /** How far the clock is behind the newest event, for `/v1/health`. */
  clockBehindMs?: () => number;
  /** Called for internal errors. */
  onFault?: (error: unknown, operation: string) => void;
  connectionsMax?: number;
  bodyBytesMax?: number;
  pendingReplyBytesMax?: number;
  idleMs?: number;
  requestMs?: number;
}

/** An MCP message that was answered, accepted (without a reply), or refused. */
export type ModelAnswer = { readonly kind: 'response' | 'refused'; readonly body: unknown } | { readonly kind: 'taken' };

declare module 'fastify' {
  interface FastifyRequest {
    /** Known once the headers were checked. */
    principal: Principal;
  }
}

const NO_AGENTS = new AgentDirectory(() => ({ byName: () => null, byTokenHash: () => null }));

/** Operations that are logged. */
const ADMINISTRATION_TAG = /^(?:(?:CREATE|ALTER|DROP) AGENT|ALTER SYSTEM)$/;
const ADMINISTRATION = new Set(['create_agent', 'alter_agent', 'drop_agent', 'set_setting']);

export interface HttpServer {
  readonly app: FastifyInstance;
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, finishes running requests, closes. */
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const started = Date.now();
  const metrics = options.metrics ?? new Metrics(null);
  const identity = options.identity ?? new ServerIdentity({ token: null, adminToken: null, safe: false }, NO_AGENTS, new LoginThrottle());
  const log = options.log ?? ((): void => {});
  const ofServer = {
    maxHeaderSize: LIMITS.httpHeaderBytesMax,
    // A request without one is answered as others are refused (gate.ts).
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(5000, options.requestMs ?? 5000),
    // Headers have the time of the whole request: a connection without input is idle (see below).
    headersTimeout: options.requestMs ?? LIMITS.httpRequestMs,
  };
  const app = Fastify({
    bodyLimit: options.bodyBytesMax ?? LIMITS.httpBodyBytesMax,
    keepAliveTimeout: options.idleMs ?? LIMITS.httpIdleMs,
    requestTimeout: options.requestMs ?? LIMITS.httpRequestMs,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: false,
    logger: false,
    ...(options.tls === undefined ? { http: ofServer } : { https: { ...options.tls, minVersion: 'TLSv1.2' as const, ...ofServer } }),
    ajv: JSON_VALIDATION,
    clientErrorHandler: answerBrokenRequest,
    // An invalid path belongs to no route, so no hook sees it.
    frameworkErrors: (error, _request, reply) => {
      secured(reply as unknown as FastifyReply, options.tls !== undefined);
      void send(reply as unknown as FastifyReply, httpError(error));
    },
  }) as unknown as FastifyInstance;
  const pending = new PendingReplies(options.pendingReplyBytesMax, options.idleMs);
  const connections = new Connections(app.server, options.tls !== undefined);
  metrics.connections('http_connections', () => connections.count);
  closeSilent(app.server, options.tls !== undefined, options.idleMs ?? LIMITS.httpIdleMs);
  limitConnections(app.server, options.connectionsMax ?? LIMITS.httpConnectionsMax, options.tls !== undefined);

  takeJsonAlone(app);
  app.addHook('onRequest', (request, reply, done) => {
    countComing();
    secured(reply, options.tls !== undefined);
    const { url } = request.routeOptions;
    const found = admitted(request, identity, url === '/v1/health' ? 'health' : url === '/metrics' ? 'metrics' : 'other');
    if ('kind' in found) {
      request.principal = found;
      done();
      return;
    }
    const { status, body } = found;
    if (status === 401 || status === 429)
      log('warn', { address: addressOf(request), path: pathOf(request), status, reason: body.error['message'] }, 'login refused');
    else if (status === 403) log('warn', { address: addressOf(request), path: pathOf(request), status, reason: body.error['message'] }, 'request refused');
    // The request's body is not read.
    if (status === 401 || status === 403 || status === 429) reply.raw.setHeader('Connection', 'close');
    void send(reply, found);
  });
  app.decorateRequest('principal', null as never);
  app.setErrorHandler((error, request, reply) => send(reply, httpError(error, request.routeOptions.bodyLimit)));
  app.setNotFoundHandler((request, reply) => send(reply, notFound(request)));

  const turnstile = new Turnstile();
  const sessions = new WeakMap<Principal, Session>();
  const sessionOf = (principal: Principal): Session => {
    let session = sessions.get(principal);
    if (session === undefined) sessions.set(principal, (session = { principal, commands: options.commandsOf(principal) }));
    return session;
  };
  for (const operation of OPERATIONS) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      app.post(`/v1/${name}`, routeOf(operation), (request, reply) => {
        const begun = performance.now();
        return run(operation, request, reply, begun);
      });
      app.route({
        method: ['GET', 'PUT', 'DELETE', 'PATCH'],
        url: `/v1/${name}`,
        handler: (_request, reply) => {
          reply.header('Allow', 'POST');
          return send(reply, plain(405, '08P01', `${name} is called with POST`, `POST /v1/${name} with a JSON body.`));
        },
      });
    }
  }

  /** Long lists are serialised and encoded in time slices. */
  async function sendLong(result: unknown, operation: AnyOperation, reply: FastifyReply, begun: number): Promise<unknown> {
    const bytes = await bytesInSlices(await exactJsonPieces(result));
    metrics.answered(operation.name, (performance.now() - begun) / 1000);
    return reply.send(pending.admit(reply.raw, bytes));
  }

  function run(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply, begun: number): Promise<unknown> {
    const { principal } = request;
    let work: Promise<unknown>;
    let leave: (() => void) | null = null;
    try {
      leave = enterRunning(principal);
      const control = operation.long === true ? new ControlOfReply(reply) : undefined;
      const turn = turnstile.enter();
      work =
        turn === null
          ? call(sessionOf(principal), operation, request.body, control)
          : turn.then(() => call(sessionOf(principal), operation, request.body, control));
    } catch (error) {
      work = Promise.reject(error);
    }
    return work.then(
      (result) => {
        leave?.();
        if (operation.name === 'sql') {
          for (const { command } of (result as SqlReply).results) {
            if (ADMINISTRATION_TAG.test(command))
              log('info', { address: addressOf(request), by: describe(principal), operation: 'sql', what: command }, 'administration');
          }
        } else if (ADMINISTRATION.has(operation.name)) {
          const { name } = request.body as { name?: string };
          log('info', { address: addressOf(request), by: describe(principal), operation: operation.name, name }, 'administration');
        }
        reply.header('Content-Type', 'application/json; charset=utf-8');
        if (isLong(result)) return sendLong(result, operation, reply, begun);
        metrics.answered(operation.name, (performance.now() - begun) / 1000);
        return reply.send(pending.admit(reply.raw, exactJsonText(result)));
      },
      (error: unknown) => {
        leave?.();
        const answer = httpError(error);
        metrics.answered(operation.name, (performance.now() - begun) / 1000);
        metrics.failed(operation.name, String(answer.body.error['code']));
        if (answer.status === 403 || answer.status === 429) {
          const { code, message: reason } = answer.body.error;
          log('warn', { address: addressOf(request), by: describe(principal), operation: operation.name, code, reason }, 'refused');
        }
        if (answer.status >= 500) options.onFault?.(error, operation.name);
        return send(reply, answer);
      },
    );
  }

  const { answerModel } = options;
  if (answerModel !== undefined)
    routeModels(app, log, turnstile, (principal, message, gone) => answerModel(principal, sessionOf(principal).commands, message, gone));

  const openapi = JSON.stringify(openApiDocument(options.version));
  const { clockBehindMs = () => 0 } = options;
  app.get('/v1/health', (_request, reply) =>
    reply.send({ ok: true, version: options.version, uptime_ms: Date.now() - started, clock: { behind_ms: clockBehindMs() } }),
  );
  app.get('/v1/openapi.json', (_request, reply) => reply.header('Content-Type', 'application/json; charset=utf-8').send(openapi));
  app.get('/metrics', async (request, reply) => {
    const { principal } = request;
    if (principal.kind === 'agent')
      return send(reply, plain(403, '42501', `${describe(principal)} may not read the metrics`, 'Use the metrics token or the server token.'));
    return reply.header('Content-Type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  return {
    app,
    listen: async (host, port) => app.listen({ host, port }),
    close: async () => {
      // A connection becomes idle after its last answer: close such connections promptly instead of after the idle timeout.
      const idle = setInterval(() => connections.closeIdle(), 50);
      // A body that does not arrive, or a statement that runs on, must not keep the process from closing the folder.
      const late = setTimeout(() => connections.closeAll(), LIMITS.httpCloseMs);
      await app.close().finally(() => {
        clearInterval(idle);
        clearTimeout(late);
      });
    },
  };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `POST /mcp`: one message per request. Only for agents and the guest of safe mode: people have better entrances. */
function routeModels(
  app: FastifyInstance,
  log: NonNullable<HttpServerOptions['log']>,
  turnstile: Turnstile,
  answerOf: (principal: Principal, message: unknown, gone: AbortSignal) => Promise<ModelAnswer>,
): void {
  const failed = (id: null, code: number, message: string): object => ({ jsonrpc: '2.0', id, error: { code, message } });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Non-JSON bodies are answered in the protocol's own form.
    scope.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: LIMITS.modelMessageBytesMax }, (_request, body, done) => done(null, body));
    scope.post('/mcp', { bodyLimit: LIMITS.modelMessageBytesMax }, async (request, reply) => {
      const { principal } = request;
      if (principal.kind !== 'agent' && principal.kind !== 'guest') {
        log('warn', { address: addressOf(request), by: describe(principal), path: '/mcp' }, 'refused');
        return send(
          reply,
          plain(403, '42501', "POST /mcp is for agents' tokens, and for the guest under --safe", 'Make an agent with create_agent and send its token.'),
        );
      }
      reply.header('Content-Type', 'application/json; charset=utf-8');
      let message: unknown;
      try {
        message = parseMessage(UTF8.decode(request.body as Buffer));
      } catch {
        return reply.code(400).send(JSON.stringify(failed(null, -32700, 'not JSON')));
      }
      const gone = new AbortController();
      reply.raw.once('close', () => {
        if (!reply.raw.writableEnded) gone.abort();
      });
      const turn = turnstile.enter();
      if (turn !== null) await turn;
      const answer = await answerOf({ ...principal, sight: 'masked' }, message, gone.signal);
      if (answer.kind === 'taken') return reply.code(202).send();
      return reply.code(answer.kind === 'refused' ? 400 : 200).send(JSON.stringify(answer.body));
    });
    scope.route({
      method: ['GET', 'PUT', 'DELETE', 'PATCH'],
      url: '/mcp',
      handler: (_request, reply) => {
        reply.header('Allow', 'POST');
        return send(reply, plain(405, '08P01', 'MCP is spoken with POST here, without an event stream', 'POST one JSON-RPC message to /mcp.'));
      },
    });
  });
}

function secured({ raw }: FastifyReply, isTls: boolean): void {
  raw.setHeader('X-Content-Type-Options', 'nosniff');
  raw.setHeader('Cache-Control', 'no-store');
  if (isTls) raw.setHeader('Strict-Transport-Security', ONE_YEAR);
}

/**
 * Cancels a running call if the client disconnects before the answer. The signal is created on first use, since most calls
 * end before they check it. A class rather than a literal: V8 tenures the getters of literals, and with them the reply that
 * they reference.
 */
class ControlOfReply implements RunControl {
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= goneSignal(this.#reply));
  }
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const gone = (): void => {
    if (!raw.writableEnded) abort.abort(new SvcError('57014', 'the client has gone'));
  };
  if (raw.destroyed) gone();
  else raw.once('close', gone);
  return abort.signal;
}

function addressOf(request: FastifyRequest): string {
  return request.raw.socket.remoteAddress ?? '';
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0].slice(0, 100);
}

function send(reply: FastifyReply, { status, body }: HttpError): FastifyReply {
  return reply.code(status).header('Content-Type', 'application/json; charset=utf-8').send(exactJsonText(body));
}

function notFound(request: FastifyRequest): HttpError {
  const path = request.url.split('?')[0];
  const name = /^\/v1\/([^/]+)$/.exec(path)?.[1];
  if (name === undefined)
    return plain(404, '42704', `there is nothing at ${path.slice(0, 100)}`, 'Operations are at POST /v1/<op>; GET /v1/openapi.json lists them.');
  const near = nearest(name);
  return plain(
    404,
    '42704',
    `there is no operation "${name.slice(0, 60)}"`,
    near === null ? 'GET /v1/openapi.json lists the operations.' : `Did you mean "${near}"?`,
  );
}

function nearest(name: string): string | null {
  const plainName = name.toLowerCase().replaceAll('-', '_');
  if (operationByName(plainName) !== undefined) return plainName;
  const close = OPERATIONS.find((operation) => operation.name.startsWith(plainName.slice(0, 3)) || plainName.startsWith(operation.name));
  return close?.name ?? null;
}
