/** What every target over a real Postgres shares: names of types by oid, and the statements of a reset. */
import type { SqlOutcome } from './target.ts';
import type { WireReply } from './wire-reply.ts';

/** Sends one simple query and gives its whole reply. */
export type Exchange = (sql: string) => Promise<WireReply>;

export class PostgresSession {
  readonly #exchange: Exchange;
  readonly #typeNames = new Map<number, string>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async run(sql: string): Promise<SqlOutcome[]> {
    const reply = await this.#exchange(sql);
    if (reply.failure !== null) throw reply.failure;
    for (const [index, outcome] of reply.outcomes.entries()) outcome.types = await this.#names(reply.typeOids[index]);
    return reply.outcomes;
  }

  async reset(): Promise<void> {
    // A transaction left open by the last file, failed or not; outside of one this is a warning.
    await this.#exchange('ROLLBACK');
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
      const reply = await this.#exchange('SELECT oid, typname FROM pg_type');
      for (const row of reply.outcomes[0]?.rows ?? []) this.#typeNames.set(Number(row[0]), row[1] ?? '');
    }
    return oids.map((oid) => this.#typeNames.get(oid) ?? String(oid));
  }
}
