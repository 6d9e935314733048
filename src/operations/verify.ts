/** `verify`: Re-reads every page and every record of the log. */
import Type from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const verifyOperation = defineOperation<object, { pages: number; bytes: number; log_records: number }>({
  name: 'verify',
  summary: 'Re-reads every page and every record of the log, and names what is damaged.',
  input: s.input({}),
  output: Type.Object({ pages: s.count, bytes: s.count, log_records: s.count }),
  capability: 'admin',
  effect: 'read',
  errors: ['XX001'],
  examples: [{ input: {} }],
  long: true,
  handler: (session, _input, control) => session.commands.verify(undefined, undefined, control),
});
