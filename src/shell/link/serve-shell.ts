/**
 * The other end of `socketLink`: a shell of another process. Lines `{id, op, input}` are operations, or `run`, `more`,
 * `stop` and `cancel` of the connection's own session of SQL; each is answered by `{id, result}` or `{id, error}`, but
 * `cancel`, which the statement that it ends answers for.
 */
import type { Socket } from 'node:net';
import { exactJsonText, parseExactJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Session } from '../../operations/session.ts';
import { toWire } from '../../socket/greeting.ts';
import { readLines } from '../../socket/lines.ts';
import type { SqlSession } from '../../sql/session/sql-session.ts';
import { callOperation } from './local-link.ts';
import { Statements } from './statements.ts';

interface Call {
  readonly id: unknown;
  readonly op: unknown;
  readonly input?: unknown;
}

export function serveShell(session: Session, sql: SqlSession, socket: Socket): void {
  const statements = new Statements(sql);
  socket.on('close', () => void statements.close());
  const answer = ({ op, input }: Call): Promise<unknown> => {
    const { sql: text = '', rows = 0 } = (input ?? {}) as { sql?: string; rows?: number };
    switch (op) {
      case 'run':
        return statements.run(text, rows);
      case 'more':
        return statements.more(rows);
      case 'stop':
        return statements.stop();
      default:
        return callOperation(session, String(op), input ?? {});
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
      statements.cancel();
      return;
    }
    answer(call).then(
      (result) => socket.write(`${exactJsonText({ id: call.id, result })}\n`),
      (error: unknown) => socket.write(`${exactJsonText({ id: call.id, error: toWire(error) })}\n`),
    );
  });
}
