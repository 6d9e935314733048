/** A database in memory with a stepped clock, agents by name, and an HTTP server over it. */
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import type { AgentInput } from '../../src/commands/contract.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { OWNER, type Principal } from '../../src/session/principal.ts';
import { ServerIdentity, type ServerSecrets } from '../../src/session/server-identity.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { randomFrom } from '../suite/random.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { error?: { message: string; code: string; hint?: string } };
}

export class Identities {
  readonly clock = new SteppedClock();
  readonly #fs = new FaultyFileSystem(randomFrom(7));
  readonly #options: OpenOptions;
  readonly tokens = new Map<string, string>();
  readonly logged: { level: string; message: string; [field: string]: unknown }[] = [];
  db!: Database;
  #servers: HttpServer[] = [];

  private constructor(options: OpenOptions) {
    this.#options = options;
  }

  static async open(options: OpenOptions = {}): Promise<Identities> {
    const made = new Identities(options);
    await made.#open();
    return made;
  }

  async #open(): Promise<void> {
    this.db = await open('/db', { fs: this.#fs, clock: this.clock, openStore: async () => new MemoryPageStore(), ...this.#options });
  }

  /** Closed and opened again, from the log alone. */
  async reopen(): Promise<void> {
    await this.db.close();
    await this.#open();
  }

  async agent(input: AgentInput): Promise<Principal> {
    const { token } = await this.db.create_agent(input);
    this.tokens.set(input.name, token);
    return this.principal(input.name);
  }

  principal(name: string): Principal {
    return this.db.directory.byName(name)!;
  }

  async serve(secrets: Partial<ServerSecrets> = {}, options: Partial<HttpServerOptions> = {}, throttle = new LoginThrottle(1e9)): Promise<string> {
    const identity = new ServerIdentity({ token: null, adminToken: null, safe: false, ...secrets }, this.db.directory, throttle);
    const server = createHttpServer({
      commandsOf: (principal) => this.db.commandsOf(principal),
      identity,
      version: 'test',
      log: (level, fields, message) => this.logged.push({ level, message, ...fields }),
      ...options,
    });
    this.#servers.push(server);
    return server.listen('127.0.0.1', 0);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.close();
    await this.db.close();
  }
}

export async function post(base: string, op: string, body: unknown, token?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${base}/v1/${op}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** `y`, or code and status of the refusal. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'y';
  } catch (error) {
    const { code, status } = error as { code: string; status: number };
    return `${code} ${status}`;
  }
}

/** Statements as one principal, each list in a session of its own. */
export async function asked(db: Database, principal: Principal, sql: string, branch = 'main'): Promise<Record<string, unknown>[]> {
  const { results } = await db.commandsOf(principal).sql({ sql, branch });
  return results.at(-1)?.rows ?? [];
}

export { OWNER };
