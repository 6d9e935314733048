/**
 * Query evaluation, with the result "maybe" for a phrase over words without positions. For each part of a phrase its end positions
 * are kept, or for a negated part (`!`) those where it does not end. Manual, section 12.3.
 */
import { compareText } from '../../types/text-order.ts';
import { TS_POSITION_MAX } from '../../types/ts-word-reader.ts';
import { type TsNode, type TsOperand, TsQuery } from '../../types/tsquery-tree.ts';
import type { TsVector } from '../../types/tsvector.ts';

export type Answer = 'no' | 'yes' | 'maybe';

/** End positions: in order, without weights. */
export interface Places {
  at: readonly number[];
  /** `at` are the positions where it does not match. */
  negated: boolean;
  /** The length of the match, in positions before the end. */
  width: number;
}

/** Evaluates one word; if `places` is given, adds its positions. */
export type WordTest = (word: TsOperand, places: Places | null) => Answer;

export function holds(node: TsNode, test: WordTest): boolean {
  return answer(node, test) !== 'no';
}

function answer(node: TsNode, test: WordTest): Answer {
  switch (node.kind) {
    case 'word':
      return test(node, null);
    case 'not': {
      const inner = answer(node.right, test);
      return inner === 'maybe' ? inner : inner === 'no' ? 'yes' : 'no';
    }
    case 'and': {
      const left = answer(node.left, test);
      if (left === 'no') return 'no';
      const right = answer(node.right, test);
      return right === 'yes' ? left : right;
    }
    case 'or': {
      const left = answer(node.left, test);
      if (left === 'yes') return 'yes';
      const right = answer(node.right, test);
      return right === 'no' ? left : right;
    }
    case 'phrase':
      // Without positions a phrase does not match.
      return phrase(node, test, { at: [], negated: false, width: 0 }) === 'yes' ? 'yes' : 'no';
  }
}

const BOTH = 1;
const LEFT = 2;
const RIGHT = 4;

function phrase(node: TsNode, test: WordTest, out: Places): Answer {
  if (node.kind === 'word') return test(node, out);
  if (node.kind === 'not') {
    const inner = phrase(node.right, test, out);
    if (inner === 'maybe') return inner;
    if (inner === 'no') {
      out.at = [];
      out.negated = true;
      return 'yes';
    }
    out.negated = !out.negated;
    return out.at.length > 0 || out.negated ? 'yes' : 'no';
  }
  const a: Places = { at: [], negated: false, width: 0 };
  const b: Places = { at: [], negated: false, width: 0 };
  const left = phrase(node.left, test, a);
  if (left === 'no' && node.kind !== 'or') return 'no';
  const right = phrase(node.right, test, b);
  if (right === 'no' && (node.kind !== 'or' || left === 'no')) return 'no';
  if (left === 'maybe' || right === 'maybe') return 'maybe';
  if (node.kind === 'phrase') {
    out.width = node.distance + a.width + b.width;
    return joined(out, a, b, node.distance + b.width, 0);
  }
  if (left === 'no') a.width = 0;
  if (right === 'no') b.width = 0;
  out.width = Math.max(a.width, b.width);
  const byLeft = out.width - a.width;
  const byRight = out.width - b.width;
  if (node.kind === 'and') return joined(out, a, b, byLeft, byRight);
  if (!a.negated && !b.negated) return merged(out, a, b, byLeft, byRight, BOTH | LEFT | RIGHT);
  merged(out, a, b, byLeft, byRight, a.negated && b.negated ? BOTH : a.negated ? LEFT : RIGHT);
  out.negated = true;
  return 'yes';
}

/** The union, each shifted by an offset. */
function joined(out: Places, a: Places, b: Places, byLeft: number, byRight: number): Answer {
  if (a.negated && b.negated) {
    merged(out, a, b, byLeft, byRight, BOTH | LEFT | RIGHT);
    out.negated = true;
    return 'yes';
  }
  return merged(out, a, b, byLeft, byRight, a.negated ? RIGHT : b.negated ? LEFT : BOTH);
}

function merged(out: Places, a: Places, b: Places, byLeft: number, byRight: number, emit: number): Answer {
  const found: number[] = [];
  let i = 0;
  let k = 0;
  while (i < a.at.length || k < b.at.length) {
    const left = i < a.at.length ? a.at[i] + byLeft : Infinity;
    const right = k < b.at.length ? b.at[k] + byRight : Infinity;
    let place = 0;
    if (left < right) {
      if (emit & LEFT) place = left;
      i++;
    } else if (left === right) {
      if (emit & BOTH) place = left;
      i++;
      k++;
    } else {
      if (emit & RIGHT) place = right;
      k++;
    }
    if (place > 0) found.push(place);
  }
  out.at = found;
  return found.length > 0 ? 'yes' : 'no';
}

export function vectorMatches(vector: TsVector, query: TsQuery): boolean {
  return query.root !== null && holds(query.root, (word, places) => inVector(vector, word, places));
}

function inVector(vector: TsVector, word: TsOperand, places: Places | null): Answer {
  const { lexemes } = vector;
  const first = vector.lowerBound(word.text);
  if (!word.prefix) {
    return first < lexemes.length && lexemes[first] === word.text ? atEntry(vector, first, word, places) : 'no';
  }
  let out: Answer = 'no';
  const all: number[] = [];
  for (let i = first; i < lexemes.length && lexemes[i].startsWith(word.text); i++) {
    const own = atEntry(vector, i, word, places);
    if (own === 'no') continue;
    if (places === null) {
      if (own === 'yes') return own;
      out = own;
    } else {
      if (own === 'maybe') {
        places.at = [];
        return own;
      }
      all.push(...places.at);
      out = 'yes';
    }
  }
  if (places !== null && out === 'yes') places.at = [...new Set(all)].sort((x, y) => x - y);
  return out;
}

function atEntry({ positions }: TsVector, at: number, { weight }: TsOperand, places: Places | null): Answer {
  const own = positions[at];
  // A word without positions has any weight.
  if (own === null) return places === null ? 'yes' : 'maybe';
  if (places === null) return weight === 0 || own.some((each) => (weight & (1 << (each >>> 14))) !== 0) ? 'yes' : 'no';
  const kept = weight === 0 ? own : own.filter((each) => (weight & (1 << (each >>> 14))) !== 0);
  places.at = kept.map((each) => each & TS_POSITION_MAX);
  return kept.length > 0 ? 'yes' : 'no';
}

/** Vector entries of a word: from, up to. */
export function entriesOf(vector: TsVector, { text, prefix }: TsOperand): readonly [from: number, to: number] {
  const from = vector.lowerBound(text);
  let to = from;
  if (prefix) while (to < vector.lexemes.length && vector.lexemes[to].startsWith(text)) to++;
  else if (from < vector.lexemes.length && compareText(vector.lexemes[from], text) === 0) to++;
  return [from, to];
}
