/**
 * Encoding of arguments and results of long calls between threads. Texts, numbers and null pass as they are; class instances are
 * encoded as in a spill file, which supports all values but records.
 */
import { SpillCodec } from '../exec/spill-codec.ts';
import type { Value } from '../types/value.ts';

export type Sent = null | undefined | boolean | number | bigint | string | Uint8Array;

/** Length and count of a batch precede its values; the length is not part of what is decoded. */
export const LENGTH_BYTES = 4;

export function sent(value: Value | undefined): Sent {
  if (typeof value !== 'object' || value === null) return value as Sent;
  return new Uint8Array(new SpillCodec().encode({ count: 1, columns: [[value]] }).subarray(LENGTH_BYTES));
}

export function received(value: Sent): Value | undefined {
  if (!(value instanceof Uint8Array)) return value as Value | undefined;
  return new SpillCodec().decode(Buffer.from(value.buffer, value.byteOffset, value.byteLength), 1).columns[0][0];
}
