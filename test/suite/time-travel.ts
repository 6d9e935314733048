/** Reading, forking and restoring the past. */
import { describe, expect, test } from 'vitest';
import type { Commands } from '../../src/commands/contract.ts';
import { type Open, refused, stateOf, using } from './open.ts';

const put = (db: Commands, n: number, branch = 'main'): Promise<unknown> => db.put({ branch, table: 't', id: 'a', record: { n } });
const read = async (db: Commands, branch: string): Promise<unknown> => (await db.get({ branch, table: 't', id: 'a' })).row.n;

export function timeTravelSuite(open: Open): void {
  const it = (name: string, use: Parameters<typeof using>[1]): void => {
    test(name, () => using(open, (db, clock) => use(db, clock)));
  };

  describe('time travel', () => {
    it('a moment shows what was so then', async (db, clock) => {
      const times: string[] = [];
      for (let n = 0; n < 5; n++) {
        clock.step();
        await put(db, n);
        times.push(clock.iso());
      }
      for (const [n, at] of times.entries()) {
        expect(await read(db, `main@${at}`)).toBe(n);
        expect((await db.find({ branch: `main@${at}`, table: 't', where: { n } })).total).toBe(1);
      }
    });

    for (const [ago, n] of [
      ['-1m', 4],
      ['-60s', 4],
      ['-60000ms', 4],
      ['-90s', 3],
      ['-1.5m', 3],
      ['-2m', 3],
      ['-121s', 2],
      ['-0s', 5],
      ['-3m', 2],
    ] as const) {
      // contract: http.6
      it(`${ago} ago, with a write a minute, was write ${n}`, async (db, clock) => {
        for (let i = 1; i <= 5; i++) {
          clock.step(60_000);
          await put(db, i);
        }
        expect(await read(db, `main@${ago}`)).toBe(n);
      });
    }

    it('hours, days and weeks count back', async (db, clock) => {
      clock.step(60_000);
      await put(db, 1);
      clock.step(8 * 7 * 86_400_000);
      await put(db, 2);
      for (const when of ['-1h', '-1d', '-8w', '-56d']) expect(await read(db, `main@${when}`)).toBe(1);
    });

    // contract: http.6, service.3
    it('times of every ISO form are read', async (db, clock) => {
      clock.step(1);
      await put(db, 1);
      clock.step(40 * 86_400_000);
      await put(db, 2);
      for (const when of [
        '2026-01-20',
        '2026-01-20T10:00',
        '2026-01-20 10:00:00',
        '2026-01-20T10:00:00Z',
        '2026-01-20T10:00:00.5Z',
        '2026-01-20T10:00:00.123456Z',
        '2026-01-20T10:00:00+02:00',
        '2026-01-01T02:00:01+02:00',
      ]) {
        expect(await read(db, `main@${when}`), when).toBe(1);
      }
    });

    it('microseconds distinguish moments', async (db, clock) => {
      clock.step(0.001);
      await put(db, 1);
      const first = clock.iso();
      clock.step(0.001);
      await put(db, 2);
      expect(await read(db, `main@${first}`)).toBe(1);
      expect(await read(db, `main@${clock.iso()}`)).toBe(2);
    });

    it('at one moment the last write of that moment counts', async (db, clock) => {
      clock.step();
      await put(db, 1);
      await put(db, 2);
      expect(await read(db, `main@${clock.iso()}`)).toBe(2);
    });

    it('every #sequence is a state that main really had, in order', async (db) => {
      for (let n = 1; n <= 5; n++) await put(db, n);
      const seen: unknown[] = [];
      for (let sequence = 1; ; sequence++) {
        const reply = await db.find({ branch: `main@#${sequence}`, table: 't' }).catch((error: { code: string }) => error.code);
        if (reply === '22007') break;
        if (typeof reply === 'string') expect([reply, seen]).toEqual(['22023', []]);
        else seen.push(typeof reply === 'object' ? (reply.hits[0]?.row.n ?? 0) : reply);
      }
      expect([...new Set(seen)]).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it('a world before it was made is refused', async (db, clock) => {
      clock.step();
      const before = clock.iso();
      clock.step();
      await db.fork({ name: 'draft' });
      await refused('22023', db.find({ branch: `draft@${before}`, table: 't' }));
      expect((await db.find({ branch: `draft@${clock.iso()}`, table: 't' })).total).toBe(0);
    });

    it("a fork's past ends where it was forked, and has its parent's rows of then", async (db, clock) => {
      await put(db, 1);
      clock.step();
      await db.fork({ name: 'draft' });
      const forked = clock.iso();
      clock.step();
      await put(db, 2);
      await put(db, 3, 'draft');
      expect(await read(db, `draft@${forked}`)).toBe(1);
    });

    it("a gone world's past can still be read", async (db, clock) => {
      await db.fork({ name: 'draft' });
      await put(db, 1, 'draft');
      const then = clock.iso();
      clock.step();
      await put(db, 2, 'draft');
      clock.step();
      await db.merge({ branch: 'draft' });
      expect(await read(db, `draft@${then}`)).toBe(1);
      await refused('3D000', db.get({ branch: 'draft', table: 't', id: 'a' }));
    });

    it('rebase and partial merges leave the past as it was', async (db, clock) => {
      await put(db, 1);
      await db.fork({ name: 'draft' });
      await db.put({ branch: 'draft', table: 't', id: 'b', record: {} });
      const then = clock.iso();
      clock.step();
      await put(db, 2);
      await db.rebase({ branch: 'draft' });
      expect(await stateOf(db, `draft@${then}`, ['t'])).toEqual({ 't/a': { n: 1 }, 't/b': {} });
      expect(await stateOf(db, 'draft', ['t'])).toEqual({ 't/a': { n: 2 }, 't/b': {} });
    });

    // contract: op.fork
    it('a past moment can be forked; the fork point is that moment', async (db, clock) => {
      await put(db, 1);
      const then = clock.iso();
      clock.step();
      await put(db, 2);
      const { world } = await db.fork({ name: 'draft', from: `main@${then}` });
      expect(world).toMatchObject({ parent: 'main', depth: 1 });
      expect(await read(db, 'draft')).toBe(1);
      expect((await db.diff({ branch: 'draft' })).changes).toEqual([]);
      await db.put({ branch: 'draft', table: 't', id: 'b', record: {} });
      expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 1 });
      expect(await stateOf(db, 'main', ['t'])).toEqual({ 't/a': { n: 2 }, 't/b': {} });
    });

    it('a fork of the past that changed a row changed since is in conflict', async (db, clock) => {
      await put(db, 1);
      const then = clock.iso();
      clock.step();
      await put(db, 2);
      await db.fork({ name: 'draft', from: `main@${then}` });
      await put(db, 3, 'draft');
      const { data } = await refused('SV409', db.merge({ branch: 'draft' }));
      expect(data!.conflicts).toMatchObject([{ base: { n: 1 }, ours: { n: 2 }, theirs: { n: 3 } }]);
    });

    // contract: diff.2
    it('diff between two moments of one world', async (db, clock) => {
      await put(db, 1);
      const then = clock.iso();
      clock.step();
      await put(db, 2);
      expect((await db.diff({ branch: `main@${then}`, to: 'main' })).changes).toEqual([{ key: 't/a', before: { n: 1 }, after: { n: 2 }, columns: ['n'] }]);
      expect((await db.diff({ branch: 'main', to: `main@${then}` })).changes).toMatchObject([{ before: { n: 2 }, after: { n: 1 } }]);
    });

    it("diff of a branch's past moment is against the fork point it then had", async (db, clock) => {
      await put(db, 1);
      await db.fork({ name: 'draft' });
      await put(db, 2, 'draft');
      const then = clock.iso();
      clock.step();
      await db.merge({ branch: 'draft', into: 'main' });
      const change = [{ key: 't/a', before: { n: 1 }, after: { n: 2 }, columns: ['n'] }];
      expect((await db.diff({ branch: 'draft' })).changes).toEqual([]);
      expect((await db.diff({ branch: `draft@${then}` })).changes).toEqual(change);
      await db.merge({ branch: 'draft' });
      expect((await db.diff({ branch: `draft@${then}` })).changes).toEqual(change);
    });
  });

  describe('versions of the past', () => {
    it('diff of a past moment has the version of that moment, which no later write makes stale', async (db, clock) => {
      await put(db, 1);
      await db.fork({ name: 'draft' });
      await put(db, 2, 'draft');
      const branch = `draft@${clock.iso()}`;
      clock.step();
      await put(db, 3, 'draft');
      const { version } = await db.diff({ branch, limit: 1 });
      expect(version).toBe(1);
      await put(db, 4, 'draft');
      expect((await db.diff({ branch, limit: 1, version })).changes).toMatchObject([{ after: { n: 2 } }]);
      await refused('40001', db.merge({ branch: 'draft', version }));
    });
  });

  describe('restore', () => {
    // contract: state.14, op.restore
    it('to a time puts all rows back as one write', async (db, clock) => {
      await put(db, 1);
      await db.put({ table: 's', id: 'gone', record: { x: 1 } });
      const then = clock.iso();
      clock.step();
      await put(db, 2);
      await db.delete({ table: 's', id: 'gone' });
      await db.put({ table: 'u', id: 'new', record: {} });
      expect(await db.restore({ at: then })).toEqual({ ok: true, restored: 3 });
      expect(await stateOf(db, 'main', ['s', 't', 'u'])).toEqual({ 's/gone': { x: 1 }, 't/a': { n: 1 } });
      expect((await db.world({})).version).toBe(6);
    });

    // contract: state.14, op.restore
    it('to a time ago', async (db, clock) => {
      await put(db, 1);
      clock.step(10_000);
      await put(db, 2);
      expect(await db.restore({ at: '-5s' })).toEqual({ ok: true, restored: 1 });
      expect(await read(db, 'main')).toBe(1);
    });

    it('to now changes no row and is a write all the same', async (db) => {
      await put(db, 1);
      expect(await db.restore({ at: '-0s' })).toEqual({ ok: true, restored: 0 });
      expect((await db.world({})).version).toBe(2);
    });

    it('can itself be undone', async (db, clock) => {
      await put(db, 1);
      const one = clock.iso();
      clock.step();
      await put(db, 2);
      const two = clock.iso();
      clock.step();
      await db.restore({ at: one });
      clock.step();
      await db.restore({ at: two });
      expect(await read(db, 'main')).toBe(2);
    });

    // contract: state.15, op.checkpoint, op.restore
    it('to a checkpoint, again and again', async (db, clock) => {
      await put(db, 1);
      clock.step();
      expect(await db.checkpoint({ name: 'c' })).toEqual({ ok: true, at: clock.iso() });
      expect((await db.world({})).checkpoints).toEqual([{ name: 'c', at: clock.iso() }]);
      expect((await db.world({})).version).toBe(1);
      for (const n of [2, 3]) {
        await put(db, n);
        expect(await db.restore({ checkpoint: 'c' })).toEqual({ ok: true, restored: 1 });
        expect(await read(db, 'main')).toBe(1);
      }
      await put(db, 4);
      expect(await db.rollback({ branch: 'main', checkpoint: 'c' })).toEqual({ ok: true, restored: 1 });
      expect(await read(db, 'main')).toBe(1);
    });

    it("a fork does not have its parent's checkpoints", async (db) => {
      await db.checkpoint({ name: 'c' });
      const { world } = await db.fork({ name: 'draft' });
      expect(world.checkpoints).toEqual([]);
      await db.checkpoint({ branch: 'draft', name: 'c' });
      expect(await db.restore({ branch: 'draft', checkpoint: 'c' })).toEqual({ ok: true, restored: 0 });
    });

    it('leaves forks alone', async (db, clock) => {
      const then = clock.iso();
      clock.step();
      await put(db, 1);
      await db.fork({ name: 'draft' });
      await db.restore({ at: then });
      expect(await read(db, 'draft')).toBe(1);
      expect((await db.diff({ branch: 'draft' })).changes).toEqual([]);
    });

    it('in a branch is a change of the branch', async (db) => {
      await put(db, 1);
      await db.fork({ name: 'draft' });
      await db.checkpoint({ branch: 'draft', name: 'c' });
      await put(db, 2, 'draft');
      expect((await db.diff({ branch: 'draft' })).changes).toHaveLength(1);
      await db.restore({ branch: 'draft', checkpoint: 'c' });
      expect((await db.diff({ branch: 'draft' })).changes).toEqual([]);
    });
  });
}
