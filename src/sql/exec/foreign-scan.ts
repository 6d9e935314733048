/** Scans of foreign tables: the session opens the source for the run, and rows come chunk by chunk, with yields in between. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ForeignScanPlan } from '../plan/logical.ts';
import { YIELD } from './batch.ts';
import { fromValue } from './operand.ts';
import { BatchSource, type Pipeline } from './pipeline.ts';
import type { Needed } from './produce.ts';

export function produceForeignScan(p: Pipeline, plan: ForeignScanPlan, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const { table } = plan;
  const wanted = plan.source.map((source, at) => (needed.has(plan.columns[at].id) ? source : null));
  p.source = new BatchSource(function* (run) {
    const { context } = run;
    if (context.foreignRows === undefined) throw new SvcError('0A000', `foreign table "${table.name}" cannot be read here`);
    const rows = context.foreignRows(table, wanted);
    try {
      for (let batch = rows.next(); batch !== null; batch = rows.next()) {
        if (batch.count > 0) yield batch;
        if (run.past(performance.now()) > 0) yield YIELD;
      }
    } finally {
      rows.close();
    }
  });
  plan.columns.forEach(({ id, type }, at) => {
    if (wanted[at] === null) return;
    x.scope.set(id, () => {
      const value = g.fresh('f');
      g.line(`const ${value} = ${g.hoist(`batch ${at}`, `c.columns[${at}]`)}[i];`);
      return fromValue(g, value, type.repr);
    });
  });
  g.open('source: for (let i = from; i < to; i++)');
  consume();
  g.close();
}
