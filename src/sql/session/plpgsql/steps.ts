/**
 * Steps of a running function: it stops to yield (YIELD), or to wait for a promise. A call inside a query runs without stopping and
 * cannot wait; DO and CALL can.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { YIELD, type Yield } from '../../exec/batch.ts';
import type { SqlSession } from '../sql-session.ts';

/** The next step has to wait for something that has not been started. */
export const WAITS = Symbol('waits');

export type Step = Yield | typeof WAITS | Promise<unknown>;
export type Steps<T> = Generator<Step, T, unknown>;

/** Starts an operation that has to be waited for; if the caller cannot wait, it is refused before it has any effect. */
export function* waitsFor<T>(begin: () => T | Promise<T>): Steps<T> {
  yield WAITS;
  return yield* waited(begin());
}

/** A value that is there already, or is waited for. */
export function* waited<T>(now: T | Promise<T>): Steps<T> {
  return now instanceof Promise ? ((yield now) as T) : now;
}

/** Runs to the end without stopping. */
export function runAtOnce<T>(session: SqlSession, steps: Steps<T>): T {
  return atOnce(session, () => toTheEnd(session, steps));
}

/** Runs code that can neither wait nor end the transaction. */
export function atOnce<T>(session: SqlSession, run: () => T): T {
  const { nonatomic } = session;
  session.nonatomic = false;
  try {
    return run();
  } finally {
    session.nonatomic = nonatomic;
  }
}

export function toTheEnd<T>(session: SqlSession, steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    if (step.value === YIELD) {
      session.checkCancel();
      step = steps.next();
      continue;
    }
    if (step.value !== WAITS) (step.value as Promise<unknown>).catch(() => undefined);
    // Thrown at the statement: the function may have a handler.
    step = steps.throw(new SvcError('0A000', 'this statement cannot run in a function that a query calls', { hint: 'Run it in DO or in a procedure.' }));
  }
  return step.value;
}

/** Runs code that may end its transaction, unless that was begun outside. */
export async function runNonatomic<T>(session: SqlSession, run: (atomic: boolean) => Steps<T>): Promise<T> {
  const nonatomic = session.functionDepth === 0 && !session.isMultiStatement && session.transaction?.explicit !== true;
  const before = session.nonatomic;
  session.nonatomic = nonatomic;
  try {
    return await runInTurns(session, run(!nonatomic));
  } finally {
    session.nonatomic = before;
  }
}

/** Yields at each stop. */
export async function runInTurns<T>(session: SqlSession, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    if (step.value === WAITS) {
      step = steps.next();
      continue;
    }
    if (step.value === YIELD) {
      try {
        await session.pause();
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next();
      continue;
    }
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}
