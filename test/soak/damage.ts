/**
 * Damages copies of one folder, a file at a time, by a flipped bit or a cut, and opens them. What comes of it is one of
 *
 *   refused   opening or reading says what is damaged (an error of ours, nothing else)
 *   healed    the answers are those of the whole folder, and a notice says what was damaged
 *   whole     the answers are those of the whole folder: what was damaged is not needed, or is not noticed to be gone
 *   said      other answers, and a notice that says why
 *   SILENT    other answers, and nobody said so: never
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import { randomFrom } from '../suite/random.ts';

export const FILE_KINDS = ['log', 'cache', 'undo', 'settings'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export type Outcome = 'refused' | 'healed' | 'whole' | 'said' | 'SILENT';
export type DamageTable = Record<string, Partial<Record<Outcome, number>>>;

const OPTIONS: OpenOptions = { key: null, segmentSizeBytes: 24_000, checkpointMs: 1e9, trimBytes: 1e9 };

type Answers = string;

/** A folder with several segments, super-roots, worlds and a past; its page cache has tables on disk. */
async function make(folder: string, options: OpenOptions): Promise<string> {
  let moment = 0;
  for (let life = 0; life < 4; life++) {
    const db = await open(folder, options);
    if (life === 0) {
      await db.sql({ sql: 'CREATE TABLE items (id int PRIMARY KEY, name text, n int); CREATE INDEX items_n ON items (n)' });
      await db.fork({ name: 'draft' });
    }
    for (let round = 0; round < 3; round++) {
      const from = (life * 3 + round) * 60;
      await db.sql({
        sql: `INSERT INTO items SELECT i, md5(i::text) || repeat('x', i % 50), i % 7 FROM generate_series(${from + 1}, ${from + 60}) i`,
      });
      for (let i = 0; i < 20; i++) await db.put({ table: 'docs', id: `d${(from + i * 7) % 90}`, record: { life, round, i, text: `text ${from} `.repeat(5) } });
      await db.put({ branch: 'draft', table: 'docs', id: `x${round}`, record: { life } });
      await db.sql({ sql: `UPDATE items SET n = n + 1 WHERE id % 5 = ${round}` });
      if (life === 1 && round === 1) moment = db.stats()['log_sequence'];
      await db.flush();
    }
    await db.close();
  }
  return `main@#${moment}`;
}

async function answersOf(db: Database, past: string): Promise<Answers> {
  const rows = async (branch: string, sql: string): Promise<unknown> => (await db.sql({ branch, sql })).results[0]!.rows;
  return JSON.stringify([
    await rows('main', 'SELECT * FROM items ORDER BY id'),
    await rows('main', 'SELECT n, count(*) FROM items WHERE n > 2 GROUP BY n ORDER BY n'),
    (await db.find({ table: 'docs', limit: 1000 })).hits,
    (await db.find({ branch: 'draft', table: 'docs', limit: 1000 })).hits,
    await rows(past, 'SELECT * FROM items ORDER BY id'),
    await rows(past, 'SELECT count(*) FROM docs'),
    (await db.diff({ branch: 'draft' })).changes!.length,
  ]);
}

function filesOf(folder: string, kind: FileKind): string[] {
  const under = (name: string, of: RegExp): string[] => readdirSync(join(folder, name)).flatMap((each) => (of.test(each) ? [join(name, each)] : []));
  switch (kind) {
    case 'log':
      return under('log', /\.seg$/);
    case 'cache':
      return under('cache', /^(?!LOCK$|LOG)/);
    case 'undo':
      return under('cache', /\.(sst|log|ldb)$/);
    case 'settings':
      return ['watermark', 'encryption.json'].filter((name) => existsSync(join(folder, name)));
  }
}

function damage(folder: string, kind: FileKind, how: 'cut' | 'flip', random: () => number): string {
  const whole = (name: string): Buffer => readFileSync(join(folder, name));
  const files = filesOf(folder, kind).filter((name) => whole(name).length > 0);
  const name = files[Math.floor(random() * files.length)];
  const bytes = whole(name);
  // What a log zeroes ahead holds nothing.
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const at = kind === 'undo' ? nearUndo(bytes, random) : Math.floor(random() * used);
  if (how === 'cut') truncateSync(join(folder, name), at);
  else {
    bytes[at] ^= 1 << Math.floor(random() * 8);
    writeFileSync(join(folder, name), bytes);
  }
  return `${how} of ${name} at ${at}`;
}

/** In a file that has entries of the undo log, behind one of its keys. */
function nearUndo(bytes: Buffer, random: () => number): number {
  const places: number[] = [];
  for (let at = bytes.indexOf('undo'); at >= 0; at = bytes.indexOf('undo', at + 1)) places.push(at);
  if (places.length === 0) return Math.floor(random() * bytes.length);
  return Math.min(bytes.length - 1, places[Math.floor(random() * places.length)] + Math.floor(random() * 2000));
}

export interface DamageRun {
  table: DamageTable;
  silent: string[];
  /** Refusals over files of the page cache: it should have been rebuilt. */
  unhealed: string[];
  done: number;
}

/** `count` cuts and as many flips, spread over the kinds of files. */
export async function damageRun(
  seed: number,
  count: number,
  options: OpenOptions = {},
  say: (text: string) => void = () => {},
  kinds: readonly FileKind[] = FILE_KINDS,
): Promise<DamageRun> {
  const random = randomFrom(seed);
  const home = mkdtempSync(join(tmpdir(), 'svc-damage-'));
  const run: DamageRun = { table: {}, silent: [], unhealed: [], done: 0 };
  const own = { ...OPTIONS, ...options };
  try {
    const first = join(home, 'whole');
    const past = await make(first, own);
    const copy = join(home, 'copy');
    const fresh = (): void => {
      rmSync(copy, { recursive: true, force: true });
      cpSync(first, copy, { recursive: true });
    };
    fresh();
    const db = await open(copy, own);
    const expected = await answersOf(db, past);
    await db.close();
    for (const how of ['cut', 'flip'] as const) {
      for (let i = 0; i < count; i++) {
        const kind = kinds[i % kinds.length];
        fresh();
        const what = damage(copy, kind, how, random);
        const outcome = await outcomeOf(copy, own, past, expected, what, run);
        const row = (run.table[`${kind} ${how}`] ??= {});
        row[outcome] = (row[outcome] ?? 0) + 1;
        if (outcome === 'SILENT') run.silent.push(`seed ${seed}: ${what}`);
        run.done++;
        if (run.done % 100 === 0) say(`  ${run.done} of ${2 * count}`);
      }
    }
    return run;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function outcomeOf(folder: string, options: OpenOptions, past: string, expected: Answers, what: string, run: DamageRun): Promise<Outcome> {
  const notices: string[] = [];
  let db: Database | null = null;
  try {
    db = await open(folder, { ...options, onNotice: (message) => notices.push(message) });
    const answers = await answersOf(db, past);
    if (answers === expected) return notices.length > 0 ? 'healed' : 'whole';
    return notices.length > 0 ? 'said' : 'SILENT';
  } catch (error) {
    if (!(error instanceof SvcError) || error.code === 'XX000') throw new Error(`${what}: ${String(error)}`, { cause: error });
    if (what.includes('cache/')) run.unhealed.push(`${what}: ${error.code} ${error.message}; ${notices.join('; ')}`);
    return 'refused';
  } finally {
    await db?.close().catch(() => {});
  }
}

export function tableText(table: DamageTable): string {
  const outcomes: Outcome[] = ['refused', 'healed', 'whole', 'said', 'SILENT'];
  const lines = [
    ['file', ...outcomes],
    ...Object.keys(table)
      .sort()
      .map((name) => [name, ...outcomes.map((outcome) => String(table[name][outcome] ?? 0))]),
  ];
  return lines.map((cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(16) : cell.padStart(9))).join('')).join('\n');
}
