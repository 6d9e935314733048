/** Hints at columns that somebody may have meant, compared with Postgres. */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { TestDatabase } from '../session/open-database.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const QUERIES = [
  'SELECT idd FROM t',
  'SELECT x.idd FROM t x',
  'SELECT nam FROM t, t u',
  'SELECT nam FROM t a, t b, t c',
  'SELECT a.nam FROM t a, t b, t c',
  'SELECT T.id FROM t x',
  'SELECT y.id FROM t x',
  'SELECT foo FROM t',
  'SELECT ID2 FROM t',
  'SELECT i FROM t',
  'SELECT x.zzzzzz FROM t x',
  'SELECT naem, id FROM t a, (SELECT 1 AS nane) b',
  'SELECT xx.id FROM t xx WHERE EXISTS (SELECT 1 FROM t y WHERE y.nam = xx.nam)',
  'SELECT id FROM t a WHERE EXISTS (SELECT ida FROM t b)',
  'SELECT name1 FROM t JOIN t t2 USING (id)',
  'SELECT c2 FROM (VALUES (1, 2)) v(c1, c3)',
  'SELECT s.id FROM (SELECT id AS idd FROM t) s',
  'SELECT naïve FROM (SELECT 1 AS "naïv") s',
  'UPDATE t SET nme = 1',
  'UPDATE t SET id = idx',
  'DELETE FROM t WHERE nme = 1',
  "INSERT INTO t VALUES (1, 'a') RETURNING nme",
];

let database: TestDatabase;
let postgres: PGlite;
beforeAll(async () => {
  database = await TestDatabase.open();
  postgres = await newPostgres();
  await database.run('CREATE TABLE t (id int, name text)');
  await postgres.exec('CREATE TABLE t (id int, name text)');
}, 60_000);
afterAll(async () => {
  await database.close();
  await postgres.close();
});

test.each(QUERIES)('%s', async (sql) => {
  const replies = ({ message, hint }: { message: string; hint?: string }): object => ({ message, hint: hint ?? null });
  const theirs = await postgres.query(sql).then(
    () => null,
    (error: Error & { hint?: string }) => replies(error),
  );
  const ours = await database.run(sql).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      return replies(error);
    },
  );
  expect(theirs).not.toBeNull();
  expect(ours).toEqual(theirs);
});
