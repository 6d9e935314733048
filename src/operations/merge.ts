/** `merge`: Merges a world into its parent; the world is gone unless the merge is partial. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { mergeWorld, previewMerge } from '../commands/merge.ts';
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
  confirm_deletes: Type.Optional(Type.Object({ deletes: s.count, over: s.count, policy: Type.String() })),
});
export type MergePreview = Static<typeof preview>;
const output = Type.Union([merged, preview]);

export const mergeOperation = defineOperation({
  name: 'merge',
  summary: 'Merges a world into its parent; the world is gone unless the merge is partial.',
  description: '`ours` is the world merged into, `theirs` the branch. With `dry_run` nothing changes and the reply shows each row.',
  input,
  output,
  capability: 'merge_own',
  effect: 'write',
  effectOf: ({ dry_run }) => (dry_run === true ? 'read' : 'write'),
  mask: masked.merge,
  errors: ['23514', '2BP01', '40001', '42501', '42P01', '53100', '55000', '57014', 'SV409'],
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
  run: ({ services, input, by, control }) =>
    input.dry_run === true
      ? previewMerge(services.context, input, by, services.guard, control)
      : mergeWorld(services.context, input, by, services.guard, false, control),
});
