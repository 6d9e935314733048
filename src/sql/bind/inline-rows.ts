/**
 * Inlines a function in FROM as the query of its body, as Postgres does: the function must return a set, be STABLE or IMMUTABLE (a
 * VOLATILE one must see its own changes) and not STRICT (the query would return rows for nulls), and its arguments must be safe to
 * evaluate anywhere and repeatedly.
 *
 * In another state (AS OF) nothing is changed, and a call would read the present: there a VOLATILE function is inlined, too, and one
 * that returns a single value becomes a subquery of its body's first row.
 */
import type { Query } from '../ast/query.ts';
import type { Statement } from '../ast/statement.ts';
import type { Bound } from '../plan/bound.ts';
import type { FunctionScanPlan, Plan } from '../plan/logical.ts';
import { hasSubquery, isSubquery, isVolatile, planIsVolatile, rewriteBound } from '../plan/rules/walk.ts';
import { isRecordType } from '../types/record-type.ts';
import type { Binder } from './binder.ts';
import type { Body, InlinedCall } from './inline-functions.ts';
import { mapExpressions, mapInputs } from './plan-map.ts';
import { bindQuery } from './query.ts';

/** null if the call stays. */
export function inlineRows(found: InlinedCall, scan: FunctionScanPlan, inside: Body, elsewhere: boolean): Plan | null {
  const { args, body } = found;
  const { object, returns, columns } = found.user;
  if (!object.set || object.strict || (object.volatility === 'volatile' && !elsewhere) || returns.name === 'void' || !isQuery(body)) return null;
  if (args.some((arg) => isVolatile(arg) || hasSubquery(arg))) return null;
  const rows = inside.bind(found, (own): Plan | null => {
    const { plan } = bindQuery(own, body, null, {});
    if (plan.columns.length !== scan.columns.length) return null;
    // A single value that is a row is expanded as it comes.
    if ((columns !== null || isRecordType(returns)) && plan.columns.length === 1 && isRecordType(plan.columns[0].type)) return null;
    const items: { id: number; value: Bound }[] = [];
    for (const [i, { id, type, typmod }] of scan.columns.entries()) {
      const value = typmod < 0 ? own.coercion.tryCoerce(own.use(plan.columns[i]), type, -1, 'assignment', 0) : null;
      if (value === null) return null;
      items.push({ id, value });
    }
    return { op: 'project', input: plan, items, columns: scan.columns };
  });
  // Writes and locks are volatile: the function itself refuses them at run time.
  if (rows === null || planIsVolatile(rows)) return null;
  return withArguments(inside.plan(rows), args);
}

/** A function with a single value in another state; null if the call stays. */
export function inlineFirstRow(binder: Binder, found: InlinedCall, call: Bound & { kind: 'call' }, inside: Body): Bound | null {
  const { args, body, user } = found;
  const { object, returns, columns } = user;
  const { type } = call;
  if (object.set || object.strict || columns !== null || returns.name === 'void' || isRecordType(type) || !isQuery(body)) return null;
  if (args.some((arg) => isVolatile(arg) || hasSubquery(arg))) return null;
  const rows = inside.bind(found, (own): Plan | null => {
    const { plan } = bindQuery(own, body, null, {});
    if (plan.columns.length !== 1) return null;
    const value = own.coercion.tryCoerce(own.use(plan.columns[0]), type, -1, 'assignment', 0);
    if (value === null) return null;
    const column = { ...plan.columns[0], id: own.id(), type, typmod: -1 };
    const limit: Bound = { kind: 'constant', type: binder.type('int8'), typmod: -1, value: 1n };
    const first: Plan = { op: 'limit', input: plan, limit, offset: null, ties: null, columns: plan.columns };
    return { op: 'project', input: first, items: [{ id: column.id, value }], columns: [column] };
  });
  if (rows === null || planIsVolatile(rows)) return null;
  return { kind: 'subquery', type, typmod: -1, plan: withArguments(inside.plan(rows), args) };
}

function isQuery(statement: Statement): statement is Statement & Query {
  return statement.type === 'select' || statement.type === 'values' || statement.type === 'setOperation';
}

function withArguments(rows: Plan, args: readonly Bound[]): Plan {
  const queries = new Map<Plan, Plan>();
  const expression = (e: Bound): Bound =>
    rewriteBound(e, (at) => {
      if (at.kind === 'parameter') return args[at.number - 1];
      if (!isSubquery(at)) return at;
      let plan = queries.get(at.plan);
      if (plan === undefined) queries.set(at.plan, (plan = over(at.plan)));
      return plan === at.plan ? at : { ...at, plan };
    });
  const over = (plan: Plan): Plan => mapExpressions(mapInputs(plan, over), expression);
  return over(rows);
}
