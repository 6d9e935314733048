/**
 * Factors OR conditions: conditions that occur in every arm are extracted, so that joins and indexes can use them; and restrictions
 * of the arms on one side of a join filter that side before the join.
 *
 *   a AND b OR a AND c   →   a AND (b OR c)
 *   x = 1 AND y = 2 OR x = 3 AND y = 4   →   the same, and on the side of x: x = 1 OR x = 3
 */
import type { Bound, Logical } from '../bound.ts';
import { conjunction } from './rewrite.ts';
import { childrenOf, conjuncts, hasSubquery, isVolatile } from './walk.ts';

/** The conjuncts of an expression, including those that all arms of an OR share. */
export function factored(e: Bound): Bound[] {
  return conjuncts(e).flatMap((each) => (each.kind === 'or' ? factorOr(each) : [each]));
}

function factorOr(e: Logical): Bound[] {
  const arms = e.args.map((arm) => conjuncts(arm));
  const common = arms[0].filter((one) => !isVolatile(one) && !hasSubquery(one) && arms.every((arm) => arm.some((other) => sameForm(one, other))));
  if (common.length === 0) return [e];
  const rests = arms.map((arm) => arm.filter((one) => !common.some((other) => sameForm(one, other))));
  // An arm without further conditions makes the rest of the OR true.
  if (rests.some((rest) => rest.length === 0)) return common;
  return [...common, { ...e, args: rests.map((rest) => conjunction(rest)!) }];
}

const used = new WeakSet<Bound>();

/** The restriction that an OR implies for one side alone; null if an arm has none, or it was derived before. */
export function impliedBy(e: Bound, about: (one: Bound) => boolean): Bound | null {
  if (e.kind !== 'or' || isVolatile(e) || hasSubquery(e)) return null;
  const arms: Bound[] = [];
  for (const arm of e.args) {
    const own = conjunction(conjuncts(arm).filter(about));
    if (own === null) return null;
    arms.push(own);
  }
  return { ...e, args: arms };
}

/** True the first time. */
export function isFirstUse(e: Bound): boolean {
  if (used.has(e)) return false;
  used.add(e);
  return true;
}

/** Whether two expressions are written alike; false for forms that are rarely repeated. */
export function sameForm(a: Bound, b: Bound): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.type.oid !== b.type.oid || a.typmod !== b.typmod) return false;
  switch (a.kind) {
    case 'column':
      return a.id === (b as typeof a).id;
    case 'parameter':
      return a.number === (b as typeof a).number;
    case 'constant': {
      const value = (b as typeof a).value;
      if (typeof a.value === 'object' && a.value !== null && value !== null && typeof value === 'object')
        return a.type.hashable && a.type.hashKey(a.value) === a.type.hashKey(value);
      return Object.is(a.value, value);
    }
    case 'call': {
      const other = b as typeof a;
      return a.fn === other.fn && a.proc === other.proc && allSame(a.args, other.args);
    }
    case 'cast': {
      const other = b as typeof a;
      return a.method === other.method && a.cast === other.cast && a.explicit === other.explicit && sameForm(a.arg, other.arg);
    }
    case 'not':
      return sameForm(a.arg, (b as typeof a).arg);
    case 'isNull':
      return a.negated === (b as typeof a).negated && sameForm(a.arg, (b as typeof a).arg);
    case 'in': {
      const other = b as typeof a;
      return a.negated === other.negated && a.equal === other.equal && sameForm(a.arg, other.arg) && allSame(a.list, other.list);
    }
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least':
      return allSame(a.args, (b as typeof a).args);
    case 'case': {
      const other = b as typeof a;
      return a.branches.length === other.branches.length && allSame(childrenOf(a), childrenOf(other));
    }
    case 'nullIf': {
      const other = b as typeof a;
      return a.equal === other.equal && sameForm(a.left, other.left) && sameForm(a.right, other.right);
    }
    case 'field':
      return a.index === (b as typeof a).index && sameForm(a.arg, (b as typeof a).arg);
    default:
      return false;
  }
}

function allSame(a: readonly Bound[], b: readonly Bound[]): boolean {
  return a.length === b.length && a.every((one, i) => sameForm(one, b[i]));
}
