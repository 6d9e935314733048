/**
 * Writes a short reply to a socket in this very call: to its descriptor, which never blocks, out of a buffer that may
 * be filled again at once. A stream would want a buffer of its own, and to be asked again when it is done.
 */
import { writeSync } from 'node:fs';
import type { Socket } from 'node:net';

/** How many of the first `length` bytes were written; the stream has to take the others, and finds out what is wrong. */
export function writeNow(socket: Socket, bytes: Buffer, length: number): number {
  // What the stream still has goes first.
  if (socket.writableLength > 0 || !socket.writable) return 0;
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } | null };
  const fd = handle?.fd;
  // Not everywhere are sockets descriptors, and a closed one has none.
  if (fd === undefined || fd < 0) return 0;
  try {
    return writeSync(fd, bytes, 0, length);
  } catch {
    return 0;
  }
}
