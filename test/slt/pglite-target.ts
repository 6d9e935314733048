/** Real Postgres inside this process (PGlite), spoken to in the wire protocol so that values arrive as Postgres prints them. */
import type { PGlite } from '@electric-sql/pglite';
import { PostgresSession } from './postgres-session.ts';
import type { Outcome, Target, Value } from './target.ts';
import { readReply } from './wire-reply.ts';
import { newPostgres } from '../postgres-oracle.ts';

export class PGliteTarget implements Target {
  readonly name = 'pglite';
  readonly release = 18;
  readonly #database: PGlite;
  readonly #session: PostgresSession;

  private constructor(database: PGlite) {
    this.#database = database;
    this.#session = new PostgresSession(async (message) => readReply(Buffer.from(await database.execProtocolRaw(message, { syncToFs: false }))));
  }

  static async open(): Promise<PGliteTarget> {
    const target = new PGliteTarget(await newPostgres());
    await target.reset();
    return target;
  }

  run(sql: string, params?: readonly Value[]): Promise<Outcome[]> {
    return this.#session.run(sql, params);
  }

  async reset(): Promise<void> {
    await this.#session.reset();
    // PGlite differs from a server in these.
    await this.#session.run(`SET allow_system_table_mods = off; SET search_path = "$user", public`);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
