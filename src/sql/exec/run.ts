/**
 * One run of a compiled plan: its context, the states of its pipelines (by the numbers that the compiler assigned), the values of
 * outer columns, and the clock of its time slice.
 */
import type { ExecContext } from './context.ts';
import { giveMemory, STATEMENT_BYTES_STANDARD, statementTooLarge, takeMemory } from './process-memory.ts';
import { valueBytes } from './spill-codec.ts';
import type { Value } from '../types/value.ts';
import type { Yield } from './batch.ts';

/** Long enough that the event loop costs nothing, short enough that other clients do not notice. */
const SLICE_MS = 2;

const KEPT_STEP_BYTES = 65_536;
/** A run that holds this much releases it even if it is never closed. */
const WATCHED_BYTES = 1 << 20;

interface Held {
  bytes: number;
}

/** Runs that were abandoned without being closed, for example by a failed function. */
const abandoned = new FinalizationRegistry<Held>((held) => giveMemory(held.bytes));

export class Run {
  readonly context: ExecContext;
  readonly states: unknown[];
  /** Values of outer columns, for subqueries and lateral joins. */
  readonly slots: Value[];
  /** End of the time slice; 0: it starts at the first check. */
  #deadline: number;

  /** Run when the statement ends, in any way. */
  readonly closers: (() => void)[] = [];
  /** The memory limit of the statement. */
  readonly heldMax: number;
  #held = 0;
  /** The same for the registry, which must not reference the run. */
  #watched: Held | null = null;

  /** `short`: the time slice starts at the first check, since reading the clock takes a good part of a lookup by key. */
  constructor(context: ExecContext, states: unknown[], slots: Value[], short = false) {
    this.context = context;
    this.heldMax = context.heldBytesMax ?? STATEMENT_BYTES_STANDARD;
    this.states = states;
    this.slots = slots;
    this.#deadline = short ? 0 : performance.now() + SLICE_MS;
  }

  /** How many rows are wanted at the moment. */
  get rowsWanted(): number {
    return this.context.wanted?.rows ?? Infinity;
  }

  /** Whether the time slice is over. Checked after some hundred rows, or after long work. */
  late(): boolean {
    return this.past(performance.now()) > 0;
  }

  /** Milliseconds since the end of the time slice. */
  past(nowMs: number): number {
    if (this.#deadline === 0) this.newSlice();
    return nowMs - this.#deadline;
  }

  newSlice(): void {
    this.#deadline = performance.now() + SLICE_MS;
  }

  /** Counts memory of held rows; 53200 past the limit. */
  hold(bytes: number): void {
    const held = this.#held + bytes;
    if (held > this.heldMax) throw statementTooLarge(this.heldMax);
    takeMemory(bytes, held);
    this.#held = held;
    if (held >= WATCHED_BYTES) this.#watch();
  }

  release(bytes: number): void {
    const given = Math.min(bytes, this.#held);
    this.#held -= given;
    giveMemory(given);
    if (this.#watched !== null) this.#watched.bytes = this.#held;
  }

  #watch(): void {
    if (this.#watched === null) abandoned.register(this, (this.#watched = { bytes: 0 }));
    this.#watched.bytes = this.#held;
  }

  /** Counts a value in something that grows with the rows. Returns it. */
  keep<T>(value: T): T {
    this.#kept += valueBytes(value);
    if (this.#kept > KEPT_STEP_BYTES) {
      this.hold(this.#kept);
      this.#kept = 0;
    }
    return value;
  }
  #kept = 0;

  close(): void {
    for (let close = this.closers.pop(); close !== undefined; close = this.closers.pop()) close();
    if (this.#held > 0) this.release(this.#held);
  }

  /** Runs steps to their end without yielding; only cancel is checked. */
  finish<T>(steps: Generator<Yield, T>): T {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      this.context.checkCancel();
      this.newSlice();
    }
  }
}
