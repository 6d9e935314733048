/** A merge and its approval do what a dry run showed, or nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open, type MergePreview, type SvcError } from '../../src/database.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-seen-'));
  db = await open(folder);
  await db.sql({
    sql: 'CREATE TABLE t (id int PRIMARY KEY, a int, b text); INSERT INTO t SELECT g, g, NULL FROM generate_series(1, 50) g; CREATE TABLE u (id int PRIMARY KEY)',
  });
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const dryRun = async (branch: string, more: object = {}): Promise<MergePreview> =>
  (await db.merge({ branch, dry_run: true, hash: true, ...more })) as MergePreview;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: SvcError) => `${error.status} ${error.code}`,
  );

test('the hash is that of the changes: the same for the same, another for any difference', async () => {
  await db.fork({ name: 'w' });
  await db.sql({ branch: 'w', sql: 'UPDATE t SET a = 100 WHERE id = 1; DELETE FROM t WHERE id = 2' });
  const { diff, rows } = await dryRun('w');
  expect(diff).toMatch(/^[0-9a-f]{64}$/);
  expect(rows).toHaveLength(2);
  // Without rows, and beside changes of rows that it does not touch, it stays.
  const counted = await dryRun('w', { count: true });
  expect([counted.diff, counted.rows, counted.summary]).toEqual([diff, [], [{ table: 't', deleted: 1, updated: 1, inserted: 0 }]]);
  await db.sql({ sql: 'UPDATE t SET a = 7 WHERE id = 40; INSERT INTO u VALUES (1)' });
  expect((await dryRun('w')).diff).toBe(diff);
  const seen = new Set([diff]);
  for (const sql of [
    "UPDATE t SET b = '' WHERE id = 1",
    "UPDATE t SET b = 'null' WHERE id = 1",
    'UPDATE t SET b = NULL WHERE id = 1',
    'INSERT INTO t VALUES (2, 2, NULL)',
    'ALTER TABLE u ADD COLUMN x int',
    "NOTIFY ON MERGE mail, '{}'",
  ]) {
    await db.sql({ branch: 'w', sql });
    const now = (await dryRun('w')).diff;
    expect([sql, seen.has(now)]).toEqual([sql, false]);
    seen.add(now);
  }
  expect((await db.merge({ branch: 'w', dry_run: true })) as MergePreview).not.toHaveProperty('diff');
});

test('a merge that sends it merges that, and is refused when the target makes it another', async () => {
  await db.fork({ name: 'w' });
  await db.sql({ branch: 'w', sql: 'UPDATE t SET a = 100 WHERE id = 1' });
  const { diff } = await dryRun('w', { columns: true });
  await db.sql({ sql: 'DELETE FROM t WHERE id = 1' });
  expect(await codeOf(db.merge({ branch: 'w', columns: true, resolve: 'theirs', diff }))).toBe('409 40001');
  await db.sql({ sql: 'INSERT INTO t VALUES (1, 1, NULL)' });
  expect(await codeOf(db.merge({ branch: 'w', diff: '0'.repeat(64) }))).toBe('409 40001');
  const now = await dryRun('w', { resolve: 'theirs' });
  expect(await db.merge({ branch: 'w', resolve: 'theirs', diff: now.diff })).toMatchObject({ merged: 1 });
});

test('a review approves the version and the changes that were seen', async () => {
  await db.set_merge_policy({ name: 'p', rules: { max_rows: 0 } });
  await db.create_agent({ name: 'writer', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'p' });
  const writer = db.directory.byName('writer')!;
  await db.fork({ name: 'w' }, writer);
  await db.sql({ branch: 'w', sql: 'UPDATE t SET a = 5 WHERE id IN (1, 2)' }, writer);
  expect(await codeOf(db.merge({ branch: 'w', only_keys: ['t/1'] }, writer))).toBe('403 42501');
  // As the agent requested it: one row of two, and the branch stays.
  const held = await dryRun('w', { held: true });
  expect(held.rows.map(({ key }) => key)).toEqual(['t/1']);
  expect((await dryRun('w')).rows).toHaveLength(2);
  const { diff, version } = held;
  expect(await codeOf(db.review({ branch: 'w', verdict: 'approve', version: version + 1, diff }))).toBe('409 40001');
  expect(await codeOf(db.review({ branch: 'w', verdict: 'reject', version: version + 1 }))).toBe('409 40001');
  expect(await codeOf(db.review({ branch: 'w', verdict: 'approve', version, diff: (await dryRun('w')).diff }))).toBe('409 40001');
  expect((await db.reviews({})).reviews).toHaveLength(1);
  expect(await db.review({ branch: 'w', verdict: 'approve', version, diff })).toEqual({ ok: true, merged: 1 });
  expect(await codeOf(db.merge({ branch: 'w', dry_run: true, held: true }))).toMatch(/55000$/);
});

test('a merge of many rows is hashed in slices, beside which others are answered', async () => {
  await db.sql({ sql: 'CREATE TABLE big (id int PRIMARY KEY, v int); INSERT INTO big SELECT g, 0 FROM generate_series(1, 60000) g' });
  await db.fork({ name: 'w' });
  await db.sql({ branch: 'w', sql: 'UPDATE big SET v = 1' });
  const { diff } = await dryRun('w', { count: true });
  const merging = db.merge({ branch: 'w', diff });
  expect((await db.get({ table: 't', id: '3' })).row).toMatchObject({ a: 3 });
  expect(await merging).toMatchObject({ merged: 60_000 });
});

test('undoing an agent is tried without a change', async () => {
  await db.create_agent({ name: 'writer', can: ['read', 'fork', 'write_own', 'write_main'] });
  const writer = db.directory.byName('writer')!;
  await db.sql({ sql: 'UPDATE t SET a = 0 WHERE id < 4; DELETE FROM t WHERE id = 9; INSERT INTO t VALUES (99, 1, NULL)' }, writer);
  const tried = await db.undo_agent({ name: 'writer', dry_run: true });
  expect(tried).toMatchObject({ undone: 5, skipped: 0, summary: [{ table: 't', deleted: 1, updated: 3, inserted: 1 }] });
  expect(tried.keys).toEqual(['t/1', 't/2', 't/3', 't/9', 't/99']);
  expect((await db.sql({ sql: 'SELECT count(*)::int AS n FROM t WHERE a = 0' })).results[0].rows).toEqual([{ n: 3 }]);
  await db.sql({ sql: 'UPDATE t SET a = 7 WHERE id = 1' });
  expect(await codeOf(db.undo_agent({ name: 'writer', dry_run: true }))).toBe('409 40001');
  expect(await db.undo_agent({ name: 'writer', dry_run: true, skip_changed: true })).toMatchObject({ undone: 4, skipped: 1 });
  expect(await db.undo_agent({ name: 'writer', skip_changed: true })).toMatchObject({ undone: 4, skipped: 1 });
});

test('undoing a merge is tried without a change', async () => {
  await db.fork({ name: 'w' });
  await db.sql({ branch: 'w', sql: 'UPDATE t SET a = 0 WHERE id < 4; DELETE FROM t WHERE id = 9; INSERT INTO t VALUES (99, 1, NULL)' });
  await db.merge({ branch: 'w' });
  const shown = { summary: [{ table: 't', deleted: 1, updated: 3, inserted: 1 }], keys: ['t/1', 't/2', 't/3', 't/9', 't/99'] };
  expect(await db.undo_merge({ branch: 'w', dry_run: true })).toMatchObject({ ok: true, parent: 'main', undone: 5, skipped: 0, ...shown });
  expect((await db.sql({ sql: 'UNDO MERGE w DRY RUN' })).results[0].rows).toEqual([{ ...shown.summary[0], keys: shown.keys, postgres: null }]);
  expect((await db.sql({ sql: 'SELECT count(*)::int AS n FROM t WHERE a = 0' })).results[0].rows).toEqual([{ n: 3 }]);
  await db.sql({ sql: 'UPDATE t SET a = 1 WHERE id = 1' });
  expect(await codeOf(db.undo_merge({ branch: 'w', dry_run: true }))).toBe('409 40001');
  expect(await db.undo_merge({ branch: 'w', dry_run: true, skip_changed: true })).toMatchObject({ undone: 4, skipped: 1 });
  expect(await db.undo_merge({ branch: 'w', skip_changed: true })).toEqual(expect.not.objectContaining({ keys: expect.anything() }));
  expect(await codeOf(db.undo_merge({ branch: 'w', dry_run: true }))).toMatch(/55000$/);
});

test('the outbox is listed without claiming it', async () => {
  await db.fork({ name: 'w' });
  await db.sql({
    branch: 'w',
    sql: `NOTIFY ON MERGE mail, '{"n": 1}'; NOTIFY ON MERGE mail, '{"n": 2}'; NOTIFY ON MERGE search, '{}'; INSERT INTO u VALUES (1)`,
  });
  await db.merge({ branch: 'w' });
  const before = await db.outbox({});
  expect(before).toMatchObject({
    total: 3,
    effects: [{ channel: 'mail', payload: '{"n": 1}', attempts: 0, until: null }, { payload: '{"n": 2}' }, { channel: 'search' }],
  });
  expect(await db.outbox({ channel: 'search', limit: 1 })).toMatchObject({ total: 3, effects: [{ channel: 'search' }] });
  const { effects } = await db.claim_outbox({ channel: 'mail', limit: 1 });
  expect(effects[0]).toMatchObject({ payload: '{"n": 1}', attempts: 1 });
  expect((await db.outbox({})).effects[0]).toEqual({ ...effects[0], last_error: null });
  await db.ack_outbox({ id: effects[0].id });
  expect(await db.outbox({})).toMatchObject({ total: 2, effects: [{ payload: '{"n": 2}', until: null }, { channel: 'search' }] });
});
