/**
 * Large messages that are not all there yet, of all connections together. One may have 64 MB; where many clients send theirs and none comes to
 * an end, further ones are dropped as they come, and answered 53200. Small messages go on.
 */
import { WIRE_LIMITS } from './protocol.ts';

/** Smaller buffers are bounded by the number of connections. */
export const LARGE_INPUT_BYTES = 1 << 20;

let unread = 0;

/** A buffer of `bytes` takes the place of one of `before`; false where there is no room for it. */
export function admitInput(bytes: number, before: number): boolean {
  if (unread + bytes - before > WIRE_LIMITS.unreadBytesMax) return false;
  unread += bytes - before;
  return true;
}

export function inputLeft(bytes: number): void {
  unread -= bytes;
}
