/**
 * Total of large incomplete messages of all connections. One may have 64 MB; when many clients send theirs without finishing,
 * further ones are dropped and answered 53200. Small messages are not affected.
 */
import { WIRE_LIMITS } from './protocol.ts';

/** Smaller buffers are bounded by the number of connections. */
export const LARGE_INPUT_BYTES = 1 << 20;

let unread = 0;

/** Replaces a buffer of `before` bytes by one of `bytes`; false if that exceeds the limit. */
export function admitInput(bytes: number, before: number): boolean {
  if (unread + bytes - before > WIRE_LIMITS.unreadBytesMax) return false;
  unread += bytes - before;
  return true;
}

export function inputLeft(bytes: number): void {
  unread -= bytes;
}
