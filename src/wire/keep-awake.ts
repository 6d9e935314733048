/**
 * Keeps the event loop looking for what comes next, for a moment after something came: a client that sends again as soon as it
 * has an answer is heard at once, where a loop that had gone to sleep would first have to be woken, which on a virtual machine
 * takes longer than a lookup by key. Costs the processor at most the moment per message; nothing where nobody sends.
 *
 * Whoever sends much at once has a slice, and all of those whom one turn of the loop has heard have a few together: whatever is left waits for turns.
 */
import { countComing } from '../base/slices.ts';
import { sendGathered } from './outbox.ts';
import { WIRE_LIMITS } from './protocol.ts';

/** Longer than a client beside the server takes to send again. */
const AWAKE_MS = 0.1;
/** Longer than a disk takes to sync a small commit, of which another thread tells, and than the client takes then. */
const AWAKE_FOR_ANSWER_MS = 0.4;

/** Slices that fit one turn of the loop. */
const SLICES_A_TURN = 4;

let untilMs = 0;
let turning = false;
/** When the slices of this turn are over; 0: none has begun. */
let turnEndMs = 0;

/** Until when a connection may work off what came now. */
export function beginSlice(nowMs: number): number {
  if (turnEndMs === 0) turnEndMs = nowMs + SLICES_A_TURN * WIRE_LIMITS.sliceMs;
  return Math.min(nowMs + WIRE_LIMITS.sliceMs, turnEndMs);
}

/** Something came now: a message, or what an answer had to wait for; `unanswered` where it has to wait for more. */
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
