/**
 * Frames of window functions over one partition: for each row the positions [start, end), by rows, groups of peers or distance of
 * the sort key, and the positions that EXCLUDE removes. Manual, section 4.2.8.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { WindowView } from '../functions/define.ts';
import type { BoundFrame, WindowPlan } from '../plan/logical.ts';
import { Interval } from '../types/interval.ts';
import { Numeric } from '../types/numeric.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Run } from './run.ts';

/** Keys of RANGE frames: base - offset and base + offset, null if the result is out of the type's range. */
export interface RangeKeys {
  readonly type: SqlType;
  readonly descending: boolean;
  readonly values: readonly Value[];
  minus(run: Run, base: Value, offset: Value): Value;
  plus(run: Run, base: Value, offset: Value): Value;
}

export class PartitionView implements WindowView {
  row = 0;
  readonly count: number;
  frameStart = 0;
  frameEnd = 0;
  /** Values of the current function's arguments, from the partition's first row on. */
  args: readonly (readonly Value[])[] = [];
  readonly #frame: BoundFrame;
  readonly #start: Value;
  readonly #end: Value;
  /** First position of each peer group, and the group number of each row. */
  readonly #groups: readonly number[];
  readonly #groupOf: Int32Array;
  readonly #range: RangeKeys | null;
  readonly #run: Run;

  /** `groups`: null if peers are not needed. */
  constructor(run: Run, plan: WindowPlan, groups: readonly number[] | null, count: number, offsets: readonly [Value, Value], range: RangeKeys | null) {
    this.count = count;
    this.#run = run;
    this.#frame = plan.frame;
    [this.#start, this.#end] = offsets;
    this.#groups = groups ?? [];
    this.#range = range;
    this.#groupOf = new Int32Array(groups === null ? 0 : count);
    for (let group = 0; group < this.#groups.length; group++) this.#groupOf.fill(group, this.#groups[group], this.#groupEnd(group));
  }

  #groupEnd(group: number): number {
    return group + 1 < this.#groups.length ? this.#groups[group + 1] : this.count;
  }

  /** Sets the current row. */
  moveTo(row: number): void {
    this.row = row;
    const { start, end } = this.#frame;
    this.frameStart = this.#edge(start.type, this.#start, true);
    this.frameEnd = Math.max(this.frameStart, this.#edge(end.type, this.#end, false));
  }

  /** The start of the frame, or the position after its end. */
  #edge(type: BoundFrame['start']['type'], offset: Value, start: boolean): number {
    const { row, count } = this;
    const mode = this.#frame.mode;
    if (type === 'unboundedPreceding') return 0;
    if (type === 'unboundedFollowing') return count;
    const preceding = type === 'preceding';
    if (mode === 'rows') {
      if (type === 'currentRow') return start ? row : row + 1;
      const at = row + (preceding ? -1 : 1) * Number(offset) + (start ? 0 : 1);
      return Math.min(count, Math.max(0, at));
    }
    const group = this.#groupOf[row];
    if (type === 'currentRow') return start ? this.#groups[group] : this.#groupEnd(group);
    if (mode === 'groups') {
      const at = group + (preceding ? -1 : 1) * Number(offset);
      if (at < 0) return 0;
      if (at >= this.#groups.length) return count;
      return start ? this.#groups[at] : this.#groupEnd(at);
    }
    return this.#rangeEdge(preceding, offset, start);
  }

  #rangeEdge(preceding: boolean, offset: Value, start: boolean): number {
    const range = this.#range!;
    const base = range.values[this.row];
    const group = this.#groupOf[this.row];
    // A null is a peer of nulls only.
    if (base === null) return start ? this.#groups[group] : this.#groupEnd(group);
    const bound = preceding !== range.descending ? range.minus(this.#run, base, offset) : range.plus(this.#run, base, offset);
    if (bound === null) return preceding ? this.#firstNotNull() : this.#lastNotNull();
    // First group that is not before the bound (start), or the first one past it (end).
    let low = 0;
    let high = this.#groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = range.values[this.#groups[middle]];
      let order: number;
      if (value === null) order = this.#groups[middle] < this.row ? -1 : 1;
      else order = range.descending ? range.type.compare(bound, value) : range.type.compare(value, bound);
      if (order < 0 || (order === 0 && !start)) low = middle + 1;
      else high = middle;
    }
    return low < this.#groups.length ? this.#groups[low] : this.count;
  }

  #firstNotNull(): number {
    const { values } = this.#range!;
    return values[0] === null && this.#groups.length > 1 ? this.#groups[1] : 0;
  }

  #lastNotNull(): number {
    const { values } = this.#range!;
    return values[this.count - 1] === null ? this.#groups[this.#groups.length - 1] : this.count;
  }

  get excludes(): boolean {
    return this.#frame.exclude !== 'noOthers';
  }

  inFrame(position: number): boolean {
    if (position < this.frameStart || position >= this.frameEnd) return false;
    switch (this.#frame.exclude) {
      case 'noOthers':
        return true;
      case 'currentRow':
        return position !== this.row;
      case 'group':
        return this.#groupOf[position] !== this.#groupOf[this.row];
      default:
        return position === this.row || this.#groupOf[position] !== this.#groupOf[this.row];
    }
  }

  peersOf(position: number): readonly [number, number] {
    const group = this.#groupOf[position];
    return [this.#groups[group], this.#groupEnd(group)];
  }

  arg(n: number, position: number): Value {
    return this.args[n][position];
  }
}

function isNegative(offset: Value): boolean {
  if (typeof offset === 'number' || typeof offset === 'bigint') return offset < 0 || Number.isNaN(offset);
  if (offset instanceof Numeric) return offset.coefficient < 0 || Number.isNaN(offset.coefficient);
  return offset instanceof Interval && Number(offset.micros) + (offset.days + offset.months * 30) * 86_400_000_000 < 0;
}

/** Offsets are checked once. */
export function checkOffset(offset: Value, which: 'starting' | 'ending', mode: 'rows' | 'groups' | 'range'): void {
  if (offset === null) throw new SvcError('22004', `frame ${which} offset must not be null`);
  if (mode === 'range') {
    if (isNegative(offset)) throw new SvcError('22013', 'invalid preceding or following size in window function');
    return;
  }
  if ((typeof offset === 'number' || typeof offset === 'bigint') && offset < 0) throw new SvcError('22013', `frame ${which} offset must not be negative`);
}
