/**
 * DISTINCT passes the first of equal rows; DISTINCT ON the first of each run of equal keys.
 *
 * Rows come out in input order. When the known keys fill the memory, rows with other keys go to a file; after the end of the input
 * they are the next round's input, and the known keys are dropped: none of them is in the file.
 */
import type { Bound } from '../plan/bound.ts';
import type { DistinctPlan } from '../plan/logical.ts';
import { emptyBatch, YIELD, type Batch, type Batches } from './batch.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { hashKeySource } from './expression.ts';
import { KeptRows } from './kept-rows.ts';
import { differs, KeyTables, keyKind, keyNumber } from './keys.ts';
import { unscaled } from './operand.ts';
import { collect, HAND_ON, type Pipeline } from './pipeline.ts';
import { fromRows, produce, withColumns, type Needed } from './produce.ts';

/** Of one key and one column of it in the tables, besides its text. */
const KEY_BYTES = 48;
const COLUMN_BYTES = 32;
const KEYS_MIN = 1000;
const HELD_STEP_BYTES = 65_536;

/** The state of one round. */
interface Round {
  readonly tables: KeyTables;
  /** No key is added any more. */
  full: boolean;
}

function isHashedColumn(e: Bound): e is Bound & { readonly kind: 'column' } {
  return e.kind === 'column' && e.type.hashable;
}

/** Skips all but the first row of a run of equal keys. */
export function produceDistinctOn(p: Pipeline, plan: DistinctPlan, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const on = plan.on!;
  const state = p.state((): { last: unknown[] | null } => ({ last: null }));
  // A sort below needs to keep only these rows.
  const { input } = plan;
  if (input.op === 'sort' && input.top === undefined && on.every(isHashedColumn)) {
    const first = new Set(input.keys.slice(0, on.length).map(({ value }) => (value.kind === 'column' ? value.id : null)));
    if (on.every(({ id }) => first.has(id))) p.c.firstOf.set(input, on);
  }
  produce(p, plan.input, withColumns(needed, on), () => {
    const s = g.state(state);
    const keys = on.map((e) => {
      const one = unscaled(g, x.compile(e));
      const source = hashKeySource(g, e.type, one.v);
      return one.n === 'false' ? source : `(${one.n} ? null : ${source})`;
    });
    const different = keys.map((key, i) => differs(on[i].type, key, `${s}.last[${i}]`)).join(' || ');
    g.open(`if (${s}.last === null${different === '' ? '' : ` || ${different}`})`);
    g.line(`${s}.last = [${keys.join(', ')}];`);
    consume();
    g.close();
  });
}

export function openDistinct(c: Compilation, plan: DistinctPlan): Rows {
  const { columns } = plan;
  const ids = columns.map((column) => column.id);
  const types = typesOf(plan);
  const kinds = columns.map((column) => keyKind(column.type));
  const round = c.newState();
  const out = c.newState();
  const rest = c.newState();
  const waiting = c.newState();
  const body = (p: Pipeline): void => {
    const { g } = p;
    const s = g.state(round);
    const tables = g.hoist('distinct tables', `${s}.tables`);
    const keys = columns.map((column) => ({ operand: p.x.column(column.id, column.type), type: column.type }));
    g.open(`if (${g.hoist('distinct full', `${s}.full`)})`);
    g.open(`if (${keyNumber(p, round, keys, false, true, tables)} < 0)`);
    collect(p, ids, types, rest);
    g.close();
    g.close();
    g.open('else');
    const count = g.fresh('count');
    g.line(`const ${count} = ${tables}.count;`);
    g.open(`if (${keyNumber(p, round, keys, true, true, tables)} === ${count})`);
    collect(p, ids, types, out);
    g.close();
    g.close();
  };
  const first = c.pipeline();
  produce(first, plan.input, new Set(ids), () => body(first));
  const next = c.pipeline();
  fromRows(next, { ids, open: (run) => (run.states[waiting] as KeptRows).open() }, types, () => body(next));
  return {
    ids,
    *open(run): Batches {
      const keyBytes = KEY_BYTES + COLUMN_BYTES * ids.length;
      const most = run.context.spill === null ? Infinity : Math.max(KEYS_MIN, Math.floor(run.context.workMemBytes / keyBytes));
      let before: KeptRows | null = null;
      for (let p = first; ; p = next) {
        const known: Round = { tables: new KeyTables(kinds), full: false };
        run.states[round] = known;
        run.states[out] = emptyBatch(ids.length);
        run.states[rest] = emptyBatch(ids.length);
        const kept = new KeptRows(run, ids.length);
        let held = 0;
        for (const step of p.run(run)) {
          const bytes = known.tables.count * keyBytes;
          if (bytes > held + HELD_STEP_BYTES) {
            run.hold(bytes - held);
            held = bytes;
          }
          if (known.tables.count > most) known.full = true;
          const late = step === YIELD;
          const left = run.states[rest] as Batch;
          if (left.count >= HAND_ON || late) {
            run.states[rest] = emptyBatch(ids.length);
            kept.add(left);
          }
          const made = run.states[out] as Batch;
          if (made.count >= HAND_ON || (late && made.count > 0)) {
            run.states[out] = emptyBatch(ids.length);
            yield made;
          }
          if (late) yield YIELD;
        }
        kept.add(run.states[rest] as Batch);
        const made = run.states[out] as Batch;
        if (made.count > 0) yield made;
        run.states[round] = undefined;
        run.release(held);
        before?.close();
        if (kept.count === 0) return;
        before = kept;
        run.states[waiting] = kept;
      }
    },
  };
}
