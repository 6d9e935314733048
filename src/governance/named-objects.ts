/**
 * What the names in a rule refer to: numbers of tables and columns, which no branch can change, resolved when the rule is created and stored
 * with it as `objects`. A table that is renamed later, in `main` or in a branch, still falls under the rule, and another one
 * that takes its name does not. Rules of older releases have no `objects`: their names are compared.
 *
 *   { "orders": [16400], "orders.price": [16400, 16402], "cheap": [16400] }     a table, a column, the tables that a view reads
 */
import { nearestName } from '../base/nearest-name.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Catalog, Table } from '../worlds/catalog.ts';
import { tableDefinitionKey, type ViewObject } from '../worlds/definition.ts';
import { viewKey } from '../worlds/kinds/keys.ts';
import { columnsOf } from './changed.ts';

export type NamedObjects = { readonly [name: string]: readonly number[] };

/** Definitions to resolve a name in: those of `main`, then those of other open worlds, read only if needed. */
export type Catalogs = () => Iterable<Catalog>;

/** A table, or the tables that a view reads; 42P01 if no open world has one. */
export function tablesNamed(name: string, catalogs: Catalogs, what: string): readonly number[] {
  let first: Catalog | null = null;
  for (const catalog of catalogs()) {
    first ??= catalog;
    const table = tableIn(catalog, name);
    if (table !== undefined) return [table.number];
    const view = viewIn(catalog, name);
    if (view !== undefined) return tablesBelow(catalog, view);
  }
  const near = first === null ? null : nearestName(name, [...first.tables.keys()]);
  throw new SvcError('42P01', `${what} names table "${name.slice(0, 80)}", and no world has one`, {
    hint: near === null ? 'Make the table first, or name it with its schema.' : `Perhaps you meant "${near}".`,
  });
}

/** `table.column`: both numbers; 42P01 and 42703. Fields of a document table come with its rows: then the table alone. */
export function columnNamed(name: string, catalogs: Catalogs, what: string): readonly number[] {
  let table: { readonly name: string; readonly of: Table; readonly column: string } | null = null;
  for (const catalog of catalogs()) {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const of = tableIn(catalog, name.slice(0, dot));
      if (of === undefined) continue;
      const column = name.slice(dot + 1);
      table ??= { name: name.slice(0, dot), of, column };
      const found = columnsOf(of).find((each) => each.name === column);
      if (found !== undefined) return [of.number, found.number];
    }
  }
  if (table === null) return tablesNamed(name.slice(0, name.lastIndexOf('.')), catalogs, what);
  if (table.of.document) return [table.of.number];
  const near = nearestName(
    table.column,
    columnsOf(table.of).map((each) => each.name),
  );
  throw new SvcError('42703', `${what} names column "${table.column.slice(0, 80)}" of table "${table.name}", which has no such column`, {
    hint: near === null ? 'Make the column first.' : `Perhaps you meant "${table.name}.${near}".`,
  });
}

/** The names, and the current names in one of the catalogs of the objects they refer to: for rules that watch. */
export function namesNow(names: readonly string[], objects: NamedObjects | undefined, catalogs: readonly Catalog[]): ReadonlySet<string> {
  const all = new Set(names);
  if (objects === undefined) return all;
  for (const name of names) {
    const numbers = objects[name];
    for (const catalog of numbers === undefined ? [] : catalogs) for (const number of numbers) add(all, catalog.byNumber.get(number)?.name);
  }
  return all;
}

/** `namesNow` for `table.column`. */
export function columnsNow(names: readonly string[], objects: NamedObjects | undefined, catalogs: readonly Catalog[]): ReadonlySet<string> {
  const all = new Set(names);
  if (objects === undefined) return all;
  for (const name of names) {
    const [number, column] = objects[name] ?? [];
    for (const catalog of column === undefined ? [] : catalogs) {
      const table = catalog.byNumber.get(number);
      const found = table === undefined ? undefined : columnsOf(table).find((each) => each.number === column);
      if (found !== undefined) all.add(`${table!.name}.${found.name}`);
    }
  }
  return all;
}

function add(all: Set<string>, name: string | undefined): void {
  if (name !== undefined) all.add(name);
}

/** `public.` is optional. */
function tableIn(catalog: Catalog, name: string): Table | undefined {
  return catalog.tables.get(name) ?? (name.startsWith('public.') ? catalog.tables.get(name.slice('public.'.length)) : undefined);
}

function viewIn(catalog: Catalog, name: string): ViewObject | undefined {
  for (const object of catalog.objects.values()) {
    if (object.what === 'view' && (name === `${object.schema}.${object.name}` || (object.schema === 'public' && name === object.name))) return object;
  }
  return undefined;
}

function tablesBelow(catalog: Catalog, view: ViewObject): number[] {
  const seen = new Set<number>();
  const tables = new Set<number>();
  const left: ViewObject[] = [view];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const { object: number } of at.uses) {
      if (seen.has(number)) continue;
      seen.add(number);
      if (catalog.objects.has(tableDefinitionKey(number))) tables.add(number);
      const below = catalog.objects.get(viewKey(number));
      if (below?.what === 'view') left.push(below);
    }
  }
  return [...tables];
}
