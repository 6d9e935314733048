/** Casts between numbers. Named `from to`. */
import type { Emitter } from '../emitter.ts';
import type { Operand } from '../operand.ts';
import { power10 } from '../whole-arithmetic.ts';
import type { Inline, InlineRule } from './rule.ts';

const same =
  (rep: 'i32' | 'f64' | 'whole'): Inline =>
  () => ({ rep, total: (_g, [a]) => a.v });

function ranged(low: number, high: number, fault: 'int2Overflow' | 'int4Overflow'): Inline {
  const steps = (g: Emitter, [a]: readonly Operand[], out: string): void => {
    g.line(`if (${a.v} < ${low} || ${a.v} > ${high}) ${g.runtime(fault)}();`);
    g.line(`${out} = ${a.v};`);
  };
  return () => ({ rep: 'i32', steps });
}
function called(rep: 'i32' | 'f64' | 'whole', name: 'floatToInt2' | 'floatToInt4' | 'floatToInt8' | 'toFloat4'): Inline {
  return () => ({ rep, steps: (g, [a], out) => g.line(`${out} = ${g.runtime(name)}(${a.v});`) });
}
const toNumeric: Inline = () => ({ rep: 'scaled', scale: 0, total: (_g, [a]) => a.v });

/** Exact: coefficient and power are both exact doubles, so the quotient is rounded once. */
const scaledToFloat8: Inline = ([a]) => {
  if (a.rep === 'decimal') {
    return {
      rep: 'f64',
      steps: (g, [x], out) =>
        g.line(
          `${out} = typeof ${x.v} === 'number' && ${x.s} <= 22 ? ${x.v} / ${g.runtime('POWERS_10')}[${x.s}] : ${g.runtime('toFloat8')}(${g.runtime('numericOf')}(${x.v}, ${x.s}));`,
        ),
    };
  }
  if (a.rep !== 'scaled' || a.scale > 15) return null;
  return {
    rep: 'f64',
    steps: (g, [x], out) =>
      g.line(`${out} = typeof ${x.v} === 'number' ? ${x.v} / ${power10(x.scale)} : Number(${g.runtime('decimalText')}(${x.v}, ${x.scale}));`),
  } satisfies InlineRule;
};

export const CASTS = new Map<string, Inline>([
  ['int2 int4', same('i32')],
  ['int2 int8', same('whole')],
  ['int4 int8', same('whole')],
  ['int2 float4', same('f64')],
  ['int2 float8', same('f64')],
  ['int4 float8', same('f64')],
  ['int4 float4', () => ({ rep: 'f64', total: (_g, [a]) => `Math.fround(${a.v})` })],
  ['int8 float8', () => ({ rep: 'f64', total: (_g, [a]) => `Number(${a.v})` })],
  ['float4 float8', same('f64')],
  ['float8 float4', called('f64', 'toFloat4')],
  ['int4 int2', ranged(-32768, 32767, 'int2Overflow')],
  ['int8 int2', ranged(-32768, 32767, 'int2Overflow')],
  ['int8 int4', ranged(-2147483648, 2147483647, 'int4Overflow')],
  ['float4 int2', called('i32', 'floatToInt2')],
  ['float8 int2', called('i32', 'floatToInt2')],
  ['float4 int4', called('i32', 'floatToInt4')],
  ['float8 int4', called('i32', 'floatToInt4')],
  ['float4 int8', called('whole', 'floatToInt8')],
  ['float8 int8', called('whole', 'floatToInt8')],
  ['int2 numeric', toNumeric],
  ['int4 numeric', toNumeric],
  ['int8 numeric', toNumeric],
  ['numeric float8', scaledToFloat8],
]);
