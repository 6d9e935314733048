/** CREATE EXTENSION: a mark; the extension's objects are available in every world. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, nothing, ownNumber } from './kind.ts';
import { inSchema } from './reference.ts';

export interface ExtensionObject {
  what: 'extension';
  number: number;
  name: string;
  schema: string;
  version: string;
}

export const EXTENSION: Kind<ExtensionObject> = {
  key: ({ number }) => `x${pad(number)}`,
  numberName: ({ name }) => namedNumberName('extension', '', name),
  numbers: ownNumber,
  references: ({ schema }) => [inSchema(schema, { walked: 'drop' })],
  address: ({ number }) => ({ kind: 'extension', number }),
  words: ({ name }) => `extension ${name}`,
  path: ({ name }) => `extension:${name}`,
  scopedName: nothing,
};
