/** CREATE TEXT SEARCH CONFIGURATION. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber, scoped } from './kind.ts';
import { inSchema, toNumbered } from './reference.ts';

export interface SearchConfigurationObject {
  what: 'text search configuration';
  number: number;
  schema: string;
  name: string;
  /** Dictionaries by token type: consulted in order, by oid. */
  mappings: { token: number; dictionaries: number[] }[];
}

export const SEARCH_CONFIGURATION: Kind<SearchConfigurationObject> = {
  key: ({ number }) => `uc${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('text search configuration', schema, name),
  numbers: ownNumber,
  references: ({ schema, mappings }) => [
    inSchema(schema),
    ...mappings.flatMap(({ dictionaries }) => dictionaries.map((each) => toNumbered('text search dictionary', each, { called: 'its dictionary' }))),
  ],
  address: ({ number }) => ({ kind: 'text search configuration', number }),
  words: ({ name }) => `text search configuration ${name}`,
  path: ({ schema, name }) => `text search configuration:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `text search configuration\0${schema}\0${name}`,
};
