/**
 * Queries in the form of pg_get_viewdef: stars expanded, columns qualified if there are several relations, names for everything that
 * is not a plain column, expressions as in analysed-expression.ts. Raises SvcError for what it cannot print (WITH around writing
 * statements); the caller then shows the written text.
 */
import type { ColumnReference, Expression } from '../ast/expression.ts';
import type {
  Alias,
  CommonTable,
  FromItem,
  Frame,
  FrameBound,
  GroupItem,
  JoinItem,
  Query,
  RelationName,
  Select,
  SelectItem,
  SetOperation,
  SortKey,
  Window,
  With,
} from '../ast/query.ts';
import type { Delete, Insert, RuleRows, Update } from '../ast/write.ts';
import type { Binder } from '../bind/binder.ts';
import { bindColumn, starColumns } from '../bind/columns.ts';
import { bindExpression } from '../bind/expression.ts';
import { bindFromList, bindTableFunction } from '../bind/from.ts';
import { outputName } from '../bind/output-name.ts';
import { Scope } from '../bind/scope.ts';
import type { WindowUse } from '../bind/window.ts';
import { bindWindow } from '../bind/window-frame.ts';
import { bindWith } from '../bind/with.ts';
import type { TypeName } from '../ast/type-name.ts';
import { type WriteTarget, writeTarget } from '../bind/write-target.ts';
import type { SqlFunction } from '../functions/define.ts';
import type { Bound, BoundAggregate, BoundSort, ColumnId } from '../plan/bound.ts';
import type { BoundFrame, BoundFrameEdge, Plan } from '../plan/logical.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Environment } from '../types/environment.ts';
import { type Analysis, analysed, argumentsOf, call, cast } from './analysed-expression.ts';
import { ShownRelations, visibleItems } from './shown-relations.ts';
import { wordsOf } from './written-words.ts';
import type { SqlType } from '../types/type.ts';

const at = 0;

/** One level of a query: its names, and how its columns and those of enclosing levels are shown. */
interface Level {
  readonly scope: Scope;
  readonly columns: ReadonlyMap<ColumnId, readonly string[]>;
  /** The qualified forms, for nested queries. */
  readonly qualified: ReadonlyMap<ColumnId, readonly string[]>;
}

export class QueryAnalysis {
  readonly #binder: Binder;
  readonly #env: Environment;
  readonly #pretty: boolean;
  readonly #stored: Pick<Analysis, 'schemaOfType' | 'schemaOfRoutine'>;
  readonly #relations: ShownRelations;
  readonly #queries = new Map<Plan, { readonly query: Query; readonly isRow: boolean }>();

  /** `taken`: names that its relations must not have. */
  constructor(binder: Binder, env: Environment, pretty: boolean, stored: Pick<Analysis, 'schemaOfType' | 'schemaOfRoutine'>, taken: readonly string[]) {
    this.#binder = binder;
    this.#env = env;
    this.#pretty = pretty;
    this.#stored = stored;
    binder.queries = this.#queries;
    this.#relations = new ShownRelations(taken);
  }

  /** `names` of its columns, if they do not come from the query; `joined`: other queries determine the types of its literals. */
  query(query: Query, parent: Level | null, names: readonly string[] | null, nested = parent !== null, joined = false): Query {
    return this.#relations.within(query.type === 'select' ? query.from : [], () => {
      if (query.with === null) return this.#body(query, parent, names, nested, joined);
      const { tables, inner } = this.#with(query.with, parent);
      const body = this.#body({ ...query, with: null }, inner, names, nested, joined);
      return { ...body, with: { ...query.with, tables } };
    });
  }

  #body(query: Query, parent: Level | null, names: readonly string[] | null, nested: boolean, joined: boolean): Query {
    switch (query.type) {
      case 'select':
        return this.#select(query, parent, names, nested, joined);
      case 'setOperation':
        return this.#setOperation(query, parent, names);
      case 'values': {
        const around = parent?.qualified ?? new Map<ColumnId, readonly string[]>();
        const level: Level = { scope: new Scope(parent?.scope ?? null), columns: around, qualified: around };
        level.scope.clause = 'values';
        const types = query.rows[0].map((_, i) => this.#columnType(query.rows, i, level));
        return { ...query, rows: query.rows.map((row) => row.map((value, i) => this.#expression(value, level, types[i]))) };
      }
    }
  }

  /** The queries of WITH, and the level that sees them. */
  #with(clause: With, parent: Level | null): { tables: CommonTable[]; inner: Level } {
    const none = new Map<ColumnId, readonly string[]>();
    const seeing = (around: Level | null): Level => ({
      scope: new Scope(around?.scope ?? null),
      columns: around?.columns ?? none,
      qualified: around?.qualified ?? none,
    });
    const shown = (table: CommonTable, around: Level): CommonTable => {
      const { body } = table;
      if (body.type !== 'select' && body.type !== 'values' && body.type !== 'setOperation')
        throw new SvcError('0A000', 'statements that write are shown as they were written');
      // Marks of CYCLE stay as written: its grammar does not accept the casts that Postgres shows there.
      return { ...table, body: this.query(body, around, null, true) };
    };
    if (clause.recursive) {
      const inner = seeing(parent);
      bindWith(this.#binder, clause, inner.scope);
      return { tables: clause.tables.map((table) => shown(table, inner)), inner };
    }
    // Each sees those before it.
    let inner = seeing(parent);
    const tables = clause.tables.map((table) => {
      const around = inner;
      inner = seeing(around);
      bindWith(this.#binder, { ...clause, tables: [table] }, inner.scope);
      return shown(table, around);
    });
    return { tables, inner };
  }

  /** A condition of a rule over the rows of OLD and NEW. */
  ruleCondition(rows: RuleRows, condition: Expression): Expression {
    const level = this.#ruleLevel(rows);
    level.scope.clause = 'where';
    return this.#expression(condition, level);
  }

  /** An action of a rule, over the rows of OLD and NEW. */
  ruleAction(rows: RuleRows, action: Query | Insert | Update | Delete): Query | Insert | Update | Delete {
    const level = this.#ruleLevel(rows);
    if (action.type === 'select' || action.type === 'values' || action.type === 'setOperation') return this.query(action, level, null);
    if (action.with !== null) throw new SvcError('0A000', 'WITH is shown as it was written');
    const { table: item } = action;
    const others = action.type === 'insert' ? [] : action.type === 'update' ? action.from : action.using;
    return this.#relations.within([item, ...others], () => this.#written(action, level));
  }

  #written(action: Insert | Update | Delete, level: Level): Insert | Update | Delete {
    const { table: item } = action;
    const into = writeTarget(this.#binder, item, action.type);
    const scope = new Scope(level.scope);
    const items = action.type === 'insert' ? [] : action.type === 'update' ? action.from : action.using;
    const from = bindFromList(this.#binder, [item, ...items], scope);
    scope.namespace = from.namespace;
    const columns = new Map(level.columns);
    for (const { alias, columns: own, system } of from.namespace.relations)
      for (const { name, value } of [...own, ...system]) if (value.kind === 'column') columns.set(value.id, [alias, name]);
    const own: Level = { scope, columns, qualified: columns };
    const returning = action.returning === null ? null : { ...action.returning, items: this.#returned(action.returning.items, own) };
    if (action.type === 'insert') return { ...action, source: this.#source(action, into, level), returning };
    const where = action.where === null ? null : this.#in(own, 'where', action.where);
    if (action.type === 'delete') return { ...action, using: action.using.map((each) => this.#from(each, own, level)), where, returning };
    const set = action.set.map((each) => {
      if (each.multiple || each.targets[0].path.length > 0) return each;
      return { ...each, value: this.#assigned(each.value, into, each.targets[0].name, own) };
    });
    return { ...action, set, from: action.from.map((each) => this.#from(each, own, level)), where, returning };
  }

  #returned(list: readonly SelectItem[], level: Level): SelectItem[] {
    level.scope.clause = 'returning';
    return this.#items(list, level, null);
  }

  #ruleLevel(rows: RuleRows): Level {
    const scope = new Scope(null);
    const { namespace } = bindFromList(this.#binder, [rows], scope);
    scope.namespace = namespace;
    const columns = new Map<ColumnId, readonly string[]>();
    for (const { alias, columns: own } of namespace.relations)
      for (const { name, value } of own) if (value.kind === 'column') columns.set(value.id, [alias, name]);
    return { scope, columns, qualified: columns };
  }

  #source({ source, columns }: Insert, into: WriteTarget, level: Level): Query | null {
    if (source?.type !== 'values') return source === null ? null : this.query(source, level, null, true);
    level.scope.clause = 'values';
    const names = columns.map(({ name }) => name);
    return { ...source, rows: source.rows.map((row) => row.map((value, i) => this.#assigned(value, into, names[i], level))) };
  }

  /** A value as the column's type. */
  #assigned(value: Expression, into: WriteTarget, name: string, level: Level): Expression {
    const index = into.columns.find((column) => column.name === name)?.index;
    if (value.type === 'default' || index == null || holdsQuery(value)) return this.#expression(value, level);
    const { type, typmod } = into.table.columns[index];
    const bound = this.#binder.coercion.tryCoerce(bindExpression(this.#binder, value, level.scope), type, typmod, 'assignment', value.at);
    return bound === null ? this.#expression(value, level) : this.#shown(bound, level, wordsOf(value));
  }

  /** The type of literals in a column of VALUES; null if it is not determined here. */
  #columnType(rows: readonly (readonly Expression[])[], column: number, level: Level): SqlType | null {
    const values = rows.map((row) => row[column]);
    if (values.some(holdsQuery)) return null;
    try {
      return this.#binder.coercion.commonType(
        values.map((value) => bindExpression(this.#binder, value, level.scope)),
        'VALUES',
        at,
      );
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return null;
    }
  }

  #setOperation(query: SetOperation, parent: Level | null, names: readonly string[] | null): SetOperation {
    const first = this.query(query.inputs[0], parent, names, true, true);
    const outputs = outputNames(first);
    const others = query.inputs.slice(1).map((input) => this.query(input, parent, names, true, true));
    const inputs = [first, ...(names === null ? others.map(withoutMadeNames) : others)];
    const orderBy = query.orderBy.map((key): SortKey => {
      const { value } = key;
      const index = value.type === 'column' && value.parts.length === 1 ? outputs.indexOf(value.parts[0]) : -1;
      return index < 0 ? key : { ...key, value: { type: 'integer', value: index + 1, at } };
    });
    return { ...query, inputs, orderBy };
  }

  #select(query: Select, parent: Level | null, names: readonly string[] | null, nested: boolean, joined: boolean): Select {
    const scope = new Scope(parent?.scope ?? null);
    const from = bindFromList(this.#binder, query.from, scope);
    scope.namespace = from.namespace;
    const prefix = nested || from.namespace.relations.length !== 1;
    const columns = new Map(parent?.qualified ?? []);
    const qualified = new Map(columns);
    const visible = visibleItems(query.from);
    const ofRelations = new Set<ColumnId>();
    let place = 0;
    for (const { alias: written, columns: own, system } of from.namespace.relations) {
      const name = visible[place] === undefined ? null : this.#relations.nameOf(visible[place]);
      // An alias of USING is not a relation of the list.
      const alias = name?.written === written ? name.shown : written;
      const isOfUsing = name?.written !== written;
      if (!isOfUsing) place++;
      for (const { name, value } of [...own, ...system]) {
        // A column merged by USING is a column of one of its sides.
        if (value.kind !== 'column' || (isOfUsing && ofRelations.has(value.id))) continue;
        ofRelations.add(value.id);
        columns.set(value.id, prefix ? [alias, name] : [name]);
        qualified.set(value.id, [alias, name]);
      }
    }
    const level: Level = { scope, columns, qualified };
    scope.clause = 'select';
    for (const { name, window } of query.windows) scope.windowDefinitions.set(name, window);
    const windows = query.windows.map((each) => {
      const bound = bindWindow(this.#binder, each.window, scope, each.at);
      return { ...each, window: windowOf(bound, each.window, this.#analysis(level, new Set())) };
    });
    const items = this.#items(query.items, level, names, joined);
    /** ORDER BY and GROUP BY by position or output name. */
    const itemOf = (value: Expression): Expression | null => {
      if (value.type === 'integer') return items[value.value - 1]?.value ?? null;
      if (value.type !== 'column' || value.parts.length !== 1 || value.star) return null;
      return items.find((item) => nameOf(item) === value.parts[0])?.value ?? null;
    };
    const where = query.where === null ? null : this.#in(level, 'where', query.where);
    const having = query.having === null ? null : this.#in(level, 'having', query.having);
    const group = (item: GroupItem): GroupItem => {
      if (item.type === 'empty') return item;
      if (item.type !== 'expression') return { ...item, items: item.items.map(group) };
      const { value } = item;
      const own = value.type === 'integer' || !this.#isColumn(value, level) ? itemOf(value) : null;
      return { ...item, value: own ?? this.#in(level, 'group', value) };
    };
    const groupBy = query.groupBy.map(group);
    const orderBy = query.orderBy.map((key): SortKey => ({ ...sortForm(key), value: itemOf(key.value) ?? this.#in(level, 'order', key.value) }));
    const distinct = query.distinct === null ? null : { on: query.distinct.on.map((value) => itemOf(value) ?? this.#in(level, 'order', value)) };
    // FOR UPDATE without OF is shown for each.
    const all = visible.flatMap((item): RelationName[] =>
      item.type === 'table' ? [{ catalog: null, schema: null, name: this.#relations.nameOf(item)!.shown, at }] : [],
    );
    const locking = query.locking.flatMap((each) => (each.of.length > 0 ? each.of : all).map((name) => ({ ...each, of: [name] })));
    return { ...query, from: query.from.map((item) => this.#from(item, level, parent)), locking, items, where, having, groupBy, windows, orderBy, distinct };
  }

  #in(level: Level, clause: Scope['clause'], value: Expression): Expression {
    level.scope.clause = clause;
    return this.#expression(value, level);
  }

  #isColumn(value: Expression, { scope }: Level): boolean {
    if (value.type !== 'column') return true;
    try {
      bindColumn(this.#binder, value, scope);
      return true;
    } catch (error) {
      if (error instanceof SvcError) return false;
      throw error;
    }
  }

  #items(list: readonly SelectItem[], level: Level, names: readonly string[] | null, joined = false): SelectItem[] {
    const items: SelectItem[] = [];
    const add = (value: Expression, name: string): void => {
      const own = names?.[items.length] ?? name;
      items.push({ value, alias: value.type === 'column' && value.parts[value.parts.length - 1] === own ? null : own, at });
    };
    for (const { value, alias } of list) {
      if (value.type === 'column' && value.star) {
        for (const column of starColumns(this.#binder, value, level.scope)) add(this.#shown(column.value, level, new Set()), column.name);
      } else add(joined && isUntyped(value) ? value : this.#expression(value, level, null, true), alias ?? outputName(value));
    }
    return items;
  }

  // --- FROM

  #from(item: FromItem, level: Level, parent: Level | null): FromItem {
    switch (item.type) {
      case 'ruleRows':
        return item;
      case 'table': {
        const name = this.#relations.nameOf(item)!;
        return name.shown === name.written ? item : { ...item, alias: { columns: [], ...item.alias, name: name.shown } };
      }
      case 'ranked': {
        const name = this.#relations.nameOf(item)!;
        const { table } = item;
        const alias = name.shown === name.written ? table.alias : { columns: [], ...table.alias, name: name.shown };
        return {
          ...item,
          table: { ...table, alias },
          text: this.#names(item.text, level),
          limit: item.limit === null ? null : this.#names(item.limit, level),
        };
      }
      case 'derived':
        return { ...item, alias: this.#alias(item), query: this.query(item.query, item.lateral ? level : parent, null, true) };
      case 'functions': {
        const alias = item.alias?.name ?? null;
        const relation = level.scope.namespace.relations.find((each) => alias === null || each.alias === alias);
        const shown =
          relation === undefined
            ? item.alias
            : { name: this.#relations.nameOf(item)?.shown ?? relation.alias, columns: relation.columns.map(({ name }) => name) };
        return {
          ...item,
          functions: item.functions.map((each) => ({ ...each, call: this.#tableFunction(each.call, level) })),
          alias: item.columns === null ? shown : this.#alias(item),
        };
      }
      case 'xmlTable': {
        const named = (value: Expression, type: TypeName): Expression =>
          value.type === 'string' ? { type: 'cast', arg: value, to: type, at } : this.#names(value, level);
        const [text, xml] = ['text', 'xml'].map((name): TypeName => ({ schema: null, name, typmods: [], arrayBounds: [], setOf: false, columnOf: null, at }));
        const given = [item.rowPath, item.document, ...item.namespaces.map(({ uri }) => uri), ...item.columns.flatMap((each) => [each.path, each.default])];
        return {
          ...item,
          alias: this.#alias(item),
          lateral: item.lateral || given.some((each) => each !== null && namesColumns(each)),
          namespaces: item.namespaces.map((each) => ({ ...each, uri: named(each.uri, text) })),
          rowPath: named(item.rowPath, text),
          document: named(item.document, xml),
          columns: item.columns.map((each) => ({
            ...each,
            path: each.path === null ? null : named(each.path, text),
            default: each.default === null ? null : named(each.default, each.dataType!),
          })),
        };
      }
      case 'join':
        return this.#join(item, level, parent);
    }
  }

  /** With its arguments as declared. */
  #tableFunction(written: Expression, level: Level): Expression {
    const isPlain = written.type === 'call' && !written.sqlSyntax && !(written.name.at(-1) === 'unnest' && written.args.length > 1);
    if (!isPlain || holdsQuery(written)) return this.#names(written, level);
    try {
      const { call: bound } = bindTableFunction(this.#binder, written, level.scope);
      return functionCall(bound, this.#analysis(level, wordsOf(written)));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return this.#names(written, level);
    }
  }

  #alias(item: FromItem & { alias: Alias | null }): Alias | null {
    return item.alias === null ? null : { ...item.alias, name: this.#relations.nameOf(item)!.shown };
  }

  #join(item: JoinItem, level: Level, parent: Level | null): JoinItem {
    return {
      ...item,
      alias: this.#alias(item),
      left: this.#from(item.left, level, parent),
      right: this.#from(item.right, level, parent),
      on: item.on === null ? null : this.#in(level, 'join', item.on),
    };
  }

  // --- expressions

  /** `type`: the type of a literal; `top`: it is an output column. */
  #expression(value: Expression, level: Level, type: SqlType | null = null, top = false): Expression {
    try {
      const { coercion } = this.#binder;
      const given = bindExpression(this.#binder, value, level.scope);
      const read = type !== null && coercion.typeOf(given).name === 'unknown' ? coercion.coerce(given, type, -1, 'implicit', value.at) : given;
      const bound = coercion.resolveUnknown(read, value.at);
      return this.#shown(bound, level, wordsOf(value), top);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
    }
    return this.#names(value, level);
  }

  #shown(bound: Bound, level: Level, words: ReadonlySet<string>, top = false): Expression {
    const analysis = this.#analysis(level, words);
    const shown = analysed(bound, analysis, false);
    // As an output column a row would be expanded.
    return top && shown.type === 'column' && shown.star ? cast(shown, bound.type, -1, analysis) : shown;
  }

  #analysis(level: Level, words: ReadonlySet<string>): Analysis {
    const { registry, names } = this.#binder;
    const analysis: Analysis = {
      env: this.#env,
      pretty: this.#pretty,
      columns: level.columns,
      words,
      typeByOid: (oid) => registry.typeByOid(oid) ?? names.typeByOid(oid),
      schemaOfType: (oid) => this.#stored.schemaOfType(oid),
      schemaOfRoutine: (routine) => this.#stored.schemaOfRoutine(routine),
      other: (id) => this.#call(id, level, analysis),
      query: (plan) => {
        const written = this.#queries.get(plan);
        return written === undefined ? null : { ...written, query: withoutMadeNames(this.query(written.query, level, null)) };
      },
    };
    return analysis;
  }

  /** Aggregates, window functions and set-returning functions are columns to what is above them. */
  #call(id: ColumnId, { scope }: Level, analysis: Analysis): Expression | null {
    const aggregate = scope.level.aggregates.find((each) => each.id === id);
    if (aggregate !== undefined) return aggregateCall(aggregate, analysis);
    const window = scope.level.windows.find((each) => each.call.id === id);
    if (window !== undefined) {
      return {
        ...functionCall(window.call, analysis),
        filter: window.call.filter === null ? null : analysed(window.call.filter, analysis, false),
        over: typeof window.written === 'string' ? window.written : windowOf(window, window.written, analysis),
      };
    }
    const set = scope.level.setFunctions.find((each) => each.id === id);
    if (set !== undefined) return functionCall(set.call, analysis);
    return null;
  }

  /** The written expression with columns named as on this level and nested queries analysed. */
  #names<T>(node: T, level: Level): T {
    if (Array.isArray(node)) return node.map((each) => this.#names(each as unknown, level)) as T;
    if (node === null || typeof node !== 'object') return node;
    const { type } = node as { type?: unknown };
    if (type === 'column' && !(node as unknown as ColumnReference).star) {
      const bound = bindColumn(this.#binder, node as unknown as ColumnReference, level.scope);
      const parts = bound.kind === 'column' ? level.columns.get(bound.id) : undefined;
      return parts === undefined ? node : { ...node, parts: [...parts] };
    }
    if (type === 'select' || type === 'values' || type === 'setOperation') return withoutMadeNames(this.query(node as unknown as Query, level, null)) as T;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.#names(value as unknown, level)])) as T;
  }
}

function isUntyped({ type }: Expression): boolean {
  return type === 'string' || type === 'null';
}

function namesColumns(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false;
  return (node as { type?: unknown }).type === 'column' || Object.values(node).some(namesColumns);
}

/** Column names come from the first of several queries, and are invisible for a query inside an expression: generated ones are omitted there. */
function withoutMadeNames(query: Query): Query {
  if (query.type === 'select') return { ...query, items: query.items.map((item) => (item.alias === '?column?' ? { ...item, alias: null } : item)) };
  return query.type === 'setOperation' ? { ...query, inputs: query.inputs.map(withoutMadeNames) } : query;
}

function nameOf({ value, alias }: SelectItem): string | null {
  return alias ?? (value.type === 'column' ? value.parts[value.parts.length - 1] : null);
}

function outputNames(query: Query): (string | null)[] {
  if (query.type === 'select') return query.items.map(nameOf);
  return query.type === 'setOperation' ? outputNames(query.inputs[0]) : [];
}

/** ASC and default positions of nulls are not shown. */
function sortForm(key: SortKey): SortKey {
  const descending = key.direction === 'desc';
  return {
    ...key,
    direction: key.direction === 'asc' ? 'default' : key.direction,
    nulls: key.nulls === (descending ? 'first' : 'last') ? 'default' : key.nulls,
  };
}

function sortKey({ value, descending, nullsFirst }: BoundSort, analysis: Analysis): SortKey {
  return {
    value: analysed(value, analysis, true),
    direction: descending ? 'desc' : 'default',
    nulls: nullsFirst === descending ? 'default' : nullsFirst ? 'first' : 'last',
    operator: null,
    at,
  };
}

function functionCall({ fn, args }: { readonly fn: SqlFunction; readonly args: readonly Bound[] }, analysis: Analysis) {
  // Arguments before WITHIN GROUP are not aggregated.
  const given =
    'orderedSet' in fn && fn.orderedSet !== undefined
      ? { args: args.map((arg) => analysed(arg, analysis, true)), variadic: false }
      : argumentsOf(fn, args, analysis);
  const made = { ...call(fn.name, given.args, false, analysis.schemaOfRoutine(fn)), variadic: given.variadic, argNames: fn.givenNames?.slice() ?? null };
  return fn.name === 'count' && args.length === 0 ? { ...made, star: true } : made;
}

function aggregateCall(aggregate: BoundAggregate, analysis: Analysis): Expression {
  const { fn, args, direct, distinct, orderBy, filter } = aggregate;
  const sorted = orderBy.map((key) => sortKey(key, analysis));
  const ordered = fn.orderedSet !== undefined;
  return {
    ...functionCall({ fn, args: ordered ? direct : args }, analysis),
    distinct,
    orderBy: sorted,
    withinGroup: ordered,
    filter: filter === null ? null : analysed(filter, analysis, false),
  };
}

/** Parts inherited from an extended window are not repeated. */
function windowOf({ partitionBy, orderBy, frame }: Omit<WindowUse, 'call'>, written: Window, analysis: Analysis): Window {
  return {
    base: written.base,
    partitionBy: written.base === null ? partitionBy.map((each) => analysed(each, analysis, true)) : [],
    orderBy: written.orderBy.length === 0 ? [] : orderBy.map((key) => sortKey(key, analysis)),
    frame: frameOf(frame, written.frame, analysis),
    at,
  };
}

/** The frame as written: default parts are omitted unless they were given. */
function frameOf({ mode, start, end, exclude }: BoundFrame, written: Frame | null, analysis: Analysis): Frame | null {
  if (written === null) return null;
  const edge = (bound: BoundFrameEdge): FrameBound => ('offset' in bound ? { type: bound.type, offset: analysed(bound.offset, analysis, false) } : bound);
  return { mode, start: edge(start), end: written.end === null ? null : edge(end), exclude };
}

function holdsQuery(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(holdsQuery);
  if (node === null || typeof node !== 'object') return false;
  const { type } = node as { type?: unknown };
  return type === 'select' || type === 'values' || type === 'setOperation' || Object.values(node).some(holdsQuery);
}
