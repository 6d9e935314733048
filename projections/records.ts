/**
 * Records by key in one tree of a projection: the form of most small projections. Keys are any text; records are JSON, parsed
 * on each read, so that callers cannot change a stored record.
 */
import { KIND, type RowChange, type Shape } from '../src/tree/datum.ts';
import type { Node } from '../src/tree/node.ts';
import type { Pager } from '../src/tree/pager.ts';
import { leafFor, scan } from '../src/tree/read.ts';
import { applyChanges, emptyTree } from '../src/tree/write.ts';
import { keyText, utf8Key } from '../src/worlds/catalog.ts';

const RECORD = 1;
const SHAPE: Shape = { ids: [RECORD], kinds: [KIND.JSON] };
/** Records per part of a base. */
const PART_RECORDS = 1000;

export class Records<T> {
  readonly #pager: Pager;
  #root: Node;
  #edit: number;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
  }

  get count(): number {
    return this.#root.count;
  }

  get(key: string): T | null {
    const stored = utf8Key(key);
    const leaf = leafFor(this.#pager, this.#root, stored);
    const at = leaf.find(stored);
    return at < 0 ? null : (JSON.parse(leaf.cell(at, RECORD) as string) as T);
  }

  put(key: string, record: T): void {
    this.#write({ key: utf8Key(key), shape: SHAPE, before: null, after: [JSON.stringify(record)] });
  }

  remove(key: string): void {
    if (this.get(key) !== null) this.#write({ key: utf8Key(key), shape: SHAPE, before: [], after: null });
  }

  #write(change: RowChange): void {
    this.#root = applyChanges(this.#pager, this.#root, [change], this.#edit);
  }

  /** By key (bytes of UTF-8), from `first` on; `visit` returns false to stop. */
  each(visit: (key: string, record: T) => boolean | void, first = ''): void {
    scan(this.#pager, this.#root, first === '' ? null : utf8Key(first), (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        if (visit(keyText(leaf.key(i) as string), JSON.parse(leaf.cell(i, RECORD) as string) as T) === false) return false;
      }
      return true;
    });
  }

  /** Records with the key prefix, in order. */
  list(prefix = ''): { key: string; record: T }[] {
    const out: { key: string; record: T }[] = [];
    this.each((key, record) => {
      if (!key.startsWith(prefix)) return false;
      out.push({ key, record });
      return true;
    }, prefix);
    return out;
  }

  seal(): Node {
    this.#edit = this.#pager.newEdit();
    return this.#root;
  }

  *dump(root: Node): Iterable<Uint8Array> {
    let part: [string, unknown][] = [];
    const parts: [string, unknown][][] = [];
    new Records<unknown>(this.#pager, root).each((key, record) => {
      part.push([key, record]);
      if (part.length >= PART_RECORDS) {
        parts.push(part);
        part = [];
      }
    });
    if (part.length > 0) parts.push(part);
    for (const each of parts) yield Buffer.from(JSON.stringify(each));
  }

  load(part: Uint8Array): void {
    for (const [key, record] of JSON.parse(Buffer.from(part).toString()) as [string, T][]) this.put(key, record);
  }
}
