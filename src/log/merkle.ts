/**
 * The Merkle tree of RFC 6962 over the log's records, grown one leaf at a time. Only the compact range is kept: the roots of the perfect subtrees that
 * cover the leaves so far, at most one per level.
 *
 * Hashes are kept as latin1 strings: a Buffer for each costs three times as much as hashing, and loads the garbage collector.
 */
import { createHash, hash } from 'node:crypto';

const LEAF = Buffer.from([0]);

/** Scratch buffers for the hash input: a leaf's mark and a record of usual length, or a node's mark and its two children. */
const leafBytes = Buffer.alloc(4096);
const nodeBytes = Buffer.alloc(65);
nodeBytes[0] = 1;

export function leafHash(record: Uint8Array): Buffer {
  return Buffer.from(leafText(record, 0, record.length), 'latin1');
}

/** Hash of the record in bytes [from, to). */
function leafText(bytes: Uint8Array, from: number, to: number): string {
  const length = to - from;
  if (length >= leafBytes.length) return hash('sha256', Buffer.concat([LEAF, bytes.subarray(from, to)]), 'binary');
  leafBytes.set(bytes.subarray(from, to), 1);
  return hash('sha256', leafBytes.subarray(0, length + 1), 'binary');
}

/** `leafHash` of a record that arrives in parts. */
export class LeafHasher {
  readonly #hash = createHash('sha256').update(LEAF);

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
  }

  digest(): Buffer {
    return this.#hash.digest();
  }
}

function nodeHash(left: string, right: string): string {
  nodeBytes.latin1Write(left, 1);
  nodeBytes.latin1Write(right, 33);
  return hash('sha256', nodeBytes, 'binary');
}

export class MerkleTree {
  size: number;
  /** Roots of perfect subtrees, largest first. */
  #range: string[];

  constructor(size = 0, range: readonly Buffer[] = []) {
    this.size = size;
    this.#range = range.map((node) => node.latin1Slice());
  }

  append(leaf: Buffer): void {
    this.#append(leaf.latin1Slice());
  }

  /** Appends the record in bytes [from, to). */
  appendRecord(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#append(leafText(bytes, from, to));
  }

  #append(leaf: string): void {
    let node = leaf;
    // Each trailing 1 bit of the size is a full subtree to join.
    for (let size = this.size; size % 2 === 1; size = (size - 1) / 2) node = nodeHash(this.#range.pop()!, node);
    this.#range.push(node);
    this.size++;
  }

  root(): string {
    if (this.#range.length === 0) return hash('sha256', Buffer.alloc(0), 'hex');
    let node = this.#range[this.#range.length - 1];
    for (let i = this.#range.length - 2; i >= 0; i--) node = nodeHash(this.#range[i], node);
    return Buffer.from(node, 'latin1').toString('hex');
  }

  range(): Buffer[] {
    return this.#range.map((node) => Buffer.from(node, 'latin1'));
  }

  copy(): MerkleTree {
    const copy = new MerkleTree(this.size);
    copy.#range = this.#range.slice();
    return copy;
  }
}
