/** LIMIT, OFFSET and WITH TIES: counters in the run; the pipeline stops at the last row wanted. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Bound } from '../plan/bound.ts';
import type { LimitPlan, Plan } from '../plan/logical.ts';
import type { Compilation } from './compilation.ts';
import { hashKeySource } from './expression.ts';
import { differs } from './keys.ts';
import { unscaled } from './operand.ts';
import type { Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import type { ScanSource } from './scan.ts';

export interface Bounds {
  skip: number;
  /** Infinity for all. */
  left: number;
  /** Hash keys of the last row, for ties. */
  last: unknown[];
}

/** The number of rows to skip and to return; 2201W and 2201X for negative ones. */
export function boundsOfLimit(c: Compilation, limit: Bound | null, offset: Bound | null): (run: Run) => Bounds {
  const values = c.scalars([...(limit === null ? [] : [limit]), ...(offset === null ? [] : [offset])]);
  return (run) => {
    const given = values(run, []);
    const rows = limit === null ? null : given[0];
    const skipped = offset === null ? null : given[given.length - 1];
    if (skipped !== null && (skipped as number) < 0) throw new SvcError('2201X', 'OFFSET must not be negative');
    if (rows !== null && (rows as number) < 0) throw new SvcError('2201W', 'LIMIT must not be negative');
    return { skip: skipped === null ? 0 : Number(skipped), left: rows === null ? Infinity : Number(rows), last: [] };
  };
}

export function produceLimit(p: Pipeline, plan: LimitPlan, needed: Needed, consume: () => void): void {
  const { g } = p;
  const ties = plan.ties ?? [];
  const bounds = boundsOfLimit(p.c, plan.limit, plan.offset);
  const state = p.state((run) => bounds(run));
  p.idle.push((run) => (run.states[state] as Bounds).left === 0);
  const direct = plan.offset !== null && isScan(plan.input) && !p.c.analyze;
  produce(
    p,
    plan.input,
    withColumns(
      needed,
      ties.map((key) => key.value),
    ),
    () => {
      const s = g.state(state);
      const skip = g.hoist(`skip ${state}`, `${s}.skip`, true);
      const left = g.hoist(`left ${state}`, `${s}.left`, true);
      g.after(`${s}.skip = ${skip}; ${s}.left = ${left};`);
      g.open(`if (${skip} > 0)`);
      g.line(`${skip}--;`);
      g.close();
      g.open('else');
      if (plan.ties === null) {
        g.line(`${left}--;`);
        consume();
        g.open(`if (${left} <= 0)`);
        p.stop();
        g.close();
      } else {
        const keys = ties.map((key) => {
          const one = unscaled(g, p.x.compile(key.value));
          const source = hashKeySource(g, key.value.type, one.v);
          return one.n === 'false' ? source : `(${one.n} ? null : ${source})`;
        });
        g.open(`if (${left} > 0)`);
        g.line(`if (--${left} === 0) ${s}.last = [${keys.join(', ')}];`);
        g.close();
        g.open(`else if (${keys.map((key, i) => differs(ties[i].value.type, key, `${s}.last[${i}]`)).join(' || ') || 'false'})`);
        p.stop();
        g.close();
        consume();
      }
      g.close();
    },
  );
  if (direct) (p.source as ScanSource).skips = (run) => run.states[state] as Bounds;
}

/** Whether each row of a scan comes through: rows that OFFSET skips need not be read. */
function isScan(plan: Plan): boolean {
  let input = plan;
  while (input.op === 'project') input = input.input;
  return input.op === 'scan';
}
