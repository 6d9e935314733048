/** The link to the process that has the folder open, see serve-shell.ts. */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RunControl } from '../../commands/contract.ts';
import { fromWire, type WireError } from '../../socket/greeting.ts';
import { readLines } from '../../socket/lines.ts';
import type { Answer, Place, Reply, ShellLink } from './link.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  readonly onProgress: RunControl['onProgress'];
}

/** `socket` is one that was greeted for a shell. */
export function socketLink(socket: Socket): ShellLink {
  const waiting = new Map<number, Waiting>();
  let lost = false;
  let closing = false;
  let next = 1;
  readLines(
    socket,
    (line) => {
      const { id, result, error, progress } = parseExactJson(line) as {
        id: number;
        result?: unknown;
        error?: WireError;
        progress?: { done: number; total: number };
      };
      const call = waiting.get(id);
      if (progress !== undefined) {
        call?.onProgress?.(progress.done, progress.total);
        return;
      }
      waiting.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(fromWire(error));
    },
    Infinity,
  );
  socket.on('close', () => {
    lost = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  socket.resume();
  const send = async (op: string, input: unknown, { signal, onProgress }: RunControl = {}): Promise<unknown> => {
    signal?.throwIfAborted();
    let cancel = (): void => {};
    const answered = new Promise((resolve, reject) => {
      if (lost) {
        reject(gone());
        return;
      }
      const id = next++;
      waiting.set(id, { resolve, reject, onProgress });
      cancel = () => void socket.write(`${exactJsonText({ id, op: 'cancel' })}\n`);
      socket.write(`${exactJsonText({ id, op, input, ...(onProgress === undefined ? {} : { progress: true }) })}\n`);
    });
    signal?.addEventListener('abort', cancel);
    try {
      return await answered;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
  return {
    kind: 'socket',
    get lost() {
      return lost && !closing;
    },
    call: send,
    run: (sql, rows, onProgress) => send('run', { sql, rows }, { onProgress }) as Promise<Reply>,
    more: (rows) => send('more', { rows }) as Promise<Answer>,
    stop: () => send('stop', {}) as Promise<Place>,
    cancel: () => void socket.write('{"id":0,"op":"cancel"}\n'),
    close: async () => {
      closing = true;
      socket.destroy();
    },
  };
}

function gone(): SvcError {
  return new SvcError('08006', 'the process that had the folder open is gone', { hint: 'Try again: the folder is then opened here.' });
}
