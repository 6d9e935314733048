/**
 * Prepares a large commit in slices: its changes are encoded and applied to the transaction's own trees. The turn that commits then
 * only writes the bytes and swaps the trees, provided that the world still has them as the transaction found them. The transaction's
 * locks protect its rows meanwhile.
 */
import { encodedAhead } from '../../projection/encoded.ts';
import { YIELD, type Yield } from '../exec/batch.ts';
import { keepHeldSteps, readsOn } from './cursors.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

/** Fewer rows are committed in a few milliseconds without preparation. */
export const LARGE_ROWS = 5000;
export const SLICE_MS = 2;

function isLarge(session: SqlSession, transaction: Transaction): boolean {
  return transaction.work > LARGE_ROWS && !transaction.failed && transaction.world !== null && session.temporary.schema === null;
}

/** Whether a COMMIT now needs preparation. */
export function hasLargeCommit(session: SqlSession): boolean {
  const { transaction, cursors } = session;
  return transaction !== null && (isLarge(session, transaction) || (cursors.size > 0 && !transaction.failed && readsOn(cursors, transaction)));
}

/** Gives YIELD at each yield point. */
export function* commitAhead(session: SqlSession, transaction: Transaction): Generator<Yield, void> {
  if (!isLarge(session, transaction) || transaction.ahead !== null) return;
  // From here on the base does not change.
  yield YIELD;
  const own = transaction.own.length;
  const changes = yield* sliced(transaction.changesSteps());
  if (transaction.own.length !== own || session.transaction !== transaction) return;
  const encoded = yield* sliced(beside(encodedAhead(changes), transaction.applySteps()));
  if (transaction.own.length !== own || session.transaction !== transaction) return;
  transaction.ahead = { own, changes, encoded, built: transaction.held ? transaction.built() : null };
}

/** Runs steps of the second while the first waits. */
function* beside<T>(first: Generator<boolean, T>, second: Generator<void, void>): Generator<boolean, T> {
  let working = true;
  for (;;) {
    const next = first.next();
    if (next.done === true) {
      while (second.next().done !== true) yield false;
      return next.value;
    }
    if (next.value && working) working = second.next().done !== true;
    yield next.value && !working;
  }
}

/** The same as a promise. */
export async function prepareLargeCommit(session: SqlSession): Promise<void> {
  const { transaction } = session;
  if (transaction === null) return;
  if (session.cursors.size > 0 && !transaction.failed) {
    for (const step of keepHeldSteps(session.cursors, transaction)) {
      if (step === YIELD) await session.pause();
      else await step;
    }
  }
  for (const _ of commitAhead(session, transaction)) await session.pause();
}

/** Gives YIELD after each slice, and when a step gives true because it has to wait. */
export function* sliced<T>(steps: Generator<boolean | void, T>): Generator<Yield, T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    if (next.value !== true && performance.now() < until) continue;
    yield YIELD;
    until = performance.now() + SLICE_MS;
  }
}
