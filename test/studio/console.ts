/** A web console over a database in a folder of its own, and requests to it as a browser sends them, or as an attacker does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open } from '../../src/database.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import type { StudioLink } from '../../src/studio/link.ts';
import { localLink } from '../../src/studio/local-link.ts';
import { startStudio, type StudioServer, type StudioServerOptions } from '../../src/studio/server.ts';
import { Sessions } from '../../src/studio/sessions.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // Each test reads the fields of its own.
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
  readonly text: string;
}

export type Headers = Readonly<Record<string, string>>;

/** One request; `null` leaves a header out. */
export function ask(
  origin: string,
  path: string,
  { body, headers = {}, method }: { body?: object | string; headers?: Readonly<Record<string, string | null>>; method?: string } = {},
): Promise<Reply> {
  const url = new URL(path, origin);
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const usual: Record<string, string | null> = {
    Host: url.host,
    ...(text === undefined ? {} : { Origin: url.origin, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
  };
  const sent = Object.fromEntries(Object.entries({ ...usual, ...headers }).filter((entry): entry is [string, string] => entry[1] !== null));
  return new Promise((resolve, reject) => {
    const options = {
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: sent,
      setHost: false,
      agent: false as const,
    };
    const call = url.protocol === 'https:' ? requestTls({ ...options, rejectUnauthorized: false }) : request(options);
    call.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const all = Buffer.concat(parts).toString();
        let json: unknown = null;
        try {
          json = JSON.parse(all);
        } catch {
          // A page, or lines.
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: json, text: all });
      });
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(text);
  });
}

export interface Console {
  readonly db: Database;
  readonly folder: string;
  readonly studio: StudioServer;
  readonly key: string;
  /** Of sessions: moved by `pass`. */
  pass(ms: number): void;
  /** With the key of the link, or the cookie of a sign-in. */
  op(name: string, body: object, headers?: Readonly<Record<string, string | null>>): Promise<Reply>;
  /** The cookie. */
  signIn(role: string, password: string): Promise<string>;
  close(): Promise<void>;
}

/** A console over a database that is open already. */
export async function consoleOf(db: Database): Promise<StudioServer> {
  return startStudio(
    {
      link: localLink({ commandsOf: (principal) => db.commandsOf(principal), roleNamed: (name) => db.roleNamed(name) }),
      throttle: new LoginThrottle(),
      login: false,
      release: 'test',
    },
    '127.0.0.1',
    0,
  );
}

/** `through`: what stands between the console and its database, for example a slow one. */
export async function openConsole(
  options: Partial<StudioServerOptions> = {},
  freeTries = 1000,
  through: (link: StudioLink) => StudioLink = (link) => link,
): Promise<Console> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-studio-'));
  const db = await open(folder);
  let nowMs = 1;
  const studio = await startStudio(
    {
      link: through(localLink({ commandsOf: (principal) => db.commandsOf(principal), roleNamed: (name) => db.roleNamed(name) })),
      throttle: new LoginThrottle(freeTries),
      login: false,
      release: 'test',
      sessions: new Sessions(() => nowMs),
      ...options,
    },
    '127.0.0.1',
    0,
  );
  const key = /#key=([0-9a-f]{64})$/.exec(studio.link)?.[1] ?? '';
  const withKey: Headers = key === '' ? {} : { 'X-Svc-Key': key };
  return {
    db,
    folder,
    studio,
    key,
    pass: (ms) => void (nowMs += ms),
    op: (name, body, headers = {}) => ask(studio.origin, `/op/${name}`, { body, headers: { ...withKey, ...headers } }),
    async signIn(role, password) {
      const reply = await ask(studio.origin, '/api/sign-in', { body: { role, password } });
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return String(reply.headers['set-cookie']).split(';')[0];
    },
    async close() {
      await studio.close();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A link whose calls wait for `before`: a slow database. */
export function slowed(link: StudioLink, before: (name: string, input: unknown) => Promise<void> | undefined): StudioLink {
  return {
    as: async (who) => {
      const caller = await link.as(who);
      return {
        call: async (operation, input, control) => {
          await before(operation.name, input);
          return caller.call(operation, input, control);
        },
      };
    },
    close: () => link.close(),
  };
}
