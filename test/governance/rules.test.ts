/** Each rule of a policy: just inside it a merge passes, just outside it waits, with a reason that names the rule, the figure and the limit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AllCommands, Json } from '../../src/commands/contract.ts';
import { type Governed, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
beforeAll(async () => {
  governed = await openGoverned();
  await governed.db.sql({
    sql: `CREATE TABLE orders (id int PRIMARY KEY, price int NOT NULL, note text, tenant int DEFAULT 1);
          INSERT INTO orders SELECT i, i * 10, 'n' || i, i % 2 FROM generate_series(1, 100) i;
          CREATE TABLE items (id int PRIMARY KEY, name text);
          INSERT INTO items SELECT i, 'item ' || i FROM generate_series(1, 100) i;
          CREATE TABLE spare (id int PRIMARY KEY, a text, b text);
          CREATE TABLE points (id int, at int PRIMARY KEY) PARTITION BY RANGE (at);
          CREATE TABLE points_1 PARTITION OF points FOR VALUES FROM (0) TO (100);
          CREATE TABLE points_2 PARTITION OF points FOR VALUES FROM (100) TO (200) PARTITION BY RANGE (at);
          CREATE TABLE points_2a PARTITION OF points_2 FOR VALUES FROM (100) TO (200);
          INSERT INTO points SELECT i, i FROM generate_series(1, 199) i;`,
  });
  await governed.db.set_reader({ name: 'prices', table: 'orders', columns: ['price'], kind: 'dashboard', critical: true });
});
afterAll(() => governed.close());

interface Case {
  name: string;
  rules: { [rule: string]: Json };
  meta?: { [key: string]: Json };
  /** What the branch does; `main` is what happens in main meanwhile. */
  inside?: { sql: string; main?: string; resolve?: 'theirs'; waitMs?: number };
  outside: { sql: string; main?: string; resolve?: 'theirs'; waitMs?: number };
  rule: string;
  found: Json;
  limit: Json;
}

const CASES: Case[] = [
  {
    name: 'max_rows',
    rules: { max_rows: 3 },
    inside: { sql: 'UPDATE items SET name = name || 1 WHERE id <= 3' },
    outside: { sql: 'UPDATE items SET name = name || 1 WHERE id <= 4' },
    rule: 'max_rows',
    found: 4,
    limit: 3,
  },
  {
    name: 'max_deletes',
    rules: { max_deletes: 1 },
    inside: { sql: 'DELETE FROM items WHERE id = 90' },
    outside: { sql: 'DELETE FROM items WHERE id IN (91, 92)' },
    rule: 'max_deletes',
    found: 2,
    limit: 1,
  },
  {
    name: 'max_deletes of 0 holds any delete',
    rules: { max_deletes: 0 },
    inside: { sql: 'INSERT INTO items VALUES (500)' },
    outside: { sql: 'DELETE FROM items WHERE id = 500' },
    rule: 'max_deletes',
    found: 1,
    limit: 0,
  },
  {
    name: 'max_age',
    rules: { max_age: '1h' },
    inside: { sql: 'UPDATE items SET name = $$a$$ WHERE id = 1', waitMs: 3_590_000 },
    outside: { sql: 'UPDATE items SET name = $$b$$ WHERE id = 1', waitMs: 3_610_000 },
    rule: 'max_age',
    found: 3_610_000,
    limit: '1h',
  },
  {
    name: 'tables',
    rules: { tables: ['items'] },
    inside: { sql: 'UPDATE items SET name = $$c$$ WHERE id = 1' },
    outside: { sql: 'UPDATE orders SET note = $$c$$ WHERE id = 1' },
    rule: 'tables',
    found: ['orders'],
    limit: ['items'],
  },
  {
    name: 'review_tables',
    rules: { review_tables: ['orders'] },
    inside: { sql: 'UPDATE items SET name = $$d$$ WHERE id = 1' },
    outside: { sql: 'UPDATE orders SET note = $$d$$ WHERE id = 1' },
    rule: 'review_tables',
    found: ['orders'],
    limit: ['orders'],
  },
  {
    name: 'review_columns',
    rules: { review_columns: ['orders.note', 'orders.tenant'] },
    inside: { sql: 'UPDATE orders SET price = price WHERE id = 2; UPDATE items SET name = $$e$$ WHERE id = 1' },
    outside: { sql: 'UPDATE orders SET note = $$e$$ WHERE id = 2' },
    rule: 'review_columns',
    found: ['orders.note'],
    limit: ['orders.note', 'orders.tenant'],
  },
  {
    name: 'review_columns: an inserted row changes them all',
    rules: { review_columns: ['orders.note'], critical: true },
    outside: { sql: 'INSERT INTO orders (id, price) VALUES (1000, 1)' },
    rule: 'review_columns',
    found: ['orders.note'],
    limit: ['orders.note'],
  },
  {
    name: 'schema',
    rules: {},
    inside: { sql: 'INSERT INTO items VALUES (600)' },
    outside: { sql: 'ALTER TABLE items ADD COLUMN size int' },
    rule: 'schema',
    found: ['creates column items.size'],
    limit: false,
  },
  {
    name: 'schema true lets definitions through',
    rules: { schema: true, tables: ['items'] },
    inside: { sql: 'CREATE VIEW named AS SELECT name FROM items' },
    outside: { sql: 'UPDATE orders SET note = $$x$$ WHERE id = 3' },
    rule: 'tables',
    found: ['orders'],
    limit: ['items'],
  },
  {
    name: 'a table whose definition changes is a changed table: tables',
    rules: { schema: true, tables: ['spare'] },
    inside: { sql: 'ALTER TABLE spare ADD COLUMN c int' },
    outside: { sql: 'ALTER TABLE items ADD COLUMN c int' },
    rule: 'tables',
    found: ['items'],
    limit: ['spare'],
  },
  {
    name: 'a table whose definition changes is a changed table: review_tables',
    rules: { schema: true, review_tables: ['items'] },
    inside: { sql: 'ALTER TABLE spare ADD CHECK (id > 0); CREATE VIEW shown AS SELECT name FROM items' },
    outside: { sql: 'CREATE INDEX ON items (name)' },
    rule: 'review_tables',
    found: ['items'],
    limit: ['items'],
  },
  {
    name: 'a column that goes is a changed column',
    rules: { schema: true, review_columns: ['spare.b'] },
    inside: { sql: 'ALTER TABLE spare RENAME a TO z' },
    outside: { sql: 'ALTER TABLE spare DROP COLUMN b' },
    rule: 'review_columns',
    found: ['spare.b'],
    limit: ['spare.b'],
  },
  {
    name: 'critical: a column that goes',
    rules: { schema: true },
    inside: { sql: 'ALTER TABLE orders ALTER note SET DEFAULT $$-$$' },
    outside: { sql: 'ALTER TABLE orders DROP COLUMN price' },
    rule: 'critical',
    found: ['prices (orders.price)'],
    limit: false,
  },
  {
    name: 'rows of partitions are rows of their table: tables',
    rules: { tables: ['points'] },
    inside: { sql: 'DELETE FROM points WHERE at IN (7, 107)' },
    outside: { sql: 'DELETE FROM points WHERE at = 8; UPDATE items SET name = $$q$$ WHERE id = 1' },
    rule: 'tables',
    found: ['items'],
    limit: ['points'],
  },
  {
    name: 'rows of partitions are rows of their table: review_tables',
    rules: { review_tables: ['points'] },
    inside: { sql: 'UPDATE items SET name = $$q$$ WHERE id = 1' },
    outside: { sql: 'DELETE FROM points WHERE at = 120' },
    rule: 'review_tables',
    found: ['points_2a'],
    limit: ['points'],
  },
  {
    name: 'rows of partitions are rows of their table: review_columns',
    rules: { review_columns: ['points_2.id'] },
    inside: { sql: 'UPDATE points SET id = 1000 WHERE at = 9' },
    outside: { sql: 'UPDATE points SET id = 1000 WHERE at = 121' },
    rule: 'review_columns',
    found: ['points_2.id'],
    limit: ['points_2.id'],
  },
  {
    name: 'rows of partitions are rows of their table: may_change',
    rules: {},
    meta: { may_change: ['points'] },
    inside: { sql: 'UPDATE points SET id = 1000 WHERE at IN (5, 150)' },
    outside: { sql: 'DELETE FROM points WHERE at = 8; UPDATE items SET name = $$r$$ WHERE id = 1' },
    rule: 'scope',
    found: ['items.name'],
    limit: ['points'],
  },
  {
    name: 'overwrite',
    rules: {},
    inside: { sql: 'UPDATE items SET name = $$f$$ WHERE id = 7', main: 'UPDATE items SET name = $$g$$ WHERE id = 8' },
    outside: { sql: 'UPDATE items SET name = $$h$$ WHERE id = 7', main: 'UPDATE items SET name = $$i$$ WHERE id = 7', resolve: 'theirs' },
    rule: 'overwrite',
    found: 1,
    limit: false,
  },
  {
    name: 'critical',
    rules: {},
    inside: { sql: 'UPDATE orders SET note = $$j$$ WHERE id = 4' },
    outside: { sql: 'UPDATE orders SET price = 1 WHERE id = 4' },
    rule: 'critical',
    found: ['prices (orders.price)'],
    limit: false,
  },
  {
    name: 'scope: may_change',
    rules: {},
    meta: { may_change: ['orders.note', 'items'] },
    inside: { sql: 'UPDATE orders SET note = $$k$$ WHERE id = 5; DELETE FROM items WHERE id = 50' },
    outside: { sql: 'UPDATE orders SET tenant = 0 WHERE id = 5' },
    rule: 'scope',
    found: ['orders.tenant'],
    limit: ['orders.note', 'items'],
  },
  {
    name: 'scope: tenant, before and after',
    rules: { critical: true },
    meta: { tenant: { tenant: 1 } },
    inside: { sql: 'UPDATE orders SET note = $$l$$ WHERE id IN (1, 3); UPDATE items SET name = $$l$$ WHERE id = 2' },
    outside: { sql: 'UPDATE orders SET tenant = 1 WHERE id = 10' },
    rule: 'scope',
    found: ['orders/10'],
    limit: { tenant: 1 },
  },
  {
    name: 'scope: max_rows',
    rules: {},
    meta: { max_rows: 1 },
    inside: { sql: 'UPDATE items SET name = $$m$$ WHERE id = 2' },
    outside: { sql: 'UPDATE items SET name = $$n$$ WHERE id IN (2, 3)' },
    rule: 'scope',
    found: 2,
    limit: 1,
  },
];

let branches = 0;
async function attempt(ann: AllCommands, meta: Case['meta'], step: Case['outside']): Promise<{ name: string; merge: Promise<unknown> }> {
  const name = `b${branches++}`;
  await ann.fork({ name, ...(meta === undefined ? {} : { meta }) });
  await ann.sql({ branch: name, sql: step.sql });
  if (step.main !== undefined) await governed.db.sql({ sql: step.main });
  if (step.waitMs !== undefined) governed.clock.step(step.waitMs);
  return { name, merge: ann.merge({ branch: name, ...(step.resolve === undefined ? {} : { resolve: step.resolve }) }) };
}

// contract: service.5, policy.1, policy.2, policy.5, policy.6, policy.7, policy.8, policy.9, policy.10, policy.11, state.8, world.6
describe('rules of a policy', () => {
  for (const [i, { name, rules, meta, inside, outside, rule, found, limit }] of CASES.entries()) {
    test(name, async () => {
      await governed.db.set_merge_policy({ name: `p${i}`, rules });
      const ann = await governed.agent(`ann${i}`, { policy: `p${i}` });
      if (inside !== undefined) {
        const passed = await attempt(ann, meta, inside);
        await expect(passed.merge).resolves.toHaveProperty('merged');
      }
      const { name: branch, merge } = await attempt(ann, meta, outside);
      const reasons = await reasonsOf(merge);
      expect(reasons.map((reason) => reason.rule)).toEqual([rule]);
      expect(reasons[0]).toMatchObject({ found, limit });
      expect(reasons[0].message.startsWith(`${rule}: `)).toBe(true);
      const { reviews } = await governed.db.reviews();
      expect(reviews.find(({ world }) => world === branch)).toMatchObject({ owner: `ann${i}`, policy: `p${i}`, reasons, changed_since: false });
      // Nothing reached main, and the branch stands.
      expect((await governed.db.world({ branch })).name).toBe(branch);
    });
  }

  // contract: policy.3, policy.4
  test('rows and deletes of an hour count the merges before, over a restart, and no longer than the hour', async () => {
    await governed.db.set_merge_policy({ name: 'hourly', rules: { rows_per_hour: 3, deletes_per_hour: 1 } });
    let bob = await governed.agent('bob', { policy: 'hourly' });
    const first = await attempt(bob, undefined, { sql: 'UPDATE items SET name = $$o$$ WHERE id IN (20, 21)' });
    await first.merge;
    await governed.reopen();
    bob = await governed.agent('bob');
    const second = await attempt(bob, undefined, { sql: 'UPDATE items SET name = $$p$$ WHERE id IN (20, 21)' });
    expect(await reasonsOf(second.merge)).toMatchObject([{ rule: 'rows_per_hour', found: 4, limit: 3 }]);
    await bob.discard({ branch: second.name });
    const third = await attempt(bob, undefined, { sql: 'DELETE FROM items WHERE id = 22' });
    await third.merge;
    const fourth = await attempt(bob, undefined, { sql: 'DELETE FROM items WHERE id = 23' });
    expect((await reasonsOf(fourth.merge)).map(({ rule }) => rule)).toEqual(['rows_per_hour', 'deletes_per_hour']);
    governed.clock.step(3_601_000);
    await expect(bob.merge({ branch: fourth.name })).resolves.toEqual({ merged: 1 });
  });

  // contract: policy.13, world.6
  test('a fork without a declared scope is refused under require_scope, and a scope stays as it was declared', async () => {
    await governed.db.set_merge_policy({ name: 'scoped', rules: { require_scope: true } });
    const eve = await governed.agent('eve', { policy: 'scoped' });
    await expect(eve.fork({ name: 'loose' })).rejects.toMatchObject({ code: '42501', message: expect.stringMatching(/^require_scope: /) });
    await eve.fork({ name: 'tight', meta: { may_change: ['items'] } });
    await expect(eve.set_meta({ branch: 'tight', meta: { may_change: ['orders', 'items'] } })).rejects.toMatchObject({ code: '42501' });
    await expect(eve.set_meta({ branch: 'tight', meta: { run_id: 7 } })).resolves.toHaveProperty('meta.run_id', 7);
  });
});
