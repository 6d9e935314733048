/** The correlation of a plan: the outer columns that it depends on, named in it or in an outer WITH that it reads. */
import type { ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { boundsOf, freeColumns, inputsOf, isSubquery, visitBound } from '../plan/rules/walk.ts';
import type { Compilation } from './compilation.ts';

export function correlationOf(c: Compilation, plan: Plan): ReadonlySet<ColumnId> {
  const free = freeColumns(plan);
  const outer = new Set(free);
  for (const number of sharedRead(plan)) for (const id of c.tables.get(number)?.outer ?? []) outer.add(id);
  return outer.size === free.size ? free : outer;
}

/** Whether it reads the working table of an enclosing recursive query, which changes in each round. */
export function readsChanging(c: Compilation, plan: Plan): boolean {
  return [...sharedRead(plan)].some((number) => c.tables.get(number)?.changing === true);
}

/** Numbers of the tables of enclosing WITHs that a plan reads, including its subqueries. */
function sharedRead(plan: Plan): ReadonlySet<number> {
  const read = new Set<number>();
  const own = new Set<number>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'cteScan') read.add(p.number);
    else if (p.op === 'with') for (const { number } of p.definitions) own.add(number);
    else if (p.op === 'recursive') own.add(p.number);
    for (const e of boundsOf(p)) visitBound(e, (at) => void (isSubquery(at) && stack.push(at.plan)));
    stack.push(...inputsOf(p));
  }
  for (const number of own) read.delete(number);
  return read;
}
