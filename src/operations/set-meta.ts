/** `set_meta`: Changes the metadata of a world; null removes a key. */
import type { SetMetaInput, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const setMetaOperation = defineOperation<SetMetaInput, WorldView>({
  name: 'set_meta',
  summary: 'Changes the metadata of a world; null removes a key.',
  input: s.input({ branch: s.branchToChange, meta: s.meta }),
  output: s.world,
  capability: 'write_own',
  effect: 'append',
  errors: ['53100', '54000'],
  examples: [{ input: { branch: 'draft', meta: { intent: 'clean up', old: null } } }],
  handler: (session, input) => session.commands.set_meta(input),
});
