/** `ack_outbox`: Says that an effect was carried out; it leaves the outbox. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { handle } from '../governance/outbox.ts';

const input = s.input({ id: Type.String({ minLength: 1 }) });
export type AckOutboxInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type AckOutboxReply = Static<typeof output>;

export const ackOutboxOperation = defineOperation({
  name: 'ack_outbox',
  summary: 'Says that an effect was carried out; it leaves the outbox.',
  input,
  output,
  capability: 'outbox',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { id: 'e0006431f0c5d2a04f1a2b3c4' } }],
  run: ({ services, input, by }) => handle(services.context, 'ack', input, by),
});
