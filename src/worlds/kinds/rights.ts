/** Owner of an object; without this row it is the database's own user. */
import { rightsKey } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject, toRole } from './reference.ts';

export interface RightsObject {
  what: 'rights';
  /** Object number; 1 for the world itself. */
  object: number;
  /** Oid of a role. */
  owner: number;
  /** Its privileges are its `grant` rows; otherwise the default ones. */
  explicit: boolean;
}

export const RIGHTS: Kind<RightsObject> = {
  key: ({ object }) => rightsKey(object),
  numberName: nothing,
  numbers: noNumbers,
  references: ({ object, owner }) => [onObject(object), toRole(owner)],
  words: () => 'an owner',
  path: ({ object }, names) => `owner:${names.object(object)}`,
  title: ({ object }, names) => `owner of ${titleOf(names, object)}`,
  scopedName: nothing,
  note: true,
};
