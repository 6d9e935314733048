/** Targets of DROP and their dependents: objects and parts of objects, with their addresses and descriptions. */
import type { ExtensionObject } from '../../worlds/definition.ts';
import type { Address, PartAddress } from '../../worlds/kinds/address.ts';
import type { Compiler } from './compiler.ts';
import type { Ddl } from './ddl.ts';
import type { ExtensionMember } from './extension-members.ts';
import { functionSignature } from './functions.ts';
import { shownName } from './shown-name.ts';
import { tableWord } from './table.ts';

export type DropTarget =
  | Address
  | PartAddress
  | ExtensionMember
  | { readonly kind: 'view default'; readonly view: number; readonly attnum: number }
  | { readonly kind: 'domain constraint'; readonly domain: number; readonly name: string };

/** The definitions in which dependents are searched. */
export type Definitions = Pick<Ddl, 'schema' | 'definitions' | 'roleName' | 'path'> & { readonly compiler: Pick<Compiler, 'named'> };

/** A key that identifies the object. */
export function keyOf(target: DropTarget): string {
  switch (target.kind) {
    case 'column':
    case 'default':
      return `${target.kind} ${target.table} ${target.column}`;
    case 'view default':
      return `${target.kind} ${target.view} ${target.attnum}`;
    case 'attribute':
      return `${target.kind} ${target.composite} ${target.attnum}`;
    case 'domain constraint':
      return `${target.kind} ${target.domain} ${target.name}`;
    case 'extension member':
      return `${target.kind} ${target.extension} ${target.text}`;
    case 'constraint':
    case 'policy':
    case 'trigger':
    case 'rule':
      return `${target.kind} ${target.table} ${target.name}`;
    default:
      return `${target.kind} ${target.number}`;
  }
}

/** Its description in errors and notices. */
export function describe(ddl: Definitions, target: DropTarget): string {
  const { schema } = ddl;
  const tableName = (number: number): string => {
    const table = schema.tables.get(number)!;
    return shownName(ddl, table.schema, table.name);
  };
  const titled = (number: number): string => `${tableWord(schema.tables.get(number)!)} ${tableName(number)}`;
  switch (target.kind) {
    case 'table':
      return titled(target.number);
    case 'view': {
      const view = schema.views.get(target.number)!;
      return `view ${shownName(ddl, view.schema, view.name)}`;
    }
    case 'sequence': {
      const sequence = schema.sequences.get(target.number)!;
      return `sequence ${shownName(ddl, sequence.schema, sequence.name)}`;
    }
    case 'index': {
      const { index, table } = schema.indexes.get(target.number)!;
      return `index ${shownName(ddl, table.schema, index.name)}`;
    }
    case 'type': {
      const type = schema.types.get(target.number)!;
      return `type ${shownName(ddl, type.schema, type.name)}`;
    }
    case 'function': {
      const { object } = schema.functions.get(target.number)!;
      return `function ${shownName(ddl, object.schema, functionSignature(schema, object).replaceAll(', ', ','))}`;
    }
    case 'operator': {
      const { object, left, right } = schema.operators.get(target.number)!;
      return `operator ${shownName(ddl, object.schema, object.name)}(${left?.title ?? 'NONE'},${right.title})`;
    }
    case 'cast': {
      const { from, to } = schema.casts.get(target.number)!;
      return `cast from ${from.title} to ${to.title}`;
    }
    case 'operator family':
    case 'operator class': {
      const own = schema.plain.of(target.kind).get(target.number)!;
      return `${target.kind} ${shownName(ddl, own.schema, own.name)} for access method ${own.method}`;
    }
    case 'family operator':
    case 'family function': {
      const { place, left, right } = schema.plain.of(target.kind).get(target.number)!;
      const [a, b] = [left, right].map((oid) => schema.typeByOid(oid)?.title ?? oid);
      return `${target.kind.replace('family ', '')} ${place} (${a}, ${b}) of an operator family`;
    }
    case 'collation': {
      const own = schema.collations.get(target.number)!;
      return `collation ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'conversion': {
      const own = schema.conversions.get(target.number)!;
      return `conversion ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'text search dictionary':
    case 'text search configuration': {
      const own = (target.kind === 'text search dictionary' ? schema.searchDictionaries : schema.searchConfigurations).get(target.number)!;
      return `${target.kind} ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'extended statistics': {
      const own = schema.extendedStatistics.get(target.number)!;
      return `statistics object ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'subscription':
      return `subscription ${schema.plain.of('subscription').get(target.number)!.name}`;
    case 'publication':
      return `publication ${schema.publications.get(target.number)!.name}`;
    case 'publication table': {
      const { table, publication } = schema.plain.of('publication table').get(target.number)!;
      return `publication of table ${tableName(table)} in publication ${schema.publications.get(publication)!.name}`;
    }
    case 'event trigger':
      return `event trigger ${schema.eventTriggers.get(target.number)!.name}`;
    case 'extension member':
      return target.text;
    case 'extension':
      return `extension ${extensionNumbered(ddl, target.number).name}`;
    case 'foreign data wrapper':
      return `foreign-data wrapper ${schema.wrappers.get(target.number)!.name}`;
    case 'server':
      return `server ${schema.servers.get(target.number)!.name}`;
    case 'user mapping': {
      const { role, server } = schema.plain.of('user mapping').get(target.number)!;
      return `user mapping for ${role === 0 ? 'public' : ddl.roleName(role)} on server ${schema.servers.get(server)!.name}`;
    }
    case 'schema':
      return `schema ${schema.schemaName(target.number)!}`;
    case 'column':
      return `column ${columnName(ddl, target.table, target.column)} of ${titled(target.table)}`;
    case 'default':
      return `default value for column ${columnName(ddl, target.table, target.column)} of ${titled(target.table)}`;
    case 'view default': {
      const view = schema.views.get(target.view)!;
      return `default value for column ${view.columns[target.attnum - 1].name} of view ${shownName(ddl, view.schema, view.name)}`;
    }
    case 'domain constraint':
      return `constraint ${target.name}`;
    case 'attribute': {
      const { object } = schema.types.get(target.composite)!;
      const attribute = object.what === 'composite' ? object.attributes.find(({ attnum }) => attnum === target.attnum) : undefined;
      return `column ${attribute?.name} of composite type ${shownName(ddl, object.schema, object.name)}`;
    }
    case 'constraint':
    case 'policy':
      return `${target.kind} ${target.name} on ${titled(target.table)}`;
    case 'rule':
    case 'trigger': {
      const view = schema.views.get(target.table);
      return `${target.kind} ${target.name} on ${view === undefined ? titled(target.table) : `view ${shownName(ddl, view.schema, view.name)}`}`;
    }
  }
}

export function extensionNumbered(ddl: Definitions, number: number): ExtensionObject {
  return [...ddl.schema.extensions.values()].find((each) => each.number === number)!;
}

export function columnName(ddl: Definitions, table: number, column: number): string {
  return ddl.schema.tables.get(table)!.columns.find(({ number }) => number === column)!.name;
}
