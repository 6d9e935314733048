/** The objects of a schema, by oid, in the catalogs' terms: relations (including indexes), attnums, namespaces. */
import { isReserved } from '../../worlds/reserved-table.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { includedInKey } from '../schema/facts.ts';
import { documentKeyOid, INFORMATION_SCHEMA, PG_CATALOG } from './fixed-oids.ts';
import type { ForeignKey, Index, IndexColumn, SqlTable } from '../schema/table.ts';
import type { Schema, Sequence, UserType, View } from '../schema/schema.ts';

export interface IndexEntry {
  readonly oid: number;
  readonly name: string;
  readonly table: SqlTable;
  /** null for a primary key that orders the table's own tree. */
  readonly index: Index | null;
  readonly primary: boolean;
  readonly unique: boolean;
  readonly columns: readonly IndexColumn[];
  /** INCLUDE columns, by their position in the table. */
  readonly included: readonly number[];
  /** Name of its constraint, which has the index's oid. */
  readonly constraint: string | null;
  readonly deferrable: boolean;
  readonly initiallyDeferred: boolean;
  /** For an exclusion constraint: its operators and access method. */
  readonly exclusion: { readonly operators: readonly string[]; readonly method: string } | null;
}

export type WorldRelation =
  | { readonly kind: 'r'; readonly oid: number; readonly schema: string; readonly name: string; readonly table: SqlTable }
  | { readonly kind: 'v'; readonly oid: number; readonly schema: string; readonly name: string; readonly view: View }
  | { readonly kind: 'S'; readonly oid: number; readonly schema: string; readonly name: string; readonly sequence: Sequence }
  | { readonly kind: 'i'; readonly oid: number; readonly schema: string; readonly name: string; readonly index: IndexEntry }
  | { readonly kind: 'c'; readonly oid: number; readonly schema: string; readonly name: string; readonly type: UserType };

export type WorldConstraint =
  | { readonly kind: 'c'; readonly table: SqlTable; readonly check: SqlTable['checks'][number] }
  | { readonly kind: 'f'; readonly table: SqlTable; readonly key: ForeignKey };

export class WorldObjects {
  readonly schema: Schema;
  readonly #indexes = new Map<number, readonly IndexEntry[]>();
  readonly #namespaces: ReadonlyMap<number, string>;
  #byOid: Map<number, WorldRelation> | null = null;

  constructor(schema: Schema) {
    this.schema = schema;
    this.#namespaces = new Map([...schema.schemas].map(([name, oid]) => [oid, name]));
  }

  /** All of them; built on first use. */
  get byOid(): ReadonlyMap<number, WorldRelation> {
    if (this.#byOid !== null) return this.#byOid;
    const all = new Map<number, WorldRelation>();
    for (const table of this.schema.tables.values()) {
      all.set(table.number, tableEntry(table));
      for (const index of this.indexesOf(table.number)) all.set(index.oid, indexEntry(index));
    }
    for (const view of this.schema.views.values()) all.set(view.number, viewEntry(view));
    for (const sequence of this.schema.sequences.values()) all.set(sequence.number, sequenceEntry(sequence));
    for (const type of this.schema.types.values()) if (type.object.what === 'composite') all.set(type.number, compositeEntry(type));
    return (this.#byOid = all);
  }

  /** One of them, without building all. */
  at(oid: number): WorldRelation | undefined {
    if (this.#byOid !== null || oid < FIRST_OWN_OID) return this.#byOid?.get(oid);
    const { tables, views, sequences, indexes } = this.schema;
    const table = tables.get(oid);
    if (table !== undefined) return tableEntry(table);
    const view = views.get(oid);
    if (view !== undefined) return viewEntry(view);
    const sequence = sequences.get(oid);
    if (sequence !== undefined) return sequenceEntry(sequence);
    const type = this.schema.types.get(oid);
    if (type?.object.what === 'composite') return compositeEntry(type);
    const index = indexes.get(oid);
    const entry = index === undefined ? undefined : this.indexesOf(index.table.number).find((each) => each.oid === oid);
    // The rest are primary keys, which only their tables know.
    return entry === undefined ? this.byOid.get(oid) : indexEntry(entry);
  }

  /** Relations of any schema with the name, including composite types. */
  named(name: string): WorldRelation[] {
    const out: WorldRelation[] = [];
    if (isReserved(name)) return out;
    for (const schema of this.schema.schemas.keys()) {
      const found = this.relation(schema, name);
      if (found !== null) out.push(found);
    }
    return out;
  }

  /** A table's, as relations. */
  indexEntriesOf(table: number): WorldRelation[] {
    return this.indexesOf(table).map(indexEntry);
  }

  /** The primary key first. */
  indexesOf(table: number): readonly IndexEntry[] {
    let found = this.#indexes.get(table);
    if (found === undefined) {
      const own = this.schema.tables.get(table);
      if (own === undefined) return [];
      this.#indexes.set(table, (found = indexesOf(this.schema, own)));
    }
    return found;
  }

  namespaceOid(name: string): number | null {
    if (name === 'pg_catalog') return PG_CATALOG;
    if (name === 'information_schema') return INFORMATION_SCHEMA;
    return this.schema.schemas.get(name) ?? null;
  }

  namespaceName(oid: number): string | null {
    if (oid === PG_CATALOG) return 'pg_catalog';
    if (oid === INFORMATION_SCHEMA) return 'information_schema';
    return this.#namespaces.get(oid) ?? null;
  }

  relation(schema: string, name: string): WorldRelation | null {
    const found = this.schema.relation(schema, name);
    if (found === null) {
      const type = this.schema.ownType(schema, name);
      return type?.object.what === 'composite' ? compositeEntry(type) : null;
    }
    switch (found.kind) {
      case 'table':
        return tableEntry(found.table);
      case 'view':
        return viewEntry(found.view);
      case 'sequence':
        return sequenceEntry(found.sequence);
      case 'index': {
        const index = this.indexesOf(found.table.number).find((each) => each.index === found.index);
        return index === undefined ? null : indexEntry(index);
      }
    }
  }

  /** The unique index on exactly the columns that a foreign key references; 0 if it was dropped. */
  targetIndex(key: ForeignKey): number {
    const wanted = [...key.targetColumns].sort().join();
    for (const { oid, unique, columns } of this.indexesOf(key.target)) {
      if (
        unique &&
        columns
          .map(({ column }) => column)
          .sort()
          .join() === wanted
      )
        return oid;
    }
    return 0;
  }

  /** A check or a foreign key by its number. */
  constraint(number: number): WorldConstraint | null {
    this.#constraints ??= new Map(
      [...this.schema.tables.values()].flatMap((table) => [
        ...table.checks.map((check): [number, WorldConstraint] => [check.number, { kind: 'c', table, check }]),
        ...table.foreignKeys.map((key): [number, WorldConstraint] => [key.number, { kind: 'f', table, key }]),
      ]),
    );
    return this.#constraints.get(number) ?? null;
  }
  #constraints: ReadonlyMap<number, WorldConstraint> | null = null;

  /** Attnums of the columns that a check reads. */
  checkColumns(table: SqlTable, number: number): number[] {
    const constraint = this.schema.catalog.byNumber.get(table.number)?.relation?.constraints.find((each) => each.number === number);
    if (constraint?.what !== 'check') return [];
    return table.columns.filter((column) => constraint.columns.includes(column.number)).map(({ attnum }) => attnum);
  }

  /** Numbers of the relations that a view reads. */
  viewUses(view: View): readonly number[] {
    this.#uses ??= new Map(
      [...this.schema.catalog.objects.values()].flatMap((object) =>
        object.what === 'view' ? [[object.number, object.uses.map((use) => use.object)] as const] : [],
      ),
    );
    return this.#uses!.get(view.number) ?? [];
  }
  #uses: Map<number, readonly number[]> | null = null;
}

function compositeEntry(type: UserType): WorldRelation {
  return { kind: 'c', oid: type.number, schema: type.schema, name: type.name, type };
}

function tableEntry(table: SqlTable): WorldRelation {
  return { kind: 'r', oid: table.number, schema: table.schema, name: table.name, table };
}
function viewEntry(view: View): WorldRelation {
  return { kind: 'v', oid: view.number, schema: view.schema, name: view.name, view };
}
function sequenceEntry(sequence: Sequence): WorldRelation {
  return { kind: 'S', oid: sequence.number, schema: sequence.schema, name: sequence.name, sequence };
}
function indexEntry(index: IndexEntry): WorldRelation {
  return { kind: 'i', oid: index.oid, schema: index.table.schema, name: index.name, index };
}

function indexesOf(schema: Schema, table: SqlTable): IndexEntry[] {
  const out: IndexEntry[] = [];
  if (table.primaryKey !== null) {
    const number = schema.catalog.byNumber.get(table.number)?.relation?.object.primaryKey?.number ?? documentKeyOid(table.number);
    out.push({
      oid: number,
      name: table.primaryKey,
      table,
      index: null,
      primary: true,
      unique: true,
      columns: table.key.columns.map((column) => ({
        column,
        expression: null,
        type: table.columns[column].type,
        descending: false,
        nullsFirst: false,
        operatorClass: null,
        ownClass: null,
      })),
      included: includedInKey(schema, table),
      constraint: table.primaryKey,
      deferrable: false,
      initiallyDeferred: false,
      exclusion: null,
    });
  }
  for (const index of table.indexes) {
    const object = schema.catalog.indexes.get(index.number);
    out.push({
      oid: index.number,
      name: index.name,
      table,
      index,
      primary: index.primary,
      unique: index.unique,
      columns: index.columns,
      included: index.include,
      constraint: index.constraint,
      deferrable: object?.deferrable ?? false,
      initiallyDeferred: object?.initiallyDeferred ?? false,
      exclusion: object?.exclusion ?? null,
    });
  }
  return out;
}
