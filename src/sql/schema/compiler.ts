/** SQL text of definitions made runnable: the binder and the executor give this, the schema layer only calls it. */
import type { Pager } from '../../tree/pager.ts';
import type { RuleObject } from '../../worlds/definition.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

/** A text of a definition, by what it stands over. */
export type StoredText =
  /** An expression over a row of a table, over VALUE of a domain (by its number), or over nothing; what it is assigned to has the type. */
  | { readonly expression: string; readonly over: SqlTable | { readonly domain: number } | null; readonly type?: number }
  /** A query, of a view or a policy. */
  | { readonly query: string; readonly home: string }
  | { readonly rule: RuleObject };

export interface NamedInText {
  readonly functions: ReadonlySet<number>;
  readonly operators: ReadonlySet<number>;
  /** Names of collations behind COLLATE. */
  readonly collations: ReadonlySet<string>;
  /** Oids of types of constants and casts. */
  readonly types: ReadonlySet<number>;
  /** Oids of the relations and text search objects that constants of `reg…` types stand for. */
  readonly objects: ReadonlySet<number>;
  /** Functions and operators of extensions that are called, in words, by the extension. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface Compiler {
  /** The compiler that knows the functions of these definitions; left out where it does already. */
  within?(schema: Schema, pager: Pager): Compiler;
  /** Of the statement, where there is one. */
  readonly env?: Environment;
  /** A condition over a row of the table (one value a column). */
  check(table: SqlTable, sql: string): (row: readonly Value[]) => boolean | null;
  /** An expression over a row of the table; `type` is what it must give (defaults are coerced to their column). */
  expression(table: SqlTable, sql: string, type: SqlType, typmod: number): (row: readonly Value[]) => Value;
  /** What an expression over the table gives. */
  typed(table: SqlTable, sql: string): { readonly type: SqlType; readonly typmod: number };
  /** What of the world's own a stored text names. */
  named(text: StoredText): NamedInText;
  /** The text of a condition that is kept as a query of one item. */
  condition(sql: string): string;
  /** The text of an expression over the table, with columns renamed. */
  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string;
}
