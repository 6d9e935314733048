/** Functions and operators of tsvector. Manual, sections 9.13 and 12.4.1. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { compareText } from '../../types/text-order.ts';
import { tsPosition, TS_POSITION_MAX, TS_POSITIONS_MAX } from '../../types/ts-word-reader.ts';
import { compareTsVectors, refuseLong, type TsPositions, TsVector, tsVectorOf } from '../../types/tsvector.ts';
import type { Value } from '../../types/value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SetFunction } from '../define.ts';

const LETTERS = ['D', 'C', 'B', 'A'];

function weightOf(letter: string): number {
  return LETTERS.indexOf(letter.toUpperCase());
}

function knownWeight(letter: string): number {
  const weight = weightOf(letter);
  if (weight === -1) throw new SvcError('XX000', `unrecognized weight: ${letter.length === 0 ? 0 : letter.charCodeAt(0)}`);
  return weight;
}

function texts(array: ArrayValue): string[] {
  return array.elements.filter((each): each is string => each !== null);
}

/** With positions of a weight, for all words or the given ones. */
function weighted(vector: TsVector, letter: string, only: ReadonlySet<string> | null): TsVector {
  const weight = knownWeight(letter);
  return new TsVector(
    vector.lexemes,
    vector.positions.map((own, i) =>
      own === null || (only !== null && !only.has(vector.lexemes[i])) ? own : own.map((each) => (each & TS_POSITION_MAX) | (weight << 14)),
    ),
  );
}

function without(vector: TsVector, gone: ReadonlySet<string>): TsVector {
  const kept = vector.lexemes.flatMap((lexeme, i) => (gone.has(lexeme) ? [] : [i]));
  return new TsVector(
    kept.map((i) => vector.lexemes[i]),
    kept.map((i) => vector.positions[i]),
  );
}

function filtered(vector: TsVector, letters: ArrayValue): TsVector {
  let bits = 0;
  for (const letter of letters.elements) {
    if (letter === null) throw new SvcError('22004', 'weight array may not contain nulls');
    const weight = weightOf(letter as string);
    if (weight === -1) throw new SvcError('22023', `unrecognized weight: "${letter as string}"`);
    bits |= 1 << weight;
  }
  const lexemes: string[] = [];
  const positions: TsPositions[] = [];
  vector.positions.forEach((own, i) => {
    const kept = own?.filter((each) => bits & (1 << (each >>> 14))) ?? [];
    if (kept.length === 0) return;
    lexemes.push(vector.lexemes[i]);
    positions.push(kept);
  });
  return new TsVector(lexemes, positions);
}

/** The positions of the second follow those of the first. */
function joined(a: TsVector, b: TsVector): TsVector {
  let last = 0;
  for (const own of a.positions) for (const each of own ?? []) last = Math.max(last, each & TS_POSITION_MAX);
  const moved = (own: TsPositions, before: TsPositions): TsPositions => {
    const out = before === null ? [] : [...before];
    for (const each of own ?? []) {
      if (out.length >= TS_POSITIONS_MAX || (out.length > 0 && (out[out.length - 1] & TS_POSITION_MAX) === TS_POSITION_MAX)) break;
      out.push(tsPosition((each & TS_POSITION_MAX) + last, each >>> 14));
    }
    return out.length === 0 ? null : out;
  };
  const lexemes: string[] = [];
  const positions: TsPositions[] = [];
  for (let i = 0, k = 0; i < a.lexemes.length || k < b.lexemes.length;) {
    const order = i === a.lexemes.length ? 1 : k === b.lexemes.length ? -1 : compareText(a.lexemes[i], b.lexemes[k]);
    lexemes.push(order <= 0 ? a.lexemes[i] : b.lexemes[k]);
    positions.push(order < 0 ? a.positions[i] : moved(b.positions[k], order === 0 ? a.positions[i] : null));
    if (order <= 0) i++;
    if (order >= 0) k++;
  }
  if (lexemes.length > 1000) refuseLong(lexemes);
  return new TsVector(lexemes, positions);
}

function ofArray(array: ArrayValue): TsVector {
  for (const each of array.elements) {
    if (each === null) throw new SvcError('22004', 'lexeme array may not contain nulls');
    if (each === '') throw new SvcError('2200F', 'lexeme array may not contain empty strings');
  }
  return tsVectorOf(array.elements.map((each) => ({ text: each as string, positions: null })));
}

function* unnested({ lexemes, positions }: TsVector): Generator<Value[]> {
  for (let i = 0; i < lexemes.length; i++) {
    const own = positions[i];
    yield [
      lexemes[i],
      own === null ? null : new ArrayValue(own.map((each) => each & TS_POSITION_MAX)),
      own === null ? null : new ArrayValue(own.map((each) => LETTERS[each >>> 14])),
    ];
  }
}

const scalar = (name: string, args: string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns,
  doc,
  impl,
});

const unnest: SetFunction = {
  kind: 'set',
  name: 'unnest',
  args: ['tsvector'],
  argNames: ['tsvector'],
  returns: 'record',
  columns: [
    { name: 'lexeme', type: 'text' },
    { name: 'positions', type: '_int2' },
    { name: 'weights', type: '_text' },
  ],
  doc: 'The lexemes of a vector with their places and weights.',
  impl: unnested,
};

export const TSVECTOR_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('tsvector_cmp', ['tsvector', 'tsvector'], 'int4', 'Order of two vectors: -1, 0 or 1.', (a: TsVector, b: TsVector) =>
      Math.sign(compareTsVectors(a, b)),
    ),
    scalar('length', ['tsvector'], 'int4', 'How many lexemes.', ({ lexemes }: TsVector) => lexemes.length),
    scalar(
      'strip',
      ['tsvector'],
      'tsvector',
      'Without places and weights.',
      ({ lexemes }: TsVector) =>
        new TsVector(
          lexemes,
          lexemes.map(() => null),
        ),
    ),
    scalar('setweight', ['tsvector', 'char'], 'tsvector', 'With one weight (A to D) at all places.', (vector: TsVector, letter: string) =>
      weighted(vector, letter, null),
    ),
    scalar(
      'setweight',
      ['tsvector', 'char', '_text'],
      'tsvector',
      'With one weight at all places of some lexemes.',
      (vector: TsVector, letter: string, only: ArrayValue) => weighted(vector, letter, new Set(texts(only))),
    ),
    scalar('ts_delete', ['tsvector', 'text'], 'tsvector', 'Without a lexeme.', (vector: TsVector, gone: string) => without(vector, new Set([gone]))),
    scalar('ts_delete', ['tsvector', '_text'], 'tsvector', 'Without some lexemes.', (vector: TsVector, gone: ArrayValue) =>
      without(vector, new Set(texts(gone))),
    ),
    scalar('ts_filter', ['tsvector', '_char'], 'tsvector', 'The places that have one of the weights.', filtered),
    scalar('array_to_tsvector', ['_text'], 'tsvector', 'The texts as lexemes, as they are.', ofArray),
    scalar('tsvector_to_array', ['tsvector'], '_text', 'The lexemes.', ({ lexemes }: TsVector) => new ArrayValue(lexemes)),
    unnest,
  ],
  operators: [
    ...sixOperators('tsvector', 'tsvector', (test) => `tsvector_${test}`, {
      eq: (a: TsVector, b: TsVector) => compareTsVectors(a, b) === 0,
      ne: (a: TsVector, b: TsVector) => compareTsVectors(a, b) !== 0,
      lt: (a: TsVector, b: TsVector) => compareTsVectors(a, b) < 0,
      le: (a: TsVector, b: TsVector) => compareTsVectors(a, b) <= 0,
      gt: (a: TsVector, b: TsVector) => compareTsVectors(a, b) > 0,
      ge: (a: TsVector, b: TsVector) => compareTsVectors(a, b) >= 0,
    }),
    { name: '||', left: 'tsvector', right: 'tsvector', returns: 'tsvector', proc: 'tsvector_concat', impl: joined },
  ],
};
