/**
 * A partitioned table is searched as a table that is not partitioned and has the same rows: the same rows in the same order, scores to the
 * bit, exact totals. Random changes in several worlds, which also move rows between partitions, searched now, in the past and after a start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

const WORDS = ['lamp', 'red', 'blue', 'chair', 'table', 'green', 'shade', 'glass', 'lampshade', 'tables'];
const QUERIES = ['lamp', 'red blue', 'chair table green', '"red lamp"', 'lamp*', 'ta* "red blue"'];
const COLUMNS = 'id int NOT NULL, kind int NOT NULL, title text, body text, e vector(3), PRIMARY KEY (id, kind)';
/** Ranges, one of them by lists once more, one with other column numbers and order, and a default one. */
const TABLES = `CREATE EXTENSION vector; CREATE TABLE twin (${COLUMNS}); CREATE TABLE whole (${COLUMNS}) PARTITION BY RANGE (id);
  CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (20);
  CREATE TABLE middle PARTITION OF whole FOR VALUES FROM (20) TO (40) PARTITION BY LIST (kind);
  CREATE TABLE even PARTITION OF middle FOR VALUES IN (0, 2); CREATE TABLE odd PARTITION OF middle DEFAULT;
  CREATE TABLE other (e vector(3), gone text, body text, kind int NOT NULL, id int NOT NULL, title text, PRIMARY KEY (id, kind));
  ALTER TABLE other DROP COLUMN gone; ALTER TABLE whole ATTACH PARTITION other FOR VALUES FROM (40) TO (60);
  CREATE TABLE rest PARTITION OF whole DEFAULT; CREATE INDEX ON whole (title);
  CREATE TABLE near (id int PRIMARY KEY, title text, e vector(3)) PARTITION BY HASH (id);
  CREATE TABLE near0 PARTITION OF near FOR VALUES WITH (MODULUS 3, REMAINDER 0); CREATE TABLE near1 PARTITION OF near FOR VALUES WITH (MODULUS 3, REMAINDER 1);
  CREATE TABLE near2 PARTITION OF near FOR VALUES WITH (MODULUS 3, REMAINDER 2); CREATE TABLE near_twin (id int PRIMARY KEY, title text, e vector(3));
  CREATE INDEX ON near (title)`;
const PAIRS = [
  ['whole', 'twin'],
  ['near', 'near_twin'],
] as const;
const ROUNDS = 40;

class Changes {
  readonly #next: () => number;
  readonly db: Database;
  readonly branches = ['main'];

  constructor(db: Database, seed: number) {
    this.db = db;
    this.#next = seeded(seed);
  }

  whole(below: number): number {
    return Math.floor(this.#next() * below);
  }

  text(): string {
    return Array.from({ length: 1 + this.whole(8) }, () => WORDS[this.whole(WORDS.length)]).join(' ');
  }

  vector(): string | null {
    return this.whole(8) === 0 ? null : `[${Array.from({ length: 3 }, () => this.whole(17) / 4 - 2).join(',')}]`;
  }

  /** In the partitioned table and in the other one, which take or refuse it alike. */
  async #both(
    branch: string,
    sql: (table: string) => string,
    params: (string | number | null)[] = [],
    pairs: readonly (readonly [string, string])[] = PAIRS,
  ): Promise<void> {
    for (const pair of pairs) {
      const codes: (string | null)[] = [];
      for (const table of pair) {
        codes.push(
          await this.db.sql({ branch, sql: sql(table), params }).then(
            () => null,
            (error: { code: string }) => error.code,
          ),
        );
      }
      expect(codes[0]).toBe(codes[1]);
    }
  }

  async step(): Promise<void> {
    const branch = this.branches[this.whole(this.branches.length)];
    const kind = this.whole(12);
    if (kind < 5) {
      const values = [this.whole(70), this.whole(4), this.text(), this.text(), this.vector()];
      const sql =
        'INSERT INTO %t VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id, kind) DO UPDATE SET title = excluded.title, body = excluded.body, e = excluded.e';
      await this.#both(branch, (table) => sql.replace('%t', table), values, [PAIRS[0]]);
      const short = 'INSERT INTO %t VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET title = excluded.title, e = excluded.e';
      await this.#both(branch, (table) => short.replace('%t', table), [values[0], values[2], values[4]], [PAIRS[1]]);
    } else if (kind < 7) {
      const digit = this.whole(10);
      await this.#both(branch, (table) => `DELETE FROM ${table} WHERE id % 10 = ${digit}`);
    } else if (kind < 8) await this.#both(branch, (table) => `UPDATE ${table} SET title = title || ' glass' WHERE id % 7 = 3`);
    else if (kind < 10) {
      const [from, to] = [this.whole(70), this.whole(70)];
      await this.#both(branch, (table) => `UPDATE ${table} SET id = ${to} WHERE id = ${from}`);
    } else if (this.branches.length < 3) {
      const name = `w${this.branches.length}`;
      await this.db.fork({ name, from: branch });
      this.branches.push(name);
    }
  }
}

async function compared(db: Database, branches: readonly string[]): Promise<number> {
  let found = 0;
  for (const branch of branches) {
    for (const pair of PAIRS) {
      const answers = async (ask: (table: string) => Promise<unknown>): Promise<unknown> => {
        const [own, twin] = [await ask(pair[0]), await ask(pair[1])];
        expect(own).toEqual(twin);
        return own;
      };
      const find = async (more: object): Promise<void> => {
        const reply = await answers(async (table) => {
          const { total, hits, next_offset } = await db.find({ branch, table, ...more });
          return { total, next_offset, hits: hits.map((hit) => ({ ...hit, table: undefined })) };
        });
        found += (reply as { total: number }).total;
      };
      for (const text of QUERIES) {
        await find({ text, limit: 100 });
        await find({ text, limit: 5, offset: 3, snippets: true });
        if (!branch.includes('@')) {
          await answers(
            async (table) => (await db.sql({ branch, sql: `SELECT id, title, score FROM bm25(${table}, $1) WHERE id < 65`, params: [text] })).results[0].rows,
          );
          await answers(async (table) => (await db.sql({ branch, sql: `SELECT * FROM bm25(${table}, $1, 4)`, params: [text] })).results[0].rows);
        }
      }
      await find({ text: 'red lamp', where: { id: 30 }, limit: 100 });
      for (const vector of [
        [1, 0.5, -1],
        [0, 0, 0],
        [-2, 1, 0.25],
      ]) {
        await find({ vector, vector_field: 'e', limit: 100 });
        await find({ vector, vector_field: 'e', limit: 4, offset: 2 });
        // Only the partitioned one has an index for it.
        await find({ vector, vector_field: 'e', where: { title: 'lamp' }, limit: 100 });
        await find({ vector, vector_field: 'e', text: 'red lamp', where: { title: 'red' }, limit: 100 });
        await find({ vector, vector_field: 'e', text: 'red lamp', limit: 20 });
      }
    }
  }
  return found;
}

test.each([1, 2, 3])('a partitioned table is ranked as one table of the same rows, to the bit (seed %i)', async (seed) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-parts-'));
  let db = await open(folder);
  try {
    await db.sql({ sql: TABLES });
    const changes = new Changes(db, seed);
    const moments: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await changes.step();
      if (round % 8 === 7) await compared(db, changes.branches);
      if (round % 20 === 10) moments.push(`main@${(await db.checkpoint({ name: `c${round}` })).at}`);
    }
    expect(await compared(db, [...changes.branches, ...moments])).toBeGreaterThan(500);
    await db.close();
    db = await open(folder);
    await compared(db, [...changes.branches, ...moments]);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
