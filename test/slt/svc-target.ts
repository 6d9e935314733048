/**
 * The SQL engine of this project as a target: one session of its embedding API over a database in a temporary
 * folder. Values come as Postgres's output text, not as the JSON kinds of the HTTP reply.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { open } from '../../src/database.ts';
import type { StatementResult } from '../../src/sql/session/results.ts';
import { rootOf } from '../../src/sql/types/domain-type.ts';
import type { SqlSession } from '../../src/sql/session/sql-session.ts';
import { type Outcome, SqlFailure, type Target, type Value } from './target.ts';

export type ExecuteReply = { ok: true; results: Outcome[] } | { ok: false; error: { code: string; message: string }; results: Outcome[] };

export interface SvcConnection {
  execute(text: string, params?: readonly Value[]): Promise<ExecuteReply>;
  close(): Promise<void>;
}

async function connect(): Promise<SvcConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slt-'));
  const db = await open(folder);
  const session = db.session();
  return {
    async execute(text, params) {
      const results: StatementResult[] = [];
      try {
        await session.run(text, params ?? [], results);
        return { ok: true, results: results.map((result) => outcome(session, result)) };
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        return { ok: false, error: { code: error.code, message: error.message }, results: results.map((result) => outcome(session, result)) };
      }
    },
    async close() {
      session.close();
      await db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function outcome({ env }: SqlSession, { command, columns, rows }: StatementResult): Outcome {
  return {
    command,
    columns: (columns ?? []).map(({ name, type }) => ({ name, type: rootOf(type).name })),
    rows: rows.map((row) => row.map((value, i) => (value === null ? null : columns![i].type.format(value, env)))),
  };
}

export async function openSvc(): Promise<Target> {
  return new SvcTarget(await connect());
}

class SvcTarget implements Target {
  readonly name = 'svc';
  readonly release = 15;
  readonly #connection: SvcConnection;
  #world = 0;

  constructor(connection: SvcConnection) {
    this.#connection = connection;
  }

  async run(sql: string, params?: readonly Value[]): Promise<Outcome[]> {
    const reply = await this.#connection.execute(sql, params);
    if (!reply.ok) throw new SqlFailure(reply.error.code, reply.error.message, reply.results);
    return reply.results;
  }

  /** `main` stays empty: each reset enters a new fork of it and drops the one before. */
  async reset(): Promise<void> {
    // Outside of a transaction this is a warning.
    await this.#connection.execute('ROLLBACK');
    const left = this.#world === 0 ? null : `slt_${this.#world}`;
    await this.run(`CREATE WORLD slt_${++this.#world} FROM main; USE WORLD slt_${this.#world}; DISCARD ALL`);
    if (left !== null) await this.run(`DROP WORLD ${left} CASCADE`);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
