/**
 * Propagates constants across join equalities: from `a.id = $1 AND b.k = a.id` also `b.k = $1`. It helps if the other side is
 * grouped, a union or not a table; rows of a table are looked up by the join's own condition.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { Plan } from '../logical.ts';
import { isEquality } from './walk.ts';

/** The equalities for `side`, from those of its neighbour and the conditions between the two. */
export function knownKeys(side: Plan, known: readonly Bound[], between: readonly Bound[]): Bound[] {
  if (between.length === 0 || known.length === 0 || isTable(side)) return [];
  const own = new Set(side.columns.map(({ id }) => id));
  const values = new Map<ColumnId, Bound>();
  for (const e of known) {
    if (!isEquality(e)) continue;
    const [a, b] = e.args;
    if (a.kind === 'column' && isKnown(b)) values.set(a.id, b);
    else if (b.kind === 'column' && isKnown(a)) values.set(b.id, a);
  }
  const out: Bound[] = [];
  for (const e of values.size === 0 ? [] : between) {
    if (!isEquality(e)) continue;
    const at = e.args.findIndex((arg) => arg.kind === 'column' && own.has(arg.id));
    const other = at < 0 ? null : e.args[1 - at];
    const value = other?.kind === 'column' ? values.get(other.id) : undefined;
    if (value !== undefined && value.type.oid === other!.type.oid) out.push({ ...e, args: at === 0 ? [e.args[0], value] : [value, e.args[1]] });
  }
  return out;
}

function isKnown(e: Bound): boolean {
  return e.kind === 'constant' || e.kind === 'parameter';
}

/** Rows of one table, which its keys and indexes can find. */
function isTable(plan: Plan): boolean {
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') p = p.input;
  return p.op === 'scan' || p.op === 'virtualScan' || p.op === 'hierarchyScan' || p.op === 'foreignScan' || p.op === 'functionScan' || p.op === 'values';
}
