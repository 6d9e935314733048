/** What a type is to the rest of the engine. One object a type; compared by identity or `oid`. */
import type { Environment } from './environment.ts';
import type { Value } from './value.ts';

/** How values look at run time, for the compiler of expressions: see value.ts. */
export type Repr = 'bool' | 'i32' | 'f64' | 'whole' | 'numeric' | 'string' | 'object';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Domain {
  /** The type that it is over, which may be a domain. */
  readonly base: SqlType;
  readonly typmod: number;
  /** The type under all domains. */
  readonly root: SqlType;
  /** SQL text; its own or the base's. */
  readonly default: string | null;
  /** Whether it, or one under it, refuses nulls. */
  readonly notNull: boolean;
  readonly name: DomainName;
  /** 23502 and 23514: its own rules, not those of `base`; errors name `wanted`, itself where nothing is given. `validOnly`: not those that are NOT VALID. */
  check(value: Value, env: Environment, wanted?: DomainName, validOnly?: boolean): void;
  /** A text read as a value of `root`, which keeps to no rules yet. */
  unchecked(text: string, env: Environment): Value;
}

export interface DomainName {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As errors have it. */
  readonly title: string;
}

/** A base type that a world defines: its values are those of `over`, a type of the system. */
export interface BaseKind {
  readonly over: SqlType;
  /** As in pg_type. */
  readonly length: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collatable: boolean;
  readonly delimiter: string;
  /** Text of the value that columns have by default. */
  readonly default: string | null;
  /** Whether there are functions for its binary form. */
  readonly sends: boolean;
  readonly receives: boolean;
}

export interface RangeKind {
  readonly subtype: SqlType;
  /** Oids of the range and of the multirange type. */
  readonly oid: number;
  readonly multirangeOid: number;
  readonly multi: boolean;
  /** Of a multirange type the range type, and of a range type itself. */
  readonly of: SqlType | null;
}

/** Cells keep the label that was given first, so that renaming one touches no row, in whichever world it is. */
export interface LabelIds {
  idOf(label: string): string;
  labelOf(id: string): string;
}

export interface SqlType {
  readonly oid: number;
  /** As in pg_type: `int4`. */
  readonly name: string;
  /** As `format_type` prints it: `integer`. */
  readonly title: string;
  /** pg_type.typcategory. */
  readonly category: string;
  readonly preferred: boolean;
  /** pg_type.typlen: bytes, or -1, or -2. */
  readonly length: number;
  readonly repr: Repr;
  /** Oid of the array type over this one; 0 where there is none. */
  readonly arrayOid: number;
  /** Type of the elements where this is an array. */
  readonly element: SqlType | null;
  /** Labels in order where this is an enum. */
  readonly labels: readonly string[] | null;
  /** Of an enum of which a label was renamed: what cells hold in the places of labels. */
  readonly labelIds?: LabelIds;
  /** What a domain restricts, null of any other type. Its values are those of `root`, and all else is taken from it. */
  readonly domain: Domain | null;
  /** Of a range or multirange type. */
  readonly range: RangeKind | null;
  /** Of a base type of a world. */
  readonly made?: BaseKind;
  /** Its name alone is known: nothing is of it. */
  readonly shell?: true;
  /** False for pseudo-types and for those without a btree order (json, point …): sorting and grouping them is 42883. */
  readonly ordered: boolean;
  readonly hashable: boolean;
  /** Text to value; errors 22P02, 22003, 22007, 22008 … with Postgres's message. `typmod` as in pg_attribute, -1 for none. */
  parse(text: string, typmod: number, env: Environment): Value;
  /** Value (not null) to text, exactly as Postgres prints it. */
  format(value: Value, env: Environment): string;
  /** Btree order of two values, neither null: <0, 0, >0. */
  compare(a: Value, b: Value): number;
  /** A primitive that is equal (by Map's equality) exactly where the values are equal. */
  hashKey(value: Value): string | number | bigint | boolean;
  /** The value as the `sql` operation of the HTTP entrance sends it. */
  json(value: Value, env: Environment): Json;
  /** The value under a length, precision or scale: what a cast or an assignment to `varchar(3)` does. Identity where the type has none. */
  coerce(value: Value, typmod: number, explicit: boolean): Value;
  /** `(10,2)` for a typmod, '' for none. */
  formatTypmod(typmod: number): string;
}
