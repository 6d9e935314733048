/** `outbox`: What waits in `main`'s outbox, without claiming it. */
import Type, { type Static } from 'typebox';
import { listOutbox } from '../governance/outbox.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  channel: Type.Optional(Type.String({ minLength: 1, description: 'Default: all.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 100.' })),
  at: s.asOf,
});
export type OutboxInput = Static<typeof input>;
const output = Type.Object({ effects: Type.Array(s.waitingEffect), total: s.count });
export type OutboxReply = Static<typeof output>;

export const outboxOperation = defineOperation({
  name: 'outbox',
  summary: "What waits in `main`'s outbox, in order per channel, without claiming it.",
  description:
    '`attempts` counts the claims; `until` is when an effect that is claimed or waits for a retry may be claimed next, null where that is now. `last_error` is what `retry_outbox` was given last. `total` is of all channels.',
  input,
  output,
  capability: 'outbox',
  needs: { what: 'outbox' },
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: {}, output: { effects: [], total: 0 } }],
  run: async ({ services, input: given }) => listOutbox(services.context, given),
});
