/** A grant by one role to another on an object or (attnum above 0) a column. One row each, so that two branches' grants merge. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject, toRole } from './reference.ts';

export interface GrantObject {
  what: 'grant';
  object: number;
  attnum: number;
  /** Oids of roles; grantee 0 is PUBLIC. */
  grantee: number;
  grantor: number;
  /** Letters of Postgres's ACLs, each followed by `*` with grant option. */
  privileges: string;
  /** Position in the ACL. */
  order: number;
}

export const GRANT: Kind<GrantObject> = {
  key: ({ object, attnum, grantee, grantor }) => `a${pad(object)}${pad(attnum)}${pad(grantee)}${pad(grantor)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ object, attnum, grantee, grantor }) => [onObject(object, attnum), toRole(grantee), toRole(grantor)],
  words: () => 'privileges',
  path: ({ object, attnum, grantee, grantor }, names) => `privileges:${names.object(object, attnum)}:${grantee}:${grantor}`,
  title: ({ object, attnum }, names) => `privileges on ${titleOf(names, object, attnum)}`,
  scopedName: nothing,
  note: true,
};
