/**
 * sum, avg, min and max of numerics without a fixed scale. A sum is a double at the greatest scale so far, exact while it stays in
 * ±(2^52-1); what does not fit, NaN and the infinities go to a `NumericSum` per group, created when it is needed.
 */
import { NumericSum, addNumeric, sumOf } from '../functions/aggregates/numeric-sum.ts';
import { Numeric, div, isSpecial, withScale } from '../types/numeric.ts';
import type { Value, Whole } from '../types/value.ts';
import type { AggregateForm, Cell } from './aggregate-forms.ts';
import { ADDABLE, alignedPair } from './inline/numerics.ts';
import { decimal, decimalOf } from './operand.ts';
import { numericOf, shownNumeric } from './whole-arithmetic.ts';

const ZERO: Cell = { number: 0 };

/** Takes a sum and a value that cannot be added in a double; the sum restarts at 0. */
export function addToDecimalSum(rest: NumericSum | undefined, sum: number, sumScale: number, value: Whole, scale: number): NumericSum {
  const into = addNumeric(rest ?? new NumericSum(false), new Numeric(sum, sumScale));
  return addNumeric(into, numericOf(value, scale));
}

function total(sum: number, scale: number, shown: number, rest: NumericSum | undefined): Numeric {
  const own = new Numeric(sum + 0, scale);
  return withScale(rest === undefined ? own : (sumOf(addNumeric(rest, own)) as Numeric), shown);
}

/** Cells: sum, count, its scale, the greatest display scale, the rest. */
export function decimalSum(average: boolean): AggregateForm {
  const finish = (sum: number, count: number, scale: number, shown: number, rest: NumericSum | undefined): Value => {
    if (count === 0) return null;
    const all = total(sum, scale, shown, rest);
    return average && !isSpecial(all) ? div(all, new Numeric(count, 0)) : all;
  };
  return {
    cells: [ZERO, ZERO, ZERO, ZERO, { rare: true }],
    counter: 1,
    skipsNull: true,
    step(g, [sum, , scale, shown, rest], [value]) {
      const { v, s, d } = decimalOf(g, value);
      const [x, y] = [g.fresh('x'), g.fresh('y')];
      const powers = g.runtime('POWERS_10');
      const slow = `{ ${rest} = ${g.runtime('addToDecimalSum')}(${rest}, ${sum}, ${scale}, ${v}, ${s}); ${sum} = 0; }`;
      g.line(`if (${d} > ${shown}) ${shown} = ${d};`);
      g.open(`if (typeof ${v} === 'number')`);
      g.line(`let ${x} = ${v}, ${y} = ${sum};`);
      g.open(`if (${s} !== ${scale})`);
      // A sum that does not fit at the new scale goes to the rest with the value, whose display scale applies there.
      g.line(
        `if (${s} < ${scale}) ${x} *= ${powers}[${scale} - ${s}]; else { ${y} *= ${powers}[${s} - ${scale}]; if (Math.abs(${y}) <= ${ADDABLE}) { ${sum} = ${y}; ${scale} = ${s}; } }`,
      );
      g.close();
      g.line(`${y} += ${x};`);
      g.line(`if (Math.abs(${x}) <= ${ADDABLE} && Math.abs(${y}) <= ${ADDABLE}) ${sum} = ${y}; else ${slow}`);
      g.close();
      g.line(`else ${slow}`);
    },
    finish: ([sum, count, scale, shown, rest]) => finish(sum as number, count as number, scale as number, shown as number, rest as NumericSum | undefined),
    finishAll([sums, counts, scales, shown, rests], from, to) {
      const out: Value[] = new Array(to - from);
      for (let i = from; i < to; i++)
        out[i - from] = finish(sums[i] as number, counts[i] as number, scales[i] as number, shown[i] as number, rests[i] as NumericSum | undefined);
      return out;
    },
  };
}

/** Cells: the coefficient so far, its scale, its display scale, whether there is one. The first of equal values stays. */
export function decimalExtreme(greatest: boolean): AggregateForm {
  return {
    cells: [{ make: () => 0 }, ZERO, ZERO, ZERO],
    skipsNull: true,
    step(g, [best, scale, shown, seen], [value]) {
      const own = decimalOf(g, value);
      const [b, bs] = [g.fresh('b'), g.fresh('s')];
      g.line(`const ${b} = ${best}, ${bs} = ${scale};`);
      const { x, y, fits } = alignedPair(g, own, decimal(b, bs, bs, 'false'));
      const sign = greatest ? '>' : '<';
      const better = `(${fits} ? ${x} ${sign} ${y} : ${g.runtime('compareDecimals')}(${own.v}, ${own.s}, ${b}, ${bs}) ${sign} 0)`;
      g.line(`if (${seen} === 0 || ${better}) { ${best} = ${own.v}; ${scale} = ${own.s}; ${shown} = ${own.d}; ${seen} = 1; }`);
    },
    finish: ([best, scale, shown, seen]) => (seen === 0 ? null : shownNumeric(best as Whole, scale as number, shown as number)),
  };
}
