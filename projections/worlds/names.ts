/** Names of worlds, open or ended: each leads to the latest world that had it. */
import type { WorldNumber } from '../../src/base/brands.ts';
import type { Node } from '../../src/tree/node.ts';
import { keyText, utf8Key } from '../../src/worlds/catalog.ts';
import { type Edit, numberAt, PartTree, SHAPES } from './part-tree.ts';

/** Cached lookups. */
const KEPT_MAX = 256;

export class WorldNames {
  readonly #tree: PartTree;
  /** Looked-up names: each statement names its world. */
  readonly #numbers = new Map<string, WorldNumber>();

  constructor(edit: Edit, root: Node | null) {
    this.#tree = new PartTree(edit, root, false);
  }

  get root(): Node {
    return this.#tree.root;
  }

  numberOf(name: string): WorldNumber | null {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const { leaf, at } = this.#tree.find(utf8Key(name));
    if (at < 0) return null;
    const number = numberAt(leaf, at) as WorldNumber;
    if (this.#numbers.size >= KEPT_MAX) this.#numbers.clear();
    this.#numbers.set(name, number);
    return number;
  }

  put(name: string, number: WorldNumber): void {
    this.#tree.put(utf8Key(name), SHAPES.number, [number]);
    this.#numbers.clear();
  }

  /** The world is forgotten: its name too, unless a later world has it. */
  forget({ name, number }: { name: string; number: number }): void {
    if (this.numberOf(name) !== number) return;
    this.#tree.remove(utf8Key(name));
    this.#numbers.clear();
  }

  /** A world is loaded, in any order: the latest one of a name keeps it. */
  load({ name, number }: { name: string; number: WorldNumber }): void {
    if ((this.numberOf(name) ?? 0) < number) this.put(name, number);
  }

  /** Numbers for up to `limit` names that begin with `prefix`, from `from` on; `next` is the following name. */
  numbersNamed(prefix: string, from: string, limit: number): { numbers: WorldNumber[]; next: string | null } {
    const key = utf8Key(prefix);
    const numbers: WorldNumber[] = [];
    let seen = 0;
    let next: string | null = null;
    this.#tree.each(utf8Key(from), (leaf, at) => {
      const name = leaf.key(at) as string;
      if (!name.startsWith(key)) return false;
      if (seen++ === limit) {
        next = keyText(name);
        return false;
      }
      numbers.push(numberAt(leaf, at) as WorldNumber);
      return true;
    });
    return { numbers, next };
  }

  /** Names with the prefix whose worlds are wanted. */
  under(prefix: string, isWanted: (number: WorldNumber) => boolean): string[] {
    const key = utf8Key(prefix);
    const out: string[] = [];
    this.#tree.each(key, (leaf, at) => {
      const name = leaf.key(at) as string;
      if (!name.startsWith(key)) return false;
      if (isWanted(numberAt(leaf, at) as WorldNumber)) out.push(prefix + keyText(name.slice(key.length)));
      return true;
    });
    return out;
  }
}
