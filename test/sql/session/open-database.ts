/** A database of its own for SQL tests, with short ways to ask it. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Row } from '../../../src/commands/contract.ts';
import { type Database, open, type OpenOptions } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';

export class TestDatabase {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-sql-'));
  readonly #options: OpenOptions;
  db!: Database;

  constructor(options: OpenOptions) {
    this.#options = options;
  }

  /** `like`: a folder of which it opens a copy. */
  static async open(options: OpenOptions = {}, like: string | null = null): Promise<TestDatabase> {
    const made = new TestDatabase(options);
    if (like !== null) cpSync(like, made.folder, { recursive: true });
    made.db = await open(made.folder, options);
    return made;
  }

  async reopen({ withoutCache = false } = {}): Promise<void> {
    await this.db.close();
    if (withoutCache) rmSync(join(this.folder, 'cache'), { recursive: true });
    this.db = await open(this.folder, this.#options);
  }

  /** Rows of the last statement. */
  async rows(sql: string, { branch, params }: { branch?: string; params?: readonly unknown[] } = {}): Promise<Row[]> {
    const { results } = await this.db.sql({ sql, branch, params });
    return results.at(-1)?.rows ?? [];
  }

  /** The rows' values, a row a line. */
  async lines(sql: string, branch?: string): Promise<string[]> {
    return (await this.rows(sql, { branch })).map((row) => Object.values(row).map(plain).join(' '));
  }

  async run(sql: string, branch?: string): Promise<string[]> {
    return (await this.db.sql({ sql, branch })).results.map(({ command }) => command);
  }

  async refused(code: string, sql: string, { branch, params }: { branch?: string; params?: readonly unknown[] } = {}): Promise<SvcError> {
    return refused(code, this.db.sql({ sql, branch, params }));
  }

  async close(): Promise<void> {
    await this.db.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Rows of the last statement as texts, a row a line. */
export async function shownRows(session: SqlSession, sql: string): Promise<string[]> {
  const { rows, columns } = (await session.run(sql)).at(-1)!;
  return rows.map((row) => row.map((value, i) => (value === null ? 'NULL' : columns![i].type.format(value, session.env))).join('|'));
}

/** Text of an expression's value, null for null, and of an error what the oracle of test/sql/numbers says of one. */
export async function answerOf(t: TestDatabase, expression: string): Promise<unknown> {
  try {
    return (await t.rows(`SELECT (${expression})::text AS value`))[0].value;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `error ${error.code} ${error.message}${error.detail === undefined ? '' : ` | ${error.detail}`}`;
  }
}

function plain(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

export async function refused(code: string, call: Promise<unknown>): Promise<SvcError> {
  const error = await call.then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (cause: unknown) => cause,
  );
  if (!(error instanceof SvcError)) throw error;
  expect({ code: error.code, message: error.message }).toEqual({ code, message: error.message });
  return error;
}
