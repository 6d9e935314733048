/** min and max by the type's own order, and any_value. */
import { compareFloats } from '../../types/floats.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type Call, type FunctionModule } from '../define.ts';

interface Extreme {
  value: Value;
  readonly compare: (a: Value, b: Value) => number;
}

function init(call: Call): Extreme {
  return { value: null, compare: (call.argTypes[0] as SqlType).compare };
}

function least(state: Extreme, value: Value): Extreme {
  if (state.value === null || state.compare(value, state.value) < 0) state.value = value;
  return state;
}

function greatest(state: Extreme, value: Value): Extreme {
  if (state.value === null || state.compare(value, state.value) > 0) state.value = value;
  return state;
}

/** Numbers compare without a call. */
class NumberExtreme {
  value: number | bigint | null = null;
}

function leastNumber(state: NumberExtreme, value: number | bigint): NumberExtreme {
  if (state.value === null || value < state.value) state.value = value;
  return state;
}

function greatestNumber(state: NumberExtreme, value: number | bigint): NumberExtreme {
  if (state.value === null || value > state.value) state.value = value;
  return state;
}

class FloatExtreme {
  any = false;
  value = 0;
}

function leastFloat(state: FloatExtreme, value: number): FloatExtreme {
  if (!state.any || value < state.value || (state.value !== state.value && compareFloats(value, state.value) < 0)) state.value = value;
  state.any = true;
  return state;
}

function greatestFloat(state: FloatExtreme, value: number): FloatExtreme {
  if (!state.any || value > state.value || (value !== value && compareFloats(value, state.value) > 0)) state.value = value;
  state.any = true;
  return state;
}

const LEAST = 'The least value that is not null.';
const GREATEST = 'The greatest value that is not null.';

function both(type: string): AggregateFunction<Extreme>[] {
  const common = { args: [type], returns: type, strict: true, init, finish: (state: Extreme) => state.value };
  return [
    defineAggregate<Extreme>({ ...common, name: 'min', doc: LEAST, step: least }),
    defineAggregate<Extreme>({ ...common, name: 'max', doc: GREATEST, step: greatest }),
  ];
}

function bothNumbers(type: string): AggregateFunction<NumberExtreme>[] {
  const common = { args: [type], returns: type, strict: true, init: () => new NumberExtreme(), finish: (state: NumberExtreme) => state.value };
  return [
    defineAggregate<NumberExtreme>({ ...common, name: 'min', doc: LEAST, step: leastNumber }),
    defineAggregate<NumberExtreme>({ ...common, name: 'max', doc: GREATEST, step: greatestNumber }),
  ];
}

function bothFloats(type: string): AggregateFunction<FloatExtreme>[] {
  const common = {
    args: [type],
    returns: type,
    strict: true,
    init: () => new FloatExtreme(),
    finish: (state: FloatExtreme) => (state.any ? state.value : null),
  };
  return [
    defineAggregate<FloatExtreme>({ ...common, name: 'min', doc: LEAST, step: leastFloat }),
    defineAggregate<FloatExtreme>({ ...common, name: 'max', doc: GREATEST, step: greatestFloat }),
  ];
}

/** Those of dates and times are defined with their types. */
const COMPARED = ['numeric', 'text', 'bpchar', 'bytea', 'tid', 'anyarray', 'anyenum', 'record'];

interface AnyValue {
  value: Value;
}

export const extremeAggregates: FunctionModule = {
  functions: [
    ...['int2', 'int4', 'int8', 'oid', 'xid8'].flatMap(bothNumbers),
    ...['float4', 'float8'].flatMap(bothFloats),
    ...COMPARED.flatMap(both),
    defineAggregate<AnyValue>({
      name: 'any_value',
      args: ['anyelement'],
      returns: 'anyelement',
      strict: true,
      doc: 'Some value that is not null.',
      init: () => ({ value: null }),
      step: (state, value: Value) => {
        state.value ??= value;
        return state;
      },
      finish: (state) => state.value,
    }),
  ],
};
