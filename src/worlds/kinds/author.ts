/** The author of a definition that no person has approved: an agent, the guest or a session in safe mode. The owner may be another principal. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject, toRole } from './reference.ts';

export interface AuthorObject {
  what: 'author';
  /** Object number. */
  object: number;
  /** Oid of an owner that is not a role (identity/agent-owner.ts). */
  by: number;
  name: string;
}

export const AUTHOR: Kind<AuthorObject> = {
  key: ({ object }) => `uh${pad(object)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ object, by }) => [onObject(object), toRole(by)],
  words: () => 'an author',
  path: ({ object }, names) => `author:${names.object(object)}`,
  title: ({ object }, names) => `author of ${titleOf(names, object)}`,
  scopedName: nothing,
  note: true,
};
