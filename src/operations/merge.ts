/** `merge`: Merges a world into its parent; the world is gone unless the merge is partial. */
import Type from 'typebox';
import type { MergeInput, MergePreview, MergeReply } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const mergeOperation = defineOperation<MergeInput, MergeReply | MergePreview>({
  name: 'merge',
  summary: 'Merges a world into its parent; the world is gone unless the merge is partial.',
  description: '`ours` is the world merged into, `theirs` the branch. With `dry_run` nothing changes and the reply shows each row.',
  input: s.input({
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
  }),
  output: Type.Object({
    merged: Type.Optional(s.count),
    converged: Type.Optional(s.count),
    version: Type.Optional(s.version),
    rows: Type.Optional(Type.Array(Type.Unknown())),
    summary: Type.Optional(s.summary),
    conflicts: Type.Optional(Type.Array(s.conflict)),
    blocked: Type.Optional(Type.Array(Type.Object({ rule: Type.String(), message: Type.String() }))),
    definitions: Type.Optional(s.definitions),
    readers: Type.Optional(s.readersOf),
    coverage: Type.Optional(s.coverage),
    confirm_deletes: Type.Optional(Type.Object({ deletes: s.count, over: s.count, policy: Type.String() })),
    target: Type.Optional(s.version),
  }),
  capability: 'merge_own',
  effect: 'append',
  errors: ['23514', '2BP01', '40001', '42501', '42P01', '53100', '55000', '57014', 'SV409'],
  examples: [{ input: { branch: 'draft', version: 3 }, output: { merged: 2 } }, { input: { branch: 'draft', dry_run: true } }],
  long: true,
  handler: (session, input, control) =>
    input.dry_run === true ? session.commands.preview(input, undefined, control) : session.commands.merge({ ...input, dry_run: false }, undefined, control),
});
