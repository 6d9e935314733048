/** `attachment`: What is attached of an external Postgres, and a merge whose fate there is open. */
import Type, { type Static } from 'typebox';
import { showAttachment } from '../commands/attachment.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({});
export type AttachmentInput = Static<typeof input>;
const moment = Type.String({ format: 'date-time' });
const pending = Type.Object({
  xid: Type.String({ description: 'Transaction id of Postgres.' }),
  branch: Type.String(),
  since: moment,
  by: Type.String(),
  rows: s.count,
  fate: Type.Union([Type.Literal('in progress'), Type.Literal('not known')]),
  reason: Type.Union([Type.String(), Type.Null()]),
  changes: Type.Array(Type.Object({ key: s.key, aborted: s.recordOrNull, committed: s.recordOrNull }), {
    description: 'Rows of main in either case, at most 100.',
  }),
});
const output = Type.Object({
  source: Type.Union([
    Type.Object({ system: Type.String(), timeline: Type.Integer(), database: Type.String(), lsn: Type.String(), read: moment }),
    Type.Null(),
  ]),
  tables: Type.Array(Type.Object({ table: Type.String(), of: Type.String(), masked: Type.Array(Type.String()) })),
  pending: Type.Union([pending, Type.Null()]),
});
export type AttachmentReply = Static<typeof output>;

export const attachmentOperation = defineOperation({
  name: 'attachment',
  summary: 'What is attached of an external Postgres, and a merge whose fate there is open.',
  description: 'Needs `admin`: it shows rows of any attached table. No address and no password is stored or shown.',
  input,
  output,
  capability: 'admin',
  needs: { what: 'admin', as: 'see the attachment' },
  effect: 'read',
  errors: [],
  examples: [{ input: {}, output: { source: null, tables: [], pending: null } }],
  run: ({ services }) => showAttachment(services.context, services.external),
});
