/**
 * What one definition says of another one: an edge of the graph of dependencies, as a row of pg_depend is.
 *
 *   needs     what it refers to cannot go without it: DROP asks for CASCADE, a merge has a conflict
 *   follows   it goes with what it refers to, unasked, as an index with its column; that a merge loses it is a conflict all the same
 *   part      it is part of what it refers to and goes with it, in a merge as well
 *
 * References stand in the order in which a merge looks for what is lacking: the first one is what its message names.
 */
import type { Address, PartAddress } from './address.ts';
import type { RoutineReference } from './routine-reference.ts';

export type Referenced =
  /** A table, view or materialized view. */
  | { readonly to: 'relation'; readonly number: number }
  /** Of a view `column` is a place from 1, and no definition of its own. */
  | { readonly to: 'column'; readonly table: number; readonly column: number }
  /** Columns of the table that a text names: which, the text says. */
  | { readonly to: 'columns'; readonly table: number; readonly text: string }
  /** A key over just these columns, which a foreign key points at. */
  | { readonly to: 'unique key'; readonly table: number; readonly columns: readonly number[] }
  /** What a query or a body names: a relation, a function, a type, or a primary key by which it groups; of relations with columns. */
  | { readonly to: 'used'; readonly number: number; readonly columns: readonly number[] }
  | { readonly to: 'type'; readonly oid: number }
  | { readonly to: 'schema'; readonly name: string }
  /** Of facts. */
  | { readonly to: 'collation'; readonly name: string }
  | { readonly to: 'extension'; readonly name: string }
  /** Roles belong to the folder, and are in no catalog of a world. */
  | { readonly to: 'role'; readonly oid: number }
  /** Anything that can have a comment, an owner or privileges; above 0, a column of it. */
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
   * Who walks it; left out: DROP and merges. `drop`, `merge`: the other one has a step of its own for it. `neither`: it follows from another
   * reference, or whatever removes the one has the other in hand.
   */
  readonly walked?: 'drop' | 'merge' | 'neither';
  /** What a merge calls it that lacks it; left out: by its definition. */
  readonly called?: string;
  /** What depends, where it is not the object itself: a part of it, or a class of operators that cannot be without its member. */
  readonly by?: Address | PartAddress;
};

type Details = Partial<Pick<Reference, 'how' | 'walked' | 'called' | 'by'>>;

// Merges ask each definition of a catalog: the plain forms are literals, which cost a fraction of a spread.

export function toRelation(number: number, details?: Details): Reference {
  return details === undefined ? { to: 'relation', number, how: 'needs' } : { to: 'relation', number, how: 'needs', ...details };
}

/** DROP TABLE removes what is of a table alone without a word. */
export function ofTable(number: number): Reference {
  return { to: 'relation', number, how: 'part', walked: 'merge', called: 'its table' };
}

/** Of a table or view, and named where that is dropped. */
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

/** A function of the world; those of the system are always there. */
export function toRoutine(reference: RoutineReference | null | undefined, details?: Details): Reference[] {
  return reference != null && 'own' in reference ? [{ to: 'routine', number: reference.own, how: 'needs', ...details }] : [];
}

export function toNumbered(to: NumberedReference, number: number, details?: Details): Reference {
  return { to, number, how: 'needs', ...details };
}

/** Relations, functions and types that a stored query or body names, and the columns that it reads of them. */
export type Uses = readonly { readonly object: number; readonly columns: readonly number[] }[];

export function toUsed(uses: Uses | undefined): Reference[] {
  return (uses ?? []).map(({ object, columns }) => ({ to: 'used', number: object, columns, how: 'needs' }));
}

export function toRole(oid: number): Reference {
  return { to: 'role', oid, how: 'needs', walked: 'neither' };
}

/** What was said of an object, which goes with it (`attnum` above 0: with the column). */
export function onObject(number: number, attnum = 0): Reference {
  return { to: 'object', number, attnum, how: 'part', walked: 'neither' };
}
