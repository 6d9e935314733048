/**
 * Propagates known values across join equalities: from `a.id = $1 AND b.k = a.id` also `b.k = $1`. A column of an outer query is known for each of its rows. It
 * helps if the other side is grouped, a union or not a table; rows of a table are looked up by the join's own condition.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { Plan } from '../logical.ts';
import { isEquality } from './walk.ts';

/** The equalities for `side`, from those of its neighbour (over its own columns and those of outer queries) and the conditions between the two. */
export function knownKeys(side: Plan, neighbour: Plan, known: readonly Bound[], between: readonly Bound[]): Bound[] {
  if (between.length === 0 || known.length === 0 || isTable(side)) return [];
  const beside = new Set(neighbour.columns.map(({ id }) => id));
  const isKnown = (e: Bound): boolean => e.kind === 'constant' || e.kind === 'parameter' || (e.kind === 'column' && !beside.has(e.id));
  const own = new Set(side.columns.map(({ id }) => id));
  const values = new Map<ColumnId, Bound>();
  for (const e of known) {
    if (!isEquality(e)) continue;
    const [a, b] = e.args;
    if (a.kind === 'column' && beside.has(a.id) && isKnown(b)) values.set(a.id, b);
    else if (b.kind === 'column' && beside.has(b.id) && isKnown(a)) values.set(b.id, a);
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

/** Rows of one table, which its keys and indexes can find. */
function isTable(plan: Plan): boolean {
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') p = p.input;
  return p.op === 'scan' || p.op === 'virtualScan' || p.op === 'hierarchyScan' || p.op === 'foreignScan' || p.op === 'functionScan' || p.op === 'values';
}
