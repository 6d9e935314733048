/** TABLES IN SCHEMA of a publication. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, nothing, ownNumber } from './kind.ts';
import { type Reference, toNumbered } from './reference.ts';

export interface PublicationSchemaObject {
  what: 'publication schema';
  number: number;
  publication: number;
  /** Number of the schema. */
  namespace: number;
}

/** DROP removes it silently. */
const JOINED = { how: 'part', walked: 'merge', called: 'what it joins' } satisfies Partial<Reference>;

export const PUBLICATION_SCHEMA: Kind<PublicationSchemaObject> = {
  key: ({ number }) => `us${pad(number)}`,
  numberName: ({ publication, namespace }) => namedNumberName('publication schema', String(publication), String(namespace)),
  numbers: ownNumber,
  references: ({ publication, namespace }) => [toNumbered('publication', publication, JOINED), toNumbered('namespace', namespace, JOINED)],
  words: () => 'a schema of a publication',
  path: ({ publication, namespace }, names) =>
    `publication schema:${names.object(publication).replace(/^publication:/, '')}.${names.object(namespace).replace(/^schema:/, '')}`,
  scopedName: nothing,
};
