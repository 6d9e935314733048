/** `undo_merge`: Undoes the latest merge of a world; works by its name after it is gone. */
import Type, { type Static } from 'typebox';
import { countedRows } from '../base/counted-rows.ts';
import { defineOperation } from './define-operation.ts';
import { postgresPreview } from './merge.ts';
import * as s from './schemas.ts';
import { postgresText } from './text/merge.ts';
import { undoMerge } from '../commands/undo-merge.ts';

const input = s.input({
  branch: s.requiredBranch,
  skip_changed: Type.Optional(Type.Boolean({ description: 'Leave rows that changed since as they are.' })),
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'Change nothing; the reply also has `summary` and the first `keys` of what would go back, and `postgres` where tables are attached: what it would do with them.',
    }),
  ),
});
export type UndoMergeInput = Static<typeof input>;
const output = Type.Object({
  ok: s.ok,
  parent: Type.String(),
  at: Type.String({ format: 'date-time' }),
  undone: s.count,
  skipped: s.count,
  summary: Type.Optional(s.summary),
  keys: Type.Optional(Type.Array(s.key)),
  postgres: Type.Optional(postgresPreview),
});
export type UndoMergeReply = Static<typeof output>;

/** Rows that the text for a model names. */
const KEYS_IN_TEXT = 50;

export const undoMergeOperation = defineOperation({
  name: 'undo_merge',
  summary: 'Undoes the latest merge of a world; works by its name after it is gone.',
  input,
  output,
  capability: 'restore',
  also: 'merge',
  effect: 'grow',
  effectOf: ({ dry_run }) => (dry_run === true ? 'read' : 'grow'),
  errors: ['08001', '08006', '08007', '2BP01', '40001', '42710', '53100', '55000'],
  examples: [{ input: { branch: 'draft' } }, { input: { branch: 'draft', dry_run: true } }],
  long: true,
  sql: {
    result: [
      ['parent', 'text'],
      ['at', 'timestamptz'],
      ['undone', 'int8'],
      ['skipped', 'int8'],
    ],
    dryRun: [...s.UNDO_DRY_RUN, ['postgres', 'jsonb']],
  },
  mcp: {
    title: 'Undo a merge',
    description: 'Puts the rows back that a merged world changed; its name still works.',
    words: { branch: '', skip_changed: 'Leave rows alone that changed since.', dry_run: 'Change nothing, and list what would go back.' },
    destructive: true,
    text: ({ parent, undone, skipped, summary, keys, postgres }) =>
      summary === undefined
        ? `undone in ${parent}: ${undone} rows put back, ${skipped} left alone`
        : [
            `would be undone in ${parent}: ${undone} rows put back, ${skipped} left alone; nothing has changed`,
            ...summary.map(countedRows),
            ...(postgres === undefined ? [] : [postgresText(postgres)]),
            ...(keys ?? []).slice(0, KEYS_IN_TEXT),
            ...((keys?.length ?? 0) > KEYS_IN_TEXT ? [`and ${undone - KEYS_IN_TEXT} more`] : []),
          ].join('\n'),
  },
  run: ({ services, input, by, control }) => undoMerge(services.context, input, by, control),
});
