/**
 * How aggregates keep their state while rows are grouped. Common ones (count, sum, avg, min, max, bool_and, bool_or over simple
 * types) are numeric cells that inlined code updates; all others hold the function's own state, or, for DISTINCT and ORDER BY, the
 * rows until the end.
 */
import type { BoundAggregate } from '../plan/bound.ts';
import type { SqlType } from '../types/type.ts';
import type { Value, Whole } from '../types/value.ts';
import type { Call } from '../functions/define.ts';
import type { Emitter } from './emitter.ts';
import { lessThan } from './expression.ts';
import { asValue, unscaled, type Operand } from './operand.ts';
import { emptyBatch, YIELD, type Batch, type Yield } from './batch.ts';
import { compareNullable } from './compare-nullable.ts';
import type { Run } from './run.ts';
import { lazy, sliced, sorter, type SortKey } from './sort.ts';
import { decimalExtreme, decimalSum } from './decimal-sums.ts';
import { averageNumeric, numericOf, sumRest } from './whole-arithmetic.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

/** One cell per group. `number` cells are in a Float64Array; `rare` ones are undefined until they are needed. */
export type Cell = { readonly number: number } | { readonly make: (run: Run) => unknown } | { readonly rare: true };

export interface AggregateForm {
  readonly cells: readonly Cell[];
  /** The cell that counts the rows, which `step` does not change. */
  readonly counter?: number;
  /** Code for one row whose arguments are not null (if `skipsNull`); `cells` can be read and assigned. Without groups they are variables. */
  step(g: Emitter, cells: readonly string[], args: readonly Operand[], grouped: boolean): void;
  /** The same without a branch, without groups: `mask` is 1 for a row that counts and 0 for one that does not. */
  masked?(g: Emitter, cells: readonly string[], args: readonly Operand[], mask: string): void;
  /** Called at least once per 2^21 rows: moves large sums back into the range in which they stay exact. */
  normalize?(arrays: readonly (Float64Array | unknown[])[], count: number): void;
  readonly skipsNull: boolean;
  finish(cells: readonly unknown[], run: Run): Value;
  /** The same in steps, where it may take long. */
  finishing?(cells: readonly unknown[], run: Run): Generator<Yield, Value>;
  /** The results of groups [from, to) at once, if that is faster. */
  finishAll?(arrays: readonly (Float64Array | unknown[])[], from: number, to: number): Value[];
}

const NONE: Cell = { number: 0 };

function counting(skipsNull: boolean): AggregateForm {
  return {
    cells: [NONE],
    counter: 0,
    skipsNull,
    step: () => {},
    masked: () => {},
    finish: ([count]) => count as number,
    finishAll: ([counts], from, to) => Array.from((counts as Float64Array).subarray(from, to)),
  };
}

const SAFE = Number.MAX_SAFE_INTEGER;
/** A sum below this can take 2^21 numbers of 32 bits more and stay exact. */
const NORMAL_MAX = 2 ** 52;

/**
 * Sums whole numbers: in a double while that is exact, the rest in a bigint. Cells: sum, count, rest. Numbers of 32 bits cannot
 * leave the safe range within a chunk of rows, so only the chunk's sum is checked (with groups: that of many chunks).
 */
function wholeSum(small: boolean, finish: (sum: Whole, count: number) => Value): AggregateForm {
  const chunkSum = (g: Emitter, sum: string, rest: string): string =>
    local(g, `sum ${sum}`, (acc) => {
      const x = `${acc}x`;
      return `const ${x} = ${sum} + ${acc}; if (${x} <= ${SAFE} && ${x} >= -${SAFE}) ${sum} = ${x}; else { ${rest} = ${g.runtime('sumRest')}(${rest}, ${sum}, ${acc}); ${sum} = 0; }`;
    });
  return {
    cells: [NONE, NONE, { rare: true }],
    counter: 1,
    skipsNull: true,
    step(g, [sum, , rest], [value], grouped) {
      if (value.rep === 'i32') {
        g.line(`${grouped ? sum : chunkSum(g, sum, rest)} += ${value.v};`);
        return;
      }
      const x = g.fresh('x');
      g.line(`let ${x} = 0;`);
      g.line(`if (typeof ${value.v} === 'number' && (${x} = ${sum} + ${value.v}) <= ${SAFE} && ${x} >= -${SAFE}) ${sum} = ${x};`);
      g.line(`else { ${rest} = ${g.runtime('sumRest')}(${rest}, ${sum}, ${value.v}); ${sum} = 0; }`);
    },
    ...(small
      ? {
          masked(g: Emitter, [sum, , rest]: readonly string[], [value]: readonly Operand[], mask: string): void {
            // By halves: integer additions are four times as fast as those of doubles, and 2^15 rows cannot overflow them.
            const acc = chunkSum(g, sum, rest);
            const known = g.memoised(`low ${sum}`) !== undefined;
            const low = g.hoist(`low ${sum}`, '0', true);
            const high = g.hoist(`high ${sum}`, '0', true);
            if (!known) g.after(`${acc} += ${high} * 65536 + ${low};`, true);
            const x = g.fresh('x');
            g.line(`const ${x} = ${value.v} & -${mask}; ${low} = (${low} + (${x} & 65535)) | 0; ${high} = (${high} + (${x} >> 16)) | 0;`);
          },
          normalize(arrays: readonly (Float64Array | unknown[])[], count: number): void {
            const sums = arrays[0] as Float64Array;
            const rests = arrays[2] as (Whole | undefined)[];
            for (let i = 0; i < count; i++) {
              if (sums[i] <= NORMAL_MAX && sums[i] >= -NORMAL_MAX) continue;
              rests[i] = sumRest(rests[i], sums[i], 0);
              sums[i] = 0;
            }
          },
        }
      : {}),
    finish([sum, count, rest]) {
      if (count === 0) return null;
      return finish(wholeSumOf(sum as number, rest as Whole | undefined), count as number);
    },
    finishAll(arrays, from, to) {
      const sums = arrays[0] as Float64Array;
      const counts = arrays[1] as Float64Array;
      const rests = arrays[2] as (Whole | undefined)[];
      const out: Value[] = new Array(to - from);
      for (let i = from; i < to; i++)
        out[i - from] = counts[i] === 0 ? null : finish(rests.length === 0 ? sums[i] + 0 : wholeSumOf(sums[i], rests[i]), counts[i]);
      return out;
    },
  };
}

/** A number that starts at 0 for each chunk; `take` runs after it. */
function local(g: Emitter, key: string, take: (name: string) => string): string {
  const known = g.memoised(key);
  if (known !== undefined) return known;
  const name = g.hoist(key, '0', true);
  g.after(take(name), true);
  return name;
}

function wholeSumOf(sum: number, rest: Whole | undefined): Whole {
  if (rest === undefined) return sum + 0;
  if (typeof rest === 'number') return rest;
  const total = rest + BigInt(sum);
  return total >= -9007199254740991n && total <= 9007199254740991n ? Number(total) : total;
}

function int8Sum(sum: Whole): Value {
  if (typeof sum === 'bigint' && (sum > 9223372036854775807n || sum < -9223372036854775808n)) throw new SvcError('22003', 'bigint out of range');
  return sum;
}

/** -0 is the neutral element of addition. */
function floatSum(narrow: boolean, finish: (sum: number, count: number) => Value): AggregateForm {
  return {
    cells: [{ number: -0 }, NONE],
    counter: 1,
    skipsNull: true,
    step(g, [sum], [value]) {
      const x = g.fresh('x');
      g.line(`let ${x} = ${narrow ? `Math.fround(${sum} + ${value.v})` : `${sum} + ${value.v}`};`);
      g.line(`if (!(${x} - ${x} === 0)) ${x} = ${g.runtime('oddSum')}(${x}, ${sum}, ${value.v});`);
      g.line(`${sum} = ${x};`);
    },
    finish: ([sum, count]) => (count === 0 ? null : finish(sum as number, count as number)),
  };
}

function extreme(type: SqlType, value: Operand, greatest: boolean): AggregateForm {
  const number = type.repr === 'i32' || type.repr === 'f64';
  const scale = value.rep === 'scaled' ? value.scale : -1;
  return {
    cells: [number ? NONE : { make: () => null }, NONE],
    skipsNull: true,
    step(g, [best, seen], [v]) {
      const less =
        scale >= 0
          ? (a: string, b: string): string => `${g.runtime('compareScaled')}(${a}, ${b}) < 0`
          : (a: string, b: string): string => lessThan(g, type, a, b);
      g.line(`if (${seen} === 0 || ${greatest ? less(best, v.v) : less(v.v, best)}) { ${best} = ${v.v}; ${seen} = 1; }`);
    },
    finish: ([best, seen]) => (seen === 0 ? null : scale >= 0 ? numericOf(best as Whole, scale) : (best as Value)),
  };
}

function boolean(and: boolean): AggregateForm {
  return {
    cells: [{ number: and ? 1 : 0 }, NONE],
    skipsNull: true,
    step: (g, [result, seen], [v]) => g.line(`${seen} = 1; if (${and ? '!' : ''}${v.v}) ${result} = ${and ? 0 : 1};`),
    finish: ([result, seen]) => (seen === 0 ? null : result === 1),
  };
}

const TEXTS = new Set(['text', 'varchar', 'name']);
const INTEGERS = new Set(['int2', 'int4', 'int8']);

/** The inlined form, if there is one. `args`: the compiled arguments. */
export function inlineForm(a: BoundAggregate, args: readonly Operand[]): AggregateForm | null {
  const { name } = a.fn;
  if (a.fn.orderedSet !== undefined || (a.distinct && !(name === 'min' || name === 'max')) || a.orderBy.length > 0) return null;
  if (name === 'count' && args.length <= 1) return counting(true);
  if (args.length !== 1) return null;
  const type = a.args[0].type;
  const [value] = args;
  switch (name) {
    case 'sum':
      if (type.name === 'int2' || type.name === 'int4') return wholeSum(true, int8Sum);
      if (type.name === 'int8') return wholeSum(false, (sum) => numericOf(sum, 0));
      if (value.rep === 'scaled') return wholeSum(false, (sum) => numericOf(sum, value.scale));
      if (type.name === 'numeric') return decimalSum(false);
      if (type.name === 'float8') return floatSum(false, (sum) => sum);
      if (type.name === 'float4') return floatSum(true, (sum) => sum);
      return null;
    case 'avg':
      if (INTEGERS.has(type.name)) return wholeSum(type.name !== 'int8', (sum, count) => averageNumeric(sum, 0, count));
      if (value.rep === 'scaled') return wholeSum(false, (sum, count) => averageNumeric(sum, value.scale, count));
      if (type.name === 'numeric') return decimalSum(true);
      if (type.name === 'float8' || type.name === 'float4') return floatSum(false, (sum, count) => sum / count);
      return null;
    case 'min':
    case 'max':
      if (type.repr === 'i32' || type.repr === 'f64' || type.repr === 'whole' || value.rep === 'scaled' || TEXTS.has(type.name))
        return extreme(type, value, name === 'max');
      return type.name === 'numeric' ? decimalExtreme(name === 'max') : null;
    case 'bool_and':
    case 'every':
      return boolean(true);
    case 'bool_or':
      return boolean(false);
    default:
      return null;
  }
}

/** count(DISTINCT x) needs only the keys. */
export function distinctCount(a: BoundAggregate): AggregateForm | null {
  if (a.fn.name !== 'count' || !a.distinct || a.args.length !== 1 || !a.args[0].type.hashable) return null;
  const { type } = a.args[0];
  return {
    cells: [{ make: () => new Set() }],
    skipsNull: true,
    step(g, [seen], [v]) {
      const key = g.fresh('key');
      g.line(`const ${key} = ${v.rep === 'decimal' ? `${g.runtime('decimalKey')}(${v.v}, ${v.s})` : `${g.constant(type)}.hashKey(${unscaled(g, v).v})`};`);
      g.line(`if (!${seen}.has(${key})) ${seen}.add(S[0].keep(${key}));`);
    },
    finish: ([seen]) => (seen as Set<unknown>).size,
  };
}

const GATHERS = new Set(['array_agg', 'string_agg', 'json_agg', 'jsonb_agg', 'json_object_agg', 'jsonb_object_agg', 'xmlagg']);

/** The function's own steps, one call per row. */
export function calledForm(a: BoundAggregate): AggregateForm {
  const { fn } = a;
  const call = (run: Run): Call => ({ env: run.context.env, argTypes: a.args.map((arg) => arg.type), returnType: a.type });
  return {
    cells: [{ make: (run) => fn.init(call(run)) }],
    skipsNull: fn.strict === true,
    step(g, [state], args) {
      const values = args.map((arg) => asValue(g, arg));
      // Aggregates that collect values count their memory.
      if (GATHERS.has(fn.name)) g.line(`S[0].keep(${values[values.length > 1 && fn.name.includes('object') ? 1 : 0]});`);
      g.line(`${state} = ${g.constant(fn.step)}(${[state, ...values].join(', ')});`);
    },
    finish: ([state]) => fn.finish(state),
  };
}

/** Keeps rows until the end; sorted, or without duplicates, they then go through the function's steps. */
export function keptForm(a: BoundAggregate): AggregateForm {
  const { fn } = a;
  // Columns of the rows: arguments, then keys of ORDER BY, then direct arguments (of the first row).
  const count = a.args.length;
  const keys = a.orderBy.length;
  const order: SortKey[] = a.orderBy.map(({ value, descending, nullsFirst }) => ({ type: value.type, descending, nullsFirst }));
  const keyAt = order.map((_, k) => count + k);
  if (a.distinct) {
    a.args.forEach(({ type }, k) => {
      order.push({ type, descending: false, nullsFirst: false });
      keyAt.push(k);
    });
  }
  const sort = lazy(() => sorter(order));
  const form: AggregateForm = {
    cells: [{ make: () => emptyBatch(count + keys + a.direct.length) }],
    skipsNull: fn.strict === true && count > 0,
    step(g, [rows], args) {
      const values = args.map((arg) => asValue(g, arg));
      values.forEach((value, i) => g.line(`${rows}.columns[${i}].push(${i < Math.max(1, count) ? `S[0].keep(${value})` : value});`));
      g.line(`${rows}.count++;`);
    },
    finish: (cells, run) => run.finish(form.finishing!(cells, run)),
    *finishing([cell], run) {
      const rows = cell as Batch;
      let numbers: Uint32Array | null = null;
      if (order.length > 0 && rows.count > 1) {
        numbers = yield* sliced(
          run,
          sort()(
            keyAt.map((at) => rows.columns[at]),
            rows.count,
          ),
        );
      }
      const values = count === 0 ? a.orderBy.map((key) => key.value) : a.args;
      const taken = rows.columns.slice(0, values.length);
      // Hypothetical-set aggregates compare by the order of WITHIN GROUP.
      const call: Call & { readonly order: BoundAggregate['orderBy'] } = {
        env: run.context.env,
        argTypes: [...a.direct, ...values].map((e) => e.type),
        returnType: a.type,
        order: a.orderBy,
      };
      let state = fn.init(call);
      let last = -1;
      for (let i = 0; i < rows.count; i++) {
        if ((i & 1023) === 1023 && run.late()) yield YIELD;
        const at = numbers === null ? i : numbers[i];
        if (a.distinct && last >= 0 && sameRow(a, taken, last, at)) continue;
        last = at;
        if (taken.length === 1) {
          const value = taken[0][at];
          if (value !== null || fn.strict !== true) state = fn.step(state, value);
          continue;
        }
        const args = taken.map((column) => column[at]);
        if (fn.strict === true && args.includes(null)) continue;
        state = fn.step(state, ...args);
      }
      const first = numbers === null ? 0 : numbers[0];
      const direct =
        rows.count > 0 ? rows.columns.slice(count + keys).map((column) => column[first]) : a.direct.map((e) => (e.kind === 'constant' ? e.value : null));
      return fn.finish(state, ...direct);
    },
  };
  return form;
}

function sameRow(a: BoundAggregate, columns: readonly Value[][], x: number, y: number): boolean {
  return a.args.every(({ type }, k) => compareNullable(type, columns[k][x], columns[k][y], false, false) === 0);
}
