/** `svc serve`: opens the folder, listens, and closes cleanly on a signal. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { tuneCollector } from './base/collector.ts';
import { SvcError } from './base/errors/svc-error.ts';
import { SOCKET_PATH_MAX } from './base/private-socket.ts';
import { type Database, open } from './database.ts';
import { isLoopback, parseListenAddress } from './http/listen-address.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { tlsFilesOf } from './identity/tls-files.ts';
import { openLocalEntrance } from './local-entrance.ts';
import { answerMessage } from './mcp/one-message.ts';
import { RELEASE } from './release.ts';
import { connectionsWithin, openFileLimit } from './storage/open-file-limit.ts';
import { LoginThrottle } from './session/login-throttle.ts';
import { ServerIdentity, type ServerSecrets } from './session/server-identity.ts';
import type { SocketServer } from './socket/socket-server.ts';
import { localLink } from './studio/local-link.ts';
import { placeOfStudio, STUDIO_ADDRESS, type StudioPlaceOptions } from './studio/listen.ts';
import { startStudio, type StudioServer } from './studio/server.ts';
import { parseWithGrammar } from './sql/parse/grammar.ts';
import { createWireServer, LOCAL_SOCKET, localSocket, type WireServer } from './wire/server.ts';

/** Per port. */
const CONNECTIONS_MAX = 1000;
const SHUTDOWN_MS = 30_000;

export interface ServeOptions {
  listen: string;
  /** `off`: no SQL port. */
  pg: string;
  tlsCert?: string;
  tlsKey?: string;
  insecureNoTls?: boolean;
  /** Or SVC_TOKEN. */
  token?: string;
  /** Or SVC_METRICS_TOKEN. */
  metricsToken?: string;
  /** Or SVC_ADMIN_TOKEN. */
  adminToken?: string;
  safe?: boolean;
  /** The web console, too: at this address, or the usual one. */
  studio?: string | true;
  studioLogin?: boolean;
  studioUrl?: string;
  /** Open a log that has lost acknowledged events. */
  acceptLoss?: boolean;
  /** Name of the variable with the address of the attached Postgres. */
  attachUrlEnv?: string;
}

export async function serve(folder: string, options: ServeOptions): Promise<number> {
  tuneCollector();
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  let database: Database | undefined;
  let server: HttpServer | undefined;
  let wire: WireServer | undefined;
  let entrance: SocketServer | undefined;
  let studio: StudioServer | undefined;
  try {
    const { host, port } = parseListenAddress(options.listen);
    const pg = options.pg === 'off' ? null : parseListenAddress(options.pg);
    const tls = tlsFilesOf(options);
    if (tls !== undefined && tls.warning !== null) logger.warn(tls.warning);
    const secrets = serverSecrets(options);
    for (const address of pg === null ? [host] : [host, pg.host]) await checkExposure(address, secrets, tls !== undefined || options.insecureNoTls === true);
    const studioPlace = options.studio === undefined ? null : await placeOfStudio(studioOptions(options), tls !== undefined);
    const throttle = new LoginThrottle(fromEnvironment('SVC_LOGIN_FREE_TRIES', 1));
    let lastProgress = 0;
    const begun = Date.now();
    database = await open(folder, {
      acceptLoss: options.acceptLoss === true,
      ...(options.attachUrlEnv === undefined ? {} : { attachUrlEnv: options.attachUrlEnv }),
      onNotice: (message) => logger.warn(message),
      onBackgroundError: (error) => logger.error({ err: error }, 'background work failed'),
      onProgress: ({ phase, done, total }) => {
        if (Date.now() - lastProgress < 1000) return;
        lastProgress = Date.now();
        logger.info({ phase, done, total, percent: Math.floor((100 * done) / Math.max(1, total)) }, phase);
      },
    });
    const identity = new ServerIdentity(secrets, database.directory, throttle);
    logger.info({ folder, ms: Date.now() - begun, ...database.stats() }, 'database open');
    database.onOutage((error) => {
      if (error === null) logger.info('writes are taken again');
      else logger.error({ err: error }, 'the disk refuses writes: only reads are answered until it takes them again');
    });
    const wanted = fromEnvironment('SVC_MAX_CONNECTIONS', 1) ?? CONNECTIONS_MAX;
    const connectionsMax = connectionsWithin(openFileLimit(), wanted, pg === null ? 1 : 2);
    if (connectionsMax < wanted) logger.warn({ wanted, connectionsMax }, 'the limit of open files holds fewer connections');
    server = createHttpServer({
      commandsOf: (principal) => database!.commandsOf(principal),
      identity,
      tls,
      log: (level, fields, message) => logger[level](fields, message),
      version: RELEASE,
      answerModel: (principal, commands, message, gone) => answerMessage({ principal, commands, safe: principal.kind === 'guest' }, RELEASE, message, gone),
      metrics: database.metrics,
      clockBehindMs: () => database!.stats()['clock_behind_ms'],
      onFault: (error, operation) => logger.error({ err: error, operation }, 'operation failed'),
      connectionsMax,
      requestMs: fromEnvironment('SVC_REQUEST_TIMEOUT', 1000),
    });
    const url = await server.listen(host, port);
    const tokenHint = secrets.token === null ? '' : "-H 'Authorization: Bearer <token>' ";
    entrance = await openLocalEntrance(database);
    let sqlHint = '';
    if (pg !== null) {
      const opened = database;
      wire = createWireServer({
        session: (where) => opened.session(where),
        logins: opened.logins(identity),
        tls,
        log: (level, fields, message) => logger[level](fields, message),
        connectionsMax,
        loginMs: fromEnvironment('SVC_LOGIN_TIMEOUT', 1000),
        copyIdleMs: fromEnvironment('SVC_COPY_IDLE', 1000),
      });
      const { metrics } = opened;
      const of = wire;
      metrics.connections('wire_connections', () => of.connections);
      const sqlPort = await wire.listen(pg.host, pg.port);
      logger.info({ host: pg.host, port: sqlPort, tls: tls !== undefined }, 'SQL port open');
      // Only without TLS, which would be required of every connection.
      if (tls === undefined) await openSqlSocket(wire, folder, sqlPort, logger);
      const login = secrets.token === null ? '' : "   (password: the server token; -U an agent's name: its token)";
      sqlHint = `  psql -h ${pg.host === '0.0.0.0' ? '127.0.0.1' : pg.host} -p ${sqlPort} -d main${login}\n\n`;
    }
    if (studioPlace !== null) {
      const opened = database;
      studio = await startStudio(
        {
          ...studioPlace,
          link: localLink({ commandsOf: (principal) => opened.commandsOf(principal), roleNamed: (name) => opened.roleNamed(name) }),
          throttle,
          login: options.studioLogin === true,
          release: RELEASE,
          tls,
          log: (level, fields, message) => logger[level](fields, message),
          connectionsMax,
        },
        studioPlace.host,
        studioPlace.port,
      );
      sqlHint += `  web console: ${studio.link}\n\n`;
    }
    const all = host === '0.0.0.0' || host === '::' ? ' and all other addresses of this machine' : '';
    process.stdout.write(
      `svc ${RELEASE} listening on ${url}${all}  (folder ${folder})\n\n  curl -s ${url}/v1/branches ${tokenHint}-H 'Content-Type: application/json' -d '{}'\n${sqlHint === '' ? '\n' : sqlHint}`,
    );
    // The first statement would wait for the grammar's module.
    setImmediate(() => parseWithGrammar('SELECT 1'));
    const why = await Promise.race([signalled(), failed(database)]);
    logger.info({ why }, 'shutting down');
    setTimeout(() => {
      logger.error('shutdown took too long');
      process.exit(1);
    }, SHUTDOWN_MS).unref();
    await Promise.all([server.close(), wire?.close(), entrance.close(), studio?.close()]);
    await database.close();
    logger.info('closed');
    return why === 'failure' ? 1 : 0;
  } catch (error) {
    await server?.close().catch(() => {});
    await wire?.close().catch(() => {});
    await entrance?.close().catch(() => {});
    await studio?.close().catch(() => {});
    await database?.abandon().catch(() => {});
    report(error);
    return 1;
  }
}

function studioOptions({ studio, studioLogin, studioUrl, insecureNoTls }: ServeOptions): StudioPlaceOptions {
  return { listen: typeof studio === 'string' ? studio : STUDIO_ADDRESS, login: studioLogin, url: studioUrl, insecureNoTls };
}

const TOKEN_LENGTH_MIN = 24;

/** Local clients can connect without a port: `psql -h <folder>`. If the folder's path is too long for a socket, they use the port. */
async function openSqlSocket(wire: WireServer, folder: string, port: number, logger: pino.Logger): Promise<void> {
  // This process holds the folder's lock: other sockets are left by killed servers.
  for (const name of readdirSync(folder)) if (name.startsWith(LOCAL_SOCKET)) rmSync(join(folder, name), { force: true });
  const path = localSocket(resolve(folder), port);
  if (Buffer.byteLength(path) > SOCKET_PATH_MAX) {
    logger.warn({ path, max: SOCKET_PATH_MAX }, 'no SQL socket in the folder: its path would be too long');
    return;
  }
  await wire.listenLocally(resolve(folder), port);
  logger.info({ path }, 'SQL socket open');
}

/** Tokens from flags or the environment. 22023 for an invalid one. */
function serverSecrets({ token, adminToken, metricsToken, safe }: ServeOptions): ServerSecrets {
  const secrets = {
    token: secret('--token', token, 'SVC_TOKEN', 'SVC_TOKEN_FILE'),
    adminToken: secret('--admin-token', adminToken, 'SVC_ADMIN_TOKEN', 'SVC_ADMIN_TOKEN_FILE'),
    metricsToken: secret('--metrics-token', metricsToken, 'SVC_METRICS_TOKEN', 'SVC_METRICS_TOKEN_FILE'),
    safe: safe === true,
  };
  if (secrets.adminToken !== null && !secrets.safe) {
    throw new SvcError('22023', 'an admin token goes with --safe', { hint: "Without --safe the server token is the database's own user." });
  }
  if (secrets.adminToken !== null && secrets.adminToken === secrets.token) throw new SvcError('22023', 'the admin token and the server token are the same');
  if (secrets.metricsToken !== null && (secrets.metricsToken === secrets.token || secrets.metricsToken === secrets.adminToken))
    throw new SvcError('22023', 'the metrics token is a token of the server', {
      hint: 'It reads the metrics alone: make another one with openssl rand -hex 32',
    });
  return secrets;
}

function secret(flag: string, given: string | undefined, variable: string, fileVariable: string): string | null {
  const inFile = given === undefined ? fileOf(variable, fileVariable) : null;
  const text = given ?? inFile ?? process.env[variable] ?? '';
  const from = given !== undefined ? flag : inFile !== null ? `the file of ${fileVariable}` : variable;
  if (text === '' && given === undefined && inFile === null) return null;
  if (text === 'change-me') throw new SvcError('22023', `${from} is the placeholder "change-me"`, { hint: 'Make one with: openssl rand -hex 32' });
  if (text.length < TOKEN_LENGTH_MIN) {
    throw new SvcError('22023', `${from} is shorter than ${TOKEN_LENGTH_MIN} characters`, { hint: 'Make one with: openssl rand -hex 32' });
  }
  return text;
}

/** What the file holds that `fileVariable` names, as secrets of containers are given; null: none is named. 22023 for both forms, or a file that cannot be read. */
function fileOf(variable: string, fileVariable: string): string | null {
  const path = process.env[fileVariable] ?? '';
  if (path === '') return null;
  if ((process.env[variable] ?? '') !== '') throw new SvcError('22023', `${variable} and ${fileVariable} are both set`, { hint: 'Set one of them.' });
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new SvcError('22023', `${fileVariable} names "${path}", which cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Outside of loopback a server needs a token and TLS. */
async function checkExposure(host: string, { token }: ServerSecrets, isSafeInTransit: boolean): Promise<void> {
  if (await isLoopback(host)) return;
  if (token === null) {
    throw new SvcError('28000', `${host} is not a loopback address: a server that others reach needs a token`, {
      hint: 'Give --token or SVC_TOKEN, or listen on 127.0.0.1 or [::1].',
    });
  }
  if (!isSafeInTransit) {
    throw new SvcError('28000', `${host} is not a loopback address: a server that others reach needs TLS`, {
      hint: 'Give --tls-cert and --tls-key; or --insecure-no-tls where something else encrypts.',
    });
  }
}

/** Resolves at the first signal; a second one ends the process at once. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        resolve(signal);
        process.once(signal, () => process.exit(130));
      });
    }
  });
}

function failed(database: Database): Promise<string> {
  return new Promise((resolve) => database.onFailure(() => resolve('failure')));
}

function fromEnvironment(name: string, scale: number): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new SvcError('22023', `${name} is "${text}"; it must be a number above 0`);
  return value * scale;
}

function report(error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException;
  const hint =
    error instanceof SvcError ? error.hint : code === 'EADDRINUSE' ? 'Stop what listens there, or take another port with --listen or --pg.' : undefined;
  process.stderr.write(`svc: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
}
