/**
 * Whether predicates imply a condition, so that a partial index with it covers all their rows. Each conjunct must be implied by a
 * predicate: an equal one, a narrower bound of the same value, or (IS NOT NULL) any that is not true for null.
 */
import type { Bound, Call } from '../bound.ts';
import type { Value } from '../../types/value.ts';
import { sameForm } from './factor.ts';
import { refusesNulls } from './refuses-nulls.ts';
import { columnsOf, conjuncts } from './walk.ts';

export function implies(predicates: readonly Bound[], condition: Bound): boolean {
  return conjuncts(condition).every((part) => predicates.some((e) => impliesOne(e, part)));
}

function impliesOne(e: Bound, part: Bound): boolean {
  if (sameForm(e, part)) return true;
  if (part.kind === 'or') return part.args.some((arm) => implies([e], arm));
  if (e.kind === 'or') return e.args.every((arm) => implies(conjuncts(arm), part));
  if (part.kind === 'isNull' && part.negated && part.arg.kind === 'column') return refusesNulls(e, columnsOf(part.arg));
  const wanted = comparison(part);
  if (wanted === null) return false;
  const { fn, left, right } = wanted;
  const holds = (value: Value): boolean => value !== null && (fn.impl as (a: Value, b: Value) => Value)(value, right.value) === true;
  if (e.kind === 'in' && !e.negated) {
    return sameForm(e.arg, left) && e.list.every((item) => item.kind === 'constant' && item.type.oid === right.type.oid && holds(item.value));
  }
  const said = comparison(e);
  if (said === null || !sameForm(said.left, left) || said.right.type.oid !== right.type.oid) return false;
  const bound = said.right.value;
  const same = right.type.hashable && bound !== null && right.type.hashKey(bound) === right.type.hashKey(right.value!);
  const up = fn.name === '>' || fn.name === '>=';
  const down = fn.name === '<' || fn.name === '<=';
  switch (said.fn.name) {
    case '=':
      return holds(bound);
    case '>':
      return up && (holds(bound) || same);
    case '>=':
      return up && holds(bound);
    case '<':
      return down && (holds(bound) || same);
    case '<=':
      return down && holds(bound);
    default:
      return false;
  }
}

/** `x op constant`, with an operator without further parameters. */
function comparison(e: Bound): { readonly fn: Call['fn']; readonly left: Bound; readonly right: Bound & { kind: 'constant' } } | null {
  if (e.kind !== 'call' || e.args.length !== 2 || 'kind' in e.fn || !['=', '<>', '<', '<=', '>', '>='].includes(e.fn.name)) return null;
  const [left, right] = e.args;
  if (right.kind !== 'constant' || right.value === null || e.fn.needsCall === true || e.fn.strict === false) return null;
  if ((e.fn.volatility ?? 'immutable') !== 'immutable') return null;
  return { fn: e.fn, left, right };
}
