/**
 * `svc studio`: serves the web console of a folder and prints the link that opens it. If another process has the folder open, the console
 * reaches the database through that one's socket; otherwise it opens the folder, and its socket for others.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { tuneCollector } from './base/collector.ts';
import { SvcError } from './base/errors/svc-error.ts';
import { tlsFilesOf } from './identity/tls-files.ts';
import { RELEASE } from './release.ts';
import { LoginThrottle } from './session/login-throttle.ts';
import { socketPath } from './socket/socket-path.ts';
import type { StudioLink } from './studio/link.ts';
import { placeOfStudio } from './studio/listen.ts';
import { localLink } from './studio/local-link.ts';
import { startStudio, type StudioServer } from './studio/server.ts';
import { socketLink } from './studio/socket-link.ts';

export interface StudioOptions {
  listen: string;
  url?: string;
  login?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  insecureNoTls?: boolean;
  /** Open the link in a browser, where the output is a terminal. */
  open?: boolean;
  /** Open a log that has lost acknowledged events. */
  acceptLoss?: boolean;
}

/** A starting or stopping process holds the folder without answering. */
const TRIES = 30;
const BETWEEN_TRIES_MS = 200;
/** A browser has started by then. */
const OPENED_MS = 60_000;

interface Reached {
  readonly link: StudioLink;
  readonly elsewhere: boolean;
  /** Rejects with the database's failure. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

export async function studio(folder: string, options: StudioOptions): Promise<number> {
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  let reached: Reached | undefined;
  let server: StudioServer | undefined;
  try {
    const tls = tlsFilesOf(options);
    if (tls !== undefined && tls.warning !== null) logger.warn(tls.warning);
    const place = await placeOfStudio(options, tls !== undefined);
    reached = await reach(folder, options.acceptLoss === true, logger);
    const ended = signalled();
    server = await startStudio(
      {
        link: reached.link,
        throttle: new LoginThrottle(freeTries()),
        login: options.login === true,
        release: RELEASE,
        tls,
        origin: place.origin,
        log: (level, fields, message) => logger[level](fields, message),
      },
      place.host,
      place.port,
    );
    const where = reached.elsewhere ? 'open in another process' : 'open here';
    const how = options.login === true ? 'Roles sign in at' : 'The holder of this link acts as the database’s own user:';
    process.stdout.write(`svc ${RELEASE} studio  (folder ${folder}, ${where})\n\n  ${how}\n  ${server.link}\n\n`);
    if (options.open !== false && process.stdout.isTTY === true) openInBrowser(server.link);
    await Promise.race([ended, reached.failed]);
    await server.close();
    await reached.close();
    return 0;
  } catch (error) {
    await server?.close().catch(() => {});
    await reached?.close().catch(() => {});
    const { message, code } = error as NodeJS.ErrnoException;
    const hint = error instanceof SvcError ? error.hint : code === 'EADDRINUSE' ? 'Stop what listens there, or take another port with --listen.' : undefined;
    process.stderr.write(`svc: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    return 1;
  }
}

async function reach(folder: string, acceptLoss: boolean, logger: pino.Logger): Promise<Reached> {
  for (let tries = 1; ; tries++) {
    try {
      if (existsSync(socketPath(folder))) return await reachElsewhere(folder);
    } catch (error) {
      // Left by a killed process, or not answering yet: opening the folder shows which.
      if (!(error instanceof SvcError) || error.code !== '55006') throw error;
    }
    try {
      return await openHere(folder, acceptLoss, logger);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '55006' || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

async function reachElsewhere(folder: string): Promise<Reached> {
  const link = socketLink(folder);
  await link.as({ kind: 'owner' });
  return { link, elsewhere: true, failed: new Promise(() => {}), close: () => link.close() };
}

async function openHere(folder: string, acceptLoss: boolean, logger: pino.Logger): Promise<Reached> {
  const [{ open }, { openLocalEntrance }] = await Promise.all([import('./database.ts'), import('./local-entrance.ts')]);
  tuneCollector();
  const database = await open(folder, {
    acceptLoss,
    onNotice: (message) => logger.warn(message),
    onBackgroundError: (error) => logger.error({ err: error }, 'background work failed'),
  });
  try {
    const entrance = await openLocalEntrance(database);
    return {
      link: localLink({ commandsOf: (principal) => database.commandsOf(principal), roleNamed: (name) => database.roleNamed(name) }),
      elsewhere: false,
      failed: new Promise((_resolve, reject) => database.onFailure(reject)),
      close: async () => {
        await entrance.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.abandon().catch(() => {});
    throw error;
  }
}

function freeTries(): number | undefined {
  const text = process.env['SVC_LOGIN_FREE_TRIES'];
  if (text === undefined || text === '') return undefined;
  const tries = Number(text);
  if (!Number.isFinite(tries) || tries <= 0) throw new SvcError('22023', `SVC_LOGIN_FREE_TRIES is "${text}"; it must be a number above 0`);
  return tries;
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        resolve();
        process.once(signal, () => process.exit(130));
      });
    }
  });
}

/**
 * What cannot be opened is no failure: the link is printed. Other users of the machine see the arguments of a command, so the browser gets a
 * file that only this user can read, which leads to the link.
 */
function openInBrowser(link: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-studio-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>svc studio</title><meta http-equiv="refresh" content="0; url=${link}">`, { mode: 0o600 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  setTimeout(remove, OPENED_MS).unref();
  const [command, ...args] =
    process.platform === 'darwin' ? ['open', file] : process.platform === 'win32' ? ['cmd', '/c', 'start', '', file] : ['xdg-open', file];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
