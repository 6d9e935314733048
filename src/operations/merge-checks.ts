/** `merge_checks`: Lists merge checks: queries whose rows make a merge fail. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['merge_checks'];

export const mergeChecksOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'merge_checks',
  summary: 'Lists merge checks: queries whose rows make a merge fail.',
  input: s.input({}),
  output: Type.Object({ checks: Type.Array(s.mergeCheck) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session, input) => session.commands.merge_checks(input),
});
