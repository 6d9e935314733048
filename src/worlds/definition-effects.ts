/**
 * Effect of a changed definition on rows that were not written: a dropped column removes its values, an added one with a
 * default gives each row a value. Such rows count as changed, without an entry each.
 */
import { runSteps } from '../base/run-steps.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leaves, scan } from '../tree/read.ts';
import type { RowAt } from '../tree/row-change.ts';
import type { Table } from './catalog.ts';
import type { AttributeObject } from './definition.ts';

/** Maximum number of such rows listed in replies; counts include all. */
export const ROWS_OF_DEFINITIONS_MAX = 1000;

/** Columns of one state that the other has not; a column with another type is another column. */
export interface TableEffect {
  readonly lost: readonly AttributeObject[];
  readonly gained: readonly AttributeObject[];
}

/** null if rows keep their values. */
export function effectOn(before: Table | undefined, after: Table | undefined): TableEffect | null {
  const [was, is] = [before?.relation, after?.relation];
  if (!was || !is || was === is || was.attributes === is.attributes) return null;
  const lost = was.attributes.filter(({ number }) => !is.attributes.some((each) => each.number === number));
  const gained = is.attributes.filter(({ number }) => !was.attributes.some((each) => each.number === number));
  return lost.length + gained.length === 0 ? null : { lost, gained };
}

/** Whether a row that exists in both states reads differently. */
export function isAffected({ lost, gained }: TableEffect, { leaf, index }: RowAt): boolean {
  for (const columns of [lost, gained]) {
    for (const { number, missingCell } of columns) {
      const cell = leaf.cell(index, number);
      if ((cell === undefined ? missingCell : cell) !== null) return true;
    }
  }
  return false;
}

/** Such rows of a tree of the first state. Costs a scan, unless a dropped column is NOT NULL. */
export function countAffected(pager: Pager, tree: Node | null, effect: TableEffect): number {
  return runSteps(countAffectedSteps(pager, tree, effect));
}

/** `countAffected` in steps of a leaf. */
export function* countAffectedSteps(pager: Pager, tree: Node | null, effect: TableEffect): Generator<void, number> {
  if (tree === null) return 0;
  if (effect.lost.some(({ notNull }) => notNull)) return tree.count;
  let rows = 0;
  for (const { leaf, start } of leaves(pager, tree, null)) {
    rows += affectedIn(effect, leaf, start, leaf.count);
    yield;
  }
  return rows;
}

export function affectedIn(effect: TableEffect, leaf: RowAt['leaf'], from: number, to: number): number {
  const row = { leaf, index: from };
  let rows = 0;
  for (; row.index < to; row.index++) if (isAffected(effect, row)) rows++;
  return rows;
}

/** Visits such rows between two keys, both exclusive (null: to the end), in order; false: stop. Whether it reached the end. */
export function eachAffected(
  pager: Pager,
  tree: Node | null,
  effect: TableEffect,
  after: Key | null,
  before: Key | null,
  visit: (key: Key, row: RowAt) => boolean | void,
): boolean {
  if (tree === null) return true;
  let stopped = false;
  scan(pager, tree, after, (leaf, from, to) => {
    for (let index = from; index < to; index++) {
      const key: Key = leaf.numeric ? leaf.nkeys[index] : leaf.skeys[index];
      if (key === after) continue;
      if (before !== null && key >= before) return false;
      const row = { leaf, index };
      if (isAffected(effect, row) && visit(key, row) === false) {
        stopped = true;
        return false;
      }
    }
    return true;
  });
  return !stopped;
}
