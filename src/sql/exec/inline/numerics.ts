/**
 * Numerics of known scale, as whole coefficients: sums align scales, products add them. A result past 2^53 continues as a bigint,
 * NaN as NaN. Coefficient and scale are those that the functions give.
 *
 * If a scale comes with each value (`decimal`), it is computed beside the coefficient. Doubles are exact as long as aligned
 * coefficients stay in ±(2^52-1), so that no sum of two is rounded; everything else calls the functions.
 */
import type { Emitter } from '../emitter.ts';
import { apart, decimalOf, type Operand } from '../operand.ts';
import { SCALE_MAX as NUMERIC_SCALE_MAX } from '../../types/numeric.ts';
import { power10, scaleUp } from '../whole-arithmetic.ts';
import type { Inline, InlineRule } from './rule.ts';

/** Past this the fast path would hardly ever apply. */
const SCALE_MAX = 15;

export function scaledPair(args: readonly Operand[]): boolean {
  return args.every((arg) => arg.rep === 'scaled' && arg.scale <= SCALE_MAX);
}

/** The operand's coefficient at a scale that is not below its own. */
export function aligned(g: Emitter, from: Operand, scale: number): string {
  if (from.scale === scale || from.n === 'true') return from.v;
  const places = scale - from.scale;
  if (from.constant !== undefined && from.constant !== null) return apart(g, scaleUp((from.constant as { coefficient: number }).coefficient, places));
  const t = g.fresh('t');
  g.line(`let ${t} = 0;`);
  g.line(
    `if (!(typeof ${from.v} === 'number' && (${t} = ${from.v} * ${power10(places)}) <= 9007199254740991 && ${t} >= -9007199254740991)) ${t} = ${g.runtime('scaleUp')}(${from.v}, ${places});`,
  );
  return t;
}

/** Two coefficients up to this can be added in a double. */
export const ADDABLE = 4503599627370495;
/** Scales up to this are multiplied without the function. */
const PRODUCT_SCALE_MAX = 200;

const NUMERIC_REPS: ReadonlySet<string> = new Set(['scaled', 'decimal', 'numeric']);

/** Whether all are numerics in some form; a constant has no coefficient to be read. */
export function decimalArgs(args: readonly Operand[]): boolean {
  return args.every(({ rep, n }) => NUMERIC_REPS.has(rep) && n !== 'true');
}

/** Both coefficients at the greater scale, in variables; they are numbers only if `fits` holds. */
export function alignedPair(g: Emitter, a: Operand, b: Operand): { x: string; y: string; scale: string; fits: string } {
  const [x, y, scale, fits, powers] = [g.fresh('x'), g.fresh('y'), g.fresh('s'), g.fresh('fits'), g.runtime('POWERS_10')];
  g.line(`let ${x} = 0, ${y} = 0, ${scale} = ${a.s}, ${fits} = false;`);
  g.open(`if (typeof ${a.v} === 'number' && typeof ${b.v} === 'number')`);
  g.line(`${x} = ${a.v}; ${y} = ${b.v};`);
  g.line(`if (${a.s} < ${b.s}) { ${x} *= ${powers}[${b.s} - ${a.s}]; ${scale} = ${b.s}; } else if (${a.s} > ${b.s}) ${y} *= ${powers}[${a.s} - ${b.s}];`);
  g.line(`${fits} = Math.abs(${x}) <= ${ADDABLE} && Math.abs(${y}) <= ${ADDABLE};`);
  g.close();
  return { x, y, scale, fits };
}

type SlowPair = 'addDecimals' | 'subDecimals' | 'mulDecimals';
const SLOW: Readonly<Record<string, SlowPair>> = { '+': 'addDecimals', '-': 'subDecimals', '*': 'mulDecimals' };

function decimalArithmetic(symbol: string): InlineRule {
  return {
    rep: 'decimal',
    decimal(g, args, { v: out, s: scaleOut, d: shownOut }) {
      const [a, b] = args.map((arg) => decimalOf(g, arg));
      const slow = `{ const r = ${g.runtime(SLOW[symbol])}(${a.v}, ${a.s}, ${b.v}, ${b.s}); ${out} = r.coefficient; ${scaleOut} = r.scale; }`;
      g.line(
        symbol === '*'
          ? `${shownOut} = ${a.d} + ${b.d}; if (${shownOut} > ${NUMERIC_SCALE_MAX}) ${shownOut} = ${NUMERIC_SCALE_MAX};`
          : `${shownOut} = ${a.d} > ${b.d} ? ${a.d} : ${b.d};`,
      );
      if (symbol === '*') {
        g.line(`${scaleOut} = ${a.s} + ${b.s};`);
        g.line(
          `if (!(typeof ${a.v} === 'number' && typeof ${b.v} === 'number' && Math.abs(${out} = ${a.v} * ${b.v} + 0) <= 9007199254740991 && ${scaleOut} <= ${PRODUCT_SCALE_MAX})) ${slow}`,
        );
        return;
      }
      const { x, y, scale, fits } = alignedPair(g, a, b);
      g.line(`if (${fits}) { ${out} = ${x} ${symbol} ${y}; ${scaleOut} = ${scale}; } else ${slow}`);
    },
  };
}

function arithmetic(symbol: string, slow: 'addScaled' | 'subScaled' | 'mulScaled'): Inline {
  return (args) => {
    if (!scaledPair(args)) return decimalArgs(args) ? decimalArithmetic(symbol) : null;
    const scale = symbol === '*' ? args[0].scale + args[1].scale : Math.max(args[0].scale, args[1].scale);
    if (scale > 2 * SCALE_MAX) return null;
    const steps = (g: Emitter, [a, b]: readonly Operand[], out: string): void => {
      const x = symbol === '*' ? a.v : aligned(g, a, scale);
      const y = symbol === '*' ? b.v : aligned(g, b, scale);
      const numbers = [x, y].map((v) => (/^\(?-?\d+\)?$/.test(v) ? '' : `typeof ${v} === 'number' && `)).join('');
      g.line(
        `if (!(${numbers}(${out} = ${x} ${symbol} ${y}${symbol === '*' ? ' + 0' : ''}) <= 9007199254740991 && ${out} >= -9007199254740991)) ${out} = ${g.runtime(slow)}(${x}, ${y});`,
      );
    };
    return { rep: 'scaled', scale, steps } satisfies InlineRule;
  };
}

export const NUMERICS = new Map<string, Inline>([
  ['numeric_add', arithmetic('+', 'addScaled')],
  ['numeric_sub', arithmetic('-', 'subScaled')],
  ['numeric_mul', arithmetic('*', 'mulScaled')],
  [
    'numeric_uminus',
    (args) =>
      args[0].rep === 'decimal'
        ? {
            rep: 'decimal',
            decimal: (g, [a], { v, s, d }) => g.line(`${v} = typeof ${a.v} === 'number' ? 0 - ${a.v} : -${a.v}; ${s} = ${a.s}; ${d} = ${a.d};`),
          }
        : scaledPair(args)
          ? { rep: 'scaled', scale: args[0].scale, total: (_g, [a]) => `typeof ${a.v} === 'number' ? 0 - ${a.v} : -${a.v}` }
          : null,
  ],
]);
