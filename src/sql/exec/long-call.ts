/**
 * Calls that take longer than a turn of the event loop: a thread makes them, and the pipeline that asked lets others in until
 * the value is there. Where the statement's context has no threads they are made here, while others wait.
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

/** Whether others have to be let in while the expression is computed. */
export function mayTakeLong(e: Bound): boolean {
  let found = false;
  visitBound(e, (at) => {
    if (isSubquery(at) || (at.kind === 'call' && at.fn.long !== undefined)) found = true;
    else if (at.kind === 'cast' && at.method === 'io' && (longInput(at.type) !== null || mayHaveParts(at.arg.type))) found = true;
  });
  return found;
}

/** Thrown by a pipeline of one row that does not pause, before anything was done that could be seen: it runs again in steps. */
export const LONG_CALL = Symbol('long call');

export function throwLong(): never {
  // oxlint-disable-next-line no-throw-literal -- Caught by who runs the pipeline, never told.
  throw LONG_CALL;
}

/** Whether a call that was made in place is to be made by a thread; any other error is thrown on. */
export function givenUp(error: unknown): true {
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

/** The values that a long call of a set-returning function gives, or its rows. */
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
