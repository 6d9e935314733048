/** Worlds that keep what they read: a merge that rests on rows which changed since waits for a person. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AllCommands } from '../../src/commands/contract.ts';
import { codeOf, type Governed, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
let ann: AllCommands;
beforeEach(async () => {
  governed = await openGoverned();
  await governed.db.sql({
    sql: `CREATE TABLE stock (id int PRIMARY KEY, amount int NOT NULL, kind text);
          CREATE INDEX stock_kind ON stock (kind);
          INSERT INTO stock SELECT i, 10, 'k' || i % 5 FROM generate_series(1, 50) i;
          CREATE TABLE orders (id int PRIMARY KEY, item int);`,
  });
  await governed.db.set_merge_policy({ name: 'careful', rules: { check_reads: true } });
  ann = await governed.agent('ann', { policy: 'careful' });
  await ann.fork({ name: 'b' });
});
afterEach(() => governed.close());

const order = (n = 1): Promise<unknown> => ann.put({ branch: 'b', table: 'orders', id: String(n), record: { id: n, item: 7 } });
const rules = async (): Promise<string[]> => (await reasonsOf(ann.merge({ branch: 'b' }))).map(({ rule }) => rule);

interface Case {
  name: string;
  read: () => Promise<unknown>;
  /** Changes something it read. */
  touches: string;
  /** Changes only what it did not read. */
  misses?: string;
  changed: string[];
}
const sql = (text: string) => (): Promise<unknown> => ann.sql({ branch: 'b', sql: text });
const CASES: Case[] = [
  {
    name: 'a row by get',
    read: () => ann.get({ branch: 'b', table: 'stock', id: '7' }),
    touches: 'UPDATE stock SET amount = 0 WHERE id = 7',
    misses: 'UPDATE stock SET amount = 0 WHERE id = 8',
    changed: ['stock/7'],
  },
  {
    name: 'a table by find',
    read: () => ann.find({ branch: 'b', table: 'stock', limit: 1 }),
    touches: 'DELETE FROM stock WHERE id = 50',
    changed: ['stock/50'],
  },
  {
    name: 'a row by key in SQL',
    read: sql('SELECT amount FROM stock WHERE id = 7'),
    touches: 'UPDATE stock SET amount = 0 WHERE id = 7',
    misses: 'UPDATE stock SET amount = 0 WHERE id = 8',
    changed: ['stock/7'],
  },
  {
    name: 'a range of keys in SQL, a row that comes into it included',
    read: sql('SELECT sum(amount) FROM stock WHERE id >= 45'),
    touches: 'INSERT INTO stock VALUES (51, 1)',
    misses: 'UPDATE stock SET amount = 0 WHERE id = 8',
    changed: ['stock/51'],
  },
  { name: 'a scan', read: sql('SELECT count(*) FROM stock WHERE amount > 5'), touches: 'UPDATE stock SET amount = 0 WHERE id = 8', changed: ['stock/8'] },
  {
    name: 'a row that an UPDATE found',
    read: sql('UPDATE orders SET item = 1 WHERE id IN (SELECT amount FROM stock WHERE id = 9)'),
    touches: 'UPDATE stock SET amount = 0 WHERE id = 9',
    misses: 'UPDATE stock SET amount = 0 WHERE id = 10',
    changed: ['stock/9'],
  },
  {
    name: 'a statement inside a transaction',
    read: sql('BEGIN; SELECT * FROM stock WHERE id = 7; COMMIT'),
    touches: 'UPDATE stock SET amount = 0 WHERE id = 7',
    misses: 'UPDATE stock SET amount = 0 WHERE id = 8',
    changed: ['stock/7'],
  },
];

for (const { name, read, touches, misses, changed } of CASES) {
  // contract: policy.12, state.18, op.check_reads
  test(`${name}: the merge waits once it changed`, async () => {
    await read();
    await order();
    expect(await ann.check_reads({ branch: 'b' })).toEqual({ branch: 'b', stale: false, changed: [] });
    if (misses !== undefined) {
      await governed.db.sql({ sql: misses });
      expect((await ann.check_reads({ branch: 'b' })).stale).toBe(false);
    }
    await governed.db.sql({ sql: touches });
    expect(await ann.check_reads({ branch: 'b' })).toEqual({ branch: 'b', stale: true, changed: [{ checked_against: 'main', changed }] });
    expect(await rules()).toEqual(['check_reads']);
    await expect(ann.rebase({ branch: 'b' })).rejects.toMatchObject({ code: '40001' });
    // A person may take it as it is.
    expect(await governed.db.merge({ branch: 'b' })).toEqual({ merged: 1 });
  });
}

test('what was read survives a restart and a lost cache, also when nothing was written after it', async () => {
  await ann.get({ branch: 'b', table: 'stock', id: '7' });
  await governed.reopen();
  ann = await governed.agent('ann');
  await governed.db.sql({ sql: 'UPDATE stock SET amount = 0 WHERE id = 7' });
  await order();
  expect(await rules()).toEqual(['check_reads']);
});

test('a nested branch hands what it read to the world it is merged into', async () => {
  await ann.fork({ name: 'inner', from: 'b' });
  await ann.get({ branch: 'inner', table: 'stock', id: '7' });
  await ann.put({ branch: 'inner', table: 'orders', id: '1', record: { id: 1, item: 7 } });
  await ann.merge({ branch: 'inner' });
  await governed.db.sql({ sql: 'UPDATE stock SET amount = 0 WHERE id = 7' });
  expect(await rules()).toEqual(['check_reads']);
});

test('a rebase whose reads hold succeeds, and they are checked from the new fork point', async () => {
  await ann.get({ branch: 'b', table: 'stock', id: '7' });
  await order();
  await governed.db.sql({ sql: 'UPDATE stock SET amount = 0 WHERE id = 8' });
  await ann.rebase({ branch: 'b' });
  await governed.db.sql({ sql: 'UPDATE stock SET amount = 0 WHERE id = 7' });
  expect(await rules()).toEqual(['check_reads']);
});

// contract: op.check_reads, error.55000
test('other worlds do not check their reads', async () => {
  const zoe = await governed.agent('zoe');
  await zoe.fork({ name: 'z' });
  expect(await codeOf(zoe.check_reads({ branch: 'z' }))).toBe('55000');
  expect(await codeOf(governed.db.check_reads({ branch: 'main' }))).toBe('55000');
  expect(await codeOf(ann.check_reads({ branch: 'never' }))).toBe('3D000');
});
