/** `retry_outbox`: Releases a claimed effect, to be retried after a delay. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { LIMITS } from '../base/limits.ts';
import { handle } from '../governance/outbox.ts';

const input = s.input({
  id: Type.String({ minLength: 1 }),
  after_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })),
  error: Type.Optional(
    Type.String({ minLength: 1, maxLength: LIMITS.outboxErrorMax, description: 'Why the attempt failed: `outbox` shows it as `last_error`.' }),
  ),
});
export type RetryOutboxInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type RetryOutboxReply = Static<typeof output>;

export const retryOutboxOperation = defineOperation({
  name: 'retry_outbox',
  summary: 'Gives a claimed effect back, to be tried again after a while.',
  input,
  output,
  capability: 'outbox',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { id: 'e0006431f0c5d2a04f1a2b3c4', after_ms: 30_000, error: 'mail server answered 451' } }],
  run: ({ services, input, by }) => handle(services.context, 'retry', input, by),
});
