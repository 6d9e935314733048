/**
 * The SQL engine of this project as a target: its embedding API over a database in a temporary folder.
 *
 * Everything below the marked function is done; `connect` returns null until the `sql` operation exists. To fill it in,
 * open a database (`open(folder)` of src/database.ts), give a function that runs text in one session, and remove the null.
 * `execute` answers one result a statement, values as Postgres's output text (not as the JSON kinds of the HTTP reply).
 */
import { type Outcome, SqlFailure, type Target, type Value } from './target.ts';

export type ExecuteReply = { ok: true; results: Outcome[] } | { ok: false; error: { code: string; message: string }; results: Outcome[] };

export interface SvcConnection {
  execute(text: string, params?: readonly Value[]): Promise<ExecuteReply>;
  close(): Promise<void>;
}

export const SVC_MISSING = 'the SQL engine is not there yet: fill in connect() of test/slt/svc-target.ts';

/* ---- to be filled in ---------------------------------------------------------------------------------------------- */

async function connect(): Promise<SvcConnection | null> {
  return null;
}

/* -------------------------------------------------------------------------------------------------------------------- */

export async function openSvc(): Promise<Target> {
  const target = await openSvcIfThere();
  if (target === null) throw new Error(SVC_MISSING);
  return target;
}

/** Null while there is no engine, so that a suite can skip by name. */
export async function openSvcIfThere(): Promise<Target | null> {
  const connection = await connect();
  return connection === null ? null : new SvcTarget(connection);
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
