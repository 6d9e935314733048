/** generate_series over numbers. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ONE, add, compare, isInfinite, isNaNNumeric, signOf, type Numeric } from '../../types/numeric.ts';
import type { Value, Whole } from '../../types/value.ts';
import { INT8_MAX, INT8_MIN, addWhole } from '../../types/whole.ts';
import type { FunctionModule, SetFunction } from '../define.ts';

function zeroStep(): never {
  throw new SvcError('22023', 'step size cannot equal zero');
}

function series4(start: number, stop: number, step = 1): Iterable<Value> {
  if (step === 0) zeroStep();
  return wholeSeries(start, stop, step);
}

function* wholeSeries(start: number, stop: number, step: number): Generator<Value> {
  if (step > 0) for (let value = start; value <= stop; value += step) yield value;
  else for (let value = start; value >= stop; value += step) yield value;
}

function series8(start: Whole, stop: Whole, step: Whole = 1): Iterable<Value> {
  if (step === 0) zeroStep();
  const limit = 4503599627370496;
  const small = [start, stop, step].every((each) => typeof each === 'number' && Math.abs(each) < limit);
  return small ? wholeSeries(start as number, stop as number, step as number) : bigSeries(start, stop, step);
}

function* bigSeries(start: Whole, stop: Whole, step: Whole): Generator<Value> {
  for (let value = start; step > 0 ? value <= stop : value >= stop; value = addWhole(value, step)) {
    if (value > INT8_MAX || value < INT8_MIN) return;
    yield value;
  }
}

function check(value: Numeric, title: string): void {
  if (isNaNNumeric(value)) throw new SvcError('22023', `${title} value cannot be NaN`);
  if (isInfinite(value)) throw new SvcError('22023', `${title} value cannot be infinity`);
}

function numericSeries(start: Numeric, stop: Numeric, step: Numeric = ONE): Iterable<Value> {
  check(start, 'start');
  check(stop, 'stop');
  if (isNaNNumeric(step)) throw new SvcError('22023', 'step size cannot be NaN');
  if (isInfinite(step)) throw new SvcError('22023', 'step size cannot be infinity');
  if (step.coefficient === 0) zeroStep();
  return numericValues(start, stop, step);
}

function* numericValues(start: Numeric, stop: Numeric, step: Numeric): Generator<Value> {
  const direction = signOf(step);
  for (let value = start; compare(value, stop) * direction <= 0; value = add(value, step)) yield value;
}

function series(type: string, impl: SetFunction['impl']): SetFunction[] {
  return [
    [type, type],
    [type, type, type],
  ].map((args) => ({
    kind: 'set',
    name: 'generate_series',
    args,
    returns: type,
    doc: 'The values from a start to a stop, by 1 or by a step.',
    impl,
  }));
}

export const numberSeries: FunctionModule = {
  functions: [...series('int4', series4), ...series('int8', series8), ...series('numeric', numericSeries)],
};
