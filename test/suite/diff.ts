/** Every mode of `diff`. */
import { describe, expect, test } from 'vitest';
import type { Commands, DiffInput } from '../../src/commands/contract.ts';
import { type Open, refused, stateOf, using } from './open.ts';

/** `draft` against its fork point: s/z deleted, t/a updated, t/b deleted, t/n inserted, u/x inserted. */
async function example(db: Commands): Promise<void> {
  await db.batch({
    rows: [
      ['s', 'z'],
      ['t', 'a'],
      ['t', 'b'],
      ['t', 'c'],
    ].map(([table, id]) => ({ table, id, record: { n: 1, m: 'x' } })),
  });
  await db.fork({ name: 'draft' });
  await db.batch({
    branch: 'draft',
    rows: [
      { table: 's', id: 'z', record: null },
      { table: 't', id: 'a', record: { n: 2, k: null } },
      { table: 't', id: 'b', record: null },
      { table: 't', id: 'n', record: { n: 1 } },
      { table: 'u', id: 'x', record: {} },
    ],
  });
}

const CHANGES = [
  { key: 's/z', before: { n: 1, m: 'x' }, after: null, columns: ['m', 'n'] },
  { key: 't/a', before: { n: 1, m: 'x' }, after: { n: 2, k: null }, columns: ['k', 'm', 'n'] },
  { key: 't/b', before: { n: 1, m: 'x' }, after: null, columns: ['m', 'n'] },
  { key: 't/n', before: null, after: { n: 1 }, columns: ['n'] },
  { key: 'u/x', before: null, after: {}, columns: [] },
];

export function diffSuite(open: Open): void {
  const it = (name: string, use: (db: Commands) => Promise<unknown>): void => {
    test(name, () =>
      using(open, async (db) => {
        await example(db);
        await use(db);
      }),
    );
  };

  describe('diff', () => {
    // contract: change.1, diff.1
    it('plain: each changed row against the fork point, in key order, with the version', async (db) => {
      expect(await db.diff({ branch: 'draft' })).toEqual({ changes: CHANGES, version: 1 });
    });

    it('later writes of the parent do not show', async (db) => {
      await db.put({ table: 't', id: 'c', record: { n: 9 } });
      await db.put({ table: 't', id: 'a', record: { n: 9 } });
      expect((await db.diff({ branch: 'draft' })).changes).toEqual(CHANGES);
    });

    it('a fork just made has no changes', async (db) => {
      await db.fork({ name: 'leaf', from: 'draft' });
      expect(await db.diff({ branch: 'leaf' })).toEqual({ changes: [], version: 0 });
    });

    it('a row put again as it was is no change', async (db) => {
      await db.fork({ name: 'leaf', from: 'draft' });
      await db.put({ branch: 'leaf', table: 't', id: 'a', record: { k: null, n: 2 } });
      await db.put({ branch: 'leaf', table: 't', id: 'q', record: {} });
      await db.delete({ branch: 'leaf', table: 't', id: 'q' });
      expect(await db.diff({ branch: 'leaf' })).toEqual({ changes: [], version: 3 });
    });

    // contract: diff.2
    it('with to: before is branch, after is to', async (db) => {
      const forth = (await db.diff({ branch: 'main', to: 'draft' })).changes!;
      expect(forth).toEqual(CHANGES);
      const back = (await db.diff({ branch: 'draft', to: 'main' })).changes!;
      expect(back).toEqual(CHANGES.map(({ key, before, after, columns }) => ({ key, before: after, after: before, columns })));
    });

    it('a world against itself is empty', async (db) => expect((await db.diff({ branch: 'main', to: 'main' })).changes).toEqual([]));

    // contract: diff.2
    it('siblings can be compared', async (db) => {
      await db.fork({ name: 'other' });
      await db.put({ branch: 'other', table: 't', id: 'a', record: { n: 3 } });
      expect((await db.diff({ branch: 'draft', to: 'other' })).changes!.find(({ key }) => key === 't/a')).toMatchObject({ before: { n: 2 }, after: { n: 3 } });
    });

    // contract: diff.4
    it('deletes true: only deleted rows; false: only the others', async (db) => {
      expect((await db.diff({ branch: 'draft', deletes: true })).changes!.map(({ key }) => key)).toEqual(['s/z', 't/b']);
      expect((await db.diff({ branch: 'draft', deletes: false })).changes!.map(({ key }) => key)).toEqual(['t/a', 't/n', 'u/x']);
    });

    // contract: diff.5
    it('count: totals and a summary, the tables that delete most first', async (db) => {
      expect(await db.diff({ branch: 'draft', count: true })).toMatchObject({
        total: 5,
        tables: { s: 1, t: 3, u: 1 },
        summary: [
          { table: 's', deleted: 1, updated: 0, inserted: 0 },
          { table: 't', deleted: 1, updated: 1, inserted: 1 },
          { table: 'u', deleted: 0, updated: 0, inserted: 1 },
        ],
        effects: [],
      });
      expect(await db.diff({ branch: 'draft', count: true })).not.toHaveProperty('changes');
      expect(await db.diff({ branch: 'main', to: 'draft', count: true })).not.toHaveProperty('effects');
    });

    it('count of deletes only', async (db) =>
      expect(await db.diff({ branch: 'draft', count: true, deletes: true })).toMatchObject({ total: 2, tables: { s: 1, t: 1 } }));

    it('count of nothing', async (db) =>
      expect(await db.diff({ branch: 'main', to: 'main', count: true })).toMatchObject({ total: 0, tables: {}, summary: [] }));

    // contract: diff.6
    it('a page has the first n changes and the key for the next page', async (db) => {
      expect(await db.diff({ branch: 'draft', limit: 2 })).toEqual({ changes: CHANGES.slice(0, 2), next: 't/a', version: 1 });
      expect(await db.diff({ branch: 'draft', limit: 2, after: 't/a' })).toEqual({ changes: CHANGES.slice(2, 4), next: 't/n', version: 1 });
      expect(await db.diff({ branch: 'draft', limit: 2, after: 't/n' })).toEqual({ changes: CHANGES.slice(4), next: null, version: 1 });
      expect(await db.diff({ branch: 'draft', limit: 5 })).toMatchObject({ next: null });
      expect(await db.diff({ branch: 'draft', after: 't/b' })).toEqual({ changes: CHANGES.slice(3), next: null, version: 1 });
    });

    it('a page after a key that did not change', async (db) => {
      expect((await db.diff({ branch: 'draft', limit: 9, after: 't/aa' })).changes).toEqual(CHANGES.slice(2));
      expect((await db.diff({ branch: 'draft', limit: 9, after: 'a/a' })).changes).toEqual(CHANGES);
      expect((await db.diff({ branch: 'draft', limit: 9, after: 'z/z' })).changes).toEqual([]);
    });

    // contract: diff.6
    it('a page with count has total and tables of the whole', async (db) => {
      expect(await db.diff({ branch: 'draft', limit: 1, after: 't/a', count: true })).toMatchObject({
        changes: [CHANGES[2]],
        next: 't/b',
        total: 5,
        tables: { s: 1, t: 3, u: 1 },
      });
    });

    // contract: diff.9
    it("a later page at the first page's version is refused once the branch changed", async (db) => {
      const { next, version } = await db.diff({ branch: 'draft', limit: 2 });
      expect(await db.diff({ branch: 'draft', limit: 2, after: next!, version })).toMatchObject({ next: 't/n' });
      await db.put({ branch: 'draft', table: 't', id: 'new', record: {} });
      await refused('40001', db.diff({ branch: 'draft', limit: 2, after: next!, version }));
    });

    // contract: diff.3
    it("sql: one statement a row, a table's definition before its rows", async (db) => {
      const { sql } = await db.diff({ branch: 'draft', sql: true });
      expect(sql!.every((statement) => statement.length > 0)).toBe(true);
      const heads = sql!.map((statement) => statement.split(' ').slice(0, 3).join(' '));
      expect(heads.filter((head) => /^(INSERT|UPDATE|DELETE)/.test(head)).sort()).toEqual([
        'DELETE FROM "s"',
        'DELETE FROM "t"',
        'INSERT INTO "t"',
        'INSERT INTO "u"',
        'UPDATE "t" SET',
      ]);
      expect(heads.findIndex((head) => head === 'CREATE TABLE "u"')).toBeLessThan(heads.indexOf('INSERT INTO "u"'));
      expect(heads).toContain('CREATE TABLE "u"');
    });

    it('sql of nothing is empty', async (db) => expect((await db.diff({ branch: 'main', to: 'main', sql: true })).sql).toEqual([]));

    it('sql quotes names and values', async (db) => {
      await db.fork({ name: 'leaf', from: 'draft' });
      await db.put({ branch: 'leaf', table: 't', id: "o'b", record: { 'a"b': "it's" } });
      const text = (await db.diff({ branch: 'leaf', sql: true })).sql!.join('\n');
      expect(text).toContain("'o''b'");
      expect(text).toContain('"a""b"');
      expect(text).toContain("'it''s'");
    });

    it('keys sort by bytes of table and id, not of the escaped text', async (db) => {
      await db.fork({ name: 'leaf', from: 'draft' });
      const ids = ['a,b', 'a-b', 'a/b', 'a0', 'a%', 'A', 'é', '\uFFFD', '🙂'];
      for (const id of ids) await db.put({ branch: 'leaf', table: 'k', id, record: {} });
      await db.put({ branch: 'leaf', table: 'K', id: 'x', record: {} });
      const pages: string[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page: { changes?: { key: string }[]; next?: string | null } = await db.diff({ branch: 'leaf', limit: 1, after: after ?? undefined } as DiffInput);
        pages.push(...page.changes!.map(({ key }) => key));
        after = page.next!;
      }
      expect(pages).toEqual(['K/x', 'k/A', 'k/a%25', 'k/a%2Cb', 'k/a-b', 'k/a%2Fb', 'k/a0', 'k/é', 'k/\uFFFD', 'k/🙂']);
    });

    it("a deleted table's rows and a created one's rows read from past moments", async (db) => {
      const { changes } = await db.diff({ branch: 'main@-0s', to: 'draft' });
      expect(changes).toEqual(CHANGES);
      expect(await stateOf(db, 'main', ['u'])).toEqual({});
    });
  });
}
