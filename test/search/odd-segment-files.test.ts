/** Files in `search/` other than those that were written: a search gives what it gives without the folder, to the bit, and no other file is harmed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

const TABLES = ['docs', 'other'];
const next = seeded(43);
const text = (): string => Array.from({ length: 8 }, () => `w${Math.floor(next() ** 3 * 400)}x`).join(' ');

const home = mkdtempSync(join(tmpdir(), 'svc-odd-'));
const folder = join(home, 'db');
const search = join(folder, 'search');
const kept = join(home, 'kept');
/** File of the first table. */
let path: string;
let bytes: Buffer;
let right: unknown;

async function answers(db: Database): Promise<unknown> {
  const all = [];
  for (const table of TABLES) for (const words of ['w7x w30x', '"w1x w2x" w9*']) all.push(await db.find({ table, text: words, limit: 1000 }));
  return all;
}

/** Searches after a start; returns how many segments were read from files. */
async function read(): Promise<number> {
  const db = await open(folder);
  try {
    expect(await answers(db)).toEqual(right);
    return db.stats()['text_segments_read'];
  } finally {
    await db.close();
  }
}

beforeAll(async () => {
  const db = await open(folder);
  for (const table of TABLES) await db.batch({ rows: Array.from({ length: 700 }, (_, i) => ({ table, id: `d${i}`, record: { text: text() } })) });
  await db.flush();
  right = await answers(db);
  await db.close();
  cpSync(search, kept, { recursive: true });
  path = join(search, readdirSync(search).toSorted()[0]);
  bytes = readFileSync(path);
  expect(await read()).toBe(2);
});
afterAll(() => rmSync(home, { recursive: true }));
beforeEach(() => {
  rmSync(search, { recursive: true, force: true });
  cpSync(kept, search, { recursive: true });
});

/** Offsets of frames: their size, content and digest follow. */
function frames(): { at: number; size: number }[] {
  const all = [];
  for (let at = 0; at < bytes.length; at += 20 + bytes.readUInt32LE(at)) all.push({ at, size: bytes.readUInt32LE(at) });
  return all;
}

test('a bit flipped anywhere in a file costs its segment only', async () => {
  for (const { at, size } of frames()) {
    for (const [from, length] of [
      [at, 4],
      [at + 4, size],
      [at + 4 + size, 16],
    ]) {
      const changed = Buffer.from(bytes);
      changed[from + Math.floor(next() * length)] ^= 1 << Math.floor(next() * 8);
      writeFileSync(path, changed);
      expect(await read(), String(from)).toBe(1);
      rmSync(search, { recursive: true });
      cpSync(kept, search, { recursive: true });
    }
  }
});

const headers: [string, (head: { sections: unknown[] } & Record<string, unknown>) => void][] = [
  ['terabytes of rows', (head) => (head.sections[3] = 2 ** 42)],
  ['a negative size', (head) => (head.sections[1] = -4)],
  ['a text as a size', (head) => (head.sections[0] = '12')],
  ['no sections', (head) => (head.sections = [])],
  ['no columns', (head) => delete head['source']],
  ['a text as columns', (head) => (head['source'] = { fields: 'all' })],
  ['counts of three bytes', (head) => (head['countBytes'] = 3)],
  ['a page that no number counts', (head) => (head['page'] = 1.5)],
];

test.each(headers)('a first frame of %s is refused before memory is taken for it', async (_, change) => {
  const [{ size }] = frames();
  const head = JSON.parse(bytes.toString('utf8', 4, 4 + size)) as Parameters<typeof change>[0];
  change(head);
  const content = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  const digest = createHash('sha256')
    .update(`${path.slice(search.length + 1)}:0`)
    .update(content)
    .digest()
    .subarray(0, 16);
  writeFileSync(path, Buffer.concat([length, content, digest, bytes.subarray(20 + size)]));
  expect(await read()).toBe(1);
});

const oddities: [string, () => void][] = [
  ['a folder', () => mkdirSync(path)],
  ['a pipe without a writer', () => void execFileSync('mkfifo', [path])],
  ['a device without end', () => symlinkSync('/dev/zero', path)],
  ['a link to itself', () => symlinkSync(path, path)],
  ['a link to nothing', () => symlinkSync(join(home, 'nothing'), path)],
];

test.each(oddities)('%s in the place of a file costs its segment only', async (_, make) => {
  rmSync(path);
  make();
  expect(await read()).toBe(1);
  // Stored again, by this or another name.
  expect(await read()).toBe(2);
});

test('files that change their names are read by none but their own', async () => {
  const [first, second] = readdirSync(kept).toSorted();
  renameSync(join(search, second), join(search, first));
  cpSync(join(search, first), join(search, '999999999999.text'));
  expect(await read()).toBe(0);
  expect(readdirSync(search)).toHaveLength(2);
  expect(await read()).toBe(2);
});

test.each<[string, () => void]>([
  ['a file', () => writeFileSync(search, 'no folder')],
  ['a link to nothing', () => symlinkSync(join(home, 'nothing', 'there'), search)],
])('a folder is opened and searched where `search` is %s', async (_, make) => {
  rmSync(search, { recursive: true });
  make();
  expect(await read()).toBe(0);
  rmSync(search);
});

test('files that are not ours stay, also where `search` is a link to a folder of others', async () => {
  rmSync(search, { recursive: true });
  const others = join(home, 'others');
  mkdirSync(others);
  writeFileSync(join(others, 'letter.txt'), 'mine');
  symlinkSync(others, search);
  expect(await read()).toBe(0);
  expect(existsSync(join(others, 'letter.txt'))).toBe(true);
  rmSync(search);
});
