/** ALTER DEFAULT PRIVILEGES: privileges on objects that a role will create. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';
import { toNumbered, toRole } from './reference.ts';

export interface DefaultRightsObject {
  what: 'default rights';
  role: number;
  /** Number of the schema, or 0 for all. */
  scope: number;
  kind: 'r' | 'S' | 'f' | 'T' | 'n';
  /** `grantee=privileges/grantor` with oids. */
  acl: string[];
}

export const DEFAULT_RIGHTS: Kind<DefaultRightsObject> = {
  key: ({ role, scope, kind }) => `d${pad(role)}${pad(scope)}${kind}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ role, scope }) => [toRole(role), ...(scope === 0 ? [] : [toNumbered('namespace', scope, { how: 'part', walked: 'neither' })])],
  words: () => 'default privileges',
  path: ({ role, scope, kind }) => `default privileges:${role}:${scope}:${kind}`,
  title: () => 'default privileges',
  scopedName: nothing,
};
