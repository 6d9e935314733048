/** A private Postgres 15 with databases of its own, and folders attached to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import { OWNER } from '../../src/session/principal.ts';
import type { MaskOption } from '../../src/attach/masks.ts';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';

export class Source {
  readonly #server: PostgresServer;
  readonly #closing: (() => Promise<void>)[] = [];
  #count = 0;

  private constructor(server: PostgresServer) {
    this.#server = server;
  }

  static get installed(): boolean {
    return PostgresServer.installed;
  }

  /** `bin`: programs of another Postgres than 15. */
  static async start(settings: readonly string[] = [], bin?: string): Promise<Source> {
    return new Source(await PostgresServer.start(settings, 'tester', 'C', bin === undefined ? {} : { bin }));
  }

  get server(): PostgresServer {
    return this.#server;
  }

  get port(): number {
    return this.#server.port;
  }

  /** A new database with the script run in it. */
  async database(script: string): Promise<{ url: string; name: string; sql: pg.Client }> {
    const name = `d${++this.#count}`;
    const admin = await this.client('postgres');
    await admin.query(`CREATE DATABASE ${name}`);
    const sql = await this.client(name);
    await sql.query(script);
    return { url: this.url(name), name, sql };
  }

  url(database: string, user = 'tester'): string {
    return `postgres://${user}@127.0.0.1:${this.#server.port}/${database}`;
  }

  client(database: string, user = 'tester'): Promise<pg.Client> {
    return this.#connected(this.url(database, user));
  }

  /** A connection to another server, ended with this one. */
  clientAt(port: number, database: string): Promise<pg.Client> {
    return this.#connected(`postgres://tester@127.0.0.1:${port}/${database}`);
  }

  async #connected(connectionString: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    this.#closing.push(() => client.end());
    return client;
  }

  /** An open database of a new folder, with the tables attached. */
  async attached(url: string, what: { tables?: string[]; schema?: string; masks?: MaskOption[] } = { schema: 'public' }): Promise<Attached> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-attach-'));
    const made = new Attached(join(folder, 'data'), url);
    this.#closing.push(async () => {
      await made.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await made.open();
    await made.db.postgres.attach({ masks: [], ...what, onNotice: (notice) => made.notices.push(notice) }, OWNER);
    return made;
  }

  async stop(): Promise<void> {
    for (const close of this.#closing.reverse()) await close().catch(() => {});
    await this.#server.stop();
  }
}

export class Attached {
  readonly folder: string;
  url: string;
  db!: Database;
  readonly notices: string[] = [];

  constructor(folder: string, url: string) {
    this.folder = folder;
    this.url = url;
  }

  async open(options: OpenOptions = {}): Promise<void> {
    this.db = await open(this.folder, { attachUrl: this.url, onNotice: (notice) => this.notices.push(notice), ...options });
  }

  async close(): Promise<void> {
    await this.db.close();
  }

  /** Rows of a query, as texts joined by `|`. */
  async rows(sql: string, branch = 'main'): Promise<string[]> {
    await using session = this.db.session({ branch });
    const { rows } = await session.query(sql);
    return rows.map((row) => Object.values(row).map(String).join('|'));
  }
}

/** Rows of the same query in Postgres. */
export async function rowsOf(client: pg.Client, sql: string): Promise<string[]> {
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  return rows.map((row: unknown[]) => row.map(String).join('|'));
}
