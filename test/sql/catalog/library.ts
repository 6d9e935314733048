/** All types and functions that the engine declares, found in its folders, and a schema made from definitions by hand. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CATALOG_TYPES } from '../../../src/sql/catalog/catalog-types.ts';
import { REG_TYPES } from '../../../src/sql/catalog/reg-types.ts';
import type { FunctionModule, SqlFunction } from '../../../src/sql/functions/define.ts';
import { Registry } from '../../../src/sql/functions/registry.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import type { TypeLookup } from '../../../src/sql/schema/type-lookup.ts';
import { arrayType } from '../../../src/sql/types/array-type.ts';
import { enumType } from '../../../src/sql/types/enum-type.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { buildCatalog } from '../../../src/worlds/catalog.ts';
import { type CatalogObject, definitionKey } from '../../../src/worlds/definition.ts';

const root = join(import.meta.dirname, '../../../src/sql');

async function exportsOf(folder: string): Promise<unknown[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, folder, file)).href) as Promise<Record<string, unknown>>));
  return [...new Set(modules.flatMap((module) => Object.values(module)))];
}

function isType(value: unknown): value is SqlType {
  return typeof value === 'object' && value !== null && 'oid' in value && 'parse' in value && 'typmod' in value === false && 'format' in value;
}

function isModule(value: unknown): value is FunctionModule {
  if (typeof value !== 'object' || value === null) return false;
  const { functions, operators, casts } = value as Record<string, unknown>;
  return [functions, operators, casts].some((part) => Array.isArray(part) && part.length > 0 && typeof part[0] === 'object');
}

export async function makeRegistry(): Promise<Registry> {
  const types = new Map<number, SqlType>();
  const add = (type: SqlType): void => {
    types.set(type.oid, type);
  };
  for (const each of (await exportsOf('types')).filter(isType)) add(each);
  const plain = [...types.values()];
  for (const type of plain) if (type.arrayOid !== 0 && !types.has(type.arrayOid)) add(arrayType(type, type.arrayOid));
  for (const type of [...CATALOG_TYPES, ...REG_TYPES]) add(type);
  const modules = (await exportsOf('functions')).filter(isModule);
  const declared = new Set(modules.flatMap(({ functions }) => (functions ?? []).map(({ name, args }) => `${name} ${args.join()}`)));
  return new Registry([...types.values()], [...modules, { functions: STAND_INS.filter(({ name, args }) => !declared.has(`${name} ${args.join()}`)) }]);
}

/** Signatures that clients' queries name and that stand elsewhere. */
const STAND_INS: readonly SqlFunction[] = [
  { kind: 'scalar', name: 'array_to_string', args: ['anyarray', 'text'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'format', args: ['text'], variadic: 'any', returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'quote_ident', args: ['text'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'replace', args: ['text', 'text', 'text'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'upper', args: ['text'], returns: 'text', doc: '', impl: () => '' },
  ...['count', 'sum', 'max'].map((name): SqlFunction => ({
    kind: 'aggregate',
    name,
    args: name === 'max' ? ['text'] : name === 'sum' ? ['numeric'] : [],
    returns: name === 'max' ? 'text' : name === 'sum' ? 'numeric' : 'int8',
    doc: '',
    init: () => null,
    step: () => null,
    finish: () => null,
  })),
  { kind: 'aggregate', name: 'max', args: ['numeric'], returns: 'numeric', doc: '', init: () => null, step: () => null, finish: () => null },
  { kind: 'scalar', name: 'lower', args: ['text'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'rtrim', args: ['text', 'text'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'scalar', name: 'substring', args: ['text', 'int4', 'int4'], returns: 'text', doc: '', impl: () => '' },
  { kind: 'aggregate', name: 'string_agg', args: ['text', 'text'], returns: 'text', doc: '', init: () => null, step: () => null, finish: () => null },
  { kind: 'aggregate', name: 'array_agg', args: ['anynonarray'], returns: 'anyarray', doc: '', init: () => null, step: () => null, finish: () => null },
];

export function makeLookup(registry: Registry): TypeLookup {
  return {
    byOid: (oid) => registry.typeByOid(oid) ?? null,
    arrayOf: (element) => arrayType(element, element.arrayOid),
    enumOf: (oid, arrayOid, name, labels) => enumType(oid, arrayOid, name, labels),
    domainTest: () => () => true,
    rangeOf: (subtype) => ({ range: subtype, multirange: subtype }),
  };
}

export function makeSchema(registry: Registry, objects: readonly CatalogObject[]): Schema {
  return new Schema(buildCatalog(new Map(objects.map((object) => [definitionKey(object), object]))), makeLookup(registry));
}
