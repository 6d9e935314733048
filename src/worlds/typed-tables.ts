/**
 * What the worlds layer asks of typed tables. Types, keys and constraints belong to the SQL layer, which stands
 * above this one; it gives an implementation when the database is composed. It holds no state of a database,
 * so one serves all that a process opens.
 */
import { assert } from '../base/assert.ts';
import type { Conflict, Row } from '../commands/contract.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Datum, Key, Kind } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Catalog, Table } from './catalog.ts';
import type { CatalogObject, EnumObject } from './definition.ts';
import type { Roles } from '../identity/roles.ts';
import type { SequenceState } from './sequences.ts';
import type { RowAt } from '../tree/row-change.ts';
import type { Objects } from './world.ts';

export interface WriteParts {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly catalog: Catalog;
  readonly root: Node;
  /** Asked before something is refused for what stands in the way: throws where another transaction may still change that. */
  readonly contended?: (tree: number, key: Key, mode: number) => void;
}

/** A row of a table by its number, and how it is locked (`ROW_LOCK`). */
export interface RowToLock {
  readonly table: number;
  readonly key: Key;
  readonly mode: number;
}

/** Rows put and deleted by row operations; constraints are checked as SQL checks them. */
export interface TypedWrites {
  /** The whole row, as INSERT … ON CONFLICT DO UPDATE; errors name the field. */
  put(table: Table, id: string, record: Row): void;
  /** Whether there was such a row. */
  delete(table: Table, id: string): boolean;
  finish(): TreeChanges[];
  /** After `finish`: rows that foreign keys point at, which must stay, and rows that were written as they are. */
  readonly shares: readonly RowToLock[];
}

/** A state made of two others, before it is committed. */
export interface CandidateState extends WriteParts {
  /** Definitions that the result has; `catalog` and `root` are those of the world that gets the changes. */
  readonly merged: Catalog;
  readonly theirs: Catalog;
  /** What both sides had in common. */
  readonly base: Node;
  readonly baseCatalog: Catalog;
  readonly changes: readonly TreeChanges[];
  /** Whether rows may have come out as neither side has them. */
  readonly columns: boolean;
  /** Of what one side changed only some comes: rows may meet definitions that no side has seen with them. */
  readonly partial: boolean;
  /** The worlds, in explanations. */
  readonly names: { readonly ours: string; readonly theirs: string };
}

export interface Verdict {
  readonly conflicts: Conflict[];
  /** What rows need beside: computed columns, defaults, keys of indexes that the other side made. */
  readonly changes: TreeChanges[];
  /** Numbers of the tables that were looked at. */
  readonly reads: readonly number[];
}

/** Who reads a difference: the role, 0 for one that is no role; `secrets`: passwords among options may be told. */
export interface Reader {
  readonly roles: Roles;
  readonly role: number;
  readonly secrets: boolean;
}

/** A definition that is another in the second of two states, or is in one of them only. */
export interface DefinitionDifference {
  /** What it is in words, as SQL names it: `table t`, `column t.v`, `function f(integer)`; as the second state names it where that has it. */
  readonly object: string;
  readonly change: 'create' | 'alter' | 'drop';
  /** SQL text of the definition in each state; null where it is not there. */
  readonly before: string | null;
  readonly after: string | null;
  /** SQL that makes the change; several statements stand one a line. */
  readonly statement: string;
  /** Number of the table that it is, or is of; null of other objects. */
  readonly table: number | null;
}

/** Statements that make one state of another, in an order in which they run. */
export interface DifferenceScript {
  /** A change of a row, of a table by its number. */
  row(table: number, key: Key, before: RowAt | null, after: RowAt | null): void;
  /** How many rows a table has in the first state. */
  size(table: number, rows: number): void;
  /** How far a sequence is in the second state. */
  sequence(number: number, state: SequenceState): void;
  /** Tables of which every row is to be told: one of their columns is back, with the values that it had. */
  whole(): Iterable<number>;
  /** Once all rows are told. */
  statements(): string[];
  /** The definitions that differ, one an entry, without rows. */
  definitions(): DefinitionDifference[];
}

export interface NewName {
  readonly schema: string;
  readonly name: string;
}

/** What is called otherwise in another catalog, by its number; types by their oids. */
export interface Renames {
  readonly relations: ReadonlyMap<
    number,
    { readonly number: number; readonly to?: NewName; readonly columns: readonly { readonly from: string; readonly to: string }[] }
  >;
  readonly functions: ReadonlyMap<number, NewName>;
  readonly types: ReadonlyMap<number, NewName>;
}

export interface TypedTables {
  /** Values in the encodings of SQL results. */
  record(table: Table, leaf: Leaf, at: number): Row;
  /** The id of a row as operations have it: one column's text, or texts that are %-escaped and joined with `,`. */
  id(table: Table, key: Key): string;
  /** 22023, 22P02 … where the text is no id. */
  key(table: Table, id: string): Key;
  writes(parts: WriteParts): TypedWrites;
  /** What is derived and promised over the result: what rows need beside, and those that break what is promised. In steps, over roots that stay as they are. */
  judge(candidate: CandidateState): Generator<void, Verdict>;
  /**
   * What a row has in one column as a cell of another: of another type, or of the same one as `to` defines it. The function throws what the
   * value breaks there (22003, 22P02, 23514, …), also where it would not be the same value again.
   */
  recast(from: Catalog, to: Catalog, table: number, column: number, as: number): { readonly kind: Kind; cell(row: RowAt): Datum };
  /** A definition with labels of an enum called otherwise in its texts; `left`: one may still be meant. */
  relabelled(
    definitions: Iterable<CatalogObject>,
    type: EnumObject,
    renames: readonly { readonly from: string; readonly to: string }[],
  ): (object: CatalogObject) => { object: CatalogObject; left: boolean };
  /** Two states' differences as SQL statements; `reader`: among whose roles they are named; left out: nobody who is told secrets. */
  script(before: Catalog, after: Catalog, reader?: Reader): DifferenceScript;
  /** SQL text of a definition as a state has it; null where there is none for it alone. */
  definitionText(catalog: Catalog, object: CatalogObject): string | null;
  /** Keys of the definitions of a catalog that use one of them, in whatever text, and are no part of it. */
  hangingOn(catalog: Catalog, object: CatalogObject): readonly string[];
  /** SQL text of an expression over the table, with columns renamed. */
  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string;
  /** A definition of the catalog with new names of what its texts use. Throws SvcError where a text cannot be bound; `words`: as `Renames`. */
  followed(catalog: Catalog, object: CatalogObject, renames: Renames, words: readonly string[]): CatalogObject;
  /** The name of a type by its oid, one of the worlds' own from their catalogs. */
  typeName(oid: number, catalogs: readonly Catalog[]): string;
}

let installed: TypedTables | null = null;

export function installTypedTables(tables: TypedTables): void {
  installed = tables;
}

export function typedTables(): TypedTables {
  assert(installed !== null, 'typed tables are installed where worlds have them');
  return installed;
}

/** Catalogs of tables that were decoded: a table alone does not know its types. */
const catalogs = new WeakMap<Table, Catalog>();

/** `changed`: those of its tables that no catalog before it had, or that need its types. */
export function noteCatalog(catalog: Catalog, changed: Iterable<Table>): void {
  for (const table of changed) if (table.relation !== null) catalogs.set(table, catalog);
}

export function catalogOf(table: Table): Catalog {
  const catalog = catalogs.get(table);
  assert(catalog !== undefined, 'a typed table comes from a catalog');
  return catalog;
}
