/**
 * Calls that take longer than a turn of the event loop: a thread runs them, and the pipeline yields until the value is there.
 * Without threads in the statement's context they run on this thread and block it.
 */
import type { Call, ScalarFunction, SetFunction, SqlOperator } from '../functions/define.ts';
import { SlowMatch } from '../functions/text/regexp/time-limit.ts';
import { longInput } from '../functions/long-inputs.ts';
import type { Bound } from '../plan/bound.ts';
import { isSubquery, visitBound } from '../plan/rules/walk.ts';
import type { Value } from '../types/value.ts';
import { YIELD, type Yield } from './batch.ts';
import type { Run } from './run.ts';
import { mayHaveParts } from './long-text.ts';
import { valueBytes } from './spill-codec.ts';

/** Whether computing the expression may have to yield. */
export function mayTakeLong(e: Bound): boolean {
  let found = false;
  visitBound(e, (at) => {
    if (isSubquery(at) || (at.kind === 'call' && at.fn.long !== undefined)) found = true;
    else if (at.kind === 'cast' && at.method === 'io' && (longInput(at.type) !== null || mayHaveParts(at.arg.type))) found = true;
  });
  return found;
}

/** Thrown by a pipeline of one row without pauses, before it has any visible effect: it runs again in steps. */
export const LONG_CALL = Symbol('long call');

export function throwLong(): never {
  // oxlint-disable-next-line no-throw-literal -- Caught by the caller that runs the pipeline, never reported.
  throw LONG_CALL;
}

/** Whether a call that was started on this thread has to move to another one; any other error is rethrown. */
export function isSlowMatch(error: unknown): true {
  if (error instanceof SlowMatch) return true;
  throw error;
}

/** The value of a long call. */
export function* computeLong(run: Run, fn: ScalarFunction | SqlOperator, call: Call | null, args: readonly Value[]): Generator<Yield, Value> {
  const long = run.context.compute?.(fn.long!.key, call, args) ?? null;
  if (long === null) return fn.needsCall === true ? fn.impl(call, ...args) : fn.impl(...args);
  try {
    for (;;) {
      const step = long.next();
      if (step === null) yield YIELD;
      else if (step.done) return step.value;
      else if (run.late()) yield YIELD;
    }
  } finally {
    long.close();
  }
}

/** The values of a long call of a set-returning function, or its rows. */
export function* listLong(
  run: Run,
  fn: SetFunction | ScalarFunction,
  call: Call | null,
  args: readonly Value[],
): Generator<Yield, Value | Iterable<Value> | Iterable<Value[]>> {
  const long = run.context.compute?.(fn.long!.key, call, args) ?? null;
  if (long === null) return fn.needsCall === true ? fn.impl(call, ...args) : fn.impl(...args);
  const values: Value[] = [];
  let held = 0;
  run.closers.push(() => run.release(held));
  try {
    for (;;) {
      const step = long.next();
      if (step === null) yield YIELD;
      else if (step.done) return step.list === null ? step.value : values;
      else {
        let bytes = 0;
        for (const value of step.list!) {
          bytes += valueBytes(value);
          values.push(value);
        }
        held += bytes;
        run.hold(bytes);
        if (run.late()) yield YIELD;
      }
    }
  } finally {
    long.close();
  }
}
