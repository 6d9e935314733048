/**
 * What a merge changes, counted once for all rules: rows, deletes, tables by all their names, columns, definitions. An
 * inserted or deleted row changes all its columns. A table whose definition changes is a changed table too: a rule that
 * watches it must see that a column is dropped.
 */
import type { TableSummary } from '../commands/contract.ts';
import { CATALOG_TREE, isBeside } from '../events/changes.ts';
import type { RowChange, Shape } from '../tree/datum.ts';
import type { Catalog, Table } from '../worlds/catalog.ts';
import { type AttributeObject, type CatalogObject, catalogObject, type RelationObject } from '../worlds/definition.ts';
import { lineage, lineageNumbers } from '../worlds/lineage.ts';
import { documentKeyName, fieldAttribute, ID_COLUMN, relationOf } from '../worlds/document-relation.ts';
import { definitionTitle } from '../worlds/merge/definition-names.ts';
import type { Plan } from '../worlds/merge/plan.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import type { NamedObjects } from './named-objects.ts';

export interface ChangedTable {
  readonly number: number;
  readonly name: string;
  /** For the result, both sides and the base, if they have it: its name there, and those of its parent tables. */
  readonly lineages: readonly ReadonlySet<string>[];
  /** All of those names. */
  readonly names: ReadonlySet<string>;
  /** The same tables by number. */
  readonly numbers: readonly ReadonlySet<number>[];
  readonly above: ReadonlySet<number>;
  readonly rows: readonly RowChange[];
  readonly changed: number;
  readonly deleted: number;
  /** Names of changed columns; all of them if rows were inserted or deleted. */
  readonly columns: ReadonlySet<string>;
  readonly columnNumbers: ReadonlySet<number>;
}

/** Whether a list of allowed tables includes the table or a parent of it, in every state: by number if known, else by name. */
export function isAllowed({ lineages, numbers }: ChangedTable, list: readonly string[], objects?: NamedObjects): boolean {
  return lineages.every((names, i) => list.some((name) => objects?.[name]?.some((number) => numbers[i].has(number)) ?? names.has(name)));
}

export interface Changed {
  readonly rows: number;
  readonly deletes: number;
  readonly tables: readonly ChangedTable[];
  /** Schema changes, in words. */
  readonly definitions: readonly string[];
  /** Definitions of the result, both sides and the base. */
  readonly known: readonly Catalog[];
}

export interface Catalogs {
  readonly base: Catalog;
  readonly ours: Catalog;
  readonly theirs: Catalog;
}

/** Rows changed only by a definition are in the plan's summary, so they count as changed. */
export function changedBy(typed: TypedTables, plan: Plan, catalogs: Catalogs): Changed {
  const definitions = plan.changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [];
  const { result } = plan;
  const known = [result, catalogs.theirs, catalogs.ours, catalogs.base];
  const tables = new Map<number, ChangedTable>();
  const add = (number: number, rows: readonly RowChange[], columnNumbers: ReadonlySet<number>, count: TableSummary | undefined): void => {
    const at = known.filter((catalog) => catalog.byNumber.has(number));
    const all = at.map((catalog) => catalog.byNumber.get(number)!);
    if (all.length === 0) return;
    const lineages = all.map((table, i) => lineage(at[i], table));
    const numbers = all.map((table, i) => lineageNumbers(at[i], table));
    const counted = count === undefined ? rows.length : count.deleted + count.updated + count.inserted;
    tables.set(number, {
      number,
      name: all[0].name,
      lineages,
      names: new Set(lineages.flatMap((names) => [...names])),
      numbers,
      above: new Set(numbers.flatMap((each) => [...each])),
      rows,
      changed: counted,
      deleted: count?.deleted ?? rows.filter(({ after }) => after === null).length,
      columns: new Set([...columnNumbers].flatMap((column) => columnNamesOf(all, column))),
      columnNumbers,
    });
  };
  const counted = new Map(plan.summary.map((each) => [each.table, each]));
  const defined = definedColumns(typed, definitions, known);
  for (const { tree, rows } of plan.changes) {
    if (isBeside(tree)) continue;
    const all = known.flatMap((catalog) => catalog.byNumber.get(tree) ?? []);
    if (all.length === 0) continue;
    const names = new Set(all.map(({ name }) => name));
    const summary = [...names].map((name) => counted.get(name)).find((each) => each !== undefined);
    for (const name of names) counted.delete(name);
    add(tree, rows, new Set([...changedColumns(rows, all[0]), ...(defined.get(tree) ?? [])]), summary);
  }
  // Rows of a dropped table are deleted with it; rows of a table whose columns are added or dropped change in them.
  for (const summary of counted.values()) {
    const table = known.flatMap((catalog) => catalog.tables.get(summary.table) ?? [])[0];
    if (table === undefined) continue;
    const stays = result.byNumber.has(table.number) ? defined.get(table.number) : undefined;
    add(table.number, [], stays ?? new Set(columnsOf(table).map(({ number }) => number)), summary);
  }
  for (const [number, columns] of defined) if (!tables.has(number)) add(number, [], columns, undefined);
  const all = [...tables.values()];
  return {
    rows: all.reduce((sum, { changed }) => sum + changed, 0),
    deletes: all.reduce((sum, { deleted }) => sum + deleted, 0),
    tables: all,
    definitions: definitions.flatMap((row) => definitionWords(typed, row, known)),
    known,
  };
}

/** Tables whose definition changes, with the columns that are added, dropped or altered. */
function definedColumns(typed: TypedTables, definitions: readonly RowChange[], known: readonly Catalog[]): Map<number, Set<number>> {
  const tables = new Map<number, Set<number>>();
  for (const row of definitions) {
    const object = catalogObject((row.after ?? row.before)![0] as string);
    const number = object.what === 'table' || object.what === 'relation' ? object.number : 'table' in object ? object.table : undefined;
    if (number === undefined || definitionWords(typed, row, known).length === 0) continue;
    const columns = tables.get(number) ?? new Set();
    tables.set(number, columns);
    if (object.what === 'attribute' || object.what === 'column') columns.add(object.number);
  }
  return tables;
}

function changedColumns(rows: readonly RowChange[], table: Table): Set<number> {
  const numbers = new Set<number>();
  let last: Shape | null = null;
  let whole = false;
  for (const { shape, before, after } of rows) {
    if (before === null || after === null) {
      whole = true;
      break;
    }
    if (shape === last) continue;
    last = shape;
    for (const id of shape.ids) numbers.add(id);
  }
  if (whole) for (const { number } of columnsOf(table)) numbers.add(number);
  return numbers;
}

export function columnsOf(table: Table): readonly { number: number; name: string }[] {
  return table.relation?.attributes ?? table.columns;
}

function columnNamesOf(tables: readonly Table[], number: number): string[] {
  return tables.flatMap((table) => columnsOf(table).filter((column) => column.number === number)).map(({ name }) => name);
}

/** A field that documents brought or widened is data; all other definitions are schema. */
function definitionWords(typed: TypedTables, { before, after }: RowChange, known: readonly Catalog[]): string[] {
  const object = catalogObject((after ?? before)![0] as string);
  const was = after === null ? null : definedBefore(object, before === null ? null : catalogObject(before[0] as string), known);
  // Owners of new or changed objects follow from the objects.
  if ((object.what === 'column' && after !== null) || object.what === 'statistics' || object.what === 'author') return [];
  if (object.what === 'attribute' && isFieldData(object, was, after !== null)) return [];
  if (was !== null && JSON.stringify(was) === JSON.stringify(object)) return [];
  if (object.what === 'relation' && was !== null && sameButCounters(object, was)) return [];
  const verb = after === null ? 'drops' : was === null ? 'creates' : 'changes';
  return [`${verb} ${wordsFor(typed, object, known)}`];
}

/** The definition before, in the form of `object`: a table of documents has another until something is defined about it. */
function definedBefore(object: CatalogObject, before: CatalogObject | null, known: readonly Catalog[]): CatalogObject | null {
  if (object.what === 'attribute') {
    if (before?.what === 'column') return fieldAttribute(object.table, object.number, before.name, before.type, object.attnum);
    if (before !== null || object.number !== ID_COLUMN) return before;
  } else if (object.what !== 'relation' || before?.what !== 'table') return before;
  const table = known
    .flatMap((catalog) => catalog.byNumber.get(object.what === 'relation' ? object.number : object.table) ?? [])
    .find((each) => each.relation === null);
  if (table === undefined) return before;
  const key = object.what === 'relation' ? object.primaryKey : null;
  const [relation, id] = relationOf(table, key ?? { number: 0, name: documentKeyName(table.name) });
  return object.what === 'relation' ? relation : { ...id, attnum: object.attnum };
}

/** Whether documents brought the field, or its type follows from them. */
function isFieldData(field: AttributeObject, before: CatalogObject | null, stays: boolean): boolean {
  if (field.field === undefined || !stays) return false;
  if (before === null) return field.default === null && !field.notNull;
  return before.what === 'attribute' && JSON.stringify({ ...field, field: 0, type: 0 }) === JSON.stringify({ ...before, field: 0, type: 0 });
}

/** A table counts its columns; that changes with the columns, which are listed themselves. */
function sameButCounters(after: RelationObject, before: CatalogObject): boolean {
  if (before.what !== 'relation') return false;
  return JSON.stringify({ ...after, attnums: 0, dropped: [] }) === JSON.stringify({ ...before, attnums: 0, dropped: [] });
}

/** `table t`, `column t.v`, `comment on column t.v`, `owner of table t`. */
function wordsFor(typed: TypedTables, object: CatalogObject, known: readonly Catalog[]): string {
  const kind = object.what === 'relation' ? 'table' : object.what === 'attribute' ? 'column' : object.what;
  const name = 'name' in object ? String(object.name) : '';
  if (name === '' || object.what === 'former label') return definitionTitle(typed, object, known);
  const tableName = (number: number): string => known.flatMap((catalog) => catalog.byNumber.get(number)?.name ?? [])[0] ?? String(number);
  return `${kind} ${'table' in object ? `${tableName(object.table)}.` : ''}${name}`;
}
