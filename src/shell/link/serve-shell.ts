/**
 * The other end of `socketLink`: a shell of another process. Lines `{id, op, input}` are operations, or `run`, `more` and
 * `stop` of the connection's own session of SQL; each is answered by `{id, result}` or `{id, error}`. `{id, op: "cancel"}`
 * gives up the operation of that id, or else the statement that runs: what it ends answers for it. A shell that is gone
 * gives up everything.
 */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../../base/exact-json.ts';
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
  /** The client wants to know how far it is. */
  readonly progress?: unknown;
}

export function serveShell(session: Session, sql: SqlSession, socket: Socket): void {
  const statements = new Statements(sql);
  const calls = new RunningCalls();
  // A shell reads until it is gone.
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    calls.close();
    void statements.close();
  });
  const answer = ({ id, op, input, progress }: Call): Promise<unknown> => {
    const { sql: text = '', rows = 0 } = (input ?? {}) as { sql?: string; rows?: number };
    const tell = progress === true ? progressTo(socket, id) : null;
    switch (op) {
      case 'run':
        return statements.run(text, rows, tell ?? undefined);
      case 'more':
        return statements.more(rows);
      case 'stop':
        return statements.stop();
      default:
        return calls.run(id, tell, (control) => callOperation(session, String(op), input ?? {}, control));
    }
  };
  readLines(socket, (line) => {
    let call: Call;
    try {
      call = parseExactJson(line) as Call;
    } catch {
      socket.end(`${exactJsonText({ id: null, error: toWire(new SvcError('08P01', 'the line is not JSON')) })}\n`);
      return;
    }
    if (call.op === 'cancel') {
      if (!calls.cancel(call.id)) statements.cancel();
      return;
    }
    answer(call).then(
      (result) => socket.write(`${exactJsonText({ id: call.id, result })}\n`),
      (error: unknown) => socket.write(`${exactJsonText({ id: call.id, error: toWire(error) })}\n`),
    );
  });
}
