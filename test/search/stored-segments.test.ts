/** Segments of texts in files of the folder: what a start reads again, in states near to it, damaged, missing and encrypted. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

const ROWS = 6000;
const next = seeded(31);
const word = (): string => `w${Math.floor(next() ** 3 * 4000)}x`;
const TEXTS = Array.from({ length: ROWS }, () => Array.from({ length: 12 }, word).join(' '));

/** As built. */
const DATABASE = join(import.meta.dirname, '../../dist/src/database.js');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-stored-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { cacheBytes: 64 << 20 };
const files = (): string[] => (existsSync(join(folder, 'search')) ? readdirSync(join(folder, 'search')).toSorted() : []);
const file = (): string => join(folder, 'search', files()[0]);

async function filled(key?: string): Promise<void> {
  const db = await open(folder, { ...OPTIONS, ...(key === undefined ? {} : { key }) });
  for (let at = 0; at < ROWS; at += 1000) {
    await db.batch({ rows: TEXTS.slice(at, at + 1000).map((text, i) => ({ table: 'docs', id: `d${at + i}`, record: { text } })) });
  }
  await found(db, 'w7x');
  await db.close();
}

const found = async (db: Database, text: string, branch = 'main'): Promise<unknown> => await db.find({ branch, table: 'docs', text, limit: 50 });
const wasRead = (db: Database): number => db.stats()['text_segments_read'];

/** The same folder searched without stored segments: what a search has to give. */
async function expected(branch = 'main', key?: string): Promise<unknown> {
  rmSync(join(folder, 'search'), { recursive: true, force: true });
  const db = await open(folder, { ...OPTIONS, ...(key === undefined ? {} : { key }) });
  try {
    const all = [await found(db, 'w7x w30x', branch), await found(db, '"w1x w2x" w9*', branch)];
    expect(wasRead(db)).toBe(0);
    return all;
  } finally {
    await db.close();
  }
}

async function reopened(branch = 'main', key?: string): Promise<{ rows: unknown; read: number }> {
  const db = await open(folder, { ...OPTIONS, ...(key === undefined ? {} : { key }) });
  try {
    return { rows: [await found(db, 'w7x w30x', branch), await found(db, '"w1x w2x" w9*', branch)], read: wasRead(db) };
  } finally {
    await db.close();
  }
}

test('a start reads the stored segment, and finds the same rows with the same scores', async () => {
  await filled();
  expect(files()).toHaveLength(1);
  const { rows, read } = await reopened();
  expect(read).toBe(1);
  expect((await reopened()).read).toBe(1);
  const db = await open(folder, OPTIONS);
  await db.verify();
  const copy = `${folder}-copy`;
  await db.backup({ to: copy });
  await db.close();
  expect(existsSync(join(copy, 'search'))).toBe(false);
  rmSync(copy, { recursive: true });
  expect(await expected()).toEqual(rows);
});

/** Commits follow each other without a pause, so that no checkpoint has the state that was searched. */
const BUSY = `
  const { open } = await import(process.argv[1]);
  const db = await open(process.argv[2], { cacheBytes: 64 << 20, checkpointMs: 400 });
  let found = null;
  for (let i = 0; ; i++) {
    await db.put({ table: 'docs', id: 'd' + (i % 50), record: { text: 'w7x w' + i + 'x' } });
    // The next commit follows while the segment is built.
    if (i === 3) found = db.find({ table: 'docs', text: 'w7x' });
    if (i === 20) await found;
    if (i > 20) console.log(i);
    if (i > 20) await new Promise((resolve) => setTimeout(resolve, 20));
  }`;

test('a busy database that is killed has stored what was searched in a state that no checkpoint had', async () => {
  await filled();
  rmSync(join(folder, 'search'), { recursive: true });
  const child = spawn(process.execPath, ['--input-type=module', '-e', BUSY, DATABASE, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let commits = 0;
  child.stdout.on('data', (text: Buffer) => (commits += text.toString().split('\n').length - 1));
  try {
    await expect.poll(() => files().filter((name) => name.endsWith('.text')).length, { timeout: 60_000 }).toBe(1);
    const then = commits;
    await expect.poll(() => commits, { timeout: 60_000 }).toBeGreaterThan(then + 10);
  } finally {
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  const { rows, read } = await reopened();
  expect(read).toBe(1);
  expect(await expected()).toEqual(rows);
  const db = await open(folder, OPTIONS);
  await db.verify();
  await db.close();
});

test('states that moved on since are found from the stored segment and the difference, in forks as well', async () => {
  await filled();
  const db = await open(folder, OPTIONS);
  await db.fork({ name: 'side' });
  for (let i = 0; i < 40; i++) await db.put({ table: 'docs', id: `d${i * 7}`, record: { text: `w7x ${TEXTS[i]} w30x` } });
  await db.delete({ table: 'docs', id: 'd1' });
  await db.put({ branch: 'side', table: 'docs', id: 'new', record: { text: 'w1x w2x w1x w2x' } });
  await db.close();
  for (const branch of ['main', 'side']) {
    const { rows, read } = await reopened(branch);
    expect(read).toBe(1);
    const copy = files();
    expect(copy).toHaveLength(1);
    const bytes = readFileSync(file());
    expect(await expected(branch)).toEqual(rows);
    // The same file again for the next branch.
    rmSync(join(folder, 'search'), { recursive: true });
    const other = await open(folder, OPTIONS);
    await other.close();
    mkdirSync(join(folder, 'search'));
    writeFileSync(join(folder, 'search', copy[0]), bytes);
  }
});

const damages: [string, (path: string) => void][] = [
  ['missing', (path) => rmSync(path)],
  ['cut short', (path) => truncateSync(path, statSync(path).size - 100)],
  ['empty', (path) => truncateSync(path, 0)],
  ['changed at its beginning', (path) => flip(path, 40)],
  ['changed in its middle', (path) => flip(path, Math.floor(statSync(path).size / 2))],
  ['changed at its end', (path) => flip(path, statSync(path).size - 1)],
  ['of other bytes', (path) => writeFileSync(path, Buffer.alloc(5000, 0xff))],
];

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] ^= 1;
  writeFileSync(path, bytes);
}

test.each(damages)('a file that is %s is thrown away, and the segment is built again', async (_, damage) => {
  await filled();
  damage(file());
  const { rows, read } = await reopened();
  expect(read).toBe(0);
  // Built and stored again.
  expect(files()).toHaveLength(1);
  expect((await reopened()).read).toBe(1);
  expect(await expected()).toEqual(rows);
});

test('a segment of pages that were dropped with the cache is not used', async () => {
  await filled();
  rmSync(join(folder, 'cache'), { recursive: true });
  const db = await open(folder, OPTIONS);
  await db.put({ table: 'docs', id: 'other', record: { text: 'w7x w7x w7x' } });
  const hits = await found(db, 'w7x w30x');
  await db.close();
  rmSync(join(folder, 'search'), { recursive: true, force: true });
  const again = await open(folder, OPTIONS);
  expect(await found(again, 'w7x w30x')).toEqual(hits);
  await again.close();
});

test('another configuration of the search builds its own, and an index makes the older one unused', async () => {
  await filled();
  const db = await open(folder, OPTIONS);
  await db.sql({ sql: "CREATE INDEX ON docs USING bm25 (text) WITH (config = 'simple', weights = '2')" });
  await found(db, 'w7x');
  expect(wasRead(db)).toBe(0);
  await db.close();
  expect((await reopened()).read).toBe(1);
});

test('an encrypted folder has no word of its texts in these files, and reads them by its key', async () => {
  const key = 'ab'.repeat(32);
  await filled(key);
  const bytes = readFileSync(file());
  for (const plain of ['w30x', 'w31x', 'english', 'sections']) expect(bytes.includes(plain), plain).toBe(false);
  const { rows, read } = await reopened('main', key);
  expect(read).toBe(1);
  expect(await expected('main', key)).toEqual(rows);
});

test('files take no more than half of the cache, and the oldest go', async () => {
  const small = { ...OPTIONS, cacheBytes: 1 << 20 };
  const db = await open(folder, small);
  for (const table of ['a', 'b', 'c', 'd']) {
    await db.batch({ rows: TEXTS.slice(0, 1500).map((text, i) => ({ table, id: `d${i}`, record: { text } })) });
  }
  await db.close();
  const again = await open(folder, small);
  for (const table of ['a', 'b', 'c', 'd']) await again.find({ table, text: 'w7x' });
  await again.close();
  const sizes = files().map((name) => statSync(join(folder, 'search', name)).size);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.length).toBeLessThan(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(small.cacheBytes / 2);
});

test('pages of a stored state are kept until it was searched, also where pages are collected meanwhile', async () => {
  const small = { cacheBytes: 4 << 20, historyRetentionMs: 1, trimBytes: 1, checkpointLogBytes: 1 };
  const first = await open(folder, small);
  await first.sql({
    sql: "CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL, words text); INSERT INTO t SELECT i, 0, 'word' || i % 100 || repeat(' filler', 20) FROM generate_series(1, 20000) i",
  });
  await first.flush();
  await first.find({ table: 't', text: 'word7' });
  await first.close();
  expect(files()).toHaveLength(1);
  const db = await open(folder, small);
  // The same rows each time: a state differs from the stored one by few.
  for (let round = 1; round <= 16; round++) {
    await db.sql({ sql: `UPDATE t SET v = v + 1 WHERE id > 16500; UPDATE t SET words = 'changed' WHERE id = ${round * 1000 + 7}` });
    await db.flush();
  }
  expect(db.stats()['pages_collected']).toBeGreaterThan(0);
  expect((await db.find({ table: 't', text: 'word7', limit: 1 })).total).toBe(184);
  expect((await db.find({ table: 't', text: 'changed', limit: 1 })).total).toBe(16);
  expect(wasRead(db)).toBe(1);
  expect(db.stats()['cache_rebuilds'] ?? 0).toBe(0);
  await db.close();
});
