/** `refresh_attachment`: Reads the attached tables of Postgres again, and takes rows that differ into main. */
import Type, { type Static } from 'typebox';
import { refreshAttachment } from '../commands/attachment.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({});
export type RefreshAttachmentInput = Static<typeof input>;
const output = Type.Object({
  ok: s.ok,
  tables: Type.Array(Type.Object({ table: Type.String(), inserted: s.count, updated: s.count, deleted: s.count })),
});
export type RefreshAttachmentReply = Static<typeof output>;

export const refreshAttachmentOperation = defineOperation({
  name: 'refresh_attachment',
  summary: 'Reads the attached tables of Postgres again, and takes rows that differ into main.',
  description: 'Open worlds keep their rows; what both changed is a conflict of their rebase or merge. Masked columns stay as they are.',
  input,
  output,
  capability: 'admin',
  effect: 'grow',
  errors: ['08001', '08006', '08007', '40001', '53100', '55000'],
  examples: [{ input: {} }],
  long: true,
  run: ({ services, by, control }) => refreshAttachment(services.external, by, control),
});
