/** The database that this process has open. */
import type { AllCommands } from '../commands/contract.ts';
import { call } from '../operations/session.ts';
import { OWNER, type Principal } from '../session/principal.ts';
import type { Caller, StudioLink } from './link.ts';

export interface LocalDatabase {
  commandsOf(principal: Principal): AllCommands;
  /** 28P01 if the role is gone, 28000 if it may not log in. */
  roleNamed(name: string): Principal;
}

export function localLink({ commandsOf, roleNamed }: LocalDatabase): StudioLink {
  const callerOf = (principal: Principal): Caller => {
    const session = { principal, commands: commandsOf(principal) };
    return { call: (operation, input, control) => call(session, operation, input, control) };
  };
  const owner = callerOf(OWNER);
  return {
    as: async (who) => (who.kind === 'owner' ? owner : callerOf(roleNamed(who.name))),
    close: async () => {},
  };
}
