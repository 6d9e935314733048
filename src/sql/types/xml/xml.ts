/** xml: the text as given, known to be XML. It has no order and no equality. Manual, section 8.13. */
import { makeType } from '../make-type.ts';
import type { Environment } from '../environment.ts';
import type { SqlType } from '../type.ts';
import { shownXml } from './declaration.ts';
import { checkXml } from './well-formed.ts';

/** Whether XMLOPTION requires documents. */
export function readsDocuments(env: Environment): boolean {
  return env.setting('xmloption') === 'document';
}

export const XML: SqlType = makeType({
  oid: 142,
  name: 'xml',
  title: 'xml',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 143,
  ordered: false,
  hashable: false,
  parse: (text, _typmod, env) => {
    checkXml(text, readsDocuments(env));
    return text;
  },
  format: (value) => shownXml(value as string),
});
