/**
 * Attaching and detaching partitions: what a new one gets from its parent (keys, indexes, foreign keys), the check that its rows
 * satisfy the bounds, and what a detached one keeps.
 */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ForeignKeyObject, IndexObject, PartitionBoundObject } from '../../worlds/definition.ts';
import { addPrimaryKey, forbidNulls, indexObjects, relationObject } from './alter-table.ts';
import { addForeignKey, eachRow } from './constraint.ts';
import { createIndex, type IndexSpec } from './create-index.ts';
import type { Ddl } from './ddl.ts';
import { factsOf, includedInKey } from './facts.ts';
import { columnsBelow, descendants, partitionKeys, partitionTest } from './hierarchy.ts';
import { becomeChild, leaveParent, refuseCircle } from './inherit.ts';
import { keyText } from './row-errors.ts';
import { bm25Index } from './searched-fields.ts';
import { hasPrimaryKey, type Index, type SqlTable } from './table.ts';
import { giveTriggers, takeTriggers } from './triggers.ts';

export function isPartitioned(table: SqlTable): boolean {
  return table.inheritance?.partitionBy != null;
}

const tableNow = (ddl: Ddl, { number }: SqlTable): SqlTable => ddl.schema.tables.get(number)!;

// --- rows

/** Tables at or below one that store rows. */
function holders(ddl: Ddl, table: SqlTable): SqlTable[] {
  return [table, ...descendants(ddl.schema, table)].filter((each) => !isPartitioned(each));
}

/** 23514 if rows of the partition violate its (new) bound, or rows of the default partition belong in it. */
export function checkPartitionRows(ddl: Ddl, parent: SqlTable, partition: SqlTable, rows: boolean): void {
  const refused = (tables: readonly SqlTable[], of: SqlTable, message: string): void => {
    for (const table of tables) {
      const test = partitionTest(ddl.schema, table, ddl.compiler);
      if (test === null) continue;
      eachRow(ddl, table, (row) => {
        if (!test(row)) throw new SvcError('23514', message, { status: 400, data: { schema: of.schema, table: of.name } });
      });
    }
  };
  if (rows) refused(holders(ddl, tableNow(ddl, partition)), partition, `partition constraint of relation "${partition.name}" is violated by some row`);
  const keys = partitionKeys(ddl.schema, tableNow(ddl, parent));
  const other = keys.default < 0 ? null : keys.tables[keys.default];
  if (other === null || other.number === partition.number) return;
  refused(holders(ddl, other), other, `updated partition constraint for default partition "${other.name}" would be violated by some row`);
}

// --- keys and indexes

/** Unique keys are enforced per partition, so they must include the partition key. */
export function refuseUncovered(table: SqlTable, columns: readonly (string | null)[], what: 'PRIMARY KEY' | 'UNIQUE' | 'EXCLUDE'): void {
  const partitioning = table.inheritance?.partitionBy ?? null;
  if (partitioning === null) return;
  for (const { column } of partitioning.elements) {
    if (column === null) {
      throw new SvcError('0A000', `unsupported ${what} constraint with partition key definition`, {
        detail: `${what} constraints cannot be used when partition keys include expressions.`,
      });
    }
    const { name } = table.columns[column];
    if (columns.includes(name)) continue;
    throw new SvcError('0A000', 'unique constraint on partitioned table must include all partitioning columns', {
      detail: `${what} constraint on table "${table.name}" lacks column "${name}" which is part of the partition key.`,
    });
  }
}

/** A comparable form of an index's columns, by name. */
function indexForm(table: SqlTable, { columns, include, unique, nullsNotDistinct, where, method }: Index): string {
  const names = columns.map(({ column, expression, descending, nullsFirst, operatorClass, ownClass }) => [
    column === null ? null : table.columns[column].name,
    expression,
    descending,
    nullsFirst,
    operatorClass,
    ownClass,
  ]);
  return JSON.stringify([names, include.map((column) => table.columns[column].name), unique, nullsNotDistinct, where, method]);
}

/** Whether an index of a partition matches one of its parent; `index` null: a primary key. */
export function sameIndex(
  whole: { readonly index: Index | null; readonly table: SqlTable },
  part: { readonly index: Index | null; readonly table: SqlTable },
): boolean {
  const keyOf = (table: SqlTable): string => table.key.columns.map((column) => table.columns[column].name).join('\0');
  if (whole.index === null || part.index === null) return whole.index === part.index && keyOf(whole.table) === keyOf(part.table);
  return indexForm(whole.table, whole.index) === indexForm(part.table, part.index);
}

/** The partition's part of its parent's index: a matching one, or a new one. */
function indexPart(ddl: Ddl, parent: SqlTable, child: SqlTable, index: Index): void {
  // Rows of a foreign table cannot be indexed.
  if (child.foreign !== undefined) return;
  if (index.primary && child.primaryKey !== null) return tieKey(ddl, child, index.number, keyNames(parent));
  const form = indexForm(parent, index);
  const objects = indexObjects(ddl, child);
  const alike = child.indexes.find((own) => {
    const object = objects.find(({ number }) => number === own.number)!;
    return (
      object.parent === undefined && indexForm(child, own) === form && index.primary === own.primary && (index.constraint === null || own.constraint !== null)
    );
  });
  // A partition that has a bm25 index keeps it: it says what is read where the partition is searched by its own name.
  const own = index.method === 'bm25' ? bm25Index(child) : null;
  if (own !== null && (own !== alike || optionsOf(ddl, own) !== optionsOf(ddl, index))) return;
  if (alike !== undefined) {
    ddl.put({ ...objects.find(({ number }) => number === alike.number)!, parent: index.number });
    ddl.end();
    if (isPartitioned(child)) indexPartitions(ddl, tableNow(ddl, child), alike);
    return;
  }
  const object = indexObjects(ddl, parent).find(({ number }) => number === index.number)!;
  if (index.primary && hasPrimaryKey(child)) throw new SvcError('42P16', `multiple primary keys for table "${child.name}" are not allowed`);
  if (index.primary) for (const name of keyNames(parent)) forbidNulls(ddl, child, name);
  createIndex(ddl, specLike(parent, index, child, object, factsOf(ddl.schema, index.number)?.options), {
    constraint: index.constraint !== null,
    primary: index.primary,
    deferrable: object.deferrable,
    initiallyDeferred: object.initiallyDeferred,
  });
  ddl.end();
}

function optionsOf(ddl: Ddl, { number }: Index): string {
  return JSON.stringify([...(factsOf(ddl.schema, number)?.options ?? [])].sort());
}

function specLike(parent: SqlTable, index: Index, child: SqlTable, object: IndexObject, options?: readonly string[]): IndexSpec {
  return {
    table: child.number,
    name: null,
    ifNotExists: false,
    unique: index.unique,
    nullsNotDistinct: index.nullsNotDistinct,
    method: index.method,
    columns: index.columns.map(({ column, expression, type, descending, nullsFirst, operatorClass, ownClass, folding }, i) => ({
      folding: folding?.locale ?? null,
      operatorClass,
      ownClass,
      column: column === null ? null : parent.columns[column].name,
      expression:
        expression === null ? null : { sql: expression, type, typmod: object.columns[i].typmod, name: /^"?([a-z_][a-z0-9_]*)"?\(/.exec(expression)?.[1] },
      descending,
      nullsFirst,
    })),
    include: index.include.map((column) => parent.columns[column].name),
    where: index.where,
    parent: index.number,
    options,
    ...(object.exclusion === undefined ? {} : { exclusion: object.exclusion }),
  };
}

/** Creates an index of a partitioned table on each of its partitions. */
export function indexPartitions(ddl: Ddl, table: SqlTable, index: Index): void {
  for (const child of ddl.schema.children(table.number)) {
    ddl.end();
    indexPart(ddl, tableNow(ddl, table), tableNow(ddl, child), index);
  }
}

/** 42809: uniqueness of foreign rows cannot be enforced. */
export function refuseForeignPartitions(ddl: Ddl, table: SqlTable): void {
  if (!isPartitioned(table) || !descendants(ddl.schema, table).some(({ foreign }) => foreign !== undefined)) return;
  throw new SvcError('42809', `cannot create unique index on partitioned table "${table.name}"`, {
    detail: `Table "${table.name}" contains partitions that are foreign tables.`,
  });
}

/** The primary key of a partitioned table on one of its partitions. */
function primaryKeyPart(ddl: Ddl, parent: SqlTable, child: SqlTable): void {
  const number = ddl.schema.primaryKeyNumber(parent)!;
  const names = keyNames(parent);
  if (!hasPrimaryKey(child)) {
    const include = includedInKey(ddl.schema, parent).map((column) => parent.columns[column].name);
    addPrimaryKey(ddl, child, { name: null, columns: names, include, options: factsOf(ddl.schema, number)?.options, parent: number });
    ddl.end();
    return;
  }
  tieKey(ddl, child, number, names);
}

/** Column names of the primary key, whether it orders the rows or is deferrable. */
function keyNames({ columns, key, indexes }: SqlTable): string[] {
  const own = indexes.find(({ primary }) => primary)?.columns.map(({ column }) => column!) ?? key.columns;
  return own.map((column) => columns[column].name);
}

/** The partition's existing primary key becomes part of the parent's. */
function tieKey(ddl: Ddl, child: SqlTable, parent: number, names: readonly string[]): void {
  if (names.join('\0') !== keyNames(child).join('\0')) throw new SvcError('42P16', `multiple primary keys for table "${child.name}" are not allowed`);
  const relation = relationObject(ddl, child.number);
  if (relation.primaryKey !== null) ddl.put({ ...relation, primaryKey: { ...relation.primaryKey, parent } });
  else ddl.put({ ...indexObjects(ddl, child).find(({ primary }) => primary)!, parent });
  ddl.end();
}

export function keyPartitions(ddl: Ddl, table: SqlTable): void {
  for (const child of ddl.schema.children(table.number)) {
    ddl.end();
    primaryKeyPart(ddl, tableNow(ddl, table), tableNow(ddl, child));
  }
}

// --- foreign keys

function foreignKeyObjects(ddl: Ddl, table: number): readonly ForeignKeyObject[] {
  return (ddl.schema.catalog.byNumber.get(table)?.relation?.constraints ?? []).filter((each): each is ForeignKeyObject => each.what === 'foreign key');
}

function foreignKeyPart(ddl: Ddl, parent: SqlTable, child: SqlTable, key: ForeignKeyObject): void {
  const places = columnsBelow(parent, child);
  const numberIn = (number: number): number => child.columns[places[parent.columns.findIndex((column) => column.number === number)]].number;
  const columns = key.columns.map(numberIn);
  const alike = foreignKeyObjects(ddl, child.number).find(
    (each) =>
      each.parent === undefined &&
      each.target === key.target &&
      each.columns.join() === columns.join() &&
      each.targetColumns.join() === key.targetColumns.join() &&
      each.onDelete === key.onDelete &&
      each.onUpdate === key.onUpdate &&
      each.notValid !== true,
  );
  if (alike !== undefined) {
    ddl.put({ ...alike, parent: key.number });
    return ddl.end();
  }
  const target = ddl.schema.tables.get(key.target)!;
  const nameOf = (table: SqlTable, number: number): string => table.columns.find((column) => column.number === number)!.name;
  addForeignKey(ddl, child.number, {
    kind: 'foreign key',
    name: child.foreignKeys.some(({ name }) => name === key.name) || child.checks.some(({ name }) => name === key.name) ? null : key.name,
    columns: columns.map((number) => nameOf(child, number)),
    target: { schema: target.schema, name: target.name },
    targetColumns: key.targetColumns.map((number) => nameOf(target, number)),
    onDelete: key.onDelete,
    onUpdate: key.onUpdate,
    deleteColumns: key.deleteColumns.map((number) => nameOf(child, numberIn(number))),
    matchFull: key.matchFull,
    deferrable: key.deferrable,
    initiallyDeferred: key.initiallyDeferred,
    parent: key.number,
    ...(key.notValid === true ? { notValid: true } : {}),
  });
  ddl.end();
}

export function foreignKeyPartitions(ddl: Ddl, table: SqlTable, name: string): void {
  for (const child of ddl.schema.children(table.number)) {
    ddl.end();
    const key = foreignKeyObjects(ddl, table.number).find((each) => each.name === name)!;
    foreignKeyPart(ddl, tableNow(ddl, table), tableNow(ddl, child), key);
  }
}

/** Creates the partition's part of every key, index and trigger of the parent. */
export function giveParts(ddl: Ddl, parentNumber: number, childNumber: number): void {
  if (ddl.schema.tables.get(childNumber)!.foreign !== undefined) return giveForeignParts(ddl, parentNumber, childNumber);
  const parent = (): SqlTable => ddl.schema.tables.get(parentNumber)!;
  const child = (): SqlTable => ddl.schema.tables.get(childNumber)!;
  ddl.end();
  if (parent().primaryKey !== null) primaryKeyPart(ddl, parent(), child());
  for (const index of parent().indexes) indexPart(ddl, parent(), child(), index);
  for (const key of foreignKeyObjects(ddl, parentNumber)) foreignKeyPart(ddl, parent(), child(), key);
  if (ddl.schema.hasTriggers) giveTriggers(ddl, parent(), child());
}

/** A foreign table has no indexes: plain ones are left out, unique ones refused. */
function giveForeignParts(ddl: Ddl, parentNumber: number, childNumber: number): void {
  const parent = ddl.schema.tables.get(parentNumber)!;
  const child = ddl.schema.tables.get(childNumber)!;
  if (parent.primaryKey !== null || parent.indexes.some(({ unique }) => unique)) {
    throw new SvcError('42809', `cannot create foreign partition of partitioned table "${parent.name}"`, {
      detail: `Table "${parent.name}" contains indexes that are unique.`,
    });
  }
  if (ddl.schema.hasTriggers) giveTriggers(ddl, parent, child);
}

// --- ATTACH, DETACH

export function attachPartition(ddl: Ddl, parent: SqlTable, child: SqlTable, bound: PartitionBoundObject, places: readonly number[]): void {
  const wrong = (message: string): never => {
    throw new SvcError('42809', message);
  };
  const own = child.inheritance;
  if (own !== null && own.bound !== null) wrong(`"${child.name}" is already a partition`);
  if (relationObject(ddl, child.number).ofType !== undefined) wrong('cannot attach a typed table as partition');
  if (own !== null && own.parents.length > 0) wrong('cannot attach inheritance child as partition');
  if (!isPartitioned(child) && ddl.schema.children(child.number).length > 0) wrong('cannot attach inheritance parent as partition');
  refuseCircle(ddl, parent, child);
  for (const { name } of child.columns) {
    if (parent.columns.some((column) => column.name === name)) continue;
    throw new SvcError('42804', `table "${child.name}" contains column "${name}" not found in parent "${parent.name}"`, {
      detail: 'The new partition may contain only the columns present in parent.',
    });
  }
  partitionKeys(ddl.schema, parent).refuseOverlap(child.name, bound, places);
  becomeChild(ddl, parent, child, { bound });
  ddl.end();
  checkPartitionRows(ddl, parent, child, true);
  giveParts(ddl, parent.number, child.number);
}

export function detachPartition(ddl: Ddl, parent: SqlTable, child: SqlTable): void {
  refuseIfReferenced(ddl, child);
  leaveParent(ddl, parent, child);
  takeTriggers(ddl, child.number);
  const { primaryKey, ...relation } = relationObject(ddl, child.number);
  if (primaryKey?.parent !== undefined) {
    const { parent: _, ...plain } = primaryKey;
    ddl.put({ ...relation, primaryKey: plain });
  }
  for (const object of indexObjects(ddl, child)) {
    if (object.parent === undefined) continue;
    const { parent: _, ...plain } = object;
    ddl.put(plain);
  }
  for (const object of foreignKeyObjects(ddl, child.number)) {
    if (object.parent === undefined) continue;
    const { parent: _, ...plain } = object;
    ddl.put(plain);
  }
}

/** Rows that foreign keys to the parent reference must not leave it. */
function refuseIfReferenced(ddl: Ddl, child: SqlTable): void {
  for (const holder of holders(ddl, child)) {
    for (const { table, key } of ddl.schema.referencing(holder.number)) {
      if (key.whole === undefined) continue;
      const codecs = key.targetColumns.map((column) => ddl.schema.columnCodec(holder.columns[column]));
      const there = new Set<string>();
      eachRow(ddl, holder, (row) => {
        const values = key.targetColumns.map((column) => row[column]);
        if (!values.includes(null)) there.add(values.map((value, i) => codecs[i].encode(value)).join('\0'));
      });
      if (there.size === 0) continue;
      for (const pointing of holders(ddl, table)) {
        const places = columnsBelow(table, pointing);
        const columns = key.columns.map((column) => places[column]);
        eachRow(ddl, pointing, (row) => {
          const values = columns.map((column) => row[column]);
          if (values.includes(null) || !there.has(values.map((value, i) => codecs[i].encode(value)).join('\0'))) return;
          const names = key.targetColumns.map((column) => holder.columns[column].name);
          const types = key.targetColumns.map((column) => holder.columns[column].type);
          throw new SvcError('23503', `removing partition "${child.name}" violates foreign key constraint "${key.name}"`, {
            detail: `${keyText(names, types, values, STORED)} is still referenced from table "${pointing.name}".`,
          });
        });
      }
    }
  }
}
