/**
 * The examples of the manual's chapters 7, 9.3–9.10, 9.16, 9.21 and 9.22, with others around them: a line of a file is a
 * statement or what stands behind SELECT. Columns, types, texts and SQLSTATEs are Postgres's, but for what is named here.
 */
import type { PGlite } from '@electric-sql/pglite';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from '../session/open-database.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const DIFFERENT: Readonly<Record<string, string>> = {
  'erf(1.0)': 'the last digit',
  'erfc(1.0)': 'the last digits',
  'json_objectagg(x : x*2), json_arrayagg(x ORDER BY x DESC) FROM generate_series(1,3) x':
    'without an order of its own the first aggregate gets that of the other',
  "string_agg(x::text, ',' ORDER BY x DESC), string_agg(x::text::bytea, ';') FROM generate_series(1,3) x": 'the same',
  'SELECT json_populate_record(NULL::t1, \'{"num": 7, "name": [1,2]}\'), jsonb_populate_record(ROW(1,\'d\')::t1, \'{"num": 8}\')': 'rows of tables as types',
};

const STATEMENT = /^(?:WITH|SELECT|VALUES|TABLE|CREATE|INSERT|DROP|UPDATE|DELETE|\(SELECT)\b/;
const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));
/** Values stay the texts that they come as. */
const TEXTS = Object.fromEntries(Array.from({ length: 20_000 }, (_, oid) => [oid, (text: string): string => text]));

let pg: PGlite;
let database: TestDatabase;
let session: SqlSession;

beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec("SET TimeZone = 'UTC'");
  database = await TestDatabase.open();
  session = database.db.session();
  await session.run("SET TimeZone = 'UTC'");
}, 60_000);
afterAll(async () => {
  await database.close();
  await pg.close();
});

async function theirs(sql: string): Promise<string> {
  try {
    const { fields, rows } = await pg.query<(string | null)[]>(sql, [], { rowMode: 'array', parsers: TEXTS });
    return JSON.stringify([fields.map(({ name, dataTypeID }) => [name, dataTypeID]), rows]);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function ours(sql: string): Promise<string> {
  try {
    const [{ columns, rows }] = await session.run(sql);
    const all = columns ?? [];
    const texts = rows.map((row) =>
      all.map(({ type }, i) => (row[i] === null ? null : type.name === 'bool' ? (row[i] === true ? 't' : 'f') : type.format(row[i], session.env))),
    );
    return JSON.stringify([all.map(({ name, type }) => [name, type.oid]), texts]);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test.each(FILES)(
  '%s',
  async (file) => {
    const wrong: string[] = [];
    for (const line of readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')) {
      if (line === '') continue;
      const sql = STATEMENT.test(line) ? line : `SELECT ${line}`;
      const [left, right] = [await theirs(sql), await ours(sql)];
      if (line in DIFFERENT ? left === right : left !== right) wrong.push(`${basename(file)}: ${sql}\n  Postgres ${left}\n  svc      ${right}`);
    }
    expect(wrong.join('\n')).toBe('');
  },
  60_000,
);
