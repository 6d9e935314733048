/** query_int of the extension intarray: conditions on the numbers in an array, `1 & ( 2 | !3 )`. A value is its text. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import { parseWordQuery, printWordQuery, type WordQuery, type WordReader } from './word-query.ts';

export const QUERY_INT_OID = 9807;

const NUMBER = /-?\d*/y;
const INT4_MIN = -(2 ** 31);
const INT4_MAX = 2 ** 31 - 1;

const READER: WordReader<number> = {
  blank: / /,
  missing: () => new SvcError('42601', 'syntax error'),
  read: (text, at) => {
    NUMBER.lastIndex = at;
    const digits = NUMBER.exec(text)![0];
    // A sign alone is 0, as for strtol.
    const word = digits === '-' ? 0 : Number(digits);
    return digits === '' || word < INT4_MIN || word > INT4_MAX ? null : { word, end: at + digits.length };
  },
};

const parsed = (text: string): WordQuery<number> => parseWordQuery(text, READER);

let lastText = '';
let lastQuery: WordQuery<number> | null = null;

/** The same query is often matched with many rows. */
export function intQueryOf(value: string): WordQuery<number> {
  if (lastQuery === null || value !== lastText) {
    lastQuery = parsed(value);
    lastText = value;
  }
  return lastQuery;
}

export const QUERY_INT: SqlType = makeType({
  oid: QUERY_INT_OID,
  name: 'query_int',
  title: 'query_int',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 9808,
  ordered: false,
  hashable: false,
  parse: (text) => printWordQuery(parsed(text), String),
  format: String,
});
