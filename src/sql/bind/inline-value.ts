/**
 * Inlines a call of an SQL function whose body is one expression, under Postgres's conditions: the body is no more volatile than the
 * function is declared, a STRICT function's body is strict in all parameters, and an argument that is used more than once is neither
 * volatile nor a subquery. An expensive argument is computed once all the same.
 */
import { plainExpression } from '../ast/plain-select.ts';
import type { Bound } from '../plan/bound.ts';
import { failsConstant } from '../plan/rules/fold.ts';
import { hasSubquery, isVolatile, rewriteBound, visitBound } from '../plan/rules/walk.ts';
import { isRecordType } from '../types/record-type.ts';
import type { Binder } from './binder.ts';
import { isStrict, mayWait, operatorsIn, volatilityOf } from './body-facts.ts';
import { isPolymorphic } from './coerce.ts';
import { bindExpression } from './expression.ts';
import type { Body, InlinedCall } from './inline-functions.ts';
import { Scope } from './scope.ts';

/** An argument with at most this many operators may be evaluated repeatedly (Postgres's number). */
const CHEAP_OPERATORS = 10;

/** null if the call stays. */
export function inlineValue(binder: Binder, found: InlinedCall, call: Bound & { kind: 'call' }, inside: Body): Bound | null {
  const { user, args } = found;
  const { object, returns, columns } = user;
  if (object.set || columns !== null || isRecordType(returns)) return null;
  const expression = plainExpression(found.body);
  if (expression === null) return null;
  const type = isPolymorphic(returns.name) ? call.type : returns;
  if (isRecordType(type)) return null;
  const value = inside.bind(found, (own) => {
    const scope = new Scope(null);
    const bound = own.coercion.resolveUnknown(bindExpression(own, expression, scope), 0);
    const { aggregates, windows, setFunctions, groupings } = scope.level;
    if (aggregates.length > 0 || windows.length > 0 || setFunctions.length > 0 || groupings.length > 0) return null;
    return own.coercion.tryCoerce(bound, type, -1, 'assignment', 0);
  });
  if (value === null || value.type.oid !== type.oid || hasSubquery(value) || mayWait(value)) return null;
  const volatility = volatilityOf(value);
  if (object.volatility === 'immutable' ? volatility !== 'immutable' : object.volatility === 'stable' && volatility === 'volatile') return null;
  if (object.strict && !(isStrict(value) && usesOf(value, args.length).every((uses) => uses > 0))) return null;
  const made = withArguments(binder, inside.expression(value), args);
  // Errors of constants are planning errors, which have the function as context at run time.
  return made === null || failsConstant(made) ? null : made;
}

/** Number of uses of each parameter. */
function usesOf(value: Bound, parameters: number): number[] {
  const uses = new Array<number>(parameters).fill(0);
  visitBound(value, (at) => {
    if (at.kind === 'parameter') uses[at.number - 1]++;
  });
  return uses;
}

function withArguments(binder: Binder, value: Bound, args: readonly Bound[]): Bound | null {
  const uses = usesOf(value, args.length);
  const once: { readonly id: number; readonly value: Bound }[] = [];
  const by: Bound[] = [];
  for (const [i, arg] of args.entries()) {
    if (uses[i] > 1 && (isVolatile(arg) || hasSubquery(arg))) return null;
    if (uses[i] <= 1 || operatorsIn(arg) <= CHEAP_OPERATORS) {
      by.push(arg);
      continue;
    }
    const id = binder.id();
    once.push({ id, value: arg });
    by.push({ kind: 'column', id, type: arg.type, typmod: arg.typmod });
  }
  let made = rewriteBound(value, (at) => (at.kind === 'parameter' ? by[at.number - 1] : at));
  for (const { id, value: arg } of once) made = { kind: 'let', id, value: arg, body: made, type: made.type, typmod: made.typmod };
  return made;
}
