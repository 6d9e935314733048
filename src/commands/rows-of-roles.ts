/**
 * Roles of SQL read and write rows by SQL alone, where their privileges and the policies of tables are asked. Row operations and
 * comparisons of worlds know neither, so they are refused to every role that is no superuser.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { describe, type Principal } from '../session/principal.ts';
import type { AllCommands } from './contract.ts';

const OF_ROWS = ['get', 'find', 'put', 'delete', 'batch', 'diff', 'check_reads'] as const satisfies readonly (keyof AllCommands)[];

export function withoutRows(commands: AllCommands, principal: Principal): AllCommands {
  if (principal.kind !== 'role' || principal.superuser) return commands;
  const refuse = (): Promise<never> =>
    Promise.reject(
      new SvcError('42501', `permission denied: ${describe(principal)} reads and writes rows by SQL`, { hint: 'Policies and privileges are asked there.' }),
    );
  return {
    ...commands,
    ...Object.fromEntries(OF_ROWS.map((name) => [name, refuse])),
    // Definitions, and what happened in a world, are no rows.
    history: (input, by, control) => (input.table === undefined && input.id === undefined ? commands.history(input, by, control) : refuse()),
  };
}
