/** The interface of a type. One object per type; compared by identity or `oid`. */
import type { Environment } from './environment.ts';
import type { Value } from './value.ts';

/** The run-time form of values, for the expression compiler: see value.ts. */
export type Repr = 'bool' | 'i32' | 'f64' | 'whole' | 'numeric' | 'string' | 'object';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Domain {
  /** The type that it is based on, which may be a domain. */
  readonly base: SqlType;
  readonly typmod: number;
  /** The type under all domains. */
  readonly root: SqlType;
  /** SQL text; its own or the base's. */
  readonly default: string | null;
  /** Whether it, or a base domain, is NOT NULL. */
  readonly notNull: boolean;
  readonly name: DomainName;
  /** 23502 and 23514: its own constraints, not those of `base`; errors name `wanted`, by default itself. `validOnly`: except NOT VALID ones. */
  check(value: Value, env: Environment, wanted?: DomainName, validOnly?: boolean): void;
  /** A text parsed as a value of `root`, without checks. */
  unchecked(text: string, env: Environment): Value;
}

export interface DomainName {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** Its name in errors. */
  readonly title: string;
}

/** A user-defined base type: its values are those of `over`, a built-in type. */
export interface BaseKind {
  readonly over: SqlType;
  /** As in pg_type. */
  readonly length: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collatable: boolean;
  readonly delimiter: string;
  /** Text of the default value for columns. */
  readonly default: string | null;
  /** Whether it has binary I/O functions. */
  readonly sends: boolean;
  readonly receives: boolean;
}

export interface RangeKind {
  readonly subtype: SqlType;
  /** Oids of the range and of the multirange type. */
  readonly oid: number;
  readonly multirangeOid: number;
  readonly multi: boolean;
  /** For a multirange type the range type, and for a range type itself. */
  readonly of: SqlType | null;
}

/** Cells keep the original label as its id, so that a rename changes no row, in any world. */
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
  /** Oid of the array type over this one; 0 if there is none. */
  readonly arrayOid: number;
  /** Element type if this is an array. */
  readonly element: SqlType | null;
  /** Labels in order if this is an enum. */
  readonly labels: readonly string[] | null;
  /** For an enum with a renamed label: the stored ids. */
  readonly labelIds?: LabelIds;
  /** The restrictions of a domain, null for any other type. Its values are those of `root`, and all else is inherited from it. */
  readonly domain: Domain | null;
  /** Of a range or multirange type. */
  readonly range: RangeKind | null;
  /** Of a base type of a world. */
  readonly made?: BaseKind;
  /** A shell type: it has no values. */
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
  /** A primitive that is equal (by Map's equality) exactly if the values are equal. */
  hashKey(value: Value): string | number | bigint | boolean;
  /** The value in JSON, as the `sql` operation sends it. */
  json(value: Value, env: Environment): Json;
  /** The value under a length, precision or scale: a cast or an assignment to `varchar(3)`. Identity for types without modifiers. */
  coerce(value: Value, typmod: number, explicit: boolean): Value;
  /** `(10,2)` for a typmod, '' for none. */
  formatTypmod(typmod: number): string;
}
