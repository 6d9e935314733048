/** `claim_outbox`: Takes effects of `main`'s outbox, in order per channel, for a while. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { claim } from '../governance/outbox.ts';

const input = s.input({
  channel: Type.Optional(Type.String({ minLength: 1, description: 'Default: all.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 10.' })),
  for_ms: Type.Optional(Type.Integer({ minimum: 0, description: "How long they are this worker's; default 60000. Then others may claim them." })),
});
export type ClaimOutboxInput = Static<typeof input>;
const output = Type.Object({ effects: Type.Array(s.claimedEffect) });
export type ClaimOutboxReply = Static<typeof output>;

export const claimOutboxOperation = defineOperation({
  name: 'claim_outbox',
  summary: "Takes effects of `main`'s outbox, in order per channel, for a while.",
  input,
  output,
  capability: 'outbox',
  effect: 'write',
  errors: [],
  examples: [{ input: { channel: 'mail', limit: 5 } }],
  sql: {
    result: [
      ['id', 'text'],
      ['channel', 'text'],
      ['payload', 'jsonb'],
      ['by', 'text'],
      ['queued', 'timestamptz'],
      ['attempts', 'int8'],
      ['until', 'timestamptz'],
    ],
  },
  run: ({ services, input, by }) => claim(services.context, input, by),
});
