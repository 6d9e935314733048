/** Backups: a folder that opens as the database was at one event, with concurrent work, interrupted at any point. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import type { FileSystem } from '../../src/storage/file-system.ts';
import { newKey } from '../../src/storage/folder-key.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';

let root: string;
let folder: string;
let to: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  folder = join(root, 'data');
  to = join(root, 'copy');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function seed(options: OpenOptions = {}): Promise<Database> {
  const db = await open(folder, { key: null, ...options });
  await db.sql({ sql: 'CREATE TABLE pairs (id int PRIMARY KEY, a int, b int); INSERT INTO pairs SELECT i, 0, 0 FROM generate_series(1, 500) i' });
  await db.put({ table: 'docs', id: 'x', record: { text: 'canary' } });
  await db.fork({ name: 'side', meta: { intent: 'kept' } });
  await db.sql({ branch: 'side', sql: 'UPDATE pairs SET a = 1 WHERE id = 1' });
  await db.checkpoint({ branch: 'side', name: 'c' });
  await db.create_agent({ name: 'ann', can: ['read'] });
  await db.set_setting({ name: 'max_worlds', value: 77 });
  return db;
}

const rows = async (db: Database, branch = 'main'): Promise<unknown> => [
  (await db.sql({ branch, sql: 'SELECT * FROM pairs ORDER BY id' })).results[0].rows,
  (await db.sql({ branch, sql: 'SELECT * FROM docs ORDER BY id' })).results[0].rows,
];

test('holds worlds, agents, settings and history, and opens without a world that counts as crashed', async () => {
  const db = await seed();
  const { files, bytes } = await db.backup({ to });
  expect(files).toBeGreaterThanOrEqual(1);
  expect(bytes).toBeGreaterThan(1000);
  await db.put({ table: 'docs', id: 'later', record: {} });
  const copy = await open(to, { key: null });
  expect(await rows(copy)).not.toEqual(await rows(db));
  await db.delete({ table: 'docs', id: 'later' });
  expect(await rows(copy)).toEqual(await rows(db));
  expect(await rows(copy, 'side')).toEqual(await rows(db, 'side'));
  const worlds = async (of: Database): Promise<unknown> =>
    (await of.branches()).branches.map(({ name, id, parent, meta, flagged, checkpoints }) => ({ name, id, parent, meta, flagged, checkpoints }));
  expect(await worlds(copy)).toEqual(await worlds(db));
  expect((await copy.branches()).branches.some(({ flagged }) => flagged)).toBe(false);
  expect((await copy.agents()).agents).toEqual((await db.agents()).agents);
  expect((await copy.settings()).settings).toEqual((await db.settings()).settings);
  expect((await copy.history({ branch: 'side' })).events).toEqual((await db.history({ branch: 'side' })).events);
  await copy.verify();
  // Both continue independently.
  await copy.merge({ branch: 'side' });
  expect((await db.world({ branch: 'side' })).name).toBe('side');
  await copy.close();
  await db.close();
});

describe.each([
  ['a log of one segment', {}],
  [
    'a log that rolls, is trimmed and gets bases meanwhile',
    { segmentSizeBytes: 32 * 1024, historyRetentionMs: 1, trimBytes: 1024, checkpointLogBytes: 16 * 1024, checkpointRest: 0 },
  ],
])('with writers going on: %s', (_name, options: OpenOptions) => {
  test('it is the state at one event, with all that was acknowledged before it began', async () => {
    const db = await seed({ ...options, clock: undefined });
    let going = true;
    let acknowledged = 0;
    const states = new Map<number, string>();
    const writer = (async () => {
      for (let n = 1; going; n++) {
        // Both columns of all rows of a tenth: a backup in the middle of a statement would show.
        await db.sql({ sql: `UPDATE pairs SET a = ${n}, b = ${n} WHERE id % 10 = ${n % 10}` });
        acknowledged = n;
        states.set(n, JSON.stringify(await rows(db)));
        if (n % 5 === 0) await db.fork({ name: `f${n}` });
      }
    })();
    const housekeeper = (async () => {
      while (going) await db.flush();
    })();
    for (let round = 0; round < 4; round++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const before = acknowledged;
      await db.backup({ to: `${to}${round}` });
      const after = acknowledged;
      const copy = await open(`${to}${round}`, { key: null });
      const found = await rows(copy);
      const [pairs] = found as { id: number; a: number; b: number }[][];
      const n = Math.max(...pairs.map(({ a }) => a));
      expect(n).toBeGreaterThanOrEqual(before);
      expect(n).toBeLessThanOrEqual(after + 1);
      expect(pairs.every(({ a, b }) => a === b)).toBe(true);
      if (states.has(n)) expect(JSON.stringify(found)).toBe(states.get(n));
      await copy.verify();
      await copy.close();
    }
    going = false;
    await Promise.all([writer, housekeeper]);
    await db.verify();
    await db.close();
  });
});

// contract: identity.6
test('an encrypted folder stays encrypted, with the same key', async () => {
  const key = newKey();
  const db = await seed({ key });
  const { files } = await db.backup({ to });
  expect(files).toBe(3);
  const wanted = await rows(db);
  await db.close();
  for (const name of nodeFileSystem.list(join(to, 'log'))) expect(readFileSync(join(to, 'log', name)).includes('canary')).toBe(false);
  await expect(open(to, { key: null })).rejects.toMatchObject({ code: '28000' });
  await expect(open(to, { key: newKey() })).rejects.toMatchObject({ code: '28P01' });
  const copy = await open(to, { key });
  expect(await rows(copy)).toEqual(wanted);
  await copy.close();
});

test('of two concurrent backups to one folder, one succeeds and the other is refused', async () => {
  const db = await seed();
  const [one, other] = await Promise.allSettled([db.backup({ to }), db.backup({ to })]);
  expect(one.status).toBe('fulfilled');
  expect(other).toMatchObject({ status: 'rejected', reason: { code: '42710' } });
  const copy = await open(to, { key: null });
  expect(await rows(copy)).toEqual(await rows(db));
  await copy.close();
  await db.close();
});

test('is refused where something is there already, inside the folder, and where no folder is', async () => {
  const db = await seed();
  mkdirSync(to);
  await expect(db.backup({ to })).rejects.toMatchObject({ code: '42710' });
  writeFileSync(join(to, 'mine'), 'x');
  await expect(db.backup({ to })).rejects.toMatchObject({ code: '42710' });
  await expect(db.backup({ to: join(to, 'mine') })).rejects.toMatchObject({ code: '42710' });
  for (const own of [folder, join(folder, 'backup'), join(folder, 'log', 'b')]) await expect(db.backup({ to: own })).rejects.toMatchObject({ code: '22023' });
  await expect(db.backup({ to: join(root, 'no', 'where') })).rejects.toMatchObject({ code: '22023' });
  expect(nodeFileSystem.list(to)).toEqual(['mine']);
  await db.close();
});

test('a copy of it that was cut short, or has lost its log, is refused; one that has gone on is not', async () => {
  const db = await seed();
  await db.backup({ to });
  await db.close();
  const cut = join(root, 'cut');
  const refused = async (): Promise<void> => {
    await expect(open(cut, { key: null })).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('is a backup of') });
    rmSync(cut, { recursive: true });
  };
  const [segment] = nodeFileSystem.list(join(to, 'log'));
  const bytes = readFileSync(join(to, 'log', segment));
  const end = bytes.findLastIndex((byte) => byte !== 0);
  for (const size of [end, end >> 1, 0]) {
    cpSync(to, cut, { recursive: true });
    writeFileSync(join(cut, 'log', segment), bytes.subarray(0, size));
    await refused();
  }
  cpSync(to, cut, { recursive: true });
  rmSync(join(cut, 'log', segment));
  await refused();
  for (let n = 0; n < 2; n++) {
    const copy = await open(to, { key: null });
    await copy.put({ table: 'docs', id: `n${n}`, record: {} });
    await copy.close();
  }
});

test.each<[what: string, path: (root: string, folder: string) => string, code: string]>([
  ['the folder', (_, folder) => folder, '22023'],
  ['its log', (_, folder) => join(folder, 'log', 'new'), '22023'],
  ['a link to its log', (root, folder) => (symlinkSync(join(folder, 'log'), join(root, 'link')), join(root, 'link', 'new')), '22023'],
  ['a link to its cache', (root, folder) => (symlinkSync(join(folder, 'cache'), join(root, 'link')), join(root, 'link', 'new')), '22023'],
  ['a link to the folder', (root, folder) => (symlinkSync(folder, join(root, 'link')), join(root, 'link', 'new')), '22023'],
  ['a link to what is above it', (root, folder) => (symlinkSync(dirname(folder), join(root, 'link')), join(root, 'link', basename(folder), 'new')), '22023'],
  [
    'a link behind a link',
    (root, folder) => (symlinkSync(folder, join(root, 'a')), symlinkSync(join(root, 'a', 'log'), join(root, 'b')), join(root, 'b', 'new')),
    '22023',
  ],
  ['a link that leads into the log and nowhere', (root, folder) => (symlinkSync(join(folder, 'log', 'new'), join(root, 'link')), join(root, 'link')), '42710'],
  ['a relative way round', (root, folder) => `${root}/./x/../${basename(root)}/../${basename(root)}/${relative(root, folder)}/log/new`, '22023'],
  ['a path with NUL', (root) => `${root}/a\0b`, '22021'],
  ['a name that is too long', (root) => join(root, 'x'.repeat(300)), '22023'],
])('into %s is refused, and leaves nothing', async (_what, path, code) => {
  const db = await seed();
  try {
    const before = [...readdirSync(folder), ...readdirSync(join(folder, 'log'))].filter((name) => !name.startsWith('cache'));
    await expect(db.backup({ to: path(root, folder) })).rejects.toMatchObject({ code });
    expect([...readdirSync(folder), ...readdirSync(join(folder, 'log'))].filter((name) => !name.startsWith('cache'))).toEqual(before);
  } finally {
    await db.close();
  }
});

test('beside a folder of a similar name, and through a link to elsewhere, is written', async () => {
  const db = await seed();
  try {
    symlinkSync(root, join(root, 'way'));
    for (const to of [`${folder}2`, join(root, '..x'), join(root, 'way', 'there')]) {
      await db.backup({ to });
      const copy = await open(to, { key: null });
      await copy.close();
    }
  } finally {
    await db.close();
  }
});

test('cut short at any write, sync or removal it is refused when it is opened, or whole', async () => {
  /** Steps of the file system in the target that still succeed. */
  let left = Infinity;
  const step = (path: string): void => {
    if (path.startsWith(to) && left-- <= 0) throw new Error('the machine went down');
  };
  const fs: FileSystem = {
    ...nodeFileSystem,
    makeFolder: (path) => (step(path), nodeFileSystem.makeFolder(path)),
    remove: (path) => (step(path), nodeFileSystem.remove(path)),
    syncFolder: async (path) => (step(path), nodeFileSystem.syncFolder(path)),
    open: (path, options) => {
      step(path);
      const file = nodeFileSystem.open(path, options);
      return {
        write: (bytes, offset) => (step(path), file.write(bytes, offset)),
        read: (into, offset) => file.read(into, offset),
        sizeBytes: () => file.sizeBytes(),
        truncate: (size) => (step(path), file.truncate(size)),
        sync: async () => (step(path), file.sync()),
        writeDurably: async (bytes, offset) => (step(path), file.writeDurably(bytes, offset)),
        close: () => file.close(),
      };
    },
  };
  const db = await seed({ fs });
  const wanted = await rows(db);
  let whole = 0;
  let refused = 0;
  for (let steps = 0; whole < 3 && steps < 200; steps++) {
    left = steps;
    const done = await db.backup({ to }).then(
      () => true,
      () => false,
    );
    left = Infinity;
    if (nodeFileSystem.exists(to)) {
      const opened = await open(to, { key: null }).catch((error: { code: string }) => error.code);
      if (typeof opened === 'string') {
        expect(opened).toBe('55000');
        expect(done).toBe(false);
        refused++;
      } else {
        // Nothing but the folder itself was made, or everything was.
        if (steps > 1) {
          expect([steps, await rows(opened)]).toEqual([steps, wanted]);
          whole++;
        }
        await opened.close();
      }
    }
    rmSync(to, { recursive: true, force: true });
  }
  expect(whole).toBe(3);
  expect(refused).toBeGreaterThan(8);
  // The database itself continues, and so does its maintenance.
  await db.put({ table: 'docs', id: 'y', record: {} });
  await db.flush();
  await db.close();
});

test('BACKUP TO is the statement; it needs `admin` and is not allowed in a transaction', async () => {
  const db = await seed();
  const { results } = await db.sql({ sql: `BACKUP TO '${to}'` });
  expect(results[0]).toMatchObject({ command: 'BACKUP', columns: ['files', 'bytes'] });
  await (await open(to, { key: null })).close();
  await expect(db.sql({ sql: `BEGIN; BACKUP TO '${to}2'` })).rejects.toMatchObject({ code: '25001' });
  await expect(db.sql({ sql: 'BACKUP TO somewhere' })).rejects.toMatchObject({ code: '42601' });
  const ann = db.commandsOf(db.directory.byName('ann')!);
  await expect(ann.backup({ to: `${to}2` })).rejects.toMatchObject({ code: '42501' });
  await expect(ann.sql({ sql: `BACKUP TO '${to}2'` })).rejects.toMatchObject({ code: '42501' });
  expect(nodeFileSystem.exists(`${to}2`)).toBe(false);
  await db.alter_agent({ name: 'ann', can: ['admin'] });
  await ann.backup({ to: `${to}2` });
  await db.close();
});
