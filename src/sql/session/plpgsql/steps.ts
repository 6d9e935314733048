/**
 * What a running function stops for: others may be let in (YIELD), or something has to be waited for (a promise). A call
 * inside a query goes on at once and cannot wait; DO and CALL can.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { YIELD, type Yield } from '../../exec/batch.ts';
import type { SqlSession } from '../sql-session.ts';

/** What comes next has to be waited for, and has not begun. */
export const WAITS = Symbol('waits');

export type Step = Yield | typeof WAITS | Promise<unknown>;
export type Steps<T> = Generator<Step, T, unknown>;

/** Begins what has to be waited for; where nothing can wait it is refused before it has done anything. */
export function* waitsFor<T>(begin: () => T | Promise<T>): Steps<T> {
  yield WAITS;
  return yield* waited(begin());
}

/** What is there already, or is waited for. */
export function* waited<T>(now: T | Promise<T>): Steps<T> {
  return now instanceof Promise ? ((yield now) as T) : now;
}

/** To the end without a stop. */
export function runAtOnce<T>(session: SqlSession, steps: Steps<T>): T {
  return atOnce(session, () => toTheEnd(session, steps));
}

/** What runs cannot wait and cannot end the transaction. */
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
    // Thrown where the statement stands: the function may have a handler.
    step = steps.throw(new SvcError('0A000', 'this statement cannot run in a function that a query calls', { hint: 'Run it in DO or in a procedure.' }));
  }
  return step.value;
}

/** What is run may end its transaction, unless somebody else has begun it. */
export async function runNonatomic<T>(session: SqlSession, run: (atomic: boolean) => Steps<T>): Promise<T> {
  const nonatomic = session.functionDepth === 0 && !session.listed && session.transaction?.explicit !== true;
  const before = session.nonatomic;
  session.nonatomic = nonatomic;
  try {
    return await runInTurns(session, run(!nonatomic));
  } finally {
    session.nonatomic = before;
  }
}

/** Lets others in at each stop. */
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
