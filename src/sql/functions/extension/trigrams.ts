/** Functions and operators of the extension pg_trgm: similarity of texts by the trigrams of their words. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { trigramsOf } from '../../types/trigrams.ts';
import type { Call, FunctionModule, SqlOperator } from '../define.ts';
import { scalarsOf } from './declare.ts';
import { wordSimilarity } from './word-similarity.ts';

let lastText = '';
let lastTrigrams: ReadonlySet<string> = new Set();

/** The last text is cached, since all rows are often compared with one. */
function trigramsAgain(text: string): ReadonlySet<string> {
  if (text !== lastText) [lastText, lastTrigrams] = [text, trigramsOf(text)];
  return lastTrigrams;
}

function similarity(a: string, b: string): number {
  const [x, y] = [trigramsOf(a), trigramsAgain(b)];
  if (x.size === 0 && y.size === 0) return 0;
  let shared = 0;
  for (const each of x) if (y.has(each)) shared++;
  return Math.fround(shared / (x.size + y.size - shared));
}

const scalar = scalarsOf('pg_trgm');
const operator = (name: string, returns: string, proc: string, impl: SqlOperator['impl']): SqlOperator => ({
  name,
  left: 'text',
  right: 'text',
  returns,
  proc,
  commutator: name,
  impl,
});
const apart = (a: string, b: string): number => Math.fround(1 - similarity(a, b));
const word = (a: string, b: string): number => wordSimilarity(a, b, false);
const strictWord = (a: string, b: string): number => wordSimilarity(a, b, true);
const less =
  (of: (a: string, b: string) => number): ((a: string, b: string) => number) =>
  (a, b) =>
    Math.fround(1 - of(a, b));
const turned =
  <T>(of: (a: string, b: string) => T): ((a: string, b: string) => T) =>
  (a, b) =>
    of(b, a);

const LIMITS = { similarity: 0.3, word_similarity: 0.6, strict_word_similarity: 0.5 } as const;
type Limit = keyof typeof LIMITS;

function limitOf({ env }: Call, name: Limit): number {
  return Math.fround(Number(env.setting(`pg_trgm.${name}_threshold`) ?? LIMITS[name]));
}

const reaches =
  (name: Limit, of: (a: string, b: string) => number): ((call: Call, a: string, b: string) => boolean) =>
  (call, a, b) =>
    of(a, b) >= limitOf(call, name);
const alike = reaches('similarity', similarity);
const hasWord = reaches('word_similarity', word);
const isWord = reaches('word_similarity', turned(word));
const hasStrictWord = reaches('strict_word_similarity', strictWord);
const isStrictWord = reaches('strict_word_similarity', turned(strictWord));

function setLimit({ env }: Call, limit: number): number {
  if (!(limit >= 0 && limit <= 1)) throw new SvcError('22023', `${limit} is outside the valid range for parameter "pg_trgm.similarity_threshold" (0 .. 1)`);
  env.setSetting('pg_trgm.similarity_threshold', String(limit), false);
  return limit;
}

const setting = { needsCall: true, volatility: 'stable' } as const;

export const TRIGRAMS: FunctionModule = {
  functions: [
    scalar('similarity', ['text', 'text'], 'float4', 'How alike two texts are, from 0 to 1', similarity),
    scalar('similarity_dist', ['text', 'text'], 'float4', 'How far apart two texts are: 1 less their similarity', apart),
    { ...scalar('similarity_op', ['text', 'text'], 'bool', 'Whether the similarity of two texts reaches the threshold', alike), ...setting },
    scalar('word_similarity', ['text', 'text'], 'float4', 'How alike a text is to some stretch of another', word),
    scalar('strict_word_similarity', ['text', 'text'], 'float4', 'How alike a text is to some words of another', strictWord),
    scalar('show_trgm', ['text'], '_text', 'The trigrams of a text', (text: string) => new ArrayValue([...trigramsOf(text)].sort())),
    { ...scalar('show_limit', [], 'float4', 'From what similarity on % finds two texts alike', (call: Call) => limitOf(call, 'similarity')), ...setting },
    { ...scalar('set_limit', ['float4'], 'float4', 'Says from what similarity on % finds two texts alike', setLimit), needsCall: true, volatility: 'volatile' },
  ],
  operators: [
    { ...operator('%', 'bool', 'similarity_op', alike), ...setting },
    { ...operator('<%', 'bool', 'word_similarity_op', hasWord), commutator: '%>', ...setting },
    { ...operator('%>', 'bool', 'word_similarity_commutator_op', isWord), commutator: '<%', ...setting },
    { ...operator('<<%', 'bool', 'strict_word_similarity_op', hasStrictWord), commutator: '%>>', ...setting },
    { ...operator('%>>', 'bool', 'strict_word_similarity_commutator_op', isStrictWord), commutator: '<<%', ...setting },
    operator('<->', 'float4', 'similarity_dist', apart),
    { ...operator('<<->', 'float4', 'word_similarity_dist_op', less(word)), commutator: '<->>' },
    { ...operator('<->>', 'float4', 'word_similarity_dist_commutator_op', turned(less(word))), commutator: '<<->' },
    { ...operator('<<<->', 'float4', 'strict_word_similarity_dist_op', less(strictWord)), commutator: '<->>>' },
    { ...operator('<->>>', 'float4', 'strict_word_similarity_dist_commutator_op', turned(less(strictWord))), commutator: '<<<->' },
  ],
};
