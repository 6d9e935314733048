/**
 * Tables and columns of a world. Their definitions are rows of the world's catalog tree, so schema changes are forked,
 * diffed, merged and undone like rows. A decoded catalog is immutable; a world drops its own when a definition changes.
 */
import { assert } from '../base/assert.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { LayeredMap } from '../base/layered-map.ts';
import { KIND, type Kind, type RowChange } from '../tree/datum.ts';
import { diffTrees } from '../tree/diff.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scan } from '../tree/read.ts';
import {
  type AttributeObject,
  type CatalogObject,
  catalogObject,
  type CheckObject,
  type ColumnObject,
  DEFINITION,
  DEFINITION_SHAPE,
  type DocumentType,
  epochOfObject,
  type ForeignKeyObject,
  type IndexObject,
  isTypeObject,
  numbersOf,
  type RelationObject,
  type TableObject,
} from './definition.ts';
import { cellsOf } from './kinds/registry.ts';
import type { World } from './world.ts';

export interface Column {
  readonly number: number;
  readonly name: string;
  readonly type: DocumentType;
  readonly kind: Kind;
}

/** The definitions of a typed table. */
export interface Relation {
  readonly object: RelationObject;
  /** By attnum. */
  readonly attributes: readonly AttributeObject[];
  readonly indexes: readonly IndexObject[];
  readonly constraints: readonly (CheckObject | ForeignKeyObject)[];
  /** Hidden cells of rows: keys of index expressions and conditions. */
  readonly hidden: ReadonlySet<number>;
}

export interface Table {
  readonly number: number;
  /** As in `<table>/<id>`: with its schema unless that is `public`. */
  readonly name: string;
  readonly document: boolean;
  /** Fields of a document table; a typed table has attributes instead. */
  readonly columns: readonly Column[];
  readonly byName: ReadonlyMap<string, Column>;
  readonly byNumber: ReadonlyMap<number, Column>;
  readonly relation: Relation | null;
}

export interface Catalog {
  readonly tables: ReadonlyMap<string, Table>;
  readonly byNumber: ReadonlyMap<number, Table>;
  /** All definitions by key, including those of document tables. */
  readonly objects: ReadonlyMap<string, CatalogObject>;
  readonly indexes: ReadonlyMap<number, IndexObject>;
  /** Numbers used by definitions, with their reference counts. */
  readonly numbers: ReadonlyMap<number, number>;
}

export function kindOf(type: DocumentType): Kind {
  switch (type) {
    case 'boolean':
      return KIND.BOOL;
    case 'bigint':
    case 'double precision':
      return KIND.F64;
    case 'jsonb':
      return KIND.JSON;
    default:
      return KIND.TEXT;
  }
}

/** Rows of a table in another epoch are other rows. */
export function epochOf(table: Table | undefined): number {
  return epochOfObject(table?.relation?.object);
}

const EMPTY: Catalog = { tables: new Map(), byNumber: new Map(), objects: new Map(), indexes: new Map(), numbers: new Map() };

/** Catalogs by root of the catalog tree; code that changes such a node in place removes it here. */
const decoded = new WeakMap<Node, Catalog>();

export function readCatalog(pager: Pager, directory: Node): Catalog {
  const root = childRoot(pager, directory, CATALOG_TREE);
  if (root === null || root.count === 0) return EMPTY;
  const known = decoded.get(root);
  if (known !== undefined) return known;
  const catalog = fromRecent(pager, root) ?? decodeCatalog(pager, root);
  remember(pager, root, catalog);
  return catalog;
}

/** The open world's catalog, kept with it until a commit changes it. */
export function catalogOfWorld(pager: Pager, world: World): Catalog {
  world.catalog ??= readCatalog(pager, world.root);
  return world.catalog;
}

function decodeCatalog(pager: Pager, root: Node): Catalog {
  const objects = new Map<string, CatalogObject>();
  scan(pager, root, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) objects.set(leaf.skeys[i], catalogObject(leaf.cell(i, DEFINITION) as string));
  });
  return buildCatalog(objects);
}

/** Roots of the catalogs decoded last, by database: another root mostly differs from one of them by few changes. */
const recent = new WeakMap<Pager, WeakRef<Node>[]>();
const RECENT_MAX = 4;
/** With more differences everything is decoded. */
const DIFFERENCES_MAX = 200;

function remember(pager: Pager, root: Node, catalog: Catalog): void {
  decoded.set(root, catalog);
  const roots = recent.get(pager) ?? [];
  recent.set(pager, [...roots.filter((each) => each.deref() !== root).slice(1 - RECENT_MAX), new WeakRef(root)]);
}

function fromRecent(pager: Pager, root: Node): Catalog | null {
  const roots = recent.get(pager) ?? [];
  for (let i = roots.length - 1; i >= 0; i--) {
    const before = roots[i].deref();
    const catalog = before === undefined ? undefined : decoded.get(before);
    if (before === undefined || catalog === undefined) continue;
    const rows: RowChange[] = [];
    const all = diffTrees(pager, before, root, (key, _a, _ai, b, bi) => {
      rows.push({ key, shape: DEFINITION_SHAPE, before: null, after: b === null ? null : [b.cell(bi, DEFINITION)!] });
      return rows.length <= DIFFERENCES_MAX;
    });
    if (all && rows.length <= DIFFERENCES_MAX) return catalogAfter(catalog, rows);
  }
  return null;
}

/** The catalog after changes of definitions, for the new root of its tree. Unchanged tables are shared with the previous catalog. */
export function changedCatalog(pager: Pager, before: Catalog, rows: readonly RowChange[], root: Node): Catalog {
  const catalog = catalogAfter(before, rows);
  remember(pager, root, catalog);
  return catalog;
}

/** A definition before and after. */
export interface DefinitionChange {
  readonly before: CatalogObject | undefined;
  readonly after: CatalogObject | undefined;
}

/** How a catalog was derived: caches by catalog are updated from this. */
export interface CatalogOrigin {
  readonly from: WeakRef<Catalog>;
  readonly changes: ReadonlyMap<string, DefinitionChange>;
}
const origins = new WeakMap<Catalog, CatalogOrigin>();

export function originOf(catalog: Catalog): CatalogOrigin | null {
  return origins.get(catalog) ?? null;
}

/** Maximum number of ancestors searched for cached knowledge. */
const STEPS_MAX = 32;

/** What is cached for the nearest ancestor catalog, and the changes of definitions since, last first; null without one. */
export function knownBefore<T>(
  catalog: Catalog,
  known: (before: Catalog) => T | undefined,
): { readonly known: T; readonly changes: readonly CatalogOrigin['changes'][] } | null {
  const changes: CatalogOrigin['changes'][] = [];
  let at = catalog;
  for (let step = 0; step < STEPS_MAX; step++) {
    const origin = originOf(at);
    const from = origin?.from.deref();
    if (origin === null || from === undefined) return null;
    changes.push(origin.changes);
    const what = known(from);
    if (what !== undefined) return { known: what, changes };
    at = from;
  }
  return null;
}

/** `changedCatalog` without a tree. Costs as much as the changes. */
export function catalogAfter(before: Catalog, rows: readonly RowChange[]): Catalog {
  const changes = new Map<string, DefinitionChange>();
  for (const { key, after } of rows) {
    changes.set(key as string, { before: before.objects.get(key as string), after: after === null ? undefined : catalogObject(after[0] as string) });
  }
  const objects = forked(before.objects);
  const tables = forked(before.tables);
  const byNumber = forked(before.byNumber);
  const indexes = forked(before.indexes);
  const numbers = forked(before.numbers);
  const touched = new Map<number, DefinitionChange[]>();
  let types = false;
  for (const [key, change] of changes) {
    if (change.after === undefined) objects.delete(key);
    else objects.set(key, change.after);
    for (const object of [change.before, change.after]) {
      if (object === undefined) continue;
      const table = tableOf(object);
      if (isTypeObject(object)) types = true;
      if (table === null) continue;
      const list = touched.get(table);
      if (list === undefined) touched.set(table, [change]);
      else if (!list.includes(change)) list.push(change);
    }
    for (const number of change.before === undefined ? [] : numbersOf(change.before)) count(numbers, number, -1);
    for (const number of change.after === undefined ? [] : numbersOf(change.after)) count(numbers, number, 1);
  }
  for (const list of touched.values()) for (const each of list) if (each.before?.what === 'index') indexes.delete(each.before.number);
  for (const list of touched.values()) for (const each of list) if (each.after?.what === 'index') indexes.set(each.after.number, each.after);
  const made: Table[] = [];
  const old: Table[] = [];
  let remaining = straysOf(before);
  for (const [number, list] of touched) {
    const was = before.byNumber.get(number);
    const parts = partsAfter(was === undefined ? remaining.get(number) : partsOf(was), list);
    const object = objectAfter(was, list);
    if (was !== undefined) old.push(was);
    if (object !== null) made.push(tableOver(object, parts));
    if (remaining.has(number) || (object === null && !isEmpty(parts))) remaining = straysAfter(remaining, number, object === null ? parts : NO_PARTS);
  }
  // Two tables may swap names.
  for (const { number, name } of old) {
    if (!made.some((table) => table.number === number)) byNumber.delete(number);
    if (!made.some((table) => table.name === name)) tables.delete(name);
  }
  for (const table of made) {
    byNumber.set(table.number, table);
    tables.set(table.name, table);
  }
  const catalog: Catalog = { tables, byNumber, objects, indexes, numbers };
  origins.set(catalog, { from: new WeakRef(before), changes });
  if (remaining.size > 0) strays.set(catalog, remaining);
  noteCatalog(catalog, types ? byNumber.values() : made);
  return catalog;
}

/** The catalog of each typed table: a table alone does not know its types. */
const catalogs = new WeakMap<Table, Catalog>();

/** `changed`: the tables that are new in this catalog, or need its types. */
function noteCatalog(catalog: Catalog, changed: Iterable<Table>): void {
  for (const table of changed) if (table.relation !== null) catalogs.set(table, catalog);
}

export function catalogOf(table: Table): Catalog {
  const catalog = catalogs.get(table);
  assert(catalog !== undefined, 'a typed table comes from a catalog');
  return catalog;
}

function forked<K, V>(map: ReadonlyMap<K, V>): LayeredMap<K, V> {
  return map instanceof LayeredMap ? (map as LayeredMap<K, V>).fork() : new LayeredMap(new Map(map));
}

function count(numbers: LayeredMap<number, number>, number: number, by: number): void {
  const times = (numbers.get(number) ?? 0) + by;
  if (times > 0) numbers.set(number, times);
  else numbers.delete(number);
}

/** The table that a definition is, or belongs to. */
export function tableOf(object: CatalogObject): number | null {
  switch (object.what) {
    case 'table':
    case 'relation':
      return object.number;
    case 'column':
    case 'attribute':
    case 'index':
    case 'check':
    case 'foreign key':
      return object.table;
    default:
      return null;
  }
}

/** Tables whose definitions changed when the catalog was derived from another one, by number. */
export function touchedTables(catalog: Catalog): number[] {
  const tables = new Set<number>();
  for (const { before, after } of originOf(catalog)?.changes.values() ?? []) {
    for (const object of [before, after]) {
      const table = object === undefined ? null : tableOf(object);
      if (table !== null) tables.add(table);
    }
  }
  return [...tables].sort((a, b) => a - b);
}

/** The definition of a table after changes; null if there is none. */
function objectAfter(was: Table | undefined, changes: readonly DefinitionChange[]): TableObject | RelationObject | null {
  let own: TableObject | RelationObject | null =
    was === undefined ? null : (was.relation?.object ?? { what: 'table', number: was.number, name: was.name, document: true });
  for (const { before, after } of changes) {
    if (before !== undefined && (before.what === 'table' || before.what === 'relation')) own = null;
    if (after !== undefined && (after.what === 'table' || after.what === 'relation')) own = after;
  }
  return own;
}

function partsOf({ columns, relation }: Table): TableParts {
  return {
    columns: [...columns],
    attributes: [...(relation?.attributes ?? [])],
    indexes: [...(relation?.indexes ?? [])],
    constraints: [...(relation?.constraints ?? [])],
  };
}

function partsAfter(was: TableParts | undefined, changes: readonly DefinitionChange[]): TableParts {
  const after = <W extends CatalogObject['what']>(what: W): Extract<CatalogObject, { what: W }>[] =>
    changes.flatMap(({ after: object }) => (object?.what === what ? [object as Extract<CatalogObject, { what: W }>] : []));
  const gone = new Set(changes.map(({ before }) => before));
  const kept = <T extends CatalogObject>(list: readonly T[] | undefined): T[] => (list ?? []).filter((object) => !gone.has(object));
  const goneColumns = new Set(changes.flatMap(({ before }) => (before?.what === 'column' ? [before.number] : [])));
  return {
    columns: [...(was?.columns ?? []).filter(({ number }) => !goneColumns.has(number)), ...after('column').map(columnOf)],
    attributes: [...kept(was?.attributes), ...after('attribute')],
    indexes: [...kept(was?.indexes), ...after('index')],
    constraints: [...kept(was?.constraints), ...after('check'), ...after('foreign key')],
  };
}

/**
 * Parts by the number of a table that the catalog lacks: a merge may take over a column from one side and the end of its table from the
 * other. They belong to the table when it returns.
 */
const strays = new WeakMap<Catalog, ReadonlyMap<number, TableParts>>();
const NO_STRAYS: ReadonlyMap<number, TableParts> = new Map();
const NO_PARTS: TableParts = { columns: [], attributes: [], indexes: [], constraints: [] };

function straysOf(catalog: Catalog): ReadonlyMap<number, TableParts> {
  return strays.get(catalog) ?? NO_STRAYS;
}

function straysAfter(before: ReadonlyMap<number, TableParts>, number: number, parts: TableParts): ReadonlyMap<number, TableParts> {
  const after = new Map(before);
  if (isEmpty(parts)) after.delete(number);
  else after.set(number, parts);
  return after;
}

function isEmpty({ columns, attributes, indexes, constraints }: TableParts): boolean {
  return columns.length + attributes.length + indexes.length + constraints.length === 0;
}

interface TableParts {
  readonly columns: Column[];
  readonly attributes: AttributeObject[];
  readonly indexes: IndexObject[];
  readonly constraints: (CheckObject | ForeignKeyObject)[];
}

function columnOf({ number, name, type }: ColumnObject): Column {
  return { number, name, type, kind: kindOf(type) };
}

function tableOver(object: TableObject | RelationObject, parts: TableParts): Table {
  const columns = parts.columns.sort(byNumberOrder);
  const indexes = parts.indexes.sort(byNumberOrder);
  return {
    number: object.number,
    name: object.what === 'table' ? object.name : publicName(object.schema, object.name),
    document: object.what === 'table',
    columns,
    byName: new Map(columns.map((column) => [column.name, column])),
    byNumber: new Map(columns.map((column) => [column.number, column])),
    relation:
      object.what === 'table'
        ? null
        : {
            object,
            attributes: parts.attributes.sort((a, b) => a.attnum - b.attnum),
            indexes,
            constraints: parts.constraints.sort(byNumberOrder),
            hidden: hiddenCells(indexes),
          },
  };
}

export function buildCatalog(objects: ReadonlyMap<string, CatalogObject>): Catalog {
  const parts = new Map<number, TableParts>();
  const indexes = new Map<number, IndexObject>();
  const numbers = new LayeredMap<number, number>();
  const of = (table: number): TableParts => {
    let own = parts.get(table);
    if (own === undefined) parts.set(table, (own = { columns: [], attributes: [], indexes: [], constraints: [] }));
    return own;
  };
  for (const object of objects.values()) {
    for (const number of numbersOf(object)) count(numbers, number, 1);
    switch (object.what) {
      case 'column':
        of(object.table).columns.push(columnOf(object));
        break;
      case 'attribute':
        of(object.table).attributes.push(object);
        break;
      case 'index':
        of(object.table).indexes.push(object);
        indexes.set(object.number, object);
        break;
      case 'check':
      case 'foreign key':
        of(object.table).constraints.push(object);
        break;
      default:
    }
  }
  const tables = new Map<string, Table>();
  const byNumber = new Map<number, Table>();
  for (const object of objects.values()) {
    if (object.what !== 'table' && object.what !== 'relation') continue;
    const table = tableOver(object, of(object.number));
    tables.set(table.name, table);
    byNumber.set(table.number, table);
  }
  const catalog: Catalog = {
    tables: new LayeredMap(tables),
    byNumber: new LayeredMap(byNumber),
    objects: new LayeredMap(new Map(objects)),
    indexes: new LayeredMap(indexes),
    numbers,
  };
  noteCatalog(catalog, byNumber.values());
  for (const number of byNumber.keys()) parts.delete(number);
  if (parts.size > 0) strays.set(catalog, parts);
  return catalog;
}

function byNumberOrder(a: { number: number }, b: { number: number }): number {
  return a.number - b.number;
}

/** A table's name in row operations. */
export function publicName(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

function hiddenCells(indexes: readonly IndexObject[]): ReadonlySet<number> {
  const cells = new Set<number>();
  for (const index of indexes) for (const cell of cellsOf(index)) cells.add(cell);
  return cells;
}

/** Whether the changes include definitions. */
export function changesCatalog(changes: readonly TreeChanges[]): boolean {
  return changes.some((each) => each.tree === CATALOG_TREE && each.rows.length > 0);
}

const ASCII = /^[\x00-\x7f]*$/;

/** UTF-8 bytes of the text, one character per byte, so that keys sort by bytes. */
export function utf8Key(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').latin1Slice();
}

export function keyText(key: string): string {
  return ASCII.test(key) ? key : Buffer.from(key, 'latin1').utf8Slice();
}
