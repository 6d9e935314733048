/**
 * Values of sequences, one state per world. An allocator in memory assigns them; the position of each sequence is written with the
 * commit that used it (`changes`), always the furthest that the allocator has assigned, so the order of commits does not matter.
 * Values of transactions that roll back are lost, as in Postgres. Merges and undo also write positions: the further of both applies.
 * A transaction that creates, drops or restarts a sequence has a state of its own for it (`SequenceStates`), which the allocator
 * takes over at commit.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { SEQUENCE_TREE, type TreeChanges } from '../../events/changes.ts';
import { KIND, type RowChange, type Shape } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { isFurther, readSequence, SEQUENCE_CELL, type SequenceState } from '../../worlds/sequences.ts';
import type { World } from '../../worlds/world.ts';
import { whole, type Whole } from '../types/value.ts';
import type { Sequence } from './schema.ts';

/** Sequence states of a transaction's definitions, by number; null: dropped. nextval on a created or restarted sequence advances them. */
export type SequenceStates = ReadonlyMap<number, { state: SequenceState } | null>;

export function sequenceStart({ start }: Sequence): SequenceState {
  return { last: start, called: false };
}

/** For states that may be absent. */
function isSame(a: SequenceState | null, b: SequenceState | null): boolean {
  return a?.last === b?.last && a?.called === b?.called;
}

function stateChange(sequence: number, before: SequenceState | null, after: SequenceState): RowChange {
  const wide = typeof before?.last === 'bigint' || typeof after.last === 'bigint';
  const shape: Shape = { ids: [SEQUENCE_CELL.last, SEQUENCE_CELL.called], kinds: [wide ? KIND.I64 : KIND.F64, KIND.BOOL] };
  return { key: sequence, shape, before: before === null ? null : [before.last, before.called], after: [after.last, after.called] };
}

/** A session's memory for currval and lastval. */
export class SequenceMemory {
  readonly #values = new Map<number, Whole>();
  #last: number | null = null;

  note(sequence: number, value: Whole): void {
    this.#values.set(sequence, value);
    this.#last = sequence;
  }

  currval({ number, name }: Sequence): Whole {
    const value = this.#values.get(number);
    if (value === undefined) throw new SvcError('55000', `currval of sequence "${name}" is not yet defined in this session`);
    return value;
  }

  /** `exists` says whether the sequence still exists. */
  lastval(exists: (sequence: number) => boolean): Whole {
    const value = this.#last === null || !exists(this.#last) ? undefined : this.#values.get(this.#last);
    if (value === undefined) throw new SvcError('55000', 'lastval is not yet defined in this session');
    return value;
  }

  /** The sequence is dropped: another one may get its number. */
  forget(sequence: number): void {
    this.#values.delete(sequence);
  }

  clear(): void {
    this.#values.clear();
    this.#last = null;
  }
}

interface Allocated {
  state: SequenceState;
  /** The state in the world's tree at the last look, and that tree. */
  committed: SequenceState | null;
  root: Node;
}

/** A world with the root of its newest commit. */
type Place = Pick<World, 'number' | 'root'>;

/** One per database. */
export class SequenceAllocator {
  readonly #pager: Pager;
  readonly #worlds = new Map<number, Map<number, Allocated>>();

  constructor(pager: Pager) {
    this.#pager = pager;
  }

  nextval(world: Place, sequence: Sequence): Whole {
    return draw(this.#of(world, sequence), sequence);
  }

  /** 22003 outside the sequence's bounds. */
  setval(world: Place, sequence: Sequence, value: Whole, called: boolean): Whole {
    return put(this.#of(world, sequence), sequence, value, called);
  }

  state(world: Place, sequence: Sequence): SequenceState {
    return this.#of(world, sequence).state;
  }

  /** The sequence changes in a commit of the world: positions of the sequences that its transaction used, and its own states of others. */
  changes(world: Place, used: Iterable<number>, own: SequenceStates): TreeChanges | null {
    const known = this.#worlds.get(world.number);
    const rows: RowChange[] = [];
    const add = (sequence: number, after: SequenceState): void => {
      const before = readSequence(this.#pager, world.root, sequence);
      if (!isSame(before, after)) rows.push(stateChange(sequence, before, after));
    };
    for (const sequence of used) {
      const allocated = own.has(sequence) ? undefined : known?.get(sequence);
      if (allocated === undefined) continue;
      allocated.committed = allocated.state;
      add(sequence, allocated.state);
    }
    // The position of a dropped sequence is kept, for a later restore: rows may have its values.
    for (const [sequence, state] of own) if (state !== null) add(sequence, state.state);
    if (rows.length === 0) return null;
    rows.sort((a, b) => (a.key as number) - (b.key as number));
    return { tree: SEQUENCE_TREE, numeric: true, rows };
  }

  /** After the commit of a transaction with states of its own. */
  committed(world: Place, own: SequenceStates): void {
    for (const [sequence, state] of own) {
      if (state === null) this.#worlds.get(world.number)?.delete(sequence);
      else this.#ofWorld(world).set(sequence, { state: state.state, committed: state.state, root: world.root });
    }
  }

  /** The world was rolled back: the committed states apply. */
  forget(world: number): void {
    this.#worlds.delete(world);
  }

  #ofWorld({ number }: Place): Map<number, Allocated> {
    let sequences = this.#worlds.get(number);
    if (sequences === undefined) this.#worlds.set(number, (sequences = new Map()));
    return sequences;
  }

  #of(world: Place, sequence: Sequence): Allocated {
    const sequences = this.#ofWorld(world);
    const { root } = world;
    let allocated = sequences.get(sequence.number);
    if (allocated === undefined) {
      const committed = readSequence(this.#pager, root, sequence.number);
      allocated = { state: committed ?? sequenceStart(sequence), committed, root };
      sequences.set(sequence.number, allocated);
    } else if (allocated.root !== root) {
      const committed = readSequence(this.#pager, root, sequence.number);
      if (committed !== null && !isSame(committed, allocated.committed) && isFurther(committed, allocated.state, sequence.increment < 0))
        allocated.state = committed;
      allocated.committed = committed;
      allocated.root = root;
    }
    return allocated;
  }
}

/** The next value. 2200H past the end. */
export function draw(from: { state: SequenceState }, sequence: Sequence): Whole {
  const value = next(sequence, from.state);
  from.state = { last: value, called: true };
  return value;
}

/** 22003 outside the sequence's bounds. */
export function put(into: { state: SequenceState }, { name, min, max }: Sequence, value: Whole, called: boolean): Whole {
  if (value < min || value > max) throw new SvcError('22003', `setval: value ${value} is out of bounds for sequence "${name}" (${min}..${max})`);
  into.state = { last: value, called };
  return value;
}

function next({ name, increment, min, max, cycle }: Sequence, { last, called }: SequenceState): Whole {
  if (!called) return last;
  const value =
    typeof last === 'number' && typeof increment === 'number' && Number.isSafeInteger(last + increment)
      ? last + increment
      : whole(BigInt(last) + BigInt(increment));
  if (increment > 0 ? value <= max : value >= min) return value;
  if (cycle) return increment > 0 ? min : max;
  throw new SvcError('2200H', `nextval: reached ${increment > 0 ? 'maximum' : 'minimum'} value of sequence "${name}" (${increment > 0 ? max : min})`);
}
