/** `confirm`: Takes a world that was open during a crash as it is. */
import type { OnBranch, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const confirmOperation = defineOperation<OnBranch, WorldView>({
  name: 'confirm',
  summary: 'Takes a world that was open during a crash as it is.',
  input: s.input({ branch: s.requiredBranch }),
  output: s.world,
  capability: 'write_own',
  effect: 'append',
  errors: ['53100'],
  examples: [{ input: { branch: 'draft' } }],
  handler: (session, input) => session.commands.confirm(input),
});
