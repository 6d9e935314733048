/** The link to the process that has the folder open, see serve-shell.ts. */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { fromWire, type WireError } from '../../socket/greeting.ts';
import { readLines } from '../../socket/lines.ts';
import type { Answer, Place, Reply, ShellLink } from './link.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
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
      const { id, result, error } = parseExactJson(line) as { id: number; result?: unknown; error?: WireError };
      const call = waiting.get(id);
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
  const send = (op: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (lost) {
        reject(gone());
        return;
      }
      const id = next++;
      waiting.set(id, { resolve, reject });
      socket.write(`${exactJsonText({ id, op, input })}\n`);
    });
  return {
    kind: 'socket',
    get lost() {
      return lost && !closing;
    },
    call: send,
    run: (sql, rows) => send('run', { sql, rows }) as Promise<Reply>,
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
