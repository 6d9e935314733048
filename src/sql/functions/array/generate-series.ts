/** generate_series over whole numbers and numerics. Manual, section 9.26. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { compareNumerics } from '../../types/json-number.ts';
import { Numeric } from '../../types/numeric.ts';
import { type Value, type Whole, whole } from '../../types/value.ts';
import type { FunctionModule, SetFunction } from '../define.ts';

function zeroStep(): SvcError {
  return new SvcError('22023', 'step size cannot equal zero');
}

function* small(start: number, stop: number, step: number): Iterable<Value> {
  if (step > 0) for (let value = start; value <= stop; value += step) yield value;
  else for (let value = start; value >= stop; value += step) yield value;
}

function* large(start: bigint, stop: bigint, step: bigint): Iterable<Value> {
  if (step > 0n) for (let value = start; value <= stop; value += step) yield whole(value);
  else for (let value = start; value >= stop; value += step) yield whole(value);
}

/** int4 and int8 alike: a series ends at its stop, which is inside the type, so it never leaves the type's range. */
function wholeSeries(start: Whole, stop: Whole, step: Whole = 1): Iterable<Value> {
  if (step === 0) throw zeroStep();
  // One step past the stop must still be exact.
  if (typeof start === 'number' && typeof stop === 'number' && typeof step === 'number' && Number.isSafeInteger(stop + step)) return small(start, stop, step);
  return large(BigInt(start), BigInt(stop), BigInt(step));
}

function check(value: Numeric, what: string): void {
  const { coefficient } = value;
  if (typeof coefficient === 'bigint' || Number.isFinite(coefficient)) return;
  throw new SvcError('22023', `${what} cannot be ${Number.isNaN(coefficient) ? 'NaN' : 'infinity'}`);
}

function* numericRows(start: Numeric, stop: Numeric, step: Numeric): Iterable<Value> {
  const scale = Math.max(start.scale, step.scale);
  const up = step.coefficient > 0;
  const stride = BigInt(step.coefficient) * 10n ** BigInt(scale - step.scale);
  let next = BigInt(start.coefficient) * 10n ** BigInt(scale - start.scale);
  // The first value keeps the scale it was given with; sums have the larger one.
  for (let value = start; up ? compareNumerics(value, stop) <= 0 : compareNumerics(value, stop) >= 0; value = new Numeric(whole(next), scale)) {
    yield value;
    next += stride;
  }
}

function numericSeries(start: Numeric, stop: Numeric, step: Numeric = new Numeric(1, 0)): Iterable<Value> {
  check(start, 'start value');
  check(stop, 'stop value');
  check(step, 'step size');
  if (step.coefficient === 0) throw zeroStep();
  return numericRows(start, stop, step);
}

function series(type: string, impl: (...args: never[]) => Iterable<Value>): SetFunction {
  return {
    kind: 'set',
    name: 'generate_series',
    args: [type, type, type],
    optional: 1,
    returns: type,
    doc: 'From the first value to the second, in steps of the third or of 1.',
    impl: impl as SetFunction['impl'],
  };
}

export const GENERATE_SERIES: FunctionModule = {
  functions: [series('int4', wholeSeries), series('int8', wholeSeries), series('numeric', numericSeries)],
};
