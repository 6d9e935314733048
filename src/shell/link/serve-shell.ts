/**
 * Server side of `socketLink`: the shell of another process. Lines `{id, op, input}` are operations, or `run`, `more` and
 * `stop` of the connection's SQL session; each is answered by `{id, result}` or `{id, error}`. `{id, op: "cancel"}` cancels
 * the operation of that id, or else the running statement, which then answers. A closed connection cancels everything.
 *
 * During a COPY, `{id, copyIn: true}` requests rows, which arrive as `{op: "data", input: {bytes}}` (base64; null at the end,
 * or `error`), and `{id, copyOut}` carries rows. `{notification}` is a notification for the session.
 */
import type { Socket } from 'node:net';
import { exactJsonText, parseInputJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Session } from '../../operations/session.ts';
import { toWire } from '../../socket/greeting.ts';
import { readLines } from '../../socket/lines.ts';
import { RunningCalls } from '../../socket/running-calls.ts';
import { progressTo } from '../../socket/socket-server.ts';
import type { SqlSession } from '../../sql/session/sql-session.ts';
import { callOperation } from './local-link.ts';
import { Statements } from './statements.ts';

interface Call {
  readonly id: unknown;
  readonly op: unknown;
  readonly input?: unknown;
  /** The client wants progress reports. */
  readonly progress?: unknown;
}

interface Data {
  readonly bytes?: string | null;
  readonly error?: string;
}

/** Rows requested by COPY FROM STDIN. */
class RowsFromShell {
  #waiting: { resolve(bytes: Uint8Array | null): void; reject(error: SvcError): void } | null = null;

  next(): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  take({ bytes = null, error }: Data): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (error !== undefined) waiting?.reject(new SvcError('57014', error));
    else waiting?.resolve(bytes === null ? null : Buffer.from(bytes, 'base64'));
  }
}

/** Resolves when the socket accepts more, or is closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}

export function serveShell(session: Session, sql: SqlSession, socket: Socket): void {
  const send = (line: object): boolean => socket.write(`${exactJsonText(line)}\n`);
  const statements = new Statements(sql, ({ pid, channel, payload }) => void send({ notification: { pid, channel, payload } }));
  const rows = new RowsFromShell();
  const calls = new RunningCalls();
  // A shell that ends its side is gone.
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    calls.close();
    rows.take({ error: 'the shell is gone' });
    void statements.close();
  });
  const answer = ({ id, op, input, progress }: Call): Promise<unknown> => {
    const { sql: text = '', rows: wanted = 0 } = (input ?? {}) as { sql?: string; rows?: number };
    const onProgress = progress === true ? progressTo(socket, id) : null;
    switch (op) {
      case 'run':
        return statements.run(text, wanted, {
          ...(onProgress === null ? {} : { onProgress }),
          copy: {
            input: () => {
              const next = rows.next();
              send({ id, copyIn: true });
              return next;
            },
            output: async (bytes) => {
              if (!send({ id, copyOut: Buffer.from(bytes).toString('base64') })) await drained(socket);
            },
          },
        });
      case 'more':
        return statements.more(wanted);
      case 'stop':
        return statements.stop();
      default:
        return calls.run(id, onProgress, (control) => callOperation(session, String(op), input ?? {}, control));
    }
  };
  readLines(socket, (line) => {
    let call: Call;
    try {
      call = parseInputJson(line) as Call;
    } catch {
      socket.end(`${exactJsonText({ id: null, error: toWire(new SvcError('08P01', 'the line is not JSON')) })}\n`);
      return;
    }
    if (call.op === 'cancel') {
      if (!calls.cancel(call.id)) {
        rows.take({ error: 'canceled by user' });
        statements.cancel();
      }
      return;
    }
    if (call.op === 'data') {
      rows.take(call.input as Data);
      return;
    }
    answer(call).then(
      (result) => send({ id: call.id, result }),
      (error: unknown) => send({ id: call.id, error: toWire(error) }),
    );
  });
}
