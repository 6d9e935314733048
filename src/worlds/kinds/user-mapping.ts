/** CREATE USER MAPPING. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';
import { toNumbered, toRole } from './reference.ts';

export interface UserMappingObject {
  what: 'user mapping';
  number: number;
  server: number;
  /** Oid of a role; 0 is PUBLIC. */
  role: number;
  options: string[];
}

export const USER_MAPPING: Kind<UserMappingObject> = {
  key: ({ server, number }) => `um${pad(server)}${pad(number)}`,
  numberName: ({ server, role }) => namedNumberName('user mapping', String(server), String(role)),
  numbers: ownNumber,
  references: ({ server, role }) => [toNumbered('server', server, { called: 'its server' }), toRole(role)],
  address: ({ number }) => ({ kind: 'user mapping', number }),
  words: () => 'a user mapping',
  path: ({ server, role }, names) => `user mapping:${names.object(server).replace(/^server:/, '')}.${role}`,
  scopedName: ({ server, role }) => `user mapping\0${server}\0${role}`,
};
