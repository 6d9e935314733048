/**
 * Interface of typed tables for the worlds layer. Types, keys and constraints belong to the SQL layer above; the composition
 * root hands its implementation to the `Context`, and commands hand it on to what has no context. It is stateless, so one serves
 * all databases of a process.
 */
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
  /** Called before an error about a blocking row: throws if another transaction may still change that row. */
  readonly contended?: (tree: number, key: Key, mode: number) => void;
}

/** A row of a table by its number, and its lock mode (`ROW_LOCK`). */
export interface RowToLock {
  readonly table: number;
  readonly key: Key;
  readonly mode: number;
}

/** Rows put and deleted by row operations; constraints are checked as in SQL. */
export interface TypedWrites {
  /** The whole row, as INSERT … ON CONFLICT DO UPDATE; errors name the field. */
  put(table: Table, id: string, record: Row): void;
  /** Whether the row existed. */
  delete(table: Table, id: string): boolean;
  finish(): TreeChanges[];
  /** After `finish`: rows referenced by foreign keys, which must not be deleted, and rows that were written unchanged. */
  readonly shares: readonly RowToLock[];
}

/** The candidate result of combining two states, before it is committed. */
export interface CandidateState extends WriteParts {
  /** Definitions of the result; `catalog` and `root` are those of the world that receives the changes. */
  readonly merged: Catalog;
  readonly theirs: Catalog;
  /** The common base. */
  readonly base: Node;
  readonly baseCatalog: Catalog;
  readonly changes: readonly TreeChanges[];
  /** Whether rows may differ from both sides. */
  readonly columns: boolean;
  /** The changes of one side are incomplete: rows may meet definitions that no side has combined them with. */
  readonly partial: boolean;
  /** The worlds' names, for explanations. */
  readonly names: { readonly ours: string; readonly theirs: string };
}

export interface Verdict {
  readonly conflicts: Conflict[];
  /** Derived changes: computed columns, defaults, keys of indexes that the other side created. */
  readonly changes: TreeChanges[];
  /** Numbers of the tables that were read. */
  readonly reads: readonly number[];
}

/** The reader of a diff: the role, 0 for other principals; `secrets`: may see passwords among options. */
export interface Reader {
  readonly roles: Roles;
  readonly role: number;
  readonly secrets: boolean;
}

/** A definition that differs between two states, or exists in one of them only. */
export interface DefinitionDifference {
  /** Its SQL name: `table t`, `column t.v`, `function f(integer)`; that of the second state if it exists there. */
  readonly object: string;
  readonly change: 'create' | 'alter' | 'drop';
  /** SQL text of the definition in each state; null if it does not exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** SQL that makes the change; several statements are separated by newlines. */
  readonly statement: string;
  /** Number of the table that it is, or belongs to; null for other objects. */
  readonly table: number | null;
}

/** Statements that turn one state into another, in executable order. */
export interface DifferenceScript {
  /** A row change, of a table by its number. */
  row(table: number, key: Key, before: RowAt | null, after: RowAt | null): void;
  /** Row count of a table in the first state. */
  size(table: number, rows: number): void;
  /** Position of a sequence in the second state. */
  sequence(number: number, state: SequenceState): void;
  /** Tables of which every row is needed, because a column was restored with its values. */
  whole(): Iterable<number>;
  /** Called after all rows. */
  statements(): string[];
  /** The changed definitions, one per entry, without rows. */
  definitions(): DefinitionDifference[];
}

export interface NewName {
  readonly schema: string;
  readonly name: string;
}

/** Renamed objects by number; types by oid. */
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
  /** Whether a row has these values: JSON as `record` shows it, or a number of equal value. 42703, or the error of a value that its column cannot hold. */
  matcher(table: Table, where: Row): (leaf: Leaf, at: number) => boolean;
  /** Keys of the rows that may have these values, in order, by an index of the state; null if none narrows them. */
  equalKeys(table: Table, pager: Pager, root: Node, where: Row): Key[] | null;
  /** The statement that makes an index for these values; null if there is none for one of them. */
  suggestedIndex(catalog: Catalog, table: Table, where: Row): string | null;
  /** The tables that store the rows of a partitioned table, in the order of their bounds; of any other one the table itself. */
  partitions(catalog: Catalog, table: Table): readonly Table[];
  /** The id of a row in operations: one column's text, or percent-escaped texts joined with `,`. */
  id(table: Table, key: Key): string;
  /** 22023, 22P02 … if the text is not an id. */
  key(table: Table, id: string): Key;
  writes(parts: WriteParts): TypedWrites;
  /** Derives and checks the result of a merge: additional changes, and rows that violate constraints. In steps, over roots that stay unchanged. */
  judge(candidate: CandidateState): Generator<void, Verdict>;
  /**
   * Converts a row's value in one column to a cell of another: of another type, or the same type as defined in `to`. The
   * function throws the error of the value (22003, 22P02, 23514, …), also if the conversion would lose information.
   */
  recast(from: Catalog, to: Catalog, table: number, column: number, as: number): { readonly kind: Kind; cell(row: RowAt): Datum };
  /** A definition with renamed enum labels in its texts; `left`: some text may still use an old label. */
  relabelled(
    definitions: Iterable<CatalogObject>,
    type: EnumObject,
    renames: readonly { readonly from: string; readonly to: string }[],
  ): (object: CatalogObject) => { object: CatalogObject; left: boolean };
  /** The diff of two states as SQL statements; `reader`: for the role names; omitted: a reader who sees no secrets. */
  script(before: Catalog, after: Catalog, reader?: Reader): DifferenceScript;
  /** SQL text of a definition in a state; null if it has none of its own. */
  definitionText(catalog: Catalog, object: CatalogObject): string | null;
  /** Keys of the definitions that use the object in any of their texts and are not part of it. */
  dependentDefinitions(catalog: Catalog, object: CatalogObject): readonly string[];
  /** SQL text of an expression over the table, with columns renamed. */
  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string;
  /** A definition with the new names of the objects used in its texts. Throws SvcError if a text cannot be bound; `words`: as `Renames`. */
  followed(catalog: Catalog, object: CatalogObject, renames: Renames, words: readonly string[]): CatalogObject;
  /** The name of a type by its oid, looked up in the catalogs for user-defined types. */
  typeName(oid: number, catalogs: readonly Catalog[]): string;
}
