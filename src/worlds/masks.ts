/**
 * The masked columns of a world, from labels and what follows from them. A label also applies to the same column of child
 * tables and partitions, which hold the same rows; a parent of a masked table shows nothing in that column. A materialized
 * view over masked tables was filled by a role that sees masked columns, so it is hidden from others.
 *
 * A mask belongs to the column's identity (its number, or its name in the table), so it also applies in states without a
 * label of their own: earlier states, earlier forks, and tables and columns that were dropped and recreated.
 */
import { type Catalog, knownBefore, type Table } from './catalog.ts';
import type { AttributeObject } from './definition.ts';

export interface Masks {
  /** Labels by `<object>.<attnum>`. */
  readonly columns: ReadonlyMap<string, string>;
  /** Labels by the column's identity in other states, including dropped columns. */
  readonly identities: ReadonlyMap<string, string>;
  /** Numbers of the materialized views over masked data. */
  readonly kept: ReadonlySet<number>;
  /** Equal numbers mean equal masks. */
  readonly version: number;
}

const NOTHING = 'MASKED WITH VALUE NULL';
export const NO_MASKS: Masks = { columns: new Map(), identities: new Map(), kept: new Set(), version: 0 };
const known = new WeakMap<Catalog, Masks>();
let versions = 0;

export function masksOf(catalog: Catalog): Masks {
  let masks = known.get(catalog);
  if (masks === undefined) known.set(catalog, (masks = withoutLabels(catalog) ? NO_MASKS : make(catalog, [])));
  return masks;
}

/** The last extension of a catalog's masks by those of other states. */
const extended = new WeakMap<Catalog, { readonly from: readonly Masks[]; readonly masks: Masks }>();

/** Masks of the catalog, extended by those of other states. */
export function masksWith(catalog: Catalog, others: readonly Masks[]): Masks {
  const own = masksOf(catalog);
  const from = others.filter((each) => each !== own && each !== NO_MASKS);
  if (from.length === 0) return own;
  const last = extended.get(catalog);
  if (last !== undefined && last.from.length === from.length && last.from.every((each, i) => each === from[i])) return last.masks;
  const masks = from.every((each) => [...each.identities.keys()].every((key) => own.identities.has(key))) ? own : make(catalog, from);
  extended.set(catalog, { from, masks });
  return masks;
}

/** Whether the catalog derives from one without labels and has added none. */
function withoutLabels(catalog: Catalog): boolean {
  const before = knownBefore(catalog, (each) => known.get(each));
  if (before?.known !== NO_MASKS) return false;
  return before.changes.every((changes) => [...changes.values()].every(({ after }) => after?.what !== 'label' && after?.what !== 'former label'));
}

export function maskKey(table: number, attnum: number): string {
  return `${table}.${attnum}`;
}

/** A column's identities in other states. `table`: number and name of its table, with the schema unless that is `public`. */
export function identitiesOf(table: { number: number; name: string }, column: { number: number; name: string }): string[] {
  const names = [`${table.name}\0${column.name}`, `#${table.number}\0${column.name}`];
  return column.number > 0 ? [`#${column.number}`, ...names] : names;
}

/** Names of table and column, if the identity is by name. */
export function namesIn(identity: string): [table: string, column: string] | null {
  const at = identity.indexOf('\0');
  return at < 0 || identity.startsWith('#') ? null : [identity.slice(0, at), identity.slice(at + 1)];
}

/** Fields of a document come after its id. */
function columnsOf({ relation, columns }: Table): { attnum: number; number: number; name: string }[] {
  if (relation !== null) return [...relation.attributes];
  return [{ attnum: 1, number: 0, name: 'id' }, ...columns.map(({ number, name }, i) => ({ attnum: i + 2, number, name }))];
}

export function* columnsMasked(
  catalog: Catalog,
  { columns }: Pick<Masks, 'columns'>,
): Iterable<{ table: Table; column: { number: number; name: string }; text: string }> {
  for (const [key, text] of columns) {
    const [number, attnum] = key.split('.').map(Number);
    const table = catalog.byNumber.get(number);
    const column = table === undefined ? undefined : columnsOf(table).find((each) => each.attnum === attnum);
    if (column !== undefined) yield { table: table!, column, text };
  }
}

function make(catalog: Catalog, others: readonly Masks[]): Masks {
  const columns = new Map<string, string>();
  const identities = new Map<string, string>();
  const labels: { readonly object: number; readonly attnum: number; readonly text: string }[] = [];
  const children = new Map<number, number[]>();
  for (const object of catalog.objects.values()) {
    if (object.what === 'label') {
      labels.push(object);
      columns.set(maskKey(object.object, object.attnum), object.text);
    } else if (object.what === 'former label') {
      const { object: number, relation, column, columnNumber, text } = object;
      for (const key of identitiesOf({ number, name: relation }, { number: columnNumber, name: column })) identities.set(key, text);
    } else if (object.what === 'relation') {
      for (const parent of object.parents ?? []) children.set(parent, [...(children.get(parent) ?? []), object.number]);
    }
  }
  for (const other of others) for (const [key, text] of other.identities) if (!identities.has(key)) identities.set(key, text);
  if (labels.length === 0 && identities.size === 0) return NO_MASKS;
  if (identities.size > 0) {
    for (const table of catalog.byNumber.values()) {
      for (const column of columnsOf(table)) {
        const key = maskKey(table.number, column.attnum);
        const text = columns.has(key)
          ? undefined
          : identitiesOf(table, column)
              .map((each) => identities.get(each))
              .find((each) => each !== undefined);
        if (text === undefined) continue;
        labels.push({ object: table.number, attnum: column.attnum, text });
        columns.set(key, text);
      }
    }
  }
  if (children.size > 0) for (const { object, attnum, text } of labels) spread(catalog, children, columns, object, attnum, text);
  for (const { table, column, text } of columnsMasked(catalog, { columns })) for (const each of identitiesOf(table, column)) identities.set(each, text);
  return { columns, identities, kept: keptOver(catalog, columns), version: ++versions };
}

/** Propagates masks: to children with the label itself, to parents hidden altogether, since a parent may lack the columns that the mask's expression uses. */
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
    // What a function reads is unknown.
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
