/**
 * Sockets of a server that all read into one buffer, whose bytes are taken in the callback that brings them.
 *
 * A stream has a buffer of 64 KiB made for each read and cut to what came: for a message of a hundred bytes that costs
 * as much as answering it. Sockets know `onread` instead, but those that a server accepts cannot be told of it (as of
 * Node 24), so they are made here of what was accepted, as `net.Server` itself would make them. Where Node does it
 * in another way than the one known here, sockets are plain streams, which `Accepted.input` says by null.
 */
import { type Server, Socket } from 'node:net';

/** Takes the first `count` bytes of the buffer, which are others when it has returned. */
export type TakeInput = (bytes: Buffer, count: number) => void;

export interface Accepted {
  readonly socket: Socket;
  /** Where bytes go; null: they come as 'data'. */
  readonly input: { take: TakeInput } | null;
}

const SHARED_BYTES = 64 * 1024;
let shared: Buffer | null = null;

interface ListeningHandle {
  onconnection: (this: ListeningHandle, error: number, client: object | undefined) => void;
}

/** Gives each connection of a server that listens, made with `allowHalfOpen`. `streams`: as plain streams in any case. */
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
