/** What a definition needs and the result of a merge does not have. */
import type { Catalog } from '../catalog.ts';
import {
  FIRST_OWN,
  type CatalogObject,
  columnDefinitionKey,
  definitionKey,
  isTypeObject,
  operatorClassKey,
  operatorFamilyKey,
  operatorKey,
  ownRoutine,
  publicationKey,
  relationOfRowType,
  routinesWithin,
  searchDictionaryKey,
  serverKey,
  tableDefinitionKey,
  typeOids,
  typesWithin,
  wrapperKey,
} from '../definition.ts';
import { describeDefinition, mentions, type Objects, pad } from './definition-names.ts';

export interface Lacking {
  /** `part`: the object goes with it, silently. `renamed`: it is there under another name, which the text does not know. */
  readonly kind: 'dropped' | 'renamed' | 'part';
  /** Of the definition that would have to come back. */
  readonly key: string;
  readonly what: string;
}

/** `source`: the catalog that the object comes from; null where it was put together. `follows`: its texts have new names already. */
export function lackingReference(object: CatalogObject, objects: Objects, source: Catalog | null, follows = false): Lacking | null {
  const column = (table: number, number: number): Lacking | null => {
    const key = columnDefinitionKey(table, number);
    if (objects.has(key)) return null;
    const known = source?.objects.get(key);
    return { kind: 'dropped', key, what: known === undefined ? 'a column' : describeDefinition(known) };
  };
  const columns = (table: number, numbers: readonly (number | null)[]): Lacking | null => {
    for (const number of numbers) {
      const lacking = number === null ? null : column(table, number);
      if (lacking !== null) return lacking;
    }
    return null;
  };
  const type = (oid: number): Lacking | null => {
    if (oid < FIRST_OWN || source === null) return null;
    const relation = relationOfRowType(oid);
    if (relation !== null) {
      const key = [tableDefinitionKey(relation), `v${pad(relation)}`].find((each) => source.objects.has(each));
      return key === undefined || objects.has(key) ? null : { kind: 'dropped', key, what: describeDefinition(source.objects.get(key)!) };
    }
    for (const each of objects.values()) if (isTypeObject(each) && typeOids(each).includes(oid)) return null;
    for (const [key, each] of source.objects) {
      if (isTypeObject(each) && typeOids(each).includes(oid)) return { kind: 'dropped', key, what: describeDefinition(each) };
    }
    return null;
  };
  const schema = (name: string): Lacking | null => {
    if (name === 'public' || name === 'pg_catalog') return null;
    for (const each of objects.values()) if (each.what === 'schema' && each.name === name) return null;
    for (const [key, each] of source?.objects ?? []) {
      if (each.what === 'schema' && each.name === name) return { kind: 'dropped', key, what: describeDefinition(each) };
    }
    return null;
  };
  const needed = (key: string, what: string): Lacking | null => (objects.has(key) ? null : { kind: 'dropped', key, what });
  const family = (number: number): Lacking | null => (number < FIRST_OWN ? null : needed(operatorFamilyKey(number), 'its operator family'));
  const routines = (): Lacking | null => {
    for (const number of routinesWithin(object)) {
      const key = `f${pad(number)}`;
      if (objects.has(key)) continue;
      const known = source?.objects.get(key);
      return { kind: 'dropped', key, what: known === undefined ? 'a function' : describeDefinition(known) };
    }
    return null;
  };
  /** The table whose primary key it was and is no longer. */
  const lostKey = (number: number): Lacking | null => {
    for (const { relation } of source?.byNumber.values() ?? []) {
      if (relation?.object.primaryKey?.number !== number) continue;
      const key = tableDefinitionKey(relation.object.number);
      const now = objects.get(key);
      return now?.what === 'relation' && now.primaryKey?.number === number
        ? null
        : { kind: 'dropped', key, what: `the primary key of table ${relation.object.name}` };
    }
    return null;
  };
  /** Relations, functions, columns and primary keys that a text needs. */
  const used = ({ uses }: { readonly uses: readonly { readonly object: number; readonly columns: readonly number[] }[] }): Lacking | null => {
    for (const { object: number, columns: read } of uses) {
      for (const key of [tableDefinitionKey(number), `v${pad(number)}`, `f${pad(number)}`]) {
        const known = source?.objects.get(key);
        if (known === undefined || known.what === 'table') continue;
        const now = objects.get(key);
        if (now === undefined) return { kind: 'dropped', key, what: describeDefinition(known) };
        if (!follows && 'name' in known && 'name' in now && 'schema' in known && 'schema' in now && (known.name !== now.name || known.schema !== now.schema)) {
          return { kind: 'renamed', key, what: describeDefinition(known) };
        }
      }
      const table = source?.byNumber.get(number);
      if (!table?.relation) {
        const isOther = source?.objects.has(`v${pad(number)}`) === true || source?.objects.has(`f${pad(number)}`) === true;
        const lost = isOther ? null : lostKey(number);
        if (lost !== null) return lost;
        continue;
      }
      for (const each of read) {
        const lacking = column(number, each);
        if (lacking !== null) return lacking;
        const key = columnDefinitionKey(number, each);
        const [known, now] = [source!.objects.get(key), objects.get(key)];
        if (!follows && known?.what === 'attribute' && now?.what === 'attribute' && known.name !== now.name) {
          return { kind: 'renamed', key, what: describeDefinition(known) };
        }
      }
    }
    return null;
  };
  const onView = (object.what === 'trigger' || object.what === 'rule') && objects.has(`v${pad(object.table)}`);
  if ('table' in object && object.what !== 'column' && object.what !== 'statistics' && !onView && !objects.has(tableDefinitionKey(object.table))) {
    return { kind: 'part', key: tableDefinitionKey(object.table), what: 'its table' };
  }
  switch (object.what) {
    case 'relation':
      return (
        schema(object.schema) ??
        (object.query === undefined ? null : used(object.query)) ??
        (object.foreign === undefined ? null : needed(serverKey(object.foreign.server), 'its server'))
      );
    case 'enum':
    case 'base':
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
      return schema(object.schema);
    case 'text search configuration': {
      const lacking = object.mappings.flatMap(({ dictionaries }) => dictionaries).find((each) => each >= FIRST_OWN && !objects.has(searchDictionaryKey(each)));
      return schema(object.schema) ?? (lacking === undefined ? null : { kind: 'dropped', key: searchDictionaryKey(lacking), what: 'its dictionary' });
    }
    case 'extended statistics':
      return schema(object.schema) ?? columns(object.table, object.columns);
    case 'publication table': {
      if (!objects.has(publicationKey(object.publication))) return { kind: 'part', key: publicationKey(object.publication), what: 'its publication' };
      const lacking = columns(object.table, object.columns ?? []);
      return lacking ?? (object.where === null ? null : inText(object.where, object.table, objects, source));
    }
    case 'publication schema': {
      const lacking = [publicationKey(object.publication), `s${pad(object.namespace)}`].find(
        (key, i) => !objects.has(key) && (i === 0 || object.namespace >= FIRST_OWN),
      );
      return lacking === undefined ? null : { kind: 'part', key: lacking, what: 'what it joins' };
    }
    case 'domain':
    case 'composite':
    case 'range':
      return (
        schema(object.schema) ??
        typesWithin(object)
          .map(type)
          .find((lacking) => lacking !== null) ??
        null
      );
    case 'attribute':
      return type(object.type) ?? (object.generated === null ? null : inText(object.generated, object.table, objects, source));
    case 'index': {
      for (const { ownClass } of object.columns) {
        const lacking = ownClass === undefined ? null : needed(operatorClassKey(ownClass), 'its operator class');
        if (lacking !== null) return lacking;
      }
      const named = columns(
        object.table,
        object.columns.map((each) => each.column),
      );
      if (named !== null) return named;
      for (const sql of [object.where, ...object.columns.map(({ expression }) => expression)]) {
        const lacking = sql === null ? null : inText(sql, object.table, objects, source);
        if (lacking !== null) return lacking;
      }
      return columns(object.table, object.include);
    }
    case 'check':
      return columns(object.table, object.columns);
    case 'foreign key': {
      if (!objects.has(tableDefinitionKey(object.target)))
        return { kind: 'dropped', key: tableDefinitionKey(object.target), what: 'the table that it points at' };
      return columns(object.table, object.columns) ?? columns(object.target, object.targetColumns) ?? uniqueTarget(object, objects, source);
    }
    case 'policy':
    case 'rule':
      return used(object);
    case 'trigger':
      return routines() ?? (onView ? null : columns(object.table, object.columns));
    case 'event trigger':
    case 'foreign data wrapper':
      return routines();
    case 'server':
      return needed(wrapperKey(object.wrapper), 'its foreign-data wrapper');
    case 'user mapping':
      return needed(serverKey(object.server), 'its server');
    case 'view': {
      const lacking = used(object);
      if (lacking !== null) return lacking;
      for (const { type: oid } of object.columns) {
        const lackingType = type(oid);
        if (lackingType !== null) return lackingType;
      }
      return schema(object.schema);
    }
    case 'function': {
      for (const oid of [object.returns, ...object.args.map((arg) => arg.type)]) {
        const lacking = type(oid);
        if (lacking !== null) return lacking;
      }
      return routines() ?? (object.uses === undefined ? null : used({ uses: object.uses })) ?? schema(object.schema);
    }
    case 'operator':
    case 'cast': {
      for (const oid of object.what === 'cast' ? [object.from, object.to] : [object.left, object.right, object.returns]) {
        const lacking = type(oid);
        if (lacking !== null) return lacking;
      }
      return routines() ?? (object.what === 'cast' ? null : schema(object.schema));
    }
    case 'operator family':
      return schema(object.schema);
    case 'operator class':
      return schema(object.schema) ?? family(object.family) ?? type(object.type) ?? type(object.key);
    case 'family operator':
    case 'family function': {
      if (object.class !== 0 && !objects.has(operatorClassKey(object.class))) return { kind: 'part', key: operatorClassKey(object.class), what: 'its class' };
      const operator = object.what === 'family operator' ? ownRoutine(object.operator) : null;
      return (
        (object.class === 0 ? family(object.family) : null) ??
        (operator === null ? null : needed(operatorKey(operator), 'its operator')) ??
        routines() ??
        type(object.left) ??
        type(object.right)
      );
    }
    case 'sequence': {
      const { ownedBy } = object;
      if (ownedBy !== null && !objects.has(columnDefinitionKey(ownedBy.table, ownedBy.column))) {
        return { kind: 'part', key: columnDefinitionKey(ownedBy.table, ownedBy.column), what: 'its column' };
      }
      return schema(object.schema);
    }
    default:
      return null;
  }
}

/** A foreign key needs a primary key or a unique index over what it points at. */
function uniqueTarget(object: Extract<CatalogObject, { what: 'foreign key' }>, objects: Objects, source: Catalog | null): Lacking | null {
  const same = (a: readonly (number | null)[]): boolean =>
    a.length === object.targetColumns.length && a.every((each) => each !== null && object.targetColumns.includes(each));
  const target = objects.get(tableDefinitionKey(object.target));
  if (target?.what !== 'relation' || same(target.key)) return null;
  for (const each of objects.values()) {
    if (each.what === 'index' && each.table === object.target && each.unique && each.where === null && same(each.columns.map(({ column }) => column)))
      return null;
  }
  for (const [key, each] of source?.objects ?? []) {
    if (each.what === 'index' && each.table === object.target && each.unique && same(each.columns.map(({ column }) => column))) {
      return { kind: 'dropped', key, what: describeDefinition(each) };
    }
  }
  return { kind: 'dropped', key: definitionKey(target), what: `the primary key of ${describeDefinition(target)}` };
}

/** Columns that a text names and that are gone. */
function inText(sql: string, table: number, objects: Objects, source: Catalog | null): Lacking | null {
  for (const attribute of source?.byNumber.get(table)?.relation?.attributes ?? []) {
    const key = definitionKey(attribute);
    if (!objects.has(key) && mentions(sql, attribute.name)) return { kind: 'dropped', key, what: describeDefinition(attribute) };
  }
  return null;
}
