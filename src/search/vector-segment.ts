/** The vectors of one column in one state of a table, side by side as 32-bit floats outside the JavaScript heap. It never changes. */
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leaves } from '../tree/read.ts';
import type { Segment } from './row-source.ts';
import type { VectorSource } from './vector-source.ts';

/** Vectors in one block. */
export const BLOCK_VECTORS = 1024;

export interface VectorSegment extends Segment {
  readonly dimensions: number;
  /** Ordinals of the rows that have a vector, ascending. */
  readonly rows: Uint32Array;
  /** Vectors of as many rows each, the last one of fewer. */
  readonly blocks: readonly Float32Array[];
  /** The first of the rows with a vector of other dimensions; 0 if none has one. */
  readonly otherDimensions: number;
}

/** Builds the segment in steps of one leaf each. */
export function* buildVectors(pager: Pager, tree: Node, source: VectorSource): Generator<void, VectorSegment> {
  const { dimensions } = source;
  const rows = new Uint32Array(tree.count);
  const blocks: Float32Array[] = [];
  let count = 0;
  let ordinal = 0;
  let otherDimensions = 0;
  for (const { leaf, start } of leaves(pager, tree, null)) {
    for (let i = start; i < leaf.count; i++, ordinal++) {
      const vector = source.vector(leaf, i);
      if (vector === null) {
        if (otherDimensions === 0) otherDimensions = source.dimensionsIn(leaf, i);
        continue;
      }
      const at = count % BLOCK_VECTORS;
      if (at === 0) blocks.push(new Float32Array(BLOCK_VECTORS * dimensions));
      blocks[blocks.length - 1].set(vector, at * dimensions);
      rows[count++] = ordinal;
    }
    yield;
  }
  const last = count % BLOCK_VECTORS;
  if (last !== 0) blocks.push(blocks.pop()!.slice(0, last * dimensions));
  const kept = rows.slice(0, count);
  const sizeBytes = kept.byteLength + count * dimensions * Float32Array.BYTES_PER_ELEMENT;
  return { tree, dimensions, rows: kept, blocks, otherDimensions, sizeBytes };
}
