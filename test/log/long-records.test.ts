import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';

test('records of many frames survive a reopen, compressible or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
  const payloads = [
    Buffer.alloc(5_000_000, 'text '),
    randomBytes(3_500_000),
    Buffer.alloc(10),
    randomBytes(1024 * 1024),
    randomBytes(1024 * 1024 + 1),
    Buffer.alloc(0),
    randomBytes(9_000_000),
  ];
  let log = await FolderLog.open({ fs: nodeFileSystem, folder });
  for (const payload of payloads) log.append({ type: 3, version: 1, at: 5 as Micros, world: 2 as WorldNumber, actor: 'ann', payload });
  const check = (): void => {
    const found = [...log.read(1 as Sequence)];
    expect(found.map(({ sequence, actor, world }) => [sequence, actor, world])).toEqual(payloads.map((_, i) => [i + 1, 'ann', 2]));
    found.forEach(({ payload }, i) => expect(Buffer.compare(payload, payloads[i])).toBe(0));
  };
  check();
  await log.sync(log.head);
  check();
  const head = log.treeHead();
  await log.close();
  log = await FolderLog.open({ fs: nodeFileSystem, folder });
  check();
  expect(log.treeHead()).toEqual(head);
  expect(await log.verify()).toMatchObject({ records: payloads.length });
  await log.close();
  rmSync(folder, { recursive: true });
});
