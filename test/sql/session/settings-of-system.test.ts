/** ALTER SYSTEM for settings of sessions: the initial value of new ones, as in Postgres. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
});
afterAll(() => t.close());

test('ALTER SYSTEM sets what new sessions begin with, and RESET takes it back', async () => {
  await t.run("ALTER SYSTEM SET work_mem = '64MB'");
  await t.run("ALTER SYSTEM SET datestyle = 'german, ymd'");
  expect(await t.lines('SHOW work_mem')).toEqual(['64MB']);
  expect(await t.lines("SELECT current_setting('datestyle')")).toEqual(['German, YMD']);
  await t.run('ALTER SYSTEM RESET work_mem');
  expect(await t.lines('SHOW work_mem')).toEqual(['4MB']);
  await t.run('ALTER SYSTEM RESET ALL');
  expect(await t.lines("SELECT current_setting('datestyle')")).toEqual(['ISO, MDY']);
});

test('it refuses what no session can set, and unknown names', async () => {
  await refused('55P02', t.db.sql({ sql: "ALTER SYSTEM SET server_version = '9'" }));
  await refused('42704', t.db.sql({ sql: 'ALTER SYSTEM SET nosuch = 1' }));
  await refused('22023', t.db.sql({ sql: "ALTER SYSTEM SET work_mem = 'much'" }));
  await refused('25001', t.db.sql({ sql: "BEGIN; ALTER SYSTEM SET work_mem = '1MB'; COMMIT" }));
});
