/**
 * Keeps the event loop polling for a moment after input: a client that sends again as soon as it has its answer is served at
 * once, while waking a sleeping loop takes longer than a point lookup on a virtual machine. Costs the processor at most that
 * moment per message, and nothing without input.
 *
 * A client that sends much at once gets a time slice, and all clients read in one turn of the loop share a few slices; the
 * rest waits for later turns.
 */
import { countComing } from '../base/slices.ts';
import { sendGathered } from './outbox.ts';
import { WIRE_LIMITS } from './protocol.ts';

/** Longer than a client on the same machine takes to send again. */
const AWAKE_MS = 0.1;
/** Longer than a disk takes to sync a small commit in a worker thread, plus the client's time. */
const AWAKE_FOR_ANSWER_MS = 0.4;

/** Time slices per turn of the loop. */
const SLICES_A_TURN = 4;

let untilMs = 0;
let turning = false;
/** End of this turn's slices; 0: none has begun. */
let turnEndMs = 0;

/** Until when a connection may process the input that just arrived. */
export function beginSlice(nowMs: number): number {
  if (turnEndMs === 0) turnEndMs = nowMs + SLICES_A_TURN * WIRE_LIMITS.sliceMs;
  return Math.min(nowMs + WIRE_LIMITS.sliceMs, turnEndMs);
}

/** Called on input, or when an awaited result arrives; `unanswered`: the reply waits for more. */
export function keepAwake(nowMs: number, unanswered = false): void {
  countComing();
  untilMs = Math.max(untilMs, nowMs + (unanswered ? AWAKE_FOR_ANSWER_MS : AWAKE_MS));
  if (turning) return;
  turning = true;
  setImmediate(turn);
}

function turn(): void {
  turnEndMs = 0;
  sendGathered();
  if (performance.now() < untilMs) setImmediate(turn);
  else turning = false;
}
