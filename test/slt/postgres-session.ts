/** What every target over a real Postgres shares: names of types by oid, and the statements of a reset. */
import type { Outcome, Value } from './target.ts';
import type { WireReply } from './wire-reply.ts';
import { parameterQuery, simpleQuery } from './wire-request.ts';

/** Sends a message and gives the whole reply, up to ReadyForQuery. */
export type Exchange = (message: Uint8Array) => Promise<WireReply>;

export class PostgresSession {
  readonly #exchange: Exchange;
  readonly #typeNames = new Map<number, string>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async run(sql: string, params?: readonly Value[]): Promise<Outcome[]> {
    const reply = await this.#exchange(params === undefined ? simpleQuery(sql) : parameterQuery(sql, params));
    if (reply.failure !== null) throw reply.failure;
    for (const [index, outcome] of reply.outcomes.entries()) {
      const names = await this.#names(reply.typeOids[index]);
      for (const [at, name] of names.entries()) outcome.columns[at].type = name;
    }
    return reply.outcomes;
  }

  async reset(): Promise<void> {
    // A transaction left open by the last file, failed or not; outside of one this is a warning.
    await this.#exchange(simpleQuery('ROLLBACK'));
    await this.run('DISCARD ALL');
    const [found] = await this.run(
      `SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
       UNION ALL SELECT format('DROP OWNED BY %I CASCADE; DROP ROLE %I', rolname, rolname) FROM pg_roles WHERE rolname NOT LIKE 'pg\\_%' AND NOT rolsuper
       UNION ALL SELECT format('DROP DATABASE %I', datname) FROM pg_database
         WHERE NOT datistemplate AND datname NOT IN (current_database(), 'postgres')`,
    );
    for (const [drop] of found.rows) await this.run(drop ?? '');
    await this.run(`CREATE SCHEMA public AUTHORIZATION pg_database_owner; GRANT USAGE ON SCHEMA public TO PUBLIC`);
    // Oids of types that the file before made may come again under another name.
    for (const oid of this.#typeNames.keys()) if (oid >= 16384) this.#typeNames.delete(oid);
  }

  async #names(oids: readonly number[]): Promise<string[]> {
    if (oids.some((oid) => !this.#typeNames.has(oid))) {
      const reply = await this.#exchange(simpleQuery('SELECT oid, typname FROM pg_type'));
      for (const row of reply.outcomes[0]?.rows ?? []) this.#typeNames.set(Number(row[0]), row[1] ?? '');
    }
    return oids.map((oid) => this.#typeNames.get(oid) ?? String(oid));
  }
}
