/** Operators, functions and casts of the extension citext: those of text, case-insensitive. */
import { compareText } from '../../types/text-order.ts';
import { CITEXT, folded } from '../../types/citext.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import {
  defineAggregate,
  type AggregateFunction,
  type FunctionModule,
  type ScalarFunction,
  type SetFunction,
  type SqlCast,
  type SqlFunction,
  type SqlOperator,
} from '../define.ts';
import { op, scalarsOf } from './declare.ts';

const order = (a: string, b: string): number => compareText(folded(a), folded(b));

/** Operators of text whose left side may be a citext, with their counterparts. */
const PATTERNS: readonly (readonly [name: string, of: string, proc: string])[] = [
  ['~', '~*', 'texticregexeq'],
  ['~*', '~*', 'texticregexeq'],
  ['!~', '!~*', 'texticregexne'],
  ['!~*', '!~*', 'texticregexne'],
  ['~~', '~~*', 'texticlike'],
  ['~~*', '~~*', 'texticlike'],
  ['!~~', '!~~*', 'texticnlike'],
  ['!~~*', '!~~*', 'texticnlike'],
];

function patterns(operators: readonly SqlOperator[]): SqlOperator[] {
  return PATTERNS.flatMap(([name, of, proc]) => {
    const { impl, needsCall } = operators.find((each) => each.name === of && each.left === 'text' && each.right === 'text')!;
    return ['citext', 'text'].map((right): SqlOperator => ({ name, left: 'citext', right, returns: 'bool', proc, needsCall, impl }));
  });
}

/** Functions of text for citext: the first arguments are case-insensitive, patterns through a flag. */
const EXPRESSIONS: readonly (readonly [name: string, args: number, flags: 'i' | null])[] = [
  ['regexp_match', 2, 'i'],
  ['regexp_matches', 2, 'i'],
  ['regexp_replace', 3, 'i'],
  ['regexp_split_to_array', 2, 'i'],
  ['regexp_split_to_table', 2, 'i'],
];

function expressions(functions: readonly SqlFunction[]): SqlFunction[] {
  return EXPRESSIONS.flatMap(([name, count]) => {
    const found = functions.find((fn): fn is ScalarFunction | SetFunction => {
      return (
        fn.name === name &&
        (fn.kind === 'scalar' || fn.kind === 'set') &&
        fn.args.length - (fn.optional ?? 0) <= count + 1 &&
        fn.args.length >= count + 1 &&
        fn.args[count] === 'text'
      );
    })!;
    const lead = found.needsCall === true ? 1 : 0;
    const impl = (...args: unknown[]): unknown => {
      const given = args.slice(0, lead + count);
      const flags = (args[lead + count] as string | undefined) ?? '';
      return (found.impl as (...all: unknown[]) => unknown)(...given, flags.includes('c') ? flags : `${flags}i`);
    };
    const args = ['citext', 'citext', ...(count === 3 ? ['text'] : []), 'text'];
    return [{ ...found, args, argNames: undefined, optional: 1, doc: 'As of texts, without regard to case (citext).', impl } as SqlFunction];
  });
}

function position(text: string, part: string): number {
  const at = folded(text).indexOf(folded(part));
  return at < 0 ? 0 : Array.from(text.slice(0, at)).length + 1;
}

function replaced(text: string, from: string, to: string): string {
  if (from === '') return text;
  const [low, wanted] = [folded(text), folded(from)];
  // If lower case has another length, positions differ.
  if (low.length !== text.length) return text.replaceAll(from, () => to);
  let out = '';
  let start = 0;
  for (;;) {
    const at = low.indexOf(wanted, start);
    if (at < 0) return out + text.slice(start);
    out += text.slice(start, at) + to;
    start = at + wanted.length;
  }
}

function part(text: string, by: string, number: number, split: (text: string, by: string, number: number) => string): string {
  const mark = '\u0000';
  return by === '' ? split(text, by, number) : split(replaced(text, by, mark), mark, number);
}

function translated(text: string, from: string, to: string): string {
  const target = [...to];
  const map = new Map<string, string>();
  [...from].forEach((char, i) => {
    for (const each of [char.toLowerCase(), char.toUpperCase()]) if (!map.has(each)) map.set(each, target[i] ?? '');
  });
  return [...text].map((char) => map.get(char) ?? char).join('');
}

const scalar = scalarsOf('citext');

function extreme(name: string, doc: string, better: (order: number) => boolean): AggregateFunction<string | null> {
  return defineAggregate<string | null>({
    name,
    args: ['citext'],
    returns: 'citext',
    strict: true,
    doc,
    init: () => null,
    step: (state, value: string) => (state === null || better(CITEXT.compare(value, state)) ? value : state),
    finish: (state) => state,
  });
}

const binary = (from: string, to: string, context: SqlCast['context']): SqlCast => ({ from, to, context, method: 'binary' });

const PATTERN_ORDER: readonly (readonly [string, string, (order: number) => boolean])[] = [
  ['~<~', 'citext_pattern_lt', (each) => each < 0],
  ['~<=~', 'citext_pattern_le', (each) => each <= 0],
  ['~>=~', 'citext_pattern_ge', (each) => each >= 0],
  ['~>~', 'citext_pattern_gt', (each) => each > 0],
];

/** Derived from the operators and functions of text. */
export function citextOf({ operators, functions }: { operators: readonly SqlOperator[]; functions: readonly SqlFunction[] }): FunctionModule {
  const split = functions.find((fn) => fn.kind === 'scalar' && fn.name === 'split_part') as ScalarFunction;
  return {
    functions: [
      ...expressions(functions),
      scalar('strpos', ['citext', 'citext'], 'int4', 'Where a text begins in another', position),
      scalar('replace', ['citext', 'citext', 'citext'], 'text', 'A text with parts replaced', replaced),
      scalar('split_part', ['citext', 'citext', 'int4'], 'text', 'One of the parts of a text', (text: string, by: string, number: number) =>
        part(text, by, number, split.impl as (text: string, by: string, number: number) => string),
      ),
      scalar('translate', ['citext', 'citext', 'text'], 'text', 'A text with characters replaced', translated),
      scalar('citext_cmp', ['citext', 'citext'], 'int4', 'Order of two texts', (a: string, b: string) => Math.sign(order(a, b))),
      scalar('citext_larger', ['citext', 'citext'], 'citext', 'The greater of two texts', (a: string, b: string) => (order(a, b) > 0 ? a : b)),
      scalar('citext_smaller', ['citext', 'citext'], 'citext', 'The lesser of two texts', (a: string, b: string) => (order(a, b) < 0 ? a : b)),
      extreme('min', 'The least text, without regard to case.', (each) => each < 0),
      extreme('max', 'The greatest text, without regard to case.', (each) => each > 0),
    ],
    operators: [
      ...sixOperators('citext', 'citext', (test) => `citext_${test}`, {
        eq: (a: string, b: string) => a === b || folded(a) === folded(b),
        ne: (a: string, b: string) => folded(a) !== folded(b),
        lt: (a: string, b: string) => order(a, b) < 0,
        le: (a: string, b: string) => order(a, b) <= 0,
        gt: (a: string, b: string) => order(a, b) > 0,
        ge: (a: string, b: string) => order(a, b) >= 0,
      }),
      ...patterns(operators),
      ...PATTERN_ORDER.map(([name, proc, test]) => op(name, 'citext', 'citext', 'bool', proc, (a: string, b: string) => test(order(a, b)))),
    ],
    casts: [
      binary('citext', 'text', 'implicit'),
      binary('citext', 'varchar', 'implicit'),
      binary('citext', 'bpchar', 'assignment'),
      binary('text', 'citext', 'assignment'),
      binary('varchar', 'citext', 'assignment'),
      { from: 'bpchar', to: 'citext', context: 'assignment', method: 'function', impl: (text: string) => text.replace(/ +$/, '') },
      { from: 'bool', to: 'citext', context: 'assignment', method: 'function', impl: (value: boolean) => (value ? 'true' : 'false') },
      { from: 'inet', to: 'citext', context: 'assignment', method: 'io' },
    ],
  };
}
