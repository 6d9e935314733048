/**
 * One run of a compiled plan: its context, the states of its pipelines (by the number that the compiler gave
 * each), the values of outer columns, and the clock of its time slice.
 */
import type { ExecContext } from './context.ts';
import { giveMemory, STATEMENT_BYTES_STANDARD, statementTooLarge, takeMemory } from './process-memory.ts';
import { valueBytes } from './spill-codec.ts';
import type { Value } from '../types/value.ts';
import type { Yield } from './batch.ts';

/** Long enough that turning the event loop costs nothing, short enough that other clients do not notice. */
const SLICE_MS = 2;

const KEPT_STEP_BYTES = 65_536;
/** A run that holds this much gives it back also where nobody has closed it. */
const WATCHED_BYTES = 1 << 20;

interface Held {
  bytes: number;
}

/** Runs that were given up without being closed, as those of functions that failed are. */
const givenUp = new FinalizationRegistry<Held>((held) => giveMemory(held.bytes));

export class Run {
  readonly context: ExecContext;
  readonly states: unknown[];
  /** Values of outer columns, for subqueries and lateral joins. */
  readonly slots: Value[];
  /** When the time slice is over; 0: it begins when somebody asks. */
  #deadline: number;

  /** Run when the statement ends, however it does. */
  readonly closers: (() => void)[] = [];
  /** What most a statement may hold. */
  readonly heldMax: number;
  #held = 0;
  /** The same for the registry, which must not know the run. */
  #watched: Held | null = null;

  /** `short`: the time slice begins when somebody first asks, since looking at the clock takes a good part of a lookup by key. */
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

  /** Whether the time slice is over. Asked after some hundred rows, or work that takes long itself. */
  late(): boolean {
    return this.past(performance.now()) > 0;
  }

  /** Milliseconds since the time slice was over. */
  past(nowMs: number): number {
    if (this.#deadline === 0) this.newSlice();
    return nowMs - this.#deadline;
  }

  newSlice(): void {
    this.#deadline = performance.now() + SLICE_MS;
  }

  /** Rows are held from now on; 53200 where they are too many. */
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
    if (this.#watched === null) givenUp.register(this, (this.#watched = { bytes: 0 }));
    this.#watched.bytes = this.#held;
  }

  /** One value more in something that grows with the rows. Gives it back. */
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

  /** Runs steps to their end in one go, where nobody can be let in between; only cancel is heeded. */
  finish<T>(steps: Generator<Yield, T>): T {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      this.context.checkCancel();
      this.newSlice();
    }
  }
}
