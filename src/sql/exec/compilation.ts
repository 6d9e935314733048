/**
 * Shared state of the compilation of one plan: numbers of states and of slots for outer columns, shared tables of WITH, and the
 * translation of plans to pipelines.
 */
import type { Call } from '../functions/define.ts';
import type { ColumnId, QuantifiedSubquery, SubqueryCall } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import { emptyBatch, YIELD, type Batch, type Batches, type Steps, type Yield } from './batch.ts';
import { KeptRows } from './kept-rows.ts';
import { BOOL } from './bool-type.ts';
import { columnsOf, planIsVolatile } from '../plan/rules/walk.ts';
import { mayTakeLong } from './long-call.ts';
import { Emitter } from './emitter.ts';
import { Expressions } from './expression.ts';
import type { Operand } from './operand.ts';
import { asValue } from './operand.ts';
import type { Bound } from '../plan/bound.ts';
import type { Value } from '../types/value.ts';
import { batchAtOnce, batchesOf, batchOfOne, collect, Pipeline } from './pipeline.ts';
import { produce } from './produce.ts';
import { Run } from './run.ts';
import { compileSubquery } from './subquery.ts';

/** The rows of a plan, as batches of the requested columns. */
export interface Rows {
  readonly ids: readonly ColumnId[];
  open(run: Run): Batches;
  /** For plans of at most one row: its batch, without steps. */
  one?(run: Run): Batch | null;
  /** The same, but throws `LONG_CALL` if a thread has to run a call; the rows then have to be opened. */
  unlessLong?(run: Run): Batch | null;
  /**
   * For plans whose rows may all be read in one call, without steps: their batch; null if they have to be opened, since they are more
   * than `most` or take long. There are no visible side effects by then.
   */
  whole?(run: Run, most: number): Batch | null;
}

/** All rows of a plan, materialised. */
export interface Kept {
  readonly ids: readonly ColumnId[];
  fill(run: Run): Steps;
  rows(run: Run): KeptRows;
}

/** A shared table of WITH during compilation. */
export interface SharedTable {
  readonly width: number;
  /** Steps that materialise it, unless that was done. */
  ensure(run: Run): Steps;
  rows(run: Run): KeptRows;
  /** The working table of a recursive query. */
  readonly changing: boolean;
  /** The outer columns that the query depends on: with other values in them it is another table. */
  readonly outer: ReadonlySet<ColumnId>;
}

export interface WantedGroups {
  readonly groups: readonly number[];
  /** The variable with the table's keys. */
  tables(g: Emitter): string;
}

export type ScalarFunctions = (run: Run, row: readonly Value[]) => Value[];

export class Compilation {
  readonly bool = BOOL;
  readonly inits: ((run: Run) => void)[] = [];
  readonly tables = new Map<number, SharedTable>();
  /** States of uncorrelated subqueries: used in several places they are computed once. */
  readonly initials = new Map<Plan, number>();
  readonly pipelines: Pipeline[] = [];
  readonly analyze: boolean;
  /** Numbers of the states that count the rows of plan nodes. */
  readonly counted = new Map<Plan, number>();
  /** Aggregates of which only the groups with keys in a table are needed. */
  readonly wantedGroups = new Map<Plan, WantedGroups>();
  /** Sorts of which only the first row per key is read. */
  readonly firstOf = new Map<Plan, readonly (Bound & { readonly kind: 'column' })[]>();
  #states = 1;
  #named = new Map<string, number>();
  #slots = new Map<ColumnId, number>();

  /** While the input of a statement is compiled that changes its rows one by one (row-by-row.ts). */
  rowByRow = false;

  /** What its code works on; null: its functions are not shared. */
  readonly over: string | null;

  constructor(analyze = false, over: string | null = null) {
    this.analyze = analyze;
    this.over = over;
  }

  newState(): number {
    return this.#states++;
  }

  /** A state that is set once per run; the same one for the same name. */
  runState(make: (run: Run) => unknown, name?: string): number {
    const known = name === undefined ? undefined : this.#named.get(name);
    if (known !== undefined) return known;
    const n = this.newState();
    if (name !== undefined) this.#named.set(name, n);
    this.inits.push((run) => {
      run.states[n] = make(run);
    });
    return n;
  }

  /** The call descriptor that functions receive. */
  callState(argTypes: readonly SqlType[], returnType: SqlType): number {
    return this.runState((run): Call => ({ env: run.context.env, argTypes, returnType }));
  }

  /** The slot that holds an outer column's value. */
  slot(id: ColumnId): number {
    let n = this.#slots.get(id);
    if (n === undefined) {
      n = this.#slots.size;
      this.#slots.set(id, n);
    }
    return n;
  }

  readonly #noStates: unknown[] = [];
  readonly #noSlots: Value[] = [];

  newRun(context: import('./context.ts').ExecContext, short = false): Run {
    // A copy of a list has no spare capacity; a growing list does, and a run may be of one row.
    while (this.#noStates.length < this.#states) this.#noStates.push(undefined);
    while (this.#noSlots.length < this.#slots.size) this.#noSlots.push(null);
    const run = new Run(context, this.#noStates.slice(), this.#noSlots.slice(), short);
    run.states[0] = run;
    for (const init of this.inits) init(run);
    return run;
  }

  pipeline(): Pipeline {
    const p = new Pipeline(this);
    this.pipelines.push(p);
    return p;
  }

  /** The plan's rows with these columns. */
  rows(plan: Plan, ids: readonly ColumnId[] = plan.columns.map((column) => column.id), streams = true): Rows {
    const p = this.pipeline();
    p.streams = streams;
    const state = this.newState();
    const types = typesOf(plan);
    produce(p, plan, new Set(ids), () => collect(p, ids, types, state));
    const rows = { ids, open: (run: Run): Batches => batchesOf(run, p, state, ids.length) };
    if (p.single) {
      const one = (run: Run): Batch | null => batchOfOne(run, p, state, ids.length);
      return { ...rows, one, whole: (run) => one(run) ?? emptyBatch(ids.length) };
    }
    if (p.singleUnlessLong && !planIsVolatile(plan)) return { ...rows, unlessLong: (run) => batchOfOne(run, p, state, ids.length) };
    return p.mayRunWhole ? { ...rows, whole: (run, most) => batchAtOnce(run, p, state, ids.length, most) } : rows;
  }

  /** The plan's rows, materialised, to be read any number of times. */
  kept(plan: Plan, ids: readonly ColumnId[] = plan.columns.map((column) => column.id)): Kept {
    const p = this.pipeline();
    const state = this.newState();
    const made = this.newState();
    const types = typesOf(plan);
    produce(p, plan, new Set(ids), () => collect(p, ids, types, state));
    return {
      ids,
      *fill(run) {
        const rows = new KeptRows(run, ids.length);
        for (const batch of batchesOf(run, p, state, ids.length)) {
          if (batch === YIELD) yield YIELD;
          else rows.add(batch);
        }
        run.states[made] = rows;
      },
      rows: (run) => run.states[made] as KeptRows,
    };
  }

  /** A function from a row (the values of `ids`) to the values of expressions. `over`: shared with others of the same code. */
  scalars(
    expressions: readonly Bound[],
    columns: readonly { readonly id: ColumnId; readonly type: SqlType }[] = [],
    over: string | null = null,
  ): ScalarFunctions {
    // LIMIT 10 and WHERE id = $1 need no code.
    if (expressions.every((e) => e.kind === 'constant' || e.kind === 'parameter')) {
      return (run) => expressions.map((e) => (e.kind === 'constant' ? e.value : e.kind === 'parameter' ? (run.context.params[e.number - 1] ?? null) : null));
    }
    const g = this.#rowFunction(expressions, columns, false);
    let fn: ((states: unknown[], row: readonly Value[]) => Value[]) | null = null;
    return (run, row) => {
      if (fn === null) fn = g.build<(states: unknown[], row: readonly Value[]) => Value[]>('S, c', '', g.pauses, over);
      return fn(run.states, row);
    };
  }

  /** The same in steps that yield: subqueries and some functions may take long. */
  scalarSteps(
    expressions: readonly Bound[],
    columns: readonly { readonly id: ColumnId; readonly type: SqlType }[] = [],
  ): (run: Run, row: readonly Value[]) => Generator<Yield, Value[]> {
    if (!expressions.some(mayTakeLong)) {
      const values = this.scalars(expressions, columns);
      // oxlint-disable-next-line require-yield
      return function* (run, row) {
        return values(run, row);
      };
    }
    const g = this.#rowFunction(expressions, columns, true);
    let fn: ((states: unknown[], row: readonly Value[]) => unknown) | null = null;
    return function* (run, row) {
      if (fn === null) fn = g.build<(states: unknown[], row: readonly Value[]) => unknown>('S, c');
      const made = fn(run.states, row);
      return g.pauses ? yield* made as Generator<Yield, Value[]> : (made as Value[]);
    };
  }

  #rowFunction(expressions: readonly Bound[], columns: readonly { readonly id: ColumnId; readonly type: SqlType }[], mayPause: boolean): Emitter {
    const g = new Emitter(mayPause);
    const x = new Expressions(this, g);
    const read = new Set<ColumnId>();
    if (columns.length > 0) for (const e of expressions) columnsOf(e, read);
    columns.forEach(({ id, type }, i) => {
      if (!read.has(id)) return;
      x.scope.set(id, () => {
        const name = g.hoist(`row ${i}`, `c[${i}]`);
        return x.hoisted(`row value ${i}`, name, type);
      });
    });
    const values = expressions.map((e) => asValue(g, x.compile(e)));
    g.line(`return [${values.join(', ')}];`);
    return g;
  }

  subquery(x: Expressions, e: SubqueryCall | QuantifiedSubquery): Operand {
    return compileSubquery(this, x, e);
  }
}

export function typesOf(plan: Plan): Map<ColumnId, SqlType> {
  return new Map(plan.columns.map((column) => [column.id, column.type]));
}
