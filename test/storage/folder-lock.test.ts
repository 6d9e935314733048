/** A killed holder that its parent has not waited for is gone, though its process is still listed. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from '../../src/storage/folder-lock.ts';

const fieldsOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

test.skipIf(!existsSync('/proc/self/stat'))('a lock of a process that has ended is taken over, one of a process that runs is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  // The shell becomes a program that never asks about its child.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60']);
  try {
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))));
    const started = fieldsOf(pid)[19];
    const since = new Date().toISOString();
    const path = join(folder, 'svc.lock');
    writeFileSync(path, JSON.stringify({ pid: parent.pid, started: fieldsOf(parent.pid!)[19], since }));
    expect(() => lockFolder(folder)).toThrow(`is open in process ${parent.pid}`);
    writeFileSync(path, JSON.stringify({ pid, started, since }));
    await expect.poll(() => fieldsOf(pid)[0], { timeout: 10_000 }).toBe('Z');
    lockFolder(folder)();
    expect(existsSync(path)).toBe(false);
  } finally {
    parent.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});

test('if no lock can be written, or even looked up, the error says why', () => {
  expect(() => lockFolder(process.execPath)).toThrow(expect.objectContaining({ code: '58030' }));
});
