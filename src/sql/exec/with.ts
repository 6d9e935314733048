/**
 * WITH: a definition is made when it is first read (one that writes: at once, in order) and kept for all who
 * read it. WITH RECURSIVE repeats its step over the rows of the last round until there are none.
 */
import type { CteScanPlan, RecursivePlan, WithPlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { emptyBatch, YIELD, type Batch, type Batches, type Steps } from './batch.ts';
import type { Compilation, Rows } from './compilation.ts';
import type { KeyTable } from './key-table.ts';
import { PAIR } from './key-table.ts';
import { KeyTables, keyKind } from './keys.ts';
import type { Needed } from './produce.ts';
import type { Run } from './run.ts';

export function openWith(c: Compilation, plan: WithPlan, needed: Needed): Rows {
  const made: { state: number; ensure: (run: Run) => Steps; modifies: boolean }[] = [];
  for (const definition of plan.definitions) {
    const kept = c.kept(definition.plan);
    const state = c.newState();
    const ensure = function* (run: Run): Steps {
      if (run.states[state] === true) return;
      run.states[state] = true;
      yield* kept.fill(run);
    };
    made.push({ state, ensure, modifies: definition.modifies });
    c.tables.set(definition.number, { width: kept.ids.length, ensure, rows: kept.rows, changing: false });
  }
  const body = c.rows(
    plan.body,
    plan.columns.map((column) => column.id).filter((id) => needed.has(id)),
  );
  return {
    ids: body.ids,
    *open(run): Batches {
      for (const { state } of made) run.states[state] = false;
      for (const { ensure, modifies } of made) if (modifies) yield* ensure(run);
      yield* body.open(run);
    },
  };
}

export function openCteScan(c: Compilation, plan: CteScanPlan): Rows {
  const table = c.tables.get(plan.number);
  if (table === undefined) throw new Error(`common table ${plan.number} is defined before it is read`);
  return {
    ids: plan.columns.map((column) => column.id),
    *open(run): Batches {
      yield* table.ensure(run);
      const { count, columns } = table.rows(run);
      if (count > 0) yield { count, columns: plan.source.map((at) => columns[at]) };
    },
  };
}

/** Finds rows that were seen before. */
class Seen {
  readonly #tables: KeyTables;
  readonly #types: readonly SqlType[];

  constructor(types: readonly SqlType[]) {
    this.#types = types;
    this.#tables = new KeyTables(types.map(keyKind));
  }

  isNew(batch: Batch, i: number): boolean {
    const before = this.#tables.count;
    let id = 0;
    if (this.#types.length === 0) id = this.#tables.id();
    for (let k = 0; k < this.#types.length; k++) {
      const value: Value = batch.columns[k][i];
      const table: KeyTable = this.#tables.columns[k];
      const one = value === null ? table.idOfNull() : table.id(this.#types[k].hashKey(value));
      id = k === 0 ? one : this.#tables.pairs[k - 1].id(id * PAIR + one);
    }
    return this.#tables.count > before && id === before;
  }
}

export function openRecursive(c: Compilation, plan: RecursivePlan): Rows {
  const working = c.newState();
  const width = plan.columns.length;
  const start = c.rows(plan.start);
  c.tables.set(plan.number, {
    width,
    *ensure() {
      // Each round sets it.
    },
    rows: (run) => run.states[working] as Batch,
    changing: true,
  });
  const step = c.rows(plan.step);
  const types = plan.columns.map((column) => column.type);
  return {
    ids: plan.columns.map((column) => column.id),
    *open(run): Batches {
      const seen = plan.all ? null : new Seen(types);
      let round: Rows = start;
      for (;;) {
        const next = emptyBatch(width);
        for (const batch of round.open(run)) {
          if (batch === YIELD) {
            yield YIELD;
            continue;
          }
          const fresh = emptyBatch(width);
          for (let i = 0; i < batch.count; i++) {
            if (seen !== null && !seen.isNew(batch, i)) continue;
            for (let k = 0; k < width; k++) {
              fresh.columns[k].push(batch.columns[k][i]);
              next.columns[k].push(batch.columns[k][i]);
            }
            fresh.count++;
            next.count++;
          }
          if (fresh.count > 0) yield fresh;
        }
        if (next.count === 0) return;
        // A step may yield while it reads the working table, which therefore changes between rounds only.
        run.states[working] = next;
        round = step;
        if (run.late()) yield YIELD;
      }
    },
  };
}
