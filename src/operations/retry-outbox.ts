/** `retry_outbox`: Gives a claimed effect back, to be tried again after a while. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['retry_outbox'];

export const retryOutboxOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'retry_outbox',
  summary: 'Gives a claimed effect back, to be tried again after a while.',
  input: s.input({ id: Type.String({ minLength: 1 }), after_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })) }),
  output: Type.Object({ ok: s.ok }),
  capability: 'outbox',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { id: 'e0006431f0c5d2a04f1a2b3c4', after_ms: 30_000 } }],
  handler: (session, input) => session.commands.retry_outbox(input),
});
