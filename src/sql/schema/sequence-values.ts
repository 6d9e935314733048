/**
 * Values of sequences, a state a world. An allocator in memory hands them out; how far each sequence is goes
 * into the world with the commit that used it (`changes`), always the furthest that the allocator has given, so
 * no order of commits takes a sequence back. Values that a transaction took and did not commit are lost, as in
 * Postgres.
 *
 *   tree SEQUENCE_TREE of a world:  sequence number → last value, whether it was given out
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { SEQUENCE_TREE, type TreeChanges } from '../../events/changes.ts';
import { KIND, type Datum, type RowChange, type Shape } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowIn } from '../../worlds/row-change.ts';
import { whole, type Whole } from '../types/value.ts';
import type { Sequence } from './schema.ts';

const LAST = 1;
const CALLED = 2;

export interface SequenceState {
  readonly last: Whole;
  /** False: `last` itself is given out next. */
  readonly called: boolean;
}

export function sequenceStart({ start }: Sequence): SequenceState {
  return { last: start, called: false };
}

export function readState(pager: Pager, root: Node, sequence: number): SequenceState | null {
  const at = rowIn(pager, childRoot(pager, root, SEQUENCE_TREE), sequence);
  if (at === null) return null;
  return { last: at.leaf.cell(at.index, LAST) as Whole, called: at.leaf.cell(at.index, CALLED) as boolean };
}

export function stateChange(sequence: number, before: SequenceState | null, after: SequenceState | null): RowChange {
  const wide = typeof before?.last === 'bigint' || typeof after?.last === 'bigint';
  const shape: Shape = { ids: [LAST, CALLED], kinds: [wide ? KIND.I64 : KIND.F64, KIND.BOOL] };
  const cells = (state: SequenceState | null): Datum[] | null => (state === null ? null : [state.last, state.called]);
  return { key: sequence, shape, before: cells(before), after: cells(after) };
}

/** What a session remembers for currval and lastval. */
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

  /** `exists` says whether the sequence is still there. */
  lastval(exists: (sequence: number) => boolean): Whole {
    if (this.#last === null || !exists(this.#last)) throw new SvcError('55000', 'lastval is not yet defined in this session');
    return this.#values.get(this.#last)!;
  }

  clear(): void {
    this.#values.clear();
    this.#last = null;
  }
}

/** One a database. Worlds are named by their numbers; `root` is the world's committed directory. */
export class SequenceAllocator {
  readonly #pager: Pager;
  readonly #worlds = new Map<number, Map<number, { state: SequenceState }>>();

  constructor(pager: Pager) {
    this.#pager = pager;
  }

  nextval(world: number, root: Node, sequence: Sequence): Whole {
    const allocated = this.#of(world, root, sequence);
    const value = next(sequence, allocated.state);
    allocated.state = { last: value, called: true };
    return value;
  }

  /** 22003 outside the sequence's bounds. */
  setval(world: number, root: Node, sequence: Sequence, value: Whole, called: boolean): Whole {
    if (value < sequence.min || value > sequence.max) {
      throw new SvcError('22003', `setval: value ${value} is out of bounds for sequence "${sequence.name}" (${sequence.min}..${sequence.max})`);
    }
    const allocated = this.#of(world, root, sequence);
    allocated.state = { last: value, called };
    return value;
  }

  state(world: number, root: Node, sequence: Sequence): SequenceState {
    return this.#of(world, root, sequence).state;
  }

  /** What a commit of the world must hold of the sequences that its transaction used. */
  changes(world: number, root: Node, used: Iterable<number>): TreeChanges[] {
    const known = this.#worlds.get(world);
    if (known === undefined) return [];
    const rows: RowChange[] = [];
    for (const sequence of used) {
      const allocated = known.get(sequence);
      if (allocated === undefined) continue;
      const committed = readState(this.#pager, root, sequence);
      if (committed?.last === allocated.state.last && committed.called === allocated.state.called) continue;
      rows.push(stateChange(sequence, committed, allocated.state));
    }
    if (rows.length === 0) return [];
    rows.sort((a, b) => (a.key as number) - (b.key as number));
    return [{ tree: SEQUENCE_TREE, numeric: true, rows }];
  }

  /** A world or sequence is gone, or was set back on purpose (RESTART, restore): the committed state counts. */
  forget(world: number, sequence?: number): void {
    if (sequence === undefined) this.#worlds.delete(world);
    else this.#worlds.get(world)?.delete(sequence);
  }

  #of(world: number, root: Node, sequence: Sequence): { state: SequenceState } {
    let sequences = this.#worlds.get(world);
    if (sequences === undefined) this.#worlds.set(world, (sequences = new Map()));
    let allocated = sequences.get(sequence.number);
    if (allocated === undefined) {
      allocated = { state: readState(this.#pager, root, sequence.number) ?? sequenceStart(sequence) };
      sequences.set(sequence.number, allocated);
    }
    return allocated;
  }
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

/** The further of two states, for merges: what either side gave out is not given out again. */
export function furthest(a: SequenceState, b: SequenceState, increment: Whole): SequenceState {
  if (a.last === b.last) return a.called ? a : b;
  return a.last > b.last === increment > 0 ? a : b;
}
