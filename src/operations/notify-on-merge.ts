/** `notify_on_merge`: Queues an effect in a branch; its merge into `main` sends it to the outbox. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import { plainJson } from './exact-input.ts';
import * as s from './schemas.ts';
import { notifyOnMerge } from '../governance/effects.ts';

const input = s.input({
  branch: s.requiredBranch,
  channel: Type.String({ minLength: 1 }),
  payload: Type.Optional(s.json({ description: 'Any JSON; default null.' })),
});
export type NotifyOnMergeInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, id: Type.String(), version: s.version });
export type NotifyOnMergeReply = Static<typeof output>;

export const notifyOnMergeOperation = defineOperation({
  name: 'notify_on_merge',
  summary: 'Queues an effect in a branch; its merge into `main` sends it to the outbox.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  errors: ['54000', '55000'],
  examples: [{ input: { branch: 'draft', channel: 'mail', payload: { to: 'ann', text: 'shipped' } } }],
  run: ({ services, input, by }) => notifyOnMerge(services.context, plainJson(input), by),
});
