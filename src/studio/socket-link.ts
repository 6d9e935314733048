/** The database through the socket of the process that has its folder open. Each identity has a connection, which is made again when it is lost. */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl } from '../commands/contract.ts';
import { fromWire, type WireError } from '../socket/greeting.ts';
import { readLines } from '../socket/lines.ts';
import { connectTo } from '../socket/socket-client.ts';
import type { Caller, StudioLink, Who } from './link.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  readonly onProgress: RunControl['onProgress'];
}

class Connection implements Caller {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  lost = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    readLines(socket, (line) => this.#take(line), Infinity);
    socket.on('close', () => {
      this.lost = true;
      for (const { reject } of this.#waiting.values()) reject(gone());
      this.#waiting.clear();
    });
    socket.resume();
  }

  #take(line: string): void {
    const { id, result, error, progress } = parseExactJson(line) as {
      id: number;
      result?: unknown;
      error?: WireError;
      progress?: { done: number; total: number };
    };
    const call = this.#waiting.get(id);
    if (call === undefined) return;
    if (progress !== undefined) {
      call.onProgress?.(progress.done, progress.total);
      return;
    }
    this.#waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(fromWire(error));
  }

  async call({ name }: { name: string }, input: unknown, { signal, onProgress }: RunControl = {}): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.lost) throw gone();
    const id = this.#next++;
    const cancel = (): void => this.#send({ id, op: 'cancel' });
    signal?.addEventListener('abort', cancel);
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        this.#send({ id, op: name, input, ...(onProgress === undefined ? {} : { progress: true }) });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #send(line: object): void {
    this.#socket.write(`${exactJsonText(line)}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Connections of roles beside that of the database's own user. */
const CONNECTIONS_MAX = 64;

export function socketLink(folder: string): StudioLink {
  const connections = new Map<string, Connection>();
  const connected = async (key: string, who: Who): Promise<Connection> => {
    const known = connections.get(key);
    if (known !== undefined && !known.lost) return known;
    const made = new Connection(await connectTo(folder, { entrance: 'operations', as: who }));
    connections.set(key, made);
    for (const [other, connection] of connections) {
      if (connections.size <= CONNECTIONS_MAX) break;
      if (other === key || other === 'owner') continue;
      connections.delete(other);
      connection.close();
    }
    return made;
  };
  return {
    as: (who) => connected(who.kind === 'owner' ? 'owner' : `role:${who.name}`, who),
    close: async () => {
      for (const connection of connections.values()) connection.close();
    },
  };
}

function gone(): SvcError {
  return new SvcError('08006', 'the process that had the folder open is gone', { hint: 'Start svc studio again.' });
}
