/** Who is asking, and through what they act. One is made for each request or connection. */
import type { Actor, AllCommands } from '../commands/contract.ts';

/** The database's own user may everything; agents and the guest come with the identity layer. */
export type Principal = { kind: 'owner' };

export interface Session {
  readonly principal: Principal;
  readonly actor: Actor;
  readonly commands: AllCommands;
}

export function ownerSession(commands: AllCommands): Session {
  return { principal: { kind: 'owner' }, actor: { name: '' }, commands };
}
