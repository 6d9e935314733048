/** Shared state of binding one statement: names, ids, coercion, parameters. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, SelectItem } from '../ast/query.ts';
import type { ScalarFunction, SqlFunction, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { OutputColumn, State, VirtualRelation } from '../plan/logical.ts';
import type { SearchedFields } from '../schema/searched-fields.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Environment } from '../types/environment.ts';
import type { Plan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { RelationAccess } from './access.ts';
import type { PolicySets } from './row-security.ts';
import type { RuledRelation } from './rules.ts';
import type { RelationColumn } from './scope.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { Collations } from './collation.ts';
import { Coercion, type Parameters, type TypeSource } from './coerce.ts';

export type NamedRelation =
  | { readonly kind: 'table'; readonly table: SqlTable }
  | {
      readonly kind: 'view';
      readonly number: number;
      /** Oid of its owner's role. */
      readonly owner: number;
      readonly schema: string;
      readonly name: string;
      readonly query: Query;
      readonly columns: readonly string[];
      /** WITH CHECK OPTION. */
      readonly check?: 'none' | 'local' | 'cascaded';
      /** Privileges on its relations are checked for the caller. */
      readonly invoker?: boolean;
      /** Its conditions are evaluated before the caller's. */
      readonly barrier?: boolean;
      /** A materialized view that is read as a view, since it contains values that its reader may not see. */
      readonly kept?: SqlTable;
      /** SQL text of each column's default on INSERT; null for the table's own. */
      readonly defaults?: readonly (string | null)[];
      /** If it has INSTEAD OF triggers: their events, and the view as the table that they see. */
      readonly instead?: { readonly events: readonly string[]; readonly table: SqlTable };
    }
  | { readonly kind: 'virtual'; readonly relation: VirtualRelation }
  | { readonly kind: 'other'; readonly what: string };

/** Names of the world and its schema version, along the session's search path. */
export interface Ordering {
  readonly descending: boolean;
  /** Compares two values of the operator's type: below, at or above 0. */
  readonly compare: ScalarFunction;
}

export interface Names extends TypeSource {
  /** `unchecked`: inside a view, whose names were resolved at its creation. 42501 for a schema without USAGE. */
  relation(schema: string | null, name: string, unchecked?: boolean): NamedRelation | null;
  hasSchema(name: string): boolean;
  /** Whether the type belongs to an extension that is not installed in the world. */
  hidesType?(oid: number): boolean;
  hasCollation?(schema: string | null, name: string): boolean;
  /** The ICU collation of that name; null for one that orders by code point. */
  icuCollation?(name: string): IcuCollation | null;
  /** Non-default collations of a table's columns, in order; null: none. */
  collationsOf?(table: SqlTable): readonly (string | null)[] | null;
  /** What a ranked search reads in the table. */
  searchedFields?(table: SqlTable): SearchedFields;
  /** The table with its descendants; null if it has none. */
  whole?(table: SqlTable): SqlTable | null;
  /** The type of a table's rows. */
  rowType?(table: number): SqlType | null;
  /** A user-defined type, or null. */
  userType(schema: string | null, name: string, unchecked?: boolean): SqlType | null;
  /** User-defined functions; `schema` null: along the search path. */
  functions?(schema: string | null, name: string, unchecked?: boolean): readonly SqlFunction[];
  /** Functions that an unqualified name in a stored text means, independent of the search path: of the schema that it is stored in, otherwise of `public`. */
  storedTextFunctions?(home: string | null, name: string): readonly SqlFunction[];
  storedTextOperators?(home: string | null, name: string): readonly SqlOperator[];
  /** User-defined operators; `schema` null: along the search path. */
  operators?(schema: string | null, name: string): readonly SqlOperator[];
  /** The ordering of a user-defined operator, by its number: as `<` or `>` of a btree operator family. null: none. */
  ordering?(operator: number): Ordering | null;
  /** The ordering of a type that has only a user-defined operator class. */
  standardOrdering?(type: SqlType): Ordering | null;
  /** Names of another moment or world. */
  at(world: string | null, when: string | null): Names;
  /** For names of another moment: the plan with SQL functions inlined as they were then. */
  inlined?(binder: Binder, plan: Plan): Plan;
  /** SQL text of a column's default, including the call of an identity column; null for none. */
  defaultText(table: SqlTable, column: number): string | null;
  /** An expression that is stored as text (defaults, conditions). */
  parseExpression(text: string): Expression;
  /** The mask of a column for the reader: an expression over the table's columns; null: none. */
  mask?(table: SqlTable, column: number, byAgent?: boolean): Expression | null;
  /** Whether a BEFORE row trigger of the table (or of a descendant) may change what is written. */
  changesRows?(table: SqlTable, event: 'insert' | 'update'): boolean;
  /** Whether any table or view has rules. */
  readonly hasRules?: boolean;
  /** The enabled rules of the table or view; null: none. */
  rules?(relation: number): RuledRelation | null;
  /** The table or view as a table. */
  asTable?(relation: number): SqlTable | null;
  /** Whether there are foreign tables at all. */
  readonly hasForeign?: boolean;
  /** Refuses unsupported operations on the foreign table: 55000, 0A000. */
  refuseForeign?(table: SqlTable, verb: 'select' | 'insert' | 'update' | 'delete'): void;
  /** The policies that apply to the current user, or to `as`; none: all rows are visible. 42501 if `row_security` is off. */
  policies?(table: SqlTable, as: number | null): PolicySets;
}

/** Built-in relations: catalogs, and views over them. */
export interface SystemRelations {
  find(schema: string, name: string): NamedRelation | null;
}

/** The names that binding resolved and the stars that it expanded, for a view that stores its query. */
export interface Recording {
  readonly tables: Map<object, string>;
  readonly stars: Map<object, SelectItem[]>;
  /** Unqualified columns, and their qualified form. */
  readonly qualified: Map<object, readonly string[]>;
  /** Natural joins, and their join columns. */
  readonly joins: Map<object, readonly string[]>;
  /** Number of a relation → columns that are read (indexes). */
  readonly uses: Map<number, Set<number>>;
  /** Numbers of tables that are grouped by their primary key, with other columns read, too. */
  readonly keyed: Set<number>;
  /** Functions that are called by name, by the position of the call; and operators. */
  readonly calls: { readonly at: number; readonly routine: number }[];
  /** Names of types, by oid. */
  readonly types: Map<object, number>;
  readonly operators: Set<number>;
  /** Names of collations after COLLATE. */
  readonly collations: Set<string>;
  /** FROM items that name relations, with their visible columns, in the relation's order. */
  readonly items: Map<object, { readonly number: number; readonly columns: readonly RelationColumn[] }>;
  /** Column references, with their meaning. */
  readonly references: Map<object, RelationColumn>;
}

/** Inside a function: the parameter numbers of its arguments and variables. */
export interface ArgumentNames {
  /** The function's name, which may qualify an argument. */
  readonly owner: string;
  readonly numbers: ReadonlyMap<string, number>;
  /** Variables of labelled blocks. */
  readonly labels?: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The meaning of a name that is also a column; absent: the column. */
  readonly conflict?: 'error' | 'variable' | 'column';
}

/** Values of expressions after AS OF. */
export interface Moments {
  /** null: parameters are not known yet. 42501 … if it may not be read. */
  value(binder: Binder, expression: Expression, bound: Bound): string | null;
}

export class Binder {
  /** Those of the statement, or, inside a view AS OF another state, of that state. */
  names: Names;
  /** The state for tables without an AS OF of their own; null: the statement's. */
  state: State | null = null;
  readonly #own: Names;
  readonly registry: Registry;
  readonly coercion: Coercion;
  readonly env: Environment;
  /** The last assigned ids, shared with binders of other parts of the same plan. */
  readonly #last: { column: ColumnId; commonTable: number };
  /** Depth of view expansion, to detect endless nesting. */
  depth = 0;
  /** Set if AS OF reads other states: their tables may change under a cached plan. */
  usedOtherStates = false;
  /** The syntax of queries inside expressions, for display; `isRow`: of one that a row is compared with. */
  queries: Map<Plan, { readonly query: Query; readonly isRow: boolean }> | null = null;
  recording: Recording | null = null;
  /** Derived collations; null while the statement names none and reads no column with one. */
  collations: Collations | null = null;
  /** CALL, the only statement that may name a procedure. */
  calling = false;
  /** Shell types are allowed: in function signatures. */
  allowsShells = false;
  /** Inside a function: its arguments by name, which columns shadow. */
  argumentNames: ArgumentNames | null = null;
  /** The statement's own, while a rule action is bound that has none. */
  givenArguments: ArgumentNames | null = null;
  /** The statement's accesses to relations, in the order in which they are named. */
  readonly access: RelationAccess[] = [];
  /** Functions that it calls, including those of views: they need EXECUTE. */
  readonly calls = new Set<SqlFunction>();
  /** A user-defined function is called, possibly in a mask. */
  callsOwn = false;
  /** Owner of the view that is being expanded. */
  viewOwner: number | null = null;
  /** Inside a view or rule of an agent: masked columns are masked for every reader. */
  byAgent = false;
  /** Computes expressions after AS OF, which decide what names mean; null if nothing may be read. */
  moments: Moments | null = null;
  /** An AS OF has an expression: the statement is bound again at run time. */
  readsMoments = false;
  /** Binding a stored text (a default, a check), whose names were resolved at its creation. */
  stored = false;
  /** The schema of the object whose stored text is being bound. */
  home: string | null = null;
  /** Binding a mask: it reads the columns that it hides. */
  masking = false;
  /** Tables whose policies are being bound. */
  readonly securing = new Set<number>();

  constructor(names: Names, registry: Registry, env: Environment, parameters: Parameters, beside: Binder | null = null) {
    this.names = names;
    this.#own = names;
    this.registry = registry;
    this.env = env;
    this.coercion = new Coercion(registry, names, env, parameters);
    this.#last = beside === null ? { column: 0, commonTable: 0 } : beside.#last;
  }

  /** A binder for another text with its own parameters, whose columns may be used with those of this one. */
  beside(parameters: Parameters): Binder {
    const binder = new Binder(this.names, this.registry, this.env, parameters, this);
    binder.state = this.state;
    binder.moments = this.moments;
    return binder;
  }

  /** Binds in another state (null: the statement's own): its names, and its rows for tables without an AS OF of their own. */
  within<T>(state: State | null, names: Names | null, bind: () => T): T {
    const { names: outerNames, state: outerState } = this;
    this.state = state;
    this.names = this.coercion.types = names ?? this.#own;
    try {
      return bind();
    } finally {
      this.state = outerState;
      this.names = this.coercion.types = outerNames;
    }
  }

  id(): ColumnId {
    return ++this.#last.column;
  }

  /** The first `count` ids are taken. */
  tookIds(count: number): void {
    if (this.#last.column !== 0) throw new Error(`the binder has given ${this.#last.column} ids already`);
    this.#last.column = count;
  }

  /** From here on collations are derived. */
  collating(): Collations {
    return (this.collations ??= new Collations(this));
  }

  /** Records the collations of a table's columns. */
  collateColumns(table: SqlTable, columns: readonly { readonly id: ColumnId }[]): void {
    this.names.collationsOf?.(table)?.forEach((name, i) => {
      if (name !== null) this.collating().setColumn(columns[i].id, { strength: 'implicit', name, at: 0 });
    });
  }

  commonTableNumber(): number {
    return ++this.#last.commonTable;
  }

  type(name: string): SqlType {
    return this.registry.type(name);
  }

  /** Records an access to a relation. */
  accesses(relation: number, kind: RelationAccess['kind'], name: string, needs: number): RelationAccess {
    const access = { relation, kind, name, as: this.viewOwner, needs, selected: new Set<number>(), inserted: new Set<number>(), updated: new Set<number>() };
    this.access.push(access);
    return access;
  }

  /** Whether schemas without USAGE are searched. */
  get unchecked(): boolean {
    return this.viewOwner !== null || this.stored;
  }

  column(name: string, type: SqlType, typmod = -1): OutputColumn {
    return { id: this.id(), name, type, typmod };
  }

  constant(name: string, value: Value): Bound {
    return { kind: 'constant', type: this.type(name), typmod: -1, value };
  }

  use({ id, type, typmod }: OutputColumn): Bound {
    return { kind: 'column', id, type, typmod };
  }

  and(parts: readonly Bound[]): Bound | null {
    if (parts.length === 0) return null;
    return parts.length === 1
      ? parts[0]
      : { kind: 'and', type: this.type('bool'), typmod: -1, args: parts.flatMap((part) => (part.kind === 'and' ? part.args : [part])) };
  }
}

/** An error without a position, as in Postgres. */
export function failNowhere(code: SvcError['code'], message: string, parts: { detail?: string; hint?: string } = {}): never {
  throw new SvcError(code, message, parts);
}

export function fail(code: SvcError['code'], message: string, at: number, parts: { detail?: string; hint?: string } = {}): never {
  throw new SvcError(code, message, { ...parts, position: at + 1 });
}
