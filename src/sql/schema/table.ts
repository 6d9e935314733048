/** Tables, columns, keys and indexes as statements see them: decoded from a world's definitions, immutable. */
import type { DocumentType, IndexMethod } from '../../worlds/definition.ts';
import type { Datum, Kind } from '../../tree/datum.ts';
import type { PartitionBoundObject } from '../../worlds/definition.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Hierarchy } from './hierarchy.ts';

/**
 * Storage of a column's values in leaves.
 *
 *   direct   the datum is the value (numbers, booleans, texts)
 *   decimal  a Numeric as its coefficient at `scale` (numeric(p,s) with p ≤ 18); NaN as NaN
 *   parsed   the type's text (numerics of any precision, intervals, arrays …)
 */
export interface Storage {
  readonly kind: Kind;
  readonly form: 'direct' | 'decimal' | 'parsed';
  /** For `decimal`. */
  readonly scale: number;
  /** Not for null. */
  encode(value: Value): Datum;
  decode(datum: Datum): Value;
}

export interface SqlColumn {
  /** Object number; the id of its cells in leaves. */
  readonly number: number;
  /** pg_attribute.attnum. */
  readonly attnum: number;
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  readonly storage: Storage;
  readonly notNull: boolean;
  /** SQL text of the default, or null. */
  readonly default: string | null;
  readonly identity: 'always' | 'by default' | null;
  /** A field that documents brought: null is stored as an absent cell. */
  readonly field?: DocumentType;
  /** SQL text of a stored generated column. */
  readonly generated: string | null;
  /** The value in rows that were stored before the column was added. */
  readonly missing: Value;
  /** Those rows got individual defaults. */
  readonly fills?: boolean;
  /** For a column of a foreign table: `name=value` each. */
  readonly options?: readonly string[];
  /** A nondeterministic collation: keys contain the folded value (`foldedText`). */
  readonly folding?: IcuCollation;
}

/** The keys of rows in the table's tree. */
export interface RowKey {
  /** Whether the tree has numeric keys: a single int2 or int4 column, or the hidden row number. */
  readonly numeric: boolean;
  /** Indexes into `columns`; empty for a hidden row number. */
  readonly columns: readonly number[];
}

export interface IndexColumn {
  /** Index into the table's columns, or null for an expression. */
  readonly column: number | null;
  /** SQL text. */
  readonly expression: string | null;
  readonly type: SqlType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** If it is not the default one. */
  readonly operatorClass: string | null;
  /** Number of the class if it is user-defined. */
  readonly ownClass: number | null;
  /** As of a column. */
  readonly folding?: IcuCollation;
}
export interface Index {
  /** Object number: oid, and the number of its tree in the world's directory. */
  readonly number: number;
  readonly name: string;
  readonly method: 'btree' | IndexMethod;
  /** The contents of its tree: ordered column keys, an entry for each key in lists, or none. */
  readonly entries: 'ordered' | 'lists' | 'none';
  readonly unique: boolean;
  readonly nullsNotDistinct: boolean;
  readonly columns: readonly IndexColumn[];
  readonly include: readonly number[];
  /** SQL text of a partial index's condition. */
  readonly where: string | null;
  /** The constraint that it implements, or null. */
  readonly constraint: string | null;
  /** Whether that is the primary key, a deferrable one. */
  readonly primary: boolean;
  /** Whether that is an exclusion constraint. */
  readonly excludes: boolean;
}
export type ForeignKeyAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';
export interface CheckConstraint {
  readonly kind: 'check';
  readonly number: number;
  readonly name: string;
  /** SQL text. */
  readonly condition: string;
  /** False if existing rows were never checked. */
  readonly valid: boolean;
  /** Not inherited by children. */
  readonly noInherit: boolean;
}
export interface ForeignKey {
  readonly kind: 'foreign key';
  readonly number: number;
  readonly name: string;
  /** Indexes into the columns of the table, and of the referenced one. */
  readonly columns: readonly number[];
  readonly target: number;
  readonly targetColumns: readonly number[];
  readonly onDelete: ForeignKeyAction;
  readonly onUpdate: ForeignKeyAction;
  readonly deleteColumns: readonly number[];
  readonly matchFull: boolean;
  readonly deferrable: boolean;
  readonly initiallyDeferred: boolean;
  readonly valid: boolean;
  /** For one on a partition: the foreign key that references the whole table. */
  readonly whole?: ForeignKey;
}
/** An element of a partition key: a column of the table by its index, or an expression. */
export interface PartitionElement {
  readonly column: number | null;
  /** SQL text. */
  readonly expression: string | null;
  readonly type: SqlType;
  readonly typmod: number;
  /** Collation and operator class as written. */
  readonly words: string;
}
export interface Partitioning {
  readonly strategy: 'range' | 'list' | 'hash';
  readonly elements: readonly PartitionElement[];
}
/** Inheritance and partitioning; null for a table without either. */
export interface Inheritance {
  /** Numbers of the tables that it inherits from, in order. */
  readonly parents: readonly number[];
  readonly partitionBy: Partitioning | null;
  /** Of a partition. */
  readonly bound: PartitionBoundObject | null;
}
/** The source of a foreign table's rows: options are `name=value`. */
export interface ForeignSource {
  /** Object number. */
  readonly server: number;
  readonly options: readonly string[];
}
export interface SqlTable {
  /** Object number: oid, and the number of its tree in the world's directory. */
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  /** The rows are documents: the first column is their id, which is stored in their keys alone. */
  readonly document: boolean;
  /** The definition follows from the documents: it becomes one of its own when something is defined about the table (`Ddl.definedTable`). */
  readonly implied?: true;
  /** Records with further fields widen the table. */
  readonly open?: true;
  readonly columns: readonly SqlColumn[];
  readonly key: RowKey;
  /** Name of the primary key constraint that orders the rows, null for a hidden row number. A deferrable key is one of `indexes`. */
  readonly primaryKey: string | null;
  readonly indexes: readonly Index[];
  readonly checks: readonly CheckConstraint[];
  readonly foreignKeys: readonly ForeignKey[];
  /** For a materialized view: its query, and whether it is populated. */
  readonly materialized: { readonly sql: string; readonly populated: boolean } | null;
  readonly inheritance: Inheritance | null;
  /** Of a foreign table. */
  readonly foreign?: ForeignSource;
  /** A view with INSTEAD OF triggers: it stores no rows. */
  readonly view?: true;
  /** Set if the table includes its descendants: row keys then contain their table. */
  readonly whole?: Hierarchy;
}

/** Whether the table has a primary key, whether it orders the rows or is deferrable. */
export function hasPrimaryKey({ primaryKey, indexes }: SqlTable): boolean {
  return primaryKey !== null || indexes.some(({ primary }) => primary);
}

/** The kind's word in ownership errors: a materialized view counts as a table. */
export function ownedWord({ foreign }: Pick<SqlTable, 'foreign'>): 'table' | 'foreign table' {
  return foreign === undefined ? 'table' : 'foreign table';
}

/** The kind's word in errors and statements. */
export function tableWord({ materialized, foreign }: SqlTable): 'table' | 'materialized view' | 'foreign table' {
  return foreign !== undefined ? 'foreign table' : materialized === null ? 'table' : 'materialized view';
}
