/**
 * The environment of a run: the world's state, parameters, clocks, limits and outputs (writers, spill files). Created for each run
 * of a compiled plan, which itself holds none of it.
 */
import type { Key } from '../../tree/datum.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { FoundRow, FoundRows, Metric, NearestLimits } from '../../worlds/search.ts';
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
  /** Key, or key prefix, of the values of the first key columns. Not for numeric keys. */
  rowKey(table: SqlTable, values: readonly Value[]): string;
  /** Prefix of an index tree's keys for the values of its first columns. */
  indexKey(index: Index, values: readonly Value[]): string;
  /** The values of an index's columns in the key of an entry: equal to the row's, but possibly in another form. */
  entryValues(index: Index, entry: string): readonly Value[];
  /** The values of the key's columns. */
  rowValues(table: SqlTable, key: Key): readonly Value[];
}

/** A temporary file of rows: append-only, with random reads. */
export interface SpillFile {
  write(bytes: Uint8Array): void;
  /** Bytes [from, from + length) of the file; fewer at the end. */
  read(from: number, length: number): Uint8Array;
  close(): void;
}

/** Records reads: key ranges of a tree, and rows that an index named. */
export interface Reads {
  ranges(tree: number, ranges: readonly { readonly lower: Key | null; readonly upper: Key | null }[]): void;
  row(tree: number, key: Key): void;
}

export interface InsertProgress {
  /** Rows that were written. */
  done: number;
  /** True while one is written, not while rows are computed. */
  writing: boolean;
}

/** Read to the end, or closed before. */
export interface ForeignRows {
  /** A batch, which may be empty; null at the end. One value per column that is read. */
  next(): Batch | null;
  close(): void;
}

/** ORDER BY a distance (worlds/search.ts). */
export interface DistanceSearch extends Pick<NearestLimits, 'expected' | 'wanted' | 'passing'> {
  readonly column: string;
  readonly metric: Metric;
  /** null: no row has a distance. */
  readonly vector: Float32Array | null;
  /** An index of pgvector's was made for the column: the first rows may be approximate. */
  readonly approximate: boolean;
}

/** A search by words (worlds/search.ts). */
export interface WordSearch {
  readonly text: string;
  /** Infinity: all rows that match. */
  readonly limit: number;
  readonly without: ReadonlySet<number>;
  /** null: all rows. */
  readonly visible: ReadonlySet<Key> | null;
}

/** Demand of the reader of rows; it changes during the run. */
export interface Wanted {
  rows: number;
}

/** A call that runs on a thread. */
export interface LongCall {
  /** Elements of a list as they arrive, finally the value (`done`), or null if there is nothing yet: the caller yields. Throws what the function throws. */
  next(): { readonly done: boolean; readonly value: Value; readonly list: readonly Value[] | null } | null;
  /** The result is no longer needed. */
  close(): void;
}

export interface ExecContext {
  readonly env: Environment;
  /** `$1` first. */
  readonly params: readonly Value[];
  readonly pager: Pager;
  /** A directory of the world's state in which the table and its indexes are as the statement sees them, by their numbers. */
  directory(table: number): Node;
  /** Tried first for one row of a table: a leaf with these columns, null if the row is missing, undefined to use `directory`. */
  readonly row: ((table: number, key: Key, columns: readonly number[]) => Leaf | null | undefined) | null;
  /** Directory of another state. */
  rootAt(asOf: State): Node;
  /** `events`: the kinds of writes; `columns`: those that are set. */
  writer(table: SqlTable, events: readonly TriggerEvent[], columns?: readonly number[]): TableWriter;
  /** Tracks the rows that an INSERT writes, for errors that name the input row. */
  readonly progress?: InsertProgress;
  readonly keys: KeyCodec;
  /** current_date and similar, in the form of the call's type. */
  environmentValue(call: EnvironmentCall): Value;
  /** The session's version of a session-local relation. Absent if there is only one. */
  ownRelation?(relation: VirtualRelation): VirtualRelation;
  /**
   * The current rows of a foreign table; `columns` are indexes of the table's, `key` for a row's number, null for columns that are not
   * read. Absent if foreign tables are not readable.
   */
  foreignRows?(table: SqlTable, columns: readonly (number | 'key' | null)[]): ForeignRows;
  /** The rows of a table that match, the best first, in steps. Absent if nothing is searched here. */
  ranked?(table: SqlTable, asOf: State | null, search: WordSearch): Generator<void, FoundRows>;
  /** All rows of a table by the distance of a column from a vector, the nearest first; of a filtered search at least those that pass. Absent where `ranked` is. */
  nearest?(table: SqlTable, asOf: State | null, search: DistanceSearch): Generator<readonly FoundRow[] | void, void>;
  readonly workMemBytes: number;
  /** The memory limit for rows that the statement holds: joined rows, a join's build side, its result; 53200 beyond. Absent: by the process's heap. */
  readonly heldBytesMax?: number;
  /** null: spilling is disabled. */
  readonly spill: (() => SpillFile) | null;
  /** Locks a row for FOR UPDATE and similar; false if it is to be skipped. */
  lockRow(table: SqlTable, key: Key, strength: LockStrength, wait: LockWaiting): boolean;
  /** The reader takes few rows at a time: no more are produced if that would be visible. Absent: all are wanted. */
  readonly wanted?: Wanted;
  /** The reads of a serializable transaction; null if they are not recorded. */
  readonly reads: Reads | null;
  /** Throws if the statement is cancelled or timed out. */
  checkCancel(): void;
  /** Starts a long call on a thread. Absent, or null: it runs on this thread. */
  compute?(key: string, call: Call | null, args: readonly Value[]): LongCall | null;
  /** The array type over the given one, for values that the executor builds. */
  arrayOf?(element: SqlType): SqlType | null;
}

/** Numeric keys and memcomparable ones share one order. */
export function keyAfterPrefix(prefix: string): Key {
  return `${prefix}\u0100`;
}
