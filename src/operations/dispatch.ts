/** Runs an operation for a session: authorizes once, then hands over. */
import { authorize } from '../session/authorize.ts';
import type { Session } from '../session/session.ts';
import type { AnyOperation } from './define-operation.ts';

export function dispatch(operation: AnyOperation, session: Session, input: unknown): Promise<unknown> {
  authorize(session, operation.name, operation.capability);
  return operation.handler(session, input);
}
