/** Compiles SQL text of definitions: implemented by binder and executor, called by the schema layer. */
import type { Pager } from '../../tree/pager.ts';
import type { RuleObject } from '../../worlds/definition.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

/** A text in a definition, with what it is evaluated over. */
export type StoredText =
  /** An expression over a row of a table, over VALUE of a domain (by its number), or over nothing; the type is that of its assignment target. */
  | { readonly expression: string; readonly over: SqlTable | { readonly domain: number } | null; readonly type?: number }
  /** A query, of a view or a policy. */
  | { readonly query: string; readonly home: string }
  | { readonly rule: RuleObject };

export interface NamedInText {
  readonly functions: ReadonlySet<number>;
  readonly operators: ReadonlySet<number>;
  /** Names of collations after COLLATE. */
  readonly collations: ReadonlySet<string>;
  /** Oids of types of constants and casts. */
  readonly types: ReadonlySet<number>;
  /** Oids of the relations and text search objects in constants of `reg…` types. */
  readonly objects: ReadonlySet<number>;
  /** Functions and operators of extensions that it calls, described, by extension. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface Compiler {
  /** The compiler that knows the functions of these definitions; absent if it does already. */
  within?(schema: Schema, pager: Pager): Compiler;
  /** Of the statement, if there is one. */
  readonly env?: Environment;
  /** A condition over a row of the table (one value per column). */
  check(table: SqlTable, sql: string): (row: readonly Value[]) => boolean | null;
  /** An expression over a row of the table; `type` is the required result (defaults are coerced to their column). */
  expression(table: SqlTable, sql: string, type: SqlType, typmod: number): (row: readonly Value[]) => Value;
  /** The result type of an expression over the table. */
  typed(table: SqlTable, sql: string): { readonly type: SqlType; readonly typmod: number };
  /** The user-defined objects that a stored text refers to. */
  named(text: StoredText): NamedInText;
  /** The text of a condition that is stored as a query of one item. */
  condition(sql: string): string;
  /** The text of an expression over the table, with columns renamed. */
  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string;
}
