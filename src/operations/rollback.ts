/** `rollback`: Puts a world back to a checkpoint. */
import Type from 'typebox';
import type { OnBranch } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type RollbackInput = OnBranch & { checkpoint: string };

export const rollbackOperation = defineOperation<RollbackInput, { ok: true; restored: number }>({
  name: 'rollback',
  summary: 'Puts a world back to a checkpoint.',
  input: s.input({ branch: s.branchToChange, checkpoint: Type.String({ minLength: 1 }) }),
  output: Type.Object({ ok: s.ok, restored: s.count }),
  capability: 'write_own',
  effect: 'append',
  errors: ['42704', '53100'],
  examples: [{ input: { branch: 'draft', checkpoint: 'before-cleanup' } }],
  handler: (session, input) => session.commands.rollback(input),
});
