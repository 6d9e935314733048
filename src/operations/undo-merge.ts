/** `undo_merge`: Undoes the latest merge of a world; works by its name after it is gone. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { undoMerge } from '../commands/merge.ts';

const input = s.input({ branch: s.requiredBranch, skip_changed: Type.Optional(Type.Boolean({ description: 'Leave rows that changed since as they are.' })) });
export type UndoMergeInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, parent: Type.String(), at: Type.String({ format: 'date-time' }), undone: s.count, skipped: s.count });
export type UndoMergeReply = Static<typeof output>;

export const undoMergeOperation = defineOperation({
  name: 'undo_merge',
  summary: 'Undoes the latest merge of a world; works by its name after it is gone.',
  input,
  output,
  capability: 'restore',
  also: 'merge',
  effect: 'grow',
  errors: ['08001', '08006', '08007', '2BP01', '40001', '42710', '53100', '55000'],
  examples: [{ input: { branch: 'draft' } }],
  long: true,
  sql: {
    result: [
      ['parent', 'text'],
      ['at', 'timestamptz'],
      ['undone', 'int8'],
      ['skipped', 'int8'],
    ],
  },
  mcp: {
    title: 'Undo a merge',
    description: 'Puts the rows back that a merged world changed; its name still works.',
    words: { branch: '', skip_changed: 'Leave rows alone that changed since.' },
    destructive: true,
    text: ({ parent, undone, skipped }) => `undone in ${parent}: ${undone} rows put back, ${skipped} left alone`,
  },
  run: ({ services, input, by, control }) => undoMerge(services.context, input, by, control),
});
