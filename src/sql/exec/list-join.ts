/**
 * A lateral call of a function that returns a list, as `unnest(a)` of the left side's column: the row stays in its pipeline's
 * function, and the list is a loop inside it. No row is materialised in between.
 */
import type { BoundSetFunction } from '../plan/bound.ts';
import type { FunctionScanPlan, JoinPlan, Plan } from '../plan/logical.ts';
import { conjuncts, hasSubquery } from '../plan/rules/walk.ts';
import { isRecordType } from '../types/record-type.ts';
import type { Value } from '../types/value.ts';
import { count, underFilters } from './lookup-join.ts';
import { asValue, fromValue, operand } from './operand.ts';
import type { Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';

export interface Listed {
  readonly scan: FunctionScanPlan;
  readonly call: BoundSetFunction;
  readonly filters: readonly (Plan & { op: 'filter' })[];
}

/** The right side's call if it returns a list and the join continues with each element; null otherwise. */
export function listed({ kind, right, on }: JoinPlan): Listed | null {
  const { plan: scan, filters } = underFilters(right);
  if (scan.op !== 'functionScan' || scan.functions.length !== 1) return null;
  const [{ call, columns }] = scan.functions;
  if (call.fn.kind !== 'set' || call.fn.gives !== 'list' || call.fn.needsCall === true || columns.length !== 1 || isRecordType(call.type)) return null;
  if (call.args.some(hasSubquery)) return null;
  // The condition may fail for all elements, which then gives the row of nulls.
  const asks = filters.length > 0 || (on !== null && !(on.kind === 'constant' && on.value === true));
  return kind === 'inner' || (kind === 'left' && !asks) ? { scan, call, filters } : null;
}

const NONE: readonly Value[] = [];

export function produceList(p: Pipeline, plan: JoinPlan, { scan, call, filters }: Listed, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const predicates = [...filters.flatMap((filter) => conjuncts(filter.predicate)), ...(plan.on === null ? [] : conjuncts(plan.on))];
  const fn = call.fn as typeof call.fn & { kind: 'set' };
  const strict = fn.strict !== false;
  const impl = fn.impl as (...args: readonly Value[]) => readonly Value[];
  const list = (...args: readonly Value[]): readonly Value[] => (strict && args.includes(null) ? NONE : impl(...args));
  p.multiplies = true;
  produce(p, plan.left, withColumns(withColumns(needed, predicates), call.args), () => {
    const values = g.fresh('list');
    const at = g.fresh('e');
    const end = g.fresh('end');
    const args = call.args.map((arg) => asValue(g, x.compile(arg)));
    const made = `${g.constant(list)}(${args.join(', ')})`;
    if (fn.long === undefined) g.line(`const ${values} = ${made};`);
    else {
      g.line(`let ${values};`);
      g.line(`if (${g.constant(fn.long.isLong)}(${args.join(', ')})) {`);
      g.pause(`${values} = yield* ${g.runtime('listLong')}(S[0], ${g.constant(fn)}, null, [${args.join(', ')}])`);
      g.line(`} else ${values} = ${made};`);
    }
    g.line(`const ${end} = ${plan.kind === 'left' ? `${values}.length || 1` : `${values}.length`};`);
    g.open(`for (let ${at} = 0; ${at} < ${end}; ${at}++)`);
    // The length of a list is unknown in advance.
    p.yieldPoint(() => Infinity);
    if (needed.size > 0 || predicates.length > 0) bind();
    count(p, scan);
    x.where(predicates, () => {
      for (const filter of filters) count(p, filter);
      consume();
    });
    g.close();

    function bind(): void {
      const [{ columns }] = scan.functions;
      const { id, type } = columns[0];
      x.scope.set(id, () => {
        const r = g.fresh('r');
        g.line(`const ${r} = ${plan.kind === 'left' ? `${values}.length === 0 ? null : ${values}[${at}]` : `${values}[${at}]`};`);
        return fromValue(g, r, type.repr);
      });
      if (scan.ordinality === null) return;
      x.scope.set(scan.ordinality.id, () => operand(`(${at} + 1)`, plan.kind === 'left' ? `(${values}.length === 0)` : 'false', 'whole'));
    }
  });
}
