/** The vectors of one column in one state of a table, side by side as 32-bit floats outside the JavaScript heap. It never changes. */
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leaves } from '../tree/read.ts';
import { NumberBlocks } from './number-blocks.ts';
import type { Segment } from './row-source.ts';
import { listsBytes, LISTS_FROM } from './vector-lists.ts';
import type { VectorSource } from './vector-source.ts';

export interface VectorSegment extends Segment {
  readonly dimensions: number;
  /** Ordinals of the rows that have a vector, ascending. */
  readonly rows: Uint32Array;
  /** The vectors of these rows. */
  readonly floats: NumberBlocks<Float32Array>;
  /** Of the longest one. */
  readonly lengthMax: number;
  /** The first of the rows with a vector of other dimensions; 0 if none has one. */
  readonly otherDimensions: number;
}

/** Builds the segment in steps of one leaf each. `withLists`: its size counts lists, too, which are built later. */
export function* buildVectors(pager: Pager, tree: Node, source: VectorSource, withLists: boolean): Generator<void, VectorSegment> {
  const { dimensions } = source;
  const rows = new Uint32Array(tree.count);
  const floats = NumberBlocks.floats(tree.count, dimensions);
  let count = 0;
  let ordinal = 0;
  let otherDimensions = 0;
  let squareMax = 0;
  for (const { leaf, start } of leaves(pager, tree, null)) {
    for (let i = start; i < leaf.count; i++, ordinal++) {
      const vector = source.vector(leaf, i);
      if (vector === null) {
        if (otherDimensions === 0) otherDimensions = source.dimensionsIn(leaf, i);
        continue;
      }
      floats.numbers(count).set(vector, floats.offset(count));
      let square = 0;
      for (let n = 0; n < dimensions; n++) square += vector[n] * vector[n];
      if (square > squareMax) squareMax = square;
      rows[count++] = ordinal;
    }
    yield;
  }
  const kept = rows.slice(0, count);
  const sizeBytes = kept.byteLength + floats.sizeBytes(count) + (withLists && count >= LISTS_FROM ? listsBytes(count, dimensions) : 0);
  return { tree, dimensions, rows: kept, floats, lengthMax: Math.sqrt(squareMax), otherDimensions, sizeBytes };
}
