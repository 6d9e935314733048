/** Text forms of ranges and multiranges: `[1,"a b")`, `empty`, `{[1,3),[5,7)}`. Manual, sections 8.17.5 and 8.17.6. */
import { SvcError } from '../../base/errors/svc-error.ts';

export interface RangeText {
  readonly empty: boolean;
  /** null if the bound is omitted. */
  readonly lower: string | null;
  readonly upper: string | null;
  readonly lowerInc: boolean;
  readonly upperInc: boolean;
}

const EMPTY: RangeText = { empty: true, lower: null, upper: null, lowerInc: false, upperInc: false };

function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13);
}

function skip(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function parseRangeText(text: string): RangeText {
  const malformed = (detail: string): SvcError => new SvcError('22P02', `malformed range literal: "${text}"`, { detail });
  let at = skip(text, 0);
  if (text.slice(at, at + 5).toLowerCase() === 'empty') {
    if (skip(text, at + 5) < text.length) throw malformed('Junk after "empty" key word.');
    return EMPTY;
  }
  const lowerInc = text[at] === '[';
  if (!lowerInc && text[at] !== '(') throw malformed('Missing left parenthesis or bracket.');
  at++;
  const bound = (): string | null => {
    if (text[at] === ',' || text[at] === ')' || text[at] === ']') return null;
    let out = '';
    let quoted = false;
    while (quoted || (text[at] !== ',' && text[at] !== ')' && text[at] !== ']')) {
      if (at >= text.length) throw malformed('Unexpected end of input.');
      const char = text[at++];
      if (char === '\\') {
        if (at >= text.length) throw malformed('Unexpected end of input.');
        out += text[at++];
      } else if (char === '"') {
        if (!quoted) quoted = true;
        else if (text[at] === '"') {
          out += '"';
          at++;
        } else quoted = false;
      } else out += char;
    }
    return out;
  };
  const lower = bound();
  if (text[at] !== ',') throw malformed('Missing comma after lower bound.');
  at++;
  const upper = bound();
  const upperInc = text[at] === ']';
  if (!upperInc && text[at] !== ')') throw malformed('Too many commas.');
  if (skip(text, at + 1) < text.length) throw malformed('Junk after right parenthesis or bracket.');
  return { empty: false, lower, upper, lowerInc, upperInc };
}

const QUOTED = /["\\()[\], \t\n\r\v\f]/;

function escaped(bound: string): string {
  return bound === '' || QUOTED.test(bound) ? `"${bound.replace(/["\\]/g, '$&$&')}"` : bound;
}

export function formatRangeText({ empty, lower, upper, lowerInc, upperInc }: RangeText): string {
  if (empty) return 'empty';
  return `${lowerInc ? '[' : '('}${lower === null ? '' : escaped(lower)},${upper === null ? '' : escaped(upper)}${upperInc ? ']' : ')'}`;
}

/** The texts of the ranges in a multirange. */
export function parseMultirangeText(text: string): string[] {
  const malformed = (detail: string): SvcError => new SvcError('22P02', `malformed multirange literal: "${text}"`, { detail });
  const out: string[] = [];
  let at = skip(text, 0);
  if (text[at] !== '{') throw malformed('Missing left brace.');
  at = skip(text, at + 1);
  if (text[at] !== '}') {
    for (;;) {
      at = skip(text, at);
      if (at >= text.length) throw malformed('Unexpected end of input.');
      const from = at;
      if (text.slice(at, at + 5).toLowerCase() === 'empty') at += 5;
      else {
        if (text[at] !== '[' && text[at] !== '(') throw malformed('Expected range start.');
        let quoted = false;
        for (at++; quoted || (text[at] !== ')' && text[at] !== ']'); at++) {
          if (at >= text.length) throw malformed('Unexpected end of input.');
          if (text[at] === '\\') at++;
          else if (text[at] === '"') quoted = !quoted;
        }
        at++;
      }
      out.push(text.slice(from, at));
      at = skip(text, at);
      if (text[at] === '}') break;
      if (at >= text.length) throw malformed('Unexpected end of input.');
      if (text[at] !== ',') throw malformed('Expected comma or end of multirange.');
      at++;
    }
  }
  if (skip(text, at + 1) < text.length) throw malformed('Junk after closing right brace.');
  return out;
}
