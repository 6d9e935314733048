/** The link to the process that has the folder open, see serve-shell.ts. */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RunControl } from '../../commands/contract.ts';
import { fromWire, type WireError } from '../../socket/greeting.ts';
import { readLines } from '../../socket/lines.ts';
import type { Answer, CopyEnds, Notification, Place, Reply, ShellLink } from './link.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  readonly onProgress: RunControl['onProgress'];
  readonly copy: CopyEnds | undefined;
  /** Output of COPY is written in order, before the reply. */
  written: Promise<void>;
}

/** `socket` was greeted for a shell. */
export function socketLink(socket: Socket): ShellLink {
  const waiting = new Map<number, Waiting>();
  let lost = false;
  let closing = false;
  let next = 1;
  readLines(
    socket,
    (line) => {
      const { id, result, error, progress, copyIn, copyOut, notification } = parseExactJson(line) as {
        id: number;
        result?: unknown;
        error?: WireError;
        progress?: { done: number; total: number };
        copyIn?: true;
        copyOut?: string;
        notification?: Notification;
      };
      if (notification !== undefined) {
        link.onNotification?.(notification);
        return;
      }
      const call = waiting.get(id);
      if (progress !== undefined) {
        call?.onProgress?.(progress.done, progress.total);
        return;
      }
      if (copyIn === true) {
        void call?.copy?.input().then(
          (bytes) => sendLine({ op: 'data', input: { bytes: bytes === null ? null : Buffer.from(bytes).toString('base64') } }),
          (failed: unknown) => sendLine({ op: 'data', input: { error: (failed as Error).message } }),
        );
        return;
      }
      if (copyOut !== undefined) {
        const { copy } = call ?? {};
        if (copy === undefined) return;
        socket.pause();
        call!.written = call!.written.then(() => copy.output(Buffer.from(copyOut, 'base64'))).finally(() => socket.resume());
        return;
      }
      waiting.delete(id);
      const answer = (): void => (error === undefined ? call?.resolve(result) : call?.reject(fromWire(error)));
      void call?.written.then(answer, (failed: unknown) => call.reject(failed));
    },
    Infinity,
  );
  socket.on('close', () => {
    lost = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  socket.resume();
  const sendLine = (line: object): void => void socket.write(`${exactJsonText(line)}\n`);
  const send = async (op: string, input: unknown, { signal, onProgress }: RunControl = {}, copy?: CopyEnds): Promise<unknown> => {
    signal?.throwIfAborted();
    let cancel = (): void => {};
    const answered = new Promise((resolve, reject) => {
      if (lost) {
        reject(gone());
        return;
      }
      const id = next++;
      waiting.set(id, { resolve, reject, onProgress, copy, written: Promise.resolve() });
      cancel = () => sendLine({ id, op: 'cancel' });
      sendLine({ id, op, input, ...(onProgress === undefined ? {} : { progress: true }) });
    });
    signal?.addEventListener('abort', cancel);
    try {
      return await answered;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
  const link: ShellLink = {
    kind: 'socket',
    onNotification: null,
    get lost() {
      return lost && !closing;
    },
    call: send,
    run: (sql, rows, { onProgress, copy } = {}) => send('run', { sql, rows }, { onProgress }, copy) as Promise<Reply>,
    more: (rows) => send('more', { rows }) as Promise<Answer>,
    stop: () => send('stop', {}) as Promise<Place>,
    cancel: () => sendLine({ id: 0, op: 'cancel' }),
    close: async () => {
      closing = true;
      socket.destroy();
    },
  };
  return link;
}

function gone(): SvcError {
  return new SvcError('08006', 'the process that had the folder open is gone', { hint: 'Try again: the folder is then opened here.' });
}
