/** One tree of the worlds projection. All of them are changed under one edit token, which each seal renews. */
import { KIND, type Key, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { childRoot, removeChildRoot, ROOT, setChildRoot } from '../../src/tree/directory.ts';
import type { Leaf, Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leafFor, leaves, scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';

const RECORD = 3;
const NUMBER = 4;
const END = 5;
/** Rows of the trees: a JSON record, the number of a world, or the sequence at which a run ended. */
export const SHAPES = {
  record: { ids: [RECORD], kinds: [KIND.JSON] },
  number: { ids: [NUMBER], kinds: [KIND.F64] },
  end: { ids: [END], kinds: [KIND.F64] },
} satisfies Record<string, Shape>;

export class Edit {
  readonly pager: Pager;
  #token: number;

  constructor(pager: Pager) {
    this.pager = pager;
    this.#token = pager.newEdit();
  }

  get token(): number {
    return this.#token;
  }

  /** From now on nothing that exists is changed in place. */
  renew(): void {
    this.#token = this.pager.newEdit();
  }
}

export class PartTree {
  #root: Node;
  readonly #edit: Edit;

  /** `root` null: empty. */
  constructor(edit: Edit, root: Node | null, numeric: boolean) {
    this.#edit = edit;
    this.#root = root ?? emptyTree(numeric, edit.token);
  }

  get root(): Node {
    return this.#root;
  }

  /** The leaf of the key, and its row; -1 if there is none. */
  find(key: Key): { leaf: Leaf; at: number } {
    const leaf = leafFor(this.#edit.pager, this.#root, key);
    return { leaf, at: leaf.find(key) };
  }

  has(key: Key): boolean {
    return this.find(key).at >= 0;
  }

  record<T>(key: Key): T | null {
    const { leaf, at } = this.find(key);
    return at < 0 ? null : recordAt<T>(leaf, at);
  }

  /** Rows with key ≥ `from` (null: all) in order, until `visit` returns false. */
  each(from: Key | null, visit: (leaf: Leaf, at: number) => boolean | void): void {
    scan(this.#edit.pager, this.#root, from, (leaf, begin, end) => {
      for (let i = begin; i < end; i++) if (visit(leaf, i) === false) return false;
      return true;
    });
  }

  /** All rows, for callers that pause. */
  *rows(): Iterable<{ leaf: Leaf; at: number }> {
    for (const { leaf, start } of leaves(this.#edit.pager, this.#root, null)) for (let at = start; at < leaf.count; at++) yield { leaf, at };
  }

  putRecord(key: Key, record: unknown): void {
    this.put(key, SHAPES.record, [JSON.stringify(record)]);
  }

  put(key: Key, shape: Shape, after: RowChange['after']): void {
    this.apply([{ key, shape, before: null, after }]);
  }

  remove(key: Key): void {
    this.apply([{ key, shape: SHAPES.record, before: [], after: null }]);
  }

  apply(changes: readonly RowChange[]): void {
    this.#root = applyChanges(this.#edit.pager, this.#root, changes, this.#edit.token);
  }

  child(key: Key): Node | null {
    return childRoot(this.#edit.pager, this.#root, key);
  }

  setChild(key: Key, child: Node, column = ROOT): void {
    this.#root = setChildRoot(this.#edit.pager, this.#root, key, child, this.#edit.token, column);
  }

  removeChild(key: Key): void {
    this.#root = removeChildRoot(this.#edit.pager, this.#root, key, this.#edit.token);
  }
}

export function recordAt<T>(leaf: Leaf, at: number): T {
  return JSON.parse(leaf.cell(at, RECORD) as string) as T;
}

export function numberAt(leaf: Leaf, at: number): number {
  return leaf.cell(at, NUMBER) as number;
}

export function endAt(leaf: Leaf, at: number): number {
  return leaf.cell(at, END) as number;
}
