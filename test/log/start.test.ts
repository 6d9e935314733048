/** A single record is written to disk before any caller waits for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import type { FileSystem } from '../../src/storage/file-system.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';

let folder: string;
let log: FolderLog;
let asked = 0;
let others = 0;
let fails = false;

const fs: FileSystem = {
  ...nodeFileSystem,
  open(path, options) {
    const file = nodeFileSystem.open(path, options);
    return {
      write: (bytes, offset) => {
        if (fails) throw new SvcError('53100', 'no space');
        file.write(bytes, offset);
      },
      read: (into, offset) => file.read(into, offset),
      sizeBytes: () => file.sizeBytes(),
      truncate: (size) => file.truncate(size),
      sync: () => (asked++, file.sync()),
      writeDurably: (bytes, offset) => (asked++, file.writeDurably(bytes, offset)),
      close: () => file.close(),
    };
  },
};

beforeEach(async () => {
  others = 0;
  fails = false;
  folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
  log = await FolderLog.open({ fs, folder: join(folder, 'log'), others: () => others });
  asked = 0;
});

afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

function append(size = 100): Sequence {
  const sequence = log.append({ type: 3, version: 1, at: 1 as Micros, world: 1 as WorldNumber, actor: '', payload: Buffer.alloc(size) });
  log.start();
  return sequence;
}

test('alone it goes at once; what comes meanwhile goes together after it', async () => {
  append();
  expect(asked).toBe(1);
  append();
  const third = append();
  expect(asked).toBe(1);
  await log.sync(third);
  expect([asked, log.durable]).toEqual([2, third]);
});

test('after a group, or beside other transactions, it waits for others to come', async () => {
  append();
  append();
  await log.sync(append());
  expect(asked).toBe(2);
  const fourth = append();
  expect(asked).toBe(2);
  await log.sync(fourth);
  await new Promise((resolve) => setImmediate(resolve));
  // That one was alone again.
  const fifth = append();
  expect(asked).toBe(4);
  await log.sync(fifth);
  others = 2;
  const sixth = append();
  expect(asked).toBe(4);
  await log.sync(sixth);
  expect(asked).toBe(5);
});

test('a record becomes durable without a call of sync', async () => {
  const sequence = append();
  for (let i = 0; i < 200 && log.durable < sequence; i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(log.durable).toBe(sequence);
});

test('when the disk refuses at once, the record is kept until its appender is done, and then refused', async () => {
  const failures: string[] = [];
  log.onFailure((error) => failures.push(error.code));
  fails = true;
  // More than is zeroed ahead: its space is made in the same call.
  let last = 0 as Sequence;
  while (log.head < 4000 && failures.length === 0 && asked === 0) {
    last = append(1000);
    // The state may still be folded here: nothing is discarded yet.
    expect([failures, log.head]).toEqual([[], last]);
    const refused = await log.sync(last).then(
      () => null,
      (error: SvcError) => error.code,
    );
    if (refused !== null) {
      expect([refused, failures]).toEqual(['53100', ['53100']]);
      return;
    }
    asked = 0;
  }
  expect.fail('the disk refused nothing');
});
