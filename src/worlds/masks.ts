/**
 * Which columns of a world are masked, by what labels say and what follows from them. A label holds for the same column of the
 * tables below (children, partitions), whose rows are the same; a table above one with a mask shows nothing in that column. What a
 * materialized view keeps of masked tables was read by somebody who sees through, so it is not for who does not.
 */
import { type Catalog, knownBefore } from './catalog.ts';
import type { AttributeObject } from './definition.ts';

export interface Masks {
  /** Labels by `<object>.<attnum>`. */
  readonly columns: ReadonlyMap<string, string>;
  /** Numbers of the materialized views that keep rows of what is masked. */
  readonly kept: ReadonlySet<number>;
}

const NOTHING = 'MASKED WITH VALUE NULL';
const NONE: Masks = { columns: new Map(), kept: new Set() };
const known = new WeakMap<Catalog, Masks>();

export function masksOf(catalog: Catalog): Masks {
  let masks = known.get(catalog);
  if (masks === undefined) known.set(catalog, (masks = withoutLabels(catalog) ? NONE : make(catalog)));
  return masks;
}

/** Whether the catalog was made of one without any, and has got none: nothing has to be looked through. */
function withoutLabels(catalog: Catalog): boolean {
  const before = knownBefore(catalog, (each) => known.get(each));
  if (before?.known !== NONE) return false;
  return before.changes.every((changes) => [...changes.values()].every(({ after }) => after?.what !== 'label'));
}

export function maskKey(table: number, attnum: number): string {
  return `${table}.${attnum}`;
}

function make(catalog: Catalog): Masks {
  const columns = new Map<string, string>();
  const labels: { readonly object: number; readonly attnum: number; readonly text: string }[] = [];
  const children = new Map<number, number[]>();
  for (const object of catalog.objects.values()) {
    if (object.what === 'label') {
      labels.push(object);
      columns.set(maskKey(object.object, object.attnum), object.text);
    } else if (object.what === 'relation') {
      for (const parent of object.parents ?? []) children.set(parent, [...(children.get(parent) ?? []), object.number]);
    }
  }
  if (labels.length === 0) return NONE;
  if (children.size > 0) for (const { object, attnum, text } of labels) spread(catalog, children, columns, object, attnum, text);
  return { columns, kept: keptOver(catalog, columns) };
}

/** Down with the label itself, up with nothing to be seen: what is above need not have the columns that the mask is made of. */
function spread(
  catalog: Catalog,
  children: ReadonlyMap<number, readonly number[]>,
  columns: Map<string, string>,
  object: number,
  attnum: number,
  text: string,
): void {
  const name = attribute(catalog, object, (each) => each.attnum === attnum)?.name;
  if (name === undefined) return;
  const walk = (next: (table: number) => readonly number[], label: string): void => {
    const seen = new Set([object]);
    const queue = [...next(object)];
    for (let table = queue.shift(); table !== undefined; table = queue.shift()) {
      const own = attribute(catalog, table, (each) => each.name === name);
      if (seen.has(table) || own === undefined) continue;
      seen.add(table);
      const key = maskKey(table, own.attnum);
      if (!columns.has(key)) columns.set(key, label);
      queue.push(...next(table));
    }
  };
  walk((table) => children.get(table) ?? [], text);
  walk((table) => catalog.byNumber.get(table)?.relation?.object.parents ?? [], NOTHING);
}

function attribute(catalog: Catalog, table: number, is: (each: AttributeObject) => boolean): AttributeObject | undefined {
  return catalog.byNumber.get(table)?.relation?.attributes.find(is);
}

function keptOver(catalog: Catalog, columns: ReadonlyMap<string, string>): ReadonlySet<number> {
  const masked = new Set([...columns.keys()].map((key) => Number(key.slice(0, key.indexOf('.')))));
  const uses = new Map<number, readonly { readonly object: number }[]>();
  const functions = new Set<number>();
  const kept: number[] = [];
  for (const object of catalog.objects.values()) {
    if (object.what === 'view') uses.set(object.number, object.uses);
    // What a function reads nobody knows.
    else if (object.what === 'function') functions.add(object.number);
    else if (object.what === 'relation' && object.query !== undefined) {
      uses.set(object.number, object.query.uses);
      kept.push(object.number);
    }
  }
  const reads = (number: number): boolean => {
    const seen = new Set<number>();
    const queue = [number];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (masked.has(next) || functions.has(next)) return true;
      for (const { object } of uses.get(next) ?? []) queue.push(object);
    }
    return false;
  };
  return new Set(kept.filter(reads));
}
