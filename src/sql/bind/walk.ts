/** Walks over bound expressions for the binder, in addition to plan/rules/walk.ts. */
import { sameSubquery } from './same-plan.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { childrenOf } from '../plan/rules/walk.ts';

/** An expression with parts replaced; `change` gives null to descend, or the replacement of the node. */
export function rewrite(value: Bound, change: (value: Bound) => Bound | null, inPlan: (plan: Plan) => Plan = (plan) => plan): Bound {
  const replaced = change(value);
  if (replaced !== null) return replaced;
  const go = (each: Bound): Bound => rewrite(each, change, inPlan);
  const all = (list: readonly Bound[]): readonly Bound[] => {
    let changed = false;
    const out = list.map((each) => {
      const now = go(each);
      if (now !== each) changed = true;
      return now;
    });
    return changed ? out : list;
  };
  switch (value.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
      return value;
    case 'exists':
    case 'subquery':
    case 'arrayQuery': {
      const plan = inPlan(value.plan);
      return plan === value.plan ? value : { ...value, plan };
    }
    case 'call': {
      // Chains of operators are left-deep and may be long: down in a loop, then up again.
      if (value.args.length === 2 && value.args[0].kind === 'call') {
        const chain: (Bound & { kind: 'call' })[] = [];
        let at: Bound = value;
        let bottom: Bound | null = null;
        while (at.kind === 'call' && at.args.length === 2) {
          if (chain.length > 0) {
            const replacedHere = change(at);
            if (replacedHere !== null) {
              bottom = replacedHere;
              break;
            }
          }
          chain.push(at);
          at = at.args[0];
        }
        let built = bottom ?? go(at);
        for (let i = chain.length - 1; i >= 0; i--) {
          const node = chain[i];
          const right = go(node.args[1]);
          built = built === node.args[0] && right === node.args[1] ? node : { ...node, args: [built, right] };
        }
        return built;
      }
      const args = all(value.args);
      return args === value.args ? value : { ...value, args };
    }
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least': {
      const args = all(value.args);
      return args === value.args ? value : { ...value, args };
    }
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'field': {
      const arg = go(value.arg);
      return arg === value.arg ? value : { ...value, arg };
    }
    case 'isDistinct':
    case 'nullIf':
      return { ...value, left: go(value.left), right: go(value.right) };
    case 'in':
      return { ...value, arg: go(value.arg), list: all(value.list) };
    case 'quantified':
      return { ...value, left: go(value.left), array: go(value.array) };
    case 'case':
      return { ...value, branches: value.branches.map(({ when, then }) => ({ when: go(when), then: go(then) })), otherwise: go(value.otherwise) };
    case 'let':
      return { ...value, value: go(value.value), body: go(value.body) };
    case 'array':
      return { ...value, elements: all(value.elements) };
    case 'row':
      return { ...value, fields: all(value.fields) };
    case 'subscript':
      return {
        ...value,
        arg: go(value.arg),
        subscripts: value.subscripts.map(({ slice, lower, upper }) => ({
          slice,
          lower: lower === null ? null : go(lower),
          upper: upper === null ? null : go(upper),
        })),
      };
    case 'rowCompare':
      return { ...value, left: all(value.left), right: all(value.right) };
    case 'quantifiedQuery':
      return { ...value, compare: go(value.compare), plan: inPlan(value.plan) };
  }
}

const NOTHING_NAMED: ReadonlyMap<ColumnId, ColumnId> = new Map();

/** Structural equality of expressions, ignoring positions; `named` pairs the columns that they define. */
export function sameExpression(a: Bound, b: Bound, named: ReadonlyMap<ColumnId, ColumnId> = NOTHING_NAMED): boolean {
  if (a === b) return true;
  // Record types are created per row expression: their fields are compared instead.
  if (a.kind !== b.kind || (a.type !== b.type && a.type.oid !== b.type.oid) || a.collation?.join() !== b.collation?.join()) return false;
  switch (a.kind) {
    case 'constant': {
      const other = b as typeof a;
      if (a.value === null || other.value === null) return a.value === other.value;
      // Equal values may differ in form: 1.0 is not 1.00, and a day is not 24 hours.
      return a.type.hashable
        ? a.type.hashKey(a.value) === other.type.hashKey(other.value!) && isDeepStrictEqual(a.value, other.value)
        : a.value === other.value;
    }
    case 'column':
      return (named.get(a.id) ?? a.id) === (b as typeof a).id;
    case 'parameter':
      return a.number === (b as typeof a).number;
    case 'environment':
      return a.name === (b as typeof a).name && a.precision === (b as typeof a).precision;
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
    case 'quantifiedQuery':
      return sameSubquery(a, b as typeof a, named);
    case 'call':
      if (a.fn !== (b as typeof a).fn) return false;
      break;
    case 'cast':
      if (a.method !== (b as typeof a).method || a.typmod !== b.typmod) return false;
      break;
    case 'isNull':
    case 'isDistinct':
    case 'in':
      if (a.negated !== (b as typeof a).negated) return false;
      break;
    case 'isBoolean':
      if (a.negated !== (b as typeof a).negated || a.value !== (b as typeof a).value) return false;
      break;
    case 'quantified':
      if (a.quantifier !== (b as typeof a).quantifier || a.operator !== (b as typeof a).operator) return false;
      break;
    case 'rowCompare':
      if (a.op !== (b as typeof a).op) return false;
      break;
    case 'field':
      if (a.index !== (b as typeof a).index) return false;
      break;
    case 'subscript':
      if (a.subscripts.length !== (b as typeof a).subscripts.length) return false;
      break;
    case 'let': {
      const other = b as typeof a;
      return sameExpression(a.value, other.value, named) && sameExpression(a.body, other.body, new Map([...named, [a.id, other.id]]));
    }
    default:
      break;
  }
  const left = childrenOf(a);
  const right = childrenOf(b);
  return left.length === right.length && left.every((each, i) => sameExpression(each, right[i], named));
}

export function anyIn(value: Bound, test: (value: Bound) => boolean): boolean {
  const stack: Bound[] = [value];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (test(next)) return true;
    stack.push(...childrenOf(next));
  }
  return false;
}
