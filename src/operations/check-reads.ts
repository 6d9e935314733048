/** `check_reads`: Whether what a world relies on changed in its parent since. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['check_reads'];

export const checkReadsOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'check_reads',
  summary: 'Whether what a world relies on changed in its parent since.',
  input: s.input({ branch: s.requiredBranch }),
  output: Type.Object({
    branch: Type.String(),
    stale: Type.Boolean(),
    changed: Type.Array(Type.Object({ checked_against: Type.String(), changed: Type.Array(Type.String()) })),
  }),
  capability: 'read',
  effect: 'read',
  errors: ['55000'],
  examples: [{ input: { branch: 'draft' }, output: { branch: 'draft', stale: true, changed: [{ checked_against: 'main', changed: ['orders/5'] }] } }],
  handler: (session, input) => session.commands.check_reads(input),
});
