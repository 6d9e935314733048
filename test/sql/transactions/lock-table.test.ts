/**
 * Locks that their owner has alone share an object, and become ones of their own when somebody else asks. Random steps of three owners over a few
 * keys are compared with lists of who has what.
 */
import { expect, test } from 'vitest';
import { CONFLICTS, ROW_LOCK } from '../../../src/locks/lock-mode.ts';
import { LockOwner } from '../../../src/locks/lock-owner.ts';
import { LockTable } from '../../../src/locks/lock-table.ts';

const MODES = Object.values(ROW_LOCK);

interface Held {
  readonly owner: number;
  readonly tree: number;
  readonly key: number;
  readonly mode: number;
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test.each([1, 2, 3, 4, 5, 6])('seed %i: what is given and refused is what the holders say', (seed) => {
  const next = random(seed);
  const table = new LockTable();
  const owners = [0, 1, 2].map((i) => new LockOwner(() => i));
  let held: Held[] = [];
  const stands = (owner: number, tree: number, key: number, mode: number): boolean =>
    held.some((each) => each.owner !== owner && each.tree === tree && each.key === key && (CONFLICTS.row[mode] & each.mode) !== 0);
  /** Marks of savepoints, with how many of `held` were the owner's. */
  const marks: { mark: number; held: number }[][] = [[], [], []];
  const own = (owner: number): Held[] => held.filter((each) => each.owner === owner);
  for (let step = 0; step < 4000; step++) {
    const owner = next(3);
    const [tree, key, mode] = [next(2) + 10, next(6), MODES[next(4)]];
    const what = next(20);
    if (what === 0) {
      table.release(owners[owner]);
      held = held.filter((each) => each.owner !== owner);
      marks[owner] = [];
    } else if (what === 1) marks[owner].push({ mark: owners[owner].mark, held: own(owner).length });
    else if (what === 2 && marks[owner].length > 0) {
      const back = marks[owner].pop()!;
      table.release(owners[owner], back.mark);
      const stays = own(owner).slice(0, back.held);
      held = held.filter((each) => each.owner !== owner || stays.includes(each));
    } else {
      const space = table.rows(1, tree);
      expect(table.blocked(owners[owner], space, key, mode) !== null).toBe(stands(owner, tree, key, mode));
      expect(table.blocked(null, space, key, mode) !== null).toBe(stands(-1, tree, key, mode));
      const given = table.take(owners[owner], space, key, mode) === null;
      expect(given).toBe(!stands(owner, tree, key, mode));
      const has = own(owner).filter((each) => each.tree === tree && each.key === key);
      // Modes of rows are a ladder.
      if (given && !has.some((each) => each.mode >= mode)) held.push({ owner, tree, key, mode });
    }
    expect(table.count).toBe(new Set(held.map((each) => `${each.tree} ${each.key}`)).size);
    expect(table.holders).toBe(new Set(held.map((each) => each.owner)).size);
  }
  for (const each of owners) table.release(each);
  expect([...table.all()]).toEqual([]);
  expect(table.count).toBe(0);
});
