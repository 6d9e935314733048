/**
 * Puts and deletes of records, decided against one state of a world: the changed cells, and the new tables, fields and wider
 * types needed. Changes nothing; the result goes into an event.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { Json, Row } from '../commands/contract.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import type { Datum, Kind, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import { adapt, type Node, widest } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { type Catalog, kindOf, type Table } from './catalog.ts';
import { PUBLIC_DROPPED } from './kinds/dropped-schema.ts';
import { columnDefinition, columnDefinitionKey, DEFINITION_SHAPE, type DocumentType, widestField, tableDefinition, tableDefinitionKey } from './definition.ts';
import { fieldValue, toDatum, typeOf } from './document.ts';
import { mustNameField } from './field-name.ts';
import { type RowAt, rowIn, ShapeTable } from '../tree/row-change.ts';
import { nameInUse } from './name-in-use.ts';
import type { Objects } from './world.ts';

interface Field {
  number: number;
  name: string;
  before: DocumentType | null;
  type: DocumentType;
}

interface Pending {
  number: number;
  table: Table | null;
  /** Fields that are new or widened. */
  fields: Map<string, Field>;
  /** Last entry for a key wins; null deletes. */
  rows: Map<string, Row | null>;
}

export class RowWriter {
  readonly #pager: Pager;
  readonly #objects: Objects;
  readonly #directory: Node;
  readonly #catalog: Catalog;
  readonly #tables = new Map<string, Pending>();
  readonly #shapes = new ShapeTable();

  constructor(pager: Pager, objects: Objects, directory: Node, catalog: Catalog) {
    this.#pager = pager;
    this.#objects = objects;
    this.#directory = directory;
    this.#catalog = catalog;
  }

  /** `key` is the id's tree key. */
  put(tableName: string, id: string, key: string, record: Row): void {
    if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new SvcError('22023', 'record must be a JSON object');
    const pending = this.#pending(tableName, true)!;
    for (const name of Object.keys(record)) {
      const value = record[name];
      if (name === 'id') {
        if (value !== id) throw new SvcError('22023', `the record's field id must be the row's id "${id.slice(0, 64)}", or be left out`);
        continue;
      }
      if (value === undefined) continue;
      this.#observe(pending, name, value);
    }
    pending.rows.set(key, record);
  }

  delete(tableName: string, key: string): void {
    this.#pending(tableName, false)?.rows.set(key, null);
  }

  #pending(name: string, create: boolean): Pending | null {
    let pending = this.#tables.get(name);
    if (pending !== undefined) return pending;
    const table = this.#catalog.tables.get(name) ?? null;
    if (table === null && !create) return null;
    // Document tables stand in the schema public.
    if (table === null && this.#catalog.objects.has(PUBLIC_DROPPED)) {
      throw new SvcError('3F000', `schema "public" was dropped, so the table "${name.slice(0, 64)}" cannot be made in it`, {
        hint: 'Run CREATE SCHEMA public.',
      });
    }
    const number = table?.number ?? this.#newTable(name);
    pending = { number, table, fields: new Map(), rows: new Map() };
    this.#tables.set(name, pending);
    return pending;
  }

  /** Number of a table that is made. 42809 if something else has the name. */
  #newTable(name: string): number {
    const other = nameInUse(this.#catalog.objects, name);
    if (other !== null)
      throw new SvcError('42809', `"${name.slice(0, 64)}" is not a table: ${other} has the name`, { hint: 'Put the rows into a table of another name.' });
    const number = this.#objects.number(name);
    // A table that was renamed keeps the number that the name had.
    return (this.#catalog.numbers.get(number) ?? 0) > 0 ? this.#objects.number(null) : number;
  }

  #observe(pending: Pending, name: string, value: Json): void {
    const type = typeOf(fieldValue(value));
    const known = pending.fields.get(name);
    if (known !== undefined) {
      known.type = widestField(known.type, type);
      return;
    }
    const column = pending.table?.byName.get(name);
    if (column !== undefined) {
      const wide = widestField(column.type, type);
      if (wide !== column.type) pending.fields.set(name, { number: column.number, name, before: column.type, type: wide });
      return;
    }
    mustNameField(name);
    // With the id.
    const columns = 1 + (pending.table?.columns.length ?? 0) + pending.fields.size;
    if (columns >= LIMITS.tableColumnsMax) {
      throw new SvcError('54011', `a table has at most ${LIMITS.tableColumnsMax} columns, "${name.slice(0, 64)}" would be one more`, {
        hint: 'Put varying names inside one JSON field.',
      });
    }
    const number = this.#objects.number(`${pending.number}\0${name}`);
    pending.fields.set(name, { number, name, before: null, type });
  }

  finish(): TreeChanges[] {
    const out: TreeChanges[] = [];
    const definitions: RowChange[] = [];
    for (const [name, pending] of this.#tables) {
      if (pending.table === null) {
        definitions.push({
          key: tableDefinitionKey(pending.number),
          shape: DEFINITION_SHAPE,
          before: null,
          after: [tableDefinition(pending.number, name)],
        });
      }
      for (const field of pending.fields.values()) {
        const definition = (type: DocumentType): string => columnDefinition(pending.number, field.number, field.name, type);
        definitions.push({
          key: columnDefinitionKey(pending.number, field.number),
          shape: DEFINITION_SHAPE,
          before: field.before === null ? null : [definition(field.before)],
          after: [definition(field.type)],
        });
      }
      const rows = this.#rows(pending);
      if (rows.length > 0) out.push({ tree: pending.number, numeric: false, rows });
    }
    if (definitions.length > 0) out.unshift({ tree: CATALOG_TREE, numeric: false, rows: sortRows(definitions) });
    return out;
  }

  #rows(pending: Pending): RowChange[] {
    const tree = childRoot(this.#pager, this.#directory, pending.number);
    const out: RowChange[] = [];
    for (const [key, record] of pending.rows) {
      const old = rowIn(this.#pager, tree, key);
      if (record === null) {
        if (old !== null) out.push(this.#deletion(key, old));
      } else {
        const change = this.#change(pending, key, record, old);
        if (change !== null) out.push(change);
      }
    }
    return sortRows(out);
  }

  #deletion(key: string, old: RowAt): RowChange {
    const ids: number[] = [];
    const kinds: Kind[] = [];
    const before: Datum[] = [];
    for (let c = 0; c < old.leaf.cols.length; c++) {
      const value = old.leaf.cols[c].get(old.index);
      if (value === undefined) continue;
      ids.push(old.leaf.colIds[c]);
      kinds.push(old.leaf.cols[c].kind);
      before.push(value);
    }
    return { key, shape: this.#shapes.of(ids, kinds), before, after: null };
  }

  #change(pending: Pending, key: string, record: Row, old: RowAt | null): RowChange | null {
    const ids: number[] = [];
    const kinds: Kind[] = [];
    const before: Datum[] = [];
    const after: Datum[] = [];
    for (const name of Object.keys(record)) {
      const value = record[name];
      if (name === 'id' || value === undefined) continue;
      const field = pending.fields.get(name);
      const column = field === undefined ? pending.table!.byName.get(name)! : null;
      const number = field?.number ?? column!.number;
      let kind = column?.kind ?? kindOf(field!.type);
      const vec = old === null ? null : old.leaf.col(number);
      const was = vec === null ? undefined : vec.get(old!.index);
      // A cell may be wider than its column, after a widening was undone.
      if (was !== undefined && was !== null) kind = widest(kind, vec!.kind);
      const now = toDatum(fieldValue(value), kind, name);
      const wasAdapted = was === undefined || was === null ? was : adapt(was, vec!.kind, kind);
      if (old !== null && wasAdapted === now) continue;
      ids.push(number);
      kinds.push(kind);
      before.push(wasAdapted);
      after.push(now);
    }
    if (old === null) return { key, shape: this.#shapes.of(ids, kinds), before: null, after };
    // Fields missing from the record become absent.
    for (let c = 0; c < old.leaf.cols.length; c++) {
      const vec = old.leaf.cols[c];
      const value = vec.get(old.index);
      if (value === undefined) continue;
      const id: number = old.leaf.colIds[c];
      const name = pending.table?.byNumber.get(id)?.name;
      if (name !== undefined && Object.hasOwn(record, name) && record[name] !== undefined) continue;
      ids.push(id);
      kinds.push(vec.kind);
      before.push(value);
      after.push(undefined);
    }
    return ids.length === 0 ? null : { key, shape: this.#shapes.of(ids, kinds), before, after };
  }
}

function sortRows(rows: RowChange[]): RowChange[] {
  for (let i = 1; i < rows.length; i++) {
    if (rows[i - 1].key > rows[i].key) return rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
  return rows;
}
