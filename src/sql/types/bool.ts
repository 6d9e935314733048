/** boolean. Input accepts surrounding blanks and unique prefixes of true, false, yes, no, on, off, and 1 and 0. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

const WORDS = new Map<string, boolean>();
for (const word of ['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1']) WORDS.set(word, true);
for (const word of ['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0']) WORDS.set(word, false);

export function parseBool(text: string): boolean {
  const value = WORDS.get(text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '').toLowerCase());
  if (value === undefined) throw new SvcError('22P02', `invalid input syntax for type boolean: "${text}"`);
  return value;
}

export const BOOL: SqlType = makeType({
  oid: 16,
  name: 'bool',
  title: 'boolean',
  category: 'B',
  preferred: true,
  length: 1,
  repr: 'bool',
  arrayOid: 1000,
  parse: parseBool,
  format: (value) => (value === true ? 't' : 'f'),
  compare: (a, b) => (a === b ? 0 : a === true ? 1 : -1),
  json: (value) => value as boolean,
});
