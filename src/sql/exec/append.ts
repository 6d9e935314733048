/**
 * Concatenates the rows of several inputs, with only the columns that are read above. Consecutive scans of the same form, as of
 * partitions, share one function: it is compiled for the first, and the others show it their leaves.
 *
 *   append(filter(scan p1), filter(scan p2) …) ──► filter(scan p) ◄── leaves of p1, p2 …
 */
import type { AppendPlan } from '../plan/logical.ts';
import type { Batches, Yield } from './batch.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { isAlike, keptInputs, type MemberScan, memberScan, produceMembers } from './member-scans.ts';
import { batchesOf, collect, type Pipeline } from './pipeline.ts';
import { fromRows, type Needed } from './produce.ts';
import type { Run } from './run.ts';

export function produceAppend(p: Pipeline, plan: AppendPlan, needed: Needed, consume: () => void): void {
  const scans = plan.inputs.map(memberScan);
  const ends: number[] = [];
  for (let i = 1; i <= scans.length; i++) if (i === scans.length || !areAlike(scans[i - 1], scans[i])) ends.push(i);
  const kept = keptInputs(p, plan);
  if (ends.length === 1 && scans[0] !== null) return produceMembers(p, scans as MemberScan[], kept, needed, consume);
  fromRows(p, openParts(p.c, plan, { scans, ends, kept }, needed), typesOf(plan), consume);
}

function areAlike(a: MemberScan | null, b: MemberScan | null): boolean {
  return a !== null && b !== null && isAlike(a, b);
}

interface Parts {
  readonly scans: readonly (MemberScan | null)[];
  readonly ends: readonly number[];
  readonly kept: ReturnType<typeof keptInputs>;
}

/** The inputs up to each end separately, those of the same form together. */
function openParts(c: Compilation, plan: AppendPlan, { scans, ends, kept }: Parts, needed: Needed): Rows {
  const ids = plan.columns.map(({ id }) => id).filter((id) => needed.has(id));
  const state = c.newState();
  const starts = ends.map((_, k) => (k === 0 ? 0 : ends[k - 1]));
  const left = (run: Run, k: number): readonly boolean[] | null => (run.states[state] as readonly boolean[] | null)?.slice(starts[k], ends[k]) ?? null;
  const parts = ends.map((end, k) => {
    const from = starts[k];
    if (end - from === 1) return c.rows(plan.inputs[from], ids);
    const p = c.pipeline();
    p.streams = true;
    const out = c.newState();
    // oxlint-disable-next-line require-yield
    const keptHere = function* (run: Run): Generator<Yield, readonly boolean[] | null> {
      return left(run, k);
    };
    produceMembers(p, scans.slice(from, end) as MemberScan[], keptHere, new Set(ids), () => collect(p, ids, typesOf(plan), out));
    return { ids, open: (run: Run): Batches => batchesOf(run, p, out, ids.length) };
  });
  return {
    ids,
    *open(run): Batches {
      run.states[state] = yield* kept(run);
      for (let k = 0; k < ends.length; k++) if (left(run, k)?.includes(true) ?? true) yield* parts[k].open(run);
    },
  };
}
