/**
 * Tables and columns of a world. Their definitions are rows of the world's catalog tree, so schema changes
 * are forked, diffed, merged and undone like rows. A decoded catalog never changes; a world drops its own
 * when a definition changes.
 */
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { KIND, type Kind, type Shape } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scan } from '../tree/read.ts';

/** Types of document fields; `unknown` while only nulls were seen. */
export type DocumentType = 'unknown' | 'boolean' | 'bigint' | 'double precision' | 'text' | 'jsonb';

export interface TableObject {
  what: 'table';
  number: number;
  name: string;
  document: true;
}
export interface ColumnObject {
  what: 'column';
  number: number;
  table: number;
  name: string;
  type: DocumentType;
}
export type CatalogObject = TableObject | ColumnObject;

export interface Column {
  readonly number: number;
  readonly name: string;
  readonly type: DocumentType;
  readonly kind: Kind;
}

export interface Table {
  readonly number: number;
  readonly name: string;
  readonly document: true;
  readonly columns: readonly Column[];
  readonly byName: ReadonlyMap<string, Column>;
  readonly byNumber: ReadonlyMap<number, Column>;
}

export interface Catalog {
  readonly tables: ReadonlyMap<string, Table>;
  readonly byNumber: ReadonlyMap<number, Table>;
}

export const DEFINITION = 1;
export const DEFINITION_SHAPE: Shape = { ids: [DEFINITION], kinds: [KIND.JSON] };

export function catalogObject(definition: string): CatalogObject {
  return JSON.parse(definition) as CatalogObject;
}

export function tableDefinitionKey(table: number): string {
  return `t${pad(table)}`;
}

export function columnDefinitionKey(table: number, column: number): string {
  return `c${pad(table)}${pad(column)}`;
}

export function tableDefinition(number: number, name: string): string {
  return JSON.stringify({ what: 'table', number, name, document: true } satisfies TableObject);
}

export function columnDefinition(table: number, number: number, name: string, type: DocumentType): string {
  return JSON.stringify({ what: 'column', number, table, name, type } satisfies ColumnObject);
}

function pad(number: number): string {
  return String(number).padStart(15, '0');
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

const EMPTY: Catalog = { tables: new Map(), byNumber: new Map() };

export function readCatalog(pager: Pager, directory: Node): Catalog {
  const root = childRoot(pager, directory, CATALOG_TREE);
  if (root === null || root.count === 0) return EMPTY;
  const objects: CatalogObject[] = [];
  scan(pager, root, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) objects.push(catalogObject(leaf.cell(i, DEFINITION) as string));
  });
  return buildCatalog(objects);
}

function buildCatalog(objects: readonly CatalogObject[]): Catalog {
  const columns = new Map<number, Column[]>();
  for (const object of objects) {
    if (object.what !== 'column') continue;
    const { number, name, type } = object;
    const list = columns.get(object.table);
    const column: Column = { number, name, type, kind: kindOf(type) };
    if (list === undefined) columns.set(object.table, [column]);
    else list.push(column);
  }
  const tables = new Map<string, Table>();
  const byNumber = new Map<number, Table>();
  for (const object of objects) {
    if (object.what !== 'table') continue;
    const own = columns.get(object.number) ?? [];
    const table: Table = {
      number: object.number,
      name: object.name,
      document: true,
      columns: own,
      byName: new Map(own.map((column) => [column.name, column])),
      byNumber: new Map(own.map((column) => [column.number, column])),
    };
    tables.set(table.name, table);
    byNumber.set(table.number, table);
  }
  return { tables, byNumber };
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
