/** Refuses operations on foreign tables that are not supported. Tables that the plan has excluded are not checked. */
import type { Names } from '../../bind/binder.ts';
import type { Plan } from '../../plan/logical.ts';
import { boundsOf, inputsOf, visitBound } from '../../plan/rules/walk.ts';

/** 55000 without a handler; 0A000 for writes. */
export function refuseForeign(plan: Plan, names: Names): void {
  if (names.hasForeign !== true) return;
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'foreignScan') names.refuseForeign?.(p.table, 'select');
    else if (p.op === 'insert' || p.op === 'update' || p.op === 'delete' || p.op === 'merge') refuseWrite(p, names);
    for (const e of boundsOf(p)) {
      visitBound(e, (at) => {
        if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') stack.push(at.plan);
      });
    }
    stack.push(...inputsOf(p));
  }
}

/** The target partition is known only when a row is inserted, and its writer refuses the row. */
function refuseWrite(write: Extract<Plan, { op: 'insert' | 'update' | 'delete' | 'merge' }>, names: Names): void {
  const { op, table } = write;
  const verb = op === 'merge' ? 'update' : op;
  if (table.foreign !== undefined && table.whole === undefined) names.refuseForeign?.(table, verb);
  if (table.whole === undefined || op === 'insert') return;
  const numbers = new Set(table.whole.members.flatMap(({ table: member }) => (member.foreign === undefined ? [] : [member.number])));
  const stack: Plan[] = numbers.size === 0 ? [] : [...inputsOf(write)];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'foreignScan' && numbers.has(p.table.number)) names.refuseForeign?.(p.table, verb);
    stack.push(...inputsOf(p));
  }
}
