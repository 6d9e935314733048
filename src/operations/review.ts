/** `review`: Decides a held merge: `approve` merges it as it was held, `reject` keeps it unmerged, `pass` leaves it to a person. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['review'];

export const reviewOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'review',
  summary: 'Decides a held merge: `approve` merges it as it was held, `reject` keeps it unmerged, `pass` leaves it to a person.',
  input: s.input({
    branch: s.requiredBranch,
    verdict: Type.Union([Type.Literal('approve'), Type.Literal('reject'), Type.Literal('pass')]),
    reason: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
  output: Type.Object({ ok: s.ok, merged: Type.Optional(s.count) }),
  capability: 'read',
  effect: 'append',
  errors: ['23514', '40001', '42501', '55000', 'SV409'],
  examples: [{ input: { branch: 'draft', verdict: 'approve' }, output: { ok: true, merged: 3 } }],
  handler: (session, input) => session.commands.review(input),
});
