/** Arithmetic of int2, int4 and int8. Small sums and products are exact as doubles, so one check finds overflow. */
import type { Emitter } from '../emitter.ts';
import type { Operand, Rep } from '../operand.ts';
import type { Inline } from './rule.ts';

type Steps = (g: Emitter, args: readonly Operand[], out: string) => void;
const rule = (rep: Rep, steps: Steps): Inline => {
  const made = { rep, steps };
  return () => made;
};

function small(check: (out: string) => string, fault: 'int2Overflow' | 'int4Overflow', symbol: string): Steps {
  return (g, [a, b], out) => {
    g.line(`${out} = ${a.v} ${symbol} ${b.v};`);
    g.line(`if (${check(out)}) ${g.runtime(fault)}();`);
    // A product may be -0.
    if (symbol === '*') g.line(`${out} = ${out} | 0;`);
  };
}
const not16 = (out: string): string => `((${out} << 16) >> 16) !== ${out}`;
const not32 = (out: string): string => `(${out} | 0) !== ${out}`;

function wide(symbol: string, slow: 'addInt8' | 'subInt8' | 'mulInt8'): Steps {
  return (g, [a, b], out) => {
    g.runtime(slow);
    const numbers = bothNumbers(a, b);
    const safe = `(${out} = ${a.v} ${symbol} ${b.v}${symbol === '*' ? ' + 0' : ''}) <= 9007199254740991 && ${out} >= -9007199254740991`;
    g.line(`if (!(${numbers}${safe})) ${out} = ${slow}(${a.v}, ${b.v});`);
  };
}
/** The test that operands are numbers, followed by `&&`; empty if that is known. */
function bothNumbers(...operands: Operand[]): string {
  return operands.map((o) => (o.rep === 'i32' || typeof o.constant === 'number' ? '' : `typeof ${o.v} === 'number' && `)).join('');
}

function smallDivision(fault: 'int2Overflow' | 'int4Overflow', min: number): Steps {
  return (g, [a, b], out) => {
    if (typeof b.constant !== 'number' || b.constant === 0) g.line(`if (${b.v} === 0) ${g.runtime('divisionByZero')}();`);
    if (typeof b.constant !== 'number' || b.constant === -1) g.line(`if (${b.v} === -1 && ${a.v} === ${min}) ${g.runtime(fault)}();`);
    g.line(`${out} = (${a.v} / ${b.v}) | 0;`);
  };
}
const smallRemainder: Steps = (g, [a, b], out) => {
  if (typeof b.constant !== 'number' || b.constant === 0) g.line(`if (${b.v} === 0) ${g.runtime('divisionByZero')}();`);
  g.line(`${out} = (${a.v} % ${b.v}) | 0;`);
};
function wideDivision(fast: (a: string, b: string) => string, slow: 'divInt8' | 'modInt8'): Steps {
  return (g, [a, b], out) => {
    if (typeof b.constant !== 'number' || b.constant === 0) g.line(`if (${b.v} === 0) ${g.runtime('divisionByZero')}();`);
    g.line(`${out} = ${bothNumbers(a, b)}true ? ${fast(a.v, b.v)} : ${g.runtime(slow)}(${a.v}, ${b.v});`);
  };
}

export const INTEGERS = new Map<string, Inline>();

for (const [prefix, fault, check, min] of [
  ['int2', 'int2Overflow', not16, -32768],
  ['int4', 'int4Overflow', not32, -2147483648],
  ['int24', 'int4Overflow', not32, -2147483648],
  ['int42', 'int4Overflow', not32, -2147483648],
] as const) {
  INTEGERS.set(`${prefix}pl`, rule('i32', small(check, fault, '+')));
  INTEGERS.set(`${prefix}mi`, rule('i32', small(check, fault, '-')));
  INTEGERS.set(`${prefix}mul`, rule('i32', small(check, fault, '*')));
  INTEGERS.set(`${prefix}div`, rule('i32', smallDivision(fault, min)));
  INTEGERS.set(`${prefix}mod`, rule('i32', smallRemainder));
  INTEGERS.set(
    `${prefix}um`,
    rule('i32', (g, [a], out) => {
      g.line(`if (${a.v} === ${min}) ${g.runtime(fault)}();`);
      g.line(`${out} = 0 - ${a.v};`);
    }),
  );
}
for (const prefix of ['int8', 'int48', 'int84', 'int28', 'int82']) {
  INTEGERS.set(`${prefix}pl`, rule('whole', wide('+', 'addInt8')));
  INTEGERS.set(`${prefix}mi`, rule('whole', wide('-', 'subInt8')));
  INTEGERS.set(`${prefix}mul`, rule('whole', wide('*', 'mulInt8')));
  INTEGERS.set(
    `${prefix}div`,
    rule(
      'whole',
      wideDivision((a, b) => `Math.trunc(${a} / ${b}) + 0`, 'divInt8'),
    ),
  );
  INTEGERS.set(
    `${prefix}mod`,
    rule(
      'whole',
      wideDivision((a, b) => `(${a} % ${b}) + 0`, 'modInt8'),
    ),
  );
}
INTEGERS.set(
  'int8um',
  rule('whole', (g, [a], out) => g.line(`${out} = typeof ${a.v} === 'number' ? 0 - ${a.v} : ${g.runtime('negInt8')}(${a.v});`)),
);
