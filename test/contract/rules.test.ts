/** Rules of policies, scopes and settings, in the forms that are easily left out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serveHttp } from './open-served.ts';

let t: Served;
beforeAll(async () => {
  t = await serveHttp();
  await t.call('sql', { sql: 'CREATE TABLE stock (id int PRIMARY KEY, amount int); INSERT INTO stock SELECT i, 10 FROM generate_series(1, 50) i' });
});
afterAll(() => t.close());

const MERGER = ['read', 'fork', 'write_own', 'merge_own', 'write_main'];

// contract: policy.18
test('the rules of a policy are off where they are not set', async () => {
  await t.call('set_merge_policy', { name: 'plain', rules: {} });
  const { policies } = (await t.call('merge_policies', {})).body;
  expect(policies.find(({ name }: { name: string }) => name === 'plain')).toMatchObject({
    max_rows: null,
    max_deletes: null,
    rows_per_hour: null,
    deletes_per_hour: null,
    max_age: null,
    tables: [],
    review_tables: [],
    review_columns: [],
    schema: false,
    overwrite: false,
    critical: false,
    check_reads: false,
    require_scope: false,
  });
});

// contract: policy.9, state.8
test.each([
  'CREATE TABLE made (id int)',
  'ALTER TABLE stock ADD COLUMN note text',
  'DROP TABLE stock',
  'CREATE VIEW made AS SELECT 1 AS n',
  'CREATE FUNCTION made() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'CREATE SEQUENCE made',
  'CREATE SCHEMA made',
  "CREATE TYPE made AS ENUM ('a')",
])('%s waits where schema is false', async (sql) => {
  await t.call('set_merge_policy', { name: 'rows', rules: {} });
  const token = await t.agent(`agent_${sql.length}_${sql.split(' ')[1]}`, { can: MERGER, policy: 'rows' });
  const branch = `b${sql.length}`;
  await t.call('fork', { name: branch }, token);
  expect((await t.call('sql', { branch, sql }, token)).status).toBe(200);
  const { status, body } = await t.call('merge', { branch }, token);
  expect([status, body.error.message]).toEqual([403, expect.stringContaining('schema')]);
  const { reviews } = (await t.call('reviews', {})).body;
  expect(reviews.map(({ world }: { world: string }) => world)).toEqual([branch]);
  await t.call('discard', { branch });
});

// contract: world.6
test('a merge waits beyond the deletes that its world declared', async () => {
  await t.call('set_merge_policy', { name: 'free', rules: {} });
  const token = await t.agent('zoe', { can: MERGER, policy: 'free' });
  await t.call('fork', { name: 'few', meta: { max_deletes: 1 } }, token);
  await t.call('sql', { branch: 'few', sql: 'DELETE FROM stock WHERE id <= 2' }, token);
  expect((await t.call('merge', { branch: 'few' }, token)).status).toBe(403);
  await t.call('sql', { branch: 'few', sql: 'INSERT INTO stock VALUES (2, 10)' }, token);
  expect((await t.call('merge', { branch: 'few' }, token)).body).toEqual({ merged: 1 });
});

// contract: op.check_reads, error.409
test('check_reads of a world that does not check its reads is 409', async () => {
  await t.call('fork', { name: 'unread' });
  const { status, body } = await t.call('check_reads', { branch: 'unread' });
  expect([status, body.error.code]).toEqual([409, '55000']);
});

// contract: limit.settings
test('settings of the server are off in a new database, except for an hour of history', async () => {
  const shown = async (name: string): Promise<unknown> => Object.values((await t.call('sql', { sql: `SHOW ${name}` })).body.results[0].rows[0])[0];
  expect([await shown('statement_timeout'), await shown('max_worlds'), await shown('world_idle_ttl'), await shown('protect_main')]).toEqual([
    '0',
    '0',
    '0',
    'off',
  ]);
  expect(await shown('history_retention')).toBe('1h');
  const token = await t.agent('ed', { can: MERGER });
  expect((await t.call('sql', { sql: 'ALTER SYSTEM SET max_worlds = 5' }, token)).status).toBe(403);
});

// contract: limit.max_worlds, limit.max_changes, error.403
test('max_worlds and max_changes of an agent are 403', async () => {
  const token = await t.agent('few', { max_worlds: 1, max_changes: 1 });
  await t.call('fork', { name: 'one' }, token);
  const refused = await t.call('fork', { name: 'two' }, token);
  expect([refused.status, refused.body.error.code]).toEqual([403, '42501']);
  await t.call('put', { branch: 'one', table: 'd', id: 'a', record: {} }, token);
  const over = await t.call('put', { branch: 'one', table: 'd', id: 'b', record: {} }, token);
  expect([over.status, over.body.error.code]).toEqual([403, '42501']);
});
