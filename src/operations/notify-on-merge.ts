/** `notify_on_merge`: Queues an effect in a branch; its merge into `main` sends it to the outbox. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['notify_on_merge'];

export const notifyOnMergeOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'notify_on_merge',
  summary: 'Queues an effect in a branch; its merge into `main` sends it to the outbox.',
  input: s.input({
    branch: s.requiredBranch,
    channel: Type.String({ minLength: 1 }),
    payload: Type.Optional(Type.Unknown({ description: 'Any JSON; default null.' })),
  }),
  output: Type.Object({ ok: s.ok, id: Type.String(), version: s.version }),
  capability: 'write_own',
  effect: 'append',
  errors: ['54000', '55000'],
  examples: [{ input: { branch: 'draft', channel: 'mail', payload: { to: 'ann', text: 'shipped' } } }],
  handler: (session, input) => session.commands.notify_on_merge(input),
});
