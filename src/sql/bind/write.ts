/** INSERT, UPDATE and DELETE as plans. */
import { startOf } from '../ast/start-of.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, TableItem } from '../ast/query.ts';
import type { Assignment, Delete, Insert, Merge, MergeBranch, Returning, TargetColumn, Update } from '../ast/write.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { implies } from '../plan/rules/implication.ts';
import { conjuncts, freeColumns } from '../plan/rules/walk.ts';
import type { InsertConflict, MergePlan, OutputColumn, Plan, RowCheck } from '../plan/logical.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import type { Index, SqlColumn, SqlTable } from '../schema/table.ts';
import { noteRead } from './access.ts';
import { assignPart } from './assign-part.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { checkedByView, hasCheckOption } from './check-option.ts';
import { spreadStars } from './columns.ts';
import { bindExpression } from './expression.ts';
import { bindFromList, checkAliases, joinOf, scanOf, withKey } from './from.ts';
import { mapPlan } from './plan-map.ts';
import { bindQuery } from './query.ts';
import { guarded, policiesOf, type TablePolicies } from './row-security.ts';
import { fieldsOfQuery, rowOfQuery } from './row-query.ts';
import { writtenAs } from './same-syntax.ts';
import { joined, type Relation, Scope } from './scope.ts';
import { asStored } from './rule-mark.ts';
import { leftByRules, unlessRules, withGenerated as withGeneratedRow } from './rule-rows.ts';
import { bindReturning } from './select.ts';
import { bindWith, withDefinitions } from './with.ts';
import { alsoNeeds, over, relationOver, viewConditions, viewDefault, type WriteTarget, writeTarget, writtenColumn } from './write-target.ts';

export function bindWrite(binder: Binder, statement: Insert | Update | Delete | Merge, parent: Scope | null): Plan {
  const mark = statement.type === 'merge' ? undefined : statement.rule;
  return mark === undefined ? bindPlain(binder, statement, parent) : asStored(binder, mark, () => bindPlain(binder, statement, parent));
}

function bindPlain(binder: Binder, statement: Insert | Update | Delete | Merge, parent: Scope | null): Plan {
  const scope = new Scope(parent);
  if (statement.with !== null) bindWith(binder, statement.with, scope);
  let plan: Plan;
  switch (statement.type) {
    case 'insert':
      plan = bindInsert(binder, statement, scope);
      break;
    case 'update':
      plan = bindUpdate(binder, statement, scope);
      break;
    case 'delete':
      plan = bindDelete(binder, statement, scope);
      break;
    case 'merge':
      plan = bindMerge(binder, statement, scope);
      break;
  }
  return withDefinitions(binder, scope, plan);
}

/** The default of a column. */
export function defaultOf(binder: Binder, into: WriteTarget, index: number, at: number): Bound {
  const { table } = into;
  const column = table.columns[index];
  const text = viewDefault(into, index) ?? binder.names.defaultText(table, index);
  if (text === null) return noValue(binder, column, at);
  const scope = new Scope(null);
  scope.clause = 'default';
  const { stored, home } = binder;
  binder.stored = true;
  binder.home = table.schema;
  const value = bindExpression(binder, binder.names.parseExpression(text), scope);
  binder.stored = stored;
  binder.home = home;
  return assign(binder, value, column, at);
}

/** Null, if the column's type allows it. */
function noValue(binder: Binder, column: SqlColumn, at: number): Bound {
  const none: Bound = { kind: 'constant', type: binder.type('unknown'), typmod: -1, value: null };
  if (column.type.domain?.notNull === true) return binder.coercion.coerce(none, column.type, -1, 'assignment', at);
  return { ...none, type: column.type, typmod: column.typmod };
}

function failTwice(column: SqlColumn): never {
  return failNowhere('42601', `multiple assignments to same column "${column.name}"`);
}

export function assign(binder: Binder, value: Bound, column: SqlColumn, at: number): Bound {
  const out = binder.coercion.tryCoerce(value, column.type, column.typmod, 'assignment', at);
  if (out === null) {
    fail('42804', `column "${column.name}" is of type ${column.type.title} but expression is of type ${binder.coercion.typeOf(value).title}`, at, {
      hint: 'You will need to rewrite or cast the expression.',
    });
  }
  return out;
}

/** The position of a query's column. */
function placeOf(source: Query, position: number): number {
  if (source.type !== 'select' || source.items.some(({ value }) => value.type === 'fieldStar' || (value.type === 'column' && value.star))) return source.at;
  return startOf(source.items[position].value);
}

/** The rows to insert, before generated columns are computed. */
export function insertSource(binder: Binder, statement: Insert, into: WriteTarget, scope: Scope): Plan {
  const { table } = into;
  const { columns } = table;
  const named = statement.columns;
  const targets = named.length > 0 ? named.map(({ name, at }) => writtenColumn(into, name, 'insert', at)) : into.columns.map(({ index }) => index ?? -1);
  named.forEach((target, i) => {
    const first = targets.indexOf(targets[i]);
    if (first === i || (target.path.length > 0 && named[first].path.length > 0)) return;
    if (named[first].name !== target.name) failTwice(columns[targets[i]]);
    fail('42701', `column "${target.name}" specified more than once`, target.at);
  });
  const widthUsed = (width: number, at: number): void => {
    if (named.length > 0) return;
    const written = into.columns.slice(0, width).map(({ name }) => writtenColumn(into, name, 'insert', at));
    for (const [i, index] of written.entries()) if (written.indexOf(index) !== i) failTwice(columns[index]);
  };
  const { at } = statement;
  const defaults = (index: number, where: number): Bound => defaultOf(binder, into, index, where);
  // A view's default applies even without a column list.
  into.columns.forEach(({ name, index }, i) => {
    if (index === null && into.view !== null && (into.view.defaults[i] ?? null) !== null) writtenColumn(into, name, 'insert', at);
  });
  /** The written value for a target, under the identity rules. */
  const written = (index: number, value: Bound | 'default', where: number): Bound => {
    const column = columns[index];
    if (column.generated !== null) {
      if (value !== 'default') {
        failNowhere('428C9', `cannot insert a non-DEFAULT value into column "${column.name}"`, { detail: `Column "${column.name}" is a generated column.` });
      }
      return { kind: 'constant', type: column.type, typmod: column.typmod, value: null };
    }
    if (value === 'default' || (column.identity !== null && statement.overriding === 'user')) return defaults(index, where);
    if (column.identity === 'always' && statement.overriding !== 'system') {
      failNowhere('428C9', `cannot insert a non-DEFAULT value into column "${column.name}"`, {
        detail: `Column "${column.name}" is an identity column defined as GENERATED ALWAYS.`,
        hint: 'Use OVERRIDING SYSTEM VALUE to override.',
      });
    }
    return assign(binder, value, column, where);
  };
  /** The value of a column from the positions that assign it: one, or several parts of it. */
  const gathered = (
    index: number,
    positions: readonly number[],
    valueOf: (position: number) => Bound | 'default',
    scopeOf: Scope,
    where: (position: number) => number,
  ): Bound => {
    const [first] = positions;
    if (named.length === 0 || named[first].path.length === 0) return written(index, valueOf(first), where(first));
    const column = columns[index];
    let out: Bound = { kind: 'constant', type: column.type, typmod: column.typmod, value: null };
    for (const position of positions) {
      const value = valueOf(position);
      if (value === 'default') fail('0A000', 'cannot set a subscripted element to DEFAULT', where(position));
      out = assignPart(binder, out, column, named[position], value, scopeOf, where(position));
    }
    return written(index, out, where(first));
  };
  let input: Plan;
  const { source } = statement;
  const outputs = (): OutputColumn[] => columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  if (source === null) {
    input = { op: 'values', rows: [columns.map((_, i) => written(i, 'default', at))], columns: outputs() };
  } else if (source.type === 'values' && source.with === null && source.orderBy.length === 0 && source.limit === null && source.offset === null) {
    const own = new Scope(scope);
    own.clause = 'values';
    const list = source.rows.map((row) => spreadStars(binder, row, own));
    const width = list[0].length;
    const used = statement.columns.length > 0 ? targets : targets.slice(0, width);
    if (width <= targets.length) widthUsed(width, at);
    const places = positionsOf(used, columns.length);
    const rows = list.map((row) => {
      const [first] = row;
      if (row.length !== width) fail('42601', 'VALUES lists must all be the same length', first?.at ?? source.at);
      if (row.length > targets.length) fail('42601', 'INSERT has more expressions than target columns', row[targets.length].at);
      if (statement.columns.length > 0 && row.length < targets.length)
        fail('42601', 'INSERT has more target columns than expressions', statement.columns[row.length].at);
      return columns.map((_, index) => {
        const positions = places[index];
        if (positions.length === 0) return written(index, 'default', at);
        const valueOf = (position: number): Bound | 'default' => (row[position].type === 'default' ? 'default' : bindExpression(binder, row[position], own));
        return gathered(index, positions, valueOf, own, (position) => startOf(row[position]));
      });
    });
    if (own.level.aggregates.length > 0) fail('42803', 'aggregate functions are not allowed in VALUES', source.at);
    const { setFunctions } = own.level;
    if (setFunctions.length > 0 && rows.length > 1) fail('0A000', 'set-returning functions are not allowed in VALUES', source.at);
    const outs = outputs();
    if (setFunctions.length > 0) {
      const empty: Plan = { op: 'values', rows: [[]], columns: [] };
      const set: Plan = {
        op: 'projectSet',
        input: empty,
        functions: setFunctions,
        columns: setFunctions.map(({ id, call }) => ({ id, name: '', type: call.type, typmod: -1 })),
      };
      input = { op: 'project', input: set, items: rows[0].map((value, i) => ({ id: outs[i].id, value })), columns: outs };
    } else input = { op: 'values', rows, columns: outs };
  } else {
    const { plan } = bindQuery(binder, source, scope, { keepUnknown: true });
    if (plan.columns.length > targets.length) fail('42601', 'INSERT has more expressions than target columns', source.at);
    if (statement.columns.length > 0 && plan.columns.length < targets.length)
      fail('42601', 'INSERT has more target columns than expressions', statement.columns[plan.columns.length].at);
    const used = targets.slice(0, plan.columns.length);
    widthUsed(plan.columns.length, at);
    // Literals of a plain select list are coerced to the column's type directly.
    const direct = plan.op === 'project' ? plan : null;
    const places = positionsOf(used, columns.length);
    const items = columns.map((column, index) => {
      const positions = places[index];
      const valueOf = (position: number): Bound => {
        const from = plan.columns[position];
        return direct !== null && from.type.name === 'unknown' ? direct.items[position].value : binder.use(from);
      };
      const value =
        positions.length === 0 ? written(index, 'default', source.at) : gathered(index, positions, valueOf, scope, (position) => placeOf(source, position));
      return { id: binder.id(), value, column };
    });
    input = {
      op: 'project',
      input: plan,
      items: items.map(({ id, value }) => ({ id, value })),
      columns: items.map(({ id, column }) => ({ id, name: column.name, type: column.type, typmod: column.typmod })),
    };
  }
  return input;
}

function bindInsert(binder: Binder, statement: Insert, scope: Scope): Plan {
  const into = writeTarget(binder, statement.table, 'insert');
  const { table } = into;
  const { columns } = table;
  const input = leftByRules(binder, statement, into, insertSource(binder, statement, into, scope));
  const made = withGenerated(binder, table, input);
  const row = columns.map(() => binder.id());
  const alias = statement.table.alias?.name ?? into.name;
  const conflict = statement.onConflict === null ? null : bindConflict(binder, statement, into, alias, row, scope);
  // Conflicting rows are not kept, so OLD is known only if every row is new.
  const old = conflict?.set == null ? nothing(binder, into) : null;
  const rowKey = binder.id();
  const own = qualified(relationOver(binder, into, alias, row, rowKey), statement.table, into);
  recordTarget(binder, into, statement.table, own, statement.columns);
  const shown = conflict?.xmax === undefined ? own : withXmax(binder, own, conflict.xmax);
  const returning = bindGiven(binder, statement, [shown], scope, old, relationOver(binder, into, 'new', row, rowKey));
  const later = binder.names.changesRows?.(table, 'insert') === true;
  const fresh = conflict !== null && hasCheckOption(into);
  const allowed = (): Plan => insertedRows(binder, into, made);
  return {
    op: 'insert',
    table,
    input: later ? made : fresh ? allowed() : checkedRows(binder, into, allowed()),
    ...(later ? checkedLater(binder, into, 'insert', { byView: !fresh }) : {}),
    conflict: conflict === null ? null : { ...securedConflict(binder, into, conflict, row), ...(fresh ? { unmet: checkedFresh(binder, into) } : {}) },
    row,
    rowKey,
    ...(later ? { triggered: true as const } : {}),
    returning: returning.items,
    columns: returning.columns,
  };
}

/** For ON CONFLICT DO UPDATE, xmax says whether the row was replaced. */
function withXmax(binder: Binder, relation: Relation, id: ColumnId): Relation {
  const value: Bound = { kind: 'column', id, type: binder.type('xid'), typmod: -1 };
  return { ...relation, system: relation.system.map((column) => (column.name === 'xmax' ? { ...column, value } : column)) };
}

/** The policy commands for a written row: if the statement reads, the row must also be visible. */
function commandsOf(into: WriteTarget, command: 'insert' | 'update'): { command: 'insert' | 'update' | 'select'; found: boolean }[] {
  return [{ command, found: false }, ...foundAgain(into)];
}

function foundAgain(into: WriteTarget): { command: 'select'; found: true }[] {
  return (into.access.needs & PRIVILEGE.SELECT) === 0 ? [] : [{ command: 'select', found: true }];
}

function policiesOn(binder: Binder, into: WriteTarget): TablePolicies | null {
  let base = into;
  while (base.view !== null) base = base.view.inner;
  return policiesOf(binder, into.table, base.access.as);
}

/** New rows, refused if policies do not allow them. */
function insertedRows(binder: Binder, into: WriteTarget, input: Plan): Plan {
  const policies = policiesOn(binder, into);
  if (policies === null) return input;
  const value = (index: number): Bound => binder.use(input.columns[index]);
  return filtered(binder, input, [policies.check(commandsOf(into, 'insert'), 'new', value)]);
}

/** Checks of policies and views for a row that BEFORE triggers may still change. */
function checkedLater(
  binder: Binder,
  into: WriteTarget,
  command: 'insert' | 'update',
  { asked = commandsOf(into, command), byView = true }: { asked?: ReturnType<typeof commandsOf>; byView?: boolean } = {},
): { check?: RowCheck } {
  const policies = policiesOn(binder, into);
  if (policies === null && !(byView && hasCheckOption(into))) return {};
  const row = into.table.columns.map(() => binder.id());
  const value = columnsBy(into.table, row);
  const allowed = policies === null ? binder.constant('bool', true) : policies.check(asked, 'new', value);
  return { check: { row, value: byView ? checkedByView(binder, into, allowed, value) : allowed } };
}

/** Checks of views for a row without a conflict: a row that is not inserted need not satisfy them. */
function checkedFresh(binder: Binder, into: WriteTarget): RowCheck {
  const row = into.table.columns.map(() => binder.id());
  return { row, value: checkedByView(binder, into, binder.constant('bool', true), columnsBy(into.table, row)) };
}

/** The existing row must be visible to UPDATE, and its new version allowed. */
function securedConflict(binder: Binder, into: WriteTarget, conflict: InsertConflict, row: readonly ColumnId[]): InsertConflict {
  const policies = conflict.set === null ? null : policiesOn(binder, into);
  if (policies === null) return conflict;
  const found = policies.check([{ command: 'update', found: true }, ...foundAgain(into)], 'new found', columnsBy(into.table, row));
  const changed = into.table.columns.map(() => binder.id());
  return {
    ...conflict,
    where: onlyThen(binder, conflict.where, found),
    check: { row: changed, value: policies.check(commandsOf(into, 'update'), 'new', columnsBy(into.table, changed)) },
  };
}

export function columnsBy({ columns }: SqlTable, ids: readonly ColumnId[]): (index: number) => Bound {
  return (index) => ({ kind: 'column', id: ids[index], type: columns[index].type, typmod: columns[index].typmod });
}

/** `then` is evaluated only if the condition holds. */
function onlyThen(binder: Binder, condition: Bound | null, then: Bound): Bound {
  if (condition === null) return then;
  const no = binder.constant('bool', false);
  return { kind: 'case', branches: [{ when: condition, then }], otherwise: no, type: no.type, typmod: -1 };
}

/** The rows of the target that the statement matches, in place of all of them. */
export function foundRows(
  binder: Binder,
  into: WriteTarget,
  input: Plan,
  scan: Plan,
  old: readonly ColumnId[],
  commands: readonly ('update' | 'delete')[],
): Plan {
  const policies = policiesOn(binder, into);
  if (policies === null) return input;
  const value = columnsBy(into.table, old);
  const conditions = [...commands, ...foundAgain(into).map(({ command }) => command)].flatMap((command) => policies.using(command, value));
  return conditions.length === 0 ? input : mapPlan(input, (plan) => (plan === scan ? guarded(binder, scan, conditions) : null));
}

/** New values as columns of the input, so that checks see what is written, and nothing is computed twice. */
function projected(binder: Binder, input: Plan, set: readonly { column: number; value: Bound }[]): { input: Plan; set: { column: number; value: Bound }[] } {
  const made = set.map(({ value }) => binder.column('', value.type, value.typmod));
  const items = [...input.columns.map((column) => ({ id: column.id, value: binder.use(column) })), ...set.map(({ value }, i) => ({ id: made[i].id, value }))];
  return {
    input: { op: 'project', input, items, columns: [...input.columns, ...made] },
    set: set.map(({ column }, i) => ({ column, value: binder.use(made[i]) })),
  };
}

/** Rows to insert through views with a check option. */
function checkedRows(binder: Binder, into: WriteTarget, input: Plan): Plan {
  if (!hasCheckOption(into)) return input;
  const value = (index: number): Bound => binder.use(input.columns[index]);
  const items = input.columns.map(({ id }, i) =>
    i === 0 ? { id: binder.id(), value: checkedByView(binder, into, value(0), value) } : { id, value: value(i) },
  );
  return { op: 'project', input, items, columns: input.columns.map((column, i) => ({ ...column, id: items[i].id })) };
}

/** The same for assignments: the first one checks. */
function checkedSet(binder: Binder, into: WriteTarget, set: { column: number; value: Bound }[], row: readonly ColumnId[]): { column: number; value: Bound }[] {
  if (set.length === 0 || !hasCheckOption(into)) return set;
  const { columns } = into.table;
  const value = (index: number): Bound =>
    set.find((each) => each.column === index)?.value ?? { kind: 'column', id: row[index], type: columns[index].type, typmod: columns[index].typmod };
  return set.map((each, i) => (i === 0 ? { ...each, value: checkedByView(binder, into, each.value, value) } : each));
}

/** Stored generated columns, computed from the others. */
function withGenerated(binder: Binder, table: SqlTable, input: Plan): Plan {
  if (table.columns.every(({ generated }) => generated === null)) return input;
  const scope = new Scope(null);
  scope.clause = 'default';
  scope.namespace = {
    relations: [
      relationOf(
        binder,
        table,
        table.name,
        input.columns.map(({ id }) => id),
      ),
    ],
    columns: table.columns.map((column, i) => ({ name: column.name, value: binder.use(input.columns[i]) })),
  };
  const items = table.columns.map((column, i) => {
    if (column.generated === null) return { id: input.columns[i].id, value: binder.use(input.columns[i]) };
    return { id: binder.id(), value: assign(binder, bindExpression(binder, binder.names.parseExpression(column.generated), scope), column, 0) };
  });
  return { op: 'project', input, items, columns: input.columns.map((column, i) => ({ ...column, id: items[i].id })) };
}

function relationOf(binder: Binder, table: SqlTable, alias: string, ids: readonly ColumnId[]): Relation {
  return {
    alias,
    schema: null,
    table,
    columns: table.columns.map(({ name, type, typmod }, i) => ({ name, value: { kind: 'column', id: ids[i], type, typmod } })),
    system: [{ name: 'tableoid', value: { kind: 'constant', type: binder.type('oid'), typmod: -1, value: table.number } }],
  };
}

function bindConflict(binder: Binder, statement: Insert, into: WriteTarget, alias: string, row: readonly ColumnId[], parent: Scope): InsertConflict {
  const { action, target, set, where, at } = statement.onConflict!;
  const { table } = into;
  let arbiter: Index | 'key' | 'none' | null = null;
  if (target !== null) {
    arbiter =
      target.constraint !== null
        ? byConstraint(into, target.constraint)
        : byColumns(
            binder,
            into,
            target.elements.map(({ value }) => value),
            target.at,
            predicateTest(binder, into, alias, row, target.where),
          );
  } else if (action === 'update') {
    fail('42601', 'ON CONFLICT DO UPDATE requires inference specification or constraint name', at, { hint: 'For example, ON CONFLICT (column_name).' });
  }
  if (action === 'update' && arbiter !== null && typeof arbiter !== 'string' && arbiter.excludes)
    throw new SvcError('42809', 'ON CONFLICT DO UPDATE not supported with exclusion constraints');
  if (action === 'nothing') return { arbiter, set: null, excluded: [], where: null };
  alsoNeeds(into, PRIVILEGE.UPDATE);
  const excluded = table.columns.map(() => binder.id());
  const scope = new Scope(parent);
  scope.clause = 'set';
  const own = qualified(relationOver(binder, into, alias, row), statement.table, into);
  const proposed = { ...relationOver(binder, into, 'excluded', excluded), system: [] };
  // Unqualified names mean the existing row.
  scope.namespace = { relations: [own, proposed], columns: own.columns };
  const assignments = bindAssignments(binder, set, into, scope, row, true).set;
  const condition = where === null ? null : binder.coercion.toBoolean(bindExpression(binder, where, scope), 'WHERE', startOf(where));
  return { arbiter, set: checkedSet(binder, into, withGeneratedSet(binder, table, assignments, row), row), excluded, where: condition, xmax: binder.id() };
}

/** Constraints belong to the named relation: a view has none. */
function byConstraint({ table, view, name: named }: WriteTarget, name: string): Index | 'key' {
  if (view === null && table.primaryKey === name) return 'key';
  const index = view === null ? table.indexes.find((each) => each.constraint === name) : undefined;
  if (index === undefined) failNowhere('42704', `constraint "${name}" for table "${named}" does not exist`);
  return index;
}

/** Whether an index covers all rows for which the target's WHERE is true; without WHERE it must cover all rows. */
function predicateTest(binder: Binder, into: WriteTarget, alias: string, row: readonly ColumnId[], where: Expression | null): (index: Index) => boolean {
  const scope = new Scope(null);
  scope.clause = 'where';
  const own = relationOver(binder, into, alias, row);
  scope.namespace = { relations: [own], columns: own.columns };
  const bound = (expression: Expression): Bound => binder.coercion.toBoolean(bindExpression(binder, expression, scope), 'WHERE', startOf(expression));
  const given = where === null ? [] : conjuncts(bound(where));
  return (index) => index.where === null || implies(given, bound(binder.names.parseExpression(index.where)));
}

/** As in Postgres, whose planner infers it: a statement that is only prepared may specify a missing one. */
function byColumns(binder: Binder, into: WriteTarget, elements: readonly Expression[], at: number, covers: (index: Index) => boolean): Index | 'key' | 'none' {
  const { table } = into;
  let shown = true;
  const names = elements.map((element) => (element.type === 'column' ? element.parts[element.parts.length - 1] : null));
  const wanted = names.map((name) => {
    if (name === null) return -1;
    const known = into.columns.find((column) => column.name === name);
    if (known === undefined) fail('42703', `column "${name}" does not exist`, at);
    const { index } = known;
    if (index === null) {
      shown = false;
      return -1;
    }
    noteRead({ to: into.access, attnum: into.view === null ? table.columns[index].attnum : into.columns.findIndex((column) => column.name === name) + 1 });
    return index;
  });
  if (!shown) return 'none';
  const expressions = elements.filter((_, i) => names[i] === null).map((element) => writtenAs(element));
  const plain = new Set(wanted.filter((column) => column >= 0));
  const same = (columns: readonly (number | null)[]): boolean =>
    expressions.length === 0 && columns.length === plain.size && columns.every((column) => column !== null && plain.has(column));
  const sameIndex = ({ columns }: Index): boolean =>
    columns.length === plain.size + new Set(expressions).size &&
    columns.every(({ column, expression }) =>
      column === null ? expression !== null && expressions.includes(writtenAs(binder.names.parseExpression(expression))) : plain.has(column),
    );
  if (table.primaryKey !== null && same(table.key.columns)) return 'key';
  const index = table.indexes.find((each) => each.unique && sameIndex(each) && covers(each));
  return index ?? 'none';
}

/** The value of SET column = DEFAULT: through a view, only the view's default. */
function resetOf(binder: Binder, into: WriteTarget, index: number, at: number): Bound {
  const { view, table } = into;
  const { type, typmod } = table.columns[index];
  const none = view !== null && (view.defaults[into.columns.findIndex((column) => column.index === index)] ?? null) === null;
  return none ? { kind: 'constant', type, typmod, value: null } : defaultOf(binder, into, index, at);
}

interface BoundAssignments {
  readonly set: { column: number; value: Bound }[];
  /** Subqueries of `(a, b) = (SELECT …)`, to be joined to the input. */
  readonly subqueries: Plan[];
}

/** `row`: ids of the old columns; `inPlace`: subqueries become values, since there is no input to join them to. */
export function bindAssignments(
  binder: Binder,
  list: readonly Assignment[],
  into: WriteTarget,
  scope: Scope,
  row: readonly ColumnId[],
  inPlace = false,
): BoundAssignments {
  const { table } = into;
  const out: { column: number; value: Bound }[] = [];
  const subqueries: Plan[] = [];
  /** Columns of which only parts were assigned. */
  const partly = new Set<number>();
  const add = (target: TargetColumn, expression: Expression | null, value: Bound | null): void => {
    const index = writtenColumn(into, target.name, 'update', target.at);
    const column = table.columns[index];
    const known = out.find((each) => each.column === index);
    if (target.path.length > 0 && (known === undefined || partly.has(index))) {
      if (column.generated !== null || column.identity === 'always') failNowhere('428C9', `column "${column.name}" can only be updated to DEFAULT`);
      if (expression?.type === 'default') fail('0A000', 'cannot set a subscripted element to DEFAULT', target.at);
      const base: Bound = known?.value ?? { kind: 'column', id: row[index], type: column.type, typmod: column.typmod };
      const changed = assignPart(binder, base, column, target, value ?? bindExpression(binder, expression!, scope), scope, expression?.at ?? target.at);
      partly.add(index);
      if (known === undefined) out.push({ column: index, value: changed });
      else known.value = changed;
      return;
    }
    if (known !== undefined) failTwice(column);
    const isDefault = expression !== null && expression.type === 'default';
    if (!isDefault && (column.generated !== null || column.identity === 'always')) {
      failNowhere('428C9', `column "${column.name}" can only be updated to DEFAULT`, {
        detail:
          column.generated !== null
            ? `Column "${column.name}" is a generated column.`
            : `Column "${column.name}" is an identity column defined as GENERATED ALWAYS.`,
      });
    }
    if (isDefault && column.generated !== null) return;
    const bound = isDefault ? resetOf(binder, into, index, target.at) : (value ?? bindExpression(binder, expression!, scope));
    out.push({ column: index, value: assign(binder, bound, column, expression == null ? target.at : startOf(expression)) });
  };
  for (const { targets, multiple, value } of list) {
    if (!multiple) {
      add(targets[0], value, null);
      continue;
    }
    if (value.type === 'row') {
      const fields = spreadStars(binder, value.fields, scope);
      if (fields.length !== targets.length) fail('42601', 'number of columns does not match number of values', value.at);
      targets.forEach((target, i) => add(target, fields[i], null));
    } else if (value.type === 'subquery') {
      const { plan } = bindQuery(binder, value.query, scope, {});
      if (plan.columns.length !== targets.length) fail('42601', 'number of columns does not match number of values', value.at);
      if (!inPlace) subqueries.push(plan);
      const values = inPlace ? fieldsOfQuery(rowOfQuery(binder, plan), plan) : plan.columns.map((column) => binder.use(column));
      targets.forEach((target, i) => add(target, null, values[i]));
    } else fail('0A000', 'source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression', value.at);
  }
  return { set: out, subqueries };
}

/** Adds the generated columns that depend on assigned ones. */
export function withGeneratedSet(
  binder: Binder,
  table: SqlTable,
  set: { column: number; value: Bound }[],
  row: readonly ColumnId[],
): { column: number; value: Bound }[] {
  if (table.columns.every(({ generated }) => generated === null)) return set;
  const values = table.columns.map(
    (column, i): Bound => set.find((each) => each.column === i)?.value ?? { kind: 'column', id: row[i], type: column.type, typmod: column.typmod },
  );
  const scope = new Scope(null);
  scope.namespace = { relations: [], columns: table.columns.map(({ name }, i) => ({ name, value: values[i] })) };
  const computed = table.columns.flatMap((column, i) =>
    column.generated === null
      ? []
      : [{ column: i, value: assign(binder, bindExpression(binder, binder.names.parseExpression(column.generated), scope), column, 0) }],
  );
  return [...set, ...computed];
}

/** RETURNING; for a rule's action, the statement's RETURNING over the action's result. */
function bindGiven(
  binder: Binder,
  { returning, gives }: Insert | Update | Delete,
  relations: readonly Relation[],
  parent: Scope,
  old: Relation | null,
  now: Relation | null,
): ReturnType<typeof bindReturningList> {
  const own = bindReturningList(binder, returning, relations, parent, old, now);
  if (gives === undefined) return own;
  return asStored(binder, gives.mark, () => {
    const to = binder.accesses(gives.relation, 'table', gives.alias, 0);
    const columns = own.items!.map(({ value }, i) => ({ name: gives.columns[i], value, access: { to, attnum: i + 1 } }));
    const relation: Relation = { alias: gives.alias, schema: null, table: null, columns, system: [] };
    return bindReturningList(binder, gives.returning, [relation], new Scope(null), null, null);
  });
}

function bindReturningList(
  binder: Binder,
  returning: Returning | null,
  relations: readonly Relation[],
  parent: Scope,
  old: Relation | null,
  now: Relation | null,
): { items: { id: ColumnId; value: Bound }[] | null; columns: OutputColumn[] } {
  if (returning === null) return { items: null, columns: [] };
  const scope = new Scope(parent);
  scope.clause = 'returning';
  // OLD and NEW are visible only when qualified; a table of that name takes precedence.
  const states = [
    old === null ? [] : [{ ...old, alias: returning.oldAlias ?? 'old', schema: null, byName: true }],
    now === null ? [] : [{ ...now, alias: returning.newAlias ?? 'new', schema: null, byName: true }],
  ].flat();
  const beside = states.filter(({ alias }) => !relations.some((each) => each.alias === alias));
  scope.namespace = { relations: [...relations, ...beside], columns: relations.filter(({ byName }) => byName !== true).flatMap(({ columns }) => columns) };
  const items = bindReturning(binder, returning.items, scope);
  if (scope.level.aggregates.length > 0) fail('42803', 'aggregate functions are not allowed in RETURNING', items[0].at);
  if (scope.level.setFunctions.length > 0) fail('0A000', 'set-returning functions are not allowed in RETURNING', items[0].at);
  const columns = items.map(({ name, value }) => binder.column(name, value.type, value.typmod));
  return { items: items.map(({ value }, i) => ({ id: columns[i].id, value })), columns };
}

/** The rows that UPDATE or DELETE matches, with those of its other items. */
export interface TargetRows {
  readonly input: Plan;
  readonly scan: Plan;
  readonly key: ColumnId;
  readonly relation: Relation;
  /** Ids of the target's columns. */
  readonly old: readonly ColumnId[];
  readonly namespace: { readonly relations: readonly Relation[]; readonly columns: Relation['columns'] };
  /** The same without the target; null if the condition reads it. */
  readonly beside: Plan | null;
}

/** Records the target of a stored statement: its position, and the columns that are named. */
function recordTarget(binder: Binder, into: WriteTarget, item: TableItem, relation: Relation, targets: readonly TargetColumn[]): void {
  const { recording } = binder;
  if (recording === null || binder.depth > 0) return;
  recording.tables.set(item, into.schema);
  recording.items.set(item, { number: into.access.relation, columns: relation.columns });
  for (const target of targets) {
    const at = into.columns.findIndex(({ name }) => name === target.name);
    if (at >= 0) recording.references.set(target, relation.columns[at]);
  }
}

export function targetRows(binder: Binder, statement: Update | Delete, into: WriteTarget, scope: Scope): TargetRows {
  const { plan: scan, key, relation, old } = scanForWrite(binder, into, statement.table);
  recordTarget(binder, into, statement.table, relation, statement.type === 'update' ? statement.set.flatMap(({ targets }) => targets) : []);
  const conditions = viewConditionsOver(binder, into, old);
  let input: Plan = filtered(binder, scan, conditions);
  let beside: Plan | null = conditions.length > 0 ? null : { op: 'values', rows: [[]], columns: [] };
  let namespace = { relations: [relation] as readonly Relation[], columns: relation.columns };
  const items = statement.type === 'update' ? statement.from : statement.using;
  if (items.length > 0) {
    scope.lateral = [namespace];
    const from = bindFromList(binder, items, scope);
    checkAliases(namespace, from.namespace);
    scope.lateral = [];
    input = joinOf('inner', input, from.plan, null);
    if (beside !== null) beside = from.plan;
    namespace = joined(namespace, from.namespace) as typeof namespace;
  }
  scope.namespace = namespace;
  if (statement.where !== null) {
    scope.clause = 'where';
    const condition = binder.coercion.toBoolean(bindExpression(binder, statement.where, scope), 'WHERE', startOf(statement.where));
    input = filtered(binder, input, [condition]);
    const read = columnsRead(condition);
    if (beside !== null) beside = scan.columns.some(({ id }) => read.has(id)) ? null : filtered(binder, beside, [condition]);
  }
  return { input, scan, key, relation, old, namespace, beside };
}

function columnsRead(condition: Bound): ReadonlySet<ColumnId> {
  const none: Plan = { op: 'values', rows: [[]], columns: [] };
  return freeColumns({ op: 'filter', input: none, predicate: condition, columns: [] });
}

function bindUpdate(binder: Binder, statement: Update, scope: Scope): Plan {
  const into = writeTarget(binder, statement.table, 'update');
  const { table } = into;
  const { input: targets, scan, key, relation, old, namespace } = targetRows(binder, statement, into, scope);
  let input = targets;
  scope.clause = 'set';
  const { set, subqueries } = bindAssignments(binder, statement.set, into, scope, old);
  for (const plan of subqueries) input = joinOf('single', input, plan, null);
  const before = columnsBy(table, old);
  if (statement.unless !== undefined) {
    const after = withGeneratedRow(binder, into, (index) => set.find(({ column }) => column === index)?.value ?? before(index));
    input = filtered(binder, input, unlessRules(binder, statement, into, before, after));
  }
  const row = table.columns.map(() => binder.id());
  const alias = statement.table.alias?.name ?? into.name;
  const rowKey = table.whole === undefined ? key : binder.id();
  const returning = bindGiven(
    binder,
    statement,
    [renamed(relationOver(binder, into, alias, row, rowKey), statement.table, into), ...namespace.relations.slice(1)],
    scope,
    relation,
    relationOver(binder, into, 'new', row, rowKey),
  );
  const found = foundRows(binder, into, input, scan, old, ['update']);
  const changed = updatedRows(binder, into, found, withGeneratedSet(binder, table, set, old), old);
  return {
    op: 'update',
    ...(table.whole === undefined ? {} : { rowKey }),
    table,
    ...changed,
    key,
    row,
    ...(binder.names.changesRows?.(table, 'update') === true ? { triggered: true as const } : {}),
    returning: returning.items,
    columns: returning.columns,
  };
}

function updatedRows(
  binder: Binder,
  into: WriteTarget,
  input: Plan,
  set: { column: number; value: Bound }[],
  old: readonly ColumnId[],
): { input: Plan; set: { column: number; value: Bound }[]; check?: RowCheck } {
  const policies = policiesOn(binder, into);
  if (policies === null && !hasCheckOption(into)) return { input, set };
  if (binder.names.changesRows?.(into.table, 'update') === true) return { input, set, ...checkedLater(binder, into, 'update') };
  const made = projected(binder, input, set);
  const value = (index: number): Bound => made.set.find(({ column }) => column === index)?.value ?? columnsBy(into.table, old)(index);
  const checked = policies === null ? made.input : filtered(binder, made.input, [policies.check(commandsOf(into, 'update'), 'new', value)]);
  return { input: checked, set: checkedSet(binder, into, made.set, old) };
}

function bindDelete(binder: Binder, statement: Delete, scope: Scope): Plan {
  const into = writeTarget(binder, statement.table, 'delete');
  const { table } = into;
  const { input: targets, scan, key, relation, old, namespace } = targetRows(binder, statement, into, scope);
  const input = filtered(binder, targets, unlessRules(binder, statement, into, columnsBy(table, old), null));
  const returning = bindGiven(binder, statement, namespace.relations, scope, relation, nothing(binder, into));
  return { op: 'delete', table, input: foundRows(binder, into, input, scan, old, ['delete']), key, returning: returning.items, columns: returning.columns };
}

function bindMerge(binder: Binder, statement: Merge, scope: Scope): Plan {
  const into = writeTarget(binder, statement.table, 'merge');
  const { table } = into;
  const { plan: scan, key, relation, old } = scanForWrite(binder, into, statement.table);
  const target: Plan = filtered(binder, scan, viewConditionsOver(binder, into, old));
  const own = { relations: [relation] as readonly Relation[], columns: relation.columns };
  const from = bindFromList(binder, [statement.source], scope);
  for (const { alias } of own.relations) {
    if (!from.namespace.relations.some((each) => each.alias === alias)) continue;
    failNowhere('42712', `name "${alias}" specified more than once`, { detail: 'The name is used both as MERGE target table and data source.' });
  }
  // A column that is never null shows whether there is a source row.
  const bool = binder.type('bool');
  const present = binder.column('', bool);
  const source: Plan = {
    op: 'project',
    input: from.plan,
    items: [...from.plan.columns.map((column) => ({ id: column.id, value: binder.use(column) })), { id: present.id, value: binder.constant('bool', true) }],
    columns: [...from.plan.columns, present],
  };
  const both = joined(own, from.namespace) as typeof own;
  scope.namespace = both;
  scope.clause = 'join';
  const on = binder.coercion.toBoolean(bindExpression(binder, statement.on, scope), 'MERGE/ON', startOf(statement.on));
  const alone = (match: MergeBranch['match']): boolean => statement.branches.some((branch) => branch.match === match);
  const [sources, targets] = [alone('notMatchedByTarget'), alone('notMatchedBySource')];
  const input = joinOf(sources ? (targets ? 'full' : 'right') : targets ? 'left' : 'inner', target, source, on);
  const closed = new Set<MergeBranch['match']>();
  const changes = (event: 'insert' | 'update'): boolean => binder.names.changesRows?.(table, event) === true;
  const branches = statement.branches.map(({ match, condition, action }): MergePlan['branches'][number] => {
    if (closed.has(match)) failNowhere('42601', 'unreachable WHEN clause specified after unconditional WHEN clause');
    if (condition === null) closed.add(match);
    scope.namespace = match === 'matched' ? both : match === 'notMatchedBySource' ? own : from.namespace;
    scope.clause = 'where';
    scope.clauseTitle = 'MERGE WHEN conditions';
    const when = condition === null ? null : binder.coercion.toBoolean(bindExpression(binder, condition, scope), 'WHEN', startOf(condition));
    scope.clauseTitle = null;
    scope.clause = 'set';
    if (action.type !== 'nothing') alsoNeeds(into, MERGE_NEEDS[action.type]);
    switch (action.type) {
      case 'nothing':
      case 'delete':
        return { match, when, action: action.type, set: [] };
      case 'update': {
        const { set } = bindAssignments(binder, action.set, into, scope, old, true);
        const made = withGeneratedSet(binder, table, set, old);
        return { match, when, action: 'update', set: changes('update') ? made : checkedSet(binder, into, made, old) };
      }
      case 'insert': {
        const made = mergedRow(binder, into, action, scope, statement.at);
        return { match, when, action: 'insert', set: changes('insert') ? made : checkedSet(binder, into, made, []) };
      }
    }
  });
  scope.namespace = both;
  const row = table.columns.map(() => binder.id());
  const done = binder.column('', binder.type('text'));
  const alias = statement.table.alias?.name ?? into.name;
  scope.mergeAction = binder.use(done);
  const returning = bindReturningList(
    binder,
    statement.returning,
    [...from.namespace.relations, renamed(relationOver(binder, into, alias, row), statement.table, into)],
    scope,
    null,
    null,
  );
  return {
    op: 'merge',
    table,
    input: foundRows(binder, into, input, scan, old, []),
    key,
    source: present.id,
    branches: securedBranches(binder, into, branches, old),
    row,
    old,
    done,
    returning: returning.items,
    columns: returning.columns,
  };
}

/** With the checks of views, if triggers may change the row. */
function viewChecked(binder: Binder, into: WriteTarget, branch: MergePlan['branches'][number]): MergePlan['branches'][number] {
  const { action } = branch;
  if ((action !== 'insert' && action !== 'update') || binder.names.changesRows?.(into.table, action) !== true || !hasCheckOption(into)) return branch;
  return { ...branch, ...checkedLater(binder, into, action) };
}

function securedBranches(binder: Binder, into: WriteTarget, branches: MergePlan['branches'], old: readonly ColumnId[]): MergePlan['branches'] {
  const policies = policiesOn(binder, into);
  if (policies === null) return branches.map((branch) => viewChecked(binder, into, branch));
  const { table } = into;
  return branches.map((branch) => {
    const { action, when } = branch;
    if (action === 'nothing') return branch;
    const made = table.columns.map(() => binder.id());
    const target = (command: 'update' | 'delete'): Bound => policies.check([{ command, found: true }], 'target', columnsBy(table, old));
    if (action === 'delete') return { ...branch, when: onlyThen(binder, when, target('delete')) };
    // A row that MERGE inserts need not be visible.
    const asked = action === 'insert' ? [{ command: action, found: false }] : commandsOf(into, action);
    const allowed = policies.check(asked, 'new', columnsBy(table, made));
    const later = binder.names.changesRows?.(table, action) === true && hasCheckOption(into);
    const check = { row: made, value: later ? checkedByView(binder, into, allowed, columnsBy(table, made)) : allowed };
    return action === 'insert' ? { ...branch, check } : { ...branch, when: onlyThen(binder, when, target('update')), check };
  });
}

const MERGE_NEEDS = { insert: PRIVILEGE.INSERT, update: PRIVILEGE.UPDATE, delete: PRIVILEGE.DELETE } as const;

/** A value for every column of a row that MERGE inserts. */
function mergedRow(
  binder: Binder,
  into: WriteTarget,
  action: MergeBranch['action'] & { type: 'insert' },
  scope: Scope,
  at: number,
): { column: number; value: Bound }[] {
  const { columns, values, overriding } = action;
  const { table } = into;
  const targets =
    columns.length > 0 ? columns.map(({ name, at: where }) => writtenColumn(into, name, 'insert', where)) : into.columns.map(({ index }) => index ?? -1);
  columns.forEach((target, i) => {
    if (targets.indexOf(targets[i]) !== i) fail('42701', `column "${target.name}" specified more than once`, target.at);
  });
  if (values !== null && values.length > targets.length) fail('42601', 'INSERT has more expressions than target columns', values[targets.length].at);
  if (values !== null && columns.length > 0 && values.length < targets.length)
    fail('42601', 'INSERT has more target columns than expressions', columns[values.length].at);
  const set = table.columns.map((column, index): { column: number; value: Bound } => {
    const place = values === null ? -1 : targets.slice(0, values.length).indexOf(index);
    const expression = place < 0 ? null : values![place];
    const given = expression !== null && expression.type !== 'default';
    if (given && (column.generated !== null || (column.identity === 'always' && overriding === 'none'))) {
      failNowhere('428C9', `cannot insert a non-DEFAULT value into column "${column.name}"`);
    }
    if (column.generated !== null) return { column: index, value: { kind: 'constant', type: column.type, typmod: column.typmod, value: null } };
    if (!given || (column.identity !== null && overriding === 'user')) return { column: index, value: defaultOf(binder, into, index, at) };
    return { column: index, value: assign(binder, bindExpression(binder, expression, scope), column, startOf(expression)) };
  });
  const computed = table.columns.flatMap((column, index) => (column.generated === null ? [] : [{ index, text: column.generated }]));
  if (computed.length === 0) return set;
  const own = new Scope(null);
  own.namespace = { relations: [], columns: table.columns.map(({ name }, i) => ({ name, value: set[i].value })) };
  for (const { index, text } of computed)
    set[index].value = assign(binder, bindExpression(binder, binder.names.parseExpression(text), own), table.columns[index], 0);
  return set;
}

export function filtered(binder: Binder, input: Plan, conditions: readonly Bound[]): Plan {
  const predicate = binder.and(conditions);
  return predicate === null ? input : { op: 'filter', input, predicate, columns: input.columns };
}

function viewConditionsOver(binder: Binder, into: WriteTarget, ids: readonly ColumnId[]): Bound[] {
  return viewConditions(binder, into, (index) => {
    const { type, typmod } = into.table.columns[index];
    return { kind: 'column', id: ids[index], type, typmod };
  });
}

/** A missing row: OLD of an INSERT, NEW of a DELETE. */
function nothing(binder: Binder, into: WriteTarget): Relation {
  const none = over(binder, into, '', (index) => {
    const { type, typmod } = into.table.columns[index];
    return { kind: 'constant', type, typmod, value: null };
  });
  return { ...none, system: [] };
}

/** Without an alias the target may be qualified with its schema. */
function qualified(relation: Relation, { alias }: TableItem, { schema }: WriteTarget): Relation {
  return { ...relation, schema: alias === null ? schema : null };
}

/** The same with the column names of the target's alias. */
function renamed(relation: Relation, item: TableItem, into: WriteTarget): Relation {
  return { ...qualified(relation, item, into), columns: relation.columns.map((column, i) => ({ ...column, name: item.alias?.columns[i] ?? column.name })) };
}

/** Rows of a view with INSTEAD OF triggers: the key of each is the old row itself. */
function scanOfView(binder: Binder, into: WriteTarget, item: TableItem): { plan: Plan; key: ColumnId; relation: Relation; old: readonly ColumnId[] } {
  const { plan: from, namespace } = bindFromList(binder, [item], new Scope(null));
  // The rows for triggers need no SELECT privilege of the writer.
  for (const each of binder.access) if (each !== into.access && each.relation === into.table.number && each.as === into.access.as) each.needs = 0;
  const columns = into.table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  const values = namespace.columns.map(({ value }) => value);
  const rowType = binder.names.rowType?.(into.table.number) ?? binder.type('record');
  const key = binder.column('', rowType);
  const names = columns.map(({ name }) => name);
  const plan: Plan = {
    op: 'project',
    input: from,
    items: [
      ...columns.map(({ id }, i) => ({ id, value: values[i] })),
      { id: key.id, value: { kind: 'row', type: rowType, typmod: -1, fields: values, names } },
    ],
    columns: [...columns, key],
  };
  const old = columns.map(({ id }) => id);
  const relation = renamed(relationOver(binder, into, item.alias?.name ?? into.name, old), item, into);
  return { plan, key: key.id, old, relation };
}

/** The table's rows with their keys; `old` are the ids of all its columns. */
function scanForWrite(binder: Binder, into: WriteTarget, item: TableItem): { plan: Plan; key: ColumnId; relation: Relation; old: readonly ColumnId[] } {
  const { table } = into;
  if (table.view === true) return scanOfView(binder, into, item);
  const plan = withKey(binder, scanOf(binder, table, null));
  const key = plan.columns[table.columns.length];
  const old = plan.columns.slice(0, table.columns.length).map(({ id }) => id);
  const relation = renamed(relationOver(binder, into, item.alias?.name ?? into.name, old, key.id), item, into);
  return { plan, key: key.id, old, relation };
}

/** For each column the positions of the values that are assigned to it. */
function positionsOf(used: readonly number[], columns: number): readonly (readonly number[])[] {
  const places: number[][] = Array.from({ length: columns }, () => []);
  used.forEach((column, position) => places[column].push(position));
  return places;
}
