/**
 * Total of large unsent output of all connections. A connection sends at most one buffer and waits until it is taken, but one
 * row may have hundreds of megabytes: when slow readers hold much, further large rows are refused; small ones are not.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { WIRE_LIMITS } from './protocol.ts';

/** Smaller buffers are bounded by the number of connections. */
const LARGE_BYTES = 1 << 20;

let unsent = 0;

/** Counts bytes about to wait for their client. 53200 if others use up the limit; a single one may have any size. */
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
