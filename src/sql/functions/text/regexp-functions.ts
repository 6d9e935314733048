/** Functions over regular expressions. Their positions count characters from 1. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { characterCount, unitIndex } from '../../types/characters.ts';
import type { Value } from '../../types/value.ts';
import type { FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { PLAIN_OPTIONS, type Options } from './regexp/parse.ts';
import { afterCharacter, parseFlags, regexp, type Regexp, type Spans } from './regexp/regexp.ts';
import { similarToEscape } from './similar.ts';

function piece(text: string, spans: Spans, group: number): string | null {
  const start = spans[2 * group] as number;
  return start < 0 ? null : text.slice(start, spans[2 * group + 1]);
}

/** The groups of a match, or the match itself if the expression has none. */
function groupsOf(text: string, spans: Spans, groups: number): ArrayValue {
  if (groups === 0) return new ArrayValue([piece(text, spans, 0)]);
  const found: Value[] = [];
  for (let group = 1; group <= groups; group++) found.push(piece(text, spans, group));
  return new ArrayValue(found);
}

/** The matches in order. */
function* allMatches(expression: Regexp, text: string, from: number): Generator<Spans> {
  let search = from;
  while (search <= text.length) {
    const spans = expression.exec(text, search);
    if (spans === null) return;
    yield spans;
    const end = spans[1] as number;
    search = spans[0] === end ? afterCharacter(text, end) : end;
  }
}

/** Flags of a function that works on one match or has its own way to request all. */
function optionsOf(flags: string, name: string, instead?: string): Options {
  const parsed = parseFlags(flags);
  if (parsed.global) {
    throw new SvcError(
      '22023',
      `${name}() does not support the "global" option`,
      instead === undefined ? {} : { hint: `Use the ${instead} function instead.` },
    );
  }
  return parsed.options;
}

function positive(value: number, name: string): void {
  if (value <= 0) throw new SvcError('22023', `invalid value for parameter "${name}": ${value}`);
}

/** Index of the start-th character; past the end nothing matches. */
function startIndex(text: string, start: number): number {
  positive(start, 'start');
  return start - 1 > characterCount(text) ? text.length + 1 : unitIndex(text, start - 1);
}

export function regexpSubstring(text: string, pattern: string): string | null {
  const expression = regexp(pattern, PLAIN_OPTIONS);
  const spans = expression.exec(text, 0);
  return spans === null ? null : piece(text, spans, expression.groups > 0 ? 1 : 0);
}

function regexpMatch(text: string, pattern: string, flags = ''): ArrayValue | null {
  const expression = regexp(pattern, optionsOf(flags, 'regexp_match', 'regexp_matches'));
  const spans = expression.exec(text, 0);
  return spans === null ? null : groupsOf(text, spans, expression.groups);
}

function* regexpMatches(text: string, pattern: string, flags = ''): Generator<Value> {
  const { options, global } = parseFlags(flags);
  const expression = regexp(pattern, options);
  for (const spans of allMatches(expression, text, 0)) {
    yield groupsOf(text, spans, expression.groups);
    if (!global) return;
  }
}

/** Empty matches at the ends and right after another match do not split. */
function split(text: string, pattern: string, flags: string, name: string): string[] {
  const parsed = parseFlags(flags);
  if (parsed.global) throw new SvcError('22023', `${name}() does not support the "global" option`);
  const parts: string[] = [];
  let from = 0;
  for (const spans of allMatches(regexp(pattern, parsed.options), text, 0)) {
    const [start, end] = spans as [number, number];
    if (start >= text.length || end <= from) continue;
    parts.push(text.slice(from, start));
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Expands `\1` … `\9`, `\&` and `\\` in a replacement. */
function expand(replacement: string, text: string, spans: Spans): string {
  return replacement.replace(/\\([1-9&\\])/g, (_, mark: string) => {
    if (mark === '\\') return '\\';
    const group = mark === '&' ? 0 : Number(mark);
    return 2 * group < spans.length ? (piece(text, spans, group) ?? '') : '';
  });
}

/** `nth` 0 replaces all matches. */
function replace(text: string, pattern: string, replacement: string, from: number, nth: number, options: Options): string {
  const expression = regexp(pattern, options);
  const plain = !replacement.includes('\\');
  let result = '';
  let copied = 0;
  let count = 0;
  for (const spans of allMatches(expression, text, from)) {
    count++;
    if (nth > 0 && count !== nth) continue;
    result += text.slice(copied, spans[0]) + (plain ? replacement : expand(replacement, text, spans));
    copied = spans[1] as number;
    if (nth > 0) break;
  }
  return copied === 0 && result === '' ? text : result + text.slice(copied);
}

function regexpReplace(text: string, pattern: string, replacement: string, flags: string): string {
  if (/^[0-9]/.test(flags)) {
    throw new SvcError('22023', `invalid regular expression option: "${flags[0]}"`, {
      hint: 'If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.',
    });
  }
  const { options, global } = parseFlags(flags);
  return replace(text, pattern, replacement, 0, global ? 0 : 1, options);
}

/** With a start, `n` counts (0 for all); the flag g is ignored then. */
function regexpReplaceFrom(text: string, pattern: string, replacement: string, start: number, nth?: number, flags = ''): string {
  if (start <= 0) positive(start, 'start');
  if (nth !== undefined && nth < 0) throw new SvcError('22023', `invalid value for parameter "n": ${nth}`);
  const { options, global } = parseFlags(flags);
  return replace(text, pattern, replacement, startIndex(text, start), nth ?? (global ? 0 : 1), options);
}

function regexpCount(text: string, pattern: string, start = 1, flags = ''): number {
  positive(start, 'start');
  const options = optionsOf(flags, 'regexp_count');
  let count = 0;
  for (const _ of allMatches(regexp(pattern, options), text, startIndex(text, start))) count++;
  return count;
}

/** The n-th match from a start; undefined if there are fewer. */
function nthMatch(expression: Regexp, text: string, start: number, nth: number): Spans | undefined {
  let count = 0;
  for (const spans of allMatches(expression, text, startIndex(text, start))) if (++count === nth) return spans;
  return undefined;
}

function regexpInstr(text: string, pattern: string, start = 1, nth = 1, endoption = 0, flags = '', subexpr = 0): number {
  positive(start, 'start');
  positive(nth, 'n');
  if (endoption !== 0 && endoption !== 1) throw new SvcError('22023', `invalid value for parameter "endoption": ${endoption}`);
  if (subexpr < 0) throw new SvcError('22023', `invalid value for parameter "subexpr": ${subexpr}`);
  const expression = regexp(pattern, optionsOf(flags, 'regexp_instr'));
  const spans = nthMatch(expression, text, start, nth);
  const group = expression.groups === 0 && subexpr === 1 ? 0 : subexpr;
  if (spans === undefined || group > expression.groups) return 0;
  const index = spans[2 * group + endoption] as number;
  return index < 0 ? 0 : characterCount(text.slice(0, index)) + 1;
}

function regexpSubstr(text: string, pattern: string, start = 1, nth = 1, flags = '', subexpr = 0): string | null {
  positive(start, 'start');
  positive(nth, 'n');
  if (subexpr < 0) throw new SvcError('22023', `invalid value for parameter "subexpr": ${subexpr}`);
  const expression = regexp(pattern, optionsOf(flags, 'regexp_substr'));
  const spans = nthMatch(expression, text, start, nth);
  // Without groups the match itself counts as the first.
  const group = expression.groups === 0 && subexpr === 1 ? 0 : subexpr;
  return spans === undefined || group > expression.groups ? null : piece(text, spans, group);
}

interface Shape {
  readonly name: string;
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** Number of arguments of the shortest overload. */
  readonly from: number;
  readonly returns: string;
  readonly doc: string;
  readonly impl: ScalarFunction['impl'];
}

/** Postgres declares one function for each count of arguments. */
function overloads(shape: Shape): ScalarFunction[] {
  const list: ScalarFunction[] = [];
  for (let count = shape.from; count <= shape.types.length; count++) {
    list.push({
      kind: 'scalar',
      name: shape.name,
      args: shape.types.slice(0, count),
      argNames: shape.names.slice(0, count),
      returns: shape.returns,
      doc: shape.doc,
      impl: shape.impl,
    });
  }
  return list;
}

function sets(name: string, returns: string, doc: string, impl: SetFunction['impl']): SetFunction[] {
  return [
    ['text', 'text'],
    ['text', 'text', 'text'],
  ].map((args) => ({
    kind: 'set',
    name,
    args,
    argNames: ['string', 'pattern', 'flags'].slice(0, args.length),
    returns,
    doc,
    impl,
  }));
}

const STRING = ['string', 'pattern'];

export const regexpFunctions: FunctionModule = {
  functions: [
    ...overloads({
      name: 'regexp_like',
      names: [...STRING, 'flags'],
      types: ['text', 'text', 'text'],
      from: 2,
      returns: 'bool',
      doc: 'Whether the regular expression matches within the text.',
      impl: (text: string, pattern: string, flags = '') => regexp(pattern, optionsOf(flags, 'regexp_like')).test(text),
    }),
    ...overloads({
      name: 'regexp_match',
      names: [...STRING, 'flags'],
      types: ['text', 'text', 'text'],
      from: 2,
      returns: '_text',
      doc: 'The groups of the first match, or the match where there are none.',
      impl: regexpMatch,
    }),
    ...sets('regexp_matches', '_text', 'The groups of the first match, or of all with the flag g.', regexpMatches),
    ...overloads({
      name: 'regexp_replace',
      names: [...STRING, 'replacement', 'flags'],
      types: ['text', 'text', 'text', 'text'],
      from: 3,
      returns: 'text',
      doc: 'The text with the first match replaced, or all with the flag g.',
      impl: (text: string, pattern: string, replacement: string, flags = '') => regexpReplace(text, pattern, replacement, flags),
    }),
    ...overloads({
      name: 'regexp_replace',
      names: [...STRING, 'replacement', 'start', 'N', 'flags'],
      types: ['text', 'text', 'text', 'int4', 'int4', 'text'],
      from: 4,
      returns: 'text',
      doc: 'The text with the N-th match from a start replaced, all of them where N is 0.',
      impl: regexpReplaceFrom,
    }),
    ...overloads({
      name: 'regexp_split_to_array',
      names: [...STRING, 'flags'],
      types: ['text', 'text', 'text'],
      from: 2,
      returns: '_text',
      doc: 'The parts of the text between matches.',
      impl: (text: string, pattern: string, flags = '') => new ArrayValue(split(text, pattern, flags, 'regexp_split_to_array')),
    }),
    ...sets('regexp_split_to_table', 'text', 'The parts of the text between matches, a row each.', (text: string, pattern: string, flags = '') =>
      split(text, pattern, flags, 'regexp_split_to_table'),
    ),
    ...overloads({
      name: 'regexp_count',
      names: [...STRING, 'start', 'flags'],
      types: ['text', 'text', 'int4', 'text'],
      from: 2,
      returns: 'int4',
      doc: 'How often the regular expression matches.',
      impl: regexpCount,
    }),
    ...overloads({
      name: 'regexp_instr',
      names: [...STRING, 'start', 'N', 'endoption', 'flags', 'subexpr'],
      types: ['text', 'text', 'int4', 'int4', 'int4', 'text', 'int4'],
      from: 2,
      returns: 'int4',
      doc: 'Position of the N-th match, or after it where endoption is 1; 0 for none.',
      impl: regexpInstr,
    }),
    ...overloads({
      name: 'regexp_substr',
      names: [...STRING, 'start', 'N', 'flags', 'subexpr'],
      types: ['text', 'text', 'int4', 'int4', 'text', 'int4'],
      from: 2,
      returns: 'text',
      doc: 'The N-th match, or a group of it.',
      impl: regexpSubstr,
    }),
    {
      kind: 'scalar',
      name: 'substring',
      args: ['text', 'text'],
      returns: 'text',
      doc: 'The first match of the regular expression, or its first group.',
      impl: regexpSubstring,
    },
    {
      kind: 'scalar',
      name: 'substring',
      args: ['text', 'text', 'text'],
      returns: 'text',
      doc: 'The middle part of what the SQL pattern matches: SUBSTRING(text SIMILAR pattern ESCAPE escape).',
      impl: (text: string, pattern: string, escape: string) => regexpSubstring(text, similarToEscape(pattern, escape)),
    },
    {
      kind: 'scalar',
      name: 'similar_escape',
      args: ['text', 'text'],
      returns: 'text',
      strict: false,
      doc: 'The regular expression of a SIMILAR TO pattern; a null escape means the backslash.',
      impl: (pattern: string | null, escape: string | null) => (pattern === null ? null : similarToEscape(pattern, escape ?? '\\')),
    },
    {
      kind: 'scalar',
      name: 'similar_to_escape',
      args: ['text'],
      returns: 'text',
      doc: 'The regular expression of a SIMILAR TO pattern.',
      impl: (pattern: string) => similarToEscape(pattern, '\\'),
    },
    {
      kind: 'scalar',
      name: 'similar_to_escape',
      args: ['text', 'text'],
      returns: 'text',
      doc: 'The regular expression of a SIMILAR TO pattern with its escape character.',
      impl: similarToEscape,
    },
  ],
};
