/**
 * The plan of a statement with parameters in place of its literals, where it is the plan that the literals give:
 * both are walked side by side, and may differ in nothing but constants where the other has a parameter of the same type.
 * A literal under a length or precision is coerced when it is bound, a parameter when it runs: such casts become
 * parameters of their own, which whoever reads the literals fills in.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationAccess } from '../bind/access.ts';
import { isWholeKey } from '../exec/scan.ts';
import type { Bound, Constant } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { boundsOf, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Prepared } from './prepare.ts';

export interface Coerced {
  /** Whose value it is; 0-based. */
  readonly parameter: number;
  readonly type: SqlType;
  readonly typmod: number;
  readonly explicit: boolean;
}

export interface GeneralPlan {
  readonly prepared: Prepared;
  /** Types that literals are read as, a parameter each. */
  readonly literals: readonly SqlType[];
  /** Parameters behind them. */
  readonly coerced: readonly Coerced[];
}

class Differs extends SvcError {
  constructor() {
    super('XX000', 'the plan depends on a literal');
  }
}

/** What a literal came to in the plan made of the text as it is. */
interface Met {
  readonly parameter: number;
  readonly constant: Constant;
}

/** `general` with coerced literals as parameters, and what the literals are in `own`. Throws where they differ. */
export function merged(own: Plan, general: Plan, literals: number): { plan: Plan; coerced: Coerced[]; met: Met[] } {
  const coerced: Coerced[] = [];
  const met: Met[] = [];
  const done = new Map<object, object>();

  const constantFor = (a: Constant, b: Bound): Bound | null => {
    if (b.kind === 'parameter') {
      if (a.type !== b.type || a.typmod !== b.typmod || a.type.name === 'unknown') throw new Differs();
      met.push({ parameter: b.number - 1, constant: a });
      return b;
    }
    if (b.kind !== 'cast' || b.method !== 'typmod' || b.arg.kind !== 'parameter') return null;
    // Fields that an interval is declared with say how its text is read.
    if (a.type !== b.type || b.arg.type !== b.type || a.typmod !== b.typmod || b.type.name === 'interval') throw new Differs();
    coerced.push({ parameter: b.arg.number - 1, type: b.type, typmod: b.typmod, explicit: b.explicit });
    const number = literals + coerced.length;
    met.push({ parameter: number - 1, constant: a });
    return { kind: 'parameter', number, type: b.type, typmod: b.typmod };
  };

  const walk = (a: unknown, b: unknown): unknown => {
    if (Object.is(a, b)) return b;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) throw new Differs();
    const known = done.get(b);
    if (known !== undefined) return known;
    if ((a as Partial<Bound>).kind === 'constant' && (b as Partial<Bound>).kind !== 'constant') {
      const made = constantFor(a as Constant, b as Bound);
      if (made === null) throw new Differs();
      done.set(b, made);
      return made;
    }
    const shape = Object.getPrototypeOf(b) as object | null;
    if (shape !== Object.getPrototypeOf(a) || (shape !== Object.prototype && shape !== Array.prototype)) throw new Differs();
    if (Array.isArray(b)) {
      const left = a as unknown[];
      if (left.length !== b.length) throw new Differs();
      const out = b.map((each, i) => walk(left[i], each));
      done.set(b, out);
      return out;
    }
    const names = Object.keys(b);
    if (names.length !== Object.keys(a).length) throw new Differs();
    const out: Record<string, unknown> = {};
    for (const name of names) {
      if (!(name in a)) throw new Differs();
      // Where a literal stood in its text is not what it means.
      out[name] = name === 'at' ? (b as Record<string, unknown>)[name] : walk((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]);
    }
    done.set(b, out);
    return out;
  };

  return { plan: walk(own, general) as Plan, coerced, met };
}

/** Both ask for the same privileges. */
export function sameAccess(a: readonly RelationAccess[], b: readonly RelationAccess[]): boolean {
  const columns = (x: ReadonlySet<number>, y: ReadonlySet<number>): boolean => x.size === y.size && [...x].every((each) => y.has(each));
  return (
    a.length === b.length &&
    a.every((x, i) => {
      const y = b[i];
      const same = x.relation === y.relation && x.kind === y.kind && x.as === y.as && x.needs === y.needs;
      return same && columns(x.selected, y.selected) && columns(x.inserted, y.inserted) && columns(x.updated, y.updated);
    })
  );
}

const SIMPLE = new Set<Plan['op']>(['scan', 'values', 'filter', 'project', 'limit', 'sort', 'aggregate', 'lock', 'insert', 'update', 'delete']);

/** Whether no literal could give a better plan: rows are found by whole keys, and nothing stands inside. */
export function looksUpOnly(plan: Plan): boolean {
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (!SIMPLE.has(p.op)) return false;
    if (p.op === 'scan' && (p.access === undefined || p.asOf !== null || !isWholeKey(p.table, p.access))) return false;
    let inner = false;
    for (const e of boundsOf(p)) {
      visitBound(e, ({ kind }) => {
        if (kind === 'exists' || kind === 'subquery' || kind === 'arrayQuery' || kind === 'quantifiedQuery') inner = true;
      });
    }
    if (inner) return false;
    stack.push(...inputsOf(p));
  }
  return true;
}

/** Throws where the values read of the text are not those that binding made of it. */
export function mustAgree(met: readonly Met[], values: readonly Value[]): void {
  for (const { parameter, constant } of met) {
    const value = values[parameter];
    const same = value === null || constant.value === null ? value === constant.value : constant.type.hashable ? sameKey(constant.type, value, constant.value) : true;
    if (!same) throw new Differs();
  }
}

function sameKey(type: SqlType, a: Value, b: Value): boolean {
  return Object.is(type.hashKey(a), type.hashKey(b));
}
