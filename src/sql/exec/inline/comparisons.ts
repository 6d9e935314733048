/** = <> < <= > >= of the simple types, by Postgres's names. JavaScript compares mixed numbers and bigints correctly. */
import { decimalOf, unscaled, type Operand } from '../operand.ts';
import type { Emitter } from '../emitter.ts';
import { aligned, alignedPair, decimalArgs, scaledPair } from './numerics.ts';
import type { Inline } from './rule.ts';

const SYMBOLS = { eq: '===', ne: '!==', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;
type Test = keyof typeof SYMBOLS;
const TESTS = Object.keys(SYMBOLS) as Test[];

/** NaN equals itself and is greater than all others. */
export function floatTest(test: Test, a: string, b: string): string {
  switch (test) {
    case 'eq':
      return `${a} === ${b} || (${a} !== ${a} && ${b} !== ${b})`;
    case 'ne':
      return `${a} !== ${b} && (${a} === ${a} || ${b} === ${b})`;
    case 'lt':
      return `${a} < ${b} || (${b} !== ${b} && ${a} === ${a})`;
    case 'le':
      return `${a} <= ${b} || ${b} !== ${b}`;
    case 'gt':
      return `${a} > ${b} || (${a} !== ${a} && ${b} === ${b})`;
    default:
      return `${a} >= ${b} || ${a} !== ${a}`;
  }
}

/** A constant that is an ordinary number needs fewer tests. */
function floatWith(test: Test, a: Operand, b: Operand): string {
  const plain = (o: Operand): boolean => typeof o.constant === 'number' && o.constant === o.constant;
  if (plain(b) && test !== 'gt' && test !== 'ge') return `${a.v} ${SYMBOLS[test]} ${b.v}`;
  if (plain(b)) return `!(${a.v} ${test === 'gt' ? '<=' : '<'} ${b.v})`;
  if (plain(a) && test !== 'lt' && test !== 'le') return `${a.v} ${SYMBOLS[test]} ${b.v}`;
  return floatTest(test, a.v, b.v);
}

export const COMPARISONS = new Map<string, Inline>();

function add(name: (test: Test) => string, expression: (g: Emitter, test: Test, a: Operand, b: Operand) => string): void {
  for (const test of TESTS) {
    COMPARISONS.set(name(test), () => ({ rep: 'bool', total: (g, [a, b]) => expression(g, test, a, b) }));
  }
}
const plain = (_g: Emitter, test: Test, a: Operand, b: Operand): string => `${a.v} ${SYMBOLS[test]} ${b.v}`;

for (const prefix of ['int2', 'int4', 'int8', 'int24', 'int42', 'int28', 'int82', 'int48', 'int84', 'oid', 'bool']) add((test) => prefix + test, plain);
for (const prefix of ['date', 'timestamp', 'timestamptz', 'time', 'uuid']) add((test) => `${prefix}_${test}`, plain);
for (const prefix of ['bytea', 'char']) add((test) => prefix + test, plain);
for (const prefix of ['float4', 'float8', 'float48', 'float84'])
  add(
    (test) => prefix + test,
    (_g, test, a, b) => floatWith(test, a, b),
  );

const text = (g: Emitter, test: Test, a: Operand, b: Operand): string =>
  test === 'eq' || test === 'ne' ? plain(g, test, a, b) : `${g.runtime('compareText')}(${a.v}, ${b.v}) ${SYMBOLS[test]} 0`;
add((test) => (test === 'eq' || test === 'ne' ? `text${test}` : `text_${test}`), text);
add((test) => `name${test}`, text);
add((test) => `name${test}text`, text);
add((test) => `text${test}name`, text);

/** For two texts of equal length the first test decides. */
export function blankPaddedTest(g: Emitter, a: string, b: string): string {
  return `(${a} === ${b} || (${a}.length !== ${b}.length && ${g.runtime('equalBlankPadded')}(${a}, ${b})))`;
}
COMPARISONS.set('bpchareq', () => ({ rep: 'bool', total: (g, [a, b]) => blankPaddedTest(g, a.v, b.v) }));
COMPARISONS.set('bpcharne', () => ({ rep: 'bool', total: (g, [a, b]) => `!${blankPaddedTest(g, a.v, b.v)}` }));

for (const test of TESTS) {
  COMPARISONS.set(`numeric_${test}`, (args) => {
    if (scaledPair(args)) {
      const scale = Math.max(args[0].scale, args[1].scale);
      const align = (g: Emitter, o: Operand): Operand =>
        o.scale === scale ? o : { ...o, v: aligned(g, o, scale), constant: o.constant === undefined ? undefined : 0 };
      const number = (o: Operand): Operand => ({ ...o, constant: o.constant === undefined || o.constant === null ? undefined : 0 });
      return { rep: 'bool', total: (g, [a, b]) => floatWith(test, number(align(g, a)), number(align(g, b))) };
    }
    if (decimalArgs(args)) {
      return {
        rep: 'bool',
        steps: (g, given, out) => {
          const [a, b] = given.map((arg) => decimalOf(g, arg));
          const { x, y, fits } = alignedPair(g, a, b);
          g.line(`${out} = ${fits} ? ${x} ${SYMBOLS[test]} ${y} : ${g.runtime('compareDecimals')}(${a.v}, ${a.s}, ${b.v}, ${b.s}) ${SYMBOLS[test]} 0;`);
        },
      };
    }
    return {
      rep: 'bool',
      steps: (g, [a, b], out) => g.line(`${out} = ${g.runtime('compareNumeric')}(${unscaled(g, a).v}, ${unscaled(g, b).v}) ${SYMBOLS[test]} 0;`),
    };
  });
}
