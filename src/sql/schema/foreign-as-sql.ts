/** Differences of foreign-data wrappers, servers and user mappings as the SQL statements that make them. */
import { optionParts } from '../../base/option-text.ts';
import type { RoutineReference, ServerObject, WrapperObject } from '../../worlds/definition.ts';
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';
import type { ForeignSource } from './table.ts';

/** ` OPTIONS (…)`, or nothing. */
export function optionsText(options: readonly string[]): string {
  const list = options.map(optionParts).map(([name, value]) => `${quoteIdentifier(name)} ${quoteString(value)}`);
  return list.length === 0 ? '' : ` OPTIONS (${list.join(', ')})`;
}

/** What makes one list of options of another; empty where they are alike. */
export function optionChanges(before: readonly string[], after: readonly string[]): string {
  const [was, is] = [new Map(before.map(optionParts)), new Map(after.map(optionParts))];
  const list = [
    ...[...was.keys()].filter((name) => !is.has(name)).map((name) => `DROP ${quoteIdentifier(name)}`),
    ...[...is].flatMap(([name, value]) => (was.get(name) === value ? [] : [`${was.has(name) ? 'SET' : 'ADD'} ${quoteIdentifier(name)} ${quoteString(value)}`])),
  ];
  return list.length === 0 ? '' : ` OPTIONS (${list.join(', ')})`;
}

/** Behind the columns of a foreign table. */
export function foreignSourceText(schema: Schema, { server, options }: ForeignSource): string {
  return ` SERVER ${quoteIdentifier(schema.servers.get(server)!.name)}${optionsText(options)}`;
}

function routine(schema: Schema, what: 'HANDLER' | 'VALIDATOR', reference: RoutineReference | null): string {
  if (reference === null) return ` NO ${what}`;
  return ` ${what} ${'own' in reference ? nameOf(schema.functions.get(reference.own)!.object) : quoteIdentifier(reference.name)}`;
}

function functions(schema: Schema, { handler, validator }: WrapperObject): string {
  return routine(schema, 'HANDLER', handler) + routine(schema, 'VALIDATOR', validator);
}

/** A mapping that goes goes with its server where that goes too. */
export function foreignDropsAsSql(before: Schema, after: Schema, roleName: RoleName): string[] {
  const out: string[] = [];
  for (const { number, server, role } of before.plain.of('user mapping').values()) {
    if (!after.plain.of('user mapping').has(number))
      out.push(`DROP USER MAPPING FOR ${user(role, roleName)} SERVER ${quoteIdentifier(before.servers.get(server)!.name)};`);
  }
  for (const { number, name } of before.servers.values()) if (!after.servers.has(number)) out.push(`DROP SERVER ${quoteIdentifier(name)};`);
  for (const { number, name, extension } of before.wrappers.values()) {
    if (!after.wrappers.has(number) && extension === undefined) out.push(`DROP FOREIGN DATA WRAPPER ${quoteIdentifier(name)};`);
  }
  return out;
}

type RoleName = (oid: number) => string | null;

function user(role: number, roleName: RoleName): string {
  return role === 0 ? 'PUBLIC' : (roleName(role) ?? `"${role}"`);
}

export function foreignAsSql(before: Schema, after: Schema, roleName: RoleName): string[] {
  const out: string[] = [];
  for (const wrapper of after.wrappers.values()) out.push(...wrapperAsSql(before, after, wrapper));
  for (const server of after.servers.values()) out.push(...serverAsSql(before, after, server));
  for (const { number, server, role, options } of after.plain.of('user mapping').values()) {
    const of = `USER MAPPING FOR ${user(role, roleName)} SERVER ${quoteIdentifier(after.servers.get(server)!.name)}`;
    const old = before.plain.of('user mapping').get(number);
    if (old === undefined) out.push(`CREATE ${of}${optionsText(options)};`);
    else if (optionChanges(old.options, options) !== '') out.push(`ALTER ${of}${optionChanges(old.options, options)};`);
  }
  return out;
}

function wrapperAsSql(before: Schema, after: Schema, wrapper: WrapperObject): string[] {
  const name = quoteIdentifier(wrapper.name);
  const old = before.wrappers.get(wrapper.number);
  if (old === undefined) {
    // It comes with its extension.
    if (wrapper.extension !== undefined) return [];
    return [`CREATE FOREIGN DATA WRAPPER ${name}${functions(after, wrapper)}${optionsText(wrapper.options)};`];
  }
  const out = old.name === wrapper.name ? [] : [`ALTER FOREIGN DATA WRAPPER ${quoteIdentifier(old.name)} RENAME TO ${name};`];
  const [was, is] = [functions(before, old), functions(after, wrapper)];
  const changes = `${was === is ? '' : is}${optionChanges(old.options, wrapper.options)}`;
  if (changes !== '') out.push(`ALTER FOREIGN DATA WRAPPER ${name}${changes};`);
  return out;
}

function serverAsSql(before: Schema, after: Schema, { number, name: own, wrapper, type, version, options }: ServerObject): string[] {
  const name = quoteIdentifier(own);
  const old = before.servers.get(number);
  if (old === undefined) {
    const kind = `${type === null ? '' : ` TYPE ${quoteString(type)}`}${version === null ? '' : ` VERSION ${quoteString(version)}`}`;
    return [`CREATE SERVER ${name}${kind} FOREIGN DATA WRAPPER ${quoteIdentifier(after.wrappers.get(wrapper)!.name)}${optionsText(options)};`];
  }
  const out = old.name === own ? [] : [`ALTER SERVER ${quoteIdentifier(old.name)} RENAME TO ${name};`];
  const changes = `${old.version === version ? '' : ` VERSION ${version === null ? 'NULL' : quoteString(version)}`}${optionChanges(old.options, options)}`;
  if (changes !== '') out.push(`ALTER SERVER ${name}${changes};`);
  return out;
}
