/** Foreign-data wrappers, servers and user mappings, and options of foreign objects. */
import { optionParts } from '../../../base/option-text.ts';
import type { RoutineReference, ServerObject, WrapperObject } from '../../../worlds/definition.ts';
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ForeignSource } from '../../schema/table.ts';
import { Part, PLACE, type Side } from './part.ts';
import { routineName } from './routine-parts.ts';

/** ` OPTIONS (…)`, or nothing. */
export function optionsText(options: readonly string[]): string {
  const list = options.map(optionParts).map(([name, value]) => `${quoteIdentifier(name)} ${quoteString(value)}`);
  return list.length === 0 ? '' : ` OPTIONS (${list.join(', ')})`;
}

/** Converts one list of options to another; empty if they are equal. */
export function optionChanges(before: readonly string[], after: readonly string[]): string {
  const [was, is] = [new Map(before.map(optionParts)), new Map(after.map(optionParts))];
  const list = [
    ...[...was.keys()].filter((name) => !is.has(name)).map((name) => `DROP ${quoteIdentifier(name)}`),
    ...[...is].flatMap(([name, value]) => (was.get(name) === value ? [] : [`${was.has(name) ? 'SET' : 'ADD'} ${quoteIdentifier(name)} ${quoteString(value)}`])),
  ];
  return list.length === 0 ? '' : ` OPTIONS (${list.join(', ')})`;
}

/** After the columns of a foreign table. */
export function foreignSourceText(schema: Schema, { server, options }: ForeignSource): string {
  return ` SERVER ${quoteIdentifier(schema.servers.get(server)!.name)}${optionsText(options)}`;
}

function functions(side: Side, { handler, validator }: WrapperObject): string {
  const routine = (what: string, reference: RoutineReference | null): string =>
    reference === null ? ` NO ${what}` : ` ${what} ${routineName(side, reference)}`;
  return routine('HANDLER', handler) + routine('VALIDATOR', validator);
}

function mapping({ names }: Side, role: number, server: ServerObject): string {
  const user = role === 0 ? 'PUBLIC' : (names.roleName(role) ?? quoteIdentifier(String(role)));
  return `USER MAPPING FOR ${user} SERVER ${quoteIdentifier(server.name)}`;
}

const rename = (called: string, old: { readonly name: string }, now: { readonly name: string }): string[] =>
  old.name === now.name ? [] : [`ALTER ${called} ${quoteIdentifier(old.name)} RENAME TO ${quoteIdentifier(now.name)};`];

const altered = (called: string, changes: string): string[] => (changes === '' ? [] : [`ALTER ${called}${changes};`]);

/** Wrappers of extensions are created with them. */
export function foreignParts(side: Side, other: Side): Part[] {
  return [...wrapperParts(side, other), ...serverParts(side, other), ...mappingParts(side, other)];
}

function wrapperParts(side: Side, other: Side): Part[] {
  const { schema } = side;
  return [...schema.wrappers.values()].map((wrapper): Part => {
    const { number, extension, options } = wrapper;
    const called = `FOREIGN DATA WRAPPER ${quoteIdentifier(wrapper.name)}`;
    return new Part({
      target: { kind: 'foreign data wrapper', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: called,
      called,
      text: () => ({
        body: JSON.stringify(wrapper),
        make: extension === undefined ? [`CREATE ${called}${functions(side, wrapper)}${optionsText(options)};`] : [],
      }),
      drop: extension === undefined ? `DROP ${called};` : '',
      change: () => {
        const old = other.schema.wrappers.get(number)!;
        const [was, is] = [functions(other, old), functions(side, wrapper)];
        const changes = `${was === is ? '' : is}${optionChanges(old.options, options)}`;
        return { ahead: [...rename('FOREIGN DATA WRAPPER', old, wrapper), ...altered(called, changes)], behind: [] };
      },
    });
  });
}

function serverParts(side: Side, other: Side): Part[] {
  const { schema } = side;
  return [...schema.servers.values()].map((server): Part => {
    const { number, wrapper, type, version, options } = server;
    const called = `SERVER ${quoteIdentifier(server.name)}`;
    return new Part({
      target: { kind: 'server', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: called,
      called,
      text: () => {
        const words = `${type === null ? '' : ` TYPE ${quoteString(type)}`}${version === null ? '' : ` VERSION ${quoteString(version)}`}`;
        const of = quoteIdentifier(schema.wrappers.get(wrapper)!.name);
        return { body: JSON.stringify(server), make: [`CREATE ${called}${words} FOREIGN DATA WRAPPER ${of}${optionsText(options)};`] };
      },
      drop: `DROP ${called};`,
      change: () => {
        const old = other.schema.servers.get(number)!;
        const changes = `${old.version === version ? '' : ` VERSION ${version === null ? 'NULL' : quoteString(version)}`}${optionChanges(old.options, options)}`;
        return { ahead: [...rename('SERVER', old, server), ...altered(called, changes)], behind: [] };
      },
    });
  });
}

function mappingParts(side: Side, other: Side): Part[] {
  const { schema } = side;
  return [...schema.plain.of('user mapping').values()].map((each): Part => {
    const { number, role, server, options } = each;
    const called = mapping(side, role, schema.servers.get(server)!);
    const hidden = `-- options of ${called} are shown only to superusers and to its user`;
    const make = (): string[] =>
      side.seesOptions(each) || options.length === 0 ? [`CREATE ${called}${optionsText(options)};`] : [`CREATE ${called};`, hidden];
    return new Part({
      target: { kind: 'user mapping', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: called,
      called: '',
      text: () => ({ body: options.join('\n'), make: make() }),
      drop: `DROP ${called};`,
      change: () => {
        const old = other.schema.plain.of('user mapping').get(number)!;
        const seen = side.seesOptions(each) && other.seesOptions(old);
        return { ahead: seen ? altered(called, optionChanges(old.options, options)) : [hidden], behind: [] };
      },
    });
  });
}
