/** Texts to arrays and rows by a delimiter, and back. */
import { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, SetFunction } from '../define.ts';
import { scalar } from './declare.ts';

/** A null delimiter splits into characters, an empty one not at all. */
function parts(text: string, delimiter: string | null, nullText: string | null): Value[] {
  if (text === '') return [];
  const found: Value[] = delimiter === null ? Array.from(text) : delimiter === '' ? [text] : text.split(delimiter);
  return nullText === null ? found : found.map((part) => (part === nullText ? null : part));
}

function toArray(text: string | null, delimiter: string | null, nullText: string | null = null): ArrayValue | null {
  return text === null ? null : new ArrayValue(parts(text, delimiter, nullText));
}

function toRows(text: string | null, delimiter: string | null, nullText: string | null = null): Value[] {
  return text === null ? [] : parts(text, delimiter, nullText);
}

function join(call: Call, array: ArrayValue, delimiter: string, nullText: string | null = null): string {
  const type = (call.argTypes[0] as SqlType).element as SqlType;
  let result = '';
  let first = true;
  for (const element of array.elements) {
    if (element === null && nullText === null) continue;
    const text = element === null ? (nullText as string) : type.format(element, call.env);
    result += first ? text : delimiter + text;
    first = false;
  }
  return result;
}

const SPLIT = 'The parts of the text between delimiters; those equal to the third argument become null.';
const JOIN = 'The elements joined by a delimiter; nulls are left out, or stand as the third argument.';

function rows(args: readonly string[]): SetFunction {
  return { kind: 'set', name: 'string_to_table', args, returns: 'text', strict: false, doc: SPLIT, gives: 'list', impl: toRows };
}

export const splitAndJoin: FunctionModule = {
  functions: [
    { ...scalar('string_to_array', ['text', 'text'], '_text', SPLIT, toArray), strict: false },
    { ...scalar('string_to_array', ['text', 'text', 'text'], '_text', SPLIT, toArray), strict: false },
    rows(['text', 'text']),
    rows(['text', 'text', 'text']),
    { ...scalar('array_to_string', ['anyarray', 'text'], 'text', JOIN, join), volatility: 'stable', needsCall: true },
    {
      ...scalar(
        'array_to_string',
        ['anyarray', 'text', 'text'],
        'text',
        JOIN,
        (call: Call, array: ArrayValue | null, delimiter: string | null, nullText: string | null) =>
          array === null || delimiter === null ? null : join(call, array, delimiter, nullText),
      ),
      volatility: 'stable',
      strict: false,
      needsCall: true,
    },
  ],
};
