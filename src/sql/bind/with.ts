/** WITH: definitions bound in order, recursive ones as a start and a step; one that is read once is put in its place. */
import type { CommonTable, Query, SetOperation, With } from '../ast/query.ts';
import type { Plan } from '../plan/logical.ts';
import { type Binder, fail } from './binder.ts';
import { mapPlan } from './plan-map.ts';
import { bindQuery, coerceColumns } from './query.ts';
import { Scope } from './scope.ts';
import { hasVolatile } from './volatile.ts';
import { bindWrite } from './write.ts';

export function bindWith(binder: Binder, clause: With, scope: Scope): void {
  for (const table of clause.tables) {
    if (scope.commonTables.has(table.name)) fail('42712', `WITH query name "${table.name}" specified more than once`, table.at);
    if (table.search !== null || table.cycle !== null) fail('0A000', 'SEARCH and CYCLE of WITH RECURSIVE are not supported', table.at);
    const number = binder.commonTableNumber();
    const { body } = table;
    const modifies = body.type === 'insert' || body.type === 'update' || body.type === 'delete' || body.type === 'merge';
    let plan: Plan;
    if (modifies) {
      if (scope.parent !== null) fail('0A000', 'WITH clause containing a data-modifying statement must be at the top level', table.at);
      plan = bindWrite(binder, body, scope);
    } else if (clause.recursive && names(body, table.name)) plan = bindRecursive(binder, table, body, number, scope);
    else plan = bindQuery(binder, body, scope, {}).plan;
    if (table.columns.length > plan.columns.length) {
      fail('42P10', `table "${table.name}" has ${plan.columns.length} columns available but ${table.columns.length} columns specified`, table.at);
    }
    const columns = plan.columns.map((column, i) => (i < table.columns.length ? { ...column, name: table.columns[i] } : column));
    scope.commonTables.set(table.name, { number, columns, recursive: false, used: 0 });
    scope.definitions.push({ number, name: table.name, plan, modifies });
    if (table.materialized === true) scope.materialized.add(number);
  }
}

function bindRecursive(binder: Binder, table: CommonTable, body: Query, number: number, scope: Scope): Plan {
  if (body.type !== 'setOperation' || body.operator !== 'union') {
    fail('42P19', `recursive query "${table.name}" does not have the form non-recursive-term UNION [ALL] recursive-term`, table.at);
  }
  if (body.orderBy.length > 0) fail('0A000', 'ORDER BY in a recursive query is not implemented', body.at);
  if (body.limit !== null || body.offset !== null) fail('0A000', 'LIMIT in a recursive query is not implemented', body.at);
  const inner = new Scope(scope);
  if (body.with !== null) bindWith(binder, body.with, inner);
  const first: Query = body.inputs.length === 2 ? body.inputs[0] : ({ ...body, with: null, inputs: body.inputs.slice(0, -1) } satisfies SetOperation);
  if (names(first, table.name)) fail('42P19', `recursive reference to query "${table.name}" must not appear within its non-recursive term`, table.at);
  const start = bindQuery(binder, first, inner, {}).plan;
  const columns = start.columns.map((column, i) => ({ ...column, id: binder.id(), name: table.columns[i] ?? column.name }));
  inner.commonTables.set(table.name, { number, columns, recursive: true, used: 0 });
  let step = bindQuery(binder, body.inputs[body.inputs.length - 1], inner, { keepUnknown: true }).plan;
  if (step.columns.length !== columns.length) fail('42601', 'each UNION query must have the same number of columns', body.at);
  step.columns.forEach(({ type }, i) => {
    if (type === columns[i].type || type.name === 'unknown') return;
    const common = binder.coercion.commonOf([columns[i].type, type], 'UNION', body.at);
    if (common !== columns[i].type) {
      fail(
        '42804',
        `recursive query "${table.name}" column ${i + 1} has type ${columns[i].type.title} in non-recursive term but type ${common.title} overall`,
        table.at,
        {
          hint: 'Cast the output of the non-recursive term to the correct type.',
        },
      );
    }
  });
  step = coerceColumns(
    binder,
    step,
    columns.map(({ type }) => type),
    'implicit',
    body.at,
  );
  return { op: 'recursive', number, start, step, all: body.all, columns };
}

/** Whether a query names the table anywhere. */
function names(node: unknown, name: string): boolean {
  const stack: unknown[] = [node];
  while (stack.length > 0) {
    const next = stack.pop();
    if (next === null || typeof next !== 'object') continue;
    if (Array.isArray(next)) {
      stack.push(...(next as unknown[]));
      continue;
    }
    const item = next as { type?: string; name?: { name?: string; schema?: string | null } };
    if (item.type === 'table' && item.name?.name === name && item.name.schema === null) return true;
    stack.push(...Object.values(next));
  }
  return false;
}

/** The plan under its definitions; those that are read once and change nothing stand where they are read. */
export function withDefinitions(binder: Binder, scope: Scope, plan: Plan): Plan {
  let body = plan;
  let definitions = scope.definitions;
  for (const definition of [...definitions].reverse()) {
    const { number, modifies } = definition;
    if (modifies) continue;
    const readers = count(body, number) + definitions.reduce((sum, each) => sum + (each === definition ? 0 : count(each.plan, number)), 0);
    if (readers === 0) {
      definitions = definitions.filter((each) => each !== definition);
      continue;
    }
    if (readers > 1 || scope.materialized.has(number) || hasVolatile(definition.plan)) continue;
    const inline = (tree: Plan): Plan =>
      mapPlan(tree, (each) => {
        if (each.op !== 'cteScan' || each.number !== number) return null;
        const items = each.columns.map((column, i) => ({ id: column.id, value: binder.use(definition.plan.columns[each.source[i]]) }));
        return { op: 'project', input: definition.plan, items, columns: each.columns };
      });
    body = inline(body);
    definitions = definitions.filter((each) => each !== definition).map((each) => ({ ...each, plan: inline(each.plan) }));
  }
  return definitions.length === 0 ? body : { op: 'with', definitions, body, columns: body.columns };
}

function count(plan: Plan, number: number): number {
  let n = 0;
  mapPlan(plan, (each) => {
    if (each.op === 'cteScan' && each.number === number) n++;
    return null;
  });
  return n;
}
