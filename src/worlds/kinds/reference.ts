/**
 * A reference from one definition to another: an edge of the dependency graph, like a row of pg_depend.
 *
 *   needs     the target cannot be dropped without it: DROP requires CASCADE, a merge has a conflict
 *   follows   dropped silently with the target, as an index with its column; losing it in a merge is a conflict all the same
 *   part      part of the target and dropped with it, in a merge as well
 *
 * References are in the order in which a merge checks them: its message names the first missing one.
 */
import type { Address, PartAddress } from './address.ts';
import type { RoutineReference } from './routine-reference.ts';

export type Referenced =
  /** A table, view or materialized view. */
  | { readonly to: 'relation'; readonly number: number }
  /** For a view, `column` is a position from 1, and not a definition of its own. */
  | { readonly to: 'column'; readonly table: number; readonly column: number }
  /** Columns of the table named in a text, which must be parsed to find them. */
  | { readonly to: 'columns'; readonly table: number; readonly text: string }
  /** A key over exactly these columns, referenced by a foreign key. */
  | { readonly to: 'unique key'; readonly table: number; readonly columns: readonly number[] }
  /** Used by a query or a body: a relation, a function, a type, or a primary key that it groups by; for relations with columns. */
  | { readonly to: 'used'; readonly number: number; readonly columns: readonly number[] }
  | { readonly to: 'type'; readonly oid: number }
  | { readonly to: 'schema'; readonly name: string }
  /** Of facts. */
  | { readonly to: 'collation'; readonly name: string }
  | { readonly to: 'extension'; readonly name: string }
  /** Roles belong to the folder, and are in no world's catalog. */
  | { readonly to: 'role'; readonly oid: number }
  /** Anything that can have a comment, an owner or privileges; with `attnum` above 0, a column of it. */
  | { readonly to: 'object'; readonly number: number; readonly attnum: number }
  | { readonly to: NumberedReference; readonly number: number };

export type NumberedReference =
  | 'routine'
  | 'operator'
  | 'operator family'
  | 'operator class'
  | 'text search dictionary'
  | 'publication'
  | 'foreign data wrapper'
  | 'server'
  | 'index'
  | 'foreign key'
  | 'trigger'
  /** A schema by its number. */
  | 'namespace'
  | 'large object';

export type Reference = Referenced & {
  readonly how: 'needs' | 'follows' | 'part';
  /**
   * Who follows it; omitted: DROP and merges. `drop`, `merge`: the other has a step of its own for it. `neither`: it is
   * implied by another reference, or handled where the target is removed.
   */
  readonly walked?: 'drop' | 'merge' | 'neither';
  /** How a merge names it when it is missing; omitted: by its definition. */
  readonly called?: string;
  /** The dependent, if not the object itself: a part of it, or an operator class that requires the member. */
  readonly by?: Address | PartAddress;
};

type Details = Partial<Pick<Reference, 'how' | 'walked' | 'called' | 'by'>>;

// Merges check every definition of a catalog: plain forms are literals, which cost a fraction of a spread.

export function toRelation(number: number, details?: Details): Reference {
  return details === undefined ? { to: 'relation', number, how: 'needs' } : { to: 'relation', number, how: 'needs', ...details };
}

/** DROP TABLE silently removes objects that belong to a table alone. */
export function ofTable(number: number): Reference {
  return { to: 'relation', number, how: 'part', walked: 'merge', called: 'its table' };
}

/** Belongs to a table or view, and is listed when that is dropped. */
export function onRelation(number: number): Reference {
  return { to: 'relation', number, how: 'part', called: 'its table' };
}

export function toColumns(table: number, columns: readonly (number | null)[], details?: Details): Reference[] {
  const out: Reference[] = [];
  for (const column of columns) {
    if (column === null) continue;
    out.push(details === undefined ? { to: 'column', table, column, how: 'follows' } : { to: 'column', table, column, how: 'follows', ...details });
  }
  return out;
}

export function inText(table: number, text: string | null, details?: Details): Reference[] {
  return text === null ? [] : [{ to: 'columns', table, text, how: 'needs', ...details }];
}

export function toType(oid: number, details?: Details): Reference {
  return details === undefined ? { to: 'type', oid, how: 'needs' } : { to: 'type', oid, how: 'needs', ...details };
}

export function inSchema(name: string, details?: Details): Reference {
  return details === undefined ? { to: 'schema', name, how: 'needs' } : { to: 'schema', name, how: 'needs', ...details };
}

/** A user-defined function; system functions always exist. */
export function toRoutine(reference: RoutineReference | null | undefined, details?: Details): Reference[] {
  return reference != null && 'own' in reference ? [{ to: 'routine', number: reference.own, how: 'needs', ...details }] : [];
}

export function toNumbered(to: NumberedReference, number: number, details?: Details): Reference {
  return { to, number, how: 'needs', ...details };
}

/** Relations, functions and types named in a stored query or body, with the columns that it reads. */
export type Uses = readonly { readonly object: number; readonly columns: readonly number[] }[];

export function toUsed(uses: Uses | undefined): Reference[] {
  return (uses ?? []).map(({ object, columns }) => ({ to: 'used', number: object, columns, how: 'needs' }));
}

export function toRole(oid: number): Reference {
  return { to: 'role', oid, how: 'needs', walked: 'neither' };
}

/** A note about an object, dropped with it (`attnum` above 0: with the column). */
export function onObject(number: number, attnum = 0): Reference {
  return { to: 'object', number, attnum, how: 'part', walked: 'neither' };
}
