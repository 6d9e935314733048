/** Rows of several inputs, one after the other; only the columns that are read above. */
import type { AppendPlan } from '../plan/logical.ts';
import type { Batches } from './batch.ts';
import type { Compilation, Rows } from './compilation.ts';
import type { Needed } from './produce.ts';

export function openAppend(c: Compilation, plan: AppendPlan, needed: Needed): Rows {
  const ids = plan.columns.map(({ id }) => id).filter((id) => needed.has(id));
  const parts = plan.inputs.map((input) => c.rows(input, ids));
  const { prune } = plan;
  const values = prune === null ? null : c.scalars(prune.values);
  return {
    ids,
    *open(run): Batches {
      const kept = prune === null ? null : prune.kept(values!(run, []));
      for (let i = 0; i < parts.length; i++) if (kept === null || kept[i]) yield* parts[i].open(run);
    },
  };
}
