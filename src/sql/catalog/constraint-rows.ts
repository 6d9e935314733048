/** pg_index, pg_constraint, pg_attrdef, pg_sequence and pg_depend of a world. */
import { typesWithin } from '../../worlds/definition.ts';
import { factsOf } from '../schema/facts.ts';
import type { ForeignKeyAction, SqlTable } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { vector } from './catalog-types.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import { CLASS, viewDefaultOid } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { routineDependencyRows, ruleDependencyRows } from './routine-dependencies.ts';
import { readColumns } from './read-columns.ts';
import { indexClass } from './operator-catalog.ts';
import type { RowSource } from './system-catalog.ts';
import { collationOf } from './type-rows.ts';
import type { WorldObjects } from './world-objects.ts';

function attnums(table: SqlTable, columns: readonly number[]): number[] {
  return columns.map((column) => table.columns[column].attnum);
}

export function indexRows({ objects, trees: texts, seen }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const relation of seen.relations()) {
    if (relation.kind !== 'i') continue;
    const { oid, table, index, primary, unique, columns, included, deferrable } = relation.index;
    const facts = factsOf(objects.schema, oid);
    const expressions = columns.filter(({ column }) => column === null).map(({ expression }) => texts.expression(table, expression!));
    // prettier-ignore
    rows.push([
      oid, table.number, columns.length + included.length, columns.length, unique, index?.nullsNotDistinct ?? false, primary, relation.index.exclusion !== null, !deferrable,
      facts?.clustered === true, isValid(objects, table, oid), false, true, true, facts?.replica === 'i',
      vector([...columns.map(({ column }) => (column === null ? 0 : table.columns[column].attnum)), ...attnums(table, included)]),
      vector(columns.map(({ type }) => collationOf(type))),
      vector(columns.map(({ type, operatorClass, ownClass }) => ownClass ?? indexClass(index?.method ?? 'btree', type, operatorClass))),
      vector(columns.map(({ descending, nullsFirst }) => (descending ? 1 : 0) + (nullsFirst ? 2 : 0))),
      expressions.length === 0 ? null : expressions.join(', '),
      index === null || index.where === null ? null : texts.expression(table, index.where),
    ]);
  }
  return rows;
}

/** An index of a partitioned table is valid once each partition has its part. */
function isValid({ schema }: WorldObjects, table: SqlTable, oid: number): boolean {
  if (table.inheritance?.partitionBy == null) return true;
  const isPart = (number: number | undefined): boolean => number !== undefined && schema.parentIndex(number) === oid;
  return schema.children(table.number).every((child) => isPart(schema.primaryKeyNumber(child)) || child.indexes.some(({ number }) => isPart(number)));
}

const ACTIONS: Record<ForeignKeyAction, string> = { 'no action': 'a', restrict: 'r', cascade: 'c', 'set null': 'n', 'set default': 'd' };

interface ConstraintParts {
  readonly oid: number;
  readonly name: string;
  readonly type: string;
  readonly table: SqlTable;
  readonly key: readonly number[];
  readonly deferrable?: boolean;
  readonly deferred?: boolean;
  readonly index?: number;
  readonly valid?: boolean;
  readonly parent?: number;
  readonly inherited?: number;
  readonly local?: boolean;
  readonly noInherit?: boolean;
  readonly operators?: readonly number[] | null;
}

export function constraintRows({ objects, operators, trees: texts, seen }: RowSource): Row[] {
  const rows: Row[] = [];
  const add = (
    {
      oid,
      name,
      type,
      table,
      key,
      deferrable = false,
      deferred = false,
      index = 0,
      valid = true,
      parent = 0,
      inherited,
      local,
      noInherit = type !== 'c',
      operators: excluded = null,
    }: ConstraintParts,
    foreign: readonly Value[],
    check: string | null,
  ): void => {
    const namespace = objects.namespaceOid(table.schema)!;
    const [target, onUpdate, onDelete, match, targetKey, targetOps, ownOps, otherOps, deleteSet] = foreign;
    // prettier-ignore
    rows.push([
      oid, name, namespace, type, deferrable, deferred, valid, table.number, 0, index, parent, target, onUpdate, onDelete, match, local ?? parent === 0, inherited ?? (parent === 0 ? 0 : 1), noInherit && parent === 0,
      key.length === 0 ? null : new ArrayValue(key), targetKey, targetOps, ownOps, otherOps, deleteSet, excluded === null ? null : new ArrayValue([...excluded]), check,
    ]);
  };
  const plain: readonly Value[] = [0, ' ', ' ', ' ', null, null, null, null, null];
  for (const table of seen.tables()) {
    for (const check of table.checks) {
      const object = objects.schema.catalog.byNumber.get(table.number)?.relation?.constraints.find(({ number }) => number === check.number);
      const heirloom =
        object?.what === 'check' ? { inherited: object.inherited ?? 0, local: object.notLocal !== true, noInherit: object.noInherit === true } : {};
      add(
        { oid: check.number, name: check.name, type: 'c', table, key: objects.checkColumns(table, check.number), valid: check.valid, ...heirloom },
        plain,
        texts.expression(table, check.condition),
      );
    }
    for (const { oid, constraint, primary, columns, deferrable, initiallyDeferred, exclusion } of objects.indexesOf(table.number)) {
      if (constraint === null) continue;
      const key =
        exclusion === null
          ? columns.flatMap(({ column }) => (column === null ? [] : [table.columns[column].attnum]))
          : columns.map(({ column }) => (column === null ? 0 : table.columns[column].attnum));
      const parent = table.inheritance === null ? 0 : (objects.schema.parentIndex(oid) ?? 0);
      const type = exclusion !== null ? 'x' : primary ? 'p' : 'u';
      const excluded = exclusion === null ? null : exclusion.operators.map((name, i) => operators.named(name, columns[i].type.oid));
      add({ oid, name: constraint, type, table, key, deferrable, deferred: initiallyDeferred, index: oid, parent, operators: excluded }, plain, null);
    }
    for (const key of table.foreignKeys) {
      const target = objects.schema.tables.get(key.target);
      if (target === undefined) continue;
      const pairs = key.columns.map((column, i) => [table.columns[column].type.oid, target.columns[key.targetColumns[i]].type.oid] as const);
      const equal = (list: readonly (readonly [number, number])[]): ArrayValue => new ArrayValue(list.map(([a, b]) => operators.equality(a, b)));
      add(
        {
          oid: key.number,
          name: key.name,
          type: 'f',
          table,
          key: attnums(table, key.columns),
          deferrable: key.deferrable,
          deferred: key.initiallyDeferred,
          index: objects.targetIndex(key),
          valid: key.valid,
          parent: table.inheritance === null ? 0 : parentKey(objects, table, key.number),
          noInherit: table.inheritance?.partitionBy == null,
        },
        [
          key.target,
          ACTIONS[key.onUpdate],
          ACTIONS[key.onDelete],
          key.matchFull ? 'f' : 's',
          new ArrayValue(attnums(target, key.targetColumns)),
          equal(pairs.map(([own, other]) => [other, own])),
          equal(pairs.map(([, other]) => [other, other])),
          equal(pairs.map(([own]) => [own, own])),
          key.deleteColumns.length === 0 ? null : new ArrayValue(attnums(table, key.deleteColumns)),
        ],
        null,
      );
    }
  }
  return rows;
}

function parentKey({ schema }: WorldObjects, table: SqlTable, number: number): number {
  const object = schema.catalog.byNumber.get(table.number)?.relation?.constraints.find((each) => each.number === number);
  return object?.what === 'foreign key' ? (object.parent ?? 0) : 0;
}

export function defaultRows({ trees: texts, seen }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const table of seen.tables()) {
    table.columns.forEach(({ number, attnum }, i) => {
      const text = texts.default(table, i);
      if (text !== null) rows.push([number, table.number, attnum, text]);
    });
  }
  for (const { number, columns } of seen.views()) {
    columns.forEach(({ default: text, type }, i) => {
      if (text !== undefined) rows.push([viewDefaultOid(number, i + 1), number, i + 1, texts.argument(text, type.oid)]);
    });
  }
  return rows;
}

export function sequenceRows({ seen }: RowSource): Row[] {
  return Array.from(seen.sequences(), ({ number, type, start, increment, max, min, cache, cycle }) => [
    number,
    type.oid,
    start,
    increment,
    max,
    min,
    cache,
    cycle,
  ]);
}

/** Dependencies: of columns' sequences, defaults, constraints and their indexes, views. */
export function dependencyRows(objects: WorldObjects, texts: DefinitionTexts): Row[] {
  const { schema } = objects;
  const rows: Row[] = [];
  const add = (catalog: number, oid: number, refCatalog: number, ref: number, refColumn: number, type: string): void => {
    rows.push([catalog, oid, 0, refCatalog, ref, refColumn, type]);
  };
  for (const { number, ownedBy } of schema.sequences.values()) {
    const table = ownedBy === null ? undefined : schema.tables.get(ownedBy.table);
    const column = table?.columns.find((each) => each.number === ownedBy!.column);
    if (table !== undefined && column !== undefined)
      add(CLASS.pg_class, number, CLASS.pg_class, table.number, column.attnum, column.identity === null ? 'a' : 'i');
  }
  for (const table of schema.tables.values()) {
    for (const column of table.columns) {
      const text = column.default ?? column.generated;
      if (text === null) continue;
      add(CLASS.pg_attrdef, column.number, CLASS.pg_class, table.number, column.attnum, 'a');
      // Only a constant can refer to a relation.
      if (!text.includes("'")) continue;
      for (const relation of texts.relationsOf(table, text)) add(CLASS.pg_attrdef, column.number, CLASS.pg_class, relation, 0, 'n');
    }
    for (const parent of table.inheritance?.parents ?? []) {
      if (schema.tables.has(parent)) add(CLASS.pg_class, table.number, CLASS.pg_class, parent, 0, table.inheritance!.bound === null ? 'n' : 'a');
    }
    for (const { oid, constraint, columns, included, index } of objects.indexesOf(table.number)) {
      const plain = columns.flatMap(({ column }) => (column === null ? [] : [table.columns[column].attnum]));
      plain.push(...attnums(table, included));
      // An index of a constraint depends on it, and the constraint on the columns.
      const catalog = constraint === null ? CLASS.pg_class : CLASS.pg_constraint;
      if (constraint !== null) add(CLASS.pg_class, oid, CLASS.pg_constraint, oid, 0, 'i');
      // Omitted for constraints: a cleaning dump would drop those of partitions first, which Postgres refuses.
      const whole = constraint === null ? schema.parentIndex(oid) : undefined;
      if (whole !== undefined) {
        add(CLASS.pg_class, oid, CLASS.pg_class, whole, 0, 'P');
        add(CLASS.pg_class, oid, CLASS.pg_class, table.number, 0, 'S');
      }
      for (const attnum of plain) add(catalog, oid, CLASS.pg_class, table.number, attnum, 'a');
      for (const text of [...columns.map(({ expression }) => expression), index?.where ?? null]) {
        if (text !== null) for (const attnum of readColumns(table, text)) add(CLASS.pg_class, oid, CLASS.pg_class, table.number, attnum, 'a');
      }
    }
    for (const { number } of table.checks) {
      for (const attnum of objects.checkColumns(table, number)) add(CLASS.pg_constraint, number, CLASS.pg_class, table.number, attnum, 'a');
    }
    for (const key of table.foreignKeys) {
      for (const attnum of attnums(table, key.columns)) add(CLASS.pg_constraint, key.number, CLASS.pg_class, table.number, attnum, 'a');
      const target = schema.tables.get(key.target);
      if (target !== undefined)
        for (const attnum of attnums(target, key.targetColumns)) add(CLASS.pg_constraint, key.number, CLASS.pg_class, target.number, attnum, 'n');
      const index = objects.targetIndex(key);
      if (index !== 0) add(CLASS.pg_constraint, key.number, CLASS.pg_class, index, 0, 'n');
    }
  }
  for (const { number, columns } of schema.views.values()) {
    columns.forEach((column, i) => {
      if (column.default !== undefined) add(CLASS.pg_attrdef, viewDefaultOid(number, i + 1), CLASS.pg_class, number, i + 1, 'a');
    });
  }
  rows.push(...ruleDependencyRows(schema), ...routineDependencyRows(schema));
  for (const { object } of schema.functions.values()) {
    for (const { object: used, columns } of object.uses ?? []) {
      const called = schema.functions.has(used);
      add(CLASS.pg_proc, object.number, called ? CLASS.pg_proc : CLASS.pg_class, used, 0, 'n');
      const table = called ? undefined : schema.tables.get(used);
      for (const column of columns) {
        const attnum = table?.columns.find((each) => each.number === column)?.attnum;
        if (attnum !== undefined) add(CLASS.pg_proc, object.number, CLASS.pg_class, used, attnum, 'n');
      }
    }
  }
  for (const [number, { policies }] of schema.secured) {
    for (const policy of policies) {
      add(CLASS.pg_policy, policy.number, CLASS.pg_class, number, 0, 'a');
      for (const { object, columns } of policy.uses) {
        const table = schema.tables.get(object);
        for (const column of columns) {
          const attnum = table?.columns.find((each) => each.number === column)?.attnum;
          if (attnum !== undefined) add(CLASS.pg_policy, policy.number, CLASS.pg_class, object, attnum, 'n');
        }
        if (table === undefined && schema.functions.has(object)) add(CLASS.pg_policy, policy.number, CLASS.pg_proc, object, 0, 'n');
        else if (object !== number && columns.length === 0) add(CLASS.pg_policy, policy.number, CLASS.pg_class, object, 0, 'n');
      }
    }
  }
  for (const { number, arrayOid, object } of schema.types.values()) {
    add(CLASS.pg_type, arrayOid, CLASS.pg_type, number, 0, 'i');
    for (const oid of typesWithin(object)) if (oid >= 16384) add(CLASS.pg_type, number, CLASS.pg_type, oid, 0, 'n');
    if (object.what === 'domain') for (const check of object.checks) add(CLASS.pg_constraint, check.number, CLASS.pg_type, number, 0, 'a');
    if (object.what === 'base' && object.made !== null) {
      const { input, output, receive, send, analyze } = object.made;
      for (const oid of [input, output, receive, send, analyze]) if (oid >= 16384) add(CLASS.pg_type, number, CLASS.pg_proc, oid, 0, 'n');
    }
    if (object.what === 'composite') add(CLASS.pg_class, number, CLASS.pg_type, number, 0, 'i');
  }
  return rows;
}
