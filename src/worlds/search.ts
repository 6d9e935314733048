/**
 * Interface of ranked search for the worlds layer. Words are found as SQL's text search finds them, which stands above; the composition
 * root hands its implementation to the `Context`.
 */
import type { Key } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Catalog, Table } from './catalog.ts';

/** One state of one table, which no writer changes in place while the search runs. */
export interface SearchedState {
  readonly pager: Pager;
  /** The rows; null if there are none. */
  readonly rows: Node | null;
  readonly table: Table;
  /** The definitions that it stands in. */
  readonly catalog: Catalog;
  /** Protects the pages below a directory until it is released. */
  hold(directory: Node): () => void;
}

/** A table that is searched as a whole: its own rows, or those of its partitions or of its children and itself. */
export interface SearchedTable extends Omit<SearchedState, 'rows'> {
  readonly parts: readonly Pick<SearchedState, 'table' | 'rows'>[];
}

export interface SearchLimits {
  /** Rows to give, after `skip` others. */
  readonly take: number;
  readonly skip: number;
  /** Whether a row of a part counts; null: all rows do. */
  readonly matches: ((leaf: Leaf, at: number, part: number) => boolean) | null;
}

export interface TextLimits extends SearchLimits {
  /** The rows of each part that the reader may see: no other row counts, in totals, frequencies and scores neither. null: all rows. */
  readonly visible?: readonly ReadonlySet<Key>[] | null;
  /** Numbers of the table's columns that are not searched. */
  readonly without?: ReadonlySet<number>;
}

export interface VectorLimits extends SearchLimits {
  /** Keys of the rows of each part among which are all that match, where an index gives them; null: any may match. */
  readonly among?: readonly (readonly Key[] | null)[] | null;
  /** How widely an approximate search looks; 0, the default, is automatic. */
  readonly beam?: number;
}

export interface FoundRow {
  /** Of the table's parts. */
  readonly part: number;
  readonly key: Key;
  readonly leaf: Leaf;
  readonly at: number;
  readonly score: number;
}

export interface FoundRows {
  /** Rows that match, by best score first, then by key; if the parts have different keys, by part before. */
  readonly rows: readonly FoundRow[];
  /** Exact number of rows that match. */
  readonly total: number;
}

/** How far two vectors are apart: Euclidean, negative inner product, cosine, taxicab, as pgvector's operators compute them. */
export type Metric = 'l2' | 'ip' | 'cosine' | 'l1';

export interface NearestLimits {
  /** Rows that are likely to be enough. */
  readonly expected: number;
  /** Rows that are wanted after a filter. */
  readonly wanted: number;
  /** The first rows may be approximate: how widely they are looked for, 0 is automatic. null: all rows are compared. */
  readonly beam: number | null;
  /** Keys of the rows that pass the filter, in steps: no others need be given. It may return null: too many. null: there is no filter to ask. */
  readonly passing: (() => Generator<void, ReadonlySet<Key> | null>) | null;
}

export interface Search {
  /** Approximate indexes of vectors that were built. */
  readonly vectorLists: number;
  /** Distances of vectors that were computed exactly for orders by a distance. */
  readonly distances: number;
  /** Roots that it does not hold are released: their pages may be collected. */
  forget(): void;
  /** Segments of texts that were read from files. */
  readonly segmentsRead: number;
  /** Ends work that runs beside searches. */
  close(): Promise<void>;
  /** Roots of segments that could be stored, if a checkpoint wrote these roots. */
  unwritten(): readonly Node[];
  /** Stores segments of texts beside other work, of which a checkpoint has written the roots. */
  store(): void;
  /** The same in one turn, after the last checkpoint. */
  storeNow(): void;
  /** Rows by BM25 over their texts, in steps. Counts and scores are those of all parts together. */
  byText(table: SearchedTable, text: string, limits: TextLimits): Generator<void, FoundRows>;
  /** Rows by the dot product of a column with `vector`, in steps. */
  byVector(table: SearchedTable, column: string, vector: readonly number[], limits: VectorLimits): Generator<void, FoundRows>;
  /**
   * All rows by their distance from `vector`, the nearest first, in batches as they are taken; rows without a vector come last, with the
   * score NaN. With a beam a row may come late. `column`: of type vector or halfvec, with fixed dimensions. 22000 for other dimensions.
   */
  nearest(state: SearchedState, column: string, metric: Metric, vector: Float32Array, limits: NearestLimits): Generator<readonly FoundRow[] | void, void>;
  /** Whether a row of a part has a vector of so many dimensions in the column. */
  hasVector(table: SearchedTable, column: string, dimensions: number): (leaf: Leaf, at: number, part: number) => boolean;
  /** Whether a row belongs before another of the same score. */
  isBefore(table: SearchedTable): (a: Pick<FoundRow, 'part' | 'key'>, b: Pick<FoundRow, 'part' | 'key'>) => boolean;
  /** The part of each text of a row that fits the query best, with its words marked; by column. */
  snippets(table: SearchedTable, text: string, row: FoundRow, without?: ReadonlySet<number>): Record<string, string>;
}
