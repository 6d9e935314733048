/** Differences of typed tables as the SQL statements that make them. */
import type { Key } from '../../tree/datum.ts';
import type { RowAt } from '../../worlds/row-change.ts';
import type { Value } from '../types/value.ts';
import { quoteName } from './create-table.ts';
import type { RowKeyCodec } from './key-codec.ts';
import { typesAsSql } from './diff-types.ts';
import { policiesAsSql } from './diff-policies.ts';
import { nameOf } from './qualified-name.ts';
import { readRow } from './row-reader.ts';
import type { Index, SqlColumn, SqlTable } from './table.ts';
import type { Schema } from './schema.ts';
import { STORED } from './type-lookup.ts';

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
        own[i] === null ? `${quoteName(columns[column].name)} IS NULL` : `${quoteName(columns[column].name)} = ${literal(own[i], columns[column])}`,
      )
      .join(' AND ');
  };
  if (row === null) return `DELETE FROM ${nameOf(table)} WHERE ${where(old!)};`;
  const stored = columns.flatMap(({ generated }, i) => (generated === null ? [i] : []));
  if (old === null) {
    const always = columns.some(({ identity }) => identity === 'always') ? ' OVERRIDING SYSTEM VALUE' : '';
    return `INSERT INTO ${nameOf(table)} (${stored.map((i) => quoteName(columns[i].name)).join(', ')})${always} VALUES (${stored.map((i) => literal(row[i], columns[i])).join(', ')});`;
  }
  const text = (value: Value, i: number): string => literal(value, columns[i]);
  const sets = stored.filter((i) => text(old[i], i) !== text(row[i], i)).map((i) => `${quoteName(columns[i].name)} = ${text(row[i], i)}`);
  return `UPDATE ${nameOf(table)} SET ${sets.join(', ')} WHERE ${where(old)};`;
}

function columnSql({ name, type, typmod, notNull, default: sql, generated, identity }: SqlColumn): string {
  const parts = [quoteName(name), `${type.title}${type.formatTypmod(typmod)}`];
  if (sql !== null) parts.push(`DEFAULT ${sql}`);
  if (generated !== null) parts.push(`GENERATED ALWAYS AS (${generated}) STORED`);
  if (identity !== null) parts.push(`GENERATED ${identity === 'always' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  if (notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

function keyList(table: SqlTable, columns: readonly number[]): string {
  return columns.map((column) => quoteName(table.columns[column].name)).join(', ');
}

function indexColumns(table: SqlTable, { columns }: Index): string {
  return columns
    .map(({ column, expression, descending, nullsFirst, operatorClass }) => {
      const order = descending ? (nullsFirst ? ' DESC' : ' DESC NULLS LAST') : nullsFirst ? ' NULLS FIRST' : '';
      return `${column === null ? `(${expression!})` : quoteName(table.columns[column].name)}${operatorClass === null ? '' : ` ${quoteName(operatorClass)}`}${order}`;
    })
    .join(', ');
}

function constraints(schema: Schema, table: SqlTable): Map<string, string> {
  const out = new Map<string, string>();
  if (table.primaryKey !== null) out.set(table.primaryKey, `PRIMARY KEY (${keyList(table, table.key.columns)})`);
  for (const index of table.indexes) if (index.constraint !== null) out.set(index.constraint, `UNIQUE (${indexColumns(table, index)})`);
  for (const { name, condition } of table.checks) out.set(name, `CHECK (${condition})`);
  for (const key of table.foreignKeys) {
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
  for (const name of after.schemas.keys()) if (!before.schemas.has(name)) out.push(`CREATE SCHEMA ${quoteName(name)};`);
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
    if (!table.document && !after.tables.has(table.number)) out.push(`DROP ${table.materialized === null ? 'TABLE' : 'MATERIALIZED VIEW'} ${nameOf(table)};`);
  for (const table of after.tables.values()) {
    if (table.document) continue;
    const old = before.tables.get(table.number);
    if (old === undefined && table.materialized !== null) {
      late.push(`CREATE MATERIALIZED VIEW ${nameOf(table)} AS ${table.materialized.sql}${table.materialized.populated ? '' : ' WITH NO DATA'};`);
    } else if (old === undefined) {
      out.push(`CREATE TABLE ${nameOf(table)} (${table.columns.map(columnSql).join(', ')});`);
    } else if (old !== table) {
      const alter = (what: string): void => void out.push(`ALTER TABLE ${nameOf(table)} ${what};`);
      if (old.name !== table.name) out.push(`ALTER TABLE ${nameOf(old)} RENAME TO ${quoteName(table.name)};`);
      for (const column of old.columns)
        if (!table.columns.some(({ number, name }) => number === column.number || name === column.name)) alter(`DROP COLUMN ${quoteName(column.name)}`);
      for (const column of table.columns) {
        const was = old.columns.find(({ number }) => number === column.number) ?? old.columns.find(({ name }) => name === column.name);
        const name = quoteName(column.name);
        if (was === undefined) {
          alter(`ADD COLUMN ${columnSql(column)}`);
          continue;
        }
        if (was.name !== column.name) alter(`RENAME COLUMN ${quoteName(was.name)} TO ${name}`);
        if (was.type.oid !== column.type.oid || was.typmod !== column.typmod) {
          const type = `${column.type.title}${column.type.formatTypmod(column.typmod)}`;
          alter(`ALTER COLUMN ${name} TYPE ${type} USING ${name}::${type}`);
        }
        if (was.default !== column.default) alter(`ALTER COLUMN ${name} ${column.default === null ? 'DROP DEFAULT' : `SET DEFAULT ${column.default}`}`);
        if (was.notNull !== column.notNull) alter(`ALTER COLUMN ${name} ${column.notNull ? 'SET' : 'DROP'} NOT NULL`);
      }
    }
    const had = old === undefined ? new Map<string, string>() : constraints(before, old);
    const has = constraints(after, table);
    for (const [name, sql] of had) if (has.get(name) !== sql) out.push(`ALTER TABLE ${nameOf(table)} DROP CONSTRAINT ${quoteName(name)};`);
    for (const [name, sql] of has) {
      if (had.get(name) !== sql) (sql.startsWith('FOREIGN') ? late : out).push(`ALTER TABLE ${nameOf(table)} ADD CONSTRAINT ${quoteName(name)} ${sql};`);
    }
    for (const index of old?.indexes ?? []) {
      if (index.constraint === null && !table.indexes.some(({ number }) => number === index.number)) {
        out.push(`DROP INDEX ${nameOf({ schema: table.schema, name: index.name })};`);
      }
    }
    for (const index of table.indexes) {
      if (index.constraint !== null || old?.indexes.some(({ number }) => number === index.number)) continue;
      const where = index.where === null ? '' : ` WHERE ${index.where}`;
      late.push(
        `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(index.name)} ON ${nameOf(table)} ${index.method === 'btree' ? '' : `USING ${index.method} `}(${indexColumns(table, index)})${where};`,
      );
    }
  }
  late.push(...policiesAsSql(before, after, conditionOf));
  for (const sequence of before.sequences.values()) {
    if (!after.sequences.has(sequence.number) && sequence.ownedBy === null) out.push(`DROP SEQUENCE ${nameOf(sequence)};`);
  }
  for (const view of after.views.values()) {
    const old = before.views.get(view.number);
    if (old?.sql !== view.sql) late.push(`CREATE OR REPLACE VIEW ${nameOf(view)} AS ${view.sql};`);
  }
  return [...out, ...late];
}
