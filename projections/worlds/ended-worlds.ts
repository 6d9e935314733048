/** Worlds that were merged or discarded, within retention: their records by number. Their trees are gone. */
import type { Sequence, WorldNumber } from '../../src/base/brands.ts';
import type { HistoryPlace } from '../../src/events/types/swept.ts';
import type { Node } from '../../src/tree/node.ts';
import { emptyTree } from '../../src/tree/write.ts';
import type { World, WorldRecord } from '../../src/worlds/world.ts';
import { type Edit, PartTree, recordAt } from './part-tree.ts';

export class EndedWorlds {
  readonly #tree: PartTree;

  constructor(edit: Edit, root: Node | null) {
    this.#tree = new PartTree(edit, root, true);
  }

  get root(): Node {
    return this.#tree.root;
  }

  byNumber(number: WorldNumber): World | null {
    const record = this.#tree.record<WorldRecord>(number);
    if (record === null) return null;
    const empty = emptyTree(true);
    return { ...record, root: empty, base: empty, catalog: null, used: 0, edit: -1 };
  }

  /** Oldest first; reads all ended worlds. */
  named(name: string): WorldRecord[] {
    const out: WorldRecord[] = [];
    this.#tree.each(null, (leaf, at) => {
      const record = recordAt<WorldRecord>(leaf, at);
      if (record.name === name) out.push(record);
    });
    return out;
  }

  *records(): Iterable<WorldRecord> {
    for (const { leaf, at } of this.#tree.rows()) yield recordAt<WorldRecord>(leaf, at);
  }

  put(record: WorldRecord): void {
    this.#tree.putRecord(record.number, record);
  }

  remove(number: WorldNumber): void {
    this.#tree.remove(number);
  }

  /** Numbers of those in the slice, the world of `end` included, that ended at or before `through`. */
  endedBy(through: Sequence, { world: first }: HistoryPlace, end: HistoryPlace | null): number[] {
    const out: number[] = [];
    this.#tree.each(first, (leaf, at) => {
      if (end !== null && (leaf.key(at) as number) > end.world) return false;
      const record = recordAt<WorldRecord>(leaf, at);
      if (record.gone <= through) out.push(record.number);
      return true;
    });
    return out;
  }
}
