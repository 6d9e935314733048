/** `checkpoint`: Names the state of a world, to restore it later. */
import Type from 'typebox';
import type { OnBranch } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type CheckpointInput = OnBranch & { name: string };

export const checkpointOperation = defineOperation<CheckpointInput, { ok: true; at: string }>({
  name: 'checkpoint',
  summary: 'Names the state of a world, to restore it later.',
  input: s.input({ branch: s.branchToChange, name: Type.String({ minLength: 1, pattern: '^\\S+$' }) }),
  output: Type.Object({ ok: s.ok, at: Type.String({ format: 'date-time' }) }),
  capability: 'write_own',
  effect: 'append',
  errors: ['42710', '53100'],
  examples: [{ input: { branch: 'draft', name: 'before-cleanup' } }],
  handler: (session, input) => session.commands.checkpoint(input),
});
