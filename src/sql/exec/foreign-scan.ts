/** Scans of foreign tables: the session opens the source for the run, and rows come chunk by chunk, with yields in between. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ForeignScanPlan } from '../plan/logical.ts';
import { YIELD } from './batch.ts';
import { overColumns } from './bind-batch.ts';
import { BatchSource, type Pipeline } from './pipeline.ts';
import type { Needed } from './produce.ts';

export function produceForeignScan(p: Pipeline, plan: ForeignScanPlan, needed: Needed, consume: () => void): void {
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
  overColumns(p, plan.columns, consume);
}
