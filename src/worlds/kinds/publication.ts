/** CREATE PUBLICATION: catalog-only; nothing is replicated. Its members are rows of their own, so that two branches' additions merge. */
import { namedNumberName, publicationKey } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';

export interface PublicationObject {
  what: 'publication';
  number: number;
  name: string;
  allTables: boolean;
  /** The published operations. */
  insert: boolean;
  update: boolean;
  delete: boolean;
  truncate: boolean;
  viaRoot: boolean;
}

export const PUBLICATION: Kind<PublicationObject> = {
  key: ({ number }) => publicationKey(number),
  numberName: ({ name }) => namedNumberName('publication', '', name),
  numbers: ownNumber,
  references: () => [],
  address: ({ number }) => ({ kind: 'publication', number }),
  words: ({ name }) => `publication ${name}`,
  path: ({ name }) => `publication:${name}`,
  scopedName: ({ name }) => `publication\0${name}`,
};
