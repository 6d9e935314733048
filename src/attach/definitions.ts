/**
 * Definitions of attached tables as SQL of svc, in the order in which they can be made:
 *
 *   schemas, extensions, types, sequences ─► tables with primary key and checks ─► (rows) ─► unique constraints, indexes, foreign keys, comments
 */
import { quoteIdentifier, quoteNames, quoteString } from '../base/quote-identifier.ts';
import type { SourceColumn, SourceConstraint, SourceSchema, SourceTable } from './source-catalog.ts';
import { positionOf } from './sequence-position.ts';
import type { SourceSequence, SourceType } from './source-types.ts';

export interface Definition {
  readonly sql: string;
  /** What it belongs to, for messages. */
  readonly of: string;
  /** Left out with a notice where svc refuses it: it decides about no row. */
  readonly optional?: true;
  /** Made only if this gives no row. */
  readonly unless?: string;
}

export interface Definitions {
  /** Made before the rows are copied. */
  readonly before: readonly Definition[];
  readonly after: readonly Definition[];
  /** What is not taken over. */
  readonly notices: readonly string[];
}

/** `schemas`: those of the tables at least. */
export function definitionsOf(
  tables: readonly SourceTable[],
  types: readonly SourceType[],
  sequences: readonly SourceSequence[],
  schemas: readonly SourceSchema[],
): Definitions {
  const before: Definition[] = [];
  const after: Definition[] = [];
  const notices: string[] = [];
  const names = new Set([...tables, ...types.filter(({ schema }) => schema !== 'pg_catalog'), ...sequences].map(({ schema }) => schema));
  for (const name of names) if (name !== 'public') before.push(...schemaDefinitions(name, schemas.find((each) => each.name === name)?.comment ?? null));
  for (const type of types) before.push(...typeDefinitions(type));
  for (const sequence of sequences) if (!sequence.identity) before.push(sequenceDefinition(sequence));
  const oids = new Set(tables.map(({ oid }) => oid));
  for (const table of tables) {
    const name = quoteNames([table.schema, table.name]);
    const of = `table ${name}`;
    before.push({ sql: tableText(table, name, sequences), of });
    for (const { kind, name: constraint, text, valid, enforced, target, comment } of table.constraints) {
      if (!enforced) {
        notices.push(`${name}: constraint ${constraint} is not enforced, and is left to Postgres`);
        continue;
      }
      if (kind === 'f' && !oids.has(target)) {
        notices.push(`${name}: foreign key ${constraint} leads to a table that is not attached, and is left to Postgres`);
        continue;
      }
      // Foreign keys come last: they need the keys of other tables.
      if (kind === 'u' || kind === 'x' || (kind === 'c' && !valid))
        after.push({ sql: `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(constraint)} ${text}`, of });
      if (comment !== null && kind !== 'f')
        after.push({ sql: `COMMENT ON CONSTRAINT ${quoteIdentifier(constraint)} ON ${name} IS ${quoteString(comment)}`, of });
    }
    for (const index of table.indexes) {
      after.push({ sql: index.text, of: `index ${index.name} of ${name}`, ...(index.unique ? {} : { optional: true }) });
      if (index.comment !== null) {
        after.push({ sql: `COMMENT ON INDEX ${quoteNames([table.schema, index.name])} IS ${quoteString(index.comment)}`, of, optional: true });
      }
    }
    if (table.comment !== null) after.push({ sql: `COMMENT ON TABLE ${name} IS ${quoteString(table.comment)}`, of });
    for (const { name: column, comment } of table.columns) {
      if (comment !== null) after.push({ sql: `COMMENT ON COLUMN ${name}.${quoteIdentifier(column)} IS ${quoteString(comment)}`, of });
    }
  }
  for (const table of tables) {
    const name = quoteNames([table.schema, table.name]);
    for (const { kind, name: constraint, text, enforced, target, comment } of table.constraints) {
      if (kind !== 'f' || !enforced || !oids.has(target)) continue;
      after.push({ sql: `ALTER TABLE ${name} ADD CONSTRAINT ${quoteIdentifier(constraint)} ${text}`, of: `table ${name}` });
      if (comment !== null)
        after.push({ sql: `COMMENT ON CONSTRAINT ${quoteIdentifier(constraint)} ON ${name} IS ${quoteString(comment)}`, of: `table ${name}` });
    }
  }
  for (const sequence of sequences) {
    after.push(...sequenceAfterRows(sequence, tables));
    if (sequence.settable) continue;
    const name = sequenceName(sequence);
    notices.push(
      `sequence ${name}: the role may not move it, so Postgres gives keys again that merges inserted (23505): GRANT SELECT, UPDATE ON SEQUENCE ${name}, or do not insert`,
    );
  }
  return { before, after, notices };
}

/** A schema of `main` that has a comment keeps it. */
function* schemaDefinitions(schema: string, comment: string | null): Iterable<Definition> {
  const name = quoteIdentifier(schema);
  const of = `schema ${schema}`;
  yield { sql: `CREATE SCHEMA IF NOT EXISTS ${name}`, of };
  if (comment === null) return;
  const unless = `SELECT 1 FROM pg_namespace WHERE nspname = ${quoteString(schema)} AND obj_description(oid, 'pg_namespace') IS NOT NULL`;
  yield { sql: `COMMENT ON SCHEMA ${name} IS ${quoteString(comment)}`, of, unless };
}

function* typeDefinitions(type: SourceType): Iterable<Definition> {
  if (type.extension !== null) {
    if (type.element !== 0) return;
    yield {
      sql: `CREATE EXTENSION IF NOT EXISTS ${quoteIdentifier(type.extension)} WITH SCHEMA ${quoteIdentifier(type.schema)}`,
      of: `extension ${type.extension}`,
    };
    return;
  }
  if (type.element !== 0 || type.schema === 'pg_catalog') return;
  const name = quoteNames([type.schema, type.name]);
  const of = `type ${name}`;
  const unless = `SELECT 1 WHERE to_regtype(${quoteString(name)}) IS NOT NULL`;
  if (type.kind === 'e') yield { sql: `CREATE TYPE ${name} AS ENUM (${type.labels.map(quoteString).join(', ')})`, of, unless };
  else {
    const parts = [
      `CREATE DOMAIN ${name} AS ${type.base}`,
      ...(type.collation === null ? [] : [`COLLATE ${type.collation}`]),
      ...(type.default === null ? [] : [`DEFAULT ${type.default}`]),
      ...(type.notNull ? ['NOT NULL'] : []),
      ...type.checks.map(({ name: check, text }) => `CONSTRAINT ${quoteIdentifier(check)} ${text}`),
    ];
    yield { sql: parts.join(' '), of, unless };
  }
  if (type.comment !== null) yield { sql: `COMMENT ON ${type.kind === 'd' ? 'DOMAIN' : 'TYPE'} ${name} IS ${quoteString(type.comment)}`, of };
}

function sequenceName({ schema, name }: SourceSequence): string {
  return quoteNames([schema, name]);
}

function sequenceOptions({ increment, min, max, start, cache, cycle }: SourceSequence): string {
  return `INCREMENT BY ${increment} MINVALUE ${min} MAXVALUE ${max} START WITH ${start} CACHE ${cache}${cycle ? ' CYCLE' : ''}`;
}

function sequenceDefinition(sequence: SourceSequence): Definition {
  const name = sequenceName(sequence);
  return {
    sql: `CREATE SEQUENCE ${name} AS ${sequence.type} ${sequenceOptions(sequence)}`,
    of: `sequence ${name}`,
    unless: `SELECT 1 WHERE to_regclass(${quoteString(name)}) IS NOT NULL`,
  };
}

/** Ownership, comment and position. */
function* sequenceAfterRows(sequence: SourceSequence, tables: readonly SourceTable[]): Iterable<Definition> {
  const name = sequenceName(sequence);
  const of = `sequence ${name}`;
  const table = sequence.owner === null ? undefined : tables.find(({ oid }) => oid === sequence.owner!.table);
  const column = table?.columns.find(({ attnum }) => attnum === sequence.owner!.attnum);
  const at = table === undefined || column === undefined ? null : quoteNames([table.schema, table.name, column.name]);
  if (at !== null && !sequence.identity) yield { sql: `ALTER SEQUENCE ${name} OWNED BY ${at}`, of };
  if (sequence.comment !== null) yield { sql: `COMMENT ON SEQUENCE ${name} IS ${quoteString(sequence.comment)}`, of };
  const position = positionOf(sequence, tables, (each) => each.name);
  if (position !== null)
    yield {
      sql: `SELECT setval(${quoteString(name)}, p.v) FROM (SELECT (${position})::int8 AS v) AS p WHERE p.v BETWEEN ${sequence.min} AND ${sequence.max}`,
      of,
    };
}

function tableText(table: SourceTable, name: string, sequences: readonly SourceSequence[]): string {
  const parts = table.columns.map((column) => columnText(table, column, sequences));
  const inside = ({ kind, valid }: SourceConstraint): boolean => kind === 'p' || (kind === 'c' && valid);
  for (const { name: constraint, text } of table.constraints.filter(inside)) parts.push(`CONSTRAINT ${quoteIdentifier(constraint)} ${text}`);
  return `CREATE TABLE ${name} (${parts.join(', ')})`;
}

function columnText({ oid }: SourceTable, column: SourceColumn, sequences: readonly SourceSequence[]): string {
  const parts = [quoteIdentifier(column.name), column.type];
  if (column.collation !== null) parts.push(`COLLATE ${column.collation}`);
  if (column.default !== null) parts.push(`DEFAULT ${column.default}`);
  if (column.identity !== '') {
    const own = sequences.find(({ owner, identity }) => identity && owner?.table === oid && owner.attnum === column.attnum);
    const options = own === undefined ? '' : ` (SEQUENCE NAME ${sequenceName(own)} ${sequenceOptions(own)})`;
    parts.push(`GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`);
  }
  if (column.notNull) parts.push('NOT NULL');
  return parts.join(' ');
}
