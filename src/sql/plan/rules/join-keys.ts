/** Splits a join's condition into hashable equalities of the two sides, and the rest. */
import type { Bound, ColumnId } from '../bound.ts';
import type { SqlType } from '../../types/type.ts';
import { columnsOf, conjuncts, isEquality, isVolatile } from './walk.ts';

export interface JoinKeys {
  readonly left: readonly Bound[];
  readonly right: readonly Bound[];
  readonly rest: readonly Bound[];
}

const TEXTS = new Set(['text', 'varchar', 'name']);

/** Whether equal values of the two types have equal hash keys. */
export function sameHash(a: SqlType, b: SqlType): boolean {
  if (!a.hashable || !b.hashable) return false;
  if (a.oid === b.oid) return true;
  const integer = (type: SqlType): boolean => (type.repr === 'i32' || type.repr === 'whole') && type.name.startsWith('int');
  if (integer(a) && integer(b)) return true;
  if (a.name.startsWith('float') && b.name.startsWith('float')) return true;
  return TEXTS.has(a.name) && TEXTS.has(b.name);
}

export function joinKeys(on: Bound | null, left: ReadonlySet<ColumnId>, right: ReadonlySet<ColumnId>): JoinKeys {
  const keys: { left: Bound[]; right: Bound[]; rest: Bound[] } = { left: [], right: [], rest: [] };
  for (const e of on === null ? [] : conjuncts(on)) {
    if (isEquality(e) && sameHash(e.args[0].type, e.args[1].type) && !isVolatile(e)) {
      const sides = e.args.map((arg) => {
        const used = columnsOf(arg);
        const l = [...used].some((id) => left.has(id));
        const r = [...used].some((id) => right.has(id));
        return l && r ? 'both' : l ? 'left' : r ? 'right' : 'none';
      });
      if (sides[0] === 'left' && sides[1] === 'right') {
        keys.left.push(e.args[0]);
        keys.right.push(e.args[1]);
        continue;
      }
      if (sides[0] === 'right' && sides[1] === 'left') {
        keys.left.push(e.args[1]);
        keys.right.push(e.args[0]);
        continue;
      }
    }
    keys.rest.push(e);
  }
  return keys;
}
