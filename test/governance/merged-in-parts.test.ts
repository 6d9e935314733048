/** What a policy counts cannot be split: partial merges, forks of forks, definitions that blank values; and what rules name exists. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AllCommands, Json } from '../../src/commands/contract.ts';
import { codeOf, type Governed, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
beforeEach(async () => {
  governed = await openGoverned();
  await governed.db.sql({
    sql: `CREATE TABLE stock (id int PRIMARY KEY, amount int, note text);
          INSERT INTO stock SELECT i, 10, 'n' FROM generate_series(1, 20) i;
          CREATE TABLE other (id int PRIMARY KEY);
          CREATE VIEW low AS SELECT id FROM stock WHERE amount < 3;`,
  });
});
afterEach(() => governed.close());

const keys = (...ids: number[]): string[] => ids.map((id) => `stock/${id}`);
async function agent(name: string, rules: { [rule: string]: Json }): Promise<AllCommands> {
  await governed.db.set_merge_policy({ name: `of_${name}`, rules });
  return governed.agent(name, { policy: `of_${name}` });
}
const rulesOf = async (merge: Promise<unknown>): Promise<string[]> => (await reasonsOf(merge)).map(({ rule }) => rule);

describe('limits count all that a branch has merged', () => {
  test('rows, in parts and over a restart', async () => {
    let ann = await agent('ann', { max_rows: 2 });
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 1 WHERE id <= 3' });
    await ann.merge({ branch: 'b', only_keys: keys(1, 2) });
    await governed.reopen();
    ann = await governed.agent('ann');
    const reasons = await reasonsOf(ann.merge({ branch: 'b' }));
    expect(reasons).toMatchObject([{ rule: 'max_rows', found: 3, limit: 2 }]);
    // An approved merge uses no budget; the rest may still be requested.
    await expect(governed.db.review({ branch: 'b', verdict: 'approve' })).resolves.toMatchObject({ merged: 1 });
  });

  test('deletes', async () => {
    const ann = await agent('ann', { max_deletes: 1 });
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'DELETE FROM stock WHERE id <= 2; UPDATE stock SET amount = 1 WHERE id = 3' });
    await ann.merge({ branch: 'b', only_keys: keys(1) });
    await ann.merge({ branch: 'b', only_keys: keys(3) });
    expect(await rulesOf(ann.merge({ branch: 'b' }))).toEqual(['max_deletes']);
  });

  // contract: world.6
  test('what the world declared', async () => {
    const ann = await agent('ann', {});
    await ann.fork({ name: 'b', meta: { max_rows: 2 } });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 1 WHERE id <= 3' });
    await ann.merge({ branch: 'b', only_keys: keys(1, 2) });
    expect(await rulesOf(ann.merge({ branch: 'b' }))).toEqual(['scope']);
  });

  test('of a branch whose end changes nothing more', async () => {
    const ann = await agent('ann', { max_rows: 2 });
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 1 WHERE id <= 2' });
    await ann.merge({ branch: 'b', only_keys: keys(1, 2) });
    await expect(ann.merge({ branch: 'b' })).resolves.toMatchObject({ merged: 0 });
  });

  test('through forks of the branch', async () => {
    const ann = await agent('ann', { max_rows: 2 });
    await ann.fork({ name: 'top' });
    for (const [i, name] of ['one', 'two'].entries()) {
      await ann.fork({ name, from: 'top' });
      await ann.sql({ branch: name, sql: `UPDATE stock SET amount = 1 WHERE id IN (${2 * i + 1}, ${2 * i + 2})` });
    }
    await ann.merge({ branch: 'one', into: 'main' });
    expect(await rulesOf(ann.merge({ branch: 'two', into: 'main' }))).toEqual(['max_rows']);
  });

  test.each([
    ['a column dropped', 'ALTER TABLE stock DROP note', 20],
    ['a column dropped and added again', 'ALTER TABLE stock DROP note; ALTER TABLE stock ADD note text', 20],
    ['another type', 'ALTER TABLE stock ALTER note TYPE int USING 0', 20],
    ['a column without values', 'ALTER TABLE stock ADD more int; ALTER TABLE stock DROP more', null],
  ])('values that go with a definition: %s', async (_what, sql, found) => {
    const ann = await agent('ann', { max_rows: 5, schema: true });
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql });
    if (found === null) await expect(ann.merge({ branch: 'b' })).resolves.toHaveProperty('merged');
    else expect(await reasonsOf(ann.merge({ branch: 'b' }))).toMatchObject([{ rule: 'max_rows', found, limit: 5 }]);
  });
});

describe('rules name existing objects, and keep referring to them after renames', () => {
  test.each([
    [{ tables: ['stokc'] }, '42P01'],
    [{ review_tables: ['nothing'] }, '42P01'],
    [{ review_columns: ['stock.amuont'] }, '42703'],
    [{ review_columns: ['nothing.at'] }, '42P01'],
    [{ reviewer: 'nobody' }, '42704'],
    [{ tables: ['stock', 'public.other'], review_columns: ['stock.note'], review_tables: ['low'] }, 'ok'],
  ] as [{ [rule: string]: Json }, string][])('%j: %s', async (rules, code) => {
    expect(await codeOf(governed.db.set_merge_policy({ name: 'p', rules }))).toBe(code);
    const { policies } = await governed.db.merge_policies();
    expect(policies.length).toBe(code === 'ok' ? 1 : 0);
    // Nothing but the rules is shown.
    expect(policies.map((each) => Object.keys(each)).flat()).not.toContain('objects');
    const list = Object.entries(rules).map(
      ([rule, value]) => `${rule} = ${Array.isArray(value) ? `(${value.map((each) => `'${String(each)}'`).join()})` : String(value)}`,
    );
    expect(await codeOf(governed.db.sql({ sql: `CREATE MERGE POLICY q (${list.join(', ')})` }))).toBe(code);
  });

  test('a table that only a branch has is known; checks and readers ask for theirs', async () => {
    const { db } = governed;
    await db.fork({ name: 'draft' });
    await db.sql({ branch: 'draft', sql: 'CREATE TABLE coming (id int PRIMARY KEY)' });
    await expect(db.set_merge_policy({ name: 'p', rules: { tables: ['coming'] } })).resolves.toMatchObject({ tables: ['coming'] });
    expect(await codeOf(db.set_merge_check({ name: 'c', query: 'SELECT 1 WHERE false', tables: ['nothing'] }))).toBe('42P01');
    expect(await codeOf(db.set_reader({ name: 'r', table: 'nothing' }))).toBe('42P01');
    expect(await codeOf(db.set_reader({ name: 'r', table: 'stock', columns: ['nothing'] }))).toBe('42703');
  });

  test('a policy for a missing agent is not stored, and no agent gets it', async () => {
    const { db } = governed;
    await governed.agent('ann');
    expect(await codeOf(db.set_merge_policy({ name: 'p', rules: { max_rows: 1 }, agents: ['ann', 'nobody'] }))).toBe('42704');
    expect((await db.merge_policies()).policies).toEqual([]);
    expect((await db.agents()).agents[0].policy).toBeNull();
    await db.set_merge_policy({ name: 'p', rules: { max_rows: 1 }, agents: ['ann'] });
    expect((await db.agents()).agents[0].policy).toBe('p');
  });

  test('a renamed table and column are still watched, under their new names', async () => {
    const ann = await agent('ann', { review_columns: ['stock.note'], tables: ['stock'], critical: false });
    const { db } = governed;
    await db.set_reader({ name: 'board', table: 'stock', columns: ['amount'], critical: true });
    await db.set_merge_check({ name: 'few', query: 'SELECT 1 FROM low HAVING count(*) > 0', tables: ['low'] });
    await db.sql({ sql: 'ALTER TABLE stock RENAME TO goods; ALTER TABLE goods RENAME note TO remark; CREATE TABLE stock (id int PRIMARY KEY)' });
    const merged = async (name: string, sql: string): Promise<string[]> => {
      await ann.fork({ name });
      await ann.sql({ branch: name, sql });
      try {
        return await rulesOf(ann.merge({ branch: name }));
      } catch {
        return [];
      }
    };
    expect(await merged('a', "UPDATE goods SET remark = 'x' WHERE id = 1")).toEqual(['review_columns']);
    expect(await merged('b', 'UPDATE goods SET amount = 5 WHERE id = 1')).toEqual(['critical']);
    expect(await merged('c', 'INSERT INTO stock VALUES (1)')).toEqual(['tables']);
    expect(await merged('d', 'UPDATE goods SET amount = 1 WHERE id = 1')).toEqual(['critical', 'merge check']);
  });
});

describe('an agent under a policy', () => {
  // contract: identity.1
  test('changes main by merges alone, with write_main, too', async () => {
    const ann = await agent('ann', { max_rows: 2 });
    for (const work of [
      () => ann.sql({ sql: 'UPDATE stock SET amount = 0' }),
      () => ann.put({ table: 'notes', id: 'a', record: {} }),
      () => ann.sql({ sql: 'CREATE TABLE mine (id int)' }),
      () => ann.sql({ sql: 'BEGIN; DELETE FROM stock; COMMIT' }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: '42501', status: 403, message: expect.stringContaining('under the merge policy "of_ann"') });
    }
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 0 WHERE id = 1' });
    await expect(ann.merge({ branch: 'b' })).resolves.toEqual({ merged: 1 });
    await governed.db.alter_agent({ name: 'ann', policy: null });
    await expect(ann.sql({ sql: 'UPDATE stock SET amount = 1 WHERE id = 1' })).resolves.toHaveProperty('version');
  });

  test('with admin is as free as it could make itself', async () => {
    await governed.db.set_merge_policy({ name: 'p', rules: { max_rows: 0 } });
    const root = await governed.agent('root', { can: ['admin'], policy: 'p' });
    await expect(root.sql({ sql: 'UPDATE stock SET amount = 1 WHERE id = 1' })).resolves.toHaveProperty('version');
  });
});
