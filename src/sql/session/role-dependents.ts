/** The objects that depend on a role, as DROP ROLE's error lists them, in all open worlds. */
import { publicName, readCatalog } from '../../worlds/catalog.ts';
import { defaultRightsTitle } from '../schema/rights.ts';
import { schemaOf, type Schema } from '../schema/schema.ts';
import { largeObjectsOf } from './large-object-rights.ts';
import { objectNumbered, ownedObjects } from './owned-objects.ts';
import type { SqlSession } from './sql-session.ts';

/** Catalogs of built-in objects: relations, functions, types, tablespaces, languages. */
const SYSTEM_CATALOGS = [1259, 1255, 1247, 1213, 2612];

export function dependentsOf(session: SqlSession, role: number): string[] {
  const { context, lookup } = session.host;
  const own = session.schema();
  const nameOf = (oid: number): string => session.authority.nameOf(oid);
  const ofSystem = (oid: number): string => {
    for (const catalog of SYSTEM_CATALOGS) {
      const text = session.system.definitions.describe(catalog, oid, 0);
      if (text !== null) return text;
    }
    return `object ${oid}`;
  };
  const out = dependentsIn(own, role, session.system.database, nameOf, ofSystem, (number) => session.system.definitions.describeNumber(number));
  const here = session.begin().world;
  // Most worlds share the definitions of another.
  const seen = new Set<Schema>([own]);
  for (const world of context.state.worlds.open()) {
    // In the session's own world its uncommitted changes count.
    if (world === here) continue;
    const elsewhere = schemaOf(readCatalog(context.engine.pager, world.root), lookup);
    if (seen.has(elsewhere)) continue;
    seen.add(elsewhere);
    for (const each of dependentsIn(elsewhere, role, world.name, nameOf, ofSystem)) if (!out.includes(each)) out.push(`${each} in world ${world.name}`);
  }
  return [...out, ...largeObjectsOf(session, role)];
}

/** Other words for kinds in errors. */
const CALLED: Readonly<Record<string, string>> = { procedure: 'function', aggregate: 'function', 'foreign server': 'server' };

/** `describe`: Postgres's description of an object along the search path; absent for other worlds. */
function dependentsIn(
  schema: Schema,
  role: number,
  world: string,
  nameOf: (oid: number) => string,
  ofSystem: (oid: number) => string,
  describe?: (number: number) => string | null,
): string[] {
  const out: string[] = [];
  /** By object; 0 is the object itself, other keys are columns. */
  const privileges = new Map<number, number[]>();
  for (const [key, acl] of schema.grants()) {
    if (!acl.some(({ grantee, grantor }) => grantee === role || grantor === role)) continue;
    const [object, attnum] = key.split('.').map(Number);
    privileges.set(object, [...(privileges.get(object) ?? []), attnum]);
  }
  const columnTitle = (table: number, attnum: number, title: string): string => {
    const column = schema.tables.get(table)?.columns.find((each) => each.attnum === attnum);
    return column === undefined ? title : `column ${column.name} of ${title}`;
  };
  for (const object of ownedObjects(schema)) {
    const kind = CALLED[object.kind] ?? object.kind;
    const title =
      describe?.(object.number) ??
      `${kind} ${object.schema === null || object.schema === 'public' ? '' : `${object.schema}.`}${object.signature ?? object.name}`;
    if (schema.ownerOf(object.number) === role) out.push(`owner of ${title}`);
    else
      for (const attnum of (privileges.get(object.number) ?? []).sort((a, b) => a - b)) out.push(`privileges for ${columnTitle(object.number, attnum, title)}`);
  }
  for (const number of privileges.keys()) {
    const object = objectNumbered(schema, number);
    if (object === null || object.kind === 'database') out.push(`privileges for ${object === null ? ofSystem(number) : `database ${world}`}`);
  }
  for (const mapping of schema.plain.of('user mapping').values())
    if (mapping.role === role) out.push(`owner of user mapping for ${nameOf(role)} on server ${schema.servers.get(mapping.server)!.name}`);
  for (const [number, { policies }] of schema.secured) {
    const table = schema.tables.get(number);
    for (const { name, roles } of policies)
      if (roles.includes(role) && table !== undefined) out.push(`target of policy ${name} on table ${publicName(table.schema, table.name)}`);
  }
  for (const each of schema.defaultRights) {
    const title = defaultRightsTitle(each.kind, nameOf(each.role), schema.schemaName(each.scope));
    if (each.role === role) out.push(`owner of ${title}`);
    else if (each.acl.some((item) => item.startsWith(`${role}=`))) out.push(`privileges for ${title}`);
  }
  return out;
}
