/** `merge`: Merges a world into its parent; the world is gone unless the merge is partial. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { conflictRefusal } from './text/conflicts.ts';
import { mergedText, previewText } from './text/merge.ts';
import { mergeWorld } from '../commands/merge.ts';
import { previewMerge } from '../commands/preview-merge.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.requiredBranch,
  resolve: s.resolve,
  version: Type.Optional(s.version),
  confirm: Type.Optional(Type.Boolean({ description: 'Take a crash-flagged branch as it is.' })),
  columns: Type.Optional(Type.Boolean({ description: 'Only a column that both sides changed conflicts.' })),
  strict: s.strict,
  picks: s.picks,
  only_tables: Type.Optional(Type.Array(s.table, { minItems: 1 })),
  only_keys: Type.Optional(Type.Array(s.key, { minItems: 1 })),
  into: Type.Optional(Type.String({ minLength: 1, description: 'Another world to merge into; the branch stays.' })),
  target: Type.Optional(Type.Integer({ minimum: 0, description: 'Version of the world merged into, from a dry run.' })),
  dry_run: Type.Optional(Type.Boolean()),
  confirm_deletes: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows the merge deletes, where a policy asks for the count.' })),
  diff: s.seenDiff,
  hash: Type.Optional(
    Type.Boolean({ description: 'With `dry_run`: also `diff`, the hash of what the merge changes. A merge or an approval that sends it merges nothing else.' }),
  ),
  count: Type.Optional(Type.Boolean({ description: 'With `dry_run`: counts, without `rows`.' })),
  held: Type.Optional(Type.Boolean({ description: 'With `dry_run`: the merge that is held for review, with its fields.' })),
});
export type MergeInput = Static<typeof input>;
const merged = Type.Object({ merged: s.count, converged: Type.Optional(s.count), version: Type.Optional(s.version) });
export type MergeReply = Static<typeof merged>;
const previewRow = Type.Object({
  key: s.key,
  /** `keep`: resolved as ours. `converged`: changed alike on both sides. */
  outcome: Type.Union([
    Type.Literal('insert'),
    Type.Literal('update'),
    Type.Literal('delete'),
    Type.Literal('conflict'),
    Type.Literal('keep'),
    Type.Literal('converged'),
  ]),
  detail: Type.String(),
  delete: Type.Boolean(),
  base: s.recordOrNull,
  ours: s.recordOrNull,
  theirs: s.recordOrNull,
  result: s.recordOrNull,
});
export type PreviewRow = Static<typeof previewRow>;
/** Of an attached Postgres: what it says of the merge, or of its undo, from a transaction that was rolled back. */
export const postgresPreview = Type.Object({
  source: Type.String({ description: 'Host, port and database.' }),
  at: Type.String({ format: 'date-time' }),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  triggers: Type.Array(Type.Object({ table: Type.String(), name: Type.String(), event: Type.String() })),
  summary: s.summary,
  /** `changed`: otherwise in Postgres since it was copied; else made otherwise by its triggers. */
  rows: Type.Array(Type.Object({ key: s.key, changed: Type.Boolean(), postgres: s.recordOrNull })),
});
const preview = Type.Object({
  rows: Type.Array(previewRow),
  summary: s.summary,
  conflicts: Type.Array(s.conflict),
  blocked: Type.Array(Type.Object({ rule: Type.String(), message: Type.String() })),
  definitions: Type.Optional(s.definitions),
  converged: Type.Optional(s.count),
  readers: s.readersOf,
  coverage: s.coverage,
  version: s.version,
  target: s.version,
  postgres: Type.Optional(postgresPreview),
  confirm_deletes: Type.Optional(Type.Object({ deletes: s.count, over: s.count, policy: Type.String() })),
  diff: s.seenDiff,
});
export type MergePreview = Static<typeof preview>;
const output = Type.Union([merged, preview]);

/** Names of the tools for models. */
export const MERGE_ALIASES = { by_columns: 'columns', rows: 'picks' } as const;
export interface MergeAliases {
  by_columns?: MergeInput['columns'];
  rows?: MergeInput['picks'];
}
export const MERGE_WORDS = {
  branch: '',
  by_columns: 'Only a column that both sides changed conflicts.',
  strict: 'What both sides changed alike conflicts, too: for balances and counts.',
  rows: 'How single rows end: "table/id" → ours, theirs, delete, or the row.',
  resolve: 'Conflicts: fail (default), ours (the world merged into) or theirs (the branch).',
  version: 'Merge only if the branch is still at it.',
};
const WORDS = { ...MERGE_WORDS, only_tables: '', only_keys: 'table/id', into: '' };
export const MERGE_SHOWN = { rows: Type.Object({}) };
const PARTS = ['branch', 'into', 'only_tables', 'only_keys', 'by_columns', 'strict', 'rows', 'resolve', 'version'];

export const mergeOperation = defineOperation({
  name: 'merge',
  summary: 'Merges a world into its parent; the world is gone unless the merge is partial.',
  description: '`ours` is the world merged into, `theirs` the branch. With `dry_run` nothing changes and the reply shows each row.',
  input,
  output,
  fieldAliases: MERGE_ALIASES,
  capability: 'merge_own',
  effect: 'write',
  effectOf: ({ dry_run }) => (dry_run === true ? 'read' : 'write'),
  mask: masked.merge,
  errors: [
    '08001',
    '08006',
    '08007',
    '0A000',
    '23503',
    '23505',
    '23514',
    '2BP01',
    '40001',
    '42501',
    '42P01',
    '53100',
    '54000',
    '55000',
    '55P03',
    '57014',
    'SV409',
  ],
  examples: [{ input: { branch: 'draft', version: 3 }, output: { merged: 2 } }, { input: { branch: 'draft', dry_run: true } }],
  long: true,
  sql: {
    result: [
      ['merged', 'int8'],
      ['version', 'int8'],
    ],
    dryRun: [
      ['key', 'text'],
      ['outcome', 'text'],
      ['detail', 'text'],
      ['delete', 'bool'],
      ['base', 'jsonb'],
      ['ours', 'jsonb'],
      ['theirs', 'jsonb'],
      ['result', 'jsonb'],
    ],
  },
  mcp: [
    {
      title: 'Merge a world',
      description:
        'Applies what a branch changed to its parent; the branch is gone then. Give the version that diff showed. A policy may hold it for a person.',
      fields: [...PARTS, 'confirm', 'target', 'confirm_deletes'],
      words: { ...WORDS, confirm: 'Take a world that was open during a crash as it is.', target: '', confirm_deletes: '' },
      shown: MERGE_SHOWN,
      fixed: { dry_run: false },
      destructive: true,
      asked: plainConfirm,
      text: (reply) => mergedText(reply as MergeReply),
      refusal: conflictRefusal('Look with merge_preview.'),
    },
    {
      name: 'merge_preview',
      title: 'Preview a merge',
      description: 'What a merge would do, row by row, with conflicts and what blocks it; changes nothing.',
      fields: PARTS,
      words: WORDS,
      shown: MERGE_SHOWN,
      fixed: { dry_run: true },
      page: { limit: 20, offset: true },
      text: (reply, call) => previewText(reply as MergePreview, call),
    },
  ],
  run: ({ services, input: given, by, control }) => {
    const input = withDeletes(given.held === true ? services.governance.asHeld(given) : given);
    return input.dry_run === true
      ? previewMerge(services.context, input, by, services.guard, control)
      : mergeWorld(services.context, input, by, services.guard, false, control);
  },
});

/** For a model `confirm` is of plain merges: one that says what it merges has looked. */
function plainConfirm({ confirm, ...given }: MergeInput): MergeInput {
  const { into, only_tables, only_keys, columns, picks, version } = given;
  const isPlain = into ?? only_tables ?? only_keys ?? picks ?? version;
  return confirm === true && isPlain === undefined && columns !== true ? { ...given, confirm } : given;
}

/** `delete` is another word for null. */
export function withDeletes<Input extends { picks?: MergeInput['picks'] }>(input: Input): Input {
  if (input.picks === undefined || !Object.values(input.picks).includes('delete')) return input;
  return { ...input, picks: Object.fromEntries(Object.entries(input.picks).map(([key, pick]) => [key, pick === 'delete' ? null : pick])) };
}
