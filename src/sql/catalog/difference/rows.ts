/**
 * Row changes as statements. Deletes use the table's former definition; inserts and updates the later one.
 *
 * Rows are written one at a time, so a row that takes over another's unique key is deleted and inserted again, and foreign keys are
 * satisfied at each step: referenced tables are written first and cleared last.
 */
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import type { Key } from '../../../tree/datum.ts';
import type { RowAt } from '../../../tree/row-change.ts';
import { largeObjectAsSql } from './large-objects.ts';
import { FIRST_OWN_OID } from '../../schema/oids.ts';
import { readRow } from '../../schema/row-reader.ts';
import type { SqlColumn, SqlTable } from '../../schema/table.ts';
import { STORED } from '../../types/environment.ts';
import { columnsOf } from '../../types/record-type.ts';
import { storedText, storedValue } from '../../types/stored-text.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { relationName, type Side } from './part.ts';

/** Types whose values are equal exactly if their texts are, and which every client can compare with `=`. */
const EXACT: ReadonlySet<string> = new Set([
  'bool',
  'int2',
  'int4',
  'int8',
  'text',
  'varchar',
  'uuid',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'bytea',
  'oid',
]);

function literal(value: Value, column: SqlColumn): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value) && column.type.category === 'N' && column.type.name !== 'money' && column.type.made === undefined)
    return String(value);
  return quoteString(column.type.format(value, STORED));
}

/** Without a primary key all columns identify the row, and of several equal ones one is changed. */
function equal(column: SqlColumn, value: Value): string {
  const name = quoteIdentifier(column.name);
  if (value === null) return `${name} IS NULL`;
  return EXACT.has(column.type.name) ? `${name} = ${literal(value, column)}` : `${name}::text = ${quoteString(column.type.format(value, STORED))}`;
}

interface Change {
  readonly removes: string | null;
  readonly writes: string | null;
}

/** The rows of one table. */
export class TableRows {
  readonly number: number;
  readonly #was: { readonly side: Side; readonly table: SqlTable } | null;
  readonly #is: { readonly side: Side; readonly table: SqlTable } | null;
  /** Columns in unique constraints; null: unknown. */
  readonly #unique: ReadonlySet<number> | null;
  readonly #isRekeyed: boolean;
  readonly changes: Change[] = [];
  removed = 0;
  updated = 0;
  /** Rows that are deleted and inserted again. */
  rewritten = 0;
  /** The former number of rows. */
  before = Infinity;

  constructor(was: Side, is: Side, number: number) {
    this.number = number;
    const [old, now] = [was.schema.tableNumbered(number), is.schema.tableNumbered(number)];
    this.#was = old === undefined ? null : { side: was, table: old };
    this.#is = now === undefined ? null : { side: is, table: now };
    const indexes = (old?.indexes ?? []).filter(({ unique, excludes }) => unique || excludes);
    this.#unique = indexes.some(({ columns, where }) => where !== null || columns.some(({ column }) => column === null))
      ? null
      : new Set(indexes.flatMap(({ columns }) => columns.map(({ column }) => old!.columns[column!].attnum)));
    const keyOf = (table: SqlTable): string => table.key.columns.map((i) => `${table.columns[i].attnum} ${table.columns[i].type.oid}`).join();
    this.#isRekeyed = old !== undefined && now !== undefined && keyOf(old) !== keyOf(now);
  }

  get isUnique(): boolean {
    return this.#isRekeyed || this.#unique === null || this.#unique.size > 0;
  }

  add(key: Key, before: RowAt | null, after: RowAt | null): void {
    const old = before === null ? null : readRow(this.#was!.table, before.leaf, before.index);
    const row = after === null ? null : readRow(this.#is!.table, after.leaf, after.index);
    if (old === null) this.changes.push({ removes: null, writes: this.#insert(row!) });
    else if (row === null) this.changes.push({ removes: this.#delete(key, old), writes: null });
    else {
      const sets = this.#sets(old, row);
      if (sets.length === 0) return;
      const takes = this.#isRekeyed || (this.#unique === null ? true : sets.some(({ attnum }) => this.#unique!.has(attnum)));
      if (takes) {
        this.rewritten++;
        this.changes.push({ removes: this.#delete(key, old), writes: this.#insert(row) });
      } else {
        this.updated++;
        const { side, table } = this.#is!;
        // The key is the former one; for a table without one, so are the columns.
        const where = table.key.columns.length > 0 ? this.#byKey(side, table, key) : this.#byColumns(side, table, old, this.#was!.table);
        this.changes.push({ removes: null, writes: `UPDATE ${this.#name(side, table)} SET ${sets.map(({ text }) => text).join(', ')} WHERE ${where};` });
        return;
      }
    }
    if (old !== null) this.removed++;
  }

  /** All rows are deleted: one statement suffices. */
  get isEmptied(): boolean {
    return this.removed === this.before && this.removed > 1;
  }

  removals(): string[] {
    if (this.isEmptied) return [`DELETE FROM ${this.#name(this.#was!.side, this.#was!.table)};`];
    return this.changes.flatMap(({ removes }) => removes ?? []);
  }

  #name(side: Side, table: SqlTable): string {
    const name = relationName(side, table.number);
    return side.schema.children(table.number).length > 0 ? `ONLY ${name}` : name;
  }

  #byKey({ schema }: Side, table: SqlTable, key: Key): string {
    const values = schema.rowKey(table).decode(key);
    return table.key.columns.map((column, i) => `${quoteIdentifier(table.columns[column].name)} = ${literal(values[i], table.columns[column])}`).join(' AND ');
  }

  /** `row` with the columns of `of`; those that `table` no longer has, or has with another type, are ignored. */
  #byColumns(side: Side, table: SqlTable, row: readonly Value[], of: SqlTable): string {
    const tests = of.columns.flatMap((column, i) => {
      const own = table.columns.find(({ attnum, type }) => attnum === column.attnum && type.oid === column.type.oid);
      return own === undefined ? [] : [equal(own, carried(row[i], column.type, own.type))];
    });
    const name = this.#name(side, table);
    return `ctid = (SELECT ctid FROM ${name}${tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`} LIMIT 1)`;
  }

  #delete(key: Key, row: readonly Value[]): string {
    const { side, table } = this.#was!;
    const where = table.key.columns.length > 0 ? this.#byKey(side, table, key) : this.#byColumns(side, table, row, table);
    return `DELETE FROM ${this.#name(side, table)} WHERE ${where};`;
  }

  #insert(row: readonly Value[]): string {
    const { side, table } = this.#is!;
    const { columns } = table;
    const stored = columns.flatMap(({ generated }, i) => (generated === null ? [i] : []));
    if (stored.length === 0) return `INSERT INTO ${relationName(side, table.number)} DEFAULT VALUES;`;
    const always = columns.some(({ identity }) => identity === 'always') ? ' OVERRIDING SYSTEM VALUE' : '';
    const list = stored.map((i) => quoteIdentifier(columns[i].name)).join(', ');
    return `INSERT INTO ${relationName(side, table.number)} (${list})${always} VALUES (${stored.map((i) => literal(row[i], columns[i])).join(', ')});`;
  }

  #sets(old: readonly Value[], row: readonly Value[]): { attnum: number; text: string }[] {
    const was = this.#was!.table;
    return this.#is!.table.columns.flatMap((column, i) => {
      if (column.generated !== null) return [];
      const at = was.columns.findIndex(({ attnum }) => attnum === column.attnum);
      const before = at < 0 || was.columns[at].generated !== null ? column.missing : old[at];
      const text = (value: Value, of: SqlColumn): string => (value === null ? 'NULL' : quoteString(of.type.format(value, STORED)));
      const of = at < 0 ? column : was.columns[at];
      // A value of a type that changes too may be converted.
      const turns = of.type.oid !== column.type.oid && of.type.oid >= FIRST_OWN_OID;
      const isSame = !turns && text(before, of) === text(row[i], column);
      return isSame ? [] : [{ attnum: column.attnum, text: `${quoteIdentifier(column.name)} = ${literal(row[i], column)}` }];
    });
  }
}

/** A stored value while its composite type gains or loses attributes. */
function carried(value: Value, from: SqlType, to: SqlType): Value {
  return value === null || from === to || columnsOf(to.element ?? to) === null ? value : storedValue(to, storedText(from, value, STORED), STORED);
}

/** A change of a large object; null for table rows. */
export function largeObjectStatement(was: Side, is: Side, number: number, before: RowAt | null, after: RowAt | null): string | null {
  const store = is.schema.stores.get(number) ?? was.schema.stores.get(number);
  return store === undefined ? null : largeObjectAsSql(store, before, after);
}

/** Changed rows of a table and its descendants. */
function below(side: Side, number: number, changed: ReadonlyMap<number, TableRows>): TableRows[] {
  const own = changed.get(number);
  return [...(own === undefined ? [] : [own]), ...side.schema.children(number).flatMap((child) => below(side, child.number, changed))];
}

/** Whether rows may be written in any order: none takes over another's key, or references one. */
export function standAlone(side: Side, tables: readonly TableRows[]): boolean {
  const changed = new Map(tables.map((each) => [each.number, each]));
  const points = ({ number }: TableRows): boolean =>
    (side.schema.tables.get(number)?.foreignKeys ?? []).some(({ target }) => below(side, target, changed).length > 0);
  return !tables.some((rows) => rows.isUnique || points(rows));
}

/** Referenced tables before referencing ones. */
export function pointedFirst(side: Side, tables: readonly TableRows[]): TableRows[] {
  const out: TableRows[] = [];
  const seen = new Set<number>();
  const changed = new Map(tables.map((each) => [each.number, each]));
  const visit = (rows: TableRows): void => {
    if (seen.has(rows.number)) return;
    seen.add(rows.number);
    for (const { target } of side.schema.tables.get(rows.number)?.foreignKeys ?? []) for (const first of below(side, target, changed)) visit(first);
    out.push(rows);
  };
  for (const rows of tables) visit(rows);
  return out;
}

/** Foreign keys that stay but would be violated temporarily: they are dropped meanwhile. */
export function brokenOnTheWay(was: Side, is: Side, tables: readonly TableRows[]): { table: number; name: string }[] {
  const changed = new Map(tables.map((each) => [each.number, each]));
  const order = new Map(pointedFirst(is, tables).map(({ number }, i) => [number, i]));
  const out: { table: number; name: string }[] = [];
  for (const table of was.schema.tables.values()) {
    for (const { name, number, target } of table.foreignKeys) {
      const stays = is.schema.tables.get(table.number)?.foreignKeys.some((key) => key.number === number && key.name === name);
      const pointedAt = below(was, target, changed);
      if (stays !== true || pointedAt.length === 0) continue;
      const pointing = below(was, table.number, changed);
      const turns = pointing.some((from) => pointedAt.some((to) => order.get(from.number)! <= order.get(to.number)!));
      // References to a deleted or rewritten row may be changed only afterwards.
      const goes = pointedAt.some(({ removed }) => removed > 0);
      const moves = pointing.some(({ updated }) => updated > 0) || pointedAt.some(({ rewritten }) => rewritten > 0);
      if (turns || (goes && moves)) out.push({ table: table.number, name });
    }
  }
  return out;
}
