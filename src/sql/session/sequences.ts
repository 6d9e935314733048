/** The sequences used by a session's transaction: values come from the database's allocator, states are saved at commit. */
import type { TreeChanges } from '../../events/changes.ts';
import type { SequenceState } from '../../worlds/sequences.ts';
import type { World } from '../../worlds/world.ts';
import { draw, put, SequenceMemory, type SequenceAllocator, type SequenceStates } from '../schema/sequence-values.ts';
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

  /** `own`: sequence states in the transaction's definitions. */
  nextval(world: World, own: SequenceStates, sequence: Sequence): Whole {
    const made = own.get(sequence.number);
    const value = made == null ? this.#allocator.nextval(world, sequence) : draw(made, sequence);
    this.#used.add(sequence.number);
    this.memory.note(sequence.number, value);
    return value;
  }

  /** 22003 outside the sequence's bounds. */
  setval(world: World, own: SequenceStates, sequence: Sequence, value: Whole, called: boolean): Whole {
    const made = own.get(sequence.number);
    if (made == null) this.#allocator.setval(world, sequence, value, called);
    else put(made, sequence, value, called);
    this.#used.add(sequence.number);
    if (called) this.memory.note(sequence.number, value);
    return value;
  }

  /** The last value given, committed or not, as in Postgres. */
  state(world: World, own: SequenceStates, sequence: Sequence): SequenceState {
    return own.get(sequence.number)?.state ?? this.#allocator.state(world, sequence);
  }

  /** The changes of a commit, followed by those of its sequences. */
  changes(world: World, own: SequenceStates, changes: TreeChanges[]): TreeChanges[] {
    if (this.#used.size === 0 && own.size === 0) return changes;
    const moved = this.#allocator.changes(world, this.#used, own);
    return moved === null ? changes : [...changes, moved];
  }

  committed(world: World, own: SequenceStates): void {
    if (own.size > 0) this.#allocator.committed(world, own);
  }

  ended(): void {
    if (this.#used.size > 0) this.#used.clear();
  }
}
