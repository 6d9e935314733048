/**
 * Logical plans: what a statement computes, before anybody decided how. Each node gives columns with ids of
 * its own or of its input; ids are unique in the statement.
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

/** Rows of a table of the statement's world, or (`root` by `asOf`) of another state. */
export interface ScanPlan {
  readonly op: 'scan';
  readonly table: SqlTable;
  /** Where each column comes from: its index in `table.columns`, or `key` for the row's key (type text or int8, for writes). */
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  /** Text of `AS OF`, resolved when the statement starts: null reads the statement's own state. */
  readonly asOf: State | null;
  /** Chosen by the planner: key or index to go by. */
  readonly access?: Access;
  /** Where there is none: an index to go by if its bounds, which are known when the scan starts, leave few rows. */
  readonly few?: FewAccess;
  /** What EXPLAIN calls it where that is not the table's name. */
  readonly alias?: string;
}
/** Rows of a foreign table, which are those of its source at each run: no state of a world has them. */
export interface ForeignScanPlan {
  readonly op: 'foreignScan';
  readonly table: SqlTable;
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  readonly asOf: ScanPlan['asOf'];
  readonly alias?: string;
}
/** Rows of a table and of all below it (`table.whole`): the optimizer makes it an append of scans. The key, of type text, names the table, too. */
export interface HierarchyScanPlan {
  readonly op: 'hierarchyScan';
  readonly table: SqlTable;
  readonly source: readonly (number | 'key')[];
  readonly columns: readonly OutputColumn[];
  readonly asOf: ScanPlan['asOf'];
  /** An expression of a partition key over the scan's columns. */
  readonly expressions?: (node: PartitionNode, element: number) => Bound | null;
}
/** Rows of one input after the other; all have the same ids. */
export interface AppendPlan {
  readonly op: 'append';
  readonly inputs: readonly Plan[];
  readonly columns: readonly OutputColumn[];
  /** Which inputs may have rows at all, by values that are known when the plan starts. */
  readonly prune: { readonly values: readonly Bound[]; readonly kept: (values: readonly Value[]) => readonly boolean[] } | null;
  /** Of partitions: the columns that say something of which inputs a row is among. */
  readonly keys?: readonly AppendKey[];
  /** Of partitions by range: inputs up to each of `ends` have keys below those of the inputs behind it. */
  readonly ranges?: { readonly keys: readonly ColumnId[]; readonly ends: readonly number[] };
}
export interface AppendKey {
  readonly id: ColumnId;
  /** Which inputs may have rows with one of these in the column, or between the two. */
  among(values: readonly Value[]): readonly boolean[];
  between(least: Value, greatest: Value): readonly boolean[];
}
export interface FewAccess extends Access {
  /** Known when the scan starts, too: where it holds, all rows count. */
  readonly unless?: Bound;
}
/** How a scan finds its rows. Bounds are expressions without columns of the scan itself; they may name outer columns. */
export interface Access {
  /** null: the table's own key. */
  readonly index: Index | null;
  /** Equality on the first columns of the key … */
  readonly equal: readonly Bound[];
  /** … then IN a list on the next one … */
  readonly oneOf?: readonly Bound[];
  /** … or a range on it. */
  readonly lower?: { readonly value: Bound; readonly inclusive: boolean };
  readonly upper?: { readonly value: Bound; readonly inclusive: boolean };
  readonly backward: boolean;
  /** … or, of an index of lists, what the value of a column has to do with another one. Only as part of a union: a row may have several of the keys. */
  readonly search?: {
    readonly column: number;
    readonly by: Search;
    readonly type: SqlType;
    readonly value: Bound;
    /** For EXPLAIN. */
    readonly operator: string;
    readonly turned: boolean;
  };
  /** Entries of the index have all that is read of the rows. */
  readonly only?: boolean;
  /** Of a lookup in a join: rows that each is expected to find. */
  readonly rowsEach?: number;
  /** Instead of all this: the rows that any of these give, in order of the table's key. */
  readonly union?: readonly Access[];
}
/** A relation whose rows a function makes: system catalogs and the like. */
export interface VirtualScanPlan {
  readonly op: 'virtualScan';
  readonly relation: VirtualRelation;
  readonly source: readonly number[];
  readonly columns: readonly OutputColumn[];
  /** Equality that the relation can look up by. */
  readonly lookup?: VirtualLookup;
}
/** One of the values, or of the elements of those that are arrays; they name no columns of the relation itself. */
export interface VirtualLookup {
  /** Index of the relation's column. */
  readonly column: number;
  readonly values: readonly Bound[];
  /** In a join: rows that each lookup is expected to find. */
  readonly rowsEach?: number;
}
export interface VirtualRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType; readonly notNull?: boolean }[];
  /** Columns that have a hash. */
  readonly hashed: readonly number[];
  rows(): Iterable<readonly Value[]>;
  find(column: number, value: Value): Iterable<readonly Value[]>;
  /** Whether `find` makes no more than the rows that it gives, also where others are made anew for each scan. */
  tells?(column: number): boolean;
  /** A table of the world whose rows it shows. */
  readonly store?: SqlTable;
  /** In Postgres it is a view. */
  readonly view?: boolean;
  /** Rows are made anew whenever they are asked for. */
  readonly live?: boolean;
  /** Each session, and each world, has another one: who runs a plan reads his, not that of whoever made the plan. */
  readonly own?: boolean;
  /** Columns that count what there is now: plans that read one of them read what `ExecContext.ownRelation` makes of it. */
  readonly counts?: readonly number[];
  /** How many rows it has, or about as many; asking makes none. */
  estimate?(): number;
  /** Different values of a hashed column; asking makes no rows. */
  distinct?(column: number): number;
}
export interface ValuesPlan {
  readonly op: 'values';
  readonly rows: readonly (readonly Bound[])[];
  readonly columns: readonly OutputColumn[];
}
/** Functions in FROM, side by side (the shorter padded with null); `ordinality` is the last column then. */
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
/** Gives only its items; one that is a plain column keeps its id. */
export interface ProjectPlan {
  readonly op: 'project';
  readonly input: Plan;
  readonly items: readonly { readonly id: ColumnId; readonly value: Bound }[];
  /** Conditions of above that may raise errors or call functions of the world's own stay above: they must not see rows that do not come up. */
  readonly barrier?: true;
  readonly columns: readonly OutputColumn[];
}
/** A row as it would be written, by these ids, and what must be said of it: true, or an error. */
export interface RowCheck {
  readonly row: readonly ColumnId[];
  readonly value: Bound;
}
/** Set-returning functions in a select list: rows of the input times the longest of them, shorter ones padded with null; input columns are passed on. */
export interface ProjectSetPlan {
  readonly op: 'projectSet';
  readonly input: Plan;
  readonly functions: readonly { readonly id: ColumnId; readonly call: BoundSetFunction }[];
  readonly columns: readonly OutputColumn[];
}
/** `lateral`: the right side names columns of the left. `semi` and `anti` give the left's columns; `single` is left with 21000 past one match. */
export interface JoinPlan {
  readonly op: 'join';
  readonly kind: 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti' | 'single';
  readonly left: Plan;
  readonly right: Plan;
  readonly on: Bound | null;
  readonly lateral: boolean;
  readonly columns: readonly OutputColumn[];
}
/** No groups: one row. `sets` are lists of indexes into `groups`, for grouping sets; `grouping` gives the GROUPING() bit mask of the arguments. */
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
  /** For RANGE with an offset: whether sort key `value` lies within `base ± offset`; bound over two Let columns. See bind/window. */
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
/** `on` null: all columns are compared; else the first row of each equal `on` in the input's order (which is sorted by them). */
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
  /** Set by the planner: only so many first rows are wanted. */
  readonly top?: { readonly limit: Bound | null; readonly offset: Bound | null };
  /** Set by the planner: about so many first rows will be read. */
  readonly expected?: number;
  readonly columns: readonly OutputColumn[];
}
export interface LimitPlan {
  readonly op: 'limit';
  readonly input: Plan;
  /** int8; null: all. */
  readonly limit: Bound | null;
  readonly offset: Bound | null;
  /** WITH TIES: the order that decides. */
  readonly ties: readonly BoundSort[] | null;
  readonly columns: readonly OutputColumn[];
}
export type LockStrength = 'update' | 'noKeyUpdate' | 'share' | 'keyShare';
export type LockWaiting = 'block' | 'skip' | 'error';
/** FOR UPDATE and its kind: locks rows of tables as they pass, by their keys (null: no row of the table), above the sort and below LIMIT. */
export interface LockPlan {
  readonly op: 'lock';
  readonly input: Plan;
  readonly targets: readonly { readonly table: SqlTable; readonly key: ColumnId; readonly strength: LockStrength; readonly wait: LockWaiting }[];
  readonly columns: readonly OutputColumn[];
}
/** Columns by position; inputs have equal types already. */
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
/** Gives `returning` over the inserted (or updated) row; columns of the table are ids `row`. Without RETURNING it gives no columns, one row a changed row is still counted. */
export interface InsertPlan {
  readonly op: 'insert';
  readonly table: SqlTable;
  /** Gives one value a column of the table, in order, defaults filled in, coerced. */
  readonly input: Plan;
  readonly conflict: InsertConflict | null;
  /** Asked of each new row once BEFORE triggers have looked at it. */
  readonly check?: RowCheck;
  /** Ids by which `returning` (and `conflict`) see the row as stored. */
  readonly row: readonly ColumnId[];
  /** The id by which `returning` sees the row's key. */
  readonly rowKey: ColumnId;
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
export interface InsertConflict {
  /** null: any unique index or the key (DO NOTHING only); `none`: none is as the statement says, which is an error (42P10) once the plan is to run. */
  readonly arbiter: Index | 'key' | 'none' | null;
  /** null: DO NOTHING. Expressions see the row that stands there as `row` and the one proposed as `excluded`. */
  readonly set: readonly { readonly column: number; readonly value: Bound }[] | null;
  readonly excluded: readonly ColumnId[];
  /** The id by which `returning` sees who replaced the row that stood there: 0 for a new row. */
  readonly xmax?: ColumnId;
  readonly where: Bound | null;
  /** Asked of the row that the update would make; it sees `row` and `excluded`, too. */
  readonly check?: RowCheck;
  /** Asked of a row that met no conflict, before it is added. */
  readonly unmet?: RowCheck;
}
/** `input` gives the row's key as `key` and what `set` needs; a row found twice is changed once. */
export interface UpdatePlan {
  readonly op: 'update';
  readonly table: SqlTable;
  readonly input: Plan;
  readonly key: ColumnId;
  /** Index in `table.columns`, and the value, coerced. */
  readonly set: readonly { readonly column: number; readonly value: Bound }[];
  /** Asked of each new row once BEFORE triggers have looked at it. */
  readonly check?: RowCheck;
  /** Ids of the new row for `returning`; FROM's columns are seen too. */
  readonly row: readonly ColumnId[];
  /** The id by which `returning` sees the new row's key where it may be another table's (`table.whole`). */
  readonly rowKey?: ColumnId;
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
 * `input` is the join of the table's rows (with their keys) and the source's (with `source`, never null where there is
 * one). The first branch of a row's kind whose condition holds is carried out. RETURNING sees the row as it is then
 * (a deleted one as it was) as `row`, what was done as `done`, and the source's columns.
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
    /** Of an insert a value a column, in order. */
    readonly set: readonly { readonly column: number; readonly value: Bound }[];
    /** Asked of the row that an update or insert would make. */
    readonly check?: RowCheck;
  }[];
  readonly row: readonly ColumnId[];
  /** The columns of `input` that the table's row has there. */
  readonly old: readonly ColumnId[];
  /** Of type text. */
  readonly done: { readonly id: ColumnId; readonly type: SqlType };
  readonly returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null;
  readonly columns: readonly OutputColumn[];
}
export type Plan =
  | ScanPlan
  | ForeignScanPlan
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
