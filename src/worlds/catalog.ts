/**
 * Tables and columns of a world. Their definitions are rows of the world's catalog tree, so schema changes
 * are forked, diffed, merged and undone like rows. A decoded catalog never changes; a world drops its own
 * when a definition changes.
 */
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { KIND, type Kind, type RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scan } from '../tree/read.ts';
import { noteCatalog } from './typed-tables.ts';
import {
  type AttributeObject,
  type CatalogObject,
  catalogObject,
  type CheckObject,
  DEFINITION,
  type DocumentType,
  type ForeignKeyObject,
  type IndexObject,
  type RelationObject,
} from './definition.ts';

export interface Column {
  readonly number: number;
  readonly name: string;
  readonly type: DocumentType;
  readonly kind: Kind;
}

/** What a typed table is made of. */
export interface Relation {
  readonly object: RelationObject;
  /** In order of attnums. */
  readonly attributes: readonly AttributeObject[];
  readonly indexes: readonly IndexObject[];
  readonly constraints: readonly (CheckObject | ForeignKeyObject)[];
  /** Cells of rows that no column shows: keys of expressions and conditions of indexes. */
  readonly hidden: ReadonlySet<number>;
}

export interface Table {
  readonly number: number;
  /** As in `<table>/<id>`: with its schema where that is not `public`. */
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
  /** All definitions by key, document tables' too. */
  readonly objects: ReadonlyMap<string, CatalogObject>;
  readonly indexes: ReadonlyMap<number, IndexObject>;
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

/** The narrowest type that holds values of both. */
export function widen(a: DocumentType, b: DocumentType): DocumentType {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  const numbers = (a === 'bigint' || a === 'double precision') && (b === 'bigint' || b === 'double precision');
  return numbers ? 'double precision' : 'jsonb';
}

const EMPTY: Catalog = { tables: new Map(), byNumber: new Map(), objects: new Map(), indexes: new Map() };

/** By root of the catalog tree; whoever changes such a node in place forgets it here. */
const decoded = new WeakMap<Node, Catalog>();

export function readCatalog(pager: Pager, directory: Node): Catalog {
  const root = childRoot(pager, directory, CATALOG_TREE);
  if (root === null || root.count === 0) return EMPTY;
  let catalog = decoded.get(root);
  if (catalog === undefined) {
    const objects = new Map<string, CatalogObject>();
    scan(pager, root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) objects.set(leaf.skeys[i], catalogObject(leaf.cell(i, DEFINITION) as string));
    });
    catalog = buildCatalog(objects);
    decoded.set(root, catalog);
  }
  return catalog;
}

/**
 * The catalog after changes of definitions, whose tree now has this root. Tables that did not change are
 * shared with the catalog before.
 */
export function changedCatalog(before: Catalog, rows: readonly RowChange[], root: Node): Catalog {
  const catalog = catalogAfter(before, rows);
  decoded.set(root, catalog);
  return catalog;
}

/** The same without a tree. */
export function catalogAfter(before: Catalog, rows: readonly RowChange[]): Catalog {
  const objects = new Map(before.objects);
  const touched = new Set<number>();
  const touch = (object: CatalogObject | undefined): void => {
    if (object !== undefined) touched.add('table' in object ? object.table : 'number' in object ? object.number : 0);
  };
  for (const { key, after } of rows) {
    touch(objects.get(key as string));
    if (after === null) objects.delete(key as string);
    else {
      const object = catalogObject(after[0] as string);
      objects.set(key as string, object);
      touch(object);
    }
  }
  return buildCatalog(objects, (number) => (touched.has(number) ? undefined : before.byNumber.get(number)));
}

export function buildCatalog(objects: ReadonlyMap<string, CatalogObject>, known: (table: number) => Table | undefined = () => undefined): Catalog {
  const columns = new Map<number, Column[]>();
  const attributes = new Map<number, AttributeObject[]>();
  const indexes = new Map<number, IndexObject[]>();
  const constraints = new Map<number, (CheckObject | ForeignKeyObject)[]>();
  const indexByNumber = new Map<number, IndexObject>();
  const add = <T>(map: Map<number, T[]>, table: number, value: T): void => {
    const list = map.get(table);
    if (list === undefined) map.set(table, [value]);
    else list.push(value);
  };
  for (const object of objects.values()) {
    // A table that did not change is not put together again.
    if ('table' in object && object.what !== 'index' && known(object.table) !== undefined) continue;
    switch (object.what) {
      case 'column':
        add(columns, object.table, { number: object.number, name: object.name, type: object.type, kind: kindOf(object.type) });
        break;
      case 'attribute':
        add(attributes, object.table, object);
        break;
      case 'index':
        add(indexes, object.table, object);
        indexByNumber.set(object.number, object);
        break;
      case 'check':
      case 'foreign key':
        add(constraints, object.table, object);
        break;
      default:
    }
  }
  const tables = new Map<string, Table>();
  const byNumber = new Map<number, Table>();
  for (const object of objects.values()) {
    if (object.what !== 'table' && object.what !== 'relation') continue;
    const same = known(object.number);
    if (same !== undefined) {
      tables.set(same.name, same);
      byNumber.set(same.number, same);
      continue;
    }
    const own = (columns.get(object.number) ?? []).sort(byNumberOrder);
    const ownIndexes = (indexes.get(object.number) ?? []).sort(byNumberOrder);
    const table: Table = {
      number: object.number,
      name: object.what === 'table' ? object.name : publicName(object.schema, object.name),
      document: object.what === 'table',
      columns: own,
      byName: new Map(own.map((column) => [column.name, column])),
      byNumber: new Map(own.map((column) => [column.number, column])),
      relation:
        object.what === 'table'
          ? null
          : {
              object,
              attributes: (attributes.get(object.number) ?? []).sort((a, b) => a.attnum - b.attnum),
              indexes: ownIndexes,
              constraints: (constraints.get(object.number) ?? []).sort(byNumberOrder),
              hidden: hiddenCells(ownIndexes),
            },
    };
    tables.set(table.name, table);
    byNumber.set(table.number, table);
  }
  const catalog: Catalog = { tables, byNumber, objects, indexes: indexByNumber };
  noteCatalog(catalog);
  return catalog;
}

function byNumberOrder(a: { number: number }, b: { number: number }): number {
  return a.number - b.number;
}

/** A table's name as row operations write it. */
export function publicName(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

function hiddenCells(indexes: readonly IndexObject[]): ReadonlySet<number> {
  const cells = new Set<number>();
  for (const { columns, whereCell } of indexes) {
    for (const { column, cell } of columns) if (cell !== column) cells.add(cell);
    if (whereCell !== null) cells.add(whereCell);
  }
  return cells;
}

/** Whether the changes touch a definition. */
export function changesCatalog(changes: readonly TreeChanges[]): boolean {
  return changes.some(({ tree, rows }) => tree === CATALOG_TREE && rows.length > 0);
}

const ASCII = /^[\x00-\x7f]*$/;

/** UTF-8 bytes of the text, one character a byte: keys order as their bytes do. */
export function utf8Key(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').latin1Slice();
}

export function keyText(key: string): string {
  return ASCII.test(key) ? key : Buffer.from(key, 'latin1').utf8Slice();
}
