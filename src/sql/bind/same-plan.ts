/**
 * Structural equality of subqueries, ignoring positions. Each is bound with columns of its own, so these are paired as they are met;
 * columns of enclosing queries must be identical.
 */
import type { Bound, ColumnId } from '../plan/bound.ts';
import { freeColumns } from '../plan/rules/walk.ts';
import { sameExpression } from './walk.ts';
import { isRecordType } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';

type WithPlan = Extract<Bound, { kind: 'exists' | 'subquery' | 'arrayQuery' | 'quantifiedQuery' }>;

/** `named`: columns that the enclosing expressions have paired already. */
export function sameSubquery(a: WithPlan, b: WithPlan, named: ReadonlyMap<ColumnId, ColumnId>): boolean {
  if (a.plan === b.plan) return true;
  const pairs = new Pairs();
  for (const id of freeColumns(a.plan)) pairs.matches(id, named.get(id) ?? id);
  const free = freeColumns(b.plan);
  if (free.size !== pairs.count || ![...free].every((id) => pairs.hasRight(id))) return false;
  return same(a, b, pairs);
}

class Pairs {
  readonly #left = new Map<ColumnId, ColumnId>();
  readonly #right = new Map<ColumnId, ColumnId>();

  get count(): number {
    return this.#left.size;
  }

  hasRight(id: ColumnId): boolean {
    return this.#right.has(id);
  }

  matches(a: ColumnId, b: ColumnId): boolean {
    const [to, from] = [this.#left.get(a), this.#right.get(b)];
    if (to !== undefined || from !== undefined) return to === b && from === a;
    this.#left.set(a, b);
    this.#right.set(b, a);
    return true;
  }
}

function same(a: unknown, b: unknown, pairs: Pairs): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => same(each, b[i], pairs));
  if (isPlain(a) && isPlain(b)) {
    // Row types are created per query.
    if (isType(a) && isType(b)) return a === b || (a.oid === b.oid && isRecordType(a) && isRecordType(b) && same(a.columns, b.columns, pairs));
    const names = Object.keys(a).filter((name) => name !== 'at');
    const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
    // Values of constants are compared, not their objects.
    if (left['kind'] === 'constant') return right['kind'] === 'constant' && sameExpression(a as Bound, b as Bound);
    if (names.length !== Object.keys(b).filter((name) => name !== 'at').length) return false;
    return names.every((name) => {
      const [mine, other] = [left[name], right[name]];
      return name === 'id' && typeof mine === 'number' && typeof other === 'number' ? pairs.matches(mine, other) : same(mine, other, pairs);
    });
  }
  return a === b;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function isType(value: object): value is SqlType {
  return 'oid' in value && 'category' in value;
}
