/**
 * Open worlds by owner, and those with a time to live of their own:
 *
 *   o<owner>\0<number>     a world of the owner
 *   t<number>              a world with its own time to live
 */
import type { WorldNumber } from '../../src/base/brands.ts';
import type { Node } from '../../src/tree/node.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import { numberKey } from '../number-key.ts';
import { type Edit, PartTree, SHAPES } from './part-tree.ts';

/** What of a world is listed. */
export interface Listed {
  readonly number: number;
  readonly owner: string | null;
  readonly ttl: number | null;
}

export class WorldOwners {
  readonly #tree: PartTree;
  /** Number of visible worlds by owner, once read. */
  readonly #counts = new Map<string, number>();

  constructor(edit: Edit, root: Node | null) {
    this.#tree = new PartTree(edit, root, false);
  }

  get root(): Node {
    return this.#tree.root;
  }

  /** `isVisible` null: all are. */
  count(owner: string, isVisible: ((number: WorldNumber) => boolean) | null): number {
    const known = this.#counts.get(owner);
    if (known !== undefined) return known;
    let count = 0;
    for (const number of this.owned(owner)) if (isVisible === null || isVisible(number)) count++;
    this.#counts.set(owner, count);
    return count;
  }

  owned(owner: string): WorldNumber[] {
    return this.#listed(utf8Key(`o${owner}\0`));
  }

  withTtl(): WorldNumber[] {
    return this.#listed('t');
  }

  #listed(prefix: string): WorldNumber[] {
    const numbers: WorldNumber[] = [];
    this.#tree.each(prefix, (leaf, at) => {
      const key = leaf.key(at) as string;
      if (!key.startsWith(prefix)) return false;
      numbers.push(Number(key.slice(prefix.length)) as WorldNumber);
      return true;
    });
    return numbers;
  }

  add(world: Listed, counts = true): void {
    this.#list(world, 1, counts);
  }

  remove(world: Listed, counts = true): void {
    this.#list(world, -1, counts);
  }

  /** `counts`: the world is visible. */
  #list({ number, owner, ttl }: Listed, by: 1 | -1, counts: boolean): void {
    if (owner !== null) {
      this.#enlist(utf8Key(`o${owner}\0${numberKey(number)}`), by);
      if (!counts) return;
      const known = this.#counts.get(owner);
      if (known !== undefined) this.#counts.set(owner, known + by);
    }
    if (ttl !== null) this.#enlist(`t${numberKey(number)}`, by);
  }

  #enlist(key: string, by: 1 | -1): void {
    if (this.#tree.has(key) === (by === 1)) return;
    if (by === 1) this.#tree.put(key, SHAPES.number, [0]);
    else this.#tree.remove(key);
  }

  /** Worlds become visible that are listed already. */
  recount(): void {
    this.#counts.clear();
  }
}
