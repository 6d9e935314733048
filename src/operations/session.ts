/** A principal and the commands bound to it. One is created per principal. */
import type { AllCommands, RunControl } from '../commands/contract.ts';
import type { Principal } from '../session/principal.ts';
import type { AnyOperation } from './define-operation.ts';

export interface Session {
  readonly principal: Principal;
  /** Bound to the principal: each command checks its rights, so that no handler can forget. */
  readonly commands: AllCommands;
}

type Method = (input: unknown, control?: RunControl) => Promise<unknown>;

export function call({ commands }: Session, { name }: AnyOperation, input: unknown, control?: RunControl): Promise<unknown> {
  return (commands as unknown as Record<string, Method>)[name](input, control);
}
