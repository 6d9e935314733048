/** What the log does when its files are cut, flipped, torn, or the disk fails. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import { leafHash, MerkleTree } from '../../src/log/merkle.ts';
import { randomFrom } from '../suite/random.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';

const LOG = '/db/log';
const open = (fs: FaultyFileSystem, segmentSizeBytes?: number): Promise<FolderLog> => FolderLog.open({ fs, folder: LOG, segmentSizeBytes });
const record = (n: number, size = 20): { type: number; version: number; at: Micros; world: WorldNumber; actor: string; payload: Uint8Array } => ({
  type: 3,
  version: 1,
  at: (1000 + n) as Micros,
  world: (n % 5) as WorldNumber,
  actor: n % 3 === 0 ? 'ann' : '',
  payload: Buffer.alloc(size, `record ${n} `),
});
const contents = (log: FolderLog): string[] =>
  [...log.read(1 as Sequence)].map(
    ({ sequence, at, world, actor, payload }) => `${sequence} ${at} ${world} ${actor} ${Buffer.from(payload).toString('latin1')}`,
  );

async function written(count: number, segmentSizeBytes?: number): Promise<{ fs: FaultyFileSystem; all: string[] }> {
  const fs = new FaultyFileSystem(randomFrom(1));
  const log = await open(fs, segmentSizeBytes);
  for (let n = 1; n <= count; n++) {
    log.append(record(n));
    await log.sync(n as Sequence);
  }
  const all = contents(log);
  await log.close();
  return { fs, all };
}

test('the last segment cut at any byte opens with a prefix of its records', async () => {
  const { fs, all } = await written(12);
  const [path] = fs.paths();
  const whole = Buffer.from(fs.bytes(path));
  const data = whole.subarray(0, whole.findLastIndex((byte) => byte !== 0) + 1);
  let shortest = Infinity;
  for (let size = 0; size <= data.length; size++) {
    const cut = fs.copy();
    cut.replace(path, data.subarray(0, size));
    const log = await open(cut);
    const found = contents(log);
    expect(found).toEqual(all.slice(0, found.length));
    shortest = Math.min(shortest, found.length);
    log.append(record(99));
    await log.sync(log.head);
    expect(contents(log)).toHaveLength(found.length + 1);
    await log.close();
  }
  expect(shortest).toBe(0);
});

test('no byte of a log can be flipped without being noticed, or without all acknowledged records being there', async () => {
  const { fs, all } = await written(24, 400);
  expect(fs.paths().length).toBeGreaterThan(2);
  let refused = 0;
  for (const path of fs.paths()) {
    const whole = fs.bytes(path);
    const used = whole.findLastIndex((byte) => byte !== 0) + 1;
    for (let at = 0; at < used; at++) {
      const flipped = fs.copy();
      const bytes = Buffer.from(whole);
      bytes[at] ^= 0x10;
      flipped.replace(path, bytes);
      let log: FolderLog | null = null;
      try {
        log = await open(flipped, 400);
        await log.verify();
        const found = contents(log);
        // The very last record has no witness that it was acknowledged: it may be cut as a torn tail.
        expect(found.length, `${path} byte ${at}`).toBeGreaterThanOrEqual(all.length - 1);
        expect(found).toEqual(all.slice(0, found.length));
      } catch (error) {
        expect(error, `${path} byte ${at}: ${String(error)}`).toBeInstanceOf(SvcError);
        expect((error as SvcError).code).toBe('XX001');
        refused++;
      } finally {
        log?.abandon();
      }
    }
  }
  expect(refused).toBeGreaterThan(500);
});

test('a missing segment in the middle is refused by name', async () => {
  const { fs } = await written(24, 400);
  const paths = fs.paths();
  fs.remove(paths[1]);
  await expect(open(fs, 400)).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('is missing') });
});

test('after any crash every acknowledged record is there and the rest is a prefix', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = randomFrom(seed);
    let fs = new FaultyFileSystem(random);
    let acknowledged = 0;
    const appended: string[] = [];
    for (let life = 0; life < 5; life++) {
      const log = await open(fs, 3000);
      const found = contents(log);
      expect(found.length, `seed ${seed} life ${life}`).toBeGreaterThanOrEqual(acknowledged);
      expect(found, `seed ${seed} life ${life}`).toEqual(appended.slice(0, found.length));
      appended.length = found.length;
      acknowledged = found.length;
      const waiting: Promise<void>[] = [];
      for (let k = 0; k < 40; k++) {
        const size = random() < 0.05 ? 5000 : Math.floor(random() * 200);
        const sequence = log.append(record(found.length + k + 1, size));
        appended.push(contents(log).at(-1)!);
        if (random() < 0.5) waiting.push(log.sync(sequence).then(() => void (acknowledged = Math.max(acknowledged, sequence))));
        if (random() < 0.2) await Promise.race([...waiting, new Promise((resolve) => setImmediate(resolve))]);
      }
      if (random() < 0.3) await Promise.all(waiting);
      const next = fs.crash();
      await Promise.allSettled(waiting.slice(0, 0));
      const before = acknowledged;
      // What the dead process would still have acknowledged does not count.
      log.abandon();
      await Promise.allSettled(waiting);
      acknowledged = before;
      fs = next;
    }
  }
});

test('after a failed write or sync nothing more is acknowledged, and a reopen finds what was', async () => {
  let failures = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const fs = new FaultyFileSystem(random);
    const log = await open(fs);
    fs.faults = seed % 2 === 0 ? { writeFails: 0.1 } : { syncFails: 0.1 };
    let acknowledged = 0;
    let failed = false;
    for (let n = 1; n <= 40; n++) {
      try {
        const sequence = log.append(record(n));
        await log.sync(sequence);
        expect(failed, 'acknowledged after a failure').toBe(false);
        acknowledged = sequence;
      } catch (error) {
        expect(['53100', '58030']).toContain((error as SvcError).code);
        failed = true;
        failures++;
      }
    }
    log.abandon();
    const after = fs.crash();
    const again = await open(after);
    expect(contents(again).length).toBeGreaterThanOrEqual(acknowledged);
    await again.close();
  }
  expect(failures).toBeGreaterThan(0);
});

test('a log that failed holds what it acknowledged and nothing else, continues after a repair, and a crash loses none of it', async () => {
  let repairs = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const fs = new FaultyFileSystem(random);
    const log = await open(fs, 3000);
    const kept: string[] = [];
    for (let n = 1; n <= 120; n++) {
      if (n % 10 === 1) fs.faults = [{}, { writeFails: 0.15 }, { syncFails: 0.15 }, { capacityBytes: fs.usedBytes + 100 }][Math.floor(random() * 4)];
      // Some are not waited for: they are lost with the next failure, or kept by the next sync.
      const group = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, k) => record(1000 * n + k, Math.floor(random() * 300)));
      try {
        const last = group.map((each) => log.append(each)).at(-1);
        await log.sync(log.head);
        kept.push(...contents(log).slice(kept.length));
        expect(kept.length).toBe(last);
      } catch (error) {
        expect(error).toBe(log.failure);
        expect(['53100', '58030']).toContain((error as SvcError).code);
        // A group is kept as a whole where only what came after it failed: the roll to a new segment.
        if (log.head > kept.length) kept.push(...contents(log).slice(kept.length));
        expect(log.head).toBe(log.durable);
        expect(contents(log)).toEqual(kept);
        expect(() => log.append(record(0))).toThrow((error as SvcError).message);
        await expect(log.sync((log.head + 1) as Sequence)).rejects.toBe(error);
        while (log.failure !== null) {
          await log.repair().catch(() => {});
          if (random() < 0.3) fs.faults = {};
        }
        repairs++;
        expect(contents(log)).toEqual(kept);
      }
    }
    fs.faults = {};
    for (const after of [fs.crashLosingAll(), fs.crash()]) {
      const again = await open(after, 3000);
      expect(contents(again), `seed ${seed}`).toEqual(kept);
      await again.verify();
      await again.close();
    }
    const head = log.treeHead();
    await log.close();
    expect((await open(fs, 3000)).treeHead(), `seed ${seed}`).toEqual(head);
  }
  expect(repairs).toBeGreaterThan(200);
});

test('on this disk a sync that succeeds after one that failed saves nothing that was not written again', async () => {
  const fs = new FaultyFileSystem(() => 0.5);
  const file = fs.open('/f', { create: true });
  await fs.syncFolder('');
  file.write(Buffer.from('one'), 0);
  await file.sync();
  file.write(Buffer.from('two'), 0);
  fs.faults = { syncsToFail: 1 };
  await expect(file.sync()).rejects.toMatchObject({ code: '58030' });
  await file.sync();
  expect(fs.bytes('/f').toString()).toBe('two');
  expect(fs.crashLosingAll().bytes('/f').toString()).toBe('one');
});

test('a disk that loses synced bytes is found out by these tests', async () => {
  // The canary: with a sync that does nothing, acknowledged records do get lost.
  class Liar extends FaultyFileSystem {
    override open(path: string, options: { create: boolean }): ReturnType<FaultyFileSystem['open']> {
      return { ...super.open(path, options), sync: async () => {} };
    }
  }
  let lost = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const fs = new Liar(randomFrom(seed));
    const log = await open(fs);
    for (let n = 1; n <= 20; n++) log.append(record(n));
    await log.sync(20 as Sequence);
    const again = await open(fs.crash()).catch(() => null);
    if (again === null || contents(again).length < 20) lost++;
  }
  expect(lost).toBeGreaterThan(0);
});

test('writers share syncs', async () => {
  const fs = new FaultyFileSystem(randomFrom(1));
  const log = await open(fs);
  const before = fs.syncs;
  await Promise.all(Array.from({ length: 500 }, (_, n) => log.sync(log.append(record(n)))));
  expect(fs.syncs - before).toBeLessThan(5);
  await log.close();
});

test('the Merkle tree is first read while a group is being written, and misses none of its records', async () => {
  const { fs } = await written(10);
  const log = await open(fs);
  const under = Promise.all([log.sync(log.append(record(11))), log.sync(log.append(record(12)))]);
  await Promise.resolve();
  await Promise.resolve();
  expect(log.durable).toBe(10);
  expect(log.treeHead().size).toBe(10);
  await under;
  const { size, root } = log.treeHead();
  expect(size).toBe(12);
  await log.close();
  const again = await open(fs);
  expect(again.treeHead()).toEqual({ size, root });
  await again.close();
});

test('a long segment is hashed after an open beside what is written meanwhile, and the tree is over all of it', async () => {
  const fs = new FaultyFileSystem(randomFrom(1));
  let log = await open(fs);
  for (let n = 1; n <= 30_000; n++) log.append(record(n));
  await log.sync(log.head);
  await log.close();
  log = await open(fs);
  let done = false;
  const hashed = log.hashed().then(() => (done = true));
  let written = 0;
  while (!done) {
    await log.sync(log.append(record(30_001 + written)));
    written++;
  }
  await hashed;
  expect(written, 'it yielded').toBeGreaterThan(1);
  const head = log.treeHead();
  expect(head.size).toBe(30_000 + written);
  await log.close();
  log = await open(fs);
  expect(log.treeHead()).toEqual(head);
  await log.close();
});

test('trimming drops whole segments, and the tree head stays what it was', async () => {
  const { fs, all } = await written(40, 400);
  let log = await open(fs, 400);
  const head = log.treeHead();
  await log.trim(20 as Sequence);
  expect(log.first).toBeGreaterThan(1);
  expect(log.first).toBeLessThanOrEqual(21);
  const kept = contents(log);
  expect(kept).toEqual(all.slice(all.length - kept.length));
  await log.close();
  log = await open(fs, 400);
  expect(log.treeHead()).toEqual(head);
  expect(contents(log)).toEqual(kept);
  await log.close();
});

test("the Merkle tree is RFC 6962's", () => {
  // Reference: MTH of the list, splitting at the largest power of two below its length.
  const leaves = Array.from({ length: 70 }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)));
  const naive = (list: Buffer[]): Buffer => {
    if (list.length === 1) return list[0];
    let split = 1;
    while (split * 2 < list.length) split *= 2;
    const tree = new MerkleTree();
    tree.append(naive(list.slice(0, split)));
    tree.append(naive(list.slice(split)));
    return Buffer.from(tree.root(), 'hex');
  };
  const tree = new MerkleTree();
  expect(tree.root()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  for (let n = 0; n < leaves.length; n++) {
    tree.append(leaves[n]);
    expect(tree.root(), `size ${n + 1}`).toBe(naive(leaves.slice(0, n + 1)).toString('hex'));
  }
  expect(leafHash(Buffer.alloc(0)).toString('hex')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
});

test('records are hashed where they stand, short and long ones', () => {
  const sizes = [0, 1, 300, 4094, 4095, 4096, 9000];
  const records = sizes.map((size, i) => Buffer.alloc(size, `record ${i} `));
  const bytes = Buffer.concat([Buffer.from('before'), ...records]);
  const one = new MerkleTree();
  const other = new MerkleTree();
  let at = 6;
  for (const each of records) {
    one.append(leafHash(each));
    other.appendRecord(bytes, at, (at += each.length));
    expect(other.root()).toBe(one.root());
  }
  expect(leafHash(records[6])).toEqual(
    createHash('sha256')
      .update(Buffer.concat([Buffer.from([0]), records[6]]))
      .digest(),
  );
  // Rebuilt from what a segment's header keeps, it continues as the original.
  const again = new MerkleTree(other.size, other.range());
  const copy = other.copy();
  for (const tree of [one, other, again]) tree.append(leafHash(records[2]));
  expect([other.root(), again.root()]).toEqual([one.root(), one.root()]);
  expect(copy.root()).not.toBe(one.root());
  expect(copy.size).toBe(records.length);
});
