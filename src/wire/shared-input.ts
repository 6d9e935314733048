/**
 * Sockets that all read into one shared buffer, whose bytes are taken in the callback that delivers them.
 *
 * A stream allocates a buffer of 64 KiB for each read and slices it: for a message of a hundred bytes that costs as much as
 * answering it. Sockets support `onread` instead, but a server cannot set it for accepted ones (as of Node 24), so sockets
 * are created here from the accepted handles, the way `net.Server` does. If Node's internals differ from those known here,
 * sockets are plain streams, and `Accepted.input` is null.
 */
import { type Server, Socket } from 'node:net';

/** Takes the first `count` bytes of the buffer, which is reused after the call. */
export type TakeInput = (bytes: Buffer, count: number) => void;

export interface Accepted {
  readonly socket: Socket;
  /** Receives input; null: input arrives as 'data' events. */
  readonly input: { take: TakeInput } | null;
}

const SHARED_BYTES = 64 * 1024;
let shared: Buffer | null = null;

interface ListeningHandle {
  onconnection: (this: ListeningHandle, error: number, client: object | undefined) => void;
}

/** Calls back for each connection of a listening server created with `allowHalfOpen`. `streams`: always use plain streams. */
export function acceptFrom(server: Server, accepted: (connection: Accepted) => void, streams = false): void {
  server.on('connection', (socket: Socket) => accepted({ socket, input: null }));
  if (streams) return;
  const { _handle: handle } = server as Server & { readonly _handle?: ListeningHandle | null };
  if (typeof handle?.onconnection !== 'function') return;
  const plainly = handle.onconnection;
  handle.onconnection = function (error, client) {
    const made = error === 0 && client !== undefined ? socketOf(client) : null;
    if (made === null) plainly.call(this, error, client);
    else accepted(made);
  };
}

function socketOf(handle: object): Accepted | null {
  if (!('useUserBuffer' in handle)) return null;
  const bytes = (shared ??= Buffer.allocUnsafeSlow(SHARED_BYTES));
  const input: { take: TakeInput } = { take: () => {} };
  const onread = {
    buffer: bytes,
    callback: (count: number): boolean => {
      input.take(bytes, count);
      return true;
    },
  };
  const options = { handle, allowHalfOpen: true, onread };
  return { socket: new Socket(options), input };
}
