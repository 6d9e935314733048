/** Arithmetic of float4 and float8: a result that is an ordinary number needs no further check. */
import type { Emitter } from '../emitter.ts';
import type { Operand } from '../operand.ts';
import type { Inline } from './rule.ts';

const FORMS = [
  ['pl', '+', 'oddSum', ''],
  ['mi', '-', 'oddSum', ''],
  ['mul', '*', 'oddProduct', ' && OUT !== 0'],
  ['div', '/', 'oddQuotient', ' && OUT !== 0'],
] as const;

export const FLOATS = new Map<string, Inline>();
for (const prefix of ['float4', 'float8', 'float48', 'float84']) {
  const narrow = prefix === 'float4';
  for (const [name, symbol, odd, more] of FORMS) {
    const steps = (g: Emitter, [a, b]: readonly Operand[], out: string): void => {
      g.line(`${out} = ${narrow ? `Math.fround(${a.v} ${symbol} ${b.v})` : `${a.v} ${symbol} ${b.v}`};`);
      g.line(`if (!(${out} - ${out} === 0${more.replace('OUT', out)})) ${out} = ${g.runtime(odd)}(${out}, ${a.v}, ${b.v});`);
    };
    FLOATS.set(prefix + name, () => ({ rep: 'f64', steps }));
  }
}
for (const prefix of ['float4', 'float8']) {
  FLOATS.set(`${prefix}um`, () => ({ rep: 'f64', total: (_g, [a]) => `-${a.v}` }));
  FLOATS.set(`${prefix}abs`, () => ({ rep: 'f64', total: (_g, [a]) => `Math.abs(${a.v})` }));
}
