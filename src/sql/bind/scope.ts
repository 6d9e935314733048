/** The names visible at a query level: the relations of its FROM, and through `parent` those of enclosing queries. */
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
  /** Set if it is a column of a relation, which needs a privilege to read. */
  readonly access?: ColumnAccess;
}
/** One name in FROM. */
export interface Relation {
  readonly alias: string;
  readonly schema: string | null;
  readonly columns: readonly RelationColumn[];
  readonly table: SqlTable | null;
  /** Of a view or a system relation, to find its row type. */
  readonly oid?: number;
  /** Its columns are visible only when qualified. */
  readonly byName?: boolean;
  /** Columns that can be named but are not part of `*` (`ctid`, `tableoid`). */
  readonly system: readonly RelationColumn[];
  /** A function with one plain value: its alias names that value, not a row. */
  readonly scalar?: boolean;
  /** On the left of a RIGHT or FULL JOIN whose other side references it laterally. */
  readonly closed?: boolean;
  /** On the nullable side of an outer join: its whole row may be null. */
  readonly optional?: boolean;
}
/** The names that a FROM item makes visible: relations for `t.c`, columns for `c` and `*`. */
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
  /** Inside its own definition: trailing columns that `*` leaves out. */
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

/** What a level collects while its expressions are bound. */
export interface Level {
  readonly aggregates: BoundAggregate[];
  /** The positions of its aggregates and GROUPINGs. */
  readonly aggregatesAt: Map<ColumnId, number>;
  readonly groupings: { readonly id: ColumnId; readonly args: readonly Bound[]; readonly at: readonly number[] }[];
  readonly windows: WindowUse[];
  readonly setFunctions: { readonly id: ColumnId; readonly call: BoundSetFunction; readonly at?: number }[];
}

export class Scope {
  readonly parent: Scope | null;
  namespace: Namespace = { relations: [], columns: [] };
  /** All relations of this level's FROM so far, including those that are not visible. */
  readonly entries: Relation[] = [];
  /** Relations to the left that a LATERAL item sees. */
  lateral: Namespace[] = [];
  clause: Clause = 'select';
  /** The clause's name in errors if it is one of several of its kind; null: by its kind. */
  clauseTitle: string | null = null;
  /** Set while arguments of an aggregate or window function are bound. */
  inAggregate = false;
  /** Set while FILTER, PARTITION BY and ORDER BY of a window, or an offset of its frame are bound. */
  within: 'FILTER' | 'window definitions' | 'window ROWS' | 'window RANGE' | 'window GROUPS' | null = null;
  inWindow = false;
  /** FROM of this level references the recursive query of which it is the step. */
  readsItself = false;
  /** The value of merge_action() in RETURNING. */
  mergeAction: Bound | null = null;
  readonly level: Level = { aggregates: [], aggregatesAt: new Map(), groupings: [], windows: [], setFunctions: [] };
  readonly commonTables = new Map<string, CommonTable>();
  /** Names of this level's WITH that are not defined yet. */
  readonly laterTables = new Set<string>();
  /** Definitions of this level's WITH, in order. */
  readonly definitions: CommonTablePlan[] = [];
  /** Those with AS MATERIALIZED. */
  readonly materialized = new Set<number>();
  /** FOR UPDATE and similar, while FROM is bound. */
  locks: LockClauses | null = null;
  windowDefinitions = new Map<string, Window>();

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** Whether an enclosing WITH defines the name later. */
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

/** For values that are given to a statement: no columns are visible. */
export function argumentScope(title: string): Scope {
  const scope = new Scope(null);
  scope.clause = 'default';
  scope.clauseTitle = title;
  return scope;
}
