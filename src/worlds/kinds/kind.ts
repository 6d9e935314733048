/**
 * Everything about one kind of catalog object. Each kind has its own file with its stored shape; registry.ts lists all of
 * them. docs/howto/add-a-catalog-kind.md explains how to add one.
 */
import type { Address } from './address.ts';
import type { Reference } from './reference.ts';

/** Names of other objects, for messages. */
export interface Names {
  table(number: number): string;
  /** The number if it is unknown. */
  type(oid: number): string;
  /** `table:orders`; with `attnum` above 0, a column of it. The numbers if it is unknown. */
  object(number: number, attnum?: number): string;
}

/** Joins a field that both sides of a merge changed; null: conflict. */
export type JoinField<O> = (base: O, ours: O, theirs: O, winner: 'ours' | 'theirs' | null) => unknown;

export interface MergeFields<O> {
  /** Fields with their own join function. */
  readonly join?: { readonly [F in keyof O]?: JoinField<O> };
  /** Fields that are always ours. */
  readonly ours?: readonly (keyof O)[];
  /** Fields ignored when comparing objects created alike: positions and counters. */
  readonly counters?: readonly (keyof O)[];
}

/** Effect of a definition on rows. Two versions with equal values affect rows alike. */
export interface Affects<O> {
  /** Rules that rows must satisfy, or values derived by them: rows written under other rules are checked again. */
  checked?(object: O): unknown;
  /** Representation of values in rows: rows in another one cannot be read by it. */
  stored?(object: O): unknown;
  /** Hidden cells that writers derive for each row. */
  cells?(object: O): number[];
}

export interface Kind<O> {
  /** Key of its row in the catalog tree. Rows of one table are adjacent, by number. */
  key(object: O): string;
  /**
   * The name that maps to one number in all worlds, for objects created alike; null for objects with a new number each, or
   * none. A typed table's name includes the form of its keys, a column's its type: trees and cells of two forms never share a
   * number.
   */
  numberName(object: O): string | null;
  /** All its numbers. */
  numbers(object: O): number[];
  /** Names of its numbers except the first. */
  furtherNames?(object: O): [name: string, number: number][];
  /** Its references to other objects. */
  references(object: O): Reference[];
  /** Omitted: no statement drops it directly. */
  address?(object: O): Address;
  /** Number of the object responsible for its code (expressions, bodies, and whatever decides which function a text calls); null, omitted: it has none. */
  codeHolder?(object: O): number | null;
  /** In words: `table orders`, `a comment`. */
  words(object: O): string;
  /** Name in conflicts: `table:sales.orders`. */
  path(object: O, names: Names): string;
  /** In words, with its name; omitted: its path. */
  title?(object: O, names: Names): string;
  /** Its name in its namespace, which must be unique; null without a name. `schemaOf`: of a typed table. */
  scopedName(object: O, schemaOf: (table: number) => string | null): string | null;
  readonly merge?: MergeFields<O>;
  /** A note about another object (`object` and `attnum`): dropped with it, and the last writer wins. */
  readonly note?: true;
  readonly affects?: Affects<O>;
}

/** For objects with only their own number. */
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

/** The object in words, with its name. */
export function titleOf(names: Names, number: number, attnum = 0): string {
  const title = names.object(number, attnum).replace(':', ' ');
  return /^\d/.test(title) ? `object ${title}` : title;
}
