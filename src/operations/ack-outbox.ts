/** `ack_outbox`: Says that an effect was carried out; it leaves the outbox. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['ack_outbox'];

export const ackOutboxOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'ack_outbox',
  summary: 'Says that an effect was carried out; it leaves the outbox.',
  input: s.input({ id: Type.String({ minLength: 1 }) }),
  output: Type.Object({ ok: s.ok }),
  capability: 'outbox',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { id: 'e0006431f0c5d2a04f1a2b3c4' } }],
  handler: (session, input) => session.commands.ack_outbox(input),
});
