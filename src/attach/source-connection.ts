/**
 * One connection to the external Postgres, for one transaction. Statements are sent without names, so that a pooler may lie
 * between, and values as text in fixed formats, as svc writes them.
 */
import type { Client } from 'pg';
import { SvcError } from '../base/errors/svc-error.ts';
import { configOf } from './source-address.ts';
import { sourceError } from './source-errors.ts';

/** Formats of values, names that need no search path, and errors in place of rows that a policy hides. */
const FORMATS = `SET LOCAL search_path = ''; SET LOCAL DateStyle = 'ISO, MDY'; SET LOCAL IntervalStyle = postgres; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = hex; SET LOCAL lc_monetary = 'C'; SET LOCAL row_security = off;
  SET LOCAL standard_conforming_strings = on; SET LOCAL xmloption = content; SET LOCAL jit = off; SET LOCAL client_encoding = 'UTF8'; SET LOCAL array_nulls = on;
  SET LOCAL quote_all_identifiers = off`;

/** A copy takes as long as it takes, and svc works on its rows meanwhile; it waits for locks, but not for ever. */
const UNLIMITED = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 60000;
  SELECT pg_catalog.set_config('transaction_timeout', '0', true) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout'`;

/** svc has a merge synced when it has committed, so Postgres must have synced it, too: a role's setting may say less. */
const SYNCED = `SELECT pg_catalog.set_config('synchronous_commit', 'on', true) WHERE pg_catalog.current_setting('synchronous_commit') = 'off'`;

/** Postgres 13: transaction ids with an epoch. */
const VERSION_MIN = 130_000;

export interface Identity {
  readonly system: string;
  readonly timeline: number;
  readonly database: string;
}

export class SourceConnection {
  readonly #client: Client;
  /** Host, port and database. */
  readonly shown: string;
  #lost: Error | null = null;

  private constructor(client: Client) {
    this.#client = client;
    this.shown = shownOf(client);
    client.on('error', (error) => (this.#lost = error));
  }

  /** 08006 if the server cannot be reached, 08001 if it refuses the login, 0A000 before version 13. `doing` begins the error's sentence. */
  static async open(address: string, doing: string): Promise<SourceConnection> {
    const { default: pg } = await import('pg');
    let client: Client;
    try {
      client = new pg.Client({ ...configOf(address), types: { getTypeParser: () => (text: string | Buffer) => text } });
    } catch (error) {
      // Files of certificates that the address names. Its text may hold a password, and Node's messages name files alone.
      throw new SvcError('08001', `${doing}: the address of Postgres cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'it cannot be read'}`, {
        hint: 'Check the files that it names (sslcert, sslkey, sslrootcert), and %-escape special characters of a password.',
      });
    }
    const made = new SourceConnection(client);
    try {
      await client.connect();
      const [[version]] = await made.rows('SELECT pg_catalog.current_setting($1)', ['server_version_num']);
      if (Number(version) < VERSION_MIN) {
        throw new SvcError('0A000', `Postgres at ${made.shown} has version number ${version}: attaching needs Postgres 13 or later`);
      }
      return made;
    } catch (error) {
      await made.close();
      throw sourceError(error, made.shown, doing);
    }
  }

  /**
   * Begins a transaction that reads the tables of one snapshot. They are locked before it is taken: a definition that changes later would
   * otherwise show them as empty. Those that the role may not read are left out.
   */
  async beginSnapshot(tables: readonly number[]): Promise<void> {
    const names = await this.rows(
      `SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.oid = ANY ($1::oid[]) AND c.relkind IN ('r', 'p') AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT') ORDER BY c.oid`,
      [tables.map(String)],
    );
    await this.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await this.run(
      `SET LOCAL lock_timeout = 60000; SET LOCAL statement_timeout = 0; ${names.map(([name]) => `LOCK TABLE ONLY ${name} IN ACCESS SHARE MODE`).join('; ')}`,
    );
    await this.run(`${FORMATS}; ${UNLIMITED}`);
  }

  /** Begins a transaction that changes tables. `limits`: of locks and statements, in milliseconds. 25006 on a standby. */
  async beginWrite(limits: { lockMs: number; statementMs: number }): Promise<void> {
    try {
      await this.run('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    } catch (error) {
      // Postgres gives the code of a missing feature.
      if ((error as { code?: string }).code !== '0A000') throw error;
      throw new SvcError('25006', `Postgres at ${this.shown} is a standby, which is read only`, { hint: 'Connect to the primary.' });
    }
    // A role's own time limit stays where it is shorter.
    await this.run(
      `${FORMATS}; SET LOCAL lock_timeout = ${limits.lockMs}; SET LOCAL idle_in_transaction_session_timeout = 0; ${shorter('statement_timeout', limits.statementMs)}; ${SYNCED}`,
    );
  }

  /** Rows as texts. */
  async rows(text: string, values: readonly unknown[] = []): Promise<(string | null)[][]> {
    if (this.#lost !== null) throw this.#lost;
    const { rows } = await this.#client.query({ text, values: values as unknown[], rowMode: 'array' });
    return rows as (string | null)[][];
  }

  /** Statements without values. */
  async run(text: string): Promise<void> {
    if (this.#lost !== null) throw this.#lost;
    await this.#client.query(text);
  }

  /** Chunks of COPY … TO STDOUT. */
  async copyOut(text: string): Promise<AsyncIterable<Buffer>> {
    if (this.#lost !== null) throw this.#lost;
    const { to } = await import('pg-copy-streams');
    const stream = this.#client.query(to(text));
    // A connection that ends after its reader has left fails the stream once more, when nothing listens to it.
    stream.on('error', (error) => (this.#lost ??= error));
    return stream;
  }

  async identity(): Promise<Identity> {
    const [[system, timeline, database]] = await this.rows(
      `SELECT s.system_identifier, CASE WHEN pg_catalog.pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint())
        ELSE ('x' || pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int4 END, pg_catalog.current_database() FROM pg_catalog.pg_control_system() AS s`,
    );
    return { system: system!, timeline: Number(timeline), database: database! };
  }

  /** The snapshot of the transaction, and how far the log had got. */
  async position(): Promise<{ snapshot: string; lsn: string }> {
    const [[snapshot, lsn]] = await this.rows(
      `SELECT pg_catalog.pg_current_snapshot(), CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_lsn() END`,
    );
    return { snapshot: snapshot!, lsn: lsn! };
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  /** Ends the connection without a word, so that a statement that runs ends with an error. */
  cut(): void {
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

function shorter(setting: string, ms: number): string {
  return `SELECT pg_catalog.set_config('${setting}', '${ms}', true) WHERE (SELECT setting::bigint FROM pg_catalog.pg_settings WHERE name = '${setting}') NOT BETWEEN 1 AND ${ms}`;
}

function shownOf(client: Client): string {
  const { host, port, database } = client;
  return `${host}:${port}/${database ?? ''}`;
}
