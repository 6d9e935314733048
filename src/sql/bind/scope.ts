/** Which names a query level sees: the relations of its FROM, and through `parent` those of the queries around it. */
import type { Window } from '../ast/query.ts';
import type { Bound, BoundAggregate, BoundSetFunction, ColumnId } from '../plan/bound.ts';
import type { CommonTablePlan, OutputColumn } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { SqlTable } from '../schema/table.ts';
import type { ColumnAccess } from './access.ts';
import type { LockClauses } from './locking.ts';
import type { WindowUse } from './window.ts';

export interface RelationColumn {
  readonly name: string;
  readonly value: Bound;
  /** See `Relation`. */
  readonly closed?: boolean;
  /** Set where it is a column of a relation, and reading it wants a privilege. */
  readonly access?: ColumnAccess;
}
/** One name in FROM. */
export interface Relation {
  readonly alias: string;
  readonly schema: string | null;
  readonly columns: readonly RelationColumn[];
  readonly table: SqlTable | null;
  /** Of a view or a system relation, by which the type of its rows is found. */
  readonly oid?: number;
  /** Its columns are there behind its name only. */
  readonly byName?: boolean;
  /** Columns that can be named but that `*` leaves out (`ctid`, `tableoid`). */
  readonly system: readonly RelationColumn[];
  /** A function that gives one plain value: its alias names that value, not a row. */
  readonly scalar?: boolean;
  /** On the left of a RIGHT or FULL JOIN whose other side asks for it. */
  readonly closed?: boolean;
  /** On a side of an outer join that may be missing: its row as a whole is then null. */
  readonly optional?: boolean;
}
/** What a FROM item makes visible: relations for `t.c`, columns for `c` and `*`. */
export interface Namespace {
  readonly relations: readonly Relation[];
  readonly columns: readonly RelationColumn[];
}

export interface CommonTable {
  readonly number: number;
  /** null: a statement without RETURNING. */
  readonly columns: readonly OutputColumn[] | null;
  /** Inside its own definition, by WITH RECURSIVE. */
  readonly recursive: boolean;
  /** Inside its own definition: columns at the end that `*` leaves out. */
  readonly carried?: number;
  used: number;
}

export type Clause =
  | 'select'
  | 'where'
  | 'from'
  | 'join'
  | 'group'
  | 'having'
  | 'order'
  | 'window'
  | 'limit'
  | 'values'
  | 'returning'
  | 'set'
  | 'check'
  | 'default'
  | 'policy'
  | 'trigger'
  | 'aggregate'
  | 'filter';

/** What the level gathers while its expressions are bound. */
export interface Level {
  readonly aggregates: BoundAggregate[];
  /** Where its aggregates and GROUPINGs are written. */
  readonly aggregatesAt: Map<ColumnId, number>;
  readonly groupings: { readonly id: ColumnId; readonly args: readonly Bound[]; readonly at: readonly number[] }[];
  readonly windows: WindowUse[];
  readonly setFunctions: { readonly id: ColumnId; readonly call: BoundSetFunction; readonly at?: number }[];
}

export class Scope {
  readonly parent: Scope | null;
  namespace: Namespace = { relations: [], columns: [] };
  /** Everything that this level's FROM holds so far, also what is not visible where a name stands. */
  readonly entries: Relation[] = [];
  /** Relations to the left that a LATERAL item sees. */
  lateral: Namespace[] = [];
  clause: Clause = 'select';
  /** What errors call the clause where it is one of several of its kind; null: by its kind. */
  clauseTitle: string | null = null;
  /** Set while arguments of an aggregate, or of a window function, are bound. */
  inAggregate = false;
  /** Set while FILTER, PARTITION BY and ORDER BY of a window, or an offset of its frame are bound. */
  within: 'FILTER' | 'window definitions' | 'window ROWS' | 'window RANGE' | 'window GROUPS' | null = null;
  inWindow = false;
  /** FROM of this level names the recursive query whose step it is. */
  readsItself = false;
  /** What merge_action() reads in RETURNING. */
  mergeAction: Bound | null = null;
  readonly level: Level = { aggregates: [], aggregatesAt: new Map(), groupings: [], windows: [], setFunctions: [] };
  readonly commonTables = new Map<string, CommonTable>();
  /** Names of this level's WITH that are not defined yet. */
  readonly laterTables = new Set<string>();
  /** Definitions of this level's WITH, in order. */
  readonly definitions: CommonTablePlan[] = [];
  /** Those written AS MATERIALIZED. */
  readonly materialized = new Set<number>();
  /** FOR UPDATE and its kind, while FROM is bound. */
  locks: LockClauses | null = null;
  windowDefinitions = new Map<string, Window>();

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** Whether a WITH around has the name, defined later. */
  isForward(name: string): boolean {
    return this.laterTables.has(name) || (this.parent?.isForward(name) ?? false);
  }

  commonTable(name: string): CommonTable | null {
    return this.commonTables.get(name) ?? this.parent?.commonTable(name) ?? null;
  }
}

export function columnsOf(columns: readonly OutputColumn[]): RelationColumn[] {
  return columns.map(({ id, name, type, typmod }) => ({ name, value: { kind: 'column', id, type, typmod } }));
}

export function joined(a: Namespace, b: Namespace): Namespace {
  return { relations: [...a.relations, ...b.relations], columns: [...a.columns, ...b.columns] };
}

export interface Typed {
  readonly type: SqlType;
  readonly typmod: number;
}

/** Where values that are given to a statement stand: there is nothing to read. */
export function argumentScope(title: string): Scope {
  const scope = new Scope(null);
  scope.clause = 'default';
  scope.clauseTitle = title;
  return scope;
}
