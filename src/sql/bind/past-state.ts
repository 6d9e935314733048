/**
 * Everything below a view AS OF another state belongs to that state: tables, views and policies of its query, with the definitions
 * of that time, and the reads of inlined SQL functions.
 *
 *     FROM v AS OF 's'  ──►  query of v as it was in s  ──►  FROM t, u       read in s
 *                                                            FROM t AS OF 'r' read in r, as seen from s
 *
 * A function that is not inlined reads the present at run time, so only an immutable one is called there.
 */
import { formatMicros } from '../../base/clock.ts';
import type { Micros } from '../../base/brands.ts';
import { parseMoment } from '../../base/moment.ts';
import type { AsOf } from '../ast/query.ts';
import type { ScalarFunction, SetFunction } from '../functions/define.ts';
import type { Plan, State } from '../plan/logical.ts';
import { boundsOf, inputsOf, isSubquery, visitBound } from '../plan/rules/walk.ts';
import { startOf } from '../ast/start-of.ts';
import { stateNamed } from '../ast/as-of-state.ts';
import { bindExpression } from './expression.ts';
import { Scope } from './scope.ts';
import { type Binder, fail, failNowhere, type Names } from './binder.ts';

/** AS OF with its expression evaluated; null: parameters are not known yet, and names are taken from the present. */
export function readMoment(binder: Binder, asOf: AsOf): AsOf | null {
  if (asOf.value === null) return asOf;
  const { expression, inWorld } = asOf.value;
  binder.readsMoments = binder.usedOtherStates = true;
  const scope = new Scope(null);
  scope.clause = 'limit';
  scope.clauseTitle = 'AS OF';
  const { coercion } = binder;
  let bound = coercion.resolveUnknown(bindExpression(binder, expression, scope), startOf(expression));
  if (!TEXTS.has(bound.type.name)) {
    const moment = inWorld ? null : coercion.tryCoerce(bound, binder.type('timestamptz'), -1, 'implicit', startOf(expression));
    if (moment === null) {
      fail(
        '42804',
        `argument of AS OF${inWorld ? ' WORLD' : ''} must be ${inWorld ? 'text' : 'a time or text'}, not type ${bound.type.title}`,
        startOf(expression),
        {
          hint: inWorld ? undefined : "Count from now: now() - interval '10 s'.",
        },
      );
    }
    bound = moment;
  }
  // A view that is being defined has the current columns.
  if (binder.recording !== null) return null;
  if (binder.moments === null) fail('0A000', 'AS OF with an expression is not supported here', asOf.at, { hint: 'Write the moment as a literal.' });
  const value = binder.moments.value(binder, expression, bound);
  if (value === null) return null;
  return { ...stateNamed(value, inWorld), value: null, at: asOf.at };
}
const TEXTS = new Set(['text', 'varchar', 'bpchar', 'name', 'unknown']);

/** The state of an AS OF where tables are already read in `outer`. */
export function stateWithin(outer: State | null, { world, when, at }: AsOf): State {
  if (outer === null) return { world, when };
  if (world !== null) return { world, when: when ?? outer.when };
  if (when === null || outer.when === null) return { world: outer.world, when: when ?? outer.when };
  return { world: outer.world, when: when.startsWith('-') ? before(outer.when, when, at) : when };
}

/** A relative time, as seen from a moment. */
function before(moment: string, ago: string, at: number): string {
  // A relative moment is in microseconds, below zero.
  const agoOf = (text: string): number => {
    const read = parseMoment(text, 0 as Micros);
    return read.kind === 'at' ? read.at : 0;
  };
  if (moment.startsWith('-')) return `${(agoOf(moment) + agoOf(ago)) / 1000}ms`;
  if (moment.startsWith('#')) fail('0A000', `AS OF '${ago}' inside a view cannot be counted from ${moment}`, at, { hint: 'Read the view as of a time.' });
  const from = parseMoment(moment, Number.MAX_SAFE_INTEGER as Micros);
  return formatMicros(((from.kind === 'at' ? from.at : 0) + agoOf(ago)) as Micros);
}

/** The query of a view in another state, with functions inlined. 0A000 if a remaining call may read the present. */
export function asItWas(binder: Binder, query: Plan, names: Names, view: string): Plan {
  if (!binder.callsOwn) return query;
  const plan = names.inlined?.(binder, query) ?? query;
  refuseCalls(plan, view);
  return plan;
}

function refuseCalls(plan: Plan, view: string): void {
  for (const root of boundsOf(plan)) {
    visitBound(root, (e) => {
      if (isSubquery(e)) refuseCalls(e.plan, view);
      if (e.kind === 'call' && 'kind' in e.fn && mayRead(e.fn)) refuse(e.fn.name, view);
    });
  }
  if (plan.op === 'functionScan') {
    for (const { call } of plan.functions) if (mayRead(call.fn)) refuse(call.fn.name, view);
  }
  for (const input of inputsOf(plan)) refuseCalls(input, view);
}

function mayRead({ user, volatility, declaredImmutable }: ScalarFunction | SetFunction): boolean {
  return user !== undefined && volatility !== 'immutable' && declaredImmutable !== true;
}

function refuse(name: string, view: string): never {
  return failNowhere('0A000', `view "${view}" calls function ${name}, which would read the present and not the past`, {
    hint: 'Declare it IMMUTABLE where it reads no table, or write it as one SELECT in LANGUAGE sql; or connect to the moment (name@when) and read the view there.',
  });
}
