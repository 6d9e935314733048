/** Read sets of worlds that check their reads: number of the world → read set. */
import type { WorldNumber } from '../../src/base/brands.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import type { NotedReads } from '../../src/worlds/governance.ts';
import { ReadSet, type StoredReads } from '../../src/worlds/read-set.ts';
import { Records } from '../records.ts';
import { numberKey } from '../number-key.ts';

export class ReadsProjection implements Projection, NotedReads {
  readonly #records: Records<StoredReads>;

  constructor(pager: Pager, root: Node | null) {
    this.#records = new Records(pager, root);
  }

  of(world: WorldNumber): StoredReads | null {
    return this.#records.count === 0 ? null : this.#records.get(keyOf(world));
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'readsRecorded':
        return this.#add(envelope.world, event.reads);
      case 'merged': {
        const reads = this.of(event.branch);
        if (reads === null) return;
        // A world that merges a branch inherits its read set; `main` has none.
        if (event.carries) this.#add(envelope.world, reads);
        if (!event.stays) this.#records.remove(keyOf(event.branch));
        return;
      }
      case 'discarded':
        if (this.#records.count > 0) this.#records.remove(keyOf(envelope.world));
        return;
      default:
    }
  }

  #add(world: WorldNumber, reads: StoredReads): void {
    const set = ReadSet.from(this.of(world) ?? {});
    set.add(reads);
    this.#records.put(keyOf(world), set.stored());
  }

  seal(): Node {
    return this.#records.seal();
  }

  dump(root: Node): Iterable<Uint8Array> {
    return this.#records.dump(root);
  }

  load(part: Uint8Array): void {
    this.#records.load(part);
  }
}

function keyOf(world: WorldNumber): string {
  return numberKey(world);
}

export const reads = defineProjection({ name: 'reads', slot: 13, version: 1, make: (pager, root) => new ReadsProjection(pager, root) });
