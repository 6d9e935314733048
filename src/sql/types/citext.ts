/** citext, the extension's case-insensitive text: values keep their spelling, and compare in lower case. */
import { makeType } from './make-type.ts';
import { compareText } from './text-order.ts';
import type { SqlType } from './type.ts';

export const CITEXT_OID = 9803;

/** The form in which values are compared. */
export function folded(text: string): string {
  return text.toLowerCase();
}

export const CITEXT: SqlType = makeType({
  oid: CITEXT_OID,
  name: 'citext',
  title: 'citext',
  category: 'S',
  length: -1,
  repr: 'string',
  arrayOid: 9804,
  parse: (text) => text,
  format: String,
  compare: (a, b) => compareText(folded(a as string), folded(b as string)),
  hashKey: (value) => folded(value as string),
});
