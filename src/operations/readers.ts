/** `readers`: Lists registered readers: dashboards and services outside that read tables. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['readers'];

export const readersOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'readers',
  summary: 'Lists registered readers: dashboards and services outside that read tables.',
  input: s.input({}),
  output: Type.Object({ readers: Type.Array(s.reader) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session, input) => session.commands.readers(input),
});
