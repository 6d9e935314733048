/** How the built command starts: the processor time of it, and what it does with V8's code cache. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const BIN = join(import.meta.dirname, '../../dist/bin');
/** Beside the build, so that it finds the packages. */
const COPY = join(import.meta.dirname, `../../dist/start-${process.pid}`);
const CACHES = join(COPY, 'cache');
const HEAD_BYTES = 64;
const STARTS = 5;
/** Of what `node -e 0` takes in the same run. Measured 6 on a quiet machine; it was 15 before there was a cache. */
const BOUND = 9.5;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-start-'));
  writeFileSync(
    join(home, 'time.cjs'),
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(2, `took ${user + system}\\n`); });",
  );
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(COPY, { recursive: true, force: true });
});

/** Processor time of a process when it ends, in ms: it does not depend on what else the machine does. */
function processorTime(...words: string[]): number {
  const { stderr, status } = spawnSync(process.execPath, ['-r', join(home, 'time.cjs'), ...words], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return Number(/took (\d+)/.exec(stderr)![1]) / 1000;
}

function median(run: (n: number) => number): number {
  return Array.from({ length: STARTS }, (_, n) => run(n)).toSorted((a, b) => a - b)[STARTS >> 1];
}

test.each([
  ['a new folder', (n: number) => join(home, `new-${n}`)],
  ['a folder with data', () => join(home, 'data')],
])(
  'the processor time of a statement on %s is a bounded multiple of that of an empty program',
  (_what, folder) => {
    const svc = join(BIN, 'svc.js');
    processorTime(
      svc,
      join(home, 'data'),
      'CREATE TABLE IF NOT EXISTS t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000) ON CONFLICT DO NOTHING',
    );
    const empty = median(() => processorTime('-e', '0'));
    const start = median((n) => processorTime(svc, folder(n), 'SELECT 1'));
    expect(start / empty).toBeLessThan(BOUND);
  },
  120_000,
);

beforeEach(() => {
  rmSync(COPY, { recursive: true, force: true });
  cpSync(BIN, COPY, { recursive: true });
});

function select(): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(COPY, 'svc.js'), join(home, 'db'), 'SELECT 41 + 1 AS answer'], { encoding: 'utf8' });
  expect({ status, stderr: stderr.replace(/^svc: made a new database in .*\n/, '') }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const cacheOf = (script: string): string => join(CACHES, readdirSync(CACHES).find((name) => name.startsWith(`${script}-shell-`)) ?? 'none');
const writesOf = (file: string): number => Number(readFileSync(file).latin1Slice(0, HEAD_BYTES).split(' ')[3]);

/** The second four bytes are V8's version. The head is right, so V8 refuses the cache itself. */
function ofAnotherV8(file: string): void {
  const bytes = readFileSync(file);
  const [version, , , writes] = bytes.latin1Slice(0, HEAD_BYTES).split(' ');
  const data = bytes.subarray(HEAD_BYTES);
  data.writeUInt32LE(0, 4);
  bytes.write(`${version} ${crc32(data)} ${data.length} ${writes} `.padEnd(HEAD_BYTES));
  writeFileSync(file, bytes);
}

test('a cache that is taken is not written again', () => {
  const file = cacheOf('core');
  const before = statSync(file).mtimeMs;
  expect(select()).toContain('42');
  expect(statSync(file).mtimeMs).toBe(before);
});

test('without a cache the command runs, and makes one', () => {
  for (const name of readdirSync(CACHES)) rmSync(join(CACHES, name));
  expect(select()).toContain('42');
  const file = cacheOf('core');
  const before = statSync(file).mtimeMs;
  expect(select()).toContain('42');
  expect(statSync(file).mtimeMs).toBe(before);
  expect(readdirSync(CACHES)).toHaveLength(1);
});

test.each([
  ['is cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 100_000))],
  ['is empty', (file: string) => writeFileSync(file, '')],
  [
    'has a changed byte',
    (file: string) => {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(file, bytes);
    },
  ],
  ['was made by another V8', ofAnotherV8],
])('a cache that %s is not taken but replaced', (_what, damage) => {
  const file = cacheOf('core');
  const whole = readFileSync(file).length;
  damage(file);
  expect(select()).toContain('42');
  expect(readFileSync(file).length).toBeGreaterThan(whole / 4);
  const before = statSync(file).mtimeMs;
  expect(select()).toContain('42');
  expect(statSync(file).mtimeMs).toBe(before);
});

test('a cache that V8 refuses again and again is at last not written any more', () => {
  const file = cacheOf('core');
  for (const writes of [2, 3]) {
    ofAnotherV8(file);
    select();
    expect(writesOf(file)).toBe(writes);
  }
  ofAnotherV8(file);
  const before = statSync(file).mtimeMs;
  expect(select()).toContain('42');
  expect(statSync(file).mtimeMs).toBe(before);
});

test('where the program may not write, it runs without a cache', () => {
  rmSync(CACHES, { recursive: true });
  // Also root cannot make the folder where a file is.
  writeFileSync(CACHES, '');
  expect(select()).toContain('42');
  expect(readFileSync(CACHES, 'utf8')).toBe('');
});

test('a program that was installed without the folder of caches makes it', () => {
  rmSync(CACHES, { recursive: true });
  expect(select()).toContain('42');
  expect(existsSync(CACHES)).toBe(true);
});

test('an error that nothing catches shows names and lines of functions', () => {
  const text = readFileSync(join(COPY, 'core.js'), 'latin1');
  const broken = text.replace(/async function shellCommand\([^)]*\)\{/, (head) => `${head}throw new Error("broken here");`);
  expect(broken).not.toBe(text);
  writeFileSync(join(COPY, 'core.js'), broken, 'latin1');
  const { stderr, status } = spawnSync(process.execPath, [join(COPY, 'svc.js'), join(home, 'db'), 'SELECT 1'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/broken here[^]*at shellCommand \(.*core\.js:\d+:\d+\)/);
});
