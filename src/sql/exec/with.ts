/**
 * WITH: a definition is materialised when it is first read (one that writes: at once, in order) and shared by all readers. WITH
 * RECURSIVE repeats its step over the rows of the last round until there are none.
 */
import type { CteScanPlan, RecursivePlan, WithPlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { emptyBatch, YIELD, type Batch, type Batches, type Steps } from './batch.ts';
import type { Compilation, Rows } from './compilation.ts';
import { correlationOf } from './correlation.ts';
import { KeptRows } from './kept-rows.ts';
import type { KeyTable } from './key-table.ts';
import { PAIR } from './key-table.ts';
import { KeyTables, keyKind } from './keys.ts';
import type { Pipeline } from './pipeline.ts';
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
    c.tables.set(definition.number, { width: kept.ids.length, ensure, rows: kept.rows, changing: false, outer: correlationOf(c, definition.plan) });
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
    // The working table of a recursive query exists before its step is opened.
    whole: !table.changing
      ? undefined
      : (run, most) => {
          const batch = table.rows(run).single;
          return batch === null || batch.count > most ? null : { count: batch.count, columns: plan.source.map((at) => batch.columns[at]) };
        },
    *open(run): Batches {
      yield* table.ensure(run);
      for (const batch of table.rows(run).open()) {
        yield batch === YIELD ? YIELD : { count: batch.count, columns: plan.source.map((at) => batch.columns[at]) };
      }
    },
  };
}

/** Detects duplicates for UNION. */
class Seen {
  readonly #tables: KeyTables;
  readonly #types: readonly SqlType[];
  readonly #run: Run;

  constructor(run: Run, types: readonly SqlType[]) {
    this.#run = run;
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
    if (this.#tables.count === before || id !== before) return false;
    for (let k = 0; k < this.#types.length; k++) this.#run.keep(batch.columns[k][i]);
    return true;
  }
}

/** Rows of rounds that are combined before they are handed on. */
const HAND_ON = 256;
/** Small rounds between two clock checks. */
const ROUNDS_PER_LOOK = 16;

/** `into`: the pipeline that takes the rows. */
export function openRecursive(c: Compilation, plan: RecursivePlan, into: Pipeline): Rows {
  const working = c.newState();
  const width = plan.columns.length;
  const start = c.rows(plan.start);
  c.tables.set(plan.number, {
    width,
    *ensure() {
      // Set by each round.
    },
    rows: (run) => run.states[working] as KeptRows,
    changing: true,
    outer: correlationOf(c, plan.start),
  });
  const step = c.rows(plan.step, undefined, false);
  const types = plan.columns.map((column) => column.type);
  return {
    ids: plan.columns.map((column) => column.id),
    *open(run): Batches {
      const seen = plan.all ? null : new Seen(run, types);
      // A reader that stops early must not see the effect of a further round: an error, or an endless loop.
      const ahead = into.takesAll;
      let out = emptyBatch(width);
      let rounds = 0;
      // Two alternating tables: the working table, and the one that the round fills.
      let last = new KeptRows(run, width);
      let next = new KeptRows(run, width);
      for (let round: Rows = start; ; round = step) {
        const atOnce = round.whole?.(run, ROUND_ROWS_MAX) ?? null;
        for (const batch of atOnce === null ? round.open(run) : [atOnce]) {
          if (batch === YIELD) {
            yield YIELD;
            continue;
          }
          const fresh = seen === null ? batch : newOf(batch, seen, width);
          if (fresh.count === 0) continue;
          // The reader owns its batch, and batches that were handed on are not changed.
          next.add({ count: fresh.count, columns: fresh.columns });
          if (!ahead) {
            yield fresh;
            continue;
          }
          for (let k = 0; k < width; k++) for (let i = 0; i < fresh.count; i++) out.columns[k].push(fresh.columns[k][i]);
          out.count += fresh.count;
          if (out.count < HAND_ON) continue;
          yield out;
          out = emptyBatch(width);
        }
        last.close();
        if (next.count === 0) break;
        // A step may yield while it reads the working table, which therefore changes only between rounds.
        run.states[working] = next;
        [last, next] = [next, last];
        if (atOnce !== null && ++rounds % ROUNDS_PER_LOOK !== 0) continue;
        if (run.late()) yield YIELD;
      }
      if (out.count > 0) yield out;
    },
  };
}

/** Rows that a round may process in one call. */
const ROUND_ROWS_MAX = 256;

/** The rows that are not duplicates. */
function newOf(batch: Batch, seen: Seen, width: number): Batch {
  const fresh = emptyBatch(width);
  for (let i = 0; i < batch.count; i++) {
    if (!seen.isNew(batch, i)) continue;
    for (let k = 0; k < width; k++) fresh.columns[k].push(batch.columns[k][i]);
    fresh.count++;
  }
  return fresh;
}
