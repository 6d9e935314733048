/** `claim_outbox`: Takes effects of `main`'s outbox, in order per channel, for a while. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['claim_outbox'];

export const claimOutboxOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'claim_outbox',
  summary: "Takes effects of `main`'s outbox, in order per channel, for a while.",
  input: s.input({
    channel: Type.Optional(Type.String({ minLength: 1, description: 'Default: all.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 10.' })),
    for_ms: Type.Optional(Type.Integer({ minimum: 0, description: "How long they are this worker's; default 60000. Then others may claim them." })),
  }),
  output: Type.Object({ effects: Type.Array(s.claimedEffect) }),
  capability: 'outbox',
  effect: 'append',
  errors: [],
  examples: [{ input: { channel: 'mail', limit: 5 } }],
  handler: (session, input) => session.commands.claim_outbox(input),
});
