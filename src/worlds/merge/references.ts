/** Finds the first reference of a definition that is missing in the result of a merge. */
import { ID_COLUMN } from '../document-relation.ts';
import type { Catalog } from '../catalog.ts';
import {
  FIRST_OWN,
  type CatalogObject,
  columnDefinitionKey,
  definitionKey,
  isTypeObject,
  relationOfRowType,
  tableDefinitionKey,
  typeOids,
} from '../definition.ts';
import { functionKey, numberedKey, viewKey } from '../kinds/keys.ts';
import type { Reference } from '../kinds/reference.ts';
import { referencesOf } from '../kinds/registry.ts';
import { PUBLIC_DROPPED } from '../kinds/dropped-schema.ts';
import { describeDefinition, mentions, type Objects } from './definition-names.ts';

export interface Lacking {
  /** `part`: the object is dropped with it, silently. `renamed`: it exists under another name, which the text does not use. */
  readonly kind: 'dropped' | 'renamed' | 'part';
  /** Of the definition that would have to be restored. */
  readonly key: string;
  readonly what: string;
}

/** `source`: the catalog that the object comes from; null if it was joined from both sides. `follows`: its texts already use the new names. */
export function lackingReference(object: CatalogObject, objects: Objects, source: Catalog | null, follows = false): Lacking | null {
  for (const reference of referencesOf(object)) {
    if (reference.walked === 'drop' || reference.walked === 'neither') continue;
    const lacking = lackingOf(reference, objects, source, follows);
    if (lacking !== null) return lacking;
  }
  return null;
}

function lackingOf(reference: Reference, objects: Objects, source: Catalog | null, follows: boolean): Lacking | null {
  const lost = (key: string, what: string): Lacking => ({ kind: reference.how === 'part' ? 'part' : 'dropped', key, what: reference.called ?? what });
  switch (reference.to) {
    case 'relation': {
      const key = tableDefinitionKey(reference.number);
      return objects.has(key) || objects.has(viewKey(reference.number)) ? null : lost(key, 'a table');
    }
    case 'column': {
      // The id of documents, which has no definition of its own yet.
      if (reference.column === ID_COLUMN && objects.get(tableDefinitionKey(reference.table))?.what === 'table') return null;
      const key = columnDefinitionKey(reference.table, reference.column);
      return objects.has(key) || objects.has(viewKey(reference.table)) ? null : lost(key, describedIn(source, key) ?? 'a column');
    }
    case 'columns':
      return inText(reference.text, reference.table, objects, source);
    case 'unique key':
      return uniqueTarget(reference, objects, source);
    case 'used':
      return usedOf(reference, objects, source, follows);
    case 'type':
      return source === null ? null : typeOf(reference.oid, objects, source);
    case 'schema':
      return schemaOf(reference.name, objects, source);
    case 'collation':
    case 'extension':
    case 'role':
    case 'object':
      return null;
    default: {
      const key = numberedKey(reference.to, reference.number);
      // System objects always exist.
      return key === null || reference.number < FIRST_OWN || objects.has(key) ? null : lost(key, describedIn(source, key) ?? 'a function');
    }
  }
}

/** Whether the object needs the relation, its row type or columns of it. */
export function refersTo(object: CatalogObject, relation: number): boolean {
  return referencesOf(object).some((each) => leadsTo(each, relation));
}

export function leadsTo(reference: Reference, relation: number): boolean {
  switch (reference.to) {
    case 'column':
    case 'columns':
    case 'unique key':
      return reference.table === relation;
    case 'relation':
    case 'used':
      return reference.number === relation;
    case 'type':
      return relationOfRowType(reference.oid) === relation;
    default:
      return false;
  }
}

function describedIn(source: Catalog | null, key: string): string | null {
  const known = source?.objects.get(key);
  return known === undefined ? null : describeDefinition(known);
}

function typeOf(oid: number, objects: Objects, source: Catalog): Lacking | null {
  if (oid < FIRST_OWN) return null;
  const relation = relationOfRowType(oid);
  if (relation !== null) {
    const key = [tableDefinitionKey(relation), viewKey(relation)].find((each) => source.objects.has(each));
    return key === undefined || objects.has(key) ? null : { kind: 'dropped', key, what: describeDefinition(source.objects.get(key)!) };
  }
  for (const each of objects.values()) if (isTypeObject(each) && typeOids(each).includes(oid)) return null;
  for (const [key, each] of source.objects) {
    if (isTypeObject(each) && typeOids(each).includes(oid)) return { kind: 'dropped', key, what: describeDefinition(each) };
  }
  return null;
}

function schemaOf(name: string, objects: Objects, source: Catalog | null): Lacking | null {
  if (name === 'pg_catalog') return null;
  if (name === 'public') {
    const gone = objects.get(PUBLIC_DROPPED);
    if (gone !== undefined) return { kind: 'dropped', key: PUBLIC_DROPPED, what: describeDefinition(gone) };
    return null;
  }
  for (const each of objects.values()) if (each.what === 'schema' && each.name === name) return null;
  for (const [key, each] of source?.objects ?? []) {
    if (each.what === 'schema' && each.name === name) return { kind: 'dropped', key, what: describeDefinition(each) };
  }
  return null;
}

/** A relation, function or primary key used by a text, and the columns that it reads. */
function usedOf({ number, columns }: Extract<Reference, { to: 'used' }>, objects: Objects, source: Catalog | null, follows: boolean): Lacking | null {
  for (const key of [tableDefinitionKey(number), viewKey(number), functionKey(number)]) {
    const known = source?.objects.get(key);
    if (known === undefined || known.what === 'table') continue;
    const now = objects.get(key);
    if (now === undefined) return { kind: 'dropped', key, what: describeDefinition(known) };
    if (!follows && 'name' in known && 'name' in now && 'schema' in known && 'schema' in now && (known.name !== now.name || known.schema !== now.schema)) {
      return { kind: 'renamed', key, what: describeDefinition(known) };
    }
  }
  // Joined from both sides, it has no source: its columns are checked all the same.
  if (source === null && objects.get(tableDefinitionKey(number))?.what === 'relation') {
    const key = columns.map((each) => columnDefinitionKey(number, each)).find((each) => !objects.has(each));
    return key === undefined ? null : { kind: 'dropped', key, what: 'a column' };
  }
  if (!source?.byNumber.get(number)?.relation) {
    const isOther = source?.objects.has(viewKey(number)) === true || source?.objects.has(functionKey(number)) === true;
    return isOther ? null : lostKey(number, objects, source);
  }
  for (const each of columns) {
    const key = columnDefinitionKey(number, each);
    const [known, now] = [source.objects.get(key), objects.get(key)];
    if (now === undefined) return { kind: 'dropped', key, what: known === undefined ? 'a column' : describeDefinition(known) };
    if (!follows && known?.what === 'attribute' && now.what === 'attribute' && known.name !== now.name) {
      return { kind: 'renamed', key, what: describeDefinition(known) };
    }
  }
  return null;
}

/** The table that had this primary key and has lost it. */
function lostKey(number: number, objects: Objects, source: Catalog | null): Lacking | null {
  for (const { relation } of source?.byNumber.values() ?? []) {
    if (relation?.object.primaryKey?.number !== number) continue;
    const key = tableDefinitionKey(relation.object.number);
    const now = objects.get(key);
    return now?.what === 'relation' && now.primaryKey?.number === number
      ? null
      : { kind: 'dropped', key, what: `the primary key of table ${relation.object.name}` };
  }
  return null;
}

/** A foreign key needs a primary key or a unique index over the referenced columns. */
function uniqueTarget({ table, columns }: Extract<Reference, { to: 'unique key' }>, objects: Objects, source: Catalog | null): Lacking | null {
  const same = (a: readonly (number | null)[]): boolean => a.length === columns.length && a.every((each) => each !== null && columns.includes(each));
  const target = objects.get(tableDefinitionKey(table));
  if (target?.what !== 'relation' || same(target.key)) return null;
  for (const each of objects.values()) {
    if (each.what === 'index' && each.table === table && each.unique && each.where === null && same(each.columns.map(({ column }) => column))) return null;
  }
  for (const [key, each] of source?.objects ?? []) {
    if (each.what === 'index' && each.table === table && each.unique && same(each.columns.map(({ column }) => column))) {
      return { kind: 'dropped', key, what: describeDefinition(each) };
    }
  }
  return { kind: 'dropped', key: definitionKey(target), what: `the primary key of ${describeDefinition(target)}` };
}

/** Dropped columns named in a text. */
function inText(sql: string, table: number, objects: Objects, source: Catalog | null): Lacking | null {
  for (const attribute of source?.byNumber.get(table)?.relation?.attributes ?? []) {
    const key = definitionKey(attribute);
    if (!objects.has(key) && mentions(sql, attribute.name)) return { kind: 'dropped', key, what: describeDefinition(attribute) };
  }
  return null;
}
