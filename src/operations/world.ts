/** `world`: One world. */
import type { OnBranch, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const worldOperation = defineOperation<OnBranch, WorldView>({
  name: 'world',
  summary: 'One world.',
  description:
    'Within retention also one that was merged or discarded, with its meta: then `state`, `ended` and, where it was merged, `into` say what became of it.',
  input: s.input({ branch: s.branchToChange }),
  output: s.world,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: { branch: 'draft' } }],
  handler: (session, input) => session.commands.world(input),
});
