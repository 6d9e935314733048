/** INSERT, UPDATE and DELETE as plans. */
import type { Expression } from '../ast/expression.ts';
import type { TableItem } from '../ast/query.ts';
import type { Assignment, Delete, Insert, Merge, Returning, TargetColumn, Update } from '../ast/write.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { InsertConflict, OutputColumn, Plan } from '../plan/logical.ts';
import type { Index, SqlColumn, SqlTable } from '../schema/table.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression } from './expression.ts';
import { bindFromList, checkAliases, joinOf, scanOf } from './from.ts';
import { bindQuery } from './query.ts';
import { joined, type Relation, Scope } from './scope.ts';
import { bindReturning } from './select.ts';
import { bindWith, withDefinitions } from './with.ts';

export function bindWrite(binder: Binder, statement: Insert | Update | Delete | Merge, parent: Scope | null): Plan {
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
      return fail('0A000', 'MERGE is not supported', statement.at);
  }
  return withDefinitions(binder, scope, plan);
}

export function targetTable(binder: Binder, item: TableItem): SqlTable {
  const { schema, name, at } = item.name;
  if (item.asOf !== null) fail('25006', 'a past moment cannot be changed', item.asOf.at, { hint: 'Fork it first: its fork can be changed.' });
  const found = binder.names.relation(schema, name);
  if (found === null) {
    fail('42P01', `relation "${schema === null ? '' : `${schema}.`}${name}" does not exist`, at);
  }
  switch (found.kind) {
    case 'table':
      return found.table;
    case 'view':
      return fail('55000', `cannot change view "${name}"`, at, { hint: 'Views are read only here: change the table behind it.' });
    case 'virtual':
      return fail('42501', `permission denied: "${name}" is a system catalog`, at);
    case 'other':
      return fail('42809', `"${name}" is ${found.what}, not a table`, at);
  }
}

/** The value that a column has where none is given. */
export function defaultOf(binder: Binder, table: SqlTable, index: number, at: number): Bound {
  const column = table.columns[index];
  const text = binder.names.defaultText(table, index);
  if (text === null) return { kind: 'constant', type: column.type, typmod: column.typmod, value: null };
  const scope = new Scope(null);
  scope.clause = 'default';
  const value = bindExpression(binder, binder.names.parseExpression(text), scope);
  return assign(binder, value, column, at);
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

function columnIndex(table: SqlTable, target: TargetColumn): number {
  const index = table.columns.findIndex(({ name }) => name === target.name);
  if (index < 0) fail('42703', `column "${target.name}" of relation "${table.name}" does not exist`, target.at);
  if (target.path.length > 0) fail('0A000', 'assigning to a part of a column is not supported', target.at, { hint: 'Assign the whole value.' });
  return index;
}

function bindInsert(binder: Binder, statement: Insert, scope: Scope): Plan {
  const table = targetTable(binder, statement.table);
  const { columns } = table;
  const targets = statement.columns.length > 0 ? statement.columns.map((target) => columnIndex(table, target)) : columns.map((_, i) => i);
  statement.columns.forEach((target, i) => {
    if (targets.indexOf(targets[i]) !== i) fail('42701', `column "${target.name}" specified more than once`, target.at);
  });
  const { at } = statement;
  const defaults = (index: number, where: number): Bound => defaultOf(binder, table, index, where);
  /** What is written for a target, where the identity rules let it. */
  const written = (index: number, value: Bound | 'default', where: number): Bound => {
    const column = columns[index];
    if (column.generated !== null) {
      if (value !== 'default') {
        fail('428C9', `cannot insert a non-DEFAULT value into column "${column.name}"`, where, { detail: `Column "${column.name}" is a generated column.` });
      }
      return { kind: 'constant', type: column.type, typmod: column.typmod, value: null };
    }
    if (value === 'default' || (column.identity !== null && statement.overriding === 'user')) return defaults(index, where);
    if (column.identity === 'always' && statement.overriding !== 'system') {
      fail('428C9', `cannot insert a non-DEFAULT value into column "${column.name}"`, where, {
        detail: `Column "${column.name}" is an identity column defined as GENERATED ALWAYS.`,
        hint: 'Use OVERRIDING SYSTEM VALUE to override.',
      });
    }
    return assign(binder, value, column, where);
  };
  let input: Plan;
  const { source } = statement;
  const outputs = (): OutputColumn[] => columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  if (source === null) {
    input = { op: 'values', rows: [columns.map((_, i) => written(i, 'default', at))], columns: outputs() };
  } else if (source.type === 'values' && source.with === null && source.orderBy.length === 0 && source.limit === null && source.offset === null) {
    const own = new Scope(scope);
    own.clause = 'values';
    const width = source.rows[0].length;
    const used = statement.columns.length > 0 ? targets : targets.slice(0, width);
    const rows = source.rows.map((row) => {
      const [first] = row;
      if (row.length !== width) fail('42601', 'VALUES lists must all be the same length', first?.at ?? source.at);
      if (row.length > targets.length) fail('42601', 'INSERT has more expressions than target columns', row[targets.length].at);
      if (statement.columns.length > 0 && row.length < targets.length)
        fail('42601', 'INSERT has more target columns than expressions', statement.columns[row.length].at);
      return columns.map((_, index) => {
        const position = used.indexOf(index);
        if (position < 0) return written(index, 'default', at);
        const expression = row[position];
        return written(index, expression.type === 'default' ? 'default' : bindExpression(binder, expression, own), expression.at);
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
    // Literals of a plain select list take the column's own type.
    const direct = plan.op === 'project' ? plan : null;
    const items = columns.map((column, index) => {
      const position = used.indexOf(index);
      const from = position < 0 ? null : plan.columns[position];
      const value = from === null ? 'default' : direct !== null && from.type.name === 'unknown' ? direct.items[position].value : binder.use(from);
      return { id: binder.id(), value: written(index, value, source.at), column };
    });
    input = {
      op: 'project',
      input: plan,
      items: items.map(({ id, value }) => ({ id, value })),
      columns: items.map(({ id, column }) => ({ id, name: column.name, type: column.type, typmod: column.typmod })),
    };
  }
  input = withGenerated(binder, table, input);
  const row = columns.map(() => binder.id());
  const alias = statement.table.alias?.name ?? table.name;
  const conflict = statement.onConflict === null ? null : bindConflict(binder, statement, table, alias, row, scope);
  const returning = bindReturningList(binder, statement.returning, [relationOf(binder, table, alias, row)], scope);
  return { op: 'insert', table, input, conflict, row, returning: returning.items, columns: returning.columns };
}

/** Stored generated columns computed from the others. */
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

function bindConflict(binder: Binder, statement: Insert, table: SqlTable, alias: string, row: readonly ColumnId[], parent: Scope): InsertConflict {
  const { action, target, set, where, at } = statement.onConflict!;
  let arbiter: Index | 'key' | null = null;
  if (target !== null) {
    arbiter =
      target.constraint !== null
        ? byConstraint(table, target.constraint, target.at)
        : byColumns(
            table,
            target.elements.map(({ value }) => value),
            target.at,
          );
  } else if (action === 'update') {
    fail('42601', 'ON CONFLICT DO UPDATE requires inference specification or constraint name', at, { hint: 'For example, ON CONFLICT (column_name).' });
  }
  if (action === 'nothing') return { arbiter, set: null, excluded: [], where: null };
  const excluded = table.columns.map(() => binder.id());
  const scope = new Scope(parent);
  scope.clause = 'set';
  const own = relationOf(binder, table, alias, row);
  const proposed = { ...relationOf(binder, table, 'excluded', excluded), system: [] };
  scope.namespace = { relations: [own, proposed], columns: own.columns.concat(proposed.columns) };
  // Plain names mean the row that stands there.
  scope.namespace = { relations: [own, proposed], columns: own.columns };
  const assignments = bindAssignments(binder, set, table, scope, null).set;
  const condition = where === null ? null : binder.coercion.toBoolean(bindExpression(binder, where, scope), 'WHERE', where.at);
  return { arbiter, set: withGeneratedSet(binder, table, assignments, row), excluded, where: condition };
}

function byConstraint(table: SqlTable, name: string, at: number): Index | 'key' {
  if (table.primaryKey === name) return 'key';
  const index = table.indexes.find((each) => each.constraint === name || each.name === name);
  if (index === undefined) fail('42704', `constraint "${name}" for table "${table.name}" does not exist`, at);
  return index;
}

function byColumns(table: SqlTable, elements: readonly Expression[], at: number): Index | 'key' {
  const names = elements.map((element) => (element.type === 'column' ? element.parts[element.parts.length - 1] : null));
  const wanted = names.map((name) => {
    if (name === null) return -1;
    const index = table.columns.findIndex((column) => column.name === name);
    if (index < 0) fail('42703', `column "${name}" does not exist`, at);
    return index;
  });
  const same = (columns: readonly (number | null)[]): boolean =>
    columns.length === new Set(wanted).size && columns.every((column) => column !== null && wanted.includes(column));
  if (table.primaryKey !== null && same(table.key.columns)) return 'key';
  const index = table.indexes.find((each) => each.unique && same(each.columns.map(({ column }) => column)));
  if (index === undefined) fail('42P10', 'there is no unique or exclusion constraint matching the ON CONFLICT specification', at);
  return index;
}

interface BoundAssignments {
  readonly set: { column: number; value: Bound }[];
  /** Subqueries of `(a, b) = (SELECT …)`, to be joined to the input. */
  readonly subqueries: Plan[];
}

function bindAssignments(binder: Binder, list: readonly Assignment[], table: SqlTable, scope: Scope, _plan: Plan | null): BoundAssignments {
  const out: { column: number; value: Bound }[] = [];
  const subqueries: Plan[] = [];
  const add = (target: TargetColumn, expression: Expression | null, value: Bound | null): void => {
    const index = columnIndex(table, target);
    const column = table.columns[index];
    if (out.some((each) => each.column === index)) fail('42601', `multiple assignments to same column "${column.name}"`, target.at);
    const isDefault = expression !== null && expression.type === 'default';
    if (!isDefault && (column.generated !== null || column.identity === 'always')) {
      fail('428C9', `column "${column.name}" can only be updated to DEFAULT`, target.at, {
        detail:
          column.generated !== null
            ? `Column "${column.name}" is a generated column.`
            : `Column "${column.name}" is an identity column defined as GENERATED ALWAYS.`,
      });
    }
    if (isDefault && column.generated !== null) return;
    const bound = isDefault ? defaultOf(binder, table, index, target.at) : (value ?? bindExpression(binder, expression!, scope));
    out.push({ column: index, value: assign(binder, bound, column, expression?.at ?? target.at) });
  };
  for (const { targets, multiple, value, at } of list) {
    if (!multiple) {
      add(targets[0], value, null);
      continue;
    }
    if (value.type === 'row') {
      if (value.fields.length !== targets.length) fail('42601', 'number of columns does not match number of values', at);
      targets.forEach((target, i) => add(target, value.fields[i], null));
    } else if (value.type === 'subquery') {
      const { plan } = bindQuery(binder, value.query, scope, {});
      if (plan.columns.length !== targets.length) fail('42601', 'number of columns does not match number of values', at);
      subqueries.push(plan);
      targets.forEach((target, i) => add(target, null, binder.use(plan.columns[i])));
    } else if (targets.length === 1) add(targets[0], value, null);
    else fail('0A000', 'source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression', value.at);
  }
  return { set: out, subqueries };
}

/** Generated columns follow the ones that are set. */
function withGeneratedSet(
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

function bindReturningList(
  binder: Binder,
  returning: Returning | null,
  relations: readonly Relation[],
  parent: Scope,
): { items: { id: ColumnId; value: Bound }[] | null; columns: OutputColumn[] } {
  if (returning === null) return { items: null, columns: [] };
  const scope = new Scope(parent);
  scope.clause = 'returning';
  scope.namespace = { relations, columns: relations.flatMap(({ columns }) => columns) };
  const items = bindReturning(binder, returning.items, scope);
  if (scope.level.aggregates.length > 0) fail('42803', 'aggregate functions are not allowed in RETURNING', items[0].at);
  if (scope.level.setFunctions.length > 0) fail('0A000', 'set-returning functions are not allowed in RETURNING', items[0].at);
  const columns = items.map(({ name, value }) => binder.column(name, value.type, value.typmod));
  return { items: items.map(({ value }, i) => ({ id: columns[i].id, value })), columns };
}

function bindUpdate(binder: Binder, statement: Update, scope: Scope): Plan {
  const table = targetTable(binder, statement.table);
  const { plan: scan, key, relation } = scanForWrite(binder, table, statement.table);
  let input: Plan = scan;
  let namespace = { relations: [relation] as readonly Relation[], columns: relation.columns };
  if (statement.from.length > 0) {
    scope.lateral = [namespace];
    const from = bindFromList(binder, statement.from, scope);
    checkAliases(namespace, from.namespace, statement.from[0].at);
    scope.lateral = [];
    input = joinOf('inner', input, from.plan, null);
    namespace = joined(namespace, from.namespace) as typeof namespace;
  }
  scope.namespace = namespace;
  if (statement.where !== null) {
    scope.clause = 'where';
    input = {
      op: 'filter',
      input,
      predicate: binder.coercion.toBoolean(bindExpression(binder, statement.where, scope), 'WHERE', statement.where.at),
      columns: input.columns,
    };
  }
  scope.clause = 'set';
  const { set, subqueries } = bindAssignments(binder, statement.set, table, scope, input);
  for (const plan of subqueries) {
    const right: Plan = plan;
    input = joinOf('single', input, right, null);
  }
  const row = table.columns.map(() => binder.id());
  const old = scan.columns.slice(0, table.columns.length).map(({ id }) => id);
  const alias = statement.table.alias?.name ?? table.name;
  const returning = bindReturningList(binder, statement.returning, [relationOf(binder, table, alias, row), ...namespace.relations.slice(1)], scope);
  return { op: 'update', table, input, key, set: withGeneratedSet(binder, table, set, old), row, returning: returning.items, columns: returning.columns };
}

function bindDelete(binder: Binder, statement: Delete, scope: Scope): Plan {
  const table = targetTable(binder, statement.table);
  const { plan: scan, key, relation } = scanForWrite(binder, table, statement.table);
  let input: Plan = scan;
  let namespace = { relations: [relation] as readonly Relation[], columns: relation.columns };
  if (statement.using.length > 0) {
    scope.lateral = [namespace];
    const using = bindFromList(binder, statement.using, scope);
    checkAliases(namespace, using.namespace, statement.using[0].at);
    scope.lateral = [];
    input = joinOf('inner', input, using.plan, null);
    namespace = joined(namespace, using.namespace) as typeof namespace;
  }
  scope.namespace = namespace;
  if (statement.where !== null) {
    scope.clause = 'where';
    input = {
      op: 'filter',
      input,
      predicate: binder.coercion.toBoolean(bindExpression(binder, statement.where, scope), 'WHERE', statement.where.at),
      columns: input.columns,
    };
  }
  const returning = bindReturningList(binder, statement.returning, namespace.relations, scope);
  return { op: 'delete', table, input, key, returning: returning.items, columns: returning.columns };
}

/** The table's rows with their keys. */
function scanForWrite(binder: Binder, table: SqlTable, item: TableItem): { plan: Plan & { op: 'scan' }; key: ColumnId; relation: Relation } {
  const plain = scanOf(binder, table, null);
  const key = binder.column('', binder.type(table.key.numeric ? 'int8' : 'text'));
  const plan = { ...plain, source: [...plain.source, 'key' as const], columns: [...plain.columns, key] };
  const alias = item.alias?.name ?? table.name;
  const named = relationOf(
    binder,
    table,
    alias,
    plain.columns.map(({ id }) => id),
  );
  const columns = named.columns.map((column, i) => ({ ...column, name: item.alias?.columns[i] ?? column.name }));
  return { plan, key: key.id, relation: { ...named, schema: item.alias === null ? table.schema : null, columns } };
}
