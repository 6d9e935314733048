/** Changes between two states of a tree or a world. */
import { CATALOG_TREE, EFFECT_TREE, isBeside, type TreeChanges } from '../events/changes.ts';
import { NewRows } from '../events/new-rows.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { diffTrees } from '../tree/diff.ts';
import { childRoot } from '../tree/directory.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scan } from '../tree/read.ts';
import { type RowAt, rowChange, ShapeTable } from '../tree/row-change.ts';
import { emptyTree } from '../tree/write.ts';
import { epochOf, readCatalog } from './catalog.ts';

/** Fewer rows are stored individually: each leaf repeats the shape of its columns. */
const LEAVES_ROWS_MIN = 256;

/** Numbers and roots (null: no tree) of the trees that differ between two directories. */
export function changedTrees(pager: Pager, from: Node, to: Node): { tree: number; from: Node | null; to: Node | null }[] {
  const out: { tree: number; from: Node | null; to: Node | null }[] = [];
  diffTrees(pager, from, to, (key, a, _ai, b, _bi) => {
    out.push({
      tree: key as number,
      from: a === null ? null : childRoot(pager, from, key),
      to: b === null ? null : childRoot(pager, to, key),
    });
  });
  return out;
}

/** Visits rows that differ, with both sides by leaf and index. */
export function eachRowChange(
  pager: Pager,
  from: Node | null,
  to: Node | null,
  visit: (key: Key, from: RowAt | null, to: RowAt | null) => boolean | void,
  first: Key | null = null,
): void {
  const numeric = isNumeric((from ?? to)!);
  if (from !== null && to !== null && differentKeys(from, to)) {
    // Deleted rows are visited first, then inserted ones; the kind of `first` decides which is next.
    const inTo = first !== null && (typeof first === 'number') === isNumeric(to);
    let stopped = false;
    const visitSide: typeof visit = (key, a, b) => {
      stopped = visit(key, a, b) === false;
      return !stopped;
    };
    if (!inTo) eachRowChange(pager, from, null, visitSide, first);
    if (!stopped) eachRowChange(pager, null, to, visitSide, inTo ? first : null);
    return;
  }
  diffTrees(
    pager,
    from ?? emptyTree(numeric),
    to ?? emptyTree(numeric),
    (key, a, ai, b, bi) => visit(key, a === null ? null : { leaf: a, index: ai }, b === null ? null : { leaf: b, index: bi }),
    first,
  );
}

/** Rows visited per step: a millisecond or two for a visitor that inspects each. */
export const ROWS_A_STEP = 256;

/** `eachRowChange` in steps, for callers that yield between them while the nodes stay unchanged. */
export function* rowChangeSteps(
  pager: Pager,
  from: Node | null,
  to: Node | null,
  visit: (key: Key, from: RowAt | null, to: RowAt | null) => void,
): Generator<void, void> {
  for (let next: Key | null = null; ;) {
    let left = ROWS_A_STEP;
    let stopped: Key | null = null;
    eachRowChange(
      pager,
      from,
      to,
      (key, a, b) => {
        if (left-- === 0) {
          stopped = key;
          return false;
        }
        visit(key, a, b);
        return true;
      },
      next,
    );
    if (stopped === null) return;
    next = stopped;
    yield;
  }
}

export function isNumeric(tree: Node): boolean {
  return tree.isLeaf ? tree.numeric : typeof tree.keys[tree.keys.length - 1] === 'number';
}

/**
 * All changes from world `from` to world `to`, including definitions. Indexes follow from rows; rows of a dropped typed
 * table, or one truncated into a new epoch, are removed with its definition. `sealed`: nodes of `to` are not changed in place
 * any more, so a new tree can represent its rows.
 */
export function changesBetween(pager: Pager, from: Node, to: Node, sealed = false): TreeChanges[] {
  const out: TreeChanges[] = [];
  const shapes = new ShapeTable();
  const before = readCatalog(pager, from);
  const after = readCatalog(pager, to);
  for (const { tree, from: a, to: b } of changedTrees(pager, from, to)) {
    let old = a;
    if (tree !== CATALOG_TREE && tree !== EFFECT_TREE) {
      const was = before.byNumber.get(tree);
      const is = after.byNumber.get(tree);
      if (is === undefined && (was === undefined || was.relation !== null)) continue;
      if (was !== undefined && epochOf(was) !== epochOf(is)) old = null;
    }
    if (old === null && b === null) continue;
    if (sealed && old === null && b !== null && !isBeside(tree) && b.count >= LEAVES_ROWS_MIN) {
      out.push(new NewRows(tree, isNumeric(b), allLeaves(pager, b)));
      continue;
    }
    const rows: RowChange[] = [];
    eachRowChange(pager, old, b, (key, x, y) => {
      rows.push(rowChange(key, x, y, shapes));
    });
    if (rows.length > 0) out.push({ tree, numeric: isNumeric((b ?? old)!), rows });
  }
  return out;
}

function allLeaves(pager: Pager, root: Node): Leaf[] {
  const out: Leaf[] = [];
  scan(pager, root, null, (leaf) => {
    out.push(leaf);
  });
  return out;
}

/** Changes of one tree of a world; none if it is unchanged. */
export function treeDifference(pager: Pager, from: Node, to: Node, tree: number): TreeChanges[] {
  const a = childRoot(pager, from, tree);
  const b = childRoot(pager, to, tree);
  if (a === b || (a === null && b === null)) return [];
  const shapes = new ShapeTable();
  const rows: RowChange[] = [];
  eachRowChange(pager, a, b, (key, x, y) => {
    rows.push(rowChange(key, x, y, shapes));
  });
  return rows.length === 0 ? [] : [{ tree, numeric: isNumeric((b ?? a)!), rows }];
}

/** The two trees of a table may have different kinds of keys: then all rows of one are deleted and all of the other inserted. */
function differentKeys(from: Node, to: Node): boolean {
  return from.count > 0 && to.count > 0 && isNumeric(from) !== isNumeric(to);
}
