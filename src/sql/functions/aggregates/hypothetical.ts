/**
 * Hypothetical-set aggregates: the rank of the direct arguments among the sorted rows. Arguments are expanded, one per key:
 * `step(state, ...keys)`, `finish(state, ...direct)`; `call.argTypes` has the direct arguments' types first. The order of the keys
 * comes with the call; the default is ascending with nulls last.
 */
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type Call, type FunctionModule } from '../define.ts';

export interface KeyOrder {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A call of a hypothetical-set aggregate, with the order of WITHIN GROUP. */
export interface HypotheticalCall extends Call {
  readonly order?: readonly KeyOrder[];
}

class Rows {
  readonly rows: Value[][] = [];
  readonly #types: readonly SqlType[];
  readonly #order: readonly KeyOrder[] | undefined;

  constructor(call: HypotheticalCall) {
    this.#types = call.argTypes;
    this.#order = call.order;
  }

  compare(a: readonly Value[], b: readonly Value[]): number {
    for (let key = 0; key < b.length; key++) {
      const [x, y] = [a[key] as Value, b[key] as Value];
      const order = this.#order?.[key];
      if (x === null || y === null) {
        if (x === y) continue;
        return (x === null) === (order?.nullsFirst ?? false) ? -1 : 1;
      }
      const result = (this.#types[key] as SqlType).compare(x, y);
      if (result !== 0) return order?.descending === true ? -result : result;
    }
    return 0;
  }
}

function hypothetical(name: string, returns: string, doc: string, finish: (state: Rows, direct: Value[]) => number): AggregateFunction<Rows> {
  return defineAggregate<Rows>({
    name,
    args: [],
    variadic: 'any',
    returns,
    orderedSet: { directArgs: 0, hypothetical: true },
    doc,
    init: (call) => new Rows(call),
    step: (state, ...keys: Value[]) => {
      state.rows.push(keys);
      return state;
    },
    finish: (state, ...direct: Value[]) => finish(state, direct),
  });
}

function before(state: Rows, direct: Value[]): number {
  let count = 0;
  for (const row of state.rows) if (state.compare(row, direct) < 0) count++;
  return count;
}

function distinctBefore(state: Rows, direct: Value[]): number {
  let count = 0;
  let last: Value[] | undefined;
  for (const row of state.rows) {
    if (state.compare(row, direct) >= 0) break;
    if (last === undefined || state.compare(last, row) !== 0) count++;
    last = row;
  }
  return count;
}

function notBehind(state: Rows, direct: Value[]): number {
  let count = 0;
  for (const row of state.rows) if (state.compare(row, direct) <= 0) count++;
  return count;
}

export const hypotheticalAggregates: FunctionModule = {
  functions: [
    hypothetical('rank', 'int8', 'The rank that the row would have, with gaps.', (state, direct) => before(state, direct) + 1),
    hypothetical('dense_rank', 'int8', 'The rank that the row would have, without gaps.', (state, direct) => distinctBefore(state, direct) + 1),
    hypothetical('percent_rank', 'float8', 'The rank that the row would have, from 0 to 1.', (state, direct) =>
      state.rows.length === 0 ? 0 : before(state, direct) / state.rows.length,
    ),
    hypothetical(
      'cume_dist',
      'float8',
      'The part of rows that would not stand behind it.',
      (state, direct) => (notBehind(state, direct) + 1) / (state.rows.length + 1),
    ),
  ],
};
