/** Runs an operation for a session. The commands that it calls check what the principal may. */
import type { RunControl } from '../commands/contract.ts';
import type { AnyOperation } from './define-operation.ts';
import type { Session } from './session.ts';

export function dispatch(operation: AnyOperation, session: Session, input: unknown, control?: RunControl): Promise<unknown> {
  return operation.handler(session, input, control);
}
