/**
 * Storage of large objects (manual, chapter 35): two system tables, which a world defines when
 * its first large object is created. To forks, diffs, merges, undo and backups they are ordinary tables; SQL
 * shows them as its catalogs pg_largeobject and pg_largeobject_metadata.
 *
 *   pg_catalog.large_object         oid → owner, privileges
 *   pg_catalog.large_object_page    (oid, page) → data      2,048 bytes per page; missing pages read as zeros
 *
 * Each page references its object, so a merge of pages into an object that the other side has unlinked is a conflict.
 */
import { KIND, type RowChange, type Shape } from '../tree/datum.ts';
import { type AttributeObject, type CatalogObject, DEFINITION_SHAPE, definitionKey, type RelationObject } from './definition.ts';
import { decodeCell, encodeCell, encodeSafe } from './memcomparable.ts';

/**
 * Numbers of the tables (also of their trees), cells, keys and constraint: assigned to no other object and used as no oid.
 * Objects sort before their pages in events and, by name, in diffs.
 */
export const OBJECTS = 15610;
export const OBJECT_CELL = { oid: 15611, owner: 15612, acl: 15613 } as const;
export const PAGES = 15620;
export const PAGE_CELL = { loid: 15621, pageno: 15622, data: 15623 } as const;
const OBJECTS_KEY = 15614;
const PAGES_KEY = 15624;
const OBJECT_OF_PAGE = 15625;

export const PAGE_SHAPE: Shape = { ids: [PAGE_CELL.loid, PAGE_CELL.pageno, PAGE_CELL.data], kinds: [KIND.F64, KIND.I32, KIND.BIN] };
export const DATA_SHAPE: Shape = { ids: [PAGE_CELL.data], kinds: [KIND.BIN] };
export const OBJECT_SHAPE: Shape = { ids: [OBJECT_CELL.oid, OBJECT_CELL.owner, OBJECT_CELL.acl], kinds: [KIND.F64, KIND.F64, KIND.TEXT] };
export const RIGHTS_SHAPE: Shape = { ids: [OBJECT_CELL.owner, OBJECT_CELL.acl], kinds: [KIND.F64, KIND.TEXT] };

export function objectKey(oid: number): string {
  return encodeSafe(oid);
}

export function pageKey(oid: number, page: number): string {
  return `${encodeSafe(oid)}${encodeCell(page, 'i32')}`;
}

export function objectOfKey(key: string): number {
  return decodeCell(key, 0, 'i64').value as number;
}

const NAMES = { [OBJECTS]: 'large_object', [PAGES]: 'large_object_page' } as const;

function relation(number: typeof PAGES | typeof OBJECTS, key: number[], primaryKey: { number: number; name: string }, attnums: number): RelationObject {
  return { what: 'relation', number, schema: 'pg_catalog', name: NAMES[number], key, numeric: false, primaryKey, attnums, dropped: [], epoch: 0 };
}

function attribute(table: number, attnum: number, number: number, name: string, type: number, notNull = true): AttributeObject {
  const nothing = { default: null, identity: null, generated: null, missing: null, missingCell: null } as const;
  return { what: 'attribute', number, table, name, attnum, type, typmod: -1, notNull, ...nothing };
}

const [OID, INT4, BYTEA, TEXT] = [26, 23, 17, 25];

const DEFINITIONS: readonly CatalogObject[] = [
  relation(PAGES, [PAGE_CELL.loid, PAGE_CELL.pageno], { number: PAGES_KEY, name: 'large_object_page_pkey' }, 3),
  attribute(PAGES, 1, PAGE_CELL.loid, 'loid', OID),
  attribute(PAGES, 2, PAGE_CELL.pageno, 'pageno', INT4),
  attribute(PAGES, 3, PAGE_CELL.data, 'data', BYTEA),
  {
    what: 'foreign key',
    number: OBJECT_OF_PAGE,
    table: PAGES,
    name: 'large_object_page_loid_fkey',
    columns: [PAGE_CELL.loid],
    target: OBJECTS,
    targetColumns: [OBJECT_CELL.oid],
    onDelete: 'no action',
    onUpdate: 'no action',
    deleteColumns: [],
    matchFull: false,
    deferrable: false,
    initiallyDeferred: false,
  },
  relation(OBJECTS, [OBJECT_CELL.oid], { number: OBJECTS_KEY, name: 'large_object_pkey' }, 3),
  attribute(OBJECTS, 1, OBJECT_CELL.oid, 'oid', OID),
  attribute(OBJECTS, 2, OBJECT_CELL.owner, 'lomowner', OID),
  attribute(OBJECTS, 3, OBJECT_CELL.acl, 'lomacl', TEXT, false),
];

/** The definitions of the tables. */
export function largeObjectDefinitions(): RowChange[] {
  return DEFINITIONS.map((object): RowChange => ({ key: definitionKey(object), shape: DEFINITION_SHAPE, before: null, after: [JSON.stringify(object)] })).sort(
    (a, b) => (a.key < b.key ? -1 : 1),
  );
}
