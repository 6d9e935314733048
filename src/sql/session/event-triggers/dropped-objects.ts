/** pg_event_trigger_dropped_objects: the objects that a statement dropped, each before its parts. */
import {
  type CatalogObject,
  columnDefinitionKey,
  definitionKey,
  isTemporarySchema,
  rowArrayOid,
  rowTypeOid,
  type TypeObject,
} from '../../../worlds/definition.ts';
import type { CatalogNames } from '../../catalog/catalog-names.ts';
import { rewriteOid, viewDefaultOid } from '../../catalog/fixed-oids.ts';
import type { DefinitionLog } from '../../schema/definition-log.ts';
import type { DropTarget } from '../../schema/drop-target.ts';
import type { Schema } from '../../schema/schema.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { DefinitionStep, DefinitionWatch } from './definition-watch.ts';
import {
  addressByKind,
  addressOf,
  constraintAddress,
  defaultAddress,
  type ObjectAddress,
  relationAddress,
  rowTypeAddress,
  ruleAddress,
  typeAddress,
} from './object-address.ts';
import { plainName } from '../../../base/quote-identifier.ts';

interface Dropped {
  readonly at: ObjectAddress;
  readonly original: boolean;
  readonly normal: boolean;
}

export function droppedRows({ session, steps }: DefinitionWatch): Value[][] {
  const out: Value[][] = [];
  for (const step of steps) {
    const gone = droppedIn(step);
    if (gone.length === 0) continue;
    const names = session.catalogNamesOver(step.before);
    for (const each of gone) out.push(row(names, step.before, each));
  }
  return out;
}

function row(names: CatalogNames, before: Schema, { at, original, normal }: Dropped): Value[] {
  const found = names.identify(at.catalog, at.oid, at.column);
  const schema = found.schema === null ? schemaAround(before, found.type, at.oid) : plainName(found.schema);
  const temporary = schema !== null && isTemporarySchema(schema);
  const name = found.name === null || at.column > 0 ? null : plainName(found.name);
  const identity = temporary ? (found.identity?.replace(found.schema ?? schema, 'pg_temp') ?? null) : found.identity;
  const parts = temporary ? (found.names?.map((part) => part.replace(schema, 'pg_temp')) ?? null) : found.names;
  return [
    at.catalog,
    at.oid,
    at.column,
    original,
    normal,
    temporary,
    found.type,
    temporary ? 'pg_temp' : schema,
    name,
    identity,
    new ArrayValue(parts ?? []),
    new ArrayValue(found.args),
  ];
}

/** For triggers and policies Postgres reports the schema of their relation. */
function schemaAround(before: Schema, type: string, oid: number): string | null {
  if (type !== 'trigger' && type !== 'policy') return null;
  const lists = type === 'trigger' ? [...before.triggered] : [...before.secured].map(([table, { policies }]) => [table, policies] as const);
  const table = lists.find(([, list]) => list.some(({ number }) => number === oid))?.[0];
  return table === undefined ? null : (before.tables.get(table)?.schema ?? before.views.get(table)?.schema ?? null);
}

function droppedIn({ log, before, after }: DefinitionStep): Dropped[] {
  const out: Dropped[] = [];
  const seen = new Set<string>();
  const add = (at: ObjectAddress | null, original: boolean, normal: boolean): void => {
    const key = at === null ? '' : `${at.catalog} ${at.oid} ${at.column}`;
    if (at === null || seen.has(key)) return;
    seen.add(key);
    out.push({ at, original, normal });
  };
  const columns = new Set(log.dropped.flatMap(({ target }) => (target.kind === 'column' ? [target.column] : [])));
  // An object that names or uses a dropped one is reported as such, even if it is also part of another dropped object.
  const said = new Map(
    log.dropped.flatMap(({ target, original, uses }) =>
      addressesOf(before, target)
        .slice(0, 1)
        .map((at) => [keyOf(at), { original, uses }] as const),
    ),
  );
  const later: ObjectAddress[] = [];
  for (const { target, original, uses } of log.dropped) {
    if (target.kind === 'default' && columns.has(target.column)) continue;
    const [own, ...parts] = addressesOf(before, target);
    if (own === undefined) continue;
    add(own, original, uses);
    for (const part of parts) {
      const known = said.get(keyOf(part));
      const late = target.kind === 'column' && part.catalog === defaultAddress(0).catalog;
      const normal = known?.uses === true || isOfOwnSequence(before, part) || isReturn(before, part) || isInDroppedSchema(before, log, part);
      if (late) later.push(part);
      else add(part, known?.original ?? false, normal);
    }
  }
  // The default of a column goes after all dependents of the column.
  for (const part of later) add(part, false, isOfOwnSequence(before, part));
  for (const object of log.removed) if (!isStill(after, object)) for (const at of removedAddresses(object)) add(at, out.length === 0, false);
  for (const object of log.put) for (const at of lostParts(before, after, object)) add(at, out.length === 0, false);
  return out;
}

function keyOf({ catalog, oid, column }: ObjectAddress): string {
  return `${catalog} ${oid} ${column}`;
}

/** The default of a serial column depends on its sequence, as it would on any other. */
function isOfOwnSequence(before: Schema, at: ObjectAddress): boolean {
  if (at.catalog !== defaultAddress(0).catalog) return false;
  for (const { ownedBy } of before.sequences.values()) if (ownedBy?.column === at.oid) return true;
  return false;
}

/** A sequence also depends on its schema, even if a column owns it. */
function isInDroppedSchema(before: Schema, log: DefinitionLog, { catalog, oid }: ObjectAddress): boolean {
  const sequence = catalog === relationAddress(0).catalog ? before.sequences.get(oid) : undefined;
  if (sequence === undefined) return false;
  const schema = before.schemas.get(sequence.schema);
  return log.dropped.some(({ target }) => target.kind === 'schema' && target.number === schema);
}

/** The _RETURN rule of a view. */
function isReturn(before: Schema, { catalog, oid }: ObjectAddress): boolean {
  return catalog === ruleAddress(0).catalog && (before.views.has(oid - rewriteOid(0)) || before.tables.has(oid - rewriteOid(0)));
}

/** The object, then its parts that have addresses of their own. */
function addressesOf(before: Schema, target: DropTarget): ObjectAddress[] {
  switch (target.kind) {
    case 'table':
      return tableAddresses(before, target.number);
    case 'view': {
      const defaults = before.views.get(target.number)?.columns.flatMap((column, i) => (column.default === undefined ? [] : [i + 1])) ?? [];
      return [
        ...rowsOf(target.number),
        ruleAddress(rewriteOid(target.number)),
        ...defaults.map((attnum) => defaultAddress(viewDefaultOid(target.number, attnum))),
      ];
    }
    // Not a member of the world: only its dependents go.
    case 'extension member':
      return [];
    case 'sequence':
    case 'index':
      return [relationAddress(target.number)];
    case 'type': {
      const own = before.types.get(target.number);
      return own === undefined ? [] : typeAddresses(own.object);
    }
    case 'schema':
    case 'function':
    case 'operator':
    case 'operator class':
    case 'operator family':
    case 'cast':
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
      return [addressByKind(target.kind, target.number)!];
    case 'extended statistics':
      return [addressByKind('statistics', target.number)!];
    case 'publication': {
      const members = [...before.plain.of('publication table').values(), ...before.plain.of('publication schema').values()];
      return [before.publications.get(target.number)!, ...members.filter(({ publication }) => publication === target.number)].map((each) => addressOf(each)!);
    }
    case 'family operator':
    case 'family function':
    case 'publication table':
      return [addressOf(before.plain.of(target.kind).get(target.number)!)!];
    case 'subscription':
    case 'foreign data wrapper':
    case 'server':
    case 'user mapping':
    case 'extension':
      return [addressByKind(target.kind, target.number)!];
    case 'event trigger':
      return [];
    case 'column': {
      const column = before.tables.get(target.table)?.columns.find(({ number }) => number === target.column);
      if (column === undefined) return [];
      return [relationAddress(target.table, column.attnum), ...(column.default === null && column.generated === null ? [] : [defaultAddress(target.column)])];
    }
    case 'default':
      return [defaultAddress(target.column)];
    case 'view default':
      return [defaultAddress(viewDefaultOid(target.view, target.attnum))];
    case 'domain constraint': {
      const domain = before.types.get(target.domain)?.object;
      const check = domain?.what === 'domain' ? domain.checks.find(({ name }) => name === target.name) : undefined;
      return check === undefined ? [] : [constraintAddress(check.number)];
    }
    case 'attribute':
      return [relationAddress(target.composite, target.attnum)];
    case 'constraint': {
      const table = before.tables.get(target.table);
      if (table === undefined) return [];
      const plain = [...table.checks, ...table.foreignKeys].find(({ name }) => name === target.name);
      if (plain !== undefined) return [constraintAddress(plain.number)];
      const index =
        table.primaryKey === target.name ? before.primaryKeyNumber(table) : table.indexes.find(({ constraint }) => constraint === target.name)?.number;
      return index === undefined ? [] : [constraintAddress(index), relationAddress(index)];
    }
    case 'policy': {
      const policy = [...before.secured].find(([table]) => table === target.table)?.[1].policies.find(({ name }) => name === target.name);
      return policy === undefined ? [] : [addressByKind('policy', policy.number)!];
    }
    case 'trigger': {
      const trigger = before.triggers(target.table).find(({ name }) => name === target.name);
      return trigger === undefined ? [] : [addressByKind('trigger', trigger.number)!];
    }
    case 'rule': {
      const rule = before.rules(target.table).find(({ name }) => name === target.name);
      return rule === undefined ? [] : [ruleAddress(rule.number)];
    }
  }
}

/** A relation with its row type and the array type of that. */
function rowsOf(number: number): ObjectAddress[] {
  return [relationAddress(number), rowTypeAddress(number), typeAddress(rowArrayOid(number))];
}

function tableAddresses(before: Schema, number: number): ObjectAddress[] {
  const table = before.tables.get(number);
  if (table === undefined) return [];
  const later: { number: number; at: ObjectAddress[] }[] = [
    ...table.indexes.map((index) => ({
      number: index.number,
      at: index.constraint === null ? [relationAddress(index.number)] : [constraintAddress(index.number), relationAddress(index.number)],
    })),
    ...table.foreignKeys.map((key) => ({ number: key.number, at: [constraintAddress(key.number)] })),
    ...before.triggers(number).map((trigger) => ({ number: trigger.number, at: [addressByKind('trigger', trigger.number)!] })),
    ...before.rules(number).map((rule) => ({ number: rule.number, at: [ruleAddress(rule.number)] })),
    ...([...before.secured].find(([each]) => each === number)?.[1].policies ?? []).map((policy) => ({
      number: policy.number,
      at: [addressByKind('policy', policy.number)!],
    })),
  ];
  const key = table.primaryKey === null ? undefined : before.primaryKeyNumber(table);
  const defaults = table.columns.filter((column) => column.default !== null || column.generated !== null);
  return [
    relationAddress(number),
    ...before.sequencesOwnedBy(number).map((sequence) => relationAddress(sequence.number)),
    typeAddress(rowTypeOid(number)),
    typeAddress(rowArrayOid(number)),
    ...(table.materialized === null ? [] : [ruleAddress(rewriteOid(number))]),
    ...defaults.map((column) => defaultAddress(column.number)),
    ...table.checks.map((check) => constraintAddress(check.number)),
    ...(key === undefined ? [] : [constraintAddress(key), relationAddress(key)]),
    ...later.sort((a, b) => a.number - b.number).flatMap(({ at }) => at),
  ];
}

function typeAddresses(object: TypeObject): ObjectAddress[] {
  const own = typeAddress(object.number);
  const array = typeAddress(object.array);
  switch (object.what) {
    case 'enum':
    case 'base':
      return object.array === 0 ? [own] : [own, array];
    case 'domain':
      return [own, array, ...object.checks.map(({ number }) => constraintAddress(number))];
    case 'composite':
      return [own, relationAddress(object.number), array];
    case 'range':
      return [own, array, typeAddress(object.multirange), typeAddress(object.multirangeArray)];
  }
}

// --- objects that go without DROP

/** An object that a statement removes and adds again, in another form or under another number, is not dropped. */
function isStill(after: Schema, object: CatalogObject): boolean {
  if (object.what !== 'attribute') return after.catalog.objects.has(definitionKey(object));
  return after.tables.get(object.table)?.columns.some(({ attnum }) => attnum === object.attnum) !== false;
}

function removedAddresses(object: CatalogObject): ObjectAddress[] {
  const own = addressOf(object);
  if (own === null) return [];
  return object.what === 'index' && object.constraint !== null ? [constraintAddress(object.number), own] : [own];
}

/** Defaults of columns, conditions of domains, attributes of types, primary keys. */
function lostParts(before: Schema, after: Schema, object: CatalogObject): ObjectAddress[] {
  const key = object.what === 'attribute' ? columnDefinitionKey(object.table, object.number) : definitionKey(object);
  const was = before.catalog.objects.get(key);
  const is = after.catalog.objects.get(key);
  if (was === undefined || is === undefined) return [];
  if (was.what === 'attribute' && is.what === 'attribute') {
    const had = was.default !== null || was.generated !== null;
    return had && is.default === null && is.generated === null ? [defaultAddress(was.number)] : [];
  }
  if (was.what === 'domain' && is.what === 'domain') {
    return was.checks.filter(({ number }) => !is.checks.some((check) => check.number === number)).map(({ number }) => constraintAddress(number));
  }
  if (was.what === 'composite' && is.what === 'composite') {
    const gone = was.attributes.filter(({ attnum }) => !is.attributes.some((attribute) => attribute.attnum === attnum));
    return gone.map(({ attnum }) => relationAddress(was.number, attnum));
  }
  if (was.what === 'relation' && is.what === 'relation' && was.primaryKey !== null && is.primaryKey?.number !== was.primaryKey.number)
    return [constraintAddress(was.primaryKey.number), relationAddress(was.primaryKey.number)];
  return [];
}
