/**
 * What a statement runs in: the world's state, parameters, clocks, limits and the ways out (writers, spill
 * files). Made anew for each run of a compiled plan, which itself holds none of it.
 */
import type { Key } from '../../tree/datum.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { TriggerEvent } from '../../worlds/definition.ts';
import type { Call } from '../functions/define.ts';
import type { EnvironmentCall } from '../plan/bound.ts';
import type { LockStrength, LockWaiting, State, VirtualRelation } from '../plan/logical.ts';
import type { Index, SqlTable } from '../schema/table.ts';
import type { TableWriter } from '../schema/table-writer.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Batch } from './batch.ts';
import type { Value } from '../types/value.ts';

/** Memcomparable keys. A key that starts with a prefix is ≥ the prefix and < the prefix followed by U+0100. */
export interface KeyCodec {
  /** Key, or the start of one, of the values of the first key columns. Not for numeric keys. */
  rowKey(table: SqlTable, values: readonly Value[]): string;
  /** Start of the keys of an index's tree under the values of its first columns. */
  indexKey(index: Index, values: readonly Value[]): string;
  /** The values of an index's columns in the key of an entry: equal to the row's, not always written like them. */
  entryValues(index: Index, entry: string): readonly Value[];
  /** The values of the key's columns. */
  rowValues(table: SqlTable, key: Key): readonly Value[];
}

/** A temporary file of rows; written to its end, and read anywhere. */
export interface SpillFile {
  write(bytes: Uint8Array): void;
  /** Bytes [from, from + length) of what was written; fewer at the end. */
  read(from: number, length: number): Uint8Array;
  close(): void;
}

/** Notes what was looked at: ranges of a tree's keys, and rows that an index named. */
export interface Reads {
  ranges(tree: number, ranges: readonly { readonly lower: Key | null; readonly upper: Key | null }[]): void;
  row(tree: number, key: Key): void;
}

export interface InsertProgress {
  /** Rows that were written. */
  done: number;
  /** While one is written; not while rows are computed. */
  writing: boolean;
}

/** Read to the end, or closed before. */
export interface ForeignRows {
  /** A batch, which may be empty; null at the end. One value a column that is read. */
  next(): Batch | null;
  close(): void;
}

/** What a reader of rows asks for; it changes while they are made. */
export interface Wanted {
  rows: number;
}

/** A call that a thread makes. */
export interface LongCall {
  /** Values of a list as they come, in the end the value (`done`), or null where there is nothing yet: others are let in. Throws what the function throws. */
  next(): { readonly done: boolean; readonly value: Value; readonly list: readonly Value[] | null } | null;
  /** Nobody waits for it any more. */
  close(): void;
}

export interface ExecContext {
  readonly env: Environment;
  /** `$1` first. */
  readonly params: readonly Value[];
  readonly pager: Pager;
  /** A directory of the world's state in which the table and its indexes are as the statement sees them, by their numbers. */
  directory(table: number): Node;
  /** Asked first for one row of a table: a leaf that has these columns of it, null where it is not there, undefined where `directory` says. */
  readonly row: ((table: number, key: Key, columns: readonly number[]) => Leaf | null | undefined) | null;
  /** Directory of another state. */
  rootAt(asOf: State): Node;
  /** `events`: what the statement does to it; `columns`: those that it sets. */
  writer(table: SqlTable, events: readonly TriggerEvent[], columns?: readonly number[]): TableWriter;
  /** Told of the rows that an INSERT writes, for errors that say which row of the input it was. */
  readonly progress?: InsertProgress;
  readonly keys: KeyCodec;
  /** current_date and its like, in the form of the call's type. */
  environmentValue(call: EnvironmentCall): Value;
  /** A relation that is another one in each session, as this one has it. Left out where there is but one. */
  ownRelation?(relation: VirtualRelation): VirtualRelation;
  /** The rows of a foreign table as its source has them now; `columns` are indexes of the table's, `key` for a row's number, null for what is not read. Left out where nobody reads foreign tables. */
  foreignRows?(table: SqlTable, columns: readonly (number | 'key' | null)[]): ForeignRows;
  readonly workMemBytes: number;
  /** What the rows that the statement holds may take: joined rows, a join's other side, its result; 53200 past it. Not given: by the process's heap. */
  readonly heldBytesMax?: number;
  /** null: nothing spills. */
  readonly spill: (() => SpillFile) | null;
  /** Locks a row for FOR UPDATE and its kind; false where it is to be passed over. */
  lockRow(table: SqlTable, key: Key, strength: LockStrength, wait: LockWaiting): boolean;
  /** Who takes the rows takes few at a time: no more are made than so many, where something would be seen of it. Left out: all are wanted. */
  readonly wanted?: Wanted;
  /** What a serializable transaction reads; null where nobody asks. */
  readonly reads: Reads | null;
  /** Throws where the statement is cancelled or its time is over. */
  checkCancel(): void;
  /** Begins a long call on a thread. Left out, or null: it is made here, while others wait. */
  compute?(key: string, call: Call | null, args: readonly Value[]): LongCall | null;
  /** Type of an array over the given one, for values that the executor builds. */
  arrayOf?(element: SqlType): SqlType | null;
}

/** Numeric keys and memcomparable ones share one order. */
export function keyAfterPrefix(prefix: string): Key {
  return `${prefix}\u0100`;
}
