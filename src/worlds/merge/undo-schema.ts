/**
 * Definitions of typed tables that undoing a merge takes back: those that are still as the merge left them. A
 * table that the merge made stays where rows were written to it since. Epochs go on: what was emptied by the
 * merge is emptied again and filled with the rows from before.
 */
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type Catalog, readCatalog } from '../catalog.ts';
import { type CatalogObject, catalogObject, DEFINITION_SHAPE } from '../definition.ts';
import { eachRowChange } from '../row-change.ts';

export interface UndoneDefinitions {
  rows: RowChange[];
  /** Tables whose rows from before the merge come back whole. */
  restored: Set<number>;
}

/** `now` is the world's directory, `then` what the merge left. */
export function undoneDefinitions(pager: Pager, merged: readonly TreeChanges[], now: Node, then: Node): UndoneDefinitions {
  const out: UndoneDefinitions = { rows: [], restored: new Set() };
  const definitions = merged.find(({ tree }) => tree === CATALOG_TREE);
  if (definitions === undefined) return out;
  const current = readCatalog(pager, now);
  const kept = new Set<number>();
  const made = new Set<number>();
  for (const { key, before, after } of definitions.rows) {
    const is = object(after);
    if (is?.what !== 'relation') continue;
    // Made by the merge and written to since, or changed since: all of the table's definitions stay.
    const there = current.objects.get(key as string);
    if (text(there) !== text(is) || (before === null && wrote(pager, then, now, is.number))) kept.add(is.number);
    else if (before === null) made.add(is.number);
  }
  // So does what tables that stay need; what came with the merge goes with what it needs.
  for (let again = true; again;) {
    again = false;
    for (const number of made) {
      if (!neededByOthers(current, number, made)) continue;
      made.delete(number);
      kept.add(number);
      again = true;
    }
  }
  for (const { key, before, after } of definitions.rows) {
    const was = object(before);
    const is = object(after);
    const any = was ?? is;
    if (any === null || any.what === 'table' || any.what === 'column') continue;
    const table = any.what === 'relation' ? any.number : 'table' in any ? any.table : null;
    if (table !== null && kept.has(table)) continue;
    const there = current.objects.get(key as string);
    if (text(there) !== text(is ?? undefined)) continue;
    let back = was;
    if (was?.what === 'relation' && (is === null || (is.what === 'relation' && is.epoch !== was.epoch))) {
      out.restored.add(was.number);
      back = { ...was, epoch: Math.max(was.epoch, is?.what === 'relation' ? is.epoch : 0) + 1 };
    }
    out.rows.push({
      key,
      shape: DEFINITION_SHAPE,
      before: there === undefined ? null : [text(there)],
      after: back === null ? null : [text(back)],
    });
  }
  return out;
}

/** Whether a table points at it or hangs below it that is none of those that go. */
function neededByOthers(catalog: Catalog, table: number, going: ReadonlySet<number>): boolean {
  for (const each of catalog.objects.values()) {
    if (each.what === 'foreign key' && each.target === table && !going.has(each.table)) return true;
    if (each.what === 'relation' && each.parents?.includes(table) === true && !going.has(each.number)) return true;
  }
  return false;
}

function wrote(pager: Pager, from: Node, to: Node, table: number): boolean {
  const a = childRoot(pager, from, table);
  const b = childRoot(pager, to, table);
  if (a === b || (a === null && b === null)) return false;
  let any = false;
  eachRowChange(pager, a, b, () => {
    any = true;
    return false;
  });
  return any;
}

function object(row: RowChange['before']): CatalogObject | null {
  return row === null ? null : catalogObject(row[0] as string);
}

function text(each: CatalogObject | undefined | null): string {
  return each === undefined || each === null ? '' : JSON.stringify(each);
}
