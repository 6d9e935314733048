/** Name resolution for a statement: relations and types of its world along the search path, and the system catalogs. */
import { systemSchemaOf } from '../catalog/extension-relations.ts';
import { systemRowType, systemRowTypeNamed } from '../catalog/system-row-types.ts';
import { typeDefault } from '../types/base-type.ts';
import { asWindow } from './internal-function.ts';
import { isHiddenType } from '../schema/extension-types.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { Roles } from '../../identity/roles.ts';
import type { Binder, NamedRelation, Names, Ordering, SystemRelations } from '../bind/binder.ts';
import type { PolicySets, RowCondition, RowPolicy } from '../bind/row-security.ts';
import { rangeConstructors } from '../functions/range/range-functions.ts';
import type { SqlCast, SqlFunction, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Rule, RuleAction, RuledRelation } from '../bind/rules.ts';
import { isTemporarySchema, type RuleObject, type TriggerEvent } from '../../worlds/definition.ts';
import { maskKey, type Masks, masksOf } from '../../worlds/masks.ts';
import type { SequenceState } from '../../worlds/sequences.ts';
import { parse } from '../parse/parse.ts';
import type { Plan, VirtualRelation } from '../plan/logical.ts';
import { securityFor } from '../schema/row-security.ts';
import { icuCollationNamed } from '../schema/icu-collations.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { collationsOf } from '../schema/facts.ts';
import { mustHaveHandler, refuseForeignWrite, tableWrapper } from '../schema/foreign-tables.ts';
import type { Schema, Sequence } from '../schema/schema.ts';
import { type SearchedFields, searchedFields } from '../schema/searched-fields.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import { asAggregate } from './user-aggregates.ts';
import { asFunction } from '../bind/user-functions.ts';
import { asCast, asOperator, orderingOf, standardOrdering } from './user-operators.ts';
import { maskExpression } from './mask-label.ts';

const PARSED_MAX = 2000;
const NONE: readonly SqlOperator[] = [];
const queries = new Map<string, Query>();
const expressions = new Map<string, Expression>();

export function parseQuery(text: string): Query {
  let query = queries.get(text);
  if (query === undefined) {
    const [statement] = parse(text);
    if (
      statement === undefined ||
      !('with' in statement) ||
      statement.type === 'insert' ||
      statement.type === 'update' ||
      statement.type === 'delete' ||
      statement.type === 'merge'
    ) {
      throw new SvcError('XX000', 'a stored query does not parse as one');
    }
    query = statement;
    if (queries.size > PARSED_MAX) queries.clear();
    queries.set(text, query);
  }
  return query;
}

export function parseExpressionText(text: string): Expression {
  let expression = expressions.get(text);
  if (expression === undefined) {
    const query = parseQuery(`SELECT ${text}`);
    if (query.type !== 'select') throw new SvcError('XX000', 'a stored expression does not parse as one');
    expression = query.items[0].value;
    if (expressions.size > PARSED_MAX) expressions.clear();
    expressions.set(text, expression);
  }
  return expression;
}

const rules = new WeakMap<RuleObject, Rule>();

export function parseRule(rule: RuleObject): Rule {
  let known = rules.get(rule);
  if (known === undefined) {
    const { name, event, instead, where, actions } = rule;
    const parsed = actions.map((text) => parse(text)[0] as RuleAction);
    rules.set(rule, (known = { name, event, instead, condition: where === null ? null : parseExpressionText(where), actions: parsed }));
  }
  return known;
}

/** The reader that names are resolved for, if it may not see everything. */
export interface Reader {
  mayUse(schema: string): boolean;
  readonly unmasked: boolean;
  /** The masks in the state of the names: those of the state's labels, and those of today in the statement's world and in the state that it reads. */
  readonly masks: Masks;
}

/** The roles and schema that policies are looked up for. */
export interface Guard {
  readonly role: number;
  readonly roles: Roles;
  /** `row_security` is off: a query that policies would filter is refused. */
  readonly off: boolean;
  /** session_replication_role is replica. */
  readonly replica: boolean;
  readonly now: Schema;
}

/** Names of another state. */
export interface Elsewhere {
  /** The plan with SQL functions inlined, as they were in that state. */
  inlined(binder: Binder, plan: Plan): Plan;
}

const FOREIGN_WRITES = { insert: 'insert into', update: 'update', delete: 'delete from' } as const;

export class SessionNames implements Names {
  readonly schema: Schema;
  /** False if definitions exist but their rows do not yet. */
  readsRelations = true;
  /** How often a relation, or a type that may be one's row type, was looked up: what was bound meanwhile depends on relations. */
  relationLookups = 0;
  readonly #system: SystemRelations;
  readonly #path: readonly string[];
  readonly #at: (world: string | null, when: string | null) => Names;
  readonly #stateOf: (sequence: Sequence) => SequenceState;
  readonly #reader: Reader | null;
  readonly #registry: Registry;
  readonly #guard: Guard | null;
  /** Set if the names are of another state than the session's. */
  readonly #elsewhere: Elsewhere | null;

  constructor(
    schema: Schema,
    registry: Registry,
    system: SystemRelations,
    path: readonly string[],
    at: (world: string | null, when: string | null) => Names,
    stateOf: (sequence: Sequence) => SequenceState,
    reader: Reader | null = null,
    guard: Guard | null = null,
    elsewhere: Elsewhere | null = null,
  ) {
    this.#guard = guard;
    this.#elsewhere = elsewhere;
    this.schema = schema;
    this.#registry = registry;
    this.#system = system;
    this.#path = path;
    this.#at = at;
    this.#stateOf = stateOf;
    this.#reader = reader;
  }

  relation(schema: string | null, name: string, unchecked = false): NamedRelation | null {
    this.relationLookups++;
    const reader = unchecked ? null : this.#reader;
    if (!this.readsRelations && !unchecked) {
      throw new SvcError('0A000', `relation "${name}" is not read here: a check or an expression of a row sees that row alone`, {
        hint: 'Where rows are put without SQL, merged or undone, functions in defaults, checks and generated columns compute from their arguments.',
      });
    }
    if (schema === null && this.#beside !== null) {
      const relation = this.#beside.get(name);
      if (relation !== undefined) return { kind: 'virtual', relation };
    }
    if (schema !== null) {
      if (reader?.mayUse(schema) === false) throw new SvcError('42501', `permission denied for schema ${schema}`);
      return this.#in(schema, name);
    }
    // pg_catalog is searched first unless the path contains it.
    for (const each of this.#path.includes('pg_catalog') ? this.#path : ['pg_catalog', ...this.#path]) {
      if (reader?.mayUse(each) === false) continue;
      const found = this.#in(each, name);
      if (found !== null) return found;
    }
    return null;
  }

  get hasForeign(): boolean {
    return this.schema.servers.size > 0;
  }

  refuseForeign(table: SqlTable, verb: 'select' | 'insert' | 'update' | 'delete'): void {
    if (verb === 'select') mustHaveHandler(tableWrapper(this.schema, table));
    else refuseForeignWrite(this.schema, table, FOREIGN_WRITES[verb]);
  }

  /** The same names, and relations that shadow others of their names. */
  beside(relations: ReadonlyMap<string, VirtualRelation>): SessionNames {
    const names = new SessionNames(this.schema, this.#registry, this.#system, this.#path, this.#at, this.#stateOf, this.#reader, this.#guard, this.#elsewhere);
    names.#beside = relations;
    return names;
  }
  #beside: ReadonlyMap<string, VirtualRelation> | null = null;

  /** `pg_temp` means the session's temporary schema. */
  #meant(written: string): string {
    return written === 'pg_temp' ? (this.#path.find(isTemporarySchema) ?? written) : written;
  }

  #in(written: string, name: string): NamedRelation | null {
    const schema = this.#meant(written);
    const system = systemSchemaOf(this.schema, schema, name);
    if (system !== null) return this.#system.find(system, name);
    const found = this.schema.relation(schema, name);
    if (found === null) return null;
    switch (found.kind) {
      case 'table':
        return this.#readAsView(found.table) ?? { kind: 'table', table: found.table };
      case 'view': {
        const instead = this.schema.insteadOf(found.view);
        return {
          kind: 'view',
          number: found.view.number,
          owner: this.schema.authorOf(found.view.number),
          schema,
          name,
          query: parseQuery(found.view.sql),
          columns: found.view.columns.map((column) => column.name),
          check: found.view.check,
          invoker: found.view.invoker,
          barrier: found.view.barrier,
          defaults: found.view.columns.map((column) => column.default ?? null),
          ...(instead === null ? {} : { instead }),
        };
      }
      case 'sequence':
        return { kind: 'virtual', relation: sequenceRelation(found.sequence, this.schema, this.#stateOf, this.#elsewhere === null) };
      case 'index':
        return { kind: 'other', what: 'an index' };
    }
  }

  inlined(binder: Binder, plan: Plan): Plan {
    return this.#elsewhere?.inlined(binder, plan) ?? plan;
  }

  hasSchema(name: string): boolean {
    return name === 'pg_catalog' || name === 'information_schema' || name === 'pg_temp' || this.schema.schemas.has(name);
  }

  hidesType(oid: number): boolean {
    return isHiddenType(this.schema, oid);
  }

  hasCollation(schema: string | null, name: string): boolean {
    for (const each of this.schema.collations.values()) if (each.name === name && (schema === null || each.schema === schema)) return true;
    return false;
  }

  icuCollation(name: string): IcuCollation | null {
    return icuCollationNamed(this.schema, name);
  }

  collationsOf(table: SqlTable): readonly (string | null)[] | null {
    return collationsOf(this.schema, table);
  }

  userType(schema: string | null, name: string, unchecked = false): SqlType | null {
    this.relationLookups++;
    for (const each of this.#searched(schema, unchecked)) {
      const type = this.schema.typeByName(each, name);
      if (type !== null) return type;
    }
    const place = schema ?? 'pg_catalog';
    return place === systemSchemaOf(this.schema, place, name) ? systemRowTypeNamed(this.#registry, place, name) : null;
  }

  whole(table: SqlTable): SqlTable | null {
    this.relationLookups++;
    return this.schema.whole(table);
  }

  get hasRules(): boolean {
    return this.schema.hasRules;
  }

  rules(relation: number): RuledRelation | null {
    const rules = this.schema.rules(relation);
    if (rules.length === 0) return null;
    const table = this.asTable(relation)!;
    const replica = this.#guard?.replica === true;
    const inForce = rules.filter(({ fires }) => fires !== 'never' && (fires === 'always' || (fires === 'replica') === replica));
    return { owner: this.schema.authorOf(relation), home: table.schema, table, rules: inForce.map(parseRule) };
  }

  asTable(relation: number): SqlTable | null {
    this.relationLookups++;
    const view = this.schema.views.get(relation);
    return view === undefined ? (this.schema.tables.get(relation) ?? null) : this.schema.asTable(view);
  }

  changesRows({ number, whole }: SqlTable, event: TriggerEvent): boolean {
    if (!this.schema.hasTriggers) return false;
    return [number, ...(whole?.members ?? []).map(({ table }) => table.number)].some((each) =>
      this.schema.triggers(each).some(({ timing, row, events }) => timing === 'before' && row && events.includes(event)),
    );
  }

  rowType(table: number): SqlType | null {
    this.relationLookups++;
    return this.schema.rowType(table) ?? systemRowType(this.#registry, table);
  }

  typeByOid(oid: number): SqlType | undefined {
    return this.schema.typeByOid(oid) ?? undefined;
  }

  functions(schema: string | null, name: string, unchecked = false): readonly SqlFunction[] {
    if (this.schema.functions.size === 0 && this.schema.ranges.length === 0) return [];
    return this.#searchedForCalls(schema, unchecked).flatMap((each) => [
      ...this.schema.functionsNamed(each, name).map((user): SqlFunction => {
        if (user.object.aggregate !== undefined) return asAggregate(user, this.schema, this.#registry);
        const fn = asFunction(user);
        return fn.kind === 'window' ? asWindow(user, this.#registry, this) : fn;
      }),
      ...rangeFunctions(this.schema, each, name),
    ]);
  }

  storedTextFunctions(home: string | null, name: string): readonly SqlFunction[] {
    if (this.schema.functions.size === 0 && this.schema.ranges.length === 0) return [];
    for (const each of storedTextPath(home)) {
      const found = this.functions(each, name, true);
      if (found.length > 0) return found;
    }
    return [];
  }

  storedTextOperators(home: string | null, name: string): readonly SqlOperator[] {
    return this.schema.operators.size === 0 ? NONE : this.#operatorsIn(storedTextPath(home), name);
  }

  operators(schema: string | null, name: string): readonly SqlOperator[] {
    if (this.schema.operators.size === 0) return NONE;
    return this.#operatorsIn(this.#searchedForCalls(schema, false), name);
  }

  #operatorsIn(searched: readonly string[], name: string): readonly SqlOperator[] {
    const out: SqlOperator[] = [];
    for (const each of this.schema.operators.values()) {
      if (each.object.name === name && searched.includes(each.object.schema)) out.push(asOperator(each, this.schema, this.#registry));
    }
    return out;
  }

  standardOrdering(type: SqlType): Ordering | null {
    return standardOrdering(this.schema, this.#registry, type);
  }

  ordering(operator: number): Ordering | null {
    return orderingOf(this.schema, this.#registry, operator);
  }

  userCast(from: SqlType, to: SqlType): SqlCast | null {
    if (this.schema.casts.size === 0) return null;
    for (const each of this.schema.casts.values()) {
      if (each.object.from === from.oid && each.object.to === to.oid) return asCast(each, this.schema, this.#registry);
    }
    return null;
  }

  /** The schemas in which a name is looked up. 42501 for a qualifying schema without USAGE. */
  #searched(schema: string | null, unchecked: boolean): readonly string[] {
    const reader = unchecked ? null : this.#reader;
    if (schema === null)
      return reader === null || this.#path.every((each) => reader.mayUse(each)) ? this.#path : this.#path.filter((each) => reader.mayUse(each));
    if (reader?.mayUse(schema) === false) throw new SvcError('42501', `permission denied for schema ${schema}`);
    return [this.#meant(schema)];
  }

  /** The same for functions and operators: temporary ones need a qualified name. */
  #searchedForCalls(schema: string | null, unchecked: boolean): readonly string[] {
    const searched = this.#searched(schema, unchecked);
    return schema === null && searched.some(isTemporarySchema) ? searched.filter((each) => !isTemporarySchema(each)) : searched;
  }

  at(world: string | null, when: string | null): Names {
    this.relationLookups++;
    return this.#at(world, when);
  }

  defaultText(table: SqlTable, column: number): string | null {
    const { default: text, identity, number, type } = table.columns[column];
    if (identity === null) return text ?? typeDefault(type);
    const sequence = this.schema.sequenceOf(table.number, number);
    return sequence === null ? null : `pg_catalog.nextval(${sequence.number}::pg_catalog.regclass)`;
  }

  parseExpression(text: string): Expression {
    return parseExpressionText(text);
  }

  searchedFields(table: SqlTable): SearchedFields {
    return searchedFields(this.schema, table);
  }

  /** For a past state both its policies and those of today apply: the past must not reveal what is hidden today. */
  policies(table: SqlTable, as: number | null): PolicySets {
    const guard = this.#guard;
    if (guard === null) return [];
    const { role: current, roles, off, now } = guard;
    const sets: { policies: readonly RowPolicy[]; today: boolean }[] = [];
    for (const [i, schema] of (this.schema === now && this.#elsewhere === null ? [now] : [now, this.schema]).entries()) {
      const held = securityFor(schema, roles, as ?? current, table.number);
      if (held === null) continue;
      const { security, owns } = held;
      if (off) {
        throw new SvcError('42501', `query would be affected by row-level security policy for table "${table.name}"`, {
          hint: owns ? "To disable the policy for the table's owner, use ALTER TABLE NO FORCE ROW LEVEL SECURITY." : undefined,
        });
      }
      const own = security.policies.filter((policy) => policy.roles.some((each) => each === 0 || roles.hasRightsOf(as ?? current, each)));
      const policies = own.map(({ name, permissive, command, using, check }) => ({
        name,
        permissive,
        command,
        using: conditionOf(using),
        check: conditionOf(check),
      }));
      sets.push({ policies, today: i === 0 });
    }
    return sets;
  }

  mask(table: SqlTable, column: number, byAgent = false): Expression | null {
    const reader = this.#reader;
    if (!byAgent && (reader === null || reader.unmasked)) return null;
    const masks = reader === null || reader.unmasked ? masksOf(this.schema.catalog) : reader.masks;
    const label = masks.columns.get(maskKey(table.number, table.columns[column].attnum));
    return label === undefined ? null : maskExpression(label);
  }

  /** A materialized view with rows that its reader may not see. */
  #readAsView(table: SqlTable): NamedRelation | null {
    const { materialized, number, schema, name } = table;
    const reader = this.#reader;
    if (materialized?.populated !== true || reader === null || reader.unmasked) return null;
    if (!reader.masks.kept.has(number)) return null;
    const columns = table.columns.map((column) => column.name);
    return { kind: 'view', number, owner: this.schema.authorOf(number), schema, name, query: parseQuery(materialized.sql), columns, kept: table };
  }
}

function storedTextPath(home: string | null): readonly string[] {
  return home === null || home === 'public' ? ['public'] : [home, 'public'];
}

function conditionOf(sql: string | null): RowCondition | null {
  if (sql === null) return null;
  const query = parseQuery(sql);
  const from = query.type === 'select' ? query.from[0] : undefined;
  if (query.type !== 'select' || from?.type !== 'table') throw new SvcError('XX000', 'a stored policy does not parse as one');
  return { condition: query.items[0].value, alias: from.alias?.name ?? from.name.name, columns: from.alias?.columns ?? [] };
}

function rangeFunctions(schema: Schema, own: string, name: string): readonly SqlFunction[] {
  return schema.ranges
    .filter((each) => each.schema === own && (each.range.name === name || each.multirange.name === name))
    .flatMap(({ range, multirange }) => rangeConstructors(range, multirange).filter((fn) => fn.name === name));
}

/** The relation of `SELECT * FROM sequence`; its state is read through a function. */
function sequenceRelation(sequence: Sequence, schema: Schema, stateOf: (sequence: Sequence) => SequenceState, own: boolean): VirtualRelation {
  const type = (oid: number): SqlType => schema.typeByOid(oid)!;
  const rows = function* (): Iterable<readonly [unknown, number, boolean]> {
    const { last, called } = stateOf(sequence);
    yield [last, 0, called];
  };
  return {
    oid: sequence.number,
    schema: sequence.schema,
    name: sequence.name,
    columns: [
      { name: 'last_value', type: type(20) },
      { name: 'log_cnt', type: type(20) },
      { name: 'is_called', type: type(16) },
    ],
    hashed: [],
    own,
    rows: rows as VirtualRelation['rows'],
    find: rows as VirtualRelation['rows'],
  };
}
