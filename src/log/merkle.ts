/**
 * The Merkle tree of RFC 6962 over the log's records, grown one leaf at a time. Only the compact range is
 * kept: the roots of the perfect subtrees that cover the leaves so far, at most one a level.
 */
import { createHash, hash } from 'node:crypto';

const LEAF = Buffer.from([0]);

/** What is hashed is put together here: a leaf's mark and a record of usual length, or a node's mark and its two sides. */
const leafBytes = Buffer.alloc(4096);
const nodeBytes = Buffer.alloc(65);
nodeBytes[0] = 1;

export function leafHash(record: Uint8Array): Buffer {
  if (record.length >= leafBytes.length) return hash('sha256', Buffer.concat([LEAF, record]), 'buffer');
  leafBytes.set(record, 1);
  return hash('sha256', leafBytes.subarray(0, record.length + 1), 'buffer');
}

/** `leafHash` of a record that comes in pieces. */
export class LeafHasher {
  readonly #hash = createHash('sha256').update(LEAF);

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
  }

  digest(): Buffer {
    return this.#hash.digest();
  }
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeBytes.set(left, 1);
  nodeBytes.set(right, 33);
  return hash('sha256', nodeBytes, 'buffer');
}

export class MerkleTree {
  size: number;
  /** Roots of perfect subtrees, largest first. */
  #range: Buffer[];

  constructor(size = 0, range: Buffer[] = []) {
    this.size = size;
    this.#range = range;
  }

  append(leaf: Buffer): void {
    let node = leaf;
    // Each trailing 1 bit of the size is a full subtree to join with.
    for (let size = this.size; size % 2 === 1; size = (size - 1) / 2) node = nodeHash(this.#range.pop()!, node);
    this.#range.push(node);
    this.size++;
  }

  root(): string {
    if (this.#range.length === 0) return hash('sha256', Buffer.alloc(0), 'hex');
    let node = this.#range[this.#range.length - 1];
    for (let i = this.#range.length - 2; i >= 0; i--) node = nodeHash(this.#range[i], node);
    return node.toString('hex');
  }

  range(): Buffer[] {
    return this.#range.slice();
  }

  copy(): MerkleTree {
    return new MerkleTree(this.size, this.#range.slice());
  }
}
