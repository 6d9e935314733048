/** `verify`: Re-reads every page and every record of the log. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({});
export type VerifyInput = Static<typeof input>;
const output = Type.Object({ pages: s.count, bytes: s.count, log_records: s.count });
export type VerifyReply = Static<typeof output>;

export const verifyOperation = defineOperation({
  name: 'verify',
  summary: 'Re-reads every page and every record of the log, and names what is damaged.',
  input,
  output,
  capability: 'admin',
  effect: 'read',
  gate: 'own',
  errors: ['XX001'],
  examples: [{ input: {} }],
  long: true,
  sql: {
    result: [
      ['pages', 'int8'],
      ['bytes', 'int8'],
      ['log_records', 'int8'],
    ],
  },
  run: ({ services, by, control }) => services.verify(by, control),
});
