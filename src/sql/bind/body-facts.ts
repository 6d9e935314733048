/** Properties of an expression before it is inlined: volatility, strictness, cost. */
import type { Volatility } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import { isVolatile, visitBound } from '../plan/rules/walk.ts';
import { anyIn } from './walk.ts';

/** Its highest volatility, by the declarations of functions. */
export function volatilityOf(e: Bound): Volatility {
  if (isVolatile(e)) return 'volatile';
  return anyIn(e, isChangeable) ? 'stable' : 'immutable';
}

function isChangeable(at: Bound): boolean {
  if (at.kind === 'environment') return true;
  if (at.kind === 'call') return at.fn.declaredImmutable !== true && (at.fn.volatility ?? 'immutable') !== 'immutable';
  return at.kind === 'cast' && (at.cast?.volatility ?? 'immutable') !== 'immutable';
}

/** Whether a null anywhere in it makes the whole null. Conditions and constructors of several values are not examined. */
export function isStrict(e: Bound): boolean {
  return !anyIn(e, (at) => {
    switch (at.kind) {
      case 'constant':
      case 'column':
      case 'parameter':
      case 'environment':
      case 'not':
      case 'field':
      case 'subscript':
        return false;
      case 'call':
        return at.fn.strict === false;
      case 'cast':
        return at.method === 'function' && at.cast?.user !== undefined;
      default:
        return true;
    }
  });
}

/** A user-defined function costs a hundred operators by default (manual, CREATE FUNCTION). */
const OWN_COST = 100;

/** Approximate cost in built-in operators. */
export function operatorsIn(e: Bound): number {
  let count = 0;
  visitBound(e, (at) => {
    switch (at.kind) {
      case 'constant':
      case 'column':
      case 'parameter':
      case 'field':
      case 'row':
        break;
      case 'call':
        count += 'user' in at.fn && at.fn.user !== undefined ? OWN_COST : 1;
        break;
      case 'in':
        count += at.list.length;
        break;
      default:
        count += 1;
    }
  });
  return count;
}

/** Whether it takes locks or sleeps: a statement that contains such a call may have to be retried. */
export function mayWait(e: Bound): boolean {
  return anyIn(e, (at) => at.kind === 'call' && 'mayWait' in at.fn && at.fn.mayWait === true);
}
