/** The sequences that a session's transaction uses: values come from the database's allocator, states go with the commit. */
import type { TreeChanges } from '../../events/changes.ts';
import type { Node } from '../../tree/node.ts';
import type { World } from '../../worlds/world.ts';
import { SequenceMemory, type SequenceAllocator } from '../schema/sequence-values.ts';
import type { Sequence } from '../schema/schema.ts';
import type { Whole } from '../types/value.ts';

export class Sequences {
  readonly memory = new SequenceMemory();
  readonly #allocator: SequenceAllocator;
  readonly #used = new Set<number>();

  constructor(allocator: SequenceAllocator) {
    this.#allocator = allocator;
  }

  get dirty(): boolean {
    return this.#used.size > 0;
  }

  nextval(world: World, root: Node, sequence: Sequence): Whole {
    const value = this.#allocator.nextval(world.number, root, sequence);
    this.#used.add(sequence.number);
    this.memory.note(sequence.number, value);
    return value;
  }

  setval(world: World, root: Node, sequence: Sequence, value: Whole, called: boolean): Whole {
    const out = this.#allocator.setval(world.number, root, sequence, value, called);
    this.#used.add(sequence.number);
    if (called) this.memory.note(sequence.number, value);
    return out;
  }

  /** A sequence that was set back by a definition: what the transaction holds counts. */
  forget(world: World, sequence: number): void {
    this.#allocator.forget(world.number, sequence);
  }

  /** What the commit must hold. */
  changes(world: World): TreeChanges[] {
    return this.#allocator.changes(world.number, world.root, this.#used);
  }

  ended(): void {
    if (this.#used.size > 0) this.#used.clear();
  }
}
