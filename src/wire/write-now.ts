/**
 * Writes a short reply synchronously to the socket's non-blocking descriptor, from a buffer that may be reused at once. A
 * stream would need a buffer of its own and a completion callback.
 */
import { writeSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Returns the number of bytes written; the stream must send the rest, and reports errors. */
export function writeNow(socket: Socket, bytes: Buffer, length: number): number {
  // The stream's pending data goes first.
  if (socket.writableLength > 0 || !socket.writable) return 0;
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } | null };
  const fd = handle?.fd;
  // Sockets are not descriptors on all platforms, and a closed one has none.
  if (fd === undefined || fd < 0) return 0;
  try {
    return writeSync(fd, bytes, 0, length);
  } catch {
    return 0;
  }
}
