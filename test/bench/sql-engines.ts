/** The engines of the SQL benchmark behind one face: load, read rows as text, time a query. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database } from '../../src/database.ts';
import type { SqlSession } from '../../src/sql/session/sql-session.ts';
import { peerModule } from './peer-module.ts';
import { Postgres } from './postgres.ts';
import { TPCH_TABLES, tpchRows } from './tpch-data.ts';
import { TPCH_DDL, tpchCopyText } from './tpch-schema.ts';

/** Cells as text, without the blanks that pad them; null is empty. */
export type Rows = string[][];

export interface Engine {
  readonly name: string;
  exec(sql: string): Promise<void>;
  rows(sql: string): Promise<Rows>;
  /** Milliseconds of each run, rows taken in full. */
  time(sql: string, runs: number): Promise<number[]>;
  loadTpch(scale: number): Promise<void>;
  /** After loading. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export class SvcEngine implements Engine {
  readonly name = 'svc';
  readonly db: Database;
  readonly session: SqlSession;

  static async open(folder: string): Promise<SvcEngine> {
    // As much as the peers find in their own caches and the system's.
    return new SvcEngine(await open(folder, { cacheBytes: 1 << 30 }));
  }

  constructor(db: Database) {
    this.db = db;
    this.session = db.session();
  }

  async exec(sql: string): Promise<void> {
    await this.session.run(sql);
  }

  async rows(sql: string): Promise<Rows> {
    const [{ rows, columns }] = await this.session.run(sql);
    return rows.map((row) => row.map((value, i) => (value === null ? '' : columns![i].type.format(value, this.session.env).trimEnd())));
  }

  time(sql: string, runs: number): Promise<number[]> {
    return timesOf(runs, () => this.session.run(sql));
  }

  async loadTpch(scale: number): Promise<void> {
    for (const sql of TPCH_DDL) await this.exec(sql);
    for (const table of TPCH_TABLES) {
      let at = 0;
      const chunks = [...textChunks(tpchCopyText(table, scale))];
      this.session.streams = {
        input: () => ({ next: async () => chunks[at++] ?? null }),
        output: () => {
          throw new Error('nothing is copied out here');
        },
      };
      await this.exec(`COPY ${table} FROM STDIN`);
    }
  }

  async analyze(): Promise<void> {}

  async close(): Promise<void> {
    this.session.close();
    await this.db.close();
  }
}

export class PostgresEngine implements Engine {
  readonly name = 'Postgres 15';
  readonly postgres: Postgres;
  readonly #database: string;
  readonly #folder: string;

  constructor(postgres: Postgres, database: string, folder: string) {
    this.postgres = postgres;
    this.#database = database;
    this.#folder = folder;
    postgres.psql(`CREATE DATABASE ${database}`);
  }

  async exec(sql: string): Promise<void> {
    this.postgres.psql(sql, this.#database);
  }

  async rows(sql: string): Promise<Rows> {
    return cells(this.postgres.psql(sql, this.#database));
  }

  /** The time that psql shows on one connection: to the last row, over the socket. */
  async time(sql: string, runs: number): Promise<number[]> {
    const out = this.postgres.script(`\\timing on\n\\o /dev/null\n${`${sql};\n`.repeat(runs)}`, this.#database);
    return [...out.matchAll(/^Time: ([\d.]+) ms/gm)].map((match) => Number(match[1]));
  }

  async loadTpch(scale: number): Promise<void> {
    for (const sql of TPCH_DDL) await this.exec(sql);
    for (const table of TPCH_TABLES) {
      const file = join(this.#folder, `${table}.tsv`);
      writeFileSync(file, [...tpchCopyText(table, scale)].join(''));
      this.postgres.script(`\\copy ${table} FROM '${file}'`, this.#database);
    }
  }

  async analyze(): Promise<void> {
    await this.exec('VACUUM ANALYZE');
    await this.exec('CHECKPOINT');
  }

  async close(): Promise<void> {}
}

interface DuckConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJson(): (string | number | boolean | null)[][] }>;
  closeSync(): void;
}

export class DuckEngine implements Engine {
  readonly name = 'DuckDB';
  readonly #connection: DuckConnection;
  readonly #folder: string;

  static async open(folder: string, file: string): Promise<DuckEngine> {
    const { DuckDBInstance } = (await peerModule('@duckdb/node-api')) as {
      DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection> }> };
    };
    return new DuckEngine(await (await DuckDBInstance.create(join(folder, file))).connect(), folder);
  }

  constructor(connection: DuckConnection, folder: string) {
    this.#connection = connection;
    this.#folder = folder;
  }

  async exec(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  async rows(sql: string): Promise<Rows> {
    const rows = (await this.#connection.runAndReadAll(sql)).getRowsJson();
    return rows.map((row) => row.map((value) => (value === null ? '' : String(value))));
  }

  time(sql: string, runs: number): Promise<number[]> {
    return timesOf(runs, async () => (await this.#connection.runAndReadAll(sql)).getRowsJson());
  }

  async loadTpch(): Promise<void> {
    for (const sql of TPCH_DDL) await this.exec(sql);
    for (const table of TPCH_TABLES) await this.exec(`COPY ${table} FROM '${join(this.#folder, `${table}.tsv`)}' (DELIMITER '\t', HEADER false, QUOTE '')`);
  }

  async analyze(): Promise<void> {
    await this.exec('CHECKPOINT');
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
  }
}

interface SqliteStatement {
  raw(): { all(...values: unknown[]): unknown[][] };
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
}
export interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Queries run in a process of their own: there is no other way to end one that takes minutes. */
const ONE_QUERY = `
const [path, file, runs] = process.argv.slice(1);
const Database = require(path);
const db = new Database(file);
db.pragma('case_sensitive_like = ON');
const sql = require('node:fs').readFileSync(0, 'utf8');
const statement = db.prepare(sql).raw();
const rows = statement.all();
const times = [];
for (let i = 0; i < Number(runs); i++) {
  const begun = performance.now();
  statement.all();
  times.push(performance.now() - begun);
}
process.stdout.write(JSON.stringify({ rows, times }));`;

export class SqliteEngine implements Engine {
  /** Longer queries are cancelled. */
  patienceMs = 30_000;
  readonly name = 'SQLite';
  readonly db: Sqlite;
  readonly #file: string;

  static async open(folder: string, name: string): Promise<SqliteEngine> {
    const Database = (await peerModule('better-sqlite3')) as new (path: string) => Sqlite;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    return new SqliteEngine(new Database(file), file);
  }

  constructor(db: Sqlite, file: string) {
    this.db = db;
    this.#file = file;
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  }

  async exec(sql: string): Promise<void> {
    this.db.exec(sql);
  }

  #apart(sql: string, runs: number): { rows: unknown[][]; times: number[] } {
    const args = ['-e', ONE_QUERY, join(process.cwd(), 'test/bench/node_modules/better-sqlite3'), this.#file, String(runs)];
    return JSON.parse(
      execFileSync(process.execPath, args, {
        input: sqliteDialect(sql),
        timeout: this.patienceMs,
        stdio: ['pipe', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
      }).toString(),
    );
  }

  async rows(sql: string): Promise<Rows> {
    return this.#apart(sql, 0).rows.map((row) => row.map((value) => (value === null ? '' : String(value))));
  }

  async time(sql: string, runs: number): Promise<number[]> {
    return this.#apart(sql, runs).times;
  }

  async loadTpch(scale: number): Promise<void> {
    for (const sql of TPCH_DDL) this.db.exec(sql);
    for (const table of TPCH_TABLES) {
      this.db.exec('BEGIN');
      let insert: SqliteStatement | null = null;
      for (const row of tpchRows(table, scale)) {
        insert ??= this.db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`);
        insert.run(...row);
      }
      this.db.exec('COMMIT');
    }
  }

  async analyze(): Promise<void> {
    this.db.exec('ANALYZE');
  }

  async close(): Promise<void> {
    this.db.close();
  }
}

/** Dates are text there, and names of columns of a subquery stand inside it. */
function sqliteDialect(sql: string): string {
  return (
    sql
      .replace(/date ('[\d-]+') ([+-]) interval '(\d+)' (\w+)/g, "date($1, '$2$3 $4')")
      .replace(/date ('[\d-]+')/g, '$1')
      // Decimals are doubles there: 0.06 + 0.01 is less than 0.07.
      .replace(/(\d+\.\d+) ([+-]) (\d+\.\d+)/g, (_, a: string, sign: string, b: string) =>
        (sign === '+' ? Number(a) + Number(b) : Number(a) - Number(b)).toFixed(2),
      )
      .replace(/extract\(year FROM (\w+)\)/g, "CAST(strftime('%Y', $1) AS INTEGER)")
      .replace(/substring\((\w+) FROM (\d+) FOR (\d+)\)/g, 'substr($1, $2, $3)')
      .replace(/count\(o_orderkey\)( FROM customer.*) AS c_orders \(c_custkey, c_count\)/s, 'count(o_orderkey) AS c_count$1 AS c_orders')
  );
}

function* textChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let open: string[] = [];
  for (const line of lines) {
    open.push(line);
    if (open.length < 1000) continue;
    yield Buffer.from(open.join(''));
    open = [];
  }
  if (open.length > 0) yield Buffer.from(open.join(''));
}

async function timesOf(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times;
}

function cells(text: string): Rows {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map((cell) => cell.trimEnd()));
}

/** Null where they agree: text alike, numbers to six digits, rows in any order among equals. */
export function difference(expected: Rows, got: Rows): string | null {
  if (expected.length !== got.length) return `${got.length} rows for ${expected.length}`;
  const inOrder = firstDifference(expected, got);
  return inOrder === null ? null : firstDifference(expected.map(rounded).toSorted(byText), got.map(rounded).toSorted(byText)) === null ? null : inOrder;
}

function firstDifference(expected: Rows, got: Rows): string | null {
  for (let r = 0; r < expected.length; r++) {
    for (let c = 0; c < expected[r].length; c++) {
      const [a, b] = [expected[r][c], got[r][c]];
      if (a === b) continue;
      const [x, y] = [Number(a), Number(b)];
      if (a !== '' && b !== '' && Math.abs(x - y) <= 1e-6 * Math.max(1, Math.abs(x))) continue;
      return `row ${r + 1}, column ${c + 1}: ${b} for ${a}`;
    }
  }
  return null;
}

const rounded = (row: string[]): string[] => row.map((cell) => (cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell).toPrecision(7)));
const byText = (a: string[], b: string[]): number => (a.join('\t') < b.join('\t') ? -1 : 1);
