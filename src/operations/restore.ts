/** `restore`: Puts a world back to a past moment or a checkpoint, as one ordinary write. */
import Type from 'typebox';
import type { RestoreInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const restoreOperation = defineOperation<RestoreInput, { ok: true; restored: number }>({
  name: 'restore',
  summary: 'Puts a world back to a past moment or a checkpoint, as one ordinary write.',
  input: s.input({ branch: s.branchToChange, at: Type.Optional(s.moment), checkpoint: Type.Optional(Type.String({ minLength: 1 })) }),
  output: Type.Object({ ok: s.ok, restored: s.count }),
  capability: 'restore',
  effect: 'append',
  errors: ['22007', '42704', '53100'],
  examples: [{ input: { branch: 'draft', at: '-10m' } }, { input: { branch: 'draft', checkpoint: 'before-cleanup' } }],
  handler: (session, input) => session.commands.restore(input),
});
