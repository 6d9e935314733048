/** Who asks, and the commands as they may be asked by them. One is made for each principal. */
import type { AllCommands } from '../commands/contract.ts';
import type { Principal } from '../session/principal.ts';

export interface Session {
  readonly principal: Principal;
  /** Bound to the principal: what it may is checked by each of them, so that no handler can forget. */
  readonly commands: AllCommands;
}
