/** What a search reads in rows, and what it makes of a state of a table. */
import type { Leaf, Node } from '../tree/node.ts';

export interface RowSource<Read> {
  /** What a row without the searched values gives. */
  readonly nothing: Read;
  /** In steps: a value may be megabytes long. */
  read(leaf: Leaf, at: number): Generator<void, Read>;
  /** Whether two versions of a row give the same. */
  isSame(a: Leaf, ai: number, b: Leaf, bi: number): boolean;
  /** Whether it reads the same as an earlier source in every row that has not changed since. */
  continues(earlier: RowSource<Read>): boolean;
  /** Whether both read the same in every row. */
  equals(other: RowSource<Read>): boolean;
}

/** Segments that outlive the process. */
export interface KeptSegments<Read, S extends Segment> {
  /** One for a table that reads the same, in steps; null if there is none. */
  find(table: number, source: RowSource<Read>): Generator<void, S | null>;
  /** Whether a segment is to be stored once its root has pages. */
  isWanted(segment: S): boolean;
  /** May be called again: a segment that cannot be stored yet is left for later. */
  write(table: number, source: RowSource<Read>, segment: S): void;
  /** The same in one turn. */
  writeNow(table: number, source: RowSource<Read>, segment: S): void;
  /** Pages that no segment holds may be collected. */
  forget(segments: readonly S[]): void;
}

/** An index of one state of a table, which never changes. */
export interface Segment {
  /** The state's rows. */
  readonly tree: Node;
  readonly sizeBytes: number;
}
