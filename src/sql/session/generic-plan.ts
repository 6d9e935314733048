/**
 * The generic plan of a statement: its plan with parameters in place of literals, provided that it equals the plan with the
 * literals. Both are walked in parallel, and may differ only in constants where the other has a parameter of the same type. A
 * literal with a length or precision is coerced at bind time, a parameter at run time: such casts become parameters of their own,
 * computed when the literals are read.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationAccess } from '../bind/access.ts';
import { isWholeKey } from '../exec/scan.ts';
import type { Bound, Constant } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { estimateRows } from '../plan/rules/estimate.ts';
import { rewritePlan, withBounds } from '../plan/rules/rewrite.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { boundsOf, childrenOf, inputsOf, isSubquery, visitBound, withChildren } from '../plan/rules/walk.ts';
import type { ExecContext } from '../exec/context.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Prepared } from './prepare.ts';

export interface Coerced {
  /** The parameter that it casts; 0-based. */
  readonly parameter: number;
  readonly type: SqlType;
  readonly typmod: number;
  readonly explicit: boolean;
}

export interface GenericPlan {
  readonly prepared: Prepared;
  /** The types that the literals are parsed as, one per parameter. */
  readonly literals: readonly SqlType[];
  /** The parameters after them. */
  readonly coerced: readonly Coerced[];
  /** Computes the parameters after those from all before them; null if there are none. */
  readonly compute: ((context: ExecContext) => Value[]) | null;
}

class Differs extends SvcError {
  constructor() {
    super('XX000', 'the plan depends on a literal');
  }
}

/** The value of a literal in the plan of the text as it is. */
interface Met {
  readonly parameter: number;
  readonly constant: Constant;
}

/** `generic` with coerced literals as parameters, and the values of the literals in `own`. Throws if they differ. */
export function merged(own: Plan, generic: Plan, literals: number): { plan: Plan; coerced: Coerced[]; met: Met[] } {
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
    // The fields of an interval declaration decide how its text is parsed.
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
      // Positions of literals do not matter, and a partition key's expressions belong to the table.
      const isApart = name === 'at' || (name === 'expressions' && (b as Partial<Plan>).op === 'hierarchyScan');
      out[name] = isApart ? (b as Record<string, unknown>)[name] : walk((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]);
    }
    done.set(b, out);
    return out;
  };

  return { plan: walk(own, generic) as Plan, coerced, met };
}

/**
 * Expressions over literals alone are computed before the statement runs, as they are at plan time for a text with literals: an
 * error is raised whether or not a row needs the value. Each becomes a parameter from `number` on.
 */
export function computedApart(plan: Plan, number: number): { plan: Plan; computed: Bound[] } {
  const computed: Bound[] = [];
  const apart = (e: Bound): Bound => {
    if (ofLiterals(e)) {
      if (e.kind === 'parameter') return e;
      if (!isImmutable(e)) throw new Differs();
      computed.push(e);
      return { kind: 'parameter', number: number + computed.length - 1, type: e.type, typmod: e.typmod };
    }
    const children = childrenOf(e);
    return children.length === 0
      ? e
      : withChildren(
          e,
          children.map((child) => apart(child)),
        );
  };
  return { plan: rewritePlan(plan, (at) => withBounds(at, apart)), computed };
}

/** Whether constant folding would apply: only literals and constants, and no volatile function. */
function ofLiterals(e: Bound): boolean {
  let literals = false;
  let others = false;
  visitBound(e, (at) => {
    if (at.kind === 'parameter') literals = true;
    else if (at.kind === 'call' && at.fn.volatility === 'volatile') others = true;
    else if (childrenOf(at).length === 0 && at.kind !== 'constant' && at.kind !== 'call' && at.kind !== 'array' && at.kind !== 'row') others = true;
  });
  return literals && !others;
}

function isImmutable(e: Bound): boolean {
  let immutable = true;
  visitBound(e, (at) => {
    if (at.kind === 'call') {
      if ((at.fn.volatility ?? 'immutable') !== 'immutable' || at.fn.needsCall === true) immutable = false;
    } else if (at.kind === 'cast') {
      if ((at.cast?.volatility ?? 'immutable') !== 'immutable') immutable = false;
    } else if (at.kind !== 'parameter' && at.kind !== 'constant') immutable = false;
  });
  return immutable;
}

/** Whether both need the same privileges. */
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

const COMBINING = new Set<Plan['op']>(['join', 'distinct', 'window', 'setOperation', 'append', 'merge']);

/** The most rows that an index may have for one value, by statistics. */
const FEW_ROWS = 1000;

/** Whether no literal could give a better plan: rows are found by whole keys, without subqueries. */
export function looksUpOnly(plan: Plan): boolean {
  return everyPart(
    plan,
    (p) => SIMPLE.has(p.op) && (p.op !== 'scan' || (p.access !== undefined && p.asOf === null && isWholeKey(p.table, p.access))),
    (e) => !isSubquery(e),
  );
}

/**
 * Whether the plan serves every literal: rows are found by index values that few rows have, or lie in a range of one table's key,
 * which is never slower than a full scan.
 */
export function servesAll(plan: Plan, statistics: Statistics): boolean {
  let joins = false;
  const fits = (p: Plan): boolean => {
    if (p.op === 'join') joins = true;
    if (p.op !== 'scan') return SIMPLE.has(p.op) || COMBINING.has(p.op);
    const { access } = p;
    if (access === undefined || p.asOf !== null || access.search !== undefined) return false;
    if (access.union !== undefined) return access.union.every((each) => isWholeKey(p.table, each));
    if (isWholeKey(p.table, access) || (!joins && access.index === null)) return true;
    const { equal, oneOf, lower, upper } = access;
    return equal.length > 0 && oneOf === undefined && lower === undefined && upper === undefined && estimateRows(p, statistics) <= FEW_ROWS;
  };
  // Joins are above the scans that they join.
  return everyPart(plan, fits, (e) => !isSubquery(e) || servesAll(e.plan, statistics));
}

/**
 * Whether the rows that it looks up by whole primary keys are all that the statement reveals of the world. Reads of constraints do
 * not count: a COMMIT reveals their result, and waits for everything before it.
 */
export function readsByKeys(plan: Plan): boolean {
  const keyed = (p: Plan): boolean => {
    if (p.op === 'scan') return p.access!.index === null && p.table.whole === undefined;
    return p.op !== 'insert' || p.conflict === null;
  };
  return looksUpOnly(plan) && everyPart(plan, keyed, (e) => e.kind !== 'call' || (e.fn.volatility ?? 'immutable') === 'immutable');
}

/** Whether all nodes of the plan and all expressions in them satisfy the conditions. */
function everyPart(plan: Plan, holds: (p: Plan) => boolean, fits: (e: Bound) => boolean): boolean {
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (!holds(p)) return false;
    let all = true;
    for (const e of boundsOf(p)) visitBound(e, (at) => void (all &&= fits(at)));
    if (!all) return false;
    stack.push(...inputsOf(p));
  }
  return true;
}

/** Throws if the parsed values differ from those that binding found. */
export function mustAgree(met: readonly Met[], values: readonly Value[]): void {
  for (const { parameter, constant } of met) {
    const value = values[parameter];
    const same =
      value === null || constant.value === null ? value === constant.value : constant.type.hashable ? sameKey(constant.type, value, constant.value) : true;
    if (!same) throw new Differs();
  }
}

function sameKey(type: SqlType, a: Value, b: Value): boolean {
  return Object.is(type.hashKey(a), type.hashKey(b));
}
