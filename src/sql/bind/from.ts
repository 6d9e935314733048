/** Binds FROM: tables, views, subqueries, functions, joins, to a plan and the names that it makes visible. */
import { FIRST_OWN_OID } from '../../base/first-own-oid.ts';
import { isAgentOwner } from '../../base/agent-owner.ts';
import { startOf } from '../ast/start-of.ts';
import type { Alias, FromItem, FunctionItem, JoinItem, Query, TableItem } from '../ast/query.ts';
import type { Expression } from '../ast/expression.ts';
import type { Bound, BoundSetFunction } from '../plan/bound.ts';
import type { ForeignScanPlan, HierarchyScanPlan, OutputColumn, Plan, ScanPlan, State, VirtualRelation } from '../plan/logical.ts';
import type { PartitionNode } from '../schema/hierarchy.ts';
import { outputName } from './output-name.ts';
import { refuseOtherDatabase } from './other-database.ts';
import { tableWord, type SqlTable } from '../schema/table.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { columnsOf as recordColumns, recordType } from '../types/record-type.ts';
import { noteRead, type RelationAccess } from './access.ts';
import { asItWas, readMoment, stateWithin } from './past-state.ts';
import { type Binder, fail, failNowhere, type NamedRelation, type Names } from './binder.ts';
import { relationIn } from './columns.ts';
import { bindExpression } from './expression.ts';
import { inSchema, noFunction, outColumnType, resolveFunction, withoutOutParameters } from './function.ts';
import type { RowLocking } from './locking.ts';
import { bindOperator } from './operator.ts';
import { bindQuery } from './query.ts';
import { columnsOf, joined, type Namespace, type Relation, type RelationColumn, Scope } from './scope.ts';
import { maskedRows } from './mask.ts';
import { barrier, guarded, policiesOf } from './row-security.ts';
import { bindRanked } from './ranked.ts';
import { bindRuleRows } from './rule-rows.ts';
import { systemColumns } from './system-columns.ts';
import { refuseWideDefinitions, refuseWideFunctions } from './target-list.ts';
import { bindTypeName } from './type-name.ts';
import { bindXmlTable } from './xml-table.ts';
import { sampled } from './sample.ts';
import { freeColumns } from '../plan/rules/walk.ts';

export interface BoundFrom {
  readonly plan: Plan;
  readonly namespace: Namespace;
}

/** Oids of system views start here. */
const FIRST_VIEW = 10_000;

const NOTHING: Namespace = { relations: [], columns: [] };

/** The items side by side; `scope` is not changed yet. */
export function bindFromList(binder: Binder, items: readonly FromItem[], scope: Scope): BoundFrom {
  let out: BoundFrom = { plan: { op: 'values', rows: [[]], columns: [] }, namespace: NOTHING };
  const clause = scope.clause;
  scope.clause = 'from';
  items.forEach((item, i) => {
    const next = bindItem(binder, item, scope, out.namespace);
    checkAliases(out.namespace, next.namespace);
    out =
      i === 0
        ? next
        : {
            plan: joinOf('inner', out.plan, next.plan, null),
            namespace: joined(out.namespace, next.namespace),
          };
  });
  scope.clause = clause;
  return out;
}

export function joinOf(kind: 'inner' | 'left' | 'right' | 'full' | 'single', left: Plan, right: Plan, on: Bound | null): Plan {
  const made = new Set(left.columns.map(({ id }) => id));
  const lateral = [...freeColumns(right)].some((id) => made.has(id));
  return { op: 'join', kind, left, right, on, lateral, columns: [...left.columns, ...right.columns] };
}

export function checkAliases(left: Namespace, right: Namespace): void {
  for (const { alias, schema } of right.relations) {
    if (left.relations.some((each) => each.alias === alias && (each.schema === schema || each.schema === null || schema === null))) {
      failNowhere('42712', `table name "${alias}" specified more than once`);
    }
  }
}

function bindItem(binder: Binder, item: FromItem, scope: Scope, left: Namespace): BoundFrom {
  const out = bindAny(binder, item, scope, left);
  scope.entries.push(
    ...out.namespace.relations.filter((relation) => !scope.entries.some(({ alias, columns }) => alias === relation.alias && columns === relation.columns)),
  );
  return out;
}

function bindAny(binder: Binder, item: FromItem, scope: Scope, left: Namespace): BoundFrom {
  switch (item.type) {
    case 'table':
      return bindTable(binder, item, scope);
    case 'derived': {
      const lock = scope.locks?.of(item.alias?.name ?? '', item.query.type === 'values' ? 'VALUES' : null) ?? null;
      const query = lock === null ? item.query : lockedQuery(item.query, lock);
      const inner = withLateral(scope, item.lateral ? left : null, () => withoutLocks(scope, () => bindQuery(binder, query, scope, {})));
      return relationOver(inner.plan, item.alias, 'unnamed_subquery');
    }
    case 'ranked':
      scope.locks?.of(item.table.alias?.name ?? item.table.name.name, 'a function');
      return withLateral(scope, left, () => bindRanked(binder, item, scope));
    case 'functions':
      scope.locks?.of(item.alias?.name ?? '', 'a function');
      return withLateral(scope, left, () => bindFunctions(binder, item, scope));
    case 'xmlTable':
      scope.locks?.of(item.alias?.name ?? '', 'a table function');
      return withLateral(scope, left, () => relationOver(bindXmlTable(binder, item, scope), item.alias, 'xmltable'));
    case 'join':
      return bindJoin(binder, item, scope, left);
    case 'ruleRows':
      return bindRuleRows(binder, item, scope);
  }
}

function lockedQuery(query: Query, { strength, wait }: RowLocking): Query {
  return { ...query, locking: [...query.locking, { strength, of: [], wait }] };
}

/** The locking clauses of a level apply to its own FROM, not to subqueries. */
function withoutLocks<T>(scope: Scope, run: () => T): T {
  const { locks } = scope;
  scope.locks = null;
  try {
    return run();
  } finally {
    scope.locks = locks;
  }
}

/** Names to the left are visible while `run` binds; without LATERAL none of this level is. */
function withLateral<T>(scope: Scope, left: Namespace | null, run: () => T): T {
  const savedNamespace = scope.namespace;
  const savedLateral = scope.lateral;
  scope.namespace = NOTHING;
  scope.lateral = left === null ? [] : [...savedLateral, left];
  try {
    return run();
  } finally {
    scope.namespace = savedNamespace;
    scope.lateral = savedLateral;
  }
}

function relationOver(
  plan: Plan,
  alias: Alias | null,
  fallback: string,
  schema: string | null = null,
  table: SqlTable | null = null,
  access: RelationAccess | null = null,
): BoundFrom {
  const name = alias?.name ?? fallback;
  const names = alias?.columns ?? [];
  if (names.length > plan.columns.length)
    failNowhere('42P10', `table "${name}" has ${plan.columns.length} columns available but ${names.length} columns specified`);
  const columns = columnsOf(plan.columns).map((column, i): RelationColumn => {
    const named = i < names.length ? { ...column, name: names[i] } : column;
    return access === null ? named : { ...named, access: { to: access, attnum: table?.columns[i].attnum ?? i + 1 } };
  });
  const relation: Relation = { alias: name, schema: alias === null ? schema : null, columns, table, system: [] };
  return { plan, namespace: { relations: [relation], columns } };
}

function withHidden({ plan, namespace }: BoundFrom, count: number): BoundFrom {
  const [relation] = namespace.relations;
  const columns = relation.columns.slice(0, -count);
  return { plan, namespace: { relations: [{ ...relation, columns, system: relation.columns.slice(-count) }], columns } };
}

function bindTable(binder: Binder, item: TableItem, scope: Scope): BoundFrom {
  const { schema, name } = item.name;
  if (schema === null && item.asOf === null) {
    const common = scope.commonTable(name);
    if (common !== null) {
      if (item.sample !== null) fail('0A000', 'TABLESAMPLE clause can only be applied to tables and materialized views', item.name.at);
      if (common.columns === null) fail('0A000', `WITH query "${name}" does not have a RETURNING clause`, item.at);
      if (common.recursive) scope.readsItself = true;
      scope.locks?.of(item.alias?.name ?? name, 'a WITH query');
      common.used++;
      const columns = common.columns.map((column) => ({ ...column, id: binder.id() }));
      if (binder.collations !== null) columns.forEach(({ id }, i) => binder.collations!.copyColumn(common.columns![i].id, id));
      const out = relationOver({ op: 'cteScan', number: common.number, source: columns.map((_, i) => i), columns }, item.alias, name);
      return common.carried === undefined ? out : withHidden(out, common.carried);
    }
  }
  const { names, found, asOf } = namedRelation(binder, item, scope);
  if (item.sample !== null && found.kind !== 'table') fail('0A000', 'TABLESAMPLE clause can only be applied to tables and materialized views', item.name.at);
  switch (found.kind) {
    case 'table': {
      const { table } = found;
      if (table.materialized?.populated === false && binder.recording === null) {
        failNowhere('55000', `materialized view "${table.name}" has not been populated`, { hint: 'Use the REFRESH MATERIALIZED VIEW command.' });
      }
      if (table.foreign !== undefined) {
        if (item.sample !== null) fail('0A000', 'TABLESAMPLE clause can only be applied to tables and materialized views', item.name.at);
        if (asOf !== null) fail('0A000', `foreign table "${table.name}" has no past`, (item.asOf ?? item).at);
      }
      if (binder.depth === 0) binder.recording?.tables.set(item, table.schema);
      const access = binder.accesses(table.number, tableWord(table), table.name, PRIVILEGE.SELECT);
      const lock = scope.locks?.of(item.alias?.name ?? table.name, asOf === null ? null : 'a past state') ?? null;
      if (lock !== null && table.materialized !== null) failNowhere('42809', `cannot lock rows in materialized view "${table.name}"`);
      const scanned = item.only ? table : (names.whole?.(table) ?? table);
      const keyed = withKey(binder, scanOf(binder, scanned, asOf));
      const rows: Plan = item.sample === null ? keyed : sampled(binder, keyed, item.sample, true);
      const policies = policiesOf(binder, table, access.as, names, asOf);
      const value = (index: number): Bound => binder.use(rows.columns[index]);
      // Locking needs the rows that UPDATE policies allow.
      const passed =
        policies === null ? rows : guarded(binder, rows, [...(lock === null ? [] : policies.using('update', value)), ...policies.using('select', value)]);
      const plan = maskedRows(binder, passed, table, names);
      const key = keyed.columns[keyed.columns.length - 1];
      if (lock !== null) {
        // Locking rows needs the UPDATE privilege.
        access.needs |= PRIVILEGE.UPDATE;
        if (table.foreign === undefined) scope.locks!.targets.push({ ...lock, table: scanned, key: key.id });
      }
      const shown = { ...plan, columns: plan.columns.slice(0, -1) } as Plan;
      const { namespace } = relationOver(shown, item.alias, table.name, table.schema, table, access);
      if (binder.depth === 0) binder.recording?.items.set(item, { number: table.number, columns: namespace.columns });
      const system = systemColumns(binder, scanned, null, binder.use(key), asOf);
      return { plan, namespace: { ...namespace, relations: namespace.relations.map((relation) => ({ ...relation, system })) } };
    }
    case 'view': {
      if (binder.depth > 60) fail('54001', 'views are nested too deeply', item.at);
      if (binder.depth === 0) binder.recording?.tables.set(item, found.schema);
      if (binder.depth === 0) binder.recording?.uses.set(found.number, new Set());
      const access = binder.accesses(found.number, 'view', found.name, PRIVILEGE.SELECT);
      const outer = binder.viewOwner;
      const { stored, home, byAgent } = binder;
      if (isAgentOwner(found.owner)) binder.byAgent = true;
      // Names were resolved at the view's creation, not with the role that the privileges are checked for.
      if (found.invoker === true) binder.stored = true;
      else binder.viewOwner = found.owner;
      binder.home = found.schema;
      binder.depth++;
      const lock = scope.locks?.of(item.alias?.name ?? found.name, asOf === null ? null : 'a past state') ?? null;
      const query = lock === null ? found.query : lockedQuery(found.query, lock);
      const shown =
        asOf === null
          ? bindQuery(binder, query, null, {}).plan
          : binder.within(asOf, names, () => {
              const { plan: then } = bindQuery(binder, query, null, {});
              return item.asOf === null ? then : asItWas(binder, then, names, found.name);
            });
      const plan = found.barrier === true && binder.recording === null ? barrier(binder, shown) : shown;
      binder.depth--;
      binder.viewOwner = outer;
      binder.byAgent = byAgent;
      binder.stored = stored;
      binder.home = home;
      const renamed: Plan = {
        op: 'project',
        input: plan,
        items: plan.columns.map((column) => ({ id: column.id, value: binder.use(column) })),
        view: found.number,
        columns: plan.columns.map((column, i) => ({ ...column, name: found.columns[i] ?? column.name })),
      };
      const whole = found.kept === undefined ? renamed : maskedRows(binder, renamed, found.kept, names);
      const out = relationOver(whole, item.alias, found.name, found.schema, null, access);
      if (binder.depth === 0) binder.recording?.items.set(item, { number: found.number, columns: out.namespace.columns });
      return { ...out, namespace: { ...out.namespace, relations: out.namespace.relations.map((each) => ({ ...each, oid: found.number })) } };
    }
    case 'virtual': {
      const { relation } = found;
      // A view of an extension is found in the extension's schema.
      if (binder.depth === 0 && virtualKind(relation) !== 'sequence' && !inSystemSchema(relation)) binder.recording?.tables.set(item, relation.schema);
      const columns = relation.columns.map((column) => binder.column(column.name, column.type));
      const access = relation.oid === 0 ? null : binder.accesses(relation.oid, virtualKind(relation), relation.name, PRIVILEGE.SELECT);
      const plan: Plan =
        relation.store === undefined ? { op: 'virtualScan', relation, source: columns.map((_, i) => i), columns } : scanOf(binder, relation.store, asOf);
      const out = relationOver(plan, item.alias, relation.name, relation.schema, null, access);
      const system: RelationColumn[] = [
        { name: 'tableoid', value: { kind: 'constant', type: binder.type('oid'), typmod: -1, value: relation.oid } },
        // As for rows created by initdb; the creating statement is not recorded.
        { name: 'xmin', value: { kind: 'constant', type: binder.type('xid'), typmod: -1, value: 1 } },
        { name: 'xmax', value: { kind: 'constant', type: binder.type('xid'), typmod: -1, value: 0 } },
        { name: 'cmin', value: { kind: 'constant', type: binder.type('cid'), typmod: -1, value: 0 } },
        { name: 'cmax', value: { kind: 'constant', type: binder.type('cid'), typmod: -1, value: 0 } },
      ];
      return { plan, namespace: { ...out.namespace, relations: out.namespace.relations.map((each) => ({ ...each, system, oid: relation.oid })) } };
    }
    case 'other':
      return fail('42809', `"${name}" is ${found.what}, not a table`, item.name.at);
  }
}

/** The relation that an item names, in the state of its AS OF. */
export function namedRelation(binder: Binder, item: TableItem, scope: Scope): { names: Names; found: NamedRelation; asOf: State | null } {
  const { schema, name } = item.name;
  refuseOtherDatabase(binder.env, item.name);
  const said = item.asOf === null ? null : readMoment(binder, item.asOf);
  const asOf = said === null ? binder.state : stateWithin(binder.state, said);
  if (asOf !== null) binder.usedOtherStates = true;
  const names = said === null ? binder.names : binder.names.at(asOf!.world, asOf!.when);
  const found = names.relation(schema, name, binder.unchecked);
  if (found === null) {
    if (schema === null && scope.isForward(name)) {
      fail('42P01', `relation "${name}" does not exist`, item.name.at, {
        detail: `There is a WITH item named "${name}", but it cannot be referenced from this part of the query.`,
        hint: 'Use WITH RECURSIVE, or re-order the WITH items to remove forward references.',
      });
    }
    if (schema !== null && !names.hasSchema(schema)) fail('42P01', `relation "${schema}.${name}" does not exist`, item.name.at);
    const type = names.userType(schema, name, binder.unchecked);
    if (type !== null && recordColumns(type) !== null) fail('42809', `"${name}" is a composite type`, item.name.at);
    fail('42P01', `relation "${schema === null ? '' : `${schema}.`}${name}" does not exist`, item.name.at);
  }
  return { names, found, asOf };
}

function inSystemSchema({ oid, schema }: VirtualRelation): boolean {
  return oid === 0 || schema === 'pg_catalog' || schema === 'information_schema';
}

function virtualKind({ oid, name }: VirtualRelation): RelationAccess['kind'] {
  if (oid >= FIRST_OWN_OID) return 'sequence';
  return oid < FIRST_VIEW && !name.endsWith('shadow') ? 'system table' : 'system view';
}

export type TableScan = ScanPlan | ForeignScanPlan | HierarchyScanPlan;

export function scanOf(binder: Binder, table: SqlTable, asOf: State | null): TableScan {
  const scan = {
    table,
    asOf,
    source: table.columns.map((_, i) => i),
    columns: table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod)),
  };
  binder.collateColumns(table, scan.columns);
  if (table.whole === undefined) return table.foreign === undefined ? { op: 'scan', ...scan } : { op: 'foreignScan', ...scan };
  const expressions = partitionExpressions(binder, scan.columns);
  return { op: 'hierarchyScan', ...scan, ...(table.whole.partitions === null ? {} : { expressions }) };
}

/** Expressions of partition keys over these columns of the top. */
function partitionExpressions(binder: Binder, columns: readonly OutputColumn[]): NonNullable<HierarchyScanPlan['expressions']> {
  const known = new Map<PartitionNode, (Bound | null)[]>();
  return (node, element) => {
    let own = known.get(node);
    if (own === undefined) known.set(node, (own = []));
    const { column, expression } = node.table.inheritance!.partitionBy!.elements[element];
    if (column !== null) return null;
    if (own[element] !== undefined) return own[element];
    const scope = new Scope(null);
    const visible = columns.map((each) => ({ name: each.name, value: binder.use(each) }));
    scope.namespace = { relations: [{ alias: node.table.name, schema: null, columns: visible, table: null, system: [] }], columns: visible };
    const outer = binder.stored;
    binder.stored = true;
    const value = bindExpression(binder, binder.names.parseExpression(expression!), scope);
    binder.stored = outer;
    return (own[element] = value);
  };
}

/** The scan with the row's key as its last column. */
export function withKey<S extends TableScan>(binder: Binder, scan: S): S {
  const key = binder.column('', binder.type(scan.table.key.numeric ? 'int8' : 'text'));
  return { ...scan, source: [...scan.source, 'key'], columns: [...scan.columns, key] };
}

function bindFunctions(binder: Binder, item: FunctionItem, scope: Scope): BoundFrom {
  const { alias } = item;
  const functions: { call: BoundSetFunction; columns: OutputColumn[] }[] = [];
  let scalar = true;
  const calls = item.functions.flatMap(spreadUnnest);
  refuseWideFunctions(calls.length, item.at);
  for (const { call, columns: written } of calls) {
    const definitions = written ?? (calls.length === 1 ? item.columns : null);
    if (definitions !== null) refuseWideDefinitions(definitions.length, item.at);
    const bound = bindTableFunction(binder, call, scope);
    const { fn } = bound.call;
    const given = definitions?.map((each) => ({ name: each.name, ...bindTypeName(binder, each.dataType) }));
    let columns: OutputColumn[];
    if (given !== undefined && bound.call.type.name === 'record') {
      if (fn.kind === 'set' && fn.columns !== undefined) fail('42601', 'a column definition list is redundant for a function with OUT parameters', item.at);
      columns = given.map(({ name, type, typmod }) => binder.column(name, type, typmod));
      scalar = false;
      // The function gets the column list through its call's result type.
      functions.push({ call: { ...bound.call, type: recordType(columns) }, columns });
      continue;
    } else if (recordColumns(bound.call.type) !== null && definitions === null && !(fn.kind === 'set' && fn.columns !== undefined)) {
      columns = recordColumns(bound.call.type)!.map(({ name, type, typmod }) => binder.column(name, type, typmod));
      scalar = false;
    } else if (fn.kind === 'set' && fn.returns === 'record' && fn.columns !== undefined) {
      columns = fn.columns.map(({ name, type }) => binder.column(name, outColumnType(binder, type, bound.call.args)));
      scalar = false;
    } else {
      if (bound.call.type.name === 'record') {
        fail('42601', 'a column definition list is required for functions returning "record"', call.at);
      }
      if (definitions !== null) fail('42601', 'a column definition list is only allowed for functions returning "record"', item.at);
      const single = calls.length === 1 && !item.ordinality;
      const own = fn.resultName ?? (fn.kind === 'set' ? fn.columns?.[0]?.name : undefined);
      columns = [binder.column(own ?? (calls.length === 1 ? alias?.name : undefined) ?? bound.name, bound.call.type)];
      if (!single) scalar = false;
    }
    functions.push({ call: bound.call, columns });
    if (binder.collations !== null && call.type === 'call' && columns.length === 1) {
      const derived = binder.collations.combined(
        call.args.map((arg) => binder.collations!.of(arg)),
        true,
      );
      if (derived.strength !== 'none') binder.collations.setColumn(columns[0].id, derived);
    }
  }
  const ordinality = item.ordinality ? binder.column('ordinality', binder.type('int8')) : null;
  const columns = [...functions.flatMap((each) => each.columns), ...(ordinality === null ? [] : [ordinality])];
  const plan: Plan = { op: 'functionScan', functions, ordinality, columns };
  const first = item.functions[0].call;
  const fallback = first.type === 'call' ? first.name[first.name.length - 1] : outputName(first);
  const out = relationOver(plan, alias, fallback);
  return { plan, namespace: { ...out.namespace, relations: out.namespace.relations.map((relation) => ({ ...relation, scalar })) } };
}

/** `unnest(a, b)` in FROM is one call per array, in parallel. */
function spreadUnnest(item: FunctionItem['functions'][number]): FunctionItem['functions'] {
  const { call, columns } = item;
  if (call.type !== 'call' || call.args.length < 2 || call.variadic || call.name[call.name.length - 1] !== 'unnest' || columns !== null) return [item];
  return call.args.map((arg) => ({ call: { ...call, args: [arg], argNames: [null] }, columns: null }));
}

/** A function of FROM over its arguments; 42883. */
export function bindTableFunction(binder: Binder, expression: Expression, scope: Scope): { call: BoundSetFunction; name: string } {
  const { at } = expression;
  if (expression.type !== 'call') {
    // CURRENT_DATE, CAST … as a table: one row of one value, through unnest of an array of it.
    const value = binder.coercion.resolveUnknown(bindExpression(binder, expression, scope), at);
    const array: Bound = { kind: 'array', type: binder.coercion.arrayOf(value.type), typmod: -1, elements: [value], nested: false };
    const unnest = resolveFunction(binder, 'unnest', [array], null, false, at);
    if (unnest === null || unnest.fn.kind !== 'set') fail('0A000', 'this expression is not supported in FROM', at);
    return { call: { fn: unnest.fn, type: value.type, args: unnest.args }, name: outputName(expression) };
  }
  const name = expression.name[expression.name.length - 1];
  const args = withoutOutParameters(expression.args.map((arg) => bindExpression(binder, arg, scope)));
  const found = resolveFunction(
    binder,
    name,
    args,
    expression.argNames,
    expression.variadic,
    at,
    inSchema(binder, expression),
    expression.name.length > 1 ? expression.name[expression.name.length - 2] : null,
  );
  if (found === null) throw noFunction(binder, expression.name.join('.'), args, at, expression.argNames ?? []);
  if (found.fn.kind === 'aggregate') fail('42803', 'aggregate functions are not allowed in functions in FROM', at);
  if (found.fn.kind === 'window') fail('42P20', 'window functions are not allowed in functions in FROM', at);
  return { call: { fn: found.fn, type: found.type, args: found.args }, name };
}

function bindJoin(binder: Binder, item: JoinItem, scope: Scope, outer: Namespace): BoundFrom {
  // Joins are left-deep and may be many: down in a loop, then up.
  const chain: JoinItem[] = [];
  let bottom: FromItem = item;
  while (bottom.type === 'join' && (bottom === item || bottom.alias === null)) {
    chain.push(bottom);
    bottom = bottom.left;
  }
  let out = bindItem(binder, bottom, scope, outer);
  for (let i = chain.length - 1; i >= 0; i--) out = bindOneJoin(binder, chain[i], out, scope, outer);
  return out;
}

function bindOneJoin(binder: Binder, item: JoinItem, left: BoundFrom, scope: Scope, outer: Namespace): BoundFrom {
  const closed = item.kind === 'right' || item.kind === 'full';
  const right = bindItem(binder, item.right, scope, joined(outer, closed ? notLateral(left.namespace) : left.namespace));
  checkAliases(left.namespace, right.namespace);
  const kind = item.kind === 'cross' ? 'inner' : item.kind;
  const shared = item.natural ? commonNames(left.namespace, right.namespace) : item.using;
  if (item.natural && binder.depth === 0) binder.recording?.joins.set(item, shared!);
  let namespace = joined(
    kind === 'right' || kind === 'full' ? optional(left.namespace) : left.namespace,
    kind === 'left' || kind === 'full' ? optional(right.namespace) : right.namespace,
  );
  let on: Bound | null = null;
  if (shared !== null) {
    const twice = shared.find((name, i) => shared.indexOf(name) !== i);
    if (twice !== undefined) failNowhere('42701', `column name "${twice}" appears more than once in USING clause`);
    const conditions: Bound[] = [];
    const merged: RelationColumn[] = [];
    for (const name of shared) {
      const a = only(left.namespace, name, 'left');
      const b = only(right.namespace, name, 'right');
      const equal = bindOperator(binder, { schema: null, name: '=' }, a, b, item.at) as Bound & { kind: 'call' };
      const type = binder.coercion.commonType([a, b], 'JOIN/USING', item.at);
      const leftValue = binder.coercion.coerce(a, type, -1, 'implicit', item.at);
      const rightValue = binder.coercion.coerce(b, type, -1, 'implicit', item.at);
      const value: Bound = kind === 'full' ? { kind: 'coalesce', type, typmod: -1, args: [leftValue, rightValue] } : kind === 'right' ? rightValue : leftValue;
      conditions.push(binder.collations === null ? equal : binder.collations.using(equal, a, b));
      merged.push({ name, value });
    }
    on = binder.and(conditions);
    const rest = (space: Namespace): RelationColumn[] => space.columns.filter(({ name }) => !shared.includes(name));
    namespace = { relations: namespace.relations, columns: [...merged, ...rest(left.namespace), ...rest(right.namespace)] };
    if (item.usingAlias !== null) {
      if (relationIn([namespace], null, item.usingAlias) !== null) failNowhere('42712', `table name "${item.usingAlias}" specified more than once`);
      namespace = { ...namespace, relations: [...namespace.relations, { alias: item.usingAlias, schema: null, columns: merged, table: null, system: [] }] };
    }
  } else if (item.on !== null) {
    const saved = { namespace: scope.namespace, lateral: scope.lateral, clause: scope.clause };
    scope.namespace = namespace;
    scope.lateral = [];
    scope.clause = 'join';
    on = binder.coercion.toBoolean(bindExpression(binder, item.on, scope), 'JOIN/ON', startOf(item.on));
    Object.assign(scope, saved);
  }
  const plan = joinOf(kind, left.plan, right.plan, on);
  if (item.alias !== null) {
    const { columns: names } = item.alias;
    if (names.length > namespace.columns.length) {
      failNowhere('42P10', `join expression "${item.alias.name}" has ${namespace.columns.length} columns available but ${names.length} columns specified`);
    }
    const columns = namespace.columns.map((column, i) => (i < names.length ? { ...column, name: names[i] } : column));
    const relation: Relation = { alias: item.alias.name, schema: null, columns, table: null, system: [] };
    return { plan, namespace: { relations: [relation], columns } };
  }
  return { plan, namespace };
}

/** Relations that a LATERAL item must not reference, since their rows may be missing. */
function notLateral({ relations, columns }: Namespace): Namespace {
  return { relations: relations.map((relation) => ({ ...relation, closed: true })), columns: columns.map((column) => ({ ...column, closed: true })) };
}

function optional({ relations, columns }: Namespace): Namespace {
  return { relations: relations.map((relation) => ({ ...relation, optional: true })), columns };
}

function commonNames(left: Namespace, right: Namespace): string[] {
  const names = new Set(right.columns.map(({ name }) => name));
  return [...new Set(left.columns.map(({ name }) => name))].filter((name) => names.has(name));
}

function only(space: Namespace, name: string, side: string): Bound {
  const found = space.columns.filter((each) => each.name === name);
  if (found.length === 0) failNowhere('42703', `column "${name}" specified in USING clause does not exist in ${side} table`);
  if (found.length > 1) failNowhere('42702', `common column name "${name}" appears more than once in ${side} table`);
  noteRead(found[0].access);
  return found[0].value;
}
