/** Foreign data in the catalogs and information_schema. */
import { optionParts } from '../../base/option-text.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import type { RoutineReference, ServerObject, UserMappingObject, WrapperObject } from '../../worlds/definition.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { Privileges } from '../schema/privileges.ts';
import type { SqlTable } from '../schema/table.ts';
import { seesOptions } from '../schema/user-mapping-sight.ts';
import type { Reader } from '../../worlds/typed-tables.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { rolesOf } from './catalog-session.ts';
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { aclValue, ownerName } from './rights-rows.ts';
import type { RowSource } from './system-catalog.ts';

/** Null if there are none. */
export function optionsValue(options: readonly string[]): Value {
  return options.length === 0 ? null : new ArrayValue([...options]);
}

/** Handlers have no arguments, validators two. */
function routineOid({ functions }: RowSource, reference: RoutineReference | null, args: number): number {
  if (reference === null) return 0;
  return 'own' in reference ? reference.own : (functions.byName.get(reference.name)?.find((each) => each.args.length === args)?.oid ?? 0);
}
const HANDLER_ARGS = 0;
const VALIDATOR_ARGS = 2;

export function wrapperRows(source: RowSource): Row[] {
  const { schema } = source;
  return [...schema.wrappers.values()].map(({ number, name, handler, validator, options }): Row => [
    number,
    name,
    schema.ownerOf(number),
    routineOid(source, handler, HANDLER_ARGS),
    routineOid(source, validator, VALIDATOR_ARGS),
    aclValue(schema.aclOf(number)),
    optionsValue(options),
  ]);
}

export function serverRows({ schema }: RowSource): Row[] {
  return [...schema.servers.values()].map(({ number, name, wrapper, type, version, options }): Row => [
    number,
    name,
    schema.ownerOf(number),
    wrapper,
    type,
    version,
    aclValue(schema.aclOf(number)),
    optionsValue(options),
  ]);
}

function* foreignTables({ schema }: RowSource): Iterable<{ table: SqlTable; server: ServerObject; options: readonly string[] }> {
  for (const table of schema.tables.values()) {
    if (table.foreign !== undefined) yield { table, server: schema.servers.get(table.foreign.server)!, options: table.foreign.options };
  }
}

export function foreignTableRows(source: RowSource): Row[] {
  return [...foreignTables(source)].map(({ table, server, options }): Row => [table.number, server.number, optionsValue(options)]);
}

function mappings({ schema }: RowSource): { mapping: UserMappingObject; server: ServerObject }[] {
  return [...schema.plain.of('user mapping').values()].map((mapping) => ({ mapping, server: schema.servers.get(mapping.server)! }));
}

export function userMappingRows(source: RowSource): Row[] {
  return mappings(source).map(({ mapping: { number, role, server, options } }): Row => [number, role, server, optionsValue(options)]);
}

/** The current user. */
export function askerOf({ session }: RowSource): Reader {
  const role = session.role?.() ?? OWNER_ROLE;
  return { roles: rolesOf(session), role: role === 0 ? OWNER_ROLE : role, secrets: session.secrets?.() ?? true };
}

function roleName({ roles }: Reader, role: number): string {
  return role === 0 ? 'public' : (roles.byOid(role)?.name ?? `unknown (OID=${role})`);
}

export function userMappingViewRows(source: RowSource): Row[] {
  const asker = askerOf(source);
  return mappings(source).map(({ mapping, server }): Row => {
    const options = seesOptions(source.schema, asker, mapping) ? optionsValue(mapping.options) : null;
    return [mapping.number, server.number, server.name, mapping.role, roleName(asker, mapping.role), options];
  });
}

export function foreignDependencyRows(source: RowSource): Row[] {
  const { schema } = source;
  const rows: Row[] = [];
  for (const { number, handler, validator, extension } of schema.wrappers.values()) {
    for (const oid of [routineOid(source, handler, HANDLER_ARGS), routineOid(source, validator, VALIDATOR_ARGS)]) {
      if (oid !== 0) rows.push([CLASS.pg_foreign_data_wrapper, number, 0, CLASS.pg_proc, oid, 0, 'n']);
    }
    const owner = extension === undefined ? undefined : schema.extensions.get(extension);
    if (owner !== undefined) rows.push([CLASS.pg_foreign_data_wrapper, number, 0, CLASS.pg_extension, owner.number, 0, 'e']);
  }
  for (const { number, wrapper } of schema.servers.values()) rows.push([CLASS.pg_foreign_server, number, 0, CLASS.pg_foreign_data_wrapper, wrapper, 0, 'n']);
  for (const { mapping } of mappings(source)) rows.push([CLASS.pg_user_mapping, mapping.number, 0, CLASS.pg_foreign_server, mapping.server, 0, 'n']);
  for (const { table, server } of foreignTables(source)) rows.push([CLASS.pg_class, table.number, 0, CLASS.pg_foreign_server, server.number, 0, 'n']);
  return rows.filter(([, , , , oid]) => (oid as number) >= FIRST_OWN_OID);
}

// --- information_schema

function optionRows(prefix: readonly Value[], options: readonly string[]): Row[] {
  return options.map((option) => [...prefix, ...optionParts(option)]);
}

/** Those that the role owns or may use. */
function seen<T extends WrapperObject | ServerObject>(source: RowSource, objects: Iterable<T>): T[] {
  const { roles, role } = askerOf(source);
  const rights = new Privileges(source.schema, roles);
  return [...objects].filter(
    ({ what, number }) => rights.owns(role, number) || rights.held(role, what === 'server' ? 'V' : 'F', number, PRIVILEGE.USAGE) !== 0,
  );
}

export function informationWrapperRows(source: RowSource): Row[] {
  const { database, schema } = source;
  return seen(source, schema.wrappers.values()).map(({ name, number }): Row => [database, name, ownerName(source, number), null, 'c']);
}

export function wrapperOptionRows(source: RowSource): Row[] {
  return seen(source, source.schema.wrappers.values()).flatMap(({ name, options }) => optionRows([source.database, name], options));
}

export function informationServerRows(source: RowSource): Row[] {
  const { database, schema } = source;
  return seen(source, schema.servers.values()).map(({ name, number, wrapper, type, version }): Row => [
    database,
    name,
    database,
    schema.wrappers.get(wrapper)!.name,
    type,
    version,
    ownerName(source, number),
  ]);
}

export function serverOptionRows(source: RowSource): Row[] {
  return seen(source, source.schema.servers.values()).flatMap(({ name, options }) => optionRows([source.database, name], options));
}

function seenMappings(source: RowSource): { user: string; mapping: UserMappingObject; server: ServerObject }[] {
  const asker = askerOf(source);
  const servers = new Set(seen(source, source.schema.servers.values()));
  return mappings(source)
    .filter(({ server }) => servers.has(server))
    .map(({ mapping, server }) => ({ user: mapping.role === 0 ? 'PUBLIC' : roleName(asker, mapping.role), mapping, server }));
}

export function informationMappingRows(source: RowSource): Row[] {
  return seenMappings(source).map(({ user, server }): Row => [user, source.database, server.name]);
}

/** Values are shown to the mapped user, for PUBLIC's to the owner of the server, and to superusers. */
export function mappingOptionRows(source: RowSource): Row[] {
  const asker = askerOf(source);
  const { schema, database } = source;
  const rights = new Privileges(schema, asker.roles);
  return seenMappings(source).flatMap(({ user, mapping, server }) => {
    const own = mapping.role === asker.role || (mapping.role === 0 && rights.owns(asker.role, server.number));
    const seesOptions = asker.secrets && (own || asker.roles.isSuperuser(asker.role));
    return optionRows([user, database, server.name], mapping.options).map((row) => (seesOptions ? row : row.with(-1, null)));
  });
}

/** Visible are those on which the role has any privilege; that is checked elsewhere. */
export function informationTableRows(source: RowSource): Row[] {
  const { database } = source;
  return [...foreignTables(source)].map(({ table, server }): Row => [database, table.schema, table.name, database, server.name]);
}

export function tableOptionRows(source: RowSource): Row[] {
  return [...foreignTables(source)].flatMap(({ table, options }) => optionRows([source.database, table.schema, table.name], options));
}

export function columnOptionRows(source: RowSource): Row[] {
  return [...foreignTables(source)].flatMap(({ table }) =>
    table.columns.flatMap(({ name, options }) => optionRows([source.database, table.schema, table.name, name], options ?? [])),
  );
}
