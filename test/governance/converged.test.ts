/** Rows that both sides changed alike: listed and counted, in conflict under `strict`, and a reason to wait under a policy with that rule. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AllCommands } from '../../src/commands/contract.ts';
import { type Governed, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
let db: AllCommands;
beforeEach(async () => {
  governed = await openGoverned();
  db = governed.db.commands;
  await db.sql({
    sql: 'CREATE TABLE accounts (id int PRIMARY KEY, balance int, note text); INSERT INTO accounts SELECT i, 100, NULL FROM generate_series(1, 5) i',
  });
  for (const name of ['one', 'two']) {
    await db.fork({ name });
    await db.sql({ branch: name, sql: 'UPDATE accounts SET balance = 80 WHERE id = 1; DELETE FROM accounts WHERE id = 2' });
  }
  await db.sql({ branch: 'two', sql: 'UPDATE accounts SET balance = 70 WHERE id = 3' });
  expect(await db.merge({ branch: 'one' })).toEqual({ merged: 2 });
});
afterEach(() => governed.close());

test('they are listed in the dry run and counted, and not merged again', async () => {
  const dry = await db.preview({ branch: 'two' });
  expect(dry.rows.map(({ key, outcome }) => [key, outcome])).toEqual([
    ['accounts/1', 'converged'],
    ['accounts/2', 'converged'],
    ['accounts/3', 'update'],
  ]);
  expect(dry).toMatchObject({ converged: 2, conflicts: [] });
  const sql = await db.sql({ sql: 'MERGE WORLD two DRY RUN' });
  expect(sql.results[0].rows.map((row) => row['outcome'])).toEqual(['converged', 'converged', 'update']);
  expect(await db.merge({ branch: 'two' })).toEqual({ merged: 1, converged: 2 });
});

test('strict makes them conflicts, which resolve and picks can resolve', async () => {
  await expect(db.merge({ branch: 'two', strict: true })).rejects.toMatchObject({
    code: 'SV409',
    data: { conflicts: [{ key: 'accounts/1', explanation: expect.stringContaining('alike') }, { key: 'accounts/2' }] },
  });
  await expect(db.sql({ sql: 'MERGE WORLD two STRICT' })).rejects.toMatchObject({ code: 'SV409' });
  expect((await db.preview({ branch: 'two', strict: true })).rows.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(2);
  await expect(db.rebase({ branch: 'two', strict: true })).rejects.toMatchObject({ code: 'SV409' });
  expect(await db.merge({ branch: 'two', strict: true, picks: { 'accounts/1': { id: 1, balance: 60, note: null }, 'accounts/2': 'ours' } })).toEqual({
    merged: 2,
  });
  expect((await db.sql({ sql: 'SELECT balance FROM accounts WHERE id = 1' })).results[0].rows).toEqual([{ balance: 60 }]);
});

test('by columns a column that both gave one value is one', async () => {
  await db.fork({ name: 'three' });
  await db.sql({ branch: 'three', sql: "UPDATE accounts SET balance = 50, note = 'three' WHERE id = 4" });
  await db.sql({ sql: 'UPDATE accounts SET balance = 50 WHERE id = 4' });
  await expect(db.merge({ branch: 'three', columns: true, strict: true })).rejects.toMatchObject({ code: 'SV409' });
  await expect(db.merge({ branch: 'three', columns: true })).resolves.toMatchObject({ merged: 1 });
});

test('a policy with strict holds them for any form of the merge', async () => {
  await db.set_merge_policy({ name: 'exact', rules: { strict: true, overwrite: true } });
  const ann = await governed.agent('ann', { policy: 'exact' });
  await ann.fork({ name: 'four' });
  await ann.sql({ branch: 'four', sql: 'UPDATE accounts SET balance = 40 WHERE id = 5' });
  await db.sql({ sql: 'UPDATE accounts SET balance = 40 WHERE id = 5' });
  for (const how of [{}, { resolve: 'theirs' as const }, { columns: true }, { picks: { 'accounts/5': 'ours' as const } }]) {
    expect(await reasonsOf(ann.merge({ branch: 'four', ...how }))).toMatchObject([{ rule: 'strict', found: 1, limit: true }]);
  }
  expect((await db.sql({ sql: 'SHOW MERGE POLICIES' })).results[0].rows[0]).toMatchObject({ name: 'exact' });
});

test.each([
  ['another type', 'ALTER TABLE accounts ALTER note TYPE int USING 0'],
  ['a column dropped and added again', 'ALTER TABLE accounts DROP note; ALTER TABLE accounts ADD note text'],
  ['another key', 'ALTER TABLE accounts DROP CONSTRAINT accounts_pkey; ALTER TABLE accounts ADD PRIMARY KEY (balance, id)'],
])('the branch rewrote the table (%s): rows that main inserted since are conflicts of their own', async (_what, sql) => {
  await db.discard({ branch: 'two' });
  await db.fork({ name: 'anew' });
  await db.sql({ branch: 'anew', sql });
  await db.sql({ sql: "INSERT INTO accounts VALUES (9, 90, 'new')" });
  for (const branch of ['anew']) {
    const failed = await db.merge({ branch, resolve: 'theirs' }).then(
      () => [],
      (error: { data: { conflicts: { key: string }[] } }) => error.data.conflicts.map(({ key }) => key),
    );
    const dry = await db.preview({ branch, resolve: 'theirs' });
    const there = async (): Promise<unknown[]> => (await db.sql({ sql: 'SELECT id FROM accounts WHERE id = 9' })).results[0].rows;
    // Kept, or reported.
    if (failed.length > 0) {
      expect(failed).toEqual(['accounts/9']);
      expect(dry.rows.filter(({ outcome }) => outcome === 'conflict').map(({ key }) => key)).toEqual(['accounts/9']);
      expect(await there()).toHaveLength(1);
      await db.merge({ branch, resolve: 'theirs', picks: { 'accounts/9': 'theirs' } });
      expect(await there()).toHaveLength(0);
    } else expect(await there()).toHaveLength(1);
  }
});
