/**
 * What there is to know of one kind of catalog object. Each kind has a file of its own with its stored shape, and registry.ts has all of
 * them; docs/howto/add-a-catalog-kind.md says how a kind comes in.
 */
import type { Address } from './address.ts';
import type { Reference } from './reference.ts';

/** Names of other objects, for words. */
export interface Names {
  table(number: number): string;
  /** The number where it is not known. */
  type(oid: number): string;
  /** `table:orders`; above 0 the attnum of a column of it. The numbers where it is not known. */
  object(number: number, attnum?: number): string;
}

/** A field that both sides of a merge changed, of the base, ours and theirs; null: it conflicts. */
export type JoinField<O> = (base: O, ours: O, theirs: O, winner: 'ours' | 'theirs' | null) => unknown;

export interface MergeFields<O> {
  /** Fields that are joined otherwise than as a whole. */
  readonly join?: { readonly [F in keyof O]?: JoinField<O> };
  /** Fields that stay as ours has them. */
  readonly ours?: readonly (keyof O)[];
  /** Fields by which two that were made alike may differ: places and counters. */
  readonly counters?: readonly (keyof O)[];
}

/** What of rows hangs together with a definition. Two versions that say the same ask the same of rows. */
export interface Affects<O> {
  /** What rows must keep, or have derived: those that were written under other rules are looked at again. */
  checked?(object: O): unknown;
  /** In which form rows hold values: those of another form cannot be read by it. */
  stored?(object: O): unknown;
  /** Hidden cells that writers derive for each row. */
  cells?(object: O): number[];
}

export interface Kind<O> {
  /** Key of its row in the catalog tree. What belongs to a table stands together, in order of numbers. */
  key(object: O): string;
  /**
   * The name by which all worlds find one number for what they make alike; null for objects that are numbered anew, or not at all. A typed
   * table's name goes with the form of its keys, a column's with its type: trees and cells of two forms never share a number.
   */
  numberName(object: O): string | null;
  /** Every number that it takes. */
  numbers(object: O): number[];
  /** Names of its numbers but the first. */
  furtherNames?(object: O): [name: string, number: number][];
  /** All that it says of others. */
  references(object: O): Reference[];
  /** Left out: no statement drops it by itself. */
  address?(object: O): Address;
  /** Number of the object that answers for the code in it: expressions, bodies, and what decides which function a text calls; null, left out: it holds none. */
  codeHolder?(object: O): number | null;
  /** In words: `table orders`, `a comment`. */
  words(object: O): string;
  /** By which a conflict names it: `table:sales.orders`. */
  path(object: O, names: Names): string;
  /** In words that say which it is; left out: its path. */
  title?(object: O, names: Names): string;
  /** What may be there only once; null for what has no name. `schemaOf`: of a typed table. */
  scopedName(object: O, schemaOf: (table: number) => string | null): string | null;
  readonly merge?: MergeFields<O>;
  /** It is what was said of another object (`object` and `attnum`): it goes with that, and whose word is the latest stands. */
  readonly note?: true;
  readonly affects?: Affects<O>;
}

/** Of what has just its own number. */
export function ownNumber({ number }: { readonly number: number }): number[] {
  return [number];
}

export function noNumbers(): number[] {
  return [];
}

export function nothing(): null {
  return null;
}

export function ofItself({ number }: { readonly number: number }): number {
  return number;
}

export function ofItsTable({ table }: { readonly table: number }): number {
  return table;
}

export function scoped(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

/** The object in words that say which it is. */
export function titleOf(names: Names, number: number, attnum = 0): string {
  const title = names.object(number, attnum).replace(':', ' ');
  return /^\d/.test(title) ? `object ${title}` : title;
}
