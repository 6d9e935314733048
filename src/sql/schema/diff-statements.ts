/** Differences of typed tables as the SQL statements that make them. */
import { STORED } from '../types/environment.ts';
import type { Key } from '../../tree/datum.ts';
import type { RowAt } from '../../worlds/row-change.ts';
import type { Value } from '../types/value.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import type { RowKeyCodec } from './key-codec.ts';
import { typesAsSql } from './diff-types.ts';
import { partitionBoundText, partitionKeyText } from './partition-text.ts';
import { eventTriggersAsSql } from './diff-event-triggers.ts';
import { policiesAsSql } from './diff-policies.ts';
import { foreignAsSql, foreignDropsAsSql, foreignSourceText, optionChanges, optionsText } from './diff-foreign.ts';
import { publicationsAsSql } from './diff-publications.ts';
import { rulesAsSql } from './diff-rules.ts';
import { triggersAsSql } from './diff-triggers.ts';
import { nameOf } from './qualified-name.ts';
import { readRow } from './row-reader.ts';
import { type Index, type SqlColumn, type SqlTable, tableWord } from './table.ts';
import type { Schema } from './schema.ts';

function literal(value: Value, column: SqlColumn): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value) && column.type.category === 'N' && column.type.name !== 'money') return String(value);
  return `'${column.type.format(value, STORED).replaceAll("'", "''")}'`;
}

export function rowAsSql(table: SqlTable, codec: RowKeyCodec, key: Key, before: RowAt | null, after: RowAt | null): string {
  const old = before === null ? null : readRow(table, before.leaf, before.index);
  const row = after === null ? null : readRow(table, after.leaf, after.index);
  const { columns } = table;
  const where = (values: readonly Value[]): string => {
    // Without a primary key, all columns say which row is meant.
    const by = table.key.columns.length > 0 ? table.key.columns : columns.map((_, i) => i);
    const own = table.key.columns.length > 0 ? codec.decode(key) : by.map((column) => values[column]);
    return by
      .map((column, i) =>
        own[i] === null ? `${quoteIdentifier(columns[column].name)} IS NULL` : `${quoteIdentifier(columns[column].name)} = ${literal(own[i], columns[column])}`,
      )
      .join(' AND ');
  };
  if (row === null) return `DELETE FROM ${nameOf(table)} WHERE ${where(old!)};`;
  const stored = columns.flatMap(({ generated }, i) => (generated === null ? [i] : []));
  if (old === null) {
    const always = columns.some(({ identity }) => identity === 'always') ? ' OVERRIDING SYSTEM VALUE' : '';
    return `INSERT INTO ${nameOf(table)} (${stored.map((i) => quoteIdentifier(columns[i].name)).join(', ')})${always} VALUES (${stored.map((i) => literal(row[i], columns[i])).join(', ')});`;
  }
  const text = (value: Value, i: number): string => literal(value, columns[i]);
  const sets = stored.filter((i) => text(old[i], i) !== text(row[i], i)).map((i) => `${quoteIdentifier(columns[i].name)} = ${text(row[i], i)}`);
  return `UPDATE ${nameOf(table)} SET ${sets.join(', ')} WHERE ${where(old)};`;
}

function columnSql({ name, type, typmod, notNull, default: sql, generated, identity, options = [] }: SqlColumn): string {
  const parts = [quoteIdentifier(name), `${type.title}${type.formatTypmod(typmod)}${optionsText(options)}`];
  if (sql !== null) parts.push(`DEFAULT ${sql}`);
  if (generated !== null) parts.push(`GENERATED ALWAYS AS (${generated}) STORED`);
  if (identity !== null) parts.push(`GENERATED ${identity === 'always' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  if (notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

function keyList(table: SqlTable, columns: readonly number[]): string {
  return columns.map((column) => quoteIdentifier(table.columns[column].name)).join(', ');
}

function indexColumns(table: SqlTable, { columns }: Index): string {
  return columns
    .map(({ column, expression, descending, nullsFirst, operatorClass }) => {
      const order = descending ? (nullsFirst ? ' DESC' : ' DESC NULLS LAST') : nullsFirst ? ' NULLS FIRST' : '';
      return `${column === null ? `(${expression!})` : quoteIdentifier(table.columns[column].name)}${operatorClass === null ? '' : ` ${quoteIdentifier(operatorClass)}`}${order}`;
    })
    .join(', ');
}

function exclusion(schema: Schema, table: SqlTable, index: Index): string {
  const { operators, method } = schema.catalog.indexes.get(index.number)!.exclusion!;
  const parts = index.columns.map(
    ({ column, expression }, i) => `${column === null ? `(${expression!})` : quoteIdentifier(table.columns[column].name)} WITH ${operators[i]}`,
  );
  return `EXCLUDE USING ${method} (${parts.join(', ')})${index.where === null ? '' : ` WHERE (${index.where})`}`;
}

/** PARTITION BY … */
function partitioning(table: SqlTable): string {
  const key = table.inheritance?.partitionBy ?? null;
  return key === null ? '' : ` PARTITION BY ${partitionKeyText(table, key)}`;
}

/** Leaves or joins its parents: as tables that are there. */
function ties(schema: Schema, table: SqlTable, leave: boolean): Map<string, string> {
  const out = new Map<string, string>();
  const { parents, bound } = table.inheritance ?? { parents: [], bound: null };
  for (const number of parents) {
    const parent = schema.tables.get(number);
    if (parent === undefined) continue;
    if (bound === null) {
      out.set(`${number}`, `ALTER TABLE ${nameOf(table)} ${leave ? 'NO INHERIT' : 'INHERIT'} ${nameOf(parent)};`);
      continue;
    }
    const text = partitionBoundText(
      bound,
      parent.inheritance!.partitionBy!.elements.map(({ type }) => type),
    );
    out.set(`${number} ${text}`, `ALTER TABLE ${nameOf(parent)} ${leave ? 'DETACH' : 'ATTACH'} PARTITION ${nameOf(table)}${leave ? '' : ` ${text}`};`);
  }
  return out;
}

/** Names of columns that come and go with those of parents. */
function inheritedColumns(schema: Schema, { number }: SqlTable): ReadonlySet<string> {
  const attributes = schema.catalog.byNumber.get(number)?.relation?.attributes ?? [];
  return new Set(attributes.flatMap(({ name, inherited }) => (inherited === undefined ? [] : [name])));
}

/** `parts` gets the names of those that come and go with the partitioned table's. */
function constraints(schema: Schema, table: SqlTable, parts: Set<string>): Map<string, string> {
  const out = new Map<string, string>();
  const partOf = schema.catalog.byNumber.get(table.number)?.relation?.object.primaryKey?.parent;
  if (table.primaryKey !== null && partOf !== undefined) parts.add(table.primaryKey);
  if (table.primaryKey !== null) out.set(table.primaryKey, `PRIMARY KEY (${keyList(table, table.key.columns)})`);
  for (const index of table.indexes) {
    if (index.constraint === null) continue;
    if (schema.parentIndex(index.number) !== undefined) parts.add(index.constraint);
    out.set(index.constraint, index.excludes ? exclusion(schema, table, index) : `UNIQUE (${indexColumns(table, index)})`);
  }
  for (const { name, condition, noInherit } of table.checks) out.set(name, `CHECK (${condition})${noInherit ? ' NO INHERIT' : ''}`);
  for (const key of table.foreignKeys) {
    const object = schema.catalog.byNumber.get(table.number)!.relation!.constraints.find(({ number }) => number === key.number);
    if (object?.what === 'foreign key' && object.parent !== undefined) parts.add(key.name);
    const target = schema.tables.get(key.target)!;
    const actions = `${key.onDelete === 'no action' ? '' : ` ON DELETE ${key.onDelete.toUpperCase()}`}${key.onUpdate === 'no action' ? '' : ` ON UPDATE ${key.onUpdate.toUpperCase()}`}`;
    out.set(key.name, `FOREIGN KEY (${keyList(table, key.columns)}) REFERENCES ${nameOf(target)} (${keyList(target, key.targetColumns)})${actions}`);
  }
  return out;
}

/** Statements in an order in which they can run: types and sequences, tables, then what hangs on them. */
export function definitionsAsSql(before: Schema, after: Schema, conditionOf: (sql: string) => string): string[] {
  const out: string[] = [];
  const late: string[] = [];
  const joined: string[] = [];
  for (const name of after.schemas.keys()) if (!before.schemas.has(name)) out.push(`CREATE SCHEMA ${quoteIdentifier(name)};`);
  for (const type of after.enums.values()) {
    const old = before.enums.get(type.number);
    const labels = type.labels.map(({ label }) => `'${label.replaceAll("'", "''")}'`);
    if (old === undefined) out.push(`CREATE TYPE ${nameOf(type)} AS ENUM (${labels.join(', ')});`);
    else {
      type.labels.forEach(({ label }, i) => {
        if (old.labels.some((each) => each.label === label)) return;
        out.push(`ALTER TYPE ${nameOf(type)} ADD VALUE ${labels[i]}${i === 0 ? ` BEFORE ${labels[1]}` : ` AFTER ${labels[i - 1]}`};`);
      });
    }
  }
  out.push(...typesAsSql(before, after));
  for (const sequence of after.sequences.values()) {
    if (before.sequences.has(sequence.number)) continue;
    const identity =
      sequence.ownedBy !== null &&
      after.tables.get(sequence.ownedBy.table)?.columns.some((column) => column.number === sequence.ownedBy!.column && column.identity !== null);
    if (!identity) out.push(`CREATE SEQUENCE ${nameOf(sequence)} AS ${sequence.type.title} INCREMENT ${sequence.increment} START ${sequence.start};`);
  }
  for (const view of before.views.values()) if (!after.views.has(view.number)) out.push(`DROP VIEW ${nameOf(view)};`);
  for (const table of before.tables.values())
    if (!table.document && !after.tables.has(table.number)) out.push(`DROP ${tableWord(table).toUpperCase()} ${nameOf(table)};`);
  out.push(...foreignDropsAsSql(before, after), ...foreignAsSql(before, after));
  // What leaves its parents does not change with them.
  for (const old of before.tables.values()) {
    const table = after.tables.get(old.number);
    if (old.inheritance === null || table === undefined) continue;
    const now = ties(after, table, false);
    for (const [key, sql] of ties(before, old, true)) if (!now.has(key) && after.tables.has(Number(key.split(' ')[0]))) out.push(sql);
  }
  for (const table of after.tables.values()) {
    if (table.document) continue;
    const old = before.tables.get(table.number);
    if (old === undefined && table.materialized !== null) {
      late.push(`CREATE MATERIALIZED VIEW ${nameOf(table)} AS ${table.materialized.sql}${table.materialized.populated ? '' : ' WITH NO DATA'};`);
    } else if (old === undefined) {
      const rest = table.foreign === undefined ? partitioning(table) : foreignSourceText(after, table.foreign);
      out.push(`CREATE ${tableWord(table).toUpperCase()} ${nameOf(table)} (${table.columns.map(columnSql).join(', ')})${rest};`);
    } else if (old !== table) {
      const alter = (what: string): void => void out.push(`ALTER ${table.foreign === undefined ? 'TABLE' : 'FOREIGN TABLE'} ${nameOf(table)} ${what};`);
      if (old.name !== table.name) out.push(`ALTER TABLE ${nameOf(old)} RENAME TO ${quoteIdentifier(table.name)};`);
      const options = optionChanges(old.foreign?.options ?? [], table.foreign?.options ?? []);
      if (options !== '') out.push(`ALTER FOREIGN TABLE ${nameOf(table)}${options};`);
      const tied = new Set([...inheritedColumns(before, old), ...inheritedColumns(after, table)]);
      for (const column of old.columns)
        if (!tied.has(column.name) && !table.columns.some(({ number, name }) => number === column.number || name === column.name))
          alter(`DROP COLUMN ${quoteIdentifier(column.name)}`);
      for (const column of table.columns) {
        if (tied.has(column.name)) continue;
        const was = old.columns.find(({ number }) => number === column.number) ?? old.columns.find(({ name }) => name === column.name);
        const name = quoteIdentifier(column.name);
        if (was === undefined) {
          alter(`ADD COLUMN ${columnSql(column)}`);
          continue;
        }
        const options = optionChanges(was.options ?? [], column.options ?? []);
        if (options !== '') out.push(`ALTER FOREIGN TABLE ${nameOf(table)} ALTER COLUMN ${quoteIdentifier(was.name)}${options};`);
        if (was.name !== column.name) alter(`RENAME COLUMN ${quoteIdentifier(was.name)} TO ${name}`);
        if (was.type.oid !== column.type.oid || was.typmod !== column.typmod) {
          const type = `${column.type.title}${column.type.formatTypmod(column.typmod)}`;
          alter(`ALTER COLUMN ${name} TYPE ${type} USING ${name}::${type}`);
        }
        if (was.default !== column.default) alter(`ALTER COLUMN ${name} ${column.default === null ? 'DROP DEFAULT' : `SET DEFAULT ${column.default}`}`);
        if (was.notNull !== column.notNull) alter(`ALTER COLUMN ${name} ${column.notNull ? 'SET' : 'DROP'} NOT NULL`);
      }
    }
    const tiesBefore = old === undefined ? null : ties(before, old, true);
    for (const [key, sql] of ties(after, table, false)) if (tiesBefore?.has(key) !== true) joined.push(sql);
    // Keys of a partitioned table come once its partitions are there.
    const whole = table.inheritance?.partitionBy != null;
    const [partsBefore, parts] = [new Set<string>(), new Set<string>()];
    const had = old === undefined ? new Map<string, string>() : constraints(before, old, partsBefore);
    const has = constraints(after, table, parts);
    for (const [name, sql] of had)
      if (has.get(name) !== sql && !partsBefore.has(name)) out.push(`ALTER TABLE ${nameOf(table)} DROP CONSTRAINT ${quoteIdentifier(name)};`);
    for (const [name, sql] of has) {
      if (had.get(name) !== sql && !parts.has(name))
        (sql.startsWith('FOREIGN') || whole ? late : out).push(`ALTER TABLE ${nameOf(table)} ADD CONSTRAINT ${quoteIdentifier(name)} ${sql};`);
    }
    for (const index of old?.indexes ?? []) {
      if (index.constraint === null && !table.indexes.some(({ number }) => number === index.number)) {
        out.push(`DROP INDEX ${nameOf({ schema: table.schema, name: index.name })};`);
      }
    }
    for (const index of table.indexes) {
      if (index.constraint !== null || after.parentIndex(index.number) !== undefined || old?.indexes.some(({ number }) => number === index.number)) continue;
      const where = index.where === null ? '' : ` WHERE ${index.where}`;
      late.push(
        `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quoteIdentifier(index.name)} ON ${nameOf(table)} ${index.method === 'btree' ? '' : `USING ${index.method} `}(${indexColumns(table, index)})${where};`,
      );
    }
  }
  late.push(...policiesAsSql(before, after, conditionOf));
  late.push(...publicationsAsSql(before, after));
  const triggers = triggersAsSql(before, after);
  for (const sequence of before.sequences.values()) {
    if (!after.sequences.has(sequence.number) && sequence.ownedBy === null) out.push(`DROP SEQUENCE ${nameOf(sequence)};`);
  }
  for (const view of after.views.values()) {
    const old = before.views.get(view.number);
    if (old?.sql !== view.sql) late.push(`CREATE OR REPLACE VIEW ${nameOf(view)} AS ${view.sql};`);
  }
  return [...out, ...joined, ...late, ...triggers, ...rulesAsSql(before, after), ...eventTriggersAsSql(before, after)];
}
