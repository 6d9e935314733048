/** Merges after which the branch stays: `only_tables`, `only_keys`, `into`, and taking them back. */
import { describe, expect, test } from 'vitest';
import type { Commands } from '../../src/commands/contract.ts';
import { type Open, refused, stateOf, using } from './open.ts';

const put = (db: Commands, branch: string, id: string, n: number): Promise<unknown> => db.put({ branch, table: 't', id, record: { n } });
const state = (db: Commands, branch = 'main'): Promise<unknown> => stateOf(db, branch, ['t']);
const changed = async (db: Commands, branch: string): Promise<string[]> => (await db.diff({ branch })).changes!.map(({ key }) => key);

export function partialMergeTests(open: Open): void {
  const it = (name: string, use: (db: Commands) => Promise<unknown>): void => {
    test(name, () =>
      using(open, async (db) => {
        await put(db, 'main', 'a', 1);
        await put(db, 'main', 'b', 1);
        await db.fork({ name: 'draft' });
        await put(db, 'draft', 'a', 2);
        await put(db, 'draft', 'b', 2);
        await use(db);
      }),
    );
  };

  describe('partial merges', () => {
    it('the branch stays with its rows and a new version', async (db) => {
      expect(await db.merge({ branch: 'draft', only_keys: ['t/a'] })).toEqual({ merged: 1, version: 3 });
      expect(await state(db)).toEqual({ 't/a': { n: 2 }, 't/b': { n: 1 } });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 2 }, 't/b': { n: 2 } });
      await refused('40001', db.merge({ branch: 'draft', version: 2 }));
      expect(await db.merge({ branch: 'draft', version: 3 })).toEqual({ merged: 1 });
    });

    it('merged rows are settled: the branch has them no longer as changes', async (db) => {
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      expect(await changed(db, 'draft')).toEqual(['t/b']);
      await put(db, 'main', 'a', 9);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
      expect(await state(db)).toEqual({ 't/a': { n: 9 }, 't/b': { n: 2 } });
    });

    it('a row settled as ours is settled too', async (db) => {
      await put(db, 'main', 'a', 5);
      expect(await db.merge({ branch: 'draft', only_keys: ['t/a'], resolve: 'ours' })).toEqual({ merged: 0, version: 3 });
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
      expect(await state(db)).toEqual({ 't/a': { n: 5 }, 't/b': { n: 2 } });
    });

    it('a settled row that the branch changes again is merged again', async (db) => {
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      await put(db, 'draft', 'a', 3);
      expect((await db.diff({ branch: 'draft' })).changes![0]).toEqual({ key: 't/a', before: { n: 2 }, after: { n: 3 }, columns: ['n'] });
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 2 });
    });

    it('a conflict outside the part does not matter, inside it refuses', async (db) => {
      await put(db, 'main', 'b', 9);
      await refused('SV409', db.merge({ branch: 'draft', only_keys: ['t/b'] }));
      expect(await db.merge({ branch: 'draft', only_keys: ['t/a'] })).toEqual({ merged: 1, version: 3 });
    });

    it('a partial merge with open forks is allowed', async (db) => {
      await db.fork({ name: 'leaf', from: 'draft' });
      expect(await db.merge({ branch: 'draft', only_tables: ['t'] })).toEqual({ merged: 2, version: 3 });
      expect(await changed(db, 'draft')).toEqual([]);
    });

    it('into the parent merges all and stays', async (db) => {
      expect(await db.merge({ branch: 'draft', into: 'main' })).toEqual({ merged: 2, version: 3 });
      expect(await changed(db, 'draft')).toEqual([]);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 0 });
    });

    it('into a sibling leaves the parent alone and settles nothing', async (db) => {
      await db.fork({ name: 'other' });
      await put(db, 'other', 'z', 1);
      expect(await db.merge({ branch: 'draft', into: 'other' })).toEqual({ merged: 2, version: 3 });
      expect(await state(db, 'other')).toEqual({ 't/a': { n: 2 }, 't/b': { n: 2 }, 't/z': { n: 1 } });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
      expect(await changed(db, 'draft')).toEqual(['t/a', 't/b']);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 2 });
    });

    it('into a sibling that changed the row is a conflict', async (db) => {
      await db.fork({ name: 'other' });
      await put(db, 'other', 'a', 3);
      const { data } = await refused('SV409', db.merge({ branch: 'draft', into: 'other' }));
      expect(data!.conflicts).toMatchObject([{ key: 't/a', base: { n: 1 }, ours: { n: 3 }, theirs: { n: 2 } }]);
    });

    it('a world that never had the table is as one that deleted its rows', async (db) => {
      await db.fork({ name: 'old' });
      for (const id of ['x', 'y']) await db.put({ table: 'late', id, record: { n: 1 } });
      await db.fork({ name: 'new' });
      await db.put({ branch: 'new', table: 'late', id: 'x', record: { n: 2 } });
      await db.delete({ branch: 'new', table: 'late', id: 'y' });
      const { data } = await refused('SV409', db.merge({ branch: 'new', into: 'old' }));
      expect(data!.conflicts).toMatchObject([{ key: 'late/x', base: { n: 1 }, ours: null, theirs: { n: 2 } }]);
      expect((await db.preview({ branch: 'new', into: 'old', resolve: 'theirs' })).rows.map(({ key, outcome }) => [key, outcome])).toEqual([
        ['late/x', 'insert'],
        ['late/y', 'converged'],
      ]);
      expect(await db.merge({ branch: 'new', into: 'old', resolve: 'theirs' })).toEqual({ merged: 1, converged: 1, version: 3 });
      expect(await stateOf(db, 'old', ['late'])).toEqual({ 'late/x': { n: 2 } });
    });

    it('a parent restored to before the table is as one that deleted its rows', async (db) => {
      await db.checkpoint({ name: 'before' });
      await db.put({ table: 'late', id: 'x', record: { n: 1 } });
      await db.fork({ name: 'new' });
      await db.put({ branch: 'new', table: 'late', id: 'x', record: { n: 2 } });
      await db.restore({ checkpoint: 'before' });
      const { data } = await refused('SV409', db.merge({ branch: 'new' }));
      expect(data!.conflicts).toMatchObject([{ key: 'late/x', base: { n: 1 }, ours: null, theirs: { n: 2 } }]);
    });

    it('undo takes the settling back', async (db) => {
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ parent: 'main', undone: 1, skipped: 0 });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
      expect(await changed(db, 'draft')).toEqual(['t/a', 't/b']);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 2 });
      expect(await state(db)).toEqual({ 't/a': { n: 2 }, 't/b': { n: 2 } });
    });

    it('undo takes the latest merge first, then the one before', async (db) => {
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      await db.merge({ branch: 'draft', only_keys: ['t/b'] });
      await db.undo_merge({ branch: 'draft' });
      expect(await state(db)).toEqual({ 't/a': { n: 2 }, 't/b': { n: 1 } });
      await db.undo_merge({ branch: 'draft' });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
      await refused('55000', db.undo_merge({ branch: 'draft' }));
    });

    it('undo of a merge into a sibling names the sibling', async (db) => {
      await db.fork({ name: 'other' });
      await db.merge({ branch: 'draft', into: 'other' });
      expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ parent: 'other', undone: 2 });
      expect(await changed(db, 'other')).toEqual([]);
    });

    it('undo when the sibling is gone is refused', async (db) => {
      await db.fork({ name: 'other' });
      await db.merge({ branch: 'draft', into: 'other' });
      await db.discard({ branch: 'other' });
      await refused('55000', db.undo_merge({ branch: 'draft' }));
    });

    it('undo after a rebase leaves the moved fork point', async (db) => {
      await put(db, 'main', 'a', 5);
      await db.merge({ branch: 'draft', only_keys: ['t/a'], resolve: 'ours' });
      await db.rebase({ branch: 'draft' });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 5 }, 't/b': { n: 2 } });
      await db.undo_merge({ branch: 'draft' });
      expect(await changed(db, 'draft')).toEqual(['t/b']);
    });
  });
}
