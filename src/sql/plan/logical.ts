/**
 * Logical plans: what a statement computes, independent of the execution. Each node gives columns with ids of its own or of its
 * input; ids are unique in the statement.
 */
import type { PartitionNode } from '../schema/hierarchy.ts';
import type { Search } from '../schema/search-keys.ts';
import type { Index, SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Bound, BoundAggregate, BoundSetFunction, BoundSort, BoundWindowFunction, ColumnId } from './bound.ts';

export interface OutputColumn {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
}

/** Another world (null: the statement's) at another moment (null: now). */
export interface State {
  readonly world: string | null;
  readonly when: string | null;
}

/** Rows of a table in the statement's world, or (with `asOf`) in another state. */
export interface ScanPlan {
  readonly op: 'scan';
  readonly table: SqlTable;
  /** The source of each column: its index in `table.columns`, or `key` for the row's key (type text or int8, for writes). */
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  /** The state of `AS OF`, resolved when the statement starts: null reads the statement's own state. */
  readonly asOf: State | null;
  /** Chosen by the planner: the access path by key or index. */
  readonly access?: Access;
  /** Without one: an index path for the case that its bounds, known when the scan starts, leave few rows. */
  readonly few?: FewAccess;
  /** Its name in EXPLAIN if that is not the table's. */
  readonly alias?: string;
}
/** Rows of a table by rank, the best first. */
export interface RankedScanPlan {
  readonly op: 'rankedScan';
  readonly table: SqlTable;
  /** As in a scan; `score`: the rank's value, a float8. */
  readonly source: readonly (number | 'key' | 'score')[];
  readonly columns: readonly OutputColumn[];
  readonly asOf: ScanPlan['asOf'];
  readonly by: RankedByWords | RankedByDistance;
  /** Gives the keys of the rows that may be read (by words) or that pass the filters above (by a distance), in its one column; null: all rows. */
  readonly visible: Plan | null;
  readonly alias?: string;
}
export interface RankedByWords {
  readonly kind: 'words';
  readonly text: Bound;
  /** int8; null: all rows that match. */
  readonly limit: Bound | null;
  /** Numbers of columns that are not searched. */
  readonly without: ReadonlySet<number>;
  /** Searched columns, for EXPLAIN. */
  readonly fields: readonly string[];
}
/** All rows, the nearest first; those without a vector last. */
export interface RankedByDistance {
  readonly kind: 'distance';
  /** Index of the table's column. */
  readonly column: number;
  readonly metric: 'l2' | 'ip' | 'cosine' | 'l1';
  /** Of the column's type. */
  readonly value: Bound;
  /** Rows that are likely to be read, and that are wanted after filters. */
  readonly expected: number;
  readonly wanted: number;
  /** For EXPLAIN: the index that was made for it, and the operator. */
  readonly index: string | null;
  readonly operator: string;
}
/** Rows of a foreign table, read from its source at each run: they belong to no state of a world. */
export interface ForeignScanPlan {
  readonly op: 'foreignScan';
  readonly table: SqlTable;
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  readonly asOf: ScanPlan['asOf'];
  readonly alias?: string;
}
/** Rows of a table with its descendants (`table.whole`): the optimizer expands it to an append of scans. The key, of type text, includes the table. */
export interface HierarchyScanPlan {
  readonly op: 'hierarchyScan';
  readonly table: SqlTable;
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  readonly asOf: ScanPlan['asOf'];
  /** An expression of a partition key over the scan's columns. */
  readonly expressions?: (node: PartitionNode, element: number) => Bound | null;
}
/** Concatenated rows of the inputs; all have the same ids. */
export interface AppendPlan {
  readonly op: 'append';
  readonly inputs: readonly Plan[];
  readonly columns: readonly OutputColumn[];
  /** Which inputs may have rows, by values that are known when the plan starts. */
  readonly prune: { readonly values: readonly Bound[]; readonly kept: (values: readonly Value[]) => readonly boolean[] } | null;
  /** For partitions: the columns that restrict the inputs of a row. */
  readonly keys?: readonly AppendKey[];
  /** For range partitions: inputs up to each of `ends` have keys below those of the later inputs. */
  readonly ranges?: { readonly keys: readonly ColumnId[]; readonly ends: readonly number[] };
}
export interface AppendKey {
  readonly id: ColumnId;
  /** Which inputs may have rows with one of these values in the column, or between the two. */
  among(values: readonly Value[]): readonly boolean[];
  between(least: Value, greatest: Value): readonly boolean[];
}
export interface FewAccess extends Access {
  /** Also known when the scan starts: if it holds, all rows qualify. */
  readonly unless?: Bound;
}
/** An access path. Bounds are expressions without columns of the scan itself; they may name outer columns. */
export interface Access {
  /** null: the table's primary tree. */
  readonly index: Index | null;
  /** Equality on the first columns of the key … */
  readonly equal: readonly Bound[];
  /** … then IN a list on the next one … */
  readonly oneOf?: readonly Bound[];
  /** … or a range on it. */
  readonly lower?: { readonly value: Bound; readonly inclusive: boolean };
  readonly upper?: { readonly value: Bound; readonly inclusive: boolean };
  readonly backward: boolean;
  /** … or, for an inverted index, a relation of a column to a value. Only as part of a union: a row may have several of the keys. */
  readonly search?: {
    readonly column: number;
    readonly by: Search;
    readonly type: SqlType;
    readonly value: Bound;
    /** For EXPLAIN. */
    readonly operator: string;
    readonly turned: boolean;
  };
  /** Index-only: entries contain all columns that are read. */
  readonly only?: boolean;
  /** For a lookup in a join: expected rows per lookup. */
  readonly rowsEach?: number;
  /** Alternatively: the rows of any of these paths, in order of the table's key. */
  readonly union?: readonly Access[];
}
/** A relation whose rows a function produces: system catalogs and similar. */
export interface VirtualScanPlan {
  readonly op: 'virtualScan';
  readonly relation: VirtualRelation;
  readonly source: readonly number[];
  readonly columns: readonly OutputColumn[];
  /** An equality by which the relation can be looked up. */
  readonly lookup?: VirtualLookup;
}
/** One of the values, or of the elements of array values; they name no columns of the relation itself. */
export interface VirtualLookup {
  /** Index of the relation's column. */
  readonly column: number;
  readonly values: readonly Bound[];
  /** In a join: expected rows per lookup. */
  readonly rowsEach?: number;
}
export interface VirtualRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType; readonly notNull?: boolean }[];
  /** Columns with a hash index. */
  readonly hashed: readonly number[];
  rows(): Iterable<readonly Value[]>;
  find(column: number, value: Value): Iterable<readonly Value[]>;
  /** Whether `find` computes only the rows that it returns, also for computed relations. */
  determines?(column: number): boolean;
  /** The table of the world that it exposes. */
  readonly store?: SqlTable;
  /** It is a view in Postgres. */
  readonly view?: boolean;
  /** Rows are computed at each use. */
  readonly live?: boolean;
  /** Session-local or world-local relation: a run of a plan reads its own session's, even if another session made the plan. */
  readonly own?: boolean;
  /** Columns with live counts: plans that read one of them read `ExecContext.ownRelation`. */
  readonly counts?: readonly number[];
  /** Approximate number of rows, without computing any. */
  estimate?(): number;
  /** Number of distinct values of a hashed column, without computing rows. */
  distinct?(column: number): number;
}
export interface ValuesPlan {
  readonly op: 'values';
  readonly rows: readonly (readonly Bound[])[];
  readonly columns: readonly OutputColumn[];
}
/** Functions in FROM, in parallel (the shorter padded with null); with `ordinality` as the last column. */
export interface FunctionScanPlan {
  readonly op: 'functionScan';
  readonly functions: readonly { readonly call: BoundSetFunction; readonly columns: readonly OutputColumn[] }[];
  readonly ordinality: OutputColumn | null;
  readonly columns: readonly OutputColumn[];
}
export interface FilterPlan {
  readonly op: 'filter';
  readonly input: Plan;
  readonly predicate: Bound;
  readonly columns: readonly OutputColumn[];
}
/** Outputs only its items; a plain column keeps its id. */
export interface ProjectPlan {
  readonly op: 'project';
  readonly input: Plan;
  readonly items: readonly { readonly id: ColumnId; readonly value: Bound }[];
  /** Conditions from above that may raise errors or call user-defined functions stay above: they must not see rows that are filtered out. */
  readonly barrier?: true;
  /** The number of the view whose columns these are, in its order. */
  readonly view?: number;
  readonly columns: readonly OutputColumn[];
}
/** A row as it would be written, by these ids, and its check: true, or an error. */
export interface RowCheck {
  readonly row: readonly ColumnId[];
  readonly value: Bound;
}
/** Set-returning functions in a select list: rows of the input times the longest of them, shorter ones padded with null; input columns are passed through. */
export interface ProjectSetPlan {
  readonly op: 'projectSet';
  readonly input: Plan;
  readonly functions: readonly { readonly id: ColumnId; readonly call: BoundSetFunction }[];
  readonly columns: readonly OutputColumn[];
}
/** `lateral`: the right side names columns of the left. `semi` and `anti` output the left's columns; `single` is a left join with 21000 for a second match. */
export interface JoinPlan {
  readonly op: 'join';
  readonly kind: 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti' | 'single';
  readonly left: Plan;
  readonly right: Plan;
  readonly on: Bound | null;
  readonly lateral: boolean;
  readonly columns: readonly OutputColumn[];
}
/** Without groups: one row. `sets` are lists of indexes into `groups`, for grouping sets; `grouping` gives the GROUPING() bit mask of the arguments. */
export interface AggregatePlan {
  readonly op: 'aggregate';
  readonly input: Plan;
  readonly groups: readonly { readonly id: ColumnId; readonly value: Bound }[];
  readonly sets: readonly (readonly number[])[] | null;
  readonly grouping: readonly { readonly id: ColumnId; readonly groups: readonly number[] }[];
  readonly aggregates: readonly BoundAggregate[];
  readonly columns: readonly OutputColumn[];
}
export type BoundFrameEdge =
  | { readonly type: 'unboundedPreceding' }
  | { readonly type: 'preceding'; readonly offset: Bound }
  | { readonly type: 'currentRow' }
  | { readonly type: 'following'; readonly offset: Bound }
  | { readonly type: 'unboundedFollowing' };
export interface BoundFrame {
  readonly mode: 'range' | 'rows' | 'groups';
  readonly start: BoundFrameEdge;
  readonly end: BoundFrameEdge;
  readonly exclude: 'noOthers' | 'currentRow' | 'group' | 'ties';
  /** For RANGE with an offset: whether sort key `value` is within `base ± offset`; bound over two Let columns. See bind/window. */
  readonly inRange: {
    /** value - base compared: columns `value`, `base`, `offset` in these ids. */
    readonly value: ColumnId;
    readonly base: ColumnId;
    readonly offset: ColumnId;
    /** base - offset, base + offset as expressions of those columns. */
    readonly minus: Bound;
    readonly plus: Bound;
  } | null;
}
export interface WindowPlan {
  readonly op: 'window';
  readonly input: Plan;
  readonly partitionBy: readonly Bound[];
  readonly orderBy: readonly BoundSort[];
  readonly frame: BoundFrame;
  readonly functions: readonly BoundWindowFunction[];
  readonly columns: readonly OutputColumn[];
}
/** `on` null: all columns are compared; otherwise the first row of each equal `on` in the input's order (which is sorted by them). */
export interface DistinctPlan {
  readonly op: 'distinct';
  readonly input: Plan;
  readonly on: readonly Bound[] | null;
  readonly columns: readonly OutputColumn[];
}
export interface SortPlan {
  readonly op: 'sort';
  readonly input: Plan;
  readonly keys: readonly BoundSort[];
  /** Set by the planner: only the first rows are wanted. */
  readonly top?: { readonly limit: Bound | null; readonly offset: Bound | null };
  /** Set by the planner: about this many first rows will be read. */
  readonly expected?: number;
  readonly columns: readonly OutputColumn[];
}
export interface LimitPlan {
  readonly op: 'limit';
  readonly input: Plan;
  /** int8; null: all. */
  readonly limit: Bound | null;
  readonly offset: Bound | null;
  /** WITH TIES: the order that decides ties. */
  readonly ties: readonly BoundSort[] | null;
  readonly columns: readonly OutputColumn[];
}
export type LockStrength = 'update' | 'noKeyUpdate' | 'share' | 'keyShare';
export type LockWaiting = 'block' | 'skip' | 'error';
/** FOR UPDATE and similar: locks rows of tables as they pass, by their keys (null: no row of the table), above the sort and below LIMIT. */
export interface LockPlan {
  readonly op: 'lock';
  readonly input: Plan;
  readonly targets: readonly { readonly table: SqlTable; readonly key: ColumnId; readonly strength: LockStrength; readonly wait: LockWaiting }[];
  readonly columns: readonly OutputColumn[];
}
/** Columns by position; input types are equal. */
export interface SetOperationPlan {
  readonly op: 'setOperation';
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: Plan;
  readonly right: Plan;
  readonly columns: readonly OutputColumn[];
}
/** WITH: `definitions` are computed at most once (data-modifying ones always, in order), read by `cteScan`. */
export interface WithPlan {
  readonly op: 'with';
  readonly definitions: readonly CommonTablePlan[];
  readonly body: Plan;
  readonly columns: readonly OutputColumn[];
}
export interface CommonTablePlan {
  readonly number: number;
  readonly name: string;
  readonly plan: Plan;
  readonly modifies: boolean;
}
export interface CteScanPlan {
  readonly op: 'cteScan';
  readonly number: number;
  /** Position of each in the definition's columns. */
  readonly source: readonly number[];
  readonly columns: readonly OutputColumn[];
}
/** WITH RECURSIVE: `step` reads the last round's rows by a `cteScan` of `number`. */
export interface RecursivePlan {
  readonly op: 'recursive';
  readonly number: number;
  readonly start: Plan;
  readonly step: Plan;
  readonly all: boolean;
  readonly columns: readonly OutputColumn[];
}
/**
 * Outputs `returning` over the inserted (or updated) row; columns of the table are ids `row`. Without RETURNING it has no columns,
 * but one row per changed row for the count.
 */
export interface InsertPlan {
  readonly op: 'insert';
  readonly table: SqlTable;
  /** Gives one value per column of the table, in order, with defaults, coerced. */
  readonly input: Plan;
  readonly conflict: InsertConflict | null;
  /** Evaluated for each new row after BEFORE triggers. */
  readonly check?: RowCheck;
  /** Ids by which `returning` (and `conflict`) see the stored row. */
  readonly row: readonly ColumnId[];
  /** The id by which `returning` sees the row's key. */
  readonly rowKey: ColumnId;
  /** Rows have BEFORE triggers. */
  readonly triggered?: true;
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
export interface InsertConflict {
  /** null: any unique index or the key (DO NOTHING only); `none`: none matches the statement, an error at run time (42P10). */
  readonly arbiter: Index | 'key' | 'none' | null;
  /** null: DO NOTHING. Expressions see the existing row as `row` and the proposed one as `excluded`. */
  readonly set: readonly { readonly column: number; readonly value: Bound }[] | null;
  readonly excluded: readonly ColumnId[];
  /** The id by which `returning` sees the replacing transaction: 0 for a new row. */
  readonly xmax?: ColumnId;
  readonly where: Bound | null;
  /** Evaluated for the updated row; it sees `row` and `excluded`, too. */
  readonly check?: RowCheck;
  /** Evaluated for a row without a conflict, before it is inserted. */
  readonly unmet?: RowCheck;
}
/** `input` gives the row's key as `key` and the columns for `set`; a row that matches twice is changed once. */
export interface UpdatePlan {
  readonly op: 'update';
  readonly table: SqlTable;
  readonly input: Plan;
  readonly key: ColumnId;
  /** Index in `table.columns`, and the value, coerced. */
  readonly set: readonly { readonly column: number; readonly value: Bound }[];
  /** Evaluated for each new row after BEFORE triggers. */
  readonly check?: RowCheck;
  /** Ids of the new row for `returning`; FROM's columns are visible too. */
  readonly row: readonly ColumnId[];
  /** The id by which `returning` sees the new row's key if it may belong to another table (`table.whole`). */
  readonly rowKey?: ColumnId;
  /** Rows have BEFORE triggers. */
  readonly triggered?: true;
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
export interface DeletePlan {
  readonly op: 'delete';
  readonly table: SqlTable;
  readonly input: Plan;
  readonly key: ColumnId;
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
/**
 * `input` is the join of the table's rows (with their keys) and the source's (with `source`, never null for an existing source row).
 * The first branch of the row's kind whose condition holds is executed. RETURNING sees the resulting row (for a delete the former
 * one) as `row`, the action as `done`, and the source's columns.
 */
export interface MergePlan {
  readonly op: 'merge';
  readonly table: SqlTable;
  readonly input: Plan;
  readonly key: ColumnId;
  readonly source: ColumnId;
  readonly branches: readonly {
    readonly match: 'matched' | 'notMatchedBySource' | 'notMatchedByTarget';
    readonly when: Bound | null;
    readonly action: 'update' | 'delete' | 'insert' | 'nothing';
    /** For an insert one value per column, in order. */
    readonly set: readonly { readonly column: number; readonly value: Bound }[];
    /** Evaluated for the row of an update or insert. */
    readonly check?: RowCheck;
  }[];
  readonly row: readonly ColumnId[];
  /** The columns of `input` with the table's row. */
  readonly old: readonly ColumnId[];
  /** Of type text. */
  readonly done: { readonly id: ColumnId; readonly type: SqlType };
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
export type Plan =
  | ScanPlan
  | ForeignScanPlan
  | RankedScanPlan
  | HierarchyScanPlan
  | AppendPlan
  | VirtualScanPlan
  | ValuesPlan
  | FunctionScanPlan
  | FilterPlan
  | ProjectPlan
  | ProjectSetPlan
  | JoinPlan
  | AggregatePlan
  | WindowPlan
  | DistinctPlan
  | SortPlan
  | LimitPlan
  | LockPlan
  | SetOperationPlan
  | WithPlan
  | CteScanPlan
  | RecursivePlan
  | InsertPlan
  | UpdatePlan
  | DeletePlan
  | MergePlan;
