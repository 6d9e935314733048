/** Worlds: fork, list, describe, merge and its options, rebase, undo, checkpoint, restore, discard. */
import { GUEST } from '../../src/session/principal.ts';
import { describe, expect, test } from 'vitest';
import type { Commands } from '../../src/commands/contract.ts';
import { type Open, refused, stateOf, using } from './open.ts';
import { partialMergeTests } from './partial-merges.ts';

const put = (db: Commands, branch: string, key: string, n: unknown): Promise<unknown> => {
  const [table, id] = key.split('/');
  return db.put({ branch, table, id, record: { n: n as number } });
};
const state = (db: Commands, branch = 'main'): Promise<unknown> => stateOf(db, branch, ['t', 's']);
const names = async (db: Commands): Promise<string[]> => (await db.branches()).branches.map(({ name }) => name);

export function worldsSuite(open: Open): void {
  const it = (name: string, use: Parameters<typeof using>[1]): void => {
    test(name, () => using(open, (db, clock) => use(db, clock)));
  };

  describe('worlds', () => {
    it('a new database has one world, main', async (db) => {
      const { branches } = await db.branches();
      expect(branches).toHaveLength(1);
      expect(branches[0]).toMatchObject({
        name: 'main',
        parent: null,
        depth: 0,
        version: 0,
        flagged: false,
        meta: {},
        owner: null,
        expires: null,
        pinned: false,
        checkpoints: [],
      });
      expect(branches[0].created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    });

    // contract: world.1, world.3, op.fork, op.world
    it('a fork replies with the new world', async (db, clock) => {
      clock.step();
      const { ok, world } = await db.fork({ name: 'draft', meta: { intent: 'try' } }, GUEST);
      expect(ok).toBe(true);
      expect(world).toMatchObject({
        name: 'draft',
        parent: 'main',
        depth: 1,
        version: 0,
        flagged: false,
        meta: { intent: 'try' },
        owner: 'guest',
        expires: null,
        pinned: false,
        checkpoints: [],
        created: clock.iso(),
      });
      expect(await db.world({ branch: 'draft' })).toEqual(world);
      expect(await db.world({ branch: world.id })).toEqual(world);
      expect((await db.branches()).branches.find(({ name }) => name === 'draft')).toEqual(world);
    });

    it('forks of forks count their depth and name their parent', async (db) => {
      await db.fork({ name: 'a' });
      await db.fork({ name: 'b', from: 'a' });
      expect((await db.fork({ name: 'c', from: 'b' })).world).toMatchObject({ parent: 'b', depth: 3, owner: null });
      expect((await names(db)).sort()).toEqual(['a', 'b', 'c', 'main']);
    });

    it("a fork has its parent's rows", async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 1 } });
    });

    it('a fork sees no later write of its parent', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'main', 't/a', 2);
      await put(db, 'main', 's/b', 2);
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 1 } });
    });

    it('a parent sees no write of its fork, nor do siblings', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await db.fork({ name: 'other' });
      await put(db, 'draft', 't/a', 2);
      await db.fork({ name: 'leaf', from: 'draft' });
      await put(db, 'leaf', 't/a', 3);
      for (const [branch, n] of [
        ['main', 1],
        ['other', 1],
        ['draft', 2],
        ['leaf', 3],
      ] as const)
        expect(await state(db, branch)).toEqual({ 't/a': { n } });
    });

    // contract: http.5, op.world
    it('a world id works wherever a name does', async (db) => {
      const {
        world: { id },
      } = await db.fork({ name: 'draft' });
      await put(db, id, 't/a', 1);
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 1 } });
      expect((await db.diff({ branch: id })).changes).toHaveLength(1);
      expect((await db.history({ branch: id })).events[0]).toMatchObject({ world: 'draft', event: 'write' });
      expect((await db.fork({ name: 'leaf', from: id })).world.parent).toBe('draft');
      await db.discard({ branch: 'leaf' });
      expect(await db.merge({ branch: id })).toEqual({ merged: 1 });
      expect((await db.undo_merge({ branch: id })).undone).toBe(1);
    });

    it('ids are never used again, names are', async (db) => {
      const ids = new Set<string>();
      for (let n = 0; n < 3; n++) {
        ids.add((await db.fork({ name: 'draft' })).world.id);
        await db.discard({ branch: 'draft' });
      }
      expect(ids.size).toBe(3);
    });

    // contract: op.set_meta
    it('meta merges key by key, null removes, the version stands', async (db) => {
      await db.fork({ name: 'draft', meta: { a: 1, b: { c: 1 } } });
      const { meta, version } = await db.set_meta({ branch: 'draft', meta: { a: null, b: { d: 2 }, e: [1] } });
      expect(meta).toEqual({ b: { d: 2 }, e: [1] });
      expect(version).toBe(0);
      expect((await db.set_meta({ branch: 'draft', meta: { none: null } })).meta).toEqual({ b: { d: 2 }, e: [1] });
    });

    it('a write moves the time of last activity', async (db, clock) => {
      await db.fork({ name: 'draft' });
      clock.step();
      await put(db, 'draft', 't/a', 1);
      const { active, created } = await db.world({ branch: 'draft' });
      expect(active).toBe(clock.iso());
      expect(created < active).toBe(true);
    });

    it('confirm of a world that is not flagged does nothing', async (db) => {
      await db.fork({ name: 'draft' });
      expect(await db.confirm({ branch: 'draft' })).toMatchObject({ name: 'draft', flagged: false, version: 0 });
    });
  });

  describe('discard', () => {
    // contract: state.13, op.discard
    it('a discarded world is gone, its parent unchanged', async (db) => {
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 1);
      expect(await db.discard({ branch: 'draft' })).toEqual({ ok: true });
      expect(await names(db)).toEqual(['main']);
      await refused('3D000', db.find({ branch: 'draft', table: 't' }));
      await refused('3D000', put(db, 'draft', 't/a', 1));
      expect(await state(db)).toEqual({});
    });

    it('with open forks it is refused and names them', async (db) => {
      await db.fork({ name: 'draft' });
      await db.fork({ name: 'leaf-1', from: 'draft' });
      await db.fork({ name: 'leaf-2', from: 'draft' });
      const { message } = await refused('2BP01', db.discard({ branch: 'draft' }));
      expect(message).toContain('leaf-1');
      expect(message).toContain('leaf-2');
    });

    // contract: state.13, op.discard
    it('cascade takes all descendants and names them', async (db) => {
      for (const [name, from] of [
        ['a', 'main'],
        ['b', 'a'],
        ['c', 'b'],
        ['d', 'a'],
        ['e', 'main'],
      ])
        await db.fork({ name, from });
      const { ok, discarded } = await db.discard({ branch: 'a', cascade: true });
      expect(ok).toBe(true);
      expect([...discarded!].sort()).toEqual(['a', 'b', 'c', 'd']);
      expect((await names(db)).sort()).toEqual(['e', 'main']);
    });

    it('cascade without forks names the world alone', async (db) => {
      await db.fork({ name: 'a' });
      expect(await db.discard({ branch: 'a', cascade: true })).toEqual({ ok: true, discarded: ['a'] });
    });
  });

  describe('merge', () => {
    // contract: state.3, merge.11
    it('applies the rows to the parent and the branch is gone', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await put(db, 'draft', 't/b', 1);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 2 });
      expect(await state(db)).toEqual({ 't/a': { n: 2 }, 't/b': { n: 1 } });
      expect(await names(db)).toEqual(['main']);
      expect((await db.world({})).version).toBe(2);
    });

    it('a fork of a fork merges into its parent, not into main', async (db) => {
      await db.fork({ name: 'draft' });
      await db.fork({ name: 'leaf', from: 'draft' });
      await put(db, 'leaf', 't/a', 1);
      await db.merge({ branch: 'leaf' });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 1 } });
      expect(await state(db)).toEqual({});
      await db.merge({ branch: 'draft' });
      expect(await state(db)).toEqual({ 't/a': { n: 1 } });
    });

    it('a row changed and changed back is not merged', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await put(db, 'draft', 't/a', 1);
      await put(db, 'main', 't/a', 3);
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 0 });
      expect(await state(db)).toEqual({ 't/a': { n: 3 } });
    });

    // contract: merge.2, flow.1, version.2
    it('a merge at the version seen goes through, later ones do not', async (db) => {
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 1);
      const { version } = await db.diff({ branch: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await refused('40001', db.merge({ branch: 'draft', version }));
      expect(await db.merge({ branch: 'draft', version: version! + 1 })).toEqual({ merged: 1 });
    });

    // contract: merge.8
    it('a merge onto the target seen goes through, onto a changed one not', async (db) => {
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 1);
      const { target } = await db.preview({ branch: 'draft' });
      await put(db, 'main', 't/z', 1);
      await refused('40001', db.merge({ branch: 'draft', target, picks: { 't/a': 'theirs' } }));
      expect(await db.merge({ branch: 'draft', target: target + 1, picks: { 't/a': 'theirs' } })).toEqual({ merged: 1 });
    });

    it('a merge of a forked branch is refused and names the forks', async (db) => {
      await db.fork({ name: 'draft' });
      await db.fork({ name: 'leaf', from: 'draft' });
      expect((await refused('2BP01', db.merge({ branch: 'draft' }))).message).toContain('leaf');
      await db.merge({ branch: 'leaf' });
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 0 });
    });

    // contract: merge.12, merge.13
    it('a preview lists deletions first and says what each row becomes', async (db) => {
      for (const id of ['a', 'b', 'c', 'd']) await put(db, 'main', `t/${id}`, 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await db.delete({ branch: 'draft', table: 't', id: 'b' });
      await put(db, 'draft', 't/c', 2);
      await put(db, 'main', 't/c', 3);
      await put(db, 'draft', 't/d', 4);
      await put(db, 'main', 't/d', 5);
      await put(db, 'draft', 's/e', 1);
      const { rows, summary, conflicts, blocked, readers, version, target } = await db.preview({ branch: 'draft', picks: { 't/d': 'ours' } });
      expect(rows[0]).toMatchObject({ key: 't/b', outcome: 'delete', delete: true, base: { n: 1 }, ours: { n: 1 }, theirs: null, result: null });
      expect(rows.slice(1).map(({ key, outcome, delete: d, result }) => [key, outcome, d, result])).toEqual([
        ['s/e', 'insert', false, { n: 1 }],
        ['t/a', 'update', false, { n: 2 }],
        ['t/c', 'conflict', false, null],
        ['t/d', 'keep', false, { n: 5 }],
      ]);
      expect(rows.every(({ detail }) => detail.length > 0)).toBe(true);
      expect(summary).toEqual([
        { table: 't', deleted: 1, updated: 1, inserted: 0 },
        { table: 's', deleted: 0, updated: 0, inserted: 1 },
      ]);
      expect(conflicts).toMatchObject([{ key: 't/c', base: { n: 1 }, ours: { n: 3 }, theirs: { n: 2 } }]);
      expect({ blocked, readers, version, target }).toEqual({ blocked: [], readers: [], version: 5, target: 6 });
    });

    it('a key with special characters is escaped in the conflict and accepted in picks', async (db) => {
      const ids = ['a/b', 'a,b', '100%', 'é🙂'];
      for (const id of ids) await db.put({ table: 't', id, record: { n: 1 } });
      await db.fork({ name: 'draft' });
      for (const id of ids) {
        await db.put({ branch: 'draft', table: 't', id, record: { n: 2 } });
        await db.put({ table: 't', id, record: { n: 3 } });
      }
      const { conflicts } = (await refused('SV409', db.merge({ branch: 'draft' }))).data as { conflicts: { key: string }[] };
      expect(conflicts.map(({ key }) => key)).toEqual(['t/100%25', 't/a%2Cb', 't/a%2Fb', 't/é🙂']);
      expect(await db.merge({ branch: 'draft', picks: Object.fromEntries(conflicts.map(({ key }) => [key, 'theirs'])) })).toEqual({ merged: 4 });
      expect((await db.get({ table: 't', id: 'a/b' })).row).toEqual({ n: 2 });
    });
  });

  describe('rebase', () => {
    // contract: state.18
    it('moves the fork point to the parent as it is', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/b', 1);
      await put(db, 'main', 't/a', 2);
      expect(await db.rebase({ branch: 'draft' })).toEqual({ ok: true, rebased: 1, version: 2 });
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 2 }, 't/b': { n: 1 } });
      expect((await db.diff({ branch: 'draft' })).changes).toMatchObject([{ key: 't/b', before: null }]);
      expect(await state(db)).toEqual({ 't/a': { n: 2 } });
    });

    // contract: state.18
    it('a rebase in conflict changes nothing', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await put(db, 'main', 't/a', 3);
      const { data } = await refused('SV409', db.rebase({ branch: 'draft' }));
      expect(data!.conflicts).toMatchObject([{ key: 't/a', base: { n: 1 }, ours: { n: 3 }, theirs: { n: 2 } }]);
      expect(await state(db, 'draft')).toEqual({ 't/a': { n: 2 } });
    });

    for (const [resolve, n, rebased] of [
      ['ours', 3, 0],
      ['theirs', 2, 1],
    ] as const) {
      it(`resolve ${resolve} in a rebase keeps ${resolve === 'ours' ? 'the parent' : 'the branch'}'s row`, async (db) => {
        await put(db, 'main', 't/a', 1);
        await db.fork({ name: 'draft' });
        await put(db, 'draft', 't/a', 2);
        await put(db, 'main', 't/a', 3);
        expect(await db.rebase({ branch: 'draft', resolve })).toMatchObject({ rebased });
        expect(await state(db, 'draft')).toEqual({ 't/a': { n } });
        expect(await db.merge({ branch: 'draft' })).toEqual({ merged: rebased });
        expect(await state(db)).toEqual({ 't/a': { n } });
      });
    }

    it('a converged row no longer counts as changed', async (db) => {
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 1);
      await put(db, 'main', 't/a', 1);
      expect(await db.rebase({ branch: 'draft' })).toMatchObject({ rebased: 0 });
      expect((await db.diff({ branch: 'draft' })).changes).toEqual([]);
    });

    it('forks of the rebased world keep what they saw', async (db) => {
      await put(db, 'main', 't/a', 1);
      await db.fork({ name: 'draft' });
      await db.fork({ name: 'leaf', from: 'draft' });
      await put(db, 'main', 't/a', 2);
      await db.rebase({ branch: 'draft' });
      expect(await state(db, 'leaf')).toEqual({ 't/a': { n: 1 } });
      expect((await db.diff({ branch: 'leaf' })).changes).toEqual([]);
    });
  });

  describe('undo of a merge', () => {
    const merged = async (db: Commands): Promise<void> => {
      await put(db, 'main', 't/a', 1);
      await put(db, 'main', 't/b', 1);
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 2);
      await db.delete({ branch: 'draft', table: 't', id: 'b' });
      await put(db, 'draft', 't/c', 3);
      await db.merge({ branch: 'draft' });
    };

    // contract: state.17, op.undo_merge
    it("puts the parent's rows back, the branch stays gone", async (db, clock) => {
      await merged(db);
      clock.step();
      expect(await db.undo_merge({ branch: 'draft' })).toEqual({ ok: true, parent: 'main', at: clock.iso(), undone: 3, skipped: 0 });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
      expect(await names(db)).toEqual(['main']);
      expect((await db.world({})).version).toBe(4);
    });

    it('a second undo is refused', async (db) => {
      await merged(db);
      await db.undo_merge({ branch: 'draft' });
      await refused('55000', db.undo_merge({ branch: 'draft' }));
    });

    it('other rows stay as they are', async (db) => {
      await merged(db);
      await put(db, 'main', 't/z', 9);
      await db.undo_merge({ branch: 'draft' });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 }, 't/z': { n: 9 } });
    });

    // contract: state.17
    it('rows changed since are named, and left alone with skip_changed', async (db) => {
      await merged(db);
      await put(db, 'main', 't/a', 7);
      await put(db, 'main', 't/b', 8);
      const { data } = await refused('40001', db.undo_merge({ branch: 'draft' }));
      expect([...(data!.changed as string[])].sort()).toEqual(['t/a', 't/b']);
      expect(await db.undo_merge({ branch: 'draft', skip_changed: true })).toMatchObject({ undone: 1, skipped: 2 });
      expect(await state(db)).toEqual({ 't/a': { n: 7 }, 't/b': { n: 8 } });
    });

    it('a row changed and changed back counts as unchanged', async (db) => {
      await merged(db);
      await put(db, 'main', 't/a', 7);
      await put(db, 'main', 't/a', 2);
      expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ undone: 3, skipped: 0 });
    });

    it('a discarded world has no merge to undo', async (db) => {
      await db.fork({ name: 'draft' });
      await db.discard({ branch: 'draft' });
      await refused('55000', db.undo_merge({ branch: 'draft' }));
    });

    it('a world that takes the name over leaves the merge of the former one to be undone', async (db) => {
      await merged(db);
      await db.fork({ name: 'draft' });
      await db.undo_merge({ branch: 'draft' });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
      await refused('55000', db.undo_merge({ branch: 'draft' }));
    });

    it("undo of an undone merge's later twin", async (db) => {
      await merged(db);
      await db.undo_merge({ branch: 'draft' });
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 't/a', 5);
      await db.merge({ branch: 'draft' });
      expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ undone: 1 });
      expect(await state(db)).toEqual({ 't/a': { n: 1 }, 't/b': { n: 1 } });
    });
  });

  partialMergeTests(open);
}
