/** What hangs on a role, in the words of DROP ROLE's refusal: looked for in all open worlds. */
import { publicName, readCatalog } from '../../worlds/catalog.ts';
import { schemaOf, type Schema } from '../schema/schema.ts';
import { objectNumbered, ownedObjects } from './owned-objects.ts';
import type { SqlSession } from './sql-session.ts';

export function dependentsOf(session: SqlSession, role: number): string[] {
  const { context, lookup } = session.host;
  const own = session.schema();
  const out = dependentsIn(own, role);
  const here = session.begin().world;
  // Most worlds share the definitions of another.
  const seen = new Set<Schema>([own]);
  for (const world of context.worlds.open()) {
    // What the session has changed in its own world counts, not what is committed there.
    if (world === here) continue;
    const elsewhere = schemaOf(readCatalog(context.engine.pager, world.root), lookup);
    if (seen.has(elsewhere)) continue;
    seen.add(elsewhere);
    for (const each of dependentsIn(elsewhere, role)) if (!out.includes(each)) out.push(`${each} in world ${world.name}`);
  }
  return out;
}

function dependentsIn(schema: Schema, role: number): string[] {
  const out: string[] = [];
  const privileges = new Set<number>();
  for (const [key, acl] of schema.grants()) {
    if (acl.some(({ grantee, grantor }) => grantee === role || grantor === role)) privileges.add(Number(key.split('.')[0]));
  }
  for (const object of ownedObjects(schema)) {
    const title = `${object.kind} ${object.schema === null || object.schema === 'public' ? '' : `${object.schema}.`}${object.signature ?? object.name}`;
    if (schema.ownerOf(object.number) === role) out.push(`owner of ${title}`);
    else if (privileges.has(object.number)) out.push(`privileges for ${title}`);
  }
  for (const number of privileges) {
    const object = objectNumbered(schema, number);
    if (object === null || object.kind === 'database') out.push(`privileges for ${object === null ? `object ${number}` : 'the database'}`);
  }
  for (const [number, { policies }] of schema.secured) {
    const table = schema.tables.get(number);
    for (const { name, roles } of policies)
      if (roles.includes(role) && table !== undefined) out.push(`target of policy ${name} on table ${publicName(table.schema, table.name)}`);
  }
  for (const each of schema.defaultRights) {
    if (each.role === role || each.acl.some((item) => item.startsWith(`${role}=`))) out.push('default privileges');
  }
  return out;
}
