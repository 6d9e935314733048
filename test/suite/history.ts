/** What the history of a world says. */
import { describe, expect, test } from 'vitest';
import type { Commands } from '../../src/commands/contract.ts';
import { type Open, using } from './open.ts';

const put = (db: Commands, branch: string, id: string, n: number): Promise<unknown> => db.put({ branch, table: 't', id, record: { n } });
const events = async (db: Commands, branch?: string): Promise<[string, number][]> =>
  (await db.history({ branch })).events.map(({ event, rows }) => [event, rows]);

export function historySuite(open: Open): void {
  const it = (name: string, use: Parameters<typeof using>[1]): void => {
    test(name, () => using(open, (db, clock) => use(db, clock)));
  };

  describe('history', () => {
    it('begins with create for main and fork for a fork', async (db, clock) => {
      const start = clock.iso();
      clock.step();
      await db.fork({ name: 'draft' });
      expect((await db.history({})).events).toMatchObject([{ at: start, world: 'main', event: 'create', rows: 0 }]);
      expect((await db.history({ branch: 'draft' })).events).toMatchObject([{ at: clock.iso(), world: 'draft', event: 'fork', rows: 0 }]);
    });

    // contract: history.1, op.history
    it('lists writes newest first with the rows they changed', async (db, clock) => {
      const times: string[] = [];
      const step = async (call: Promise<unknown>): Promise<void> => {
        await call;
        times.unshift(clock.iso());
        clock.step();
      };
      await step(put(db, 'main', 'a', 1));
      await step(
        db.batch({
          rows: [
            { table: 't', id: 'a', record: null },
            { table: 't', id: 'b', record: {} },
            { table: 't', id: 'c', record: {} },
            { table: 't', id: 'none', record: null },
          ],
        }),
      );
      await step(put(db, 'main', 'b', 1));
      await step(db.delete({ table: 't', id: 'c' }));
      const { events: listed } = await db.history({ limit: 4 });
      expect(listed.map(({ at }) => at)).toEqual(times);
      expect(listed.map(({ event, rows }) => [event, rows])).toEqual([
        ['write', 1],
        ['write', 1],
        ['write', 3],
        ['write', 1],
      ]);
    });

    it('limit takes the newest', async (db) => {
      for (let n = 0; n < 5; n++) await put(db, 'main', 'a', n);
      expect((await db.history({ limit: 2 })).events).toHaveLength(2);
      expect((await db.history({ limit: 0 })).events).toEqual([]);
      expect((await db.history({ limit: 100 })).events).toHaveLength(6);
    });

    // contract: op.history
    it('the default limit is 100', async (db) => {
      for (let n = 0; n < 120; n++) void put(db, 'main', 'a', n);
      await put(db, 'main', 'a', -1);
      expect((await db.history({})).events).toHaveLength(100);
    });

    // contract: state.3, event.1
    it('a merge is in the history of both worlds', async (db) => {
      await db.fork({ name: 'draft' });
      await put(db, 'draft', 'a', 1);
      await put(db, 'draft', 'b', 1);
      await db.merge({ branch: 'draft', only_keys: ['t/a'] });
      await db.merge({ branch: 'draft' });
      await db.undo_merge({ branch: 'draft' });
      expect(await events(db)).toEqual([
        ['undo merge', 1],
        ['merge', 1],
        ['merge part', 1],
        ['create', 0],
      ]);
      expect(await events(db, 'draft')).toEqual([
        ['merge', 1],
        ['merge part', 1],
        ['write', 1],
        ['write', 1],
        ['fork', 0],
      ]);
    });

    // contract: state.13, state.14, state.15, event.1
    it('checkpoint, metadata, restore, rebase and discard have their words', async (db) => {
      await db.fork({ name: 'draft' });
      await db.checkpoint({ branch: 'draft', name: 'c' });
      await db.set_meta({ branch: 'draft', meta: { a: 1 } });
      await put(db, 'draft', 'a', 1);
      await db.restore({ branch: 'draft', checkpoint: 'c' });
      await put(db, 'draft', 'b', 1);
      await db.rebase({ branch: 'draft' });
      await db.discard({ branch: 'draft' });
      expect(await events(db, 'draft')).toEqual([
        ['discard', 0],
        ['rebase', 1],
        ['write', 1],
        ['restore', 1],
        ['write', 1],
        ['metadata', 0],
        ['checkpoint', 0],
        ['fork', 0],
      ]);
      expect(await events(db)).toEqual([['create', 0]]);
    });

    it("a gone world's name still answers, until the name is taken again", async (db) => {
      const { world } = await db.fork({ name: 'draft' });
      await db.discard({ branch: 'draft' });
      expect(await events(db, 'draft')).toEqual([
        ['discard', 0],
        ['fork', 0],
      ]);
      await db.fork({ name: 'draft' });
      expect(await events(db, 'draft')).toEqual([['fork', 0]]);
      expect(await events(db, world.id)).toEqual([
        ['discard', 0],
        ['fork', 0],
      ]);
    });

    it('a refused call leaves no event', async (db) => {
      await db.delete({ table: 't', id: 'none' }).catch(() => {});
      await db.discard({ branch: 'main' }).catch(() => {});
      await db.batch({ rows: [] });
      expect(await events(db)).toEqual([['create', 0]]);
    });
  });
}
