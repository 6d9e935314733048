/**
 * Rows of information_schema's views over a world. Everything belongs to the session's user; the world is the catalog. Views of
 * features that worlds do not have (foreign tables …) stay empty and are not listed here.
 */
import { isTemporarySchema } from '../../worlds/definition.ts';
import type { Schema, Sequence } from '../schema/schema.ts';
import type { SqlColumn, SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { domainCollation, factsOf } from '../schema/facts.ts';
import { collations, shownCollation } from './collation-rows.ts';
import { describeType } from './information-types.ts';
import type { Row } from './made-relation.ts';
import { ownerName } from './rights-rows.ts';
import type { RowSource } from './system-catalog.ts';
import type { IndexEntry } from './world-objects.ts';

const yes = (value: boolean): string => (value ? 'YES' : 'NO');

interface Attribute {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly position: number;
  readonly type: SqlType;
  readonly typmod: number;
  readonly notNull: boolean;
  readonly column: { readonly table: SqlTable; readonly index: number } | null;
  readonly writable: boolean;
}

function* attributes({ seen, texts }: RowSource): Iterable<Attribute> {
  for (const table of seen.tables()) {
    if (table.materialized !== null) continue;
    for (let index = 0; index < table.columns.length; index++) {
      const { name, attnum, type, typmod, notNull } = table.columns[index];
      yield {
        schema: table.schema,
        table: table.name,
        name,
        position: attnum,
        type,
        typmod,
        notNull,
        column: { table, index },
        writable: table.foreign === undefined,
      };
    }
  }
  for (const view of seen.views()) {
    const writable = texts.writable(view);
    for (let index = 0; index < view.columns.length; index++) {
      const { name, type, typmod } = view.columns[index];
      yield {
        schema: view.schema,
        table: view.name,
        name,
        position: index + 1,
        type,
        typmod,
        notNull: false,
        column: null,
        writable: writable?.[index] ?? false,
      };
    }
  }
  for (const { schema: own, name: table, columns } of seen.system()) {
    for (let index = 0; index < columns.length; index++) {
      const { name, type, notNull } = columns[index];
      yield { schema: own, table, name, position: index + 1, type, typmod: -1, notNull, column: null, writable: false };
    }
  }
}

/** Schema and name of a type as `udt_…` columns have them. */
export function udt(schema: Schema, type: SqlType): readonly [string, string] {
  const own = schema.types.get(type.oid) ?? (type.element === null ? undefined : schema.types.get(type.element.oid));
  return [own?.schema ?? 'pg_catalog', type.name];
}

export function isUserDefined(schema: Schema, type: SqlType): boolean {
  return schema.types.has(type.oid);
}

export function columnRows(source: RowSource): Row[] {
  const { schema, database, texts } = source;
  const rows: Row[] = [];
  for (const each of attributes(source)) {
    const { column } = each;
    const domain = each.type.domain === null ? null : schema.types.get(each.type.oid)!;
    const [type, typmod] = each.type.domain === null ? [each.type, each.typmod] : [each.type.domain.root, each.type.domain.typmod];
    const own: SqlColumn | null = column === null ? null : column.table.columns[column.index];
    const text = column === null ? null : texts.default(column.table, column.index);
    const described = describeType(type, typmod, isUserDefined(schema, type));
    const [udtSchema, udtName] = udt(schema, type);
    const sequence = own !== null && own.identity !== null ? schema.sequenceOf(column!.table.number, own.number) : null;
    const generated = own !== null && own.generated !== null;
    const collation = own === null ? undefined : (factsOf(schema, column!.table.number, own.attnum)?.collation ?? domainCollation(schema, each.type));
    // prettier-ignore
    rows.push([
      database, each.schema, each.table, each.name, each.position, generated ? null : text, yes(!each.notNull), described.dataType,
      described.characterMaximum, described.characterOctets, described.precision, described.radix, described.scale,
      described.datetimePrecision, described.intervalType, null, null, null, null, ...shownCollation(schema, database, collation), domain === null ? null : database, domain?.schema ?? null, domain?.name ?? null,
      database, udtSchema, udtName, null, null, null, null, String(each.position), 'NO',
      yes(own !== null && own.identity !== null), own === null || own.identity === null ? null : own.identity === 'always' ? 'ALWAYS' : 'BY DEFAULT',
      ...identityOptions(sequence), yes(sequence?.cycle ?? false), generated ? 'ALWAYS' : 'NEVER', generated ? text : null, yes(each.writable),
    ]);
  }
  return rows;
}

function identityOptions(sequence: Sequence | null): Value[] {
  return sequence === null ? [null, null, null, null] : [sequence.start, sequence.increment, sequence.max, sequence.min].map(String);
}

function tableType({ schema, foreign }: SqlTable): string {
  if (isTemporarySchema(schema)) return 'LOCAL TEMPORARY';
  return foreign === undefined ? 'BASE TABLE' : 'FOREIGN';
}

export function tableRows({ seen, database, texts }: RowSource): Row[] {
  const row = (own: string, name: string, type: string, insertable: boolean): Row => [
    database,
    own,
    name,
    type,
    null,
    null,
    null,
    null,
    null,
    yes(insertable),
    'NO',
    null,
  ];
  return [
    ...[...seen.tables()]
      .filter(({ materialized }) => materialized === null)
      .map((table) => row(table.schema, table.name, tableType(table), table.foreign === undefined)),
    ...Array.from(seen.views(), (view) => row(view.schema, view.name, 'VIEW', texts.writable(view)?.includes(true) ?? false)),
    ...Array.from(seen.system(), (each) => row(each.schema, each.name, each.kind === 'v' ? 'VIEW' : 'BASE TABLE', false)),
  ];
}

export function viewRows({ seen, database, texts }: RowSource): Row[] {
  return Array.from(seen.views(), (view) => {
    const writable = yes(texts.writable(view)?.includes(true) ?? false);
    return [database, view.schema, view.name, texts.view(view, false), view.check.toUpperCase(), writable, writable, 'NO', 'NO', 'NO'];
  });
}

export function schemaRows(source: RowSource): Row[] {
  const { schema, database, owner } = source;
  const row = (name: string, own: string): Row => [database, name, own, null, null, null, null];
  return [row('pg_catalog', owner), row('information_schema', owner), ...[...schema.schemas].map(([name, number]) => row(name, ownerName(source, number)))];
}

export function sequenceRows({ schema, database }: RowSource): Row[] {
  return [...schema.sequences.values()]
    .filter((each) => each.ownedBy === null || !isIdentity(schema, each))
    .map(({ schema: own, name, type, start, min, max, increment, cycle }) => [
      database,
      own,
      name,
      type.title,
      type.length * 8,
      2,
      0,
      String(start),
      String(min),
      String(max),
      String(increment),
      yes(cycle),
    ]);
}

function isIdentity(schema: Schema, { ownedBy }: Sequence): boolean {
  const column = schema.tables.get(ownedBy!.table)?.columns.find(({ number }) => number === ownedBy!.column);
  return column !== undefined && column.identity !== null;
}

// --- constraints

interface UniqueConstraint {
  readonly entry: IndexEntry;
  readonly name: string;
  readonly type: 'PRIMARY KEY' | 'UNIQUE';
}

function* uniqueConstraints({ objects, seen }: RowSource): Iterable<UniqueConstraint> {
  for (const table of seen.tables()) {
    for (const entry of objects.indexesOf(table.number)) {
      if (entry.constraint !== null) yield { entry, name: entry.constraint, type: entry.primary ? 'PRIMARY KEY' : 'UNIQUE' };
    }
  }
}

/** Postgres's name of the NOT NULL check in these views. */
function notNullName(source: RowSource, table: SqlTable, attnum: number): string {
  return `${source.objects.namespaceOid(table.schema)}_${table.number}_${attnum}_not_null`;
}

export function tableConstraintRows(source: RowSource): Row[] {
  const { seen, database } = source;
  const rows: Row[] = [];
  const add = (table: SqlTable, name: string, type: string, deferrable = false, deferred = false, distinct: boolean | null = null): void => {
    const own = table.schema;
    rows.push([database, own, name, database, own, table.name, type, yes(deferrable), yes(deferred), 'YES', distinct === null ? null : yes(distinct)]);
  };
  for (const { entry, name, type } of uniqueConstraints(source)) {
    add(entry.table, name, type, entry.deferrable, entry.initiallyDeferred, type === 'UNIQUE' ? entry.index?.nullsNotDistinct !== true : null);
  }
  for (const table of seen.tables()) {
    for (const key of table.foreignKeys) add(table, key.name, 'FOREIGN KEY', key.deferrable, key.initiallyDeferred);
    for (const check of table.checks) add(table, check.name, 'CHECK');
    for (const { notNull, attnum } of table.columns) if (notNull) add(table, notNullName(source, table, attnum), 'CHECK');
  }
  return rows;
}

export function checkConstraintRows(source: RowSource): Row[] {
  const { schema, database, texts } = source;
  const rows: Row[] = [];
  for (const table of schema.tables.values()) {
    for (const { name, condition } of table.checks) rows.push([database, table.schema, name, texts.expression(table, condition)]);
    for (const { notNull, attnum, name } of table.columns) {
      if (notNull) rows.push([database, table.schema, notNullName(source, table, attnum), `${name} IS NOT NULL`]);
    }
  }
  return rows;
}

export function keyColumnRows(source: RowSource): Row[] {
  const { seen, database, objects } = source;
  const rows: Row[] = [];
  const add = (table: SqlTable, constraint: string, column: number, position: number, inUnique: number | null): void => {
    const own = table.schema;
    rows.push([database, own, constraint, database, own, table.name, table.columns[column].name, position, inUnique]);
  };
  for (const { entry, name } of uniqueConstraints(source)) {
    entry.columns.forEach(({ column }, i) => {
      if (column !== null) add(entry.table, name, column, i + 1, null);
    });
  }
  for (const table of seen.tables()) {
    for (const key of table.foreignKeys) {
      const target = objects.at(objects.targetIndex(key));
      const order = target?.kind === 'i' ? target.index.columns.map(({ column }) => column) : key.targetColumns;
      key.columns.forEach((column, i) => add(table, key.name, column, i + 1, order.indexOf(key.targetColumns[i]) + 1));
    }
  }
  return rows;
}

export function referentialRows({ schema, database, objects }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const table of schema.tables.values()) {
    for (const key of table.foreignKeys) {
      const target = objects.byOid.get(objects.targetIndex(key));
      const unique = target?.kind === 'i' ? target.index : null;
      const named: Value[] = unique === null || unique.constraint === null ? [null, null, null] : [database, unique.table.schema, unique.constraint];
      rows.push([database, table.schema, key.name, ...named, key.matchFull ? 'FULL' : 'NONE', key.onUpdate.toUpperCase(), key.onDelete.toUpperCase()]);
    }
  }
  return rows;
}

export function constraintColumnRows(source: RowSource): Row[] {
  const { schema, database, objects } = source;
  const rows: Row[] = [];
  const add = (constraintSchema: string, constraint: string, table: SqlTable, column: number): void => {
    rows.push([database, table.schema, table.name, table.columns[column].name, database, constraintSchema, constraint]);
  };
  for (const { entry, name } of uniqueConstraints(source)) {
    for (const { column } of entry.columns) if (column !== null) add(entry.table.schema, name, entry.table, column);
  }
  for (const table of schema.tables.values()) {
    for (const { name, number } of table.checks) {
      const read = objects.checkColumns(table, number);
      table.columns.forEach(({ attnum }, i) => {
        if (read.includes(attnum)) add(table.schema, name, table, i);
      });
    }
    for (const key of table.foreignKeys) {
      const target = schema.tables.get(key.target);
      if (target !== undefined) for (const column of key.targetColumns) add(table.schema, key.name, target, column);
    }
  }
  return rows;
}

export function constraintTableRows(source: RowSource): Row[] {
  const { schema, database } = source;
  const rows: Row[] = [];
  for (const { entry, name } of uniqueConstraints(source)) rows.push([database, entry.table.schema, entry.table.name, database, entry.table.schema, name]);
  for (const table of schema.tables.values()) {
    for (const key of table.foreignKeys) {
      const target = schema.tables.get(key.target);
      if (target !== undefined) rows.push([database, target.schema, target.name, database, table.schema, key.name]);
    }
  }
  return rows;
}

// --- types, views, functions

export function columnTypeRows(source: RowSource): Row[] {
  const { schema, database } = source;
  const rows: Row[] = [];
  for (const each of attributes(source)) {
    const [udtSchema, udtName] = udt(schema, each.type);
    rows.push([database, udtSchema, udtName, database, each.schema, each.table, each.name]);
  }
  return rows;
}

/** Array columns: their element types. */
export function elementTypeRows(source: RowSource): Row[] {
  const { schema, database } = source;
  const rows: Row[] = [];
  for (const each of attributes(source)) {
    const { element } = each.type;
    if (element === null || !each.type.name.startsWith('_')) continue;
    const described = describeType(element, each.typmod, isUserDefined(schema, element));
    const [udtSchema, udtName] = udt(schema, element);
    const id = String(each.position);
    // prettier-ignore
    rows.push([
      database, each.schema, each.table, 'TABLE', id, described.dataType, null, null, null, null, null, null, null, null,
      null, null, null, null, null, null, null, database, udtSchema, udtName, null, null, null, null, `a${id}`,
    ]);
  }
  return rows;
}

export function viewTableRows({ schema, database, objects }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const view of schema.views.values()) {
    for (const used of objects.viewUses(view)) {
      const found = objects.byOid.get(used);
      if (found !== undefined && found.kind !== 'i') rows.push([database, view.schema, view.name, database, found.schema, found.name]);
    }
  }
  return rows;
}

export function collationRows({ database }: RowSource): Row[] {
  return collations().map(({ name }) => [database, 'pg_catalog', name, 'NO PAD']);
}

export function characterSetRows({ database }: RowSource): Row[] {
  return [[null, null, 'UTF8', 'UCS', 'UTF8', database, 'pg_catalog', 'default']];
}
