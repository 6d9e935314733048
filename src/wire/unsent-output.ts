/**
 * Large output that clients have not taken yet, of all connections together. A connection sends at most one buffer and waits until it has left, but
 * one row may be of hundreds of megabytes: where slow readers hold much, another large row is refused, and small ones go on.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { WIRE_LIMITS } from './protocol.ts';

/** Smaller buffers are bounded by the number of connections. */
const LARGE_BYTES = 1 << 20;

let unsent = 0;

/** The bytes are about to wait for their client. 53200 where others' take all the room; a single one may have any size. */
export function admitOutput(bytes: number): void {
  if (bytes < LARGE_BYTES || unsent === 0 || unsent + bytes <= WIRE_LIMITS.unsentBytesMax) return;
  throw new SvcError('53200', 'out of memory', {
    detail: `Large rows that clients have not read yet may take ${WIRE_LIMITS.unsentBytesMax >> 20} MB, all of them together.`,
    hint: 'Try again when other clients have read theirs, or read it in parts, for example with substr.',
  });
}

export function outputWaits(bytes: number): void {
  if (bytes >= LARGE_BYTES) unsent += bytes;
}

export function outputLeft(bytes: number): void {
  if (bytes >= LARGE_BYTES) unsent -= bytes;
}
