/** `drop_reader`: Forgets a registered reader. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({ name: s.ruleName });
export type DropReaderInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type DropReaderReply = Static<typeof output>;

export const dropReaderOperation = defineOperation({
  name: 'drop_reader',
  summary: 'Forgets a registered reader.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { name: 'sales_dashboard' } }],
  run: ({ services, input, by }) => services.governance.dropReader(input, by),
});
