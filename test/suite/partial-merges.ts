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
    // contract: state.4, merge.6, merge.11
    it('the branch stays with its rows and a new version', async (db) => {
      expect(await db.merge({ branch: 'draft', only_keys: ['t/a'] })).toEqual({ merged: 1, version: 3 });
      expect(await state(db)).toEqual({ 't/a': { n: 2 }, 't/b': { n: 1 } });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 2 }, 't/b': { n: 2 } });
      await refused('40001', db.merge({ branch: 'draft', version: 2 }));
      expect(await db.merge({ branch: 'draft', version: 3 })).toEqual({ merged: 1 });
    });

    it('merged rows are resolved: they are no longer changes of the branch', async (db) => {
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      expect(await changed(db, 'draft')).toEqual(['t/b']);
      await put(db, 'main', 'a', 9);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
      expect(await state(db)).toEqual({ 't/a': { n: 9 }, 't/b': { n: 2 } });
    });

    it('a row resolved as ours is resolved too', async (db) => {
      await put(db, 'main', 'a', 5);
      expect(await db.merge({ branch: 'draft', only_keys: ['t/a'], resolve: 'ours' })).toEqual({ merged: 0, version: 3 });
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
      expect(await state(db)).toEqual({ 't/a': { n: 5 }, 't/b': { n: 2 } });
    });

    it('a resolved row that the branch changes again is merged again', async (db) => {
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

    // contract: merge.7
    it('into the parent merges all and stays', async (db) => {
      expect(await db.merge({ branch: 'draft', into: 'main' })).toEqual({ merged: 2, version: 3 });
      expect(await changed(db, 'draft')).toEqual([]);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 0 });
    });

    // contract: state.4, merge.7
    it('into a sibling leaves the parent alone and resolves nothing', async (db) => {
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

    it('a world that was forked before a table gets all that the two do not have in common', async (db) => {
      await db.fork({ name: 'old' });
      for (const id of ['x', 'y']) await db.put({ table: 'late', id, record: { n: 1 } });
      await db.fork({ name: 'new' });
      await db.put({ branch: 'new', table: 'late', id: 'x', record: { n: 2 } });
      await db.delete({ branch: 'new', table: 'late', id: 'y' });
      expect(await db.merge({ branch: 'new', into: 'old' })).toEqual({ merged: 1, version: 3 });
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

    it('undo makes the rows changes of the branch again', async (db) => {
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

    it('into a sibling a second time brings only what came since', async (db) => {
      await db.fork({ name: 'other' });
      await db.merge({ branch: 'draft', into: 'other' });
      await db.delete({ branch: 'other', table: 't', id: 'a' });
      expect(await db.merge({ branch: 'draft', into: 'other' })).toMatchObject({ merged: 0 });
      await put(db, 'draft', 'c', 1);
      expect(await db.merge({ branch: 'draft', into: 'other' })).toMatchObject({ merged: 1 });
      expect(await state(db, 'other')).toEqual({ 't/b': { n: 2 }, 't/c': { n: 1 } });
    });

    it('part into a sibling is not brought again', async (db) => {
      await db.fork({ name: 'other' });
      await db.merge({ branch: 'draft', into: 'other', only_keys: ['t/a'] });
      await put(db, 'other', 'a', 1);
      expect(await db.merge({ branch: 'draft', into: 'other' })).toMatchObject({ merged: 1 });
      expect(await state(db, 'other')).toEqual({ 't/a': { n: 1 }, 't/b': { n: 2 } });
    });

    it('main into a fork brings what main changed since, deletions too', async (db) => {
      await put(db, 'draft', 'c', 1);
      await db.delete({ table: 't', id: 'b' }).catch(() => null);
      await put(db, 'main', 'z', 1);
      await refused('SV409', db.merge({ branch: 'main', into: 'draft' }));
      await put(db, 'main', 'b', 1);
      expect(await db.merge({ branch: 'main', into: 'draft' })).toMatchObject({ merged: 1 });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 2 }, 't/b': { n: 2 }, 't/c': { n: 1 }, 't/z': { n: 1 } });
      expect(await changed(db, 'draft')).toEqual(['t/a', 't/b', 't/c']);
      await db.delete({ table: 't', id: 'z' });
      expect(await db.merge({ branch: 'main', into: 'draft' })).toMatchObject({ merged: 1 });
      expect(await changed(db, 'draft')).toEqual(['t/a', 't/b', 't/c']);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 3 });
    });

    it('what came by way of a third world is not brought again', async (db) => {
      await db.fork({ name: 'other' });
      await db.fork({ name: 'third' });
      await db.merge({ branch: 'draft', into: 'other' });
      await db.merge({ branch: 'other', into: 'third' });
      await put(db, 'third', 'a', 7);
      expect(await db.merge({ branch: 'draft', into: 'third' })).toMatchObject({ merged: 0 });
      await put(db, 'draft', 'b', 3);
      expect(await db.merge({ branch: 'draft', into: 'third' })).toMatchObject({ merged: 1 });
      expect(await state(db, 'third')).toEqual({ 't/a': { n: 7 }, 't/b': { n: 3 } });
    });

    it('undo of a merge into a sibling lets it be merged again', async (db) => {
      await db.fork({ name: 'other' });
      await db.merge({ branch: 'draft', into: 'other' });
      await db.undo_merge({ branch: 'draft' });
      expect(await db.merge({ branch: 'draft', into: 'other' })).toMatchObject({ merged: 2 });
    });

    it('undo of a merge of main into a fork lets it be merged again', async (db) => {
      await put(db, 'main', 'z', 1);
      await db.merge({ branch: 'main', into: 'draft' });
      await db.undo_merge({ branch: 'main' });
      expect(await changed(db, 'draft')).toEqual(['t/a', 't/b']);
      expect(await db.merge({ branch: 'main', into: 'draft' })).toMatchObject({ merged: 1 });
    });

    it('undo by a name that a newer world has means the one that was merged', async (db) => {
      await db.merge({ branch: 'draft' });
      await db.fork({ name: 'draft' });
      expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ parent: 'main', undone: 2 });
      for (const id of ['c', 'd']) {
        await db.discard({ branch: 'draft' });
        await db.fork({ name: 'draft' });
        await put(db, 'draft', id, 1);
        await db.merge({ branch: 'draft' });
        await db.fork({ name: 'draft' });
      }
      const { message } = await refused('55000', db.undo_merge({ branch: 'draft' }));
      const ids = [...message.matchAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g)].map(([id]) => id);
      if (ids.length > 0) expect(await db.undo_merge({ branch: ids[0] })).toMatchObject({ undone: 1 });
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
