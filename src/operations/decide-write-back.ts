/** `decide_write_back`: A person says what became of a transaction that Postgres does not know. */
import Type, { type Static } from 'typebox';
import { decideWriteBack } from '../commands/attachment.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  xid: Type.String({ minLength: 1, description: 'From `attachment`.' }),
  outcome: Type.Union([Type.Literal('committed'), Type.Literal('aborted')], { description: '`committed`: Postgres has the rows; `aborted`: it has not.' }),
});
export type DecideWriteBackInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, outcome: Type.Union([Type.Literal('committed'), Type.Literal('aborted')]) });
export type DecideWriteBackReply = Static<typeof output>;

export const decideWriteBackOperation = defineOperation({
  name: 'decide_write_back',
  summary: 'Says what became of a merge in Postgres, where Postgres does not know.',
  description:
    'After a restored backup or a promoted standby. `attachment` shows the rows of both cases; compare them with Postgres first, and refresh afterwards.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['55000'],
  examples: [{ input: { xid: '731', outcome: 'aborted' } }],
  run: ({ services, input: given, by }) => decideWriteBack(services.external, given, by),
});
