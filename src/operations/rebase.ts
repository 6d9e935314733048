/** `rebase`: Moves the fork point of a world to its parent as it is now. */
import Type from 'typebox';
import type { RebaseInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const rebaseOperation = defineOperation<RebaseInput, { ok: true; rebased: number; version: number }>({
  name: 'rebase',
  summary: 'Moves the fork point of a world to its parent as it is now.',
  input: s.input({
    branch: s.requiredBranch,
    columns: Type.Optional(Type.Boolean()),
    strict: s.strict,
    picks: s.picks,
    resolve: s.resolve,
    version: Type.Optional(s.version),
  }),
  output: Type.Object({ ok: s.ok, rebased: s.count, version: s.version }),
  capability: 'write_own',
  effect: 'append',
  errors: ['40001', '53100', 'SV409'],
  examples: [{ input: { branch: 'draft' } }],
  long: true,
  handler: (session, input, control) => session.commands.rebase(input, undefined, control),
});
