/**
 * Writes the dirty part of a tree to the page store, children before parents, in time slices. The nodes are sealed (no writer
 * owns them any more), so writers continue on copies. A written node gets its page id and content hash; its parent's pointer
 * becomes the id, which makes the node evictable.
 */
import { hash } from 'node:crypto';
import type { Inner, Leaf, Node } from './node.ts';
import { pageBytes, encodeBacking } from './page-format.ts';
import type { Pager } from './pager.ts';

const BATCH_BYTES = 512 * 1024;
const HASH_BYTES = 32;
/** This many hashes share a buffer: allocating one each costs more than hashing a page's last kilobytes. */
const HASHES = 64;

/** Buffer of a batch's pages: allocating each would take longer than filling it. */
class BatchRoom {
  readonly #bytes = Buffer.allocUnsafeSlow(BATCH_BYTES + 64 * 1024);
  #at = 0;

  /** The store has taken its contents. */
  clear(): void {
    this.#at = 0;
  }

  kept(bytes: Uint8Array): Uint8Array {
    if (this.#at + bytes.length > this.#bytes.length) return Uint8Array.prototype.slice.call(bytes);
    this.#bytes.set(bytes, this.#at);
    return this.#bytes.subarray(this.#at, (this.#at += bytes.length));
  }
}

export interface WriteOutStats {
  pages: number;
  bytes: number;
}

/** Yields after each batch. A batch ends when it is full, or `due`. */
export function* writeOut(pager: Pager, root: Node, stats: WriteOutStats, due: () => boolean = never): Generator<void, Node> {
  let batch: { id: number; bytes: Uint8Array }[] = [];
  let batchBytes = 0;
  let hashes = Buffer.allocUnsafeSlow(0);
  let hashesAt = 0;
  const room = new BatchRoom();
  const hashOf = (bytes: Uint8Array): Uint8Array => {
    if (hashesAt === hashes.length) {
      hashes = Buffer.allocUnsafeSlow(HASHES * HASH_BYTES);
      hashesAt = 0;
    }
    hashes.latin1Write(hash('sha256', bytes, 'binary'), hashesAt);
    return hashes.subarray(hashesAt, (hashesAt += HASH_BYTES));
  };
  const flush = (): void => {
    if (batch.length > 0) pager.store.write({ pages: batch }, { sync: false });
    batch = [];
    batchBytes = 0;
    room.clear();
  };
  /** True after a batch. */
  const put = (node: Node): boolean => {
    const bytes = !node.isLeaf || hasRefs(node) ? room.kept(pageBytes(node)) : (node.page?.bytes ?? encodeBacking(node));
    node.hash = hashOf(bytes);
    if (node.id < 0) pager.drop(node.id);
    node.id = pager.newPageId();
    node.edit = 0;
    batch.push({ id: node.id, bytes });
    batchBytes += bytes.length;
    stats.pages++;
    stats.bytes += bytes.length;
    pager.keep(node);
    if (batchBytes < BATCH_BYTES && !due()) return false;
    flush();
    return true;
  };
  function* write(node: Node): Generator<void> {
    if (node.id > 0) return;
    if (!node.isLeaf) yield* writeKids(node);
    else if (hasRefs(node)) yield* writeRefs(node);
    if (put(node)) yield;
  }
  function* writeKids(inner: Inner): Generator<void> {
    for (let i = 0; i < inner.kids.length; i++) {
      const kid = inner.kids[i] ?? (inner.ids[i] < 0 ? pager.kid(inner, i) : null);
      if (kid === null) continue;
      if (kid.id <= 0) {
        // Nearly all are leaves of rows, without children.
        if (!kid.isLeaf || hasRefs(kid)) yield* write(kid);
        else if (put(kid)) yield;
      }
      inner.ids[i] = kid.id;
      inner.hashes[i] = kid.hash;
      inner.kids[i] = null;
    }
  }
  function* writeRefs(leaf: Leaf): Generator<void> {
    for (const vec of leaf.cols) {
      if (vec.refs === null) continue;
      for (let i = 0; i < leaf.count; i++) {
        const target = vec.refs[i];
        if (target === null) continue;
        if (target.id <= 0) yield* write(target);
        vec.f64[i] = target.id;
        // A root read from the store has no hash in memory; compute it from its page.
        target.hash ??= hashOf(pager.store.read(target.id)!);
        vec.hashes!.set(target.hash, 32 * i);
        vec.refs[i] = null;
      }
    }
  }
  yield* write(root);
  flush();
  return root;
}

const never = (): boolean => false;

function hasRefs(leaf: Leaf): boolean {
  if (leaf.page !== null) return false;
  for (let c = 0; c < leaf.cols.length; c++) if (leaf.cols[c].refs !== null) return true;
  return false;
}
