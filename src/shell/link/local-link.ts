/** The link to a folder opened by this process. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RunControl } from '../../commands/contract.ts';
import { checkInput } from '../../operations/check-input.ts';
import { call, type Session } from '../../operations/session.ts';
import { operationByName } from '../../operations/table.ts';
import type { SqlSession } from '../../sql/session/sql-session.ts';
import type { Notification, ShellLink } from './link.ts';
import { Statements } from './statements.ts';

/** `close` closes the folder. */
export function localLink(session: Session, sql: SqlSession, close: () => Promise<void>): ShellLink {
  const statements = new Statements(sql, (notification: Notification) => link.onNotification?.(notification));
  const link: ShellLink = {
    onNotification: null,
    kind: 'folder',
    lost: false,
    call: (name, input, control) => callOperation(session, name, input, control),
    run: (text, rows, options) => statements.run(text, rows, options),
    more: (rows) => statements.more(rows),
    stop: () => statements.stop(),
    cancel: () => statements.cancel(),
    async close() {
      await statements.close();
      await close();
    },
  };
  return link;
}

export async function callOperation(session: Session, name: string, input: unknown, control?: RunControl): Promise<unknown> {
  const operation = operationByName(name);
  if (operation === undefined) throw new SvcError('42883', `there is no operation "${name.slice(0, 60)}"`);
  checkInput(operation, input);
  return call(session, operation, input, control);
}
