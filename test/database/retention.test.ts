/** The log is trimmed behind a base, pages are collected, and nothing that should be there is missed. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { type Database, open } from '../../src/database.ts';

const OPTIONS = { segmentSizeBytes: 200_000, checkpointLogBytes: 400_000, checkpointRest: 0, historyRetentionMs: 60_000 };

class Clock {
  now = 1_800_000_000_000_000;
  nowMicros(): Micros {
    return (this.now += 10) as Micros;
  }
}

async function contents(db: Database): Promise<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  const { branches } = await db.branches();
  for (const world of branches) {
    const { hits } = await db.find({ branch: world.name, table: 't', limit: 10_000 });
    const { active: _active, ...rest } = world;
    out[world.name] = { rest, hits, diff: world.parent === null ? null : await db.diff({ branch: world.name }) };
  }
  return out;
}

test('what lies before the retention goes, everything else stays, with and without the page cache', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-retention-'));
  const clock = new Clock();
  let db = await open(folder, { ...OPTIONS, clock });
  const noise = (n: number): string => Array.from({ length: 40 }, (_, i) => ((n * 7919 + i * 104_729) % 1_000_003).toString(36)).join('-');
  const write = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 100)
      await db.batch({ rows: Array.from({ length: 100 }, (_, k) => ({ table: 't', id: `k${(at + k) % 3000}`, record: { n: at + k, text: noise(at + k) } })) });
  };
  await write(0, 3000);
  await db.fork({ name: 'old' });
  await db.put({ branch: 'old', table: 't', id: 'k1', record: { only: 'old' } });
  await db.checkpoint({ branch: 'old', name: 'mark' });
  await db.put({ branch: 'old', table: 't', id: 'k2', record: { only: 'later' } });
  // Two that have met, directly and by way of a third one.
  for (const name of ['here', 'there', 'beyond']) await db.fork({ name });
  for (const id of ['met1', 'met2']) await db.put({ branch: 'here', table: 't', id, record: { n: 1 } });
  await db.merge({ branch: 'here', into: 'there' });
  await db.merge({ branch: 'there', into: 'beyond' });
  await db.merge({ branch: 'beyond', into: 'here', only_keys: ['t/met1'] });
  for (const branch of ['there', 'beyond']) await db.delete({ branch, table: 't', id: 'met1' });
  await db.fork({ name: 'nested', from: 'old' });
  await db.delete({ branch: 'nested', table: 't', id: 'k3' });
  await db.fork({ name: 'forgotten' });
  await db.discard({ branch: 'forgotten' });
  const beginning = new Date(clock.now / 1000).toISOString();
  await write(3000, 60_000);
  await db.flush();
  clock.now += 120e6;
  await db.put({ table: 't', id: 'k0', record: { recent: 1 } });
  const recent = db.stats()['log_sequence'];
  await write(60_000, 70_000);
  await db.flush();
  clock.now += 30e6;
  await write(70_000, 110_000);
  await db.flush();
  await db.flush();

  const stats = db.stats();
  expect(stats['history_start']).toBeGreaterThan(500);
  expect(stats['pages_collected']).toBeGreaterThan(100);
  const log = readdirSync(join(folder, 'log'));
  expect(log.filter((name) => name.endsWith('.base'))).toHaveLength(1);
  await expect(db.find({ branch: `main@${beginning}`, table: 't' })).rejects.toMatchObject({ code: '22023' });
  await expect(db.history({ branch: 'forgotten' })).rejects.toMatchObject({ code: '3D000' });
  expect((await db.get({ branch: `main@#${recent}`, table: 't', id: 'k0' })).row).toEqual({ recent: 1 });
  // Nothing happened to this world since long before history begins: its past is what it is.
  expect((await db.get({ branch: 'old@-20s', table: 't', id: 'k2' })).row).toEqual({ only: 'later' });
  const before = await contents(db);
  await db.verify();
  await db.close();

  for (const cache of ['kept', 'deleted']) {
    if (cache === 'deleted') rmSync(join(folder, 'cache'), { recursive: true });
    db = await open(folder, { ...OPTIONS, clock });
    expect(await contents(db), `cache ${cache}`).toEqual(before);
    expect((await db.get({ branch: `main@#${recent}`, table: 't', id: 'k0' })).row).toEqual({ recent: 1 });
    expect((await db.get({ branch: 'old@-20s', table: 't', id: 'k2' })).row).toEqual({ only: 'later' });
    await db.verify();
    await db.close();
  }
  db = await open(folder, { ...OPTIONS, clock });
  for (const into of ['there', 'beyond']) expect(await db.merge({ branch: 'here', into })).toMatchObject({ merged: 0 });
  expect(await db.merge({ branch: 'beyond', into: 'here' })).toMatchObject({ merged: 1 });
  await expect(db.get({ branch: 'here', table: 't', id: 'met1' })).rejects.toMatchObject({ code: '02000' });
  expect(await db.rollback({ branch: 'old', checkpoint: 'mark' })).toEqual({ ok: true, restored: 1 });
  expect((await db.diff({ branch: 'old' })).changes?.map(({ key }) => key)).toEqual(['t/k1']);
  await db.discard({ branch: 'nested' });
  expect(await db.merge({ branch: 'old', resolve: 'theirs', version: (await db.world({ branch: 'old' })).version })).toEqual({ merged: 1 });
  await db.close();
  rmSync(folder, { recursive: true });
});

test('history ends where the retention says, also while the log still has what lies before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-retention-'));
  const clock = new Clock();
  const db = await open(folder, { historyRetentionMs: 60_000, clock });
  const pass = (seconds: number): void => void (clock.now += seconds * 1_000_000);
  await db.put({ table: 't', id: 'a', record: { v: 1 } });
  await db.checkpoint({ name: 'mark' });
  await db.fork({ name: 'merged' });
  await db.put({ branch: 'merged', table: 't', id: 'b', record: { v: 1 } });
  await db.merge({ branch: 'merged' });
  const [{ id: merge }] = (await db.history({})).events;
  // Read once while it is within reach, a moment is kept in memory.
  const early = (await db.history({})).events[0].at;
  expect((await db.get({ table: 't', id: 'a', branch: `main@${early}` })).row).toEqual({ v: 1 });
  pass(40);
  await db.put({ table: 't', id: 'a', record: { v: 2 } });
  expect((await db.get({ table: 't', id: 'a', branch: 'main@-30s' })).row).toEqual({ v: 1 });
  pass(40);
  // The last state from before the horizon was the current one at the horizon.
  expect((await db.get({ table: 't', id: 'a', branch: 'main@-59s' })).row).toEqual({ v: 1 });
  for (const branch of [`main@${early}`, 'main@-61s', 'main@-79s', `main@#${Number(merge.slice(1)) - 1}`]) {
    await expect(db.get({ table: 't', id: 'a', branch }), branch).rejects.toMatchObject({ code: '22023', hint: 'See the setting history_retention.' });
    await expect(db.fork({ name: 'late', from: branch }), branch).rejects.toMatchObject({ code: '22023' });
    await expect(db.restore({ branch: 'main', at: branch.slice(5) }), branch).rejects.toMatchObject({ code: '22023' });
  }
  await expect(db.undo_merge({ branch: 'merged' })).rejects.toMatchObject({ code: '55000', hint: 'See the setting history_retention.' });
  const { events, since } = await db.history({});
  expect(events.map(({ event }) => event)).toEqual(['write']);
  expect(since).not.toBeNull();
  expect((await db.history({ table: 't', id: 'a' })).events.map(({ change }) => change)).toEqual(['update']);
  // A checkpoint stays.
  await db.rollback({ branch: 'main', checkpoint: 'mark' });
  expect((await db.get({ table: 't', id: 'a' })).row).toEqual({ v: 1 });
  pass(70);
  expect((await db.audit({})).events).toEqual([]);
  // What nothing has changed since is the state of each moment.
  expect((await db.get({ table: 't', id: 'a', branch: 'main@-50s' })).row).toEqual({ v: 1 });
  await db.close();
  rmSync(folder, { recursive: true });
});
