/** The laws of worlds as properties that hold for any writes. Seeded, and shrunk on failure. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Change, Commands, MergePreview } from '../../src/commands/contract.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { type Entry, optionsArbitrary, writesArbitrary } from './arbitraries.ts';
import { type Open, type Opened, type State, stateOf } from './open.ts';

const TABLES = ['t', 's'];
const SEED = Number(process.env['SVC_LAW_SEED'] ?? 20_260_101);

export function lawsSuite(open: Open, runs = 60): void {
  describe('laws', () => {
    let opened: Opened;
    let count = 0;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    function law<A extends unknown[]>(
      name: string,
      arbitraries: { [K in keyof A]: fc.Arbitrary<A[K]> },
      holds: (db: Commands, root: string, ...args: A) => Promise<void>,
    ): void {
      test(name, async () => {
        const property = fc.asyncProperty(fc.tuple(...(arbitraries as fc.Arbitrary<unknown>[])), async (args) => {
          opened.clock.step();
          const root = `w${count++}`;
          await opened.commands.fork({ name: root });
          await holds(opened.commands, root, ...(args as A));
        });
        await fc.assert(property, { seed: SEED, numRuns: runs });
      });
    }

    const writes = writesArbitrary(TABLES);

    law('a branch without changes has an empty diff and merges nothing', [writes], async (db, root, base) => {
      await db.batch({ branch: root, rows: base });
      const before = await state(db, root);
      await db.fork({ name: `${root}-d`, from: root });
      expect((await db.diff({ branch: `${root}-d` })).changes).toEqual([]);
      expect((await db.diff({ branch: root, to: root })).changes).toEqual([]);
      expect(await db.merge({ branch: `${root}-d` })).toEqual({ merged: 0 });
      expect(await state(db, root)).toEqual(before);
    });

    // contract: merge.9
    law('a dry run foretells the real run', [writes, writes, writes, optionsArbitrary], async (db, root, base, ours, theirs, options) => {
      const draft = await diverge(db, root, base, ours, theirs);
      const before = await state(db, root);
      const preview = await db.preview({ branch: draft, ...options });
      expect(await state(db, root)).toEqual(before);
      const result = await attempt(db.merge({ branch: draft, ...options }));
      if ('conflicts' in result) {
        expect(result.conflicts).toEqual(preview.conflicts);
        expect(await state(db, root)).toEqual(before);
        return;
      }
      expect(preview.conflicts).toEqual([]);
      const foretold: State = { ...before };
      for (const { key, result: row } of preview.rows) {
        if (row === null) delete foretold[plain(key)];
        else foretold[plain(key)] = row;
      }
      expect(await state(db, root)).toEqual(foretold);
      expect(result.merged).toBe(preview.rows.filter(({ outcome }) => outcome !== 'keep' && outcome !== 'converged').length);
      expect(result.merged).toBe(preview.summary.reduce((sum, each) => sum + each.deleted + each.updated + each.inserted, 0));
    });

    // contract: diff.6
    law('the pages of a diff make the diff', [writes, writes, fc.integer({ min: 1, max: 4 })], async (db, root, base, theirs, limit) => {
      const draft = await diverge(db, root, base, [], theirs);
      const whole = (await db.diff({ branch: draft })).changes!;
      const paged: Change[] = [];
      for (let after: string | undefined; ;) {
        const page = await db.diff({ branch: draft, limit, after, count: true });
        expect(page.changes!.length).toBeLessThanOrEqual(limit);
        expect(page.total).toBe(whole.length);
        paged.push(...page.changes!);
        if (page.next === null) break;
        after = page.next;
      }
      expect(paged).toEqual(whole);
    });

    law('applying diff(a, b) to a gives b', [writes, writes, writes], async (db, root, base, a, b) => {
      const draft = await diverge(db, root, base, a, b);
      const { changes } = await db.diff({ branch: root, to: draft });
      for (const { key, before } of changes!) expect((await state(db, root))[plain(key)] ?? null).toEqual(before);
      await db.batch({
        branch: root,
        rows: changes!.map(({ key, after }) => ({
          table: key.slice(0, key.indexOf('/')),
          id: decodeURIComponent(key.slice(key.indexOf('/') + 1)),
          record: after,
        })),
      });
      expect(await state(db, root)).toEqual(await state(db, draft));
      expect((await db.diff({ branch: root, to: draft })).changes).toEqual([]);
    });

    law('merges of disjoint rows commute', [writes, writes, writes], async (db, root, base, one, two) => {
      const mine = (prefix: string, entries: Entry[]): Entry[] => entries.map(({ table, id, record }) => ({ table, id: `${prefix}${id}`, record }));
      const all = [...mine('x', base), ...mine('y', base)];
      const results: State[] = [];
      for (const order of [
        ['x', 'y'],
        ['y', 'x'],
      ]) {
        const into = `${root}-${order.join('')}`;
        await db.fork({ name: into, from: root });
        await db.batch({ branch: into, rows: all });
        for (const side of ['x', 'y']) await db.fork({ name: `${into}-${side}`, from: into });
        await db.batch({ branch: `${into}-x`, rows: mine('x', one) });
        await db.batch({ branch: `${into}-y`, rows: mine('y', two) });
        for (const side of order) await db.merge({ branch: `${into}-${side}` });
        results.push(await state(db, into));
      }
      expect(results[0]).toEqual(results[1]);
    });

    law(
      'merge then undo gives the rows as they were, rows touched since aside',
      [writes, writes, writes, writes, optionsArbitrary],
      async (db, root, base, ours, theirs, later, options) => {
        const draft = await diverge(db, root, base, ours, theirs);
        const before = await state(db, root);
        const result = await attempt(db.merge({ branch: draft, ...options }));
        if ('conflicts' in result) return;
        const merged = await state(db, root);
        await db.batch({ branch: root, rows: later });
        const touched = await state(db, root);
        const { undone, skipped } = await db.undo_merge({ branch: draft, skip_changed: true });
        const after = await state(db, root);
        let left = 0;
        for (const key of new Set([...Object.keys(before), ...Object.keys(merged), ...Object.keys(touched)])) {
          const mergedRow = same(before[key], merged[key]) ? undefined : key;
          const expected = mergedRow !== undefined && same(merged[key], touched[key]) ? before[key] : touched[key];
          if (mergedRow !== undefined && !same(merged[key], touched[key])) left++;
          expect(after[key], key).toEqual(expected);
        }
        expect({ skipped, merged: undone + skipped }).toEqual({ skipped: left, merged: result.merged });
      },
    );

    law('rebase then merge is merge', [writes, writes, writes, optionsArbitrary], async (db, root, base, ours, theirs, options) => {
      const twin = `${root}-twin`;
      await db.fork({ name: twin, from: root });
      const draft = await diverge(db, root, base, ours, theirs);
      const other = await diverge(db, twin, base, ours, theirs);
      const direct = await attempt(db.merge({ branch: draft, ...options }));
      const rebased = await attempt(db.rebase({ branch: other, ...options }));
      if ('conflicts' in direct || 'conflicts' in rebased) {
        expect(keysOf(rebased)).toEqual(keysOf(direct));
        return;
      }
      // What both sides changed alike is no change of the branch any more once it stands on them.
      expect((await db.merge({ branch: other })).merged).toBe(direct.merged);
      expect(rebased.rebased).toBe(direct.merged);
      expect(await state(db, twin)).toEqual(await state(db, root));
    });

    law('conflicts are the same from both sides', [writes, writes, writes, fc.boolean()], async (db, root, base, ours, theirs, columns) => {
      const twin = `${root}-twin`;
      await db.fork({ name: twin, from: root });
      const forth = await attempt(db.merge({ branch: await diverge(db, root, base, ours, theirs), columns }));
      const back = await attempt(db.merge({ branch: await diverge(db, twin, base, theirs, ours), columns }));
      if ('conflicts' in forth && 'conflicts' in back) {
        const swap = ({ key, base: b, ours: o, theirs: t }: MergePreview['conflicts'][number]): unknown => ({ key, base: b, ours: t, theirs: o });
        const keep = ({ key, base: b, ours: o, theirs: t }: MergePreview['conflicts'][number]): unknown => ({ key, base: b, ours: o, theirs: t });
        expect(back.conflicts.map(swap)).toEqual(forth.conflicts.map(keep));
        return;
      }
      expect('conflicts' in back).toBe('conflicts' in forth);
      expect(await state(db, twin)).toEqual(await state(db, root));
    });

    law(
      'a merge in two parts is the merge',
      [writes, writes, writes, optionsArbitrary, fc.nat({ max: 5 })],
      async (db, root, base, ours, theirs, options, size) => {
        const twin = `${root}-twin`;
        await db.fork({ name: twin, from: root });
        const draft = await diverge(db, root, base, ours, theirs);
        const other = await diverge(db, twin, base, ours, theirs);
        const part = (await db.diff({ branch: other })).changes!.slice(0, size).map(({ key }) => key);
        const whole = await attempt(db.merge({ branch: draft, ...options }));
        if ('conflicts' in whole) return;
        const first = part.length === 0 ? { merged: 0 } : await db.merge({ branch: other, ...options, only_keys: part });
        const second = await db.merge({ branch: other, ...options });
        expect(first.merged + second.merged).toBe(whole.merged);
        expect(await state(db, twin)).toEqual(await state(db, root));
      },
    );

    law('a fork sees no later write of its parent, nor the parent one of its fork', [writes, writes, writes], async (db, root, base, ours, theirs) => {
      await db.batch({ branch: root, rows: base });
      await db.fork({ name: `${root}-d`, from: root });
      const then = await state(db, root);
      await db.batch({ branch: root, rows: ours });
      expect(await state(db, `${root}-d`)).toEqual(then);
      const mine = await state(db, root);
      await db.batch({ branch: `${root}-d`, rows: theirs });
      expect(await state(db, root)).toEqual(mine);
    });

    law(
      'restore to a moment gives the state of that moment',
      [fc.array(writes, { minLength: 1, maxLength: 5 }), fc.nat()],
      async (db, root, batches, choice) => {
        const moments: { at: string; rows: State }[] = [];
        for (const rows of batches) {
          await db.batch({ branch: root, rows });
          moments.push({ at: opened.clock.iso(), rows: await state(db, root) });
          opened.clock.step();
        }
        const { at, rows } = moments[choice % moments.length];
        for (const moment of moments) expect(await state(db, `${root}@${moment.at}`)).toEqual(moment.rows);
        await db.fork({ name: `${root}-past`, from: `${root}@${at}` });
        await db.restore({ branch: root, at });
        expect(await state(db, root)).toEqual(rows);
        expect(await state(db, `${root}-past`)).toEqual(rows);
      },
    );
  });
}

function state(db: Commands, branch: string): Promise<State> {
  return stateOf(db, branch, TABLES);
}

async function diverge(db: Commands, root: string, base: Entry[], ours: Entry[], theirs: Entry[]): Promise<string> {
  await db.batch({ branch: root, rows: base });
  const draft = `${root}-draft`;
  await db.fork({ name: draft, from: root });
  await db.batch({ branch: root, rows: ours });
  await db.batch({ branch: draft, rows: theirs });
  return draft;
}

/** The reply, or the conflicts. */
async function attempt<T>(call: Promise<T>): Promise<T | { conflicts: MergePreview['conflicts'] }> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'SV409') throw error;
    return { conflicts: error.data!.conflicts as MergePreview['conflicts'] };
  }
}

function keysOf(result: object): unknown {
  return 'conflicts' in result ? (result.conflicts as MergePreview['conflicts']).map(({ key }) => key) : result;
}

/** The key as `State` writes it. */
function plain(key: string): string {
  return decodeURIComponent(key);
}

function same(a: unknown, b: unknown): boolean {
  const sorted = (_: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value;
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}
