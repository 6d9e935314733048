/** Owners and privileges as steps of a definition: the catalog changes of GRANT, OWNER TO and object creation. */
import type { DefaultRightsObject, GrantObject, RightsObject } from '../../worlds/definition.ts';
import { type Acl, defaultAcl, formatPrivileges, itemText, parseItem, sortedAcl } from './acl.ts';
import type { Ddl } from './ddl.ts';

/** Owner and list of an object; `acl` null: the default privileges. */
export function putRights(ddl: Ddl, object: number, owner: number, acl: Acl | null): void {
  const rights: RightsObject = { what: 'rights', object, owner, explicit: acl !== null };
  ddl.put(rights);
  putGrants(ddl, object, 0, acl ?? []);
}

/** The object's code now has an author other than an agent. */
export function removeAuthor(ddl: Ddl, object: number): void {
  const known = ddl.schema.authors.get(object);
  if (known !== undefined) ddl.remove(known);
}

/** The list of a column, or (attnum 0) an object. */
export function putGrants(ddl: Ddl, object: number, attnum: number, acl: Acl): void {
  for (const each of ddl.definitions.values()) {
    if (each.what !== 'grant' || each.object !== object || each.attnum !== attnum) continue;
    if (!acl.some(({ grantee, grantor }) => grantee === each.grantee && grantor === each.grantor)) ddl.remove(each);
  }
  acl.forEach((item, order) => {
    const { grantee, grantor } = item;
    const grant: GrantObject = { what: 'grant', object, attnum, grantee, grantor, privileges: formatPrivileges(item), order };
    ddl.put(grant);
  });
}

export function defaultRights({ schema }: Pick<Ddl, 'schema'>, role: number, scope: number, kind: DefaultRightsObject['kind']): DefaultRightsObject | null {
  return schema.defaultRights.find((each) => each.role === role && each.scope === scope && each.kind === kind) ?? null;
}

/** The kind's word in ALTER DEFAULT PRIVILEGES. */
export const DEFAULTS_ON: Readonly<Record<DefaultRightsObject['kind'], string>> = { r: 'tables', S: 'sequences', f: 'functions', T: 'types', n: 'schemas' };

/** Its description in messages; `schema`: null for all. */
export function defaultRightsTitle(kind: DefaultRightsObject['kind'], role: string, schema: string | null): string {
  return `default privileges on new ${kind === 'r' ? 'relations' : DEFAULTS_ON[kind]} belonging to role ${role}${schema === null ? '' : ` in schema ${schema}`}`;
}

/** Default privileges of an object that the role creates in the schema; null: the built-in ones. */
export function firstAcl(ddl: Pick<Ddl, 'schema'>, owner: number, schema: number, kind: DefaultRightsObject['kind']): Acl | null {
  const everywhere = defaultRights(ddl, owner, 0, kind);
  const here = schema === 0 ? null : defaultRights(ddl, owner, schema, kind);
  if (everywhere === null && here === null) return null;
  const out = [...(everywhere === null ? defaultAcl(kind, owner) : everywhere.acl.map(parseItem))];
  for (const item of here?.acl.map(parseItem) ?? []) {
    const at = out.findIndex((each) => each.grantee === item.grantee && each.grantor === item.grantor);
    if (at < 0) out.push(item);
    else out[at] = { ...out[at], privileges: out[at].privileges | item.privileges, grantable: out[at].grantable | item.grantable };
  }
  return sameAcl(out, defaultAcl(kind, owner)) ? null : sortedAcl(out);
}

export function sameAcl(a: Acl, b: Acl): boolean {
  const texts = (acl: Acl): string => acl.map(itemText).sort().join();
  return texts(a) === texts(b);
}
