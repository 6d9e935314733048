/**
 * Common states of worlds, kept as bases of later merges (src/worlds/merge/common-points.ts decides which):
 *
 *   s<world>/<sequence>   a state of the world that others have merged; counted by `refs`, removed with the last one
 *   o<low>/<high>         common base of two worlds after partial merges, valid while `over` is their base without those
 *   p<world>/<merge>      the fork point before this merge into the world, for its undo
 *
 * The state that a world was forked from or rebased on is the world's own fork point (`base` of its record) and is stored here only
 * once partial merges into its parent have moved that. Pages are shared, so an entry costs what its world has changed since.
 */
import { KIND, type Shape } from '../../src/tree/datum.ts';
import { childRoot, removeChildRoot, setChildRoot } from '../../src/tree/directory.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leafFor, leaves } from '../../src/tree/read.ts';
import { applyChanges } from '../../src/tree/write.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import type { Knowledge, Point } from '../../src/worlds/merge/common-points.ts';
import { numberKey } from '../number-key.ts';

const RECORD = 3;
const RECORD_SHAPE: Shape = { ids: [RECORD], kinds: [KIND.JSON] };

export interface PointRecord {
  refs: number;
  knows: Knowledge;
}
export interface PairRecord {
  over: string;
}
export interface PriorRecord {
  at: number;
  pure: boolean;
  knows: Knowledge;
}
export type CommonRecord = PointRecord | PairRecord | PriorRecord;

export function pointKey({ world, sequence }: Point): string {
  return utf8Key(`s${numberKey(world)}/${numberKey(sequence)}`);
}

export function pairKey(a: number, b: number): string {
  return utf8Key(`o${numberKey(Math.min(a, b))}/${numberKey(Math.max(a, b))}`);
}

export function priorKey(world: number, merge: number): string {
  return utf8Key(`p${numberKey(world)}/${numberKey(merge)}`);
}

/** The world that an entry is a state of, or based on. */
export function worldOfKey(key: string): number {
  return Number(key.slice(1, 16));
}

export class CommonStates {
  readonly #pager: Pager;
  #tree: Node;

  constructor(pager: Pager, tree: Node) {
    this.#pager = pager;
    this.#tree = tree;
  }

  get tree(): Node {
    return this.#tree;
  }

  root(key: string): Node | null {
    return childRoot(this.#pager, this.#tree, key);
  }

  record<R extends CommonRecord>(key: string): R | null {
    const leaf = leafFor(this.#pager, this.#tree, key);
    const at = leaf.find(key);
    return at < 0 ? null : (JSON.parse(leaf.cell(at, RECORD) as string) as R);
  }

  /** `root` null: unchanged. */
  put(key: string, record: CommonRecord, root: Node | null, edit: number): void {
    const there = leafFor(this.#pager, this.#tree, key).find(key) >= 0;
    this.#tree = applyChanges(this.#pager, this.#tree, [{ key, shape: RECORD_SHAPE, before: there ? [] : null, after: [JSON.stringify(record)] }], edit);
    if (root !== null) this.#tree = setChildRoot(this.#pager, this.#tree, key, root, edit);
  }

  remove(key: string, edit: number): void {
    this.#tree = removeChildRoot(this.#pager, this.#tree, key, edit);
  }

  hold(point: Point, root: Node | null, knows: Knowledge, edit: number): void {
    const key = pointKey(point);
    const known = this.record<PointRecord>(key);
    if (known !== null) this.put(key, { ...known, refs: known.refs + 1 }, null, edit);
    else if (root !== null) this.put(key, { refs: 1, knows }, root, edit);
  }

  release(point: Point, edit: number): void {
    const key = pointKey(point);
    const known = this.record<PointRecord>(key);
    if (known === null) return;
    if (known.refs > 1) this.put(key, { ...known, refs: known.refs - 1 }, null, edit);
    else this.remove(key, edit);
  }

  *entries(): Iterable<{ key: string; record: CommonRecord; root: Node }> {
    for (const { leaf, start } of leaves(this.#pager, this.#tree, null)) {
      for (let i = start; i < leaf.count; i++) {
        const key = leaf.key(i) as string;
        yield { key, record: JSON.parse(leaf.cell(i, RECORD) as string) as CommonRecord, root: this.root(key)! };
      }
    }
  }
}
