/** What is asked of an expression before it stands in place of a call: how changeable it is, whether a null makes it null, what it costs. */
import type { Volatility } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import { isVolatile, visitBound } from '../plan/rules/walk.ts';
import { anyIn } from './walk.ts';

/** The most changeable that is in it, by what functions are declared. */
export function volatilityOf(e: Bound): Volatility {
  if (isVolatile(e)) return 'volatile';
  return anyIn(e, isChangeable) ? 'stable' : 'immutable';
}

function isChangeable(at: Bound): boolean {
  if (at.kind === 'environment') return true;
  if (at.kind === 'call') return at.fn.declaredImmutable !== true && (at.fn.volatility ?? 'immutable') !== 'immutable';
  return at.kind === 'cast' && (at.cast?.volatility ?? 'immutable') !== 'immutable';
}

/** Whether a null anywhere in it makes the whole null. Conditions and what builds values of several are not looked into. */
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

/** What the world defines costs a hundred operators, unless its author says otherwise (manual, CREATE FUNCTION). */
const OWN_COST = 100;

/** In operators of the system, about. */
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

/** Whether it takes locks or sleeps: a statement that has such a call by itself may have to run again. */
export function mayWait(e: Bound): boolean {
  return anyIn(e, (at) => at.kind === 'call' && 'mayWait' in at.fn && at.fn.mayWait === true);
}
