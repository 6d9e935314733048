/** All commands as one principal may call them: what is passed for the principal is always this one. */
import type { Principal } from '../session/principal.ts';
import type { AllCommands } from './contract.ts';

export function boundTo(commands: AllCommands, principal: Principal): AllCommands {
  const out = {} as Record<string, unknown>;
  for (const [name, command] of Object.entries(commands)) {
    out[name] = (input: unknown, _by: unknown, ...rest: unknown[]) =>
      (command as (input: unknown, by: Principal, ...rest: unknown[]) => unknown)(input, principal, ...rest);
  }
  return out as unknown as AllCommands;
}
