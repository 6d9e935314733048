/** Functions and operators of the extension pg_trgm: how alike two texts are by the groups of three characters in their words. */
import { ArrayValue } from '../../types/array-value.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

/** pg_trgm.similarity_threshold as it is from the start. */
const ALIKE = Math.fround(0.3);

/** Of each word in lower case, with two blanks before it and one behind. */
function trigrams(text: string): Set<string> {
  const out = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const characters = [...`  ${word} `];
    for (let i = 0; i + 3 <= characters.length; i++) out.add(characters.slice(i, i + 3).join(''));
  }
  return out;
}

function similarity(a: string, b: string): number {
  const [x, y] = [trigrams(a), trigrams(b)];
  if (x.size === 0 && y.size === 0) return 0;
  let shared = 0;
  for (const each of x) if (y.has(each)) shared++;
  return Math.fround(shared / (x.size + y.size - shared));
}

const scalar = (name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns,
  doc: `${doc} (pg_trgm).`,
  impl,
});
const operator = (name: string, returns: string, proc: string, impl: SqlOperator['impl']): SqlOperator => ({
  name,
  left: 'text',
  right: 'text',
  returns,
  proc,
  commutator: name,
  impl,
});
const alike = (a: string, b: string): boolean => similarity(a, b) >= ALIKE;
const apart = (a: string, b: string): number => Math.fround(1 - similarity(a, b));

export const TRIGRAMS: FunctionModule = {
  functions: [
    scalar('similarity', ['text', 'text'], 'float4', 'How alike two texts are, from 0 to 1', similarity),
    scalar('similarity_dist', ['text', 'text'], 'float4', 'How far apart two texts are: 1 less their similarity', apart),
    scalar('similarity_op', ['text', 'text'], 'bool', 'Whether two texts are alike by 0.3 or more', alike),
    scalar('show_trgm', ['text'], '_text', 'The trigrams of a text', (text: string) => new ArrayValue([...trigrams(text)].sort())),
    scalar('show_limit', [], 'float4', 'From what similarity on % finds two texts alike', () => ALIKE),
  ],
  operators: [operator('%', 'bool', 'similarity_op', alike), operator('<->', 'float4', 'similarity_dist', apart)],
};
