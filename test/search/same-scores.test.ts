/**
 * A search over an old segment and the rows touched since gives what a new segment gives, to the bit: random changes in several worlds, with
 * forks, merges, undo and definitions, searched now and in the past; the same searches after a new start, which builds all segments again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

const WORDS = ['lamp', 'red', 'blue', 'chair', 'table', 'green', 'shade', 'glass', 'lampshade', 'tables'];
const QUERIES = ['lamp', 'red blue', 'chair table green', '"red lamp"', 'lamp*', '"blue chair" glass', 'ta* "red blue"'];
const TABLES = ['docs', 'typed'];
const ROUNDS = 60;

class Game {
  readonly #next: () => number;
  readonly db: Database;
  readonly branches = ['main'];
  #forks = 0;
  #columns = 0;

  constructor(db: Database, seed: number) {
    this.db = db;
    this.#next = seeded(seed);
  }

  whole(below: number): number {
    return Math.floor(this.#next() * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(from.length)];
  }

  text(): string {
    return Array.from({ length: 1 + this.whole(8) }, () => this.pick(WORDS)).join(' ');
  }

  async step(): Promise<void> {
    const branch = this.pick(this.branches);
    const kind = this.whole(22);
    if (kind < 10) await this.#put(branch);
    else if (kind < 13) await this.db.sql({ branch, sql: `DELETE FROM ${this.pick(TABLES)} WHERE id::text LIKE '%${this.whole(10)}'` });
    else if (kind < 15) await this.#fork(branch);
    else if (kind < 17) await this.#merge();
    else if (kind < 18) await this.db.sql({ branch, sql: `UPDATE typed SET n = n + 1, title = title || ' ${this.pick(WORDS)}' WHERE n % 3 = 0` });
    else if (kind < 20 && this.#columns++ < 6)
      // Worlds give columns of their own the same number.
      await this.db.sql({
        branch,
        sql: `ALTER TABLE typed ADD COLUMN own${this.#columns} text DEFAULT '${this.pick(WORDS)}'; UPDATE typed SET own${this.#columns} = '${this.text()}' WHERE n = ${this.whole(9)}`,
      });
    else if (kind < 21)
      await this.db.sql({ branch, sql: `ALTER TABLE typed ADD COLUMN IF NOT EXISTS more text; UPDATE typed SET more = 'red lamp' WHERE n % 2 = 0` });
    else
      await this.db.put({
        branch,
        table: 'docs',
        id: `n${this.whole(5)}`,
        record: { [`field${this.whole(3)}`]: this.text(), title: this.whole(3) === 0 ? 7 : this.text() },
      });
  }

  async #put(branch: string): Promise<void> {
    const id = this.whole(60);
    if (this.whole(2) === 0) await this.db.put({ branch, table: 'docs', id: `d${id}`, record: { title: this.text(), body: this.text() } });
    else
      await this.db.sql({
        branch,
        sql: 'INSERT INTO typed (id, title, n) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET title = excluded.title, n = excluded.n',
        params: [id, this.text(), this.whole(9)],
      });
  }

  async #fork(branch: string): Promise<void> {
    if (this.branches.length > 3) return;
    const name = `w${this.#forks++}`;
    await this.db.fork({ name, from: branch });
    this.branches.push(name);
  }

  async #merge(): Promise<void> {
    const branch = this.branches.at(-1)!;
    if (branch === 'main') return;
    await this.db.merge({ branch, resolve: this.pick(['ours', 'theirs'] as const) });
    this.branches.pop();
    if (this.whole(2) === 0) await this.db.undo_merge({ branch, skip_changed: true });
  }
}

async function answers(db: Database, branches: readonly string[]): Promise<Map<string, unknown>> {
  const out = new Map<string, unknown>();
  for (const branch of branches)
    for (const table of TABLES) for (const text of QUERIES) out.set(`${branch} ${table} ${text}`, await db.find({ branch, table, text, limit: 100 }));
  return out;
}

// Every other seed starts without the stored segments.
test.each([1, 2, 3, 4])('scores over touched rows are those of a new segment, to the bit (seed %i)', async (seed) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-same-'));
  let db = await open(folder);
  try {
    await db.sql({ sql: 'CREATE TABLE typed (id int PRIMARY KEY, title text, n int)' });
    const game = new Game(db, seed);
    await db.put({ table: 'docs', id: 'd0', record: { title: 'red lamp', body: 'blue chair' } });
    const past: string[] = [];
    let seen = new Map<string, unknown>();
    for (let round = 0; round < ROUNDS; round++) {
      await game.step();
      for (const branch of game.branches) await db.find({ branch, table: game.pick(TABLES), text: game.pick(QUERIES) });
      if (round % 15 !== 14) continue;
      const { at } = await db.checkpoint({ name: `c${round}` });
      const moment = `main@${at}`;
      past.push(moment);
      seen = new Map([...seen, ...[...(await answers(db, ['main']))].map(([key, answer]) => [key.replace('main', moment), answer] as const)]);
    }
    const live = await answers(db, game.branches);
    // The past is what it was when it was the present.
    expect(await answers(db, past)).toEqual(seen);
    await db.close();
    if (seed % 2 === 0) await rm(join(folder, 'search'), { recursive: true });
    db = await open(folder);
    expect(await answers(db, game.branches)).toEqual(live);
    expect(await answers(db, past)).toEqual(seen);
    expect([...live.values()].some((answer) => (answer as { total: number }).total > 5)).toBe(true);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
