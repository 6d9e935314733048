/** SVC_MAX_DISK_BYTES: what makes the folder grow is refused above it, and everything that leads back below works. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { open } from '../../src/database.ts';
import { DiskCeiling } from '../../src/storage/disk-ceiling.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { randomFrom } from '../suite/random.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';

const MAX_BYTES = 40_000_000;

// contract: limit.SVC_MAX_DISK_BYTES, error.53100, error.507
test('above the ceiling writes are refused, reading and taking away work, and retention leads back below', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ceiling-'));
  const random = randomFrom(1);
  let now = 1_800_000_000_000_000;
  const clock = { nowMicros: (): Micros => (now += 10) as Micros };
  const db = await open(folder, { clock, maxDiskBytes: MAX_BYTES, segmentSizeBytes: 1_000_000, historyRetentionMs: 60_000, checkpointRest: 0 });
  const text = (): string => Array.from({ length: 150 }, () => Math.floor(random() * 2 ** 48).toString(36)).join('');
  const fill = (): Promise<unknown> =>
    db.batch({ rows: Array.from({ length: 200 }, () => ({ table: 't', id: `k${Math.floor(random() * 1000)}`, record: { text: text() } })) });
  await db.put({ table: 't', id: 'stays', record: { n: 1 } });
  await db.fork({ name: 'draft' });
  await db.put({ branch: 'draft', table: 't', id: 'merged', record: { n: 2 } });
  await db.fork({ name: 'other' });
  await db.checkpoint({ name: 'mark' });
  let refusal: unknown = null;
  for (let n = 0; n < 2000 && refusal === null; n++) await fill().catch((error: unknown) => (refusal = error));
  expect(refusal).toMatchObject({ code: '53100', status: 507 });
  const above = db.stats()['disk_bytes'];
  expect(above).toBeGreaterThanOrEqual(MAX_BYTES);
  expect(above).toBeLessThan(MAX_BYTES * 1.5);

  for (const refused of [
    db.put({ table: 't', id: 'x', record: {} }),
    db.batch({
      rows: [
        { table: 't', id: 'x', record: null },
        { table: 't', id: 'y', record: {} },
      ],
    }),
    db.fork({ name: 'more' }),
    db.set_meta({ meta: { a: 1 } }),
    db.checkpoint({ name: 'second' }),
    db.rollback({ checkpoint: 'mark' }),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: '53100', status: 507 });
  }
  expect((await db.get({ table: 't', id: 'stays' })).row).toEqual({ n: 1 });
  expect((await db.diff({ branch: 'draft' })).changes).toHaveLength(1);
  expect(await db.delete({ table: 't', id: 'stays' })).toMatchObject({ ok: true });
  expect(await db.batch({ rows: [{ table: 't', id: 'k0', record: null }] })).toMatchObject({ ok: true });
  expect(await db.discard({ branch: 'other' })).toEqual({ ok: true });
  expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
  expect(db.stats()['writable']).toBe(1);

  // History passes its retention: the log is trimmed, and there is room again.
  const ids = (await db.find({ table: 't', limit: 10_000 })).hits.map(({ id }) => id);
  await db.batch({ rows: ids.map((id) => ({ table: 't', id, record: null })) });
  await db.flush();
  now += 120e6;
  await db.delete({ table: 't', id: 'none' }).catch(() => {});
  await db.batch({ rows: [{ table: 't', id: 'none', record: null }] });
  for (let n = 0; n < 3; n++) await db.flush();
  await expect.poll(() => db.stats()['disk_bytes']).toBeLessThan(MAX_BYTES);
  await fill();
  await db.verify();
  await db.close();
  rmSync(folder, { recursive: true });
});

test('over the ceiling, history past its retention is trimmed, also without writes and with all of it in one segment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ceiling-'));
  const random = randomFrom(2);
  let now = 1_800_000_000_000_000;
  const clock = { nowMicros: (): Micros => (now += 10) as Micros };
  const openStore = (): Promise<MemoryPageStore> => Promise.resolve(new MemoryPageStore());
  const db = await open(folder, { clock, maxDiskBytes: 3_000_000, historyRetentionMs: 60_000, checkpointMs: 20, openStore });
  const rows = (): { table: string; id: string; record: { text: string } }[] =>
    Array.from({ length: 500 }, (_, i) => ({ table: 't', id: `k${i}`, record: { text: Array.from({ length: 20 }, () => random().toString(36)).join('') } }));
  let refusal: unknown = null;
  for (let n = 0; n < 200 && refusal === null; n++) await db.batch({ rows: rows() }).catch((error: unknown) => (refusal = error));
  expect(refusal).toMatchObject({ code: '53100' });
  await db.delete({ table: 't', id: 'k0' });
  expect(db.stats()['log_bytes']).toBeGreaterThan(2_000_000);
  const later = (): number => {
    now += 61e6;
    return db.stats()['log_bytes'];
  };
  await expect.poll(later, { timeout: 10_000 }).toBeLessThan(1_000_000);
  // The folder's files are counted now and then.
  await expect.poll(() => db.put({ table: 't', id: 'again', record: {} }).catch(() => null), { timeout: 10_000 }).toMatchObject({ ok: true });
  expect((await db.find({ table: 't', limit: 1 })).total).toBe(500);
  await db.verify();
  await db.close();
  rmSync(folder, { recursive: true });
});

test('without a ceiling nothing is counted to refuse, and files that vanish while counted are none', () => {
  const fs = new FaultyFileSystem(() => 0.5);
  fs.open('/db/log/1', { create: true }).write(Buffer.alloc(100), 0);
  fs.open('/db/cache/2', { create: true }).write(Buffer.alloc(50), 0);
  let logBytes = 100;
  const none = new DiskCeiling(fs, '/db', Infinity, () => logBytes);
  expect(none.bytes).toBe(150);
  none.check();
  logBytes = 130;
  expect(none.bytes, 'the log grew since').toBe(180);
  const full = new DiskCeiling(fs, '/db', 150, () => logBytes);
  expect(() => full.check()).toThrow('SVC_MAX_DISK_BYTES allows 150');
  const sizes = new DiskCeiling(
    Object.assign(Object.create(fs) as FaultyFileSystem, {
      list: (path: string) => [...fs.list(path), 'gone'],
      sizeBytes: (path: string) => fs.bytes(path).length,
    }),
    '/db',
    151,
    () => 0,
  );
  sizes.check();
});
