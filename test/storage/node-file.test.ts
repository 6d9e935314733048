/** Files of the operating system: what is written in one call with its sync. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';

test('what is written durably stands beside what is written and read as ever', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-file-'));
  const path = join(folder, 'a');
  try {
    const file = nodeFileSystem.open(path, { create: true });
    file.write(Buffer.from('0123456789'), 0);
    await file.writeDurably(Buffer.from('abc'), 2);
    file.write(Buffer.from('Z'), 3);
    // The same bytes of a buffer that begins elsewhere, past the end of the file.
    await file.writeDurably(Buffer.from('--tail').subarray(2), 10);
    await file.writeDurably(Buffer.alloc(0), 14);
    const large = Buffer.alloc(3_000_000, 'large');
    await Promise.all([file.writeDurably(large, 14), file.writeDurably(Buffer.from('!'), 0)]);
    const read = Buffer.alloc(14);
    expect(file.read(read, 0)).toBe(14);
    expect(read.toString()).toBe('!1aZc56789tail');
    expect(readFileSync(path).subarray(14).equals(large)).toBe(true);
    file.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!existsSync('/dev/full'))('a disk that is full says so when the write is to be durable', async () => {
  const file = nodeFileSystem.open('/dev/full', { create: false });
  await expect(file.writeDurably(Buffer.from('abc'), 0)).rejects.toMatchObject({ code: '53100' });
  file.close();
});

test('a folder is made with those above it, once; where none can be made, that is said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-file-'));
  try {
    const path = join(folder, 'a', 'b', 'c');
    nodeFileSystem.makeFolder(path);
    nodeFileSystem.makeFolder(path);
    expect(nodeFileSystem.exists(path)).toBe(true);
    nodeFileSystem.open(join(path, 'file'), { create: true }).close();
    for (const below of ['file', 'file/d']) expect(() => nodeFileSystem.makeFolder(join(path, below))).toThrow(/EEXIST|ENOTDIR/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!existsSync('/proc/self'))('a file system that takes no folders is refused at once', () => {
  expect(() => nodeFileSystem.makeFolder('/proc/svc-nowhere/log')).toThrow(/ENOENT/);
});
