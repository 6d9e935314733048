/** What binding of one statement shares: the names it may use, ids, coercion, parameters. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, SelectItem } from '../ast/query.ts';
import type { ScalarFunction, SqlFunction, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { OutputColumn, State, VirtualRelation } from '../plan/logical.ts';
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
      /** Its relations are asked of who reads it. */
      readonly invoker?: boolean;
      /** Its conditions come before those of who reads it. */
      readonly barrier?: boolean;
      /** A materialized view that is read as a view, since it keeps what its reader may not see. */
      readonly kept?: SqlTable;
      /** SQL text a column, of what INSERT puts there; null for what the table says. */
      readonly defaults?: readonly (string | null)[];
      /** Where INSTEAD OF triggers write in its place: for what they do, and the view as the table that they see. */
      readonly instead?: { readonly events: readonly string[]; readonly table: SqlTable };
    }
  | { readonly kind: 'virtual'; readonly relation: VirtualRelation }
  | { readonly kind: 'other'; readonly what: string };

/** Names of the world and its schema version, along the session's search path. */
export interface Ordering {
  readonly descending: boolean;
  /** Of two values of the operator's type: below, at or above 0. */
  readonly compare: ScalarFunction;
}

export interface Names extends TypeSource {
  /** `unchecked`: inside a view, whose names were found when it was made. 42501 for a schema that may not be used. */
  relation(schema: string | null, name: string, unchecked?: boolean): NamedRelation | null;
  hasSchema(name: string): boolean;
  /** Of the world's own; `schema` null: along the path. */
  /** Whether the type is of an extension that the world does not have. */
  hidesType?(oid: number): boolean;
  hasCollation?(schema: string | null, name: string): boolean;
  /** The collation of that name where it is one of ICU; null for one of code points. */
  icuCollation?(name: string): IcuCollation | null;
  /** Collations of a table's columns that are not their types' own, in order; null: none has one. */
  collationsOf?(table: SqlTable): readonly (string | null)[] | null;
  /** The table with all below it; null where it stands alone. */
  whole?(table: SqlTable): SqlTable | null;
  /** The type of a table's rows. */
  rowType?(table: number): SqlType | null;
  /** A type of the world's own (an enum), or null. */
  userType(schema: string | null, name: string, unchecked?: boolean): SqlType | null;
  /** Functions that the world defines; `schema` null: along the search path. */
  functions?(schema: string | null, name: string, unchecked?: boolean): readonly SqlFunction[];
  /** Functions that a stored text means by a name without a schema, whatever the search path: of the schema it is stored in, or else of `public`. */
  settledFunctions?(home: string | null, name: string): readonly SqlFunction[];
  settledOperators?(home: string | null, name: string): readonly SqlOperator[];
  /** Operators that the world defines; `schema` null: along the search path. */
  operators?(schema: string | null, name: string): readonly SqlOperator[];
  /** What an operator of the world, by its number, orders values by: as `<` or `>` of an operator family of btree. null: it orders none. */
  ordering?(operator: number): Ordering | null;
  /** What orders values of a type that has no order but by an operator class of the world. */
  standardOrdering?(type: SqlType): Ordering | null;
  /** A relation as it was at another moment or in another world. */
  at(world: string | null, when: string | null): Names;
  /** Of names at another moment: the plan with bodies of SQL functions in place of calls, as they were then. */
  inlined?(binder: Binder, plan: Plan): Plan;
  /** SQL text of a column's default, the call behind an identity column included; null for none. */
  defaultText(table: SqlTable, column: number): string | null;
  /** An expression that is kept as text (defaults, conditions). */
  parseExpression(text: string): Expression;
  /** What stands in for a column that the reader may not see: an expression over the table's columns; null: nothing does. */
  mask?(table: SqlTable, column: number, byAgent?: boolean): Expression | null;
  /** Whether a BEFORE trigger for rows of the table (or of one below it) may change what is written. */
  changesRows?(table: SqlTable, event: 'insert' | 'update'): boolean;
  /** Whether some table or view has rules. */
  readonly hasRules?: boolean;
  /** Rules of the table or view that are in force; null: it has none. */
  rules?(relation: number): RuledRelation | null;
  /** The table or view as a table. */
  asTable?(relation: number): SqlTable | null;
  /** Whether there are foreign tables at all. */
  readonly hasForeign?: boolean;
  /** Refuses what nobody can do to the foreign table: 55000, 0A000. */
  refuseForeign?(table: SqlTable, verb: 'select' | 'insert' | 'update' | 'delete'): void;
  /** Policies that hold for the current user, or for `as`; none: the table's rows are there as they are. 42501 where `row_security` is off. */
  policies?(table: SqlTable, as: number | null): PolicySets;
}

/** Relations that the engine makes up: catalogs, and views over them. */
export interface SystemRelations {
  find(schema: string, name: string): NamedRelation | null;
}

/** What a query is made of, for a view that keeps it: names as they were found, stars as they were spread. */
export interface Recording {
  readonly tables: Map<object, string>;
  readonly stars: Map<object, SelectItem[]>;
  /** Columns that are named alone, and how they are named with their relations. */
  readonly qualified: Map<object, readonly string[]>;
  /** Natural joins, and the columns by which they join. */
  readonly joins: Map<object, readonly string[]>;
  /** Number of a relation → columns that are read (indexes). */
  readonly uses: Map<number, Set<number>>;
  /** Numbers of tables that are grouped by their primary keys, and read in other columns, too. */
  readonly keyed: Set<number>;
  /** Functions that are called by name, by where the call stands; and operators. */
  readonly calls: { readonly at: number; readonly routine: number }[];
  /** Names of types, by oid. */
  readonly types: Map<object, number>;
  readonly operators: Set<number>;
  /** Names of collations behind COLLATE. */
  readonly collations: Set<string>;
  /** Items of FROM that name relations, with the columns that each makes visible, in the relation's order. */
  readonly items: Map<object, { readonly number: number; readonly columns: readonly RelationColumn[] }>;
  /** References to columns, and what each means. */
  readonly references: Map<object, RelationColumn>;
}

/** Inside a function: numbers of the parameters that its arguments and variables are. */
export interface ArgumentNames {
  /** The function's name, with which an argument may be written. */
  readonly owner: string;
  readonly numbers: ReadonlyMap<string, number>;
  /** Variables of labelled blocks. */
  readonly labels?: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** What a name means that is a column, too; left out: the column. */
  readonly conflict?: 'error' | 'variable' | 'column';
}

/** Values of expressions behind AS OF. */
export interface Moments {
  /** null: parameters are not known yet. 42501 … where it may not be read. */
  value(binder: Binder, expression: Expression, bound: Bound): string | null;
}

export class Binder {
  /** Those of the statement, or inside a view AS OF another state those of that state. */
  names: Names;
  /** The state that tables without an AS OF of their own are read in; null: the statement's own. */
  state: State | null = null;
  readonly #own: Names;
  readonly registry: Registry;
  readonly coercion: Coercion;
  readonly env: Environment;
  /** The last numbers given, shared with binders of what comes to stand in the same plan. */
  readonly #last: { column: ColumnId; commonTable: number };
  /** Views being expanded, against endless nesting. */
  depth = 0;
  /** Set where AS OF reads other states: their tables may change under a kept plan. */
  usedOtherStates = false;
  /** What was written of queries inside expressions, for whoever shows them; `isRow`: of one that a row is compared with. */
  queries: Map<Plan, { readonly query: Query; readonly isRow: boolean }> | null = null;
  recording: Recording | null = null;
  /** What is derived of collations; null as long as the statement names none and reads no column with one. */
  collations: Collations | null = null;
  /** CALL, which alone may name a procedure. */
  calling = false;
  /** Types of which the name alone is known may stand here: what functions take and give. */
  allowsShells = false;
  /** Inside a function: its arguments by name, which columns hide. */
  argumentNames: ArgumentNames | null = null;
  /** Those of the statement itself, where an action of a rule is bound that knows none. */
  givenArguments: ArgumentNames | null = null;
  /** What the statement does to relations, in the order in which they are named. */
  readonly access: RelationAccess[] = [];
  /** Functions that it calls, those of views too: who runs the statement needs EXECUTE. */
  readonly calls = new Set<SqlFunction>();
  /** Some function of the world is called, in a mask too. */
  callsOwn = false;
  /** Owner of the view that is being expanded. */
  viewOwner: number | null = null;
  /** Inside a view or rule of an agent: masked columns are masked, whoever reads. */
  byAgent = false;
  /** What gives the value of an expression behind AS OF, which decides what names mean; null where nothing may be read. */
  moments: Moments | null = null;
  /** Some AS OF has an expression: the statement is bound again when it runs. */
  readsMoments = false;
  /** A stored text is being bound (a default, a check), whose names were found when it was made. */
  stored = false;
  /** The schema of what holds the stored text (a view's, a table's) that is being bound. */
  home: string | null = null;
  /** A mask is being bound: it reads what it hides. */
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

  /** One of a text by itself, with parameters of its own, whose columns may stand beside those of this one. */
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

  /** The first so many ids are given. */
  tookIds(count: number): void {
    if (this.#last.column !== 0) throw new Error(`the binder has given ${this.#last.column} ids already`);
    this.#last.column = count;
  }

  /** From here on collations are derived. */
  collating(): Collations {
    return (this.collations ??= new Collations(this));
  }

  /** Columns of a table have the collations that it gives them. */
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

  /** Notes a relation that the statement names. */
  accesses(relation: number, kind: RelationAccess['kind'], name: string, needs: number): RelationAccess {
    const access = { relation, kind, name, as: this.viewOwner, needs, selected: new Set<number>(), inserted: new Set<number>(), updated: new Set<number>() };
    this.access.push(access);
    return access;
  }

  /** Whether names are found in schemas that may not be used. */
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

/** An error that Postgres points at nothing for. */
export function failNowhere(code: SvcError['code'], message: string, parts: { detail?: string; hint?: string } = {}): never {
  throw new SvcError(code, message, parts);
}

export function fail(code: SvcError['code'], message: string, at: number, parts: { detail?: string; hint?: string } = {}): never {
  throw new SvcError(code, message, { ...parts, position: at + 1 });
}
