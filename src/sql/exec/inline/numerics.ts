/**
 * Numerics whose scale the compiler knows, as whole coefficients: sums align scales, products add them. A
 * result past 2^53 goes on as a bigint, NaN as NaN. The same coefficient and scale as the functions give.
 */
import type { Emitter } from '../emitter.ts';
import { wholeLiteral, type Operand } from '../operand.ts';
import { power10, scaleUp } from '../whole-arithmetic.ts';
import type { Inline, InlineRule } from './rule.ts';

/** Past this the fast path would hardly ever hold. */
const SCALE_MAX = 15;

export function scaledPair(args: readonly Operand[]): boolean {
  return args.every((arg) => arg.rep === 'scaled' && arg.scale <= SCALE_MAX);
}

/** The operand's coefficient at a scale that is not below its own. */
export function aligned(g: Emitter, from: Operand, scale: number): string {
  if (from.scale === scale || from.n === 'true') return from.v;
  const places = scale - from.scale;
  if (from.constant !== undefined && from.constant !== null) return wholeLiteral(scaleUp((from.constant as { coefficient: number }).coefficient, places));
  const t = g.fresh('t');
  g.line(`let ${t} = 0;`);
  g.line(
    `if (!(typeof ${from.v} === 'number' && (${t} = ${from.v} * ${power10(places)}) <= 9007199254740991 && ${t} >= -9007199254740991)) ${t} = ${g.runtime('scaleUp')}(${from.v}, ${places});`,
  );
  return t;
}

function arithmetic(symbol: string, slow: 'addScaled' | 'subScaled' | 'mulScaled'): Inline {
  return (args) => {
    if (!scaledPair(args)) return null;
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
    (args) => (scaledPair(args) ? { rep: 'scaled', scale: args[0].scale, total: (_g, [a]) => `typeof ${a.v} === 'number' ? 0 - ${a.v} : -${a.v}` } : null),
  ],
]);
