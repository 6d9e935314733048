/** Types whose texts may take long to parse, and from which length on: calls of the input function that run on a thread. */
import type { SqlType } from '../types/type.ts';
import type { Call, ScalarFunction } from './define.ts';

export const LONG_INPUTS: ReadonlyMap<string, number> = new Map([
  ['json', 200_000],
  ['jsonb', 200_000],
  ['xml', 20_000],
  ['tsvector', 50_000],
  ['tsquery', 20_000],
  ['polygon', 100_000],
  ['path', 100_000],
  ['hstore', 50_000],
  ['_text', 200_000],
  ['_varchar', 200_000],
  ['_int4', 200_000],
  ['_int8', 200_000],
  ['_float8', 200_000],
  ['_numeric', 100_000],
]);

const inputs = new WeakMap<SqlType, ScalarFunction>();

/** The input function of a built-in type; null if no text of it takes long. */
export function longInput(type: SqlType): ScalarFunction | null {
  const limit = type.made === undefined ? LONG_INPUTS.get(type.name) : undefined;
  if (limit === undefined) return null;
  let input = inputs.get(type);
  if (input === undefined) {
    input = {
      kind: 'scalar',
      name: `${type.name} input`,
      args: ['cstring'],
      returns: type.name,
      doc: 'Reads a text.',
      needsCall: true,
      impl: ({ env }: Call, text: string) => type.parse(text, -1, env),
      long: { key: `in(${type.name})`, isLong: (text: string) => text.length > limit },
    };
    inputs.set(type, input);
  }
  return input;
}
