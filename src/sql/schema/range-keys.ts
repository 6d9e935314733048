/**
 * Ranges as index keys: an interval tree whose nodes are numbers. Bounds are mapped to 64-bit integers in the order of their values
 * (to the precision of a double: the index only narrows). Each range is stored at one node within it, the middle of the smallest
 * cell of repeated bisection that contains it; there it has two entries, ordered by lower and by upper bound.
 *
 *   key   L, the node, the lower bound | U, the node, the upper bound, in eight bytes each | E for the empty range
 *
 * Ranges that contain a point are on the path from the root to it, 65 nodes: at nodes above the point those with a lower bound not
 * above it, at the other nodes those with an upper bound not below it. Ranges that overlap a range are at nodes within it, or on the
 * paths to its ends.
 */
import { toFloat8Unchecked } from '../types/numeric-text.ts';
import { Numeric } from '../types/numeric.ts';
import type { RangeValue } from '../types/range-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const BITS = 64n;
const GREATEST = (1n << BITS) - 1n;
export const EMPTY_KEY = 'E';

const NUMBERED = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'date', 'timestamp', 'timestamptz']);

/** Whether the mapping of the type's values to numbers keeps their order. */
export function isNumbered(type: SqlType): boolean {
  return NUMBERED.has(type.name);
}

const view = new DataView(new ArrayBuffer(8));

function bitsOf(value: Value): bigint {
  const number = value instanceof Numeric ? toFloat8Unchecked(value) : Number(value);
  if (Number.isNaN(number)) return GREATEST;
  // -0 is 0.
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  return bits >> (BITS - 1n) === 1n ? GREATEST - bits : bits | (1n << (BITS - 1n));
}

const lowest = ({ lower }: RangeValue): bigint => (lower === null ? 0n : bitsOf(lower));
const highest = ({ upper }: RangeValue): bigint => (upper === null ? GREATEST : bitsOf(upper));

/** The middle of a cell: the first `length` bits of a number in it, a one, zeros. */
function middle(of: bigint, length: bigint): bigint {
  if (length >= BITS) return of;
  const rest = BITS - length;
  return ((of >> rest) << rest) | (1n << (rest - 1n));
}

function bytes(number: bigint): string {
  view.setBigUint64(0, number);
  let out = '';
  for (let i = 0; i < 8; i++) out += String.fromCharCode(view.getUint8(i));
  return out;
}

export function rangeKeys(range: RangeValue): string[] {
  if (range.empty) return [EMPTY_KEY];
  const [low, high] = [lowest(range), highest(range)];
  let same = BITS;
  for (let apart = low ^ high; apart > 0n; apart >>= 1n) same--;
  const node = bytes(middle(low, same));
  return [`L${node}${bytes(low)}`, `U${node}${bytes(high)}`];
}

/** A key range, both ends included. */
export interface KeysBetween {
  readonly from: string;
  readonly to: string;
}

/** Of ranges at the nodes on the path to `point`: those at nodes below `until` that reach it, those above `from` that start before it. */
function onTheWay(point: bigint, out: Map<bigint, KeysBetween>, from = point, until = point): void {
  for (let length = 0n; length <= BITS; length++) {
    const node = middle(point, length);
    const at = bytes(node);
    if (node > until) out.set(node, { from: `L${at}`, to: `L${at}${bytes(until)}` });
    else if (node < from || from === until) out.set(node, { from: `U${at}${bytes(from)}`, to: `U${at}${bytes(GREATEST)}` });
  }
}

function around(point: bigint): KeysBetween[] {
  const out = new Map<bigint, KeysBetween>();
  onTheWay(point, out);
  return [...out.values()];
}

/** Keys of ranges that may contain a value, or a whole non-empty range. */
export function keysAround(value: Value): KeysBetween[] {
  return around(bitsOf(value));
}
export function keysAroundRange(range: RangeValue): KeysBetween[] {
  return around(lowest(range));
}

/** Keys of ranges that may overlap a non-empty one. */
export function keysWithin(range: RangeValue): KeysBetween[] {
  const [low, high] = [lowest(range), highest(range)];
  if (low === high) return around(low);
  const out = new Map<bigint, KeysBetween>();
  onTheWay(low, out, low, high);
  onTheWay(high, out, low, high);
  return [{ from: `L${bytes(low)}`, to: `L${bytes(high)}${bytes(GREATEST)}` }, ...out.values()];
}
