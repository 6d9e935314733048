/** Runs an operation for a session. The commands that it calls check what the principal may. */
import type { AnyOperation } from './define-operation.ts';
import type { Session } from './session.ts';

export function dispatch(operation: AnyOperation, session: Session, input: unknown): Promise<unknown> {
  return operation.handler(session, input);
}
