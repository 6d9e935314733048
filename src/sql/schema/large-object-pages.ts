/**
 * A large object as pages of a tree: reading, writing and truncating, as Postgres's inv_api.c does. Pages that were never written
 * are absent, and the last one ends where the object ends; gaps read as zeros.
 */
import type { RowChange } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { scan, scanBack } from '../../tree/read.ts';
import { DATA_SHAPE, PAGE_CELL, PAGE_SHAPE, pageKey } from '../../worlds/large-objects.ts';
import { rowIn } from '../../tree/row-change.ts';

export const PAGE_BYTES = 2048;
const PAGES_MAX = 2 ** 31 - 1;
/** The maximum size of an object: 4 TB. */
export const LARGE_OBJECT_BYTES_MAX = PAGES_MAX * PAGE_BYTES;

export class LargeObjectPages {
  readonly #pager: Pager;
  /** null: no large object has a page. */
  readonly #tree: Node | null;
  readonly #oid: number;

  constructor(pager: Pager, tree: Node | null, oid: number) {
    this.#pager = pager;
    this.#tree = tree;
    this.#oid = oid;
  }

  get bytes(): number {
    let bytes = 0;
    if (this.#tree === null) return 0;
    const first = pageKey(this.#oid, 0);
    scanBack(this.#pager, this.#tree, `${pageKey(this.#oid, PAGES_MAX)}\0`, (leaf, _from, to) => {
      if (leaf.skeys[to - 1] >= first)
        bytes = (leaf.cell(to - 1, PAGE_CELL.pageno) as number) * PAGE_BYTES + (leaf.cell(to - 1, PAGE_CELL.data) as string).length;
      return false;
    });
    return bytes;
  }

  /** Visits pages from number `from` on, while `visit` gives true. */
  #each(from: number, visit: (page: number, data: string) => boolean): void {
    if (this.#tree === null) return;
    const end = pageKey(this.#oid, PAGES_MAX);
    scan(this.#pager, this.#tree, pageKey(this.#oid, from), (leaf, at, to) => {
      for (let i = at; i < to; i++) {
        if (leaf.skeys[i] > end || !visit(leaf.cell(i, PAGE_CELL.pageno) as number, leaf.cell(i, PAGE_CELL.data) as string)) return false;
      }
      return true;
    });
  }

  #page(page: number): string | null {
    const row = rowIn(this.#pager, this.#tree, pageKey(this.#oid, page));
    return row === null ? null : (row.leaf.cell(row.index, PAGE_CELL.data) as string);
  }

  /** At most `length` bytes: fewer at the end of the object. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(this.bytes, offset + length);
    if (end <= offset) return Buffer.alloc(0);
    const out = Buffer.alloc(end - offset);
    this.#each(Math.floor(offset / PAGE_BYTES), (page, data) => {
      const at = page * PAGE_BYTES - offset;
      if (at >= out.length) return false;
      out.latin1Write(at < 0 ? data.slice(-at) : data, Math.max(0, at));
      return true;
    });
    return out;
  }

  write(offset: number, data: string): RowChange[] {
    const out: RowChange[] = [];
    for (let done = 0; done < data.length;) {
      const page = Math.floor((offset + done) / PAGE_BYTES);
      const within = (offset + done) % PAGE_BYTES;
      const part = data.slice(done, done + PAGE_BYTES - within);
      const before = this.#page(page);
      const old = before ?? '';
      out.push(this.#change(page, before, `${old.slice(0, within).padEnd(within, '\0')}${part}${old.slice(within + part.length)}`));
      done += part.length;
    }
    return out;
  }

  /** Sets the size of the object: the rest is removed, and after an extension a page marks the end. */
  truncate(bytes: number): RowChange[] {
    const last = Math.floor(bytes / PAGE_BYTES);
    const within = bytes % PAGE_BYTES;
    const out: RowChange[] = [];
    if (last < PAGES_MAX) {
      const old = this.#page(last);
      const cut = (old ?? '').slice(0, within).padEnd(within, '\0');
      if (cut !== old) out.push(this.#change(last, old, cut));
    }
    this.#each(last + 1, (page, data) => {
      out.push(this.#change(page, data, null));
      return true;
    });
    return out;
  }

  unlink(): RowChange[] {
    const out: RowChange[] = [];
    this.#each(0, (page, data) => {
      out.push(this.#change(page, data, null));
      return true;
    });
    return out;
  }

  #change(page: number, before: string | null, after: string | null): RowChange {
    const key = pageKey(this.#oid, page);
    if (before !== null && after !== null) return { key, shape: DATA_SHAPE, before: [before], after: [after] };
    const whole = (data: string | null): RowChange['after'] => (data === null ? null : [this.#oid, page, data]);
    return { key, shape: PAGE_SHAPE, before: whole(before), after: whole(after) };
  }
}
