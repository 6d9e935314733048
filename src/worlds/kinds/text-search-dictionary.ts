/** CREATE TEXT SEARCH DICTIONARY. */
import { namedNumberName, searchDictionaryKey } from './keys.ts';
import { type Kind, ownNumber, scoped } from './kind.ts';
import { inSchema } from './reference.ts';

export interface SearchDictionaryObject {
  what: 'text search dictionary';
  number: number;
  schema: string;
  name: string;
  /** Name of the template. */
  template: string;
  /** In the given order; `bare` if the value is a number. */
  options: { name: string; value: string; bare?: true }[];
}

export const SEARCH_DICTIONARY: Kind<SearchDictionaryObject> = {
  key: ({ number }) => searchDictionaryKey(number),
  numberName: ({ schema, name }) => namedNumberName('text search dictionary', schema, name),
  numbers: ownNumber,
  references: ({ schema }) => [inSchema(schema)],
  address: ({ number }) => ({ kind: 'text search dictionary', number }),
  words: ({ name }) => `text search dictionary ${name}`,
  path: ({ schema, name }) => `text search dictionary:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `text search dictionary\0${schema}\0${name}`,
};
