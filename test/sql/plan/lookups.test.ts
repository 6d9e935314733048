/** Joins that look rows up by key or index, of every kind and over every form of key, against the same joins by hash or loops. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { shownRows, TestDatabase } from '../session/open-database.ts';

/** Name of the table, its columns, its key or index, and what of it equals a few values of `few`. */
const KEYS: Record<string, { readonly ddl: string; readonly fill: string; readonly on: string; readonly hidden: string }> = {
  'a number': {
    ddl: 'CREATE TABLE many (k integer PRIMARY KEY, v integer)',
    fill: 'SELECT i, i % 7 FROM g',
    on: 'many.k = few.i',
    hidden: 'many.k + 0 = few.i',
  },
  'a large number': {
    ddl: 'CREATE TABLE many (k bigint PRIMARY KEY, v integer)',
    fill: 'SELECT i * 1000000000000, i % 7 FROM g',
    on: 'many.k = few.i * 1000000000000',
    hidden: 'many.k + 0 = few.i * 1000000000000',
  },
  'a text': {
    ddl: 'CREATE TABLE many (k text PRIMARY KEY, v integer)',
    fill: `SELECT 'ä' || i, i % 7 FROM g`,
    on: 'many.k = few.s',
    hidden: `many.k || '' = few.s`,
  },
  'a date of two columns': {
    ddl: 'CREATE TABLE many (k date, n integer, v integer, PRIMARY KEY (k, n))',
    fill: `SELECT date '2020-01-01' + i / 5, i % 5, i % 7 FROM g`,
    on: `many.k = few.d`,
    hidden: `many.k + 0 = few.d`,
  },
  'a date and a number': {
    ddl: 'CREATE TABLE many (k date, n integer, v integer, PRIMARY KEY (k, n))',
    fill: `SELECT date '2020-01-01' + i / 5, i % 5, i % 7 FROM g`,
    on: `many.k = few.d AND many.n = few.i % 5`,
    hidden: `many.k + 0 = few.d AND many.n + 0 = few.i % 5`,
  },
  'a range': {
    ddl: 'CREATE TABLE many (k date, n integer, v integer, PRIMARY KEY (k, n))',
    fill: `SELECT date '2020-01-01' + i / 5, i % 5, i % 7 FROM g`,
    on: `many.k = few.d AND many.n >= few.i % 3`,
    hidden: `many.k + 0 = few.d AND many.n + 0 >= few.i % 3`,
  },
  'an index': {
    ddl: 'CREATE TABLE many (id serial PRIMARY KEY, k integer, v integer); CREATE INDEX many_k ON many (k)',
    fill: 'SELECT i, nullif(i / 3, 9), i % 7 FROM g',
    on: 'many.k = few.i',
    hidden: 'many.k + 0 = few.i',
  },
  'an index over an expression': {
    ddl: 'CREATE TABLE many (id serial PRIMARY KEY, k text, v integer); CREATE INDEX many_k ON many (lower(k), v DESC)',
    fill: `SELECT i, 'Ä' || i / 3, i % 7 FROM g`,
    on: 'lower(many.k) = few.s',
    hidden: `lower(many.k) || '' = few.s`,
  },
  'a numeric': {
    ddl: 'CREATE TABLE many (id serial PRIMARY KEY, k numeric(10,2), v integer); CREATE INDEX many_k ON many (k)',
    fill: 'SELECT i, i / 4 * 0.5, i % 7 FROM g',
    on: 'many.k = few.p',
    hidden: 'many.k + 0 = few.p',
  },
};

const QUERIES: Record<string, (on: string) => string> = {
  inner: (on) => `SELECT few.i, few.s, many.* FROM few JOIN many ON ${on} AND many.v < 5`,
  left: (on) => `SELECT few.i, few.s, many.* FROM few LEFT JOIN many ON ${on} AND many.v < 3`,
  right: (on) => `SELECT few.i, many.* FROM many RIGHT JOIN few ON ${on} AND many.v < 3`,
  exists: (on) => `SELECT i, s FROM few WHERE EXISTS (SELECT FROM many WHERE ${on} AND v > 1)`,
  'not exists': (on) => `SELECT i, s FROM few WHERE NOT EXISTS (SELECT FROM many WHERE ${on} AND v > 1)`,
  scalar: (on) => `SELECT i, (SELECT max(v) FROM many WHERE ${on}) FROM few`,
  lateral: (on) => `SELECT i, q.* FROM few, LATERAL (SELECT * FROM many WHERE ${on} AND v > i % 3) AS q`,
  'a condition of both sides': (on) => `SELECT few.i, many.v FROM few JOIN many ON ${on} AND many.v <= few.i % 4`,
};

let db: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  db = await TestDatabase.open();
  session = db.db.session();
  await session.run(`CREATE TABLE few (i integer, s text, d date, p numeric);
INSERT INTO few SELECT i, 'ä' || i, date '2020-01-01' + i, i * 0.5 FROM generate_series(1, 12) AS g (i);
INSERT INTO few VALUES (NULL, NULL, NULL, NULL), (-3, '', date '1999-01-01', 0.25), (3, 'ä3', date '2020-01-04', 1.5), (999999, 'zz', date '2999-01-01', 7777)`);
});
afterAll(async () => {
  session.close();
  await db.close();
});

const rowsOf = async (sql: string): Promise<string[]> => (await shownRows(session, sql)).sort();

describe.each(Object.entries(KEYS))('%s', (_name, { ddl, fill, on, hidden }) => {
  beforeAll(async () => {
    await session.run(`DROP TABLE IF EXISTS many; ${ddl}; INSERT INTO many WITH g (i) AS (SELECT * FROM generate_series(1, 12000)) ${fill}`);
  });
  test.each(Object.entries(QUERIES))('%s', async (_kind, query) => {
    const plan = (await rowsOf(`EXPLAIN (COSTS OFF) ${query(on)}`)).join('\n');
    expect(plan).toMatch(/Index Scan using many_\w+ on many/);
    const found = await rowsOf(query(on));
    expect(found).toEqual(await rowsOf(query(hidden)));
    expect(found.length).toBeGreaterThan(0);
  });
});
