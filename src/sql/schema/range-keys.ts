/**
 * Ranges as keys of an index: an interval tree whose nodes are numbers. Bounds become whole numbers of 64 bits in the order of their values
 * (of what a double keeps of them: the index only narrows). Each range lies at the node that it reaches on both sides, which is the middle
 * of the smallest cell, halved again and again, that holds it all: one key.
 *
 *   key   R, the node in eight bytes | E for the empty range
 *
 * Who contains a point lies on the way from the root to it, 65 nodes. Who overlaps a range lies at a node within it, or on the way to one of its ends.
 * After H. Edelsbrunner's interval trees, with nodes that need no tree.
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

/** Whether values of the type are in the order of numbers that they are taken for. */
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

/** The middle of a cell: the first `length` bits of a number that lies in it, a one, zeros. */
function middle(of: bigint, length: bigint): bigint {
  if (length >= BITS) return of;
  const rest = BITS - length;
  return ((of >> rest) << rest) | (1n << (rest - 1n));
}

function keyOf(node: bigint): string {
  view.setBigUint64(0, node);
  let out = 'R';
  for (let i = 0; i < 8; i++) out += String.fromCharCode(view.getUint8(i));
  return out;
}

export function rangeKey(range: RangeValue): string {
  if (range.empty) return EMPTY_KEY;
  const [low, high] = [lowest(range), highest(range)];
  let same = BITS;
  for (let apart = low ^ high; apart > 0n; apart >>= 1n) same--;
  return keyOf(middle(low, same));
}

/** Nodes of ranges that may contain the point. */
function wayTo(point: bigint): string[] {
  const out: string[] = [];
  for (let length = 0n; length <= BITS; length++) out.push(keyOf(middle(point, length)));
  return out;
}

/** Keys of ranges that may contain a value, or the whole of a range that is not empty. */
export function keysAround(value: Value): string[] {
  return wayTo(bitsOf(value));
}
export function keysAroundRange(range: RangeValue): string[] {
  return wayTo(lowest(range));
}

/** Keys of ranges that may overlap one that is not empty: all from the first to the last, and others. */
export function keysWithin(range: RangeValue): { readonly from: string; readonly to: string; readonly others: readonly string[] } {
  const [low, high] = [lowest(range), highest(range)];
  const [from, to] = [keyOf(low), keyOf(high)];
  const others = new Set([...wayTo(low), ...wayTo(high)].filter((key) => key < from || key > to));
  return { from, to, others: [...others] };
}
