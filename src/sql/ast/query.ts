/** Queries: SELECT, VALUES, set operations, and their clauses. */
import type { Expression, OperatorName } from './expression.ts';
import type { TypeName } from './type-name.ts';
import type { Delete, Insert, Merge, RuleMark, RuleRows, Update } from './write.ts';

/** A table, view, sequence or index by name. */
export interface RelationName {
  catalog: string | null;
  schema: string | null;
  name: string;
  at: number;
}

export interface Alias {
  name: string;
  /** Names for the columns, possibly fewer than there are. */
  columns: string[];
}

/** `AS OF 'when'` (world null) or `AS OF WORLD 'w[@when]'` after a table; `value`: the expression for that text, if it is not a literal. */
export interface AsOf {
  world: string | null;
  when: string | null;
  value: { expression: Expression; inWorld: boolean } | null;
  at: number;
}

export interface TableItem {
  type: 'table';
  name: RelationName;
  only: boolean;
  alias: Alias | null;
  asOf: AsOf | null;
  sample: TableSample | null;
  at: number;
}
export interface TableSample {
  method: string[];
  args: Expression[];
  repeatable: Expression | null;
  at: number;
}
export interface DerivedItem {
  type: 'derived';
  query: Query;
  alias: Alias | null;
  lateral: boolean;
  at: number;
}
/** `name type` of a function that returns records. */
export interface RecordColumn {
  name: string;
  dataType: TypeName;
  collation: string[] | null;
  at: number;
}
/** `bm25(t [AS OF …], text [, limit])`: rows of a table by rank. The alias is the table's. */
export interface RankedItem {
  type: 'ranked';
  table: TableItem;
  text: Expression;
  limit: Expression | null;
  lateral: boolean;
  at: number;
}
/** One function, or several under ROWS FROM. A function is mostly a FunctionCall; CAST, COALESCE and similar are allowed too. */
export interface FunctionItem {
  type: 'functions';
  functions: { call: Expression; columns: RecordColumn[] | null }[];
  rowsFrom: boolean;
  ordinality: boolean;
  alias: Alias | null;
  /** Column definitions after the alias: only for a single function without ROWS FROM. */
  columns: RecordColumn[] | null;
  lateral: boolean;
  at: number;
}
/** `type` null: FOR ORDINALITY. */
export interface XmlTableColumn {
  name: string;
  dataType: TypeName | null;
  /** null: the column's name. */
  path: Expression | null;
  default: Expression | null;
  notNull: boolean;
  at: number;
}
export interface XmlTableItem {
  type: 'xmlTable';
  /** `name` null: DEFAULT. */
  namespaces: { name: string | null; uri: Expression; at: number }[];
  rowPath: Expression;
  document: Expression;
  columns: XmlTableColumn[];
  alias: Alias | null;
  lateral: boolean;
  at: number;
}
/** `cross` has no condition at all. */
export interface JoinItem {
  type: 'join';
  kind: 'inner' | 'left' | 'right' | 'full' | 'cross';
  natural: boolean;
  left: FromItem;
  right: FromItem;
  on: Expression | null;
  using: string[] | null;
  /** `USING (…) AS name`. */
  usingAlias: string | null;
  /** Of a parenthesised join. */
  alias: Alias | null;
  at: number;
}
/** Joins are left-deep; a walker follows `left` in a loop. */
export type FromItem = TableItem | DerivedItem | RankedItem | FunctionItem | XmlTableItem | JoinItem | RuleRows;

export interface SelectItem {
  value: Expression;
  alias: string | null;
  at: number;
}

/** `direction` using: sorted by `operator`. */
export interface SortKey {
  value: Expression;
  direction: 'default' | 'asc' | 'desc' | 'using';
  nulls: 'default' | 'first' | 'last';
  operator: OperatorName | null;
  at: number;
}

export type GroupItem =
  | { type: 'expression'; value: Expression; at: number }
  /** `()`. */
  | { type: 'empty'; at: number }
  /** A parenthesised element is an expression of type row. */
  | { type: 'rollup' | 'cube'; items: GroupItem[]; at: number }
  | { type: 'groupingSets'; items: GroupItem[]; at: number };

export type FrameBound =
  | { type: 'unboundedPreceding' }
  | { type: 'preceding'; offset: Expression }
  | { type: 'currentRow' }
  | { type: 'following'; offset: Expression }
  | { type: 'unboundedFollowing' };
export interface Frame {
  mode: 'range' | 'rows' | 'groups';
  start: FrameBound;
  /** null if the frame was written without BETWEEN: the current row. */
  end: FrameBound | null;
  exclude: 'noOthers' | 'currentRow' | 'group' | 'ties';
}
export interface Window {
  /** The window it extends. */
  base: string | null;
  partitionBy: Expression[];
  orderBy: SortKey[];
  /** null: RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW. */
  frame: Frame | null;
  at: number;
}
export interface NamedWindow {
  name: string;
  window: Window;
  at: number;
}

export interface Locking {
  strength: 'update' | 'noKeyUpdate' | 'share' | 'keyShare';
  /** Empty: all tables. */
  of: RelationName[];
  wait: 'block' | 'skip' | 'error';
}

export interface CommonTable {
  name: string;
  columns: string[];
  materialized: boolean | null;
  body: Query | Insert | Update | Delete | Merge;
  search: { columns: string[]; breadthFirst: boolean; sequenceColumn: string; at: number } | null;
  cycle: { columns: string[]; markColumn: string; markValue: Expression; markDefault: Expression; pathColumn: string; at: number } | null;
  /** Number of its columns, at the end, that belong to SEARCH and CYCLE. */
  carried?: number;
  at: number;
}
export interface With {
  recursive: boolean;
  tables: CommonTable[];
  at: number;
}

/** The clauses that any query may have after its body. */
export interface QueryTail {
  with: With | null;
  orderBy: SortKey[];
  /** LIMIT ALL is null. */
  limit: Expression | null;
  /** FETCH … WITH TIES. */
  withTies: boolean;
  offset: Expression | null;
  locking: Locking[];
  at: number;
}
export interface Select extends QueryTail {
  type: 'select';
  /** `on` is empty for plain DISTINCT. */
  distinct: { on: Expression[] } | null;
  items: SelectItem[];
  from: FromItem[];
  where: Expression | null;
  groupBy: GroupItem[];
  groupDistinct: boolean;
  having: Expression | null;
  windows: NamedWindow[];
  /** Set for an action of a rule. */
  rule?: RuleMark;
}
export interface Values extends QueryTail {
  type: 'values';
  rows: Expression[][];
}
/** Two or more inputs, applied from the left: `a EXCEPT b EXCEPT c` has three. */
export interface SetOperation extends QueryTail {
  type: 'setOperation';
  operator: 'union' | 'intersect' | 'except';
  all: boolean;
  inputs: Query[];
}
export type Query = Select | Values | SetOperation;
