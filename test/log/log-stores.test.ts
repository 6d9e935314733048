/** One contract for every log store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import type { LogAppend, LogRecord, LogStore } from '../../src/log/log-store.ts';
import { MemoryLog } from '../../src/log/memory-log.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { Random, randomFrom } from '../suite/random.ts';

/** Small, so that a few records make several segments. */
const segmentSizeBytes = 2000;

interface Place {
  open(): Promise<LogStore>;
  remove(): void;
}

const PLACES: [name: string, durable: boolean, make: () => Place][] = [
  [
    'in a folder',
    true,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
      return { open: () => FolderLog.open({ fs: nodeFileSystem, folder, segmentSizeBytes }), remove: () => rmSync(folder, { recursive: true }) };
    },
  ],
  [
    'on the simulated disk',
    true,
    () => {
      const fs = new FaultyFileSystem(randomFrom(1));
      return { open: () => FolderLog.open({ fs, folder: '/db/log', segmentSizeBytes }), remove: () => {} };
    },
  ],
  ['in memory', false, () => ({ open: async () => new MemoryLog(), remove: () => {} })],
];

const record = (n: number, size = 40): LogAppend & { payload: Uint8Array } => ({
  type: 3,
  version: 1 + (n % 2),
  at: (1_800_000_000_000_000 + n) as Micros,
  world: (n % 5) as WorldNumber,
  actor: n % 3 === 0 ? 'änn' : '',
  payload: Buffer.alloc(size, `record ${n} `),
});

const seq = (n: number): Sequence => n as Sequence;
const shown = ({ sequence, at, type, version, world, actor, payload }: Omit<LogRecord, 'position'>): string =>
  `${sequence} ${at} ${type} ${version} ${world} ${actor} ${Buffer.from(payload).toString('latin1')}`;
const contents = (log: LogStore, from = 1): string[] => [...log.read(seq(from))].map(shown);
const expected = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => shown({ sequence: seq(from + i), ...record(from + i) }));

async function appended(log: LogStore, count: number): Promise<void> {
  for (let n = log.head + 1, last = log.head + count; n <= last; n++) {
    log.append(record(n));
    if (n % 7 === 0) await log.sync(log.head);
  }
  await log.sync(log.head);
}

describe.each(PLACES)('log %s', (_name, durable, make) => {
  async function using(work: (log: LogStore, reopen: () => Promise<LogStore>) => Promise<void>): Promise<void> {
    const place = make();
    let log = await place.open();
    const reopen = async (): Promise<LogStore> => {
      await log.close();
      log = await place.open();
      return log;
    };
    try {
      await work(log, reopen);
    } finally {
      await log.close();
      place.remove();
    }
  }

  test('a new log is empty and begins at 1', () =>
    using(async (log) => {
      expect([log.head, log.durable, log.first]).toEqual([0, 0, 1]);
      expect(contents(log)).toEqual([]);
      expect(log.treeHead()).toMatchObject({ size: 0 });
      expect(await log.verify()).toMatchObject({ records: 0 });
      await log.sync(seq(0));
    }));

  test('records are numbered from 1 and read back as they were, before and after their sync', () =>
    using(async (log) => {
      for (let n = 1; n <= 5; n++) expect(log.append(record(n))).toBe(n);
      expect(log.head).toBe(5);
      expect(contents(log)).toEqual(expected(1, 5));
      await log.sync(seq(5));
      expect(log.durable).toBe(5);
      expect(contents(log)).toEqual(expected(1, 5));
      await log.sync(seq(2));
    }));

  test('a payload is taken when it is appended: its buffer may be used again', () =>
    using(async (log) => {
      const payload = Buffer.from('as it was');
      log.append({ ...record(1), payload });
      payload.fill('!');
      expect(Buffer.from([...log.read(seq(1))][0].payload).toString()).toBe('as it was');
      await log.sync(seq(1));
      expect(Buffer.from([...log.read(seq(1))][0].payload).toString()).toBe('as it was');
    }));

  test('reading starts anywhere, and where a position is known from there', () =>
    using(async (log) => {
      await appended(log, 60);
      for (let n = 61; n <= 63; n++) log.append(record(n));
      for (const from of [1, 2, 30, 59, 60, 61, 63]) {
        expect(contents(log, from)).toEqual(expected(from, 63));
        const [first] = log.read(seq(from));
        expect([...log.read(seq(from), first.position)].map(shown)).toEqual(expected(from, 63));
      }
      expect(contents(log, 64)).toEqual([]);
      const { end } = log;
      log.append(record(64));
      expect([...log.read(seq(64), end)].map(shown)).toEqual(expected(64, 64));
    }));

  test('records of no bytes and of many megabytes are kept', () =>
    using(async (log, reopen) => {
      const sizes = [0, 10, 3_000_000, 1024 * 1024, 5];
      sizes.forEach((size, i) => log.append(record(i + 1, size)));
      const check = (): void => expect([...log.read(seq(1))].map(({ payload }) => payload.length)).toEqual(sizes);
      check();
      await log.sync(log.head);
      check();
      if (durable) log = await reopen();
      check();
    }));

  test('the tree head grows with every record, is the same for the same log, and outlives a trim', () =>
    using(async (log, reopen) => {
      const heads = new Set<string>();
      for (let n = 1; n <= 30; n++) {
        log.append(record(n));
        await log.sync(seq(n));
        const { size, root } = log.treeHead();
        expect(size).toBe(n);
        heads.add(root);
      }
      expect(heads.size).toBe(30);
      const head = log.treeHead();
      await log.trim(seq(20));
      expect(log.treeHead()).toEqual(head);
      if (durable) expect((await reopen()).treeHead()).toEqual(head);
    }));

  test('a trim drops records at or below it only, and later ones are read and written as before', () =>
    using(async (log, reopen) => {
      await appended(log, 100);
      const { position } = [...log.read(seq(71))][0];
      const freed = log.bytesBefore(position);
      const before = log.sizeBytes;
      await log.trim(seq(70));
      expect(log.first).toBeGreaterThan(1);
      expect(log.first).toBeLessThanOrEqual(71);
      expect(log.sizeBytes).toBe(before - freed);
      expect(contents(log)).toEqual(expected(log.first, 100));
      await appended(log, 20);
      if (durable) log = await reopen();
      expect(contents(log, 71)).toEqual(expected(71, 120));
      const { records } = await log.verify();
      expect(records).toBe(120 - log.first + 1);
      await log.trim(seq(3));
      expect(contents(log, 71)).toEqual(expected(71, 120));
    }));

  test('the bytes after a record fall to next to nothing at the newest one', () =>
    using(async (log) => {
      await appended(log, 81);
      const after = Array.from({ length: 82 }, (_, n) => log.bytesAfter(seq(n)));
      for (let n = 1; n < after.length; n++) expect(after[n]).toBeLessThanOrEqual(after[n - 1]);
      expect(after[0]).toBeGreaterThan(80 * 40);
      expect(after[0]).toBeLessThanOrEqual(log.sizeBytes);
      // At most the header of a segment without records.
      expect(after[81]).toBeLessThan(400);
    }));

  test('what is closed takes nothing more and can be closed again', () =>
    using(async (log) => {
      await appended(log, 3);
      await log.close();
      expect(() => log.append(record(4))).toThrow(/closed/);
      await log.close();
    }));

  test.runIf(durable)('appended records are there after a reopen, and the sequence continues', () =>
    using(async (log, reopen) => {
      await appended(log, 50);
      // Closing writes records that were not synced.
      log.append(record(51));
      const head = { ...log.treeHead(), size: 51 };
      log = await reopen();
      expect([log.head, log.durable]).toEqual([51, 51]);
      expect(contents(log)).toEqual(expected(1, 51));
      expect(log.treeHead().size).toBe(head.size);
      expect(log.append(record(52))).toBe(52);
      await log.sync(seq(52));
      expect(contents((log = await reopen()))).toEqual(expected(1, 52));
    }),
  );

  test('random sequences of appends, syncs, trims and reads agree with a list', () =>
    using(async (log, reopen) => {
      const random = new Random(7);
      let first = 1;
      for (let step = 0; step < 400; step++) {
        const roll = random.next();
        if (roll < 0.6) log.append(record(log.head + 1));
        else if (roll < 0.75) await log.sync(seq(random.below(log.head + 1)));
        else if (roll < 0.8 && log.durable > 0) {
          const to = random.below(log.durable) + 1;
          await log.trim(seq(to));
          expect(log.first).toBeLessThanOrEqual(Math.max(first, to + 1));
          expect(log.first).toBeGreaterThanOrEqual(first);
          ({ first } = log);
        } else if (roll < 0.82 && durable) {
          log = await reopen();
          expect(log.durable).toBe(log.head);
        } else {
          const from = first + random.below(log.head - first + 2);
          expect(contents(log, from)).toEqual(expected(from, log.head));
        }
        expect(log.durable).toBeLessThanOrEqual(log.head);
      }
    }));
});

test('commits of many writers share syncs while the processor is busy, and do not wait for others when it is idle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
  let others = 0;
  const log = await FolderLog.open({ fs: nodeFileSystem, folder, segmentSizeBytes: 1 << 20, others: () => others });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const busyFor = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  const syncsOf = async (count: number): Promise<number> => {
    others = count;
    const before = log.syncs;
    const waiting: Promise<void>[] = [];
    for (let n = 0; n < 40; n++) {
      waiting.push(log.sync(log.append(record(log.head + 1))));
      busyFor(0.05);
      await turn();
    }
    await Promise.all(waiting);
    expect(log.durable).toBe(log.head);
    return log.syncs - before;
  };
  // One at a time the disk alone says how many share a sync; a slow one leaves nothing to be gained.
  const alone = await syncsOf(0);
  expect(await syncsOf(8)).toBeLessThanOrEqual(Math.max(alone, 10));
  // Nothing else to do: one turn and the sync.
  for (let n = 0; n < 3; n++) await log.sync(log.append(record(log.head + 1)));
  expect(log.durable).toBe(log.head);
  expect(contents(log)).toEqual(expected(1, log.head));
  await log.close();
  rmSync(folder, { recursive: true });
});
