/**
 * A pipeline: a source that gives chunks of rows (leaves of a tree, or batches), one generated function that takes each chunk
 * through all row-wise operators, and the result of the function (a batch, a hash table, sums …). During compilation, operators add
 * code to `g` and states to the run.
 */
import type { Columns, GroupView } from '../../tree/gathered.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { YIELD, type Batch, type Batches, type Steps, type Yield, emptyBatch } from './batch.ts';
import { BatchSize, mayBeLarge, refuseLargeRow } from './batch-size.ts';
import type { ColumnReader } from './column-reader.ts';
import type { Compilation } from './compilation.ts';
import { Emitter } from './emitter.ts';
import { Expressions } from './expression.ts';
import { asValue } from './operand.ts';
import { Pace } from './pace.ts';
import { PASSES_FACTOR, PASSES_MAX, TooLarge, type Passes } from './passes.ts';
import type { Run } from './run.ts';
import type { InputTest, ZoneTest } from './zone-tests.ts';

/** Processes rows [from, to) of a chunk; true: no more rows are wanted. Code with pauses gives steps. */
export type PipelineFunction = (states: unknown[], chunk: Columns | Batch, from: number, to: number) => boolean;
type PausingFunction = (states: unknown[], chunk: Columns | Batch, from: number, to: number) => Generator<Yield | undefined, boolean>;

/** Rows that one row may match in joins before the function needs pauses. */
const MEETS_MAX = 16;

/** Chunks between two steps of a pipeline that collects its result. */
export const CHUNKS_A_STEP = 32;

/** Pushes chunks to the function and yields after each (or some of them): YIELD if the time slice is over. */
export interface Source {
  feed(run: Run, pipeline: Pipeline): Generator<Yield | undefined, void>;
  /** Only for at most one row, by its key or from VALUES: processes it, if it exists. */
  readonly one?: (run: Run, pipeline: Pipeline) => void;
  /** Processes all rows if they are available without a step and no more than `most`: gives their number, or FED if they have to be pushed in steps. */
  readonly whole?: (run: Run, pipeline: Pipeline, most: number) => number;
}

/** The rows are not available at once. There were no visible effects by then. */
export const FED = -1;

/** A table that may be built in partitions, the pipeline then running once for each. */
export interface Parted {
  /** State of the passes. */
  readonly passes: number;
  /** Whether the table has to be built in one pass. */
  whole(run: Run): boolean;
  build(run: Run, limited: boolean): Steps;
}

/** Of the function: states, rows, and the range of them. */
const ARGUMENTS = 'S, c, from, to';

export class Pipeline {
  readonly c: Compilation;
  readonly g = new Emitter(true);
  readonly x: Expressions;
  source: Source | null = null;
  /** Prerequisites of the first row: hash tables, shared tables. */
  readonly before: ((run: Run) => Steps)[] = [];
  /** Hash tables that are built before, in partitions if they are too large. */
  readonly parted: Parted[] = [];
  /** Resets the states of this pipeline at each start. */
  readonly starts: ((run: Run) => void)[] = [];
  /** Run-time conditions under which no row need be read at all. */
  readonly idle: ((run: Run) => boolean)[] = [];
  /** Tests on the zone maps of leaf groups, before their rows are read. */
  readonly zoneTests: ZoneTest[] = [];
  /** Tests on the inputs of appends, before they are read. */
  readonly inputTests: InputTest[] = [];
  /** Zone-map aggregation, once per run: takes a group all of whose rows pass without reading them, if its zone maps suffice; only for a single scan. */
  takesGroups: ((run: Run) => (view: GroupView) => boolean) | null = null;
  /** One row may become several. */
  multiplies = false;
  /** The sink collects everything: there is no output to hand on after each chunk. */
  gathers = false;
  /** The sink accepts masked rows: filters then need no branch. */
  wantsMask = false;
  /** A variable that is 1 if the current row counts and 0 if not; null: all rows count. */
  mask: string | null = null;
  /** Variable-length columns of its output. */
  varying: number[] = [];
  /** Its rows are handed on as they come: no more of them are produced than are wanted. */
  streams = false;
  #stops = false;
  /** What the function returns: whether no further row is wanted. */
  get #result(): string {
    return this.#stops ? 'stop' : 'false';
  }
  #stopped = -1;
  readonly #meets: ((run: Run) => number)[] = [];
  readonly #pace: number;
  readonly #functions: (PipelineFunction | null)[] = [null, null, null, null];

  constructor(c: Compilation) {
    this.c = c;
    this.#pace = c.newState();
    this.x = new Expressions(c, this.g);
  }

  /** A state that is recreated whenever the pipeline starts. */
  state(make: (run: Run) => unknown): number {
    const n = this.c.newState();
    this.starts.push((run) => {
      run.states[n] = make(run);
    });
    return n;
  }

  /** Whether it takes all rows unconditionally. */
  get takesAll(): boolean {
    return this.gathers && !this.#stops;
  }

  /** Code that ends the pipeline: the source's loop is left, and no other chunk follows. */
  stop(): void {
    if (!this.#stops) {
      this.#stops = true;
      this.g.before('let stop = false;');
      this.#stopped = this.state(() => ({ stopped: false }));
    }
    this.g.line(`stop = true; ${this.g.state(this.#stopped)}.stopped = true; break source;`);
  }

  /** Whether that code was reached in this run. */
  hasStopped(run: Run): boolean {
    return this.#stops && (run.states[this.#stopped] as { stopped: boolean }).stopped;
  }

  /** A yield point inside a loop over the matches of one row: after a number of rows it may yield. `most`: the number of matches in this run. */
  yieldPoint(most: (run: Run) => number): void {
    this.g.yieldPoint(`--${this.g.hoist('pace', `S[${this.#pace}].rows`, true)} < 0`);
    this.#meets.push(most);
  }

  /** Whether the function for this run has pauses. */
  pauses(run: Run): boolean {
    if (this.g.pauses) return true;
    if (!this.g.hasWays) return false;
    let most = 1;
    for (const meets of this.#meets) most *= Math.max(1, meets(run));
    return most > MEETS_MAX;
  }

  pace(run: Run): Pace {
    return (run.states[this.#pace] ??= new Pace(this.streams ? run : null)) as Pace;
  }

  /** Takes rows of a chunk through the function in pieces, each as long as the pace allows; yields after each. `again`: called before the next one. */
  *pieces(
    run: Run,
    chunk: Columns | Batch,
    from: number,
    to: number,
    wide: boolean,
    pauses: boolean,
    backward = false,
    again?: () => void,
  ): Generator<Yield | undefined, boolean> {
    const pace = this.pace(run);
    if (this.g.isLong && !this.isBuilt(wide, pauses)) {
      // Planning has just ended, and the first call compiles the parsed code: a turn each.
      yield YIELD;
      this.g.writeSource(ARGUMENTS, this.#result, pauses);
      yield YIELD;
      this.function(wide, pauses);
      yield YIELD;
      again?.();
    }
    if (pauses && this.streams && run.rowsWanted < to - from) {
      // The function checks the pace itself: it gets no more rows than are wanted.
      for (let left = to - from; left > 0;) {
        const rows = Math.min(left, run.rowsWanted);
        const first = backward ? from + left - rows : to - left;
        left -= rows;
        if (yield* this.pieces(run, chunk, first, first + rows, wide, true, backward)) return true;
        if (left > 0) again?.();
      }
      return false;
    }
    if (pauses && this.g.pauses && to - from > pace.rows) {
      // It pauses within long rows, but does not look at the clock between rows.
      for (let left = to - from; left > 0;) {
        const rows = Math.min(left, pace.rows);
        const first = backward ? from + left - rows : to - left;
        left -= rows;
        if (yield* this.pieces(run, chunk, first, first + rows, wide, true, backward)) return true;
        if (left > 0) again?.();
      }
      return false;
    }
    if (pauses) {
      const steps = (this.function(wide, true) as unknown as PausingFunction)(run.states, chunk, from, to);
      for (;;) {
        const { rows } = pace;
        pace.begin();
        const next = steps.next();
        const late = pace.end(run, Math.min(rows, next.done === true ? to - from : rows));
        if (next.value === YIELD || next.done !== true) yield late || next.value === YIELD ? YIELD : undefined;
        else {
          yield late ? YIELD : undefined;
          return next.value;
        }
      }
    }
    const fn = this.function(wide, false);
    for (let left = to - from; left > 0;) {
      const rows = Math.min(left, pace.rows);
      pace.begin();
      const stop = backward ? fn(run.states, chunk, from + left - rows, from + left) : fn(run.states, chunk, to - left, to - left + rows);
      left -= rows;
      yield pace.end(run, rows) ? YIELD : undefined;
      if (stop) return true;
      if (left > 0) again?.();
    }
    return false;
  }

  /** The function for leaves of plain numbers, or the copy of it for those with bigints; each with or without pauses. */
  function(wide: boolean, pauses: boolean): PipelineFunction {
    const form = (wide ? 1 : 0) + (pauses ? 2 : 0);
    return (this.#functions[form] ??= this.g.build<PipelineFunction>(ARGUMENTS, this.#result, pauses, this.c.over));
  }

  isBuilt(wide: boolean, pauses: boolean): boolean {
    return this.#functions[(wide ? 1 : 0) + (pauses ? 2 : 0)] !== null;
  }

  code(): string {
    return this.g.source(ARGUMENTS, this.#result);
  }

  *run(run: Run): Generator<Yield | undefined, void> {
    for (const before of this.before) yield* before(run);
    const passes: Passes[] = [];
    for (const part of this.parted) passes.push(yield* this.#firstPart(run, part));
    for (const start of this.starts) start(run);
    for (const idle of this.idle) if (idle(run)) return;
    for (;;) {
      yield* this.source!.feed(run, this);
      if (this.hasStopped(run)) return;
      // Next combination of partitions, like an odometer.
      let at = passes.length - 1;
      while (at >= 0 && passes[at].current + 1 >= passes[at].count) at--;
      if (at < 0) return;
      for (let i = at; i < passes.length; i++) {
        const current = i === at ? passes[i].current + 1 : 0;
        if (current === passes[i].current && passes[i].count === 1) continue;
        passes[i].current = current;
        yield* this.parted[i].build(run, false);
      }
    }
  }

  /** Builds a table's first partition, as large as memory allows. */
  *#firstPart(run: Run, part: Parted): Generator<Yield, Passes> {
    const passes: Passes = { count: 1, current: 0 };
    run.states[part.passes] = passes;
    const whole = part.whole(run);
    for (;;) {
      try {
        yield* part.build(run, !whole && passes.count < PASSES_MAX);
        return passes;
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error;
        passes.count *= PASSES_FACTOR;
      }
    }
  }

  /** Whether at most one row comes, without a step in between. */
  get single(): boolean {
    return this.source?.one !== undefined && this.before.length === 0 && this.parted.length === 0 && !this.g.pauses && !this.g.hasWays;
  }

  /** The same except for calls on threads, which stop `runOne` with `LONG_CALL`. */
  get singleUnlessLong(): boolean {
    return this.source?.one !== undefined && this.before.length === 0 && this.parted.length === 0 && !this.g.pausesOften && !this.g.hasWays;
  }

  /** Runs it if it is `single`. */
  runOne(run: Run): void {
    for (let i = 0; i < this.starts.length; i++) this.starts[i](run);
    for (let i = 0; i < this.idle.length; i++) if (this.idle[i](run)) return;
    this.source!.one!(run, this);
  }

  /** Whether `runWhole` is supported. */
  get mayRunWhole(): boolean {
    return this.source?.whole !== undefined && this.before.length === 0 && this.parted.length === 0 && !this.g.pauses && !this.g.hasWays && !this.multiplies;
  }

  /** Runs it in one call; false if it has to run in steps this time. `most`: the maximum number of rows. */
  runWhole(run: Run, most = WHOLE_MAX): boolean {
    const pace = this.pace(run);
    const { atOnce } = pace;
    if (atOnce === 0) return false;
    for (let i = 0; i < this.starts.length; i++) this.starts[i](run);
    for (let i = 0; i < this.idle.length; i++) if (this.idle[i](run)) return true;
    pace.beginGo();
    const rows = this.source!.whole!(run, this, atOnce < most ? atOnce : most);
    if (rows === FED) return false;
    pace.endGo(rows);
    return true;
  }

  *exhaust(run: Run): Steps {
    for (const step of this.run(run)) if (step === YIELD) yield YIELD;
  }
}

/** Rows that may be processed at once. */
export const WHOLE_MAX = 1024;

/** Any batches as the source of a pipeline. */
export class BatchSource implements Source {
  readonly #open: (run: Run) => Batches;
  readonly one?: (run: Run, pipeline: Pipeline) => void;
  readonly whole?: (run: Run, pipeline: Pipeline, most: number) => number;

  /** `one`: gives the only batch, if none or one of a row is available without a step; `whole`: as in `Rows`. */
  constructor(open: (run: Run) => Batches, one?: (run: Run) => Batch | null, whole?: (run: Run, most: number) => Batch | null) {
    this.#open = open;
    if (whole !== undefined) {
      this.whole = (run, pipeline, most) => {
        const batch = whole(run, most);
        if (batch === null) return FED;
        if (batch.count > 0) pipeline.function(false, false)(run.states, batch, 0, batch.count);
        return batch.count;
      };
    } else if (one !== undefined) {
      this.whole = (run, pipeline) => {
        const batch = one(run);
        if (batch === null) return 0;
        pipeline.function(false, false)(run.states, batch, 0, batch.count);
        return batch.count;
      };
    }
    if (one === undefined) return;
    this.one = (run, pipeline) => {
      const batch = one(run);
      if (batch !== null) pipeline.function(false, false)(run.states, batch, 0, batch.count);
    };
  }

  *feed(run: Run, pipeline: Pipeline): Generator<Yield | undefined, void> {
    const pauses = pipeline.pauses(run);
    const pace = pipeline.pace(run);
    for (const batch of this.#open(run)) {
      if (batch === YIELD) {
        yield YIELD;
        continue;
      }
      if (!pauses && batch.count <= pace.rows) {
        pace.begin();
        const stop = pipeline.function(false, false)(run.states, batch, 0, batch.count);
        yield pace.end(run, batch.count) ? YIELD : undefined;
        if (stop) return;
      } else if (yield* pipeline.pieces(run, batch, 0, batch.count, false, pauses)) return;
    }
  }
}

/** Reads the columns of one leaf into the forms that the function expects. */
export function readColumns(readers: readonly ColumnReader[], leaf: Columns): boolean {
  let wide = false;
  for (let i = 0; i < readers.length; i++) {
    readers[i].read(leaf);
    if (readers[i].wide) wide = true;
  }
  return wide;
}

/** The same for one row of the leaf. */
export function readRow(readers: readonly ColumnReader[], leaf: Columns, at: number): boolean {
  let wide = false;
  for (let i = 0; i < readers.length; i++) {
    readers[i].readRow(leaf, at);
    if (readers[i].wide) wide = true;
  }
  return wide;
}

/** Sink: collects rows in a batch; `extra` columns come after the others. */
export function collect(
  p: Pipeline,
  ids: readonly ColumnId[],
  types: ReadonlyMap<ColumnId, import('../types/type.ts').SqlType>,
  state: number,
  extra: readonly Bound[] = [],
): void {
  const { g } = p;
  p.varying = [...ids.keys()].filter((i) => mayBeLarge(types.get(ids[i])!));
  extra.forEach((each, i) => mayBeLarge(each.type) && p.varying.push(ids.length + i));
  const out = g.state(state);
  const count = g.hoist(`out ${state} count`, `${out}.count`, true);
  g.after(`${out}.count = ${count};`);
  // All values are computed before the first is stored: the batch may be handed on while one is being computed.
  const values = [...ids.map((id) => asValue(g, p.x.column(id, types.get(id)!))), ...extra.map((e) => asValue(g, p.x.compile(e)))];
  values.forEach((value, i) => {
    // Mostly there is one row, and growing a list would allocate spare capacity.
    if (p.single) g.line(`if (${count} === 0) ${out}.columns[${i}] = [${value}]; else ${out}.columns[${i}].push(${value});`);
    else g.line(`${g.hoist(`out ${state} ${i}`, `${out}.columns[${i}]`)}.push(${value});`);
  });
  g.line(`${count}++;`);
}

/** Rows that are collected before they are handed on. */
export const HAND_ON = 256;

/** The batch of a `single` pipeline whose sink is `collect`; null for no row. */
export function batchOfOne(run: Run, p: Pipeline, state: number, width: number): Batch | null {
  const out = emptyBatch(width);
  run.states[state] = out;
  p.runOne(run);
  if (out.count === 0) return null;
  if (p.varying.length > 0) refuseLargeRow(out, p.varying, run.heldMax);
  return out;
}

/** The batch of a pipeline whose sink is `collect` and that may run whole; null if it has to run in steps this time. */
export function batchAtOnce(run: Run, p: Pipeline, state: number, width: number, most: number): Batch | null {
  const out = emptyBatch(width);
  run.states[state] = out;
  return p.runWhole(run, most) ? out : null;
}

/** An error that is raised after the rows before it have been handed on. */
class LateError {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The steps of a pipeline; if a row fails, the rows before it are handed on first. */
function* untilError(run: Run, p: Pipeline, state: number): Generator<Yield | LateError | undefined, void> {
  try {
    yield* p.run(run);
  } catch (error) {
    const out = run.states[state] as Batch;
    // The function has not yet set the row count. All values of a row are stored together.
    out.count = out.columns.at(-1)?.length ?? out.count;
    if (out.count > 0) yield YIELD;
    yield new LateError(error);
  }
}

/** Runs a pipeline whose sink is `collect`, and hands on batches. */
export function* batchesOf(run: Run, p: Pipeline, state: number, width: number): Batches {
  if (p.single) {
    const one = batchOfOne(run, p, state, width);
    if (one !== null) yield one;
    return;
  }
  run.states[state] = emptyBatch(width);
  const size = p.varying.length === 0 ? null : new BatchSize(p.varying, run.heldMax);
  for (const step of run.context.wanted === undefined ? p.run(run) : untilError(run, p, state)) {
    if (step instanceof LateError) throw step.error;
    const out = run.states[state] as Batch;
    // A reader with limited demand updates it after each batch.
    const isDue = step === YIELD || (p.streams && run.rowsWanted < HAND_ON);
    const isLarge = size !== null && size.isLarge(out, p.pace(run));
    if (out.count >= HAND_ON || isLarge || (out.count > 0 && isDue)) {
      run.states[state] = emptyBatch(width);
      size?.clear();
      yield out;
    }
    if (step === YIELD) yield YIELD;
  }
  const out = run.states[state] as Batch;
  if (out.count > 0) yield out;
}
