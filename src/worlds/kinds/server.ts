/** CREATE SERVER. */
import { namedNumberName, serverKey } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';
import { toNumbered } from './reference.ts';

export interface ServerObject {
  what: 'server';
  number: number;
  name: string;
  /** Number of its wrapper. */
  wrapper: number;
  type: string | null;
  version: string | null;
  options: string[];
}

export const SERVER: Kind<ServerObject> = {
  key: ({ number }) => serverKey(number),
  numberName: ({ name }) => namedNumberName('server', '', name),
  numbers: ownNumber,
  references: ({ wrapper }) => [toNumbered('foreign data wrapper', wrapper, { called: 'its foreign-data wrapper' })],
  address: ({ number }) => ({ kind: 'server', number }),
  words: ({ name }) => `server ${name}`,
  path: ({ name }) => `server:${name}`,
  scopedName: ({ name }) => `server\0${name}`,
};
