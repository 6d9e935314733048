/** `drop_reader`: Forgets a registered reader. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['drop_reader'];

export const dropReaderOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'drop_reader',
  summary: 'Forgets a registered reader.',
  input: s.input({ name: s.ruleName }),
  output: Type.Object({ ok: s.ok }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { name: 'sales_dashboard' } }],
  handler: (session, input) => session.commands.drop_reader(input),
});
