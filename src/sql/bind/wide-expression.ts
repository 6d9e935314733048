/** Expressions of thousands of terms, bound in steps. All others are bound at once. */
import type { Expression } from '../ast/expression.ts';
import { startOf } from '../ast/start-of.ts';
import type { Bound } from '../plan/bound.ts';
import type { Binder } from './binder.ts';
import { bindCase, bindExpression } from './expression.ts';
import type { Scope } from './scope.ts';

export const PARTS_AT_ONCE = 64;

export function* bindWide(binder: Binder, expression: Expression, scope: Scope): Generator<void, Bound> {
  const bound = yield* wide(binder, expression, scope);
  if (bound === null) return bindExpression(binder, expression, scope);
  return binder.collations === null ? bound : binder.collations.note(expression, bound);
}

/** null if it is not one of them. */
function* wide(binder: Binder, expression: Expression, scope: Scope): Generator<void, Bound | null> {
  switch (expression.type) {
    case 'and':
    case 'or': {
      const clause = expression.type.toUpperCase();
      const args: Bound[] = [];
      for (const arg of expression.args) {
        args.push(binder.coercion.toBoolean(yield* bindWide(binder, arg, scope), clause, startOf(arg)));
        if (args.length % PARTS_AT_ONCE === 0) yield;
      }
      return { kind: expression.type, type: binder.type('bool'), typmod: -1, args };
    }
    case 'case':
      return expression.branches.length > PARTS_AT_ONCE ? yield* bindCase(binder, expression, scope) : null;
    default:
      return null;
  }
}
