/**
 * A table of documents as a relation. What puts alone made is described by `table` and `column` objects; a statement that defines something
 * about it (an index, a constraint, a column) first writes the same table as a relation with attributes, under the same keys, number, rows and
 * cells. Comparisons of two states read both in the form of relations (`alike`).
 *
 *   table docs (documents)   t<number>  ──►  relation docs, documents, ids in keys, primary key docs_pkey
 *   column docs.n (bigint)   c<number>  ──►  attribute docs.n, a field
 */
import {
  DEFINITION_SHAPE,
  type AttributeObject,
  type CatalogObject,
  catalogObject,
  type DocumentType,
  definitionKey,
  FIELD_OIDS,
  type RelationObject,
} from './definition.ts';
import type { RowChange } from '../tree/datum.ts';
import { type Catalog, catalogAfter, type Table, tableOf } from './catalog.ts';
import { changedAfter } from './merge/join-changes.ts';

/** Number of the id's column: no cell has it, as the id is stored in the key. */
export const ID_COLUMN = 0;

/** The column of a field that documents brought. */
export function fieldAttribute(table: number, number: number, name: string, type: DocumentType, attnum: number): AttributeObject {
  return { ...plainAttribute(table, number, name, FIELD_OIDS[type], attnum), field: type };
}

function plainAttribute(table: number, number: number, name: string, type: number, attnum: number): AttributeObject {
  return {
    what: 'attribute',
    number,
    table,
    name,
    attnum,
    type,
    typmod: -1,
    notNull: false,
    default: null,
    identity: null,
    generated: null,
    missing: null,
    missingCell: null,
  };
}

/** The field with a wider type. */
export function widened(field: AttributeObject, type: DocumentType): AttributeObject {
  return { ...field, field: type, type: FIELD_OIDS[type] };
}

/** Whether the type of the field is needed as it is: by an index, a constraint, a default or NOT NULL. */
export function needsType(table: Table, field: AttributeObject): string | null {
  const { indexes, constraints } = table.relation!;
  const { number } = field;
  for (const index of indexes) {
    const reads =
      index.columns.some(({ column, expression }) => column === number || expression !== null) || index.include.includes(number) || index.where !== null;
    if (reads) return `index "${index.name}"`;
  }
  for (const constraint of constraints) if (constraint.columns.includes(number)) return `constraint "${constraint.name}"`;
  return field.default === null ? null : 'its default';
}

/** Name of the primary key of documents. */
export function documentKeyName(table: string): string {
  return `${table}_pkey`;
}

/** The primary key of documents. */
export interface DocumentKey {
  readonly number: number;
  readonly name: string;
}

/** The table as a relation, itself first. `like`: the relation of another state whose columns' positions it takes over. */
export function relationOf({ number, name, columns }: Table, key: DocumentKey, like: Table | null = null): [RelationObject, ...AttributeObject[]] {
  const there = like?.relation ?? null;
  let last = there?.object.attnums ?? 0;
  const place = (column: number, i: number): number => (there === null ? i + 1 : (there.attributes.find((each) => each.number === column)?.attnum ?? ++last));
  const attributes = columns.map((column, i) => fieldAttribute(number, column.number, column.name, column.type, place(column.number, i + 1)));
  const id = { ...plainAttribute(number, ID_COLUMN, 'id', FIELD_OIDS.text, place(ID_COLUMN, 0)), notNull: true };
  const relation: RelationObject = {
    what: 'relation',
    number,
    schema: 'public',
    name,
    key: [ID_COLUMN],
    numeric: false,
    primaryKey: { number: key.number, name: key.name },
    attnums: there === null ? columns.length + 1 : last,
    dropped: [],
    epoch: 0,
    documents: true,
    idsInKeys: true,
  };
  return [relation, id, ...attributes];
}

/** Definitions that the state has in the form of documents, in the other form. */
export function relationRows(catalog: Catalog, objects: readonly CatalogObject[]): RowChange[] {
  return objects.map((object) => {
    const key = definitionKey(object);
    const before = catalog.objects.get(key);
    return { key, shape: DEFINITION_SHAPE, before: before === undefined ? null : [JSON.stringify(before)], after: [JSON.stringify(object)] };
  });
}

/** States with all tables as relations that one of them has as a relation; the given ones if that changes nothing. */
export function alike(catalogs: readonly Catalog[]): { catalogs: readonly Catalog[]; rows: readonly RowChange[][] } {
  // Mostly no side changed a definition.
  if (catalogs.every((catalog) => catalog === catalogs[0])) return { catalogs, rows: catalogs.map(() => []) };
  const documents = new Set<number>();
  for (const catalog of catalogs) for (const table of catalog.byNumber.values()) if (table.relation === null) documents.add(table.number);
  const defined = new Map<number, Table>();
  for (const catalog of catalogs) {
    for (const number of documents) {
      const table = catalog.byNumber.get(number);
      // Of several the first with its ids, whose columns have the positions that were given first.
      if (table?.relation && (!defined.has(number) || defined.get(number)!.relation!.object.idsInKeys !== true)) defined.set(number, table);
    }
  }
  const rows = catalogs.map((catalog): RowChange[] => {
    const own = [...defined].flatMap(([number, like]) => {
      const table = catalog.byNumber.get(number);
      return table === undefined || table.relation !== null ? [] : relationRows(catalog, relationOf(table, keyLike(table, like), like));
    });
    return own.sort((a, b) => (a.key < b.key ? -1 : 1));
  });
  return { catalogs: catalogs.map((catalog, i) => (rows[i].length === 0 ? catalog : catalogAfter(catalog, rows[i]))), rows };
}

/** The key that the table has in another state, unless that state gave it another name with the table's. */
function keyLike({ name }: Table, { relation, name: there }: Table): DocumentKey {
  const key = relation!.object.primaryKey;
  return { number: key?.number ?? 0, name: key === null || name !== there ? documentKeyName(name) : key.name };
}

/**
 * Tables of documents that a foreign key points at, or that have a trigger or a rule: folders of earlier releases hold such tables. They are
 * written as relations, so that what they must keep is kept; `rows` as those of `alike`.
 */
export function boundAsRelations(catalog: Catalog, keyOf: (table: Table) => DocumentKey): { readonly catalog: Catalog; readonly rows: readonly RowChange[] } {
  let known = bound.get(catalog);
  if (known === undefined) {
    const numbers = new Set<number>();
    for (const object of catalog.objects.values()) {
      if (object.what === 'foreign key') numbers.add(object.target);
      else if (object.what === 'trigger' || object.what === 'rule') numbers.add(object.table);
    }
    const tables = [...numbers].flatMap((number) => catalog.byNumber.get(number) ?? []).filter(({ relation }) => relation === null);
    const rows = tables.flatMap((table) => relationRows(catalog, relationOf(table, keyOf(table)))).sort((a, b) => (a.key < b.key ? -1 : 1));
    known = rows.length === 0 ? { catalog, rows } : { catalog: catalogAfter(catalog, rows), rows };
    bound.set(catalog, known);
  }
  return known;
}

const bound = new WeakMap<Catalog, { readonly catalog: Catalog; readonly rows: readonly RowChange[] }>();

/**
 * Changes of definitions that were made over a state in this form, as changes of the state as it is: `rows` of `alike` join those of the tables
 * that they change.
 */
export function withRelations(changes: readonly RowChange[], rows: readonly RowChange[]): readonly RowChange[] {
  if (rows.length === 0) return changes;
  const tables = new Set(changes.map(tableOfRow));
  const own = rows.filter((row) => tables.has(tableOfRow(row)));
  return changedAfter(own, changes).filter(({ before, after }) => before !== null || after !== null);
}

function tableOfRow({ before, after }: RowChange): number | null {
  return tableOf(catalogObject((after ?? before)![0] as string));
}
