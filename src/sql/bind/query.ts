/** Queries: SELECT, VALUES, set operations, WITH, and the clauses around them. */
import { runSteps } from '../../base/run-steps.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, SetOperation, SortKey, Values } from '../ast/query.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import type { OutputColumn, Plan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import { columnStart, startOf } from '../ast/start-of.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { hasStars, spreadStars } from './columns.ts';
import { bindExpression } from './expression.ts';
import { PARTS_AT_ONCE } from './wide-expression.ts';
import { typeCollation } from './collation.ts';
import { type Foldings, keyedRows, unkeyedRows } from './keyed-rows.ts';
import { lockName } from './lock-name.ts';
import { groupingEquality } from './operator.ts';
import { Scope } from './scope.ts';
import { bindSelect } from './select.ts';
import { sortOf } from './sort.ts';
import { refuseWideList } from './target-list.ts';
import { bindWithSteps, withDefinitions } from './with.ts';

export interface QueryOptions {
  /** Literals stay unknown, for a caller that knows the wanted type. */
  keepUnknown?: boolean;
  /** A scope that already contains the query's WITH. */
  scope?: Scope;
}
export interface BoundQuery {
  readonly plan: Plan;
}

export function bindQuery(binder: Binder, query: Query, parent: Scope | null, options: QueryOptions): BoundQuery {
  return runSteps(bindQuerySteps(binder, query, parent, options));
}

/** The same in steps: a query may have thousands of parts. */
export function* bindQuerySteps(binder: Binder, query: Query, parent: Scope | null, options: QueryOptions): Generator<void, BoundQuery> {
  const scope = new Scope(parent);
  if (query.with !== null) yield* bindWithSteps(binder, query.with, scope);
  let plan: Plan;
  switch (query.type) {
    case 'select':
      plan = yield* bindSelect(binder, query, scope, options);
      break;
    case 'values':
      if (query.locking.length > 0) failNowhere('0A000', `${lockName(query.locking[0].strength)} cannot be applied to VALUES`);
      plan = tail(binder, yield* bindValues(binder, query, scope, options), query, scope);
      break;
    case 'setOperation':
      if (query.locking.length > 0) failNowhere('0A000', `${lockName(query.locking[0].strength)} is not allowed with UNION/INTERSECT/EXCEPT`);
      plan = tail(binder, yield* bindSetOperation(binder, query, scope, options), query, scope);
      break;
  }
  return { plan: withDefinitions(binder, scope, plan) };
}

function* bindValues(binder: Binder, query: Values, scope: Scope, options: QueryOptions): Generator<void, Plan> {
  const { coercion } = binder;
  scope.clause = 'values';
  const written = query.rows.some(hasStars) ? query.rows.map((row) => spreadStars(binder, row, scope)) : query.rows;
  const width = written[0].length;
  refuseWideList(width, query.at);
  const rows: Bound[][] = [];
  for (const row of written) {
    if (row.length !== width) fail('42601', 'VALUES lists must all be the same length', row[0]?.at ?? query.at);
    rows.push(row.map((value) => bindExpression(binder, value, scope)));
    if (rows.length % PARTS_AT_ONCE === 0) yield;
  }
  if (scope.level.aggregates.length > 0) fail('42803', 'aggregate functions are not allowed in VALUES', query.at);
  if (scope.level.setFunctions.length > 0) fail('0A000', 'set-returning functions are not allowed in VALUES', query.at);
  const columns: OutputColumn[] = [];
  for (let c = 0; c < width; c++) {
    const types = rows.map((row) => coercion.typeOf(row[c]));
    const unknown = types.every(({ name }) => name === 'unknown');
    const type = unknown && options.keepUnknown === true ? binder.type('unknown') : coercion.commonOf(types, 'VALUES', (r) => startOf(written[r][c]));
    // Rows may be hundreds of thousands: they are changed in place, and values of the right type stay.
    let typmod: number | null = null;
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r];
      if (row[c].kind !== 'constant' || row[c].type !== type || row[c].typmod !== -1) row[c] = coercion.coerce(row[c], type, -1, 'implicit', written[r][c].at);
      typmod = typmod === null || typmod === row[c].typmod ? row[c].typmod : -1;
    }
    columns.push(binder.column(`column${c + 1}`, type, typmod ?? -1));
    const { collations } = binder;
    if (collations !== null && typeCollation(type) !== null) {
      collations.setColumn(
        columns[c].id,
        collations.combined(
          written.map((row) => collations.of(row[c])),
          true,
        ),
      );
    }
  }
  return { op: 'values', rows, columns };
}

function* bindSetOperation(binder: Binder, query: SetOperation, scope: Scope, options: QueryOptions): Generator<void, Plan> {
  const [first, ...others] = query.inputs;
  let left = (yield* bindQuerySteps(binder, first, scope, { keepUnknown: true })).plan;
  for (const [i, input] of others.entries()) {
    yield;
    const right = (yield* bindQuerySteps(binder, input, scope, { keepUnknown: true })).plan;
    const last = i === others.length - 1;
    left = combine(binder, query, left, right, last && options.keepUnknown !== true, input);
  }
  return left;
}

function combine(binder: Binder, query: SetOperation, left: Plan, right: Plan, resolve: boolean, input: Query): Plan {
  const name = query.operator.toUpperCase();
  if (left.columns.length !== right.columns.length) fail('42601', `each ${name} query must have the same number of columns`, columnStart(input, 0));
  const types = left.columns.map((column, i) => {
    const pair = [column.type, right.columns[i].type];
    if (pair.every((type) => type.name === 'unknown')) return resolve || !query.all ? binder.type('text') : binder.type('unknown');
    return binder.coercion.commonOf(pair, name, (each) => columnStart(each === 0 ? query.inputs[0] : input, i));
  });
  const { collations } = binder;
  const derived =
    collations === null
      ? null
      : types.map((type, i) => {
          if (typeCollation(type) === null) return null;
          const [one, other] = [left, right].map((plan, side) => {
            const own = collations.output(plan.columns[i].id, plan.columns[i].type);
            return own.strength === 'explicit' ? own : { ...own, at: columnStart(side === 0 ? query.inputs[0] : input, i) };
          });
          const both = collations.combined([one, other], query.all);
          return both;
        });
  const a = coerceColumns(binder, left, types, 'implicit', query.at);
  const b = coerceColumns(binder, right, types, 'implicit', query.at);
  if (!query.all) types.forEach((type, i) => groupingEquality(binder, type, columnStart(query.inputs[0], i)));
  const columns = a.columns.map((column, i) => binder.column(left.columns[i].name, types[i], column.typmod === b.columns[i].typmod ? column.typmod : -1));
  derived?.forEach((each, i) => {
    if (each !== null) collations!.setColumn(columns[i].id, each);
  });
  const folds = derived?.map((each, i) => (each === null ? null : collations!.folding(each, types[i]))) ?? [];
  const operation = { op: 'setOperation', operator: query.operator, all: query.all, left: a, right: b, columns } as const;
  return (query.all && query.operator === 'union') || folds.every((each) => each === null) ? operation : foldedOperation(binder, operation, folds);
}

/** For rows under nondeterministic collations. */
function foldedOperation(binder: Binder, operation: Plan & { op: 'setOperation' }, foldings: Foldings): Plan {
  const left = keyedRows(binder, operation.left, foldings);
  const columns = left.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  const keyed: Plan = { ...operation, left, right: keyedRows(binder, operation.right, foldings), columns };
  return unkeyedRows(binder, keyed, foldings, operation.columns);
}

/** The plan with its columns as the given types; literals of a select list are coerced directly. */
export function coerceColumns(binder: Binder, plan: Plan, types: readonly (SqlType | null)[], context: 'implicit' | 'assignment', at: number): Plan {
  if (plan.columns.every((column, i) => types[i] === null || column.type === types[i])) return plan;
  const { coercion } = binder;
  if (plan.op === 'project' && plan.columns.every(({ type }, i) => type.name !== 'unknown' || types[i] === type || plan.items[i].value.kind !== 'column')) {
    const items = plan.items.map((item, i) => {
      const type = types[i];
      if (type === null || plan.columns[i].type === type) return item;
      return { id: item.value.kind === 'column' ? binder.id() : item.id, value: coercion.coerce(item.value, type, -1, context, at) };
    });
    return {
      ...plan,
      items,
      columns: plan.columns.map((column, i) => ({ ...column, id: items[i].id, type: items[i].value.type, typmod: items[i].value.typmod })),
    };
  }
  if (plan.op === 'values' && plan.rows.length > 0) {
    const rows = plan.rows.map((row) => row.map((value, c) => (types[c] === null ? value : coercion.coerce(value, types[c], -1, context, at))));
    return { ...plan, rows, columns: plan.columns.map((column, c) => ({ ...column, type: types[c] ?? column.type })) };
  }
  const items = plan.columns.map((column, i) => {
    const type = types[i];
    const value = binder.use(column);
    if (type === null || type === column.type) return { id: column.id, value };
    return { id: binder.id(), value: coercion.coerce(value, type, -1, context, at) };
  });
  return {
    op: 'project',
    input: plan,
    items,
    columns: plan.columns.map((column, i) => ({ ...column, id: items[i].id, type: items[i].value.type, typmod: items[i].value.typmod })),
  };
}

/** ORDER BY, LIMIT and OFFSET of VALUES and set operations: keys are output columns by name or position. */
function tail(binder: Binder, plan: Plan, query: Values | SetOperation, scope: Scope): Plan {
  const keys = query.orderBy.map((key): BoundSort => {
    const column = outputColumn(plan.columns, key);
    if (column !== null) {
      const value = binder.use(column);
      return sortOf(binder, key, binder.collations === null ? value : binder.collations.key(value, binder.collations.ofValue(value, key.at)));
    }
    if (query.type === 'values') {
      const own = new Scope(scope);
      own.namespace = { relations: [], columns: plan.columns.map((each) => ({ name: each.name, value: binder.use(each) })) };
      return sortOf(binder, key, bindExpression(binder, key.value, own));
    }
    const own = new Scope(scope);
    own.namespace = { relations: [], columns: plan.columns.map((each) => ({ name: each.name, value: binder.use(each) })) };
    bindExpression(binder, key.value, own);
    return fail('0A000', 'invalid UNION/INTERSECT/EXCEPT ORDER BY clause', startOf(key.value), {
      detail: 'Only result column names can be used, not expressions or functions.',
      hint: 'Add the expression/function to every SELECT, or move the UNION into a FROM clause.',
    });
  });
  let out = plan;
  if (keys.length > 0) out = { op: 'sort', input: out, keys, columns: out.columns };
  return limited(binder, out, query, keys, scope);
}

/** A number is a column position; another constant would have no effect. */
export function refuseConstant(value: Expression, clause: 'ORDER BY' | 'GROUP BY' | 'DISTINCT ON'): void {
  const { type } = value;
  if (type === 'string' || type === 'null' || type === 'boolean' || type === 'number') fail('42601', `non-integer constant in ${clause}`, value.at);
}

/** The output column that a key names by position or plain name; null for an expression. */
export function outputColumn(columns: readonly OutputColumn[], key: SortKey, distinctOn = false): OutputColumn | null {
  const { value } = key;
  const clause = distinctOn ? 'DISTINCT ON' : 'ORDER BY';
  refuseConstant(value, clause);
  if (value.type === 'integer') {
    if (value.value < 1 || value.value > columns.length) fail('42P10', `${clause} position ${value.value} is not in select list`, value.at);
    return columns[value.value - 1];
  }
  if (value.type === 'column' && value.parts.length === 1 && !value.star) {
    const found = columns.filter(({ name }) => name === value.parts[0]);
    if (found.length > 1 && found.some(({ id }) => id !== found[0].id)) fail('42702', `${clause} "${value.parts[0]}" is ambiguous`, value.at);
    return found[0] ?? null;
  }
  return null;
}

export function limited(
  binder: Binder,
  plan: Plan,
  query: { limit: Expression | null; offset: Expression | null; withTies: boolean; at: number },
  keys: readonly BoundSort[],
  scope: Scope,
): Plan {
  if (query.limit === null && query.offset === null) return plan;
  const bindCount = (expression: Expression | null, clause: string): Bound | null => {
    if (expression === null) return null;
    const own = new Scope(scope.parent);
    own.clause = 'limit';
    own.namespace = scope.namespace;
    const value = bindExpression(binder, expression, own);
    // Function arguments and columns of enclosing queries are no variables of this query.
    const columns = new Set(scope.namespace.columns.flatMap((column) => [...columnsOf(column.value)]));
    const named = [...columnsOf(value)].some((id) => columns.has(id));
    if (named) fail('42P10', `argument of ${clause} must not contain variables`, startOf(expression));
    const out = binder.coercion.tryCoerce(value, binder.type('int8'), -1, 'assignment', expression.at);
    if (out === null) fail('42804', `argument of ${clause} must be type bigint, not type ${binder.coercion.typeOf(value).title}`, startOf(expression));
    return out;
  };
  if (query.withTies && keys.length === 0) failNowhere('42601', 'WITH TIES cannot be specified without ORDER BY clause');
  return {
    op: 'limit',
    input: plan,
    limit: bindCount(query.limit, 'LIMIT'),
    offset: bindCount(query.offset, 'OFFSET'),
    ties: query.withTies ? keys : null,
    columns: plan.columns,
  };
}
