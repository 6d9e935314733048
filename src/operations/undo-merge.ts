/** `undo_merge`: Takes back the latest merge of a world; its name works after it is gone. */
import Type from 'typebox';
import type { UndoMergeInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const undoMergeOperation = defineOperation<UndoMergeInput, { ok: true; parent: string; at: string; undone: number; skipped: number }>({
  name: 'undo_merge',
  summary: 'Takes back the latest merge of a world; its name works after it is gone.',
  input: s.input({ branch: s.requiredBranch, skip_changed: Type.Optional(Type.Boolean({ description: 'Leave rows that changed since as they are.' })) }),
  output: Type.Object({ ok: s.ok, parent: Type.String(), at: Type.String({ format: 'date-time' }), undone: s.count, skipped: s.count }),
  capability: 'restore',
  effect: 'append',
  errors: ['2BP01', '40001', '42710', '53100', '55000'],
  examples: [{ input: { branch: 'draft' } }],
  long: true,
  handler: (session, input, control) => session.commands.undo_merge(input, undefined, control),
});
