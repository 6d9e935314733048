/**
 * The pages of one state for other threads. A page is copied into shared memory when the first thread requests it;
 * the others get the same memory. Nodes changed since the last checkpoint have no page yet: they are
 * encoded on request, under numbers beyond those of all pages, and nothing is written.
 *
 *   root (held, shared: never changed in place) ──idOf──► id ──pages──► views on shared memory
 */
import { encodePage } from '../tree/page-format.ts';
import type { Inner, Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';

/** Page numbers count up from 1 and never get here. */
const UNWRITTEN = 2 ** 48;

const CHUNK_BYTES = 1 << 20;

export class PageSource {
  readonly #pager: Pager;
  readonly #budgetBytes: number;
  readonly #unwritten: Node[] = [];
  readonly #numbers = new Map<Node, number>();
  readonly #pages = new Map<number, Uint8Array>();
  #chunk = new SharedArrayBuffer(CHUNK_BYTES);
  #at = 0;
  #bytes = 0;

  /** Past `budgetBytes`, shared pages are dropped and copied again on request. */
  constructor(pager: Pager, budgetBytes: number) {
    this.#pager = pager;
    this.#budgetBytes = budgetBytes;
  }

  /** The number by which threads request the node. */
  idOf(node: Node): number {
    const known = this.#numbers.get(node);
    if (known !== undefined) return known;
    if (node.id > 0) return node.id;
    const id = UNWRITTEN + this.#unwritten.length;
    this.#unwritten.push(node);
    this.#numbers.set(node, id);
    return id;
  }

  pages(ids: readonly number[]): (Uint8Array | undefined)[] {
    return ids.map((id) => this.#page(id));
  }

  #page(id: number): Uint8Array | undefined {
    const known = this.#pages.get(id);
    if (known !== undefined) return known;
    const bytes = id >= UNWRITTEN ? this.#encode(this.#unwritten[id - UNWRITTEN]) : this.#pager.store.read(id);
    if (bytes === undefined) return undefined;
    const shared = this.#room(bytes.length);
    shared.set(bytes);
    this.#pages.set(id, shared);
    return shared;
  }

  #room(size: number): Uint8Array {
    if (this.#bytes + size > this.#budgetBytes) {
      this.#pages.clear();
      this.#bytes = 0;
    }
    this.#bytes += size;
    if (size > CHUNK_BYTES / 4) return new Uint8Array(new SharedArrayBuffer(size));
    if (this.#at + size > CHUNK_BYTES) {
      this.#chunk = new SharedArrayBuffer(CHUNK_BYTES);
      this.#at = 0;
    }
    const room = new Uint8Array(this.#chunk, this.#at, size);
    // Pages are read through views of eight-byte numbers.
    this.#at = (this.#at + size + 7) & ~7;
    return room;
  }

  #encode(node: Node): Uint8Array {
    return encodePage(node.isLeaf ? this.#leaf(node) : this.#inner(node));
  }

  #inner(inner: Inner): Inner {
    const copy = inner.copy(0);
    for (let i = 0; i < copy.kids.length; i++) {
      const kid = copy.kids[i];
      if (kid !== null || copy.ids[i] < 0) copy.ids[i] = this.idOf(kid ?? this.#pager.kid(inner, i));
      copy.hashes[i] ??= NO_HASH;
    }
    return copy;
  }

  #leaf(leaf: Leaf): Leaf {
    if (!leaf.cols.some(({ refs }) => refs !== null)) return leaf;
    const copy = leaf.copy(0);
    copy.cols = leaf.cols.map((vec) => {
      if (vec.refs === null) return vec;
      const own = vec.slice(0, leaf.count, 0);
      for (let i = 0; i < leaf.count; i++) {
        const target = vec.refs[i];
        if (target !== null) own.f64[i] = this.idOf(target);
      }
      return own;
    });
    return copy;
  }
}

/** Readers of these pages compare by number only. */
const NO_HASH = new Uint8Array(32);
