/** Typed tables for the worlds layer: rows as records and ids, `put` and `delete`, merge checks, diffs as SQL. */
import { typeDefault } from '../types/base-type.ts';
import { checkDomain } from '../types/domain-type.ts';
import { ExactNumber } from '../../base/exact-json.ts';
import { setField } from '../../base/json.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Json, Row } from '../../commands/contract.ts';
import type { TreeChanges } from '../../events/changes.ts';
import type { Key } from '../../tree/datum.ts';
import type { Leaf } from '../../tree/node.ts';
import { type Catalog, catalogOf, keyText, type Table } from '../../worlds/catalog.ts';
import { checkField, comparableCell, comparableJson, doubleShownAs, fieldValue, toJson } from '../../worlds/document.ts';
import type { TriggerEvent } from '../../worlds/definition.ts';
import { escapePart } from '../../worlds/keys.ts';
import { memberMatcher, type NestedField, nestedField } from '../../worlds/nested-field.ts';
import { unknownField } from '../../worlds/unknown-field.ts';
import type { TypedTables, TypedWrites, WriteParts } from '../../worlds/typed-tables.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { equalKeys } from './equal-keys.ts';
import type { Definitions } from './drop-target.ts';
import { dependentDefinitions } from './dependent-definitions.ts';
import { valueOfJson } from './json-value.ts';
import { relabelled } from './rename-enum-label.ts';
import { OID } from './oids.ts';
import { judgeState } from './state-judge.ts';
import { readCell } from './row-reader.ts';
import { type Schema, schemaOf } from './schema.ts';
import { StatementWrites } from './statement-writes.ts';
import { suggestedIndex } from './suggested-index.ts';
import type { SqlColumn, SqlTable } from './table.ts';
import type { TypeLookup } from './type-lookup.ts';
import { STORED } from '../types/environment.ts';

/** `definitionsOf`: a catalog in the form for dependency lookups. */
export function typedTablesOver(
  lookup: TypeLookup,
  compiler: Compiler,
  scripts: Pick<TypedTables, 'script' | 'definitionText'>,
  definitionsOf: (catalog: Catalog) => Definitions,
): Omit<TypedTables, 'followed'> {
  const schemaFor = (table: Table): Schema => schemaOf(catalogOf(table), lookup);
  const sqlTable = (table: Table): SqlTable => schemaFor(table).tableNumbered(table.number)!;
  const rows: Pick<TypedTables, 'record' | 'id' | 'matcher' | 'equalKeys'> = {
    record: (table, leaf, at) => readRecord(sqlTable(table), leaf, at),
    matcher: (table, where) => matcherOf(sqlTable(table), where),
    equalKeys: (table, pager, root, where) => equalKeys(schemaFor(table), sqlTable(table), pager, root, where),
    id: (table, key) => idOfRow(schemaFor(table), sqlTable(table), key),
  };
  const partitions: TypedTables['partitions'] = (catalog, table) => {
    if (table.relation?.object.partitionBy === undefined) return [table];
    // A table's own catalog may be older than its partitions.
    const schema = schemaOf(catalog, lookup);
    return schema.whole(schema.tableNumbered(table.number)!)!.whole!.members.map((member) => catalog.byNumber.get(member.table.number)!);
  };
  return {
    ...rows,
    partitions,
    suggestedIndex: (catalog, table, where) => suggestedIndex(schemaOf(catalog, lookup).tableNumbered(table.number)!, where),
    key: (table, id) => keyOfId(schemaFor(table), sqlTable(table), id),
    writes: (parts) => new RecordWrites(parts, lookup, compiler),
    judge: (check) => judgeState(check, lookup, compiler, rows),
    recast: (from, to, table, column, as) => recast(schemaOf(from, lookup), schemaOf(to, lookup), table, column, as),
    relabelled,
    script: scripts.script,
    definitionText: scripts.definitionText,
    dependentDefinitions: (catalog, object) => dependentDefinitions(definitionsOf(catalog), catalog, object),
    typeName: (oid, catalogs) =>
      lookup.byOid(oid)?.title ?? catalogs.map((each) => schemaOf(each, lookup).typeByOid(oid)?.title).find((title) => title !== undefined) ?? String(oid),
    renamed: (sql, table, names) => compiler.renamed(sql, table, names),
  };
}

/** Through the value's text, as ALTER COLUMN … TYPE without USING. */
function recast(from: Schema, to: Schema, table: number, number: number, as: number): ReturnType<TypedTables['recast']> {
  const columnOf = (schema: Schema, of: number): SqlColumn => schema.tableNumbered(table)!.columns.find((each) => each.number === of)!;
  const [source, target] = [columnOf(from, number), columnOf(to, as)];
  const read = ({ type, typmod }: SqlColumn, text: string): Value => type.coerce(type.parse(text, typmod, STORED), typmod, false);
  return {
    kind: target.storage.kind,
    cell: ({ leaf, index }) => {
      // Labels of one enum are identified by their ids, not by their names.
      if (source.type.oid === target.type.oid) {
        const same = readCell({ ...target, number: source.number }, leaf, index);
        if (same !== null) read(target, target.type.format(same, STORED));
        checkDomain(target.type, same, STORED);
        return same === null ? null : target.storage.encode(same);
      }
      const value = readCell(source, leaf, index);
      const text = value === null ? null : source.type.format(value, STORED);
      const made = text === null ? null : read(target, text);
      checkDomain(target.type, made, STORED);
      if (text === null || made === null) return null;
      if (source.type.format(read(source, target.type.format(made, STORED)), STORED) !== text)
        throw new SvcError('22000', `value "${text.slice(0, 80)}" of column "${target.name}" would not be the same as ${target.type.title}`);
      return target.storage.encode(made);
    },
  };
}

function readRecord(table: SqlTable, leaf: Leaf, at: number): Row {
  const row: Row = {};
  for (let i = table.document ? 1 : 0; i < table.columns.length; i++) {
    const column = table.columns[i];
    if (column.field !== undefined) {
      const json = fieldJson(column, leaf, at);
      if (json !== undefined) setField(row, column.name, json);
      continue;
    }
    const value = readCell(column, leaf, at);
    setField(row, column.name, value === null ? null : column.type.json(value, STORED));
  }
  return row;
}

/** A field's value as it was put; undefined if the document lacks it. */
function fieldJson({ number }: SqlColumn, leaf: Leaf, at: number): Json | undefined {
  const vec = leaf.col(number);
  const value = vec === null ? undefined : vec.get(at);
  return value === undefined ? undefined : toJson(value, vec!.kind);
}

/** Whether a field has the value: equal as JSON, in a column of any type. An absent field has none, not even null. */
function fieldMatcher(column: SqlColumn, wanted: Json): (leaf: Leaf, at: number) => boolean {
  const value = fieldValue(wanted);
  const equal = value === null ? null : comparableJson(value, column.name);
  return (leaf, at) => {
    const json = fieldJson(column, leaf, at);
    if (json === undefined || json === null || equal === null) return json === null && equal === null;
    return json === value || comparableCell(json, column.name) === equal;
  };
}

/** Whether a member of a JSON column has the value. 42703 if the column holds no JSON. */
function insideMatcher(table: SqlTable, column: SqlColumn, nested: NestedField, wanted: Json): (leaf: Leaf, at: number) => boolean {
  const { type } = column;
  // A field of documents holds JSON in some rows as soon as one has it.
  if (column.field === undefined && type.oid !== OID.json && type.oid !== OID.jsonb) {
    throw new SvcError(
      '42703',
      `table "${table.name}" has no field "${[nested.name, ...nested.path].join('.').slice(0, 64)}": ${nested.name} is ${type.title}`,
    );
  }
  const matches = memberMatcher(nested, wanted);
  if (column.field !== undefined) return (leaf, at) => matches(fieldJson(column, leaf, at));
  return (leaf, at) => {
    const value = readCell(column, leaf, at);
    return value !== null && matches(type.json(value, STORED) as Json);
  };
}

function matcherOf(table: SqlTable, where: Row): (leaf: Leaf, at: number) => boolean {
  const tests = Object.entries(where).map(([name, json]) => {
    const nested = nestedField(name, (of) => table.columns.some((each) => each.name === of));
    if (nested === null) throw unknownField(table.name, name, table.columns);
    const column = table.columns.find((each) => each.name === nested.name)!;
    const { type } = column;
    if (nested.path.length > 0) return insideMatcher(table, column, nested, json);
    if (column.field !== undefined) return fieldMatcher(column, json);
    if (table.document && column === table.columns[0]) return (leaf: Leaf, at: number): boolean => keyText(leaf.skeys[at]) === json;
    const wanted = json === null ? null : valueOfJson(json, type, -1);
    const text = wanted === null || type.ordered ? '' : type.format(wanted, STORED);
    return (leaf: Leaf, at: number): boolean => {
      const value = readCell(column, leaf, at);
      if (value === null || wanted === null) return value === wanted;
      return type.ordered ? type.compare(value, wanted) === 0 : type.format(value, STORED) === text;
    };
  });
  return (leaf, at) => tests.every((test) => test(leaf, at));
}

function idOfRow(schema: Schema, table: SqlTable, key: Key): string {
  const { columns } = table.key;
  if (columns.length === 0) return String(key);
  const values = schema.rowKey(table).decode(key);
  const texts = values.map((value, i) => table.columns[columns[i]].type.format(value, STORED));
  return texts.length === 1 ? texts[0] : texts.map(escapePart).join(',');
}

function keyValues(table: SqlTable, id: string): Value[] {
  const { columns } = table.key;
  const texts = columns.length === 1 ? [id] : id.split(',');
  if (texts.length !== columns.length) {
    throw new SvcError('22023', `the id of a row of "${table.name}" has ${columns.length} parts, "${id.slice(0, 80)}" has ${texts.length}`, {
      hint: `Join the texts of ${columns.map((column) => table.columns[column].name).join(', ')} with commas, and %-escape commas in them.`,
    });
  }
  return texts.map((text, i) => {
    const { name, type, typmod } = table.columns[columns[i]];
    try {
      return type.coerce(type.parse(columns.length === 1 ? text : decodeURIComponent(text), typmod, STORED), typmod, false);
    } catch (error) {
      throw error instanceof URIError ? new SvcError('22023', `"${text.slice(0, 80)}" is not %-escaped text`) : inField(name, error);
    }
  });
}

function keyOfId(schema: Schema, table: SqlTable, id: string): Key {
  if (table.key.columns.length > 0) return schema.rowKey(table).encode(keyValues(table, id));
  const number = Number(id);
  if (!/^\d+$/.test(id) || !Number.isSafeInteger(number)) throw new SvcError('22023', `"${id.slice(0, 80)}" is not the number of a row of "${table.name}"`);
  return number;
}

function inField(field: string, error: unknown): unknown {
  if (!(error instanceof SvcError)) return error;
  return new SvcError(error.code, `field ${field}: ${error.message}`, { detail: error.detail, hint: error.hint, status: 400, data: error.data, cause: error });
}

/** A field's value in a column whose type stays: 22003 for a number that it would round. */
function fieldAsColumn({ name, field, type, typmod }: SqlColumn, given: Json): Value {
  const value = fieldValue(given);
  checkField(value, name);
  if (field === 'double precision' && value instanceof ExactNumber && doubleShownAs(value) === null) {
    throw new SvcError('22003', `the number ${value.text.slice(0, 40)} would be rounded to fit type ${type.title}`, {
      hint: `Give the column a type that keeps all digits: ALTER COLUMN ${quoteIdentifier(name)} TYPE numeric.`,
    });
  }
  return valueOfJson(value, type, typmod);
}

function givenNulls(table: SqlTable, record: Row): ReadonlySet<number> {
  return new Set(table.columns.flatMap(({ name }, i) => (Object.hasOwn(record, name) && record[name] === null ? [i] : [])));
}

class RecordWrites implements TypedWrites {
  readonly #schema: Schema;
  readonly #writes: StatementWrites;
  readonly #compiler: Compiler;

  constructor({ pager, objects, catalog, root, contended }: WriteParts, lookup: TypeLookup, compiler: Compiler) {
    this.#schema = schemaOf(catalog, lookup);
    const own = compiler.within?.(this.#schema, pager) ?? compiler;
    this.#compiler = own;
    this.#writes = new StatementWrites({ pager, objects, schema: this.#schema, root, compiler: own, env: STORED, contended });
  }

  get shares(): StatementWrites['shares'] {
    return this.#writes.shares;
  }

  /** 0A000 if a trigger would have to fire, a rule rewrites the statement, or ids are not keys. */
  #writable(number: number, ...done: readonly TriggerEvent[]): SqlTable {
    const table = this.#schema.tableNumbered(number)!;
    if (table.schema === 'pg_catalog') throw new SvcError('42501', `permission denied: "${table.name}" is a system catalog`);
    if (table.foreign !== undefined) throw new SvcError('0A000', `cannot change foreign table "${table.name}"`);
    if (table.materialized !== null) throw new SvcError('42809', `cannot change materialized view "${table.name}"`);
    // An id would be interpreted as the key's value, and mean another row.
    if (table.indexes.some(({ primary }) => primary)) {
      throw new SvcError('0A000', `row operations do not find rows of table "${table.name}" by its primary key, which is deferrable`, {
        hint: 'Write to the table with SQL.',
      });
    }
    // Triggers run in SQL sessions.
    const trigger = this.#schema
      .triggers(number)
      .find(({ events, fires }) => fires !== 'never' && fires !== 'replica' && events.some((event) => done.includes(event)));
    if (trigger !== undefined) {
      throw new SvcError('0A000', `row operations do not fire trigger "${trigger.name}" of table "${table.name}"`, { hint: 'Write to the table with SQL.' });
    }
    const rule = this.#schema.rules(number).find(({ event, fires }) => fires !== 'never' && fires !== 'replica' && done.some((each) => each === event));
    if (rule !== undefined) {
      throw new SvcError('0A000', `row operations do not apply rule "${rule.name}" of table "${table.name}"`, { hint: 'Write to the table with SQL.' });
    }
    return table;
  }

  put({ number }: Table, id: string, record: Row): void {
    if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new SvcError('22023', 'record must be a JSON object');
    const table = this.#writable(number, 'insert', 'update');
    const writer = this.#writes.writer(table);
    const key = keyOfId(this.#schema, table, id);
    const there = writer.read(key);
    if (there === null && table.key.columns.length === 0) {
      throw new SvcError('22023', `table "${table.name}" has no primary key, so a new row cannot be put under an id`, { hint: 'Insert it with SQL.' });
    }
    const row = this.#row(table, id, record);
    if (table.columns.some(({ field }) => field !== undefined)) writer.keepNulls(key, givenNulls(table, record));
    if (there === null) {
      writer.insert(row);
      return;
    }
    const others = table.columns.flatMap((_, i) => (table.key.columns.includes(i) ? [] : [i]));
    writer.update(
      key,
      others,
      others.map((column) => row[column]),
    );
  }

  delete({ number }: Table, id: string): boolean {
    const table = this.#writable(number, 'delete');
    const writer = this.#writes.writer(table);
    const key = keyOfId(this.#schema, table, id);
    if (writer.read(key) === null) return false;
    writer.delete(key);
    return true;
  }

  finish(): TreeChanges[] {
    return this.#writes.finish();
  }

  #row(table: SqlTable, id: string, record: Row): Value[] {
    for (const name of Object.keys(record)) {
      if (!table.columns.some((column) => column.name === name))
        throw new SvcError('42703', `column "${name.slice(0, 64)}" of relation "${table.name}" does not exist`);
    }
    const fromId = table.key.columns.length === 0 ? [] : keyValues(table, id);
    return table.columns.map((column, i) => {
      const { name, type, typmod, generated } = column;
      const sql = column.default ?? typeDefault(type);
      const given = Object.hasOwn(record, name) && record[name] !== undefined;
      const inKey = table.key.columns.indexOf(i);
      try {
        if (inKey >= 0) {
          if (given && type.hashKey(valueOfJson(record[name], type, typmod) ?? '') !== type.hashKey(fromId[inKey])) {
            throw new SvcError('22023', `the record must have the value that the row's id "${id.slice(0, 64)}" gives, or leave it out`);
          }
          return fromId[inKey];
        }
        // The writer computes it from the others.
        if (generated !== null) return null;
        if (given) return column.field === undefined ? valueOfJson(record[name], type, typmod) : fieldAsColumn(column, record[name]);
        if (sql === null && type.domain !== null) checkDomain(type, null, STORED);
        return sql === null ? null : this.#compiler.expression(table, sql, type, typmod)(table.columns.map(() => null));
      } catch (error) {
        throw inField(name, error);
      }
    });
  }
}
