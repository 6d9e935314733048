/** `rebase`: Moves the fork point of a world to its parent's current state. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { MERGE_ALIASES, MERGE_SHOWN, MERGE_WORDS, withDeletes } from './merge.ts';
import { conflictRefusal } from './text/conflicts.ts';
import { rebaseWorld } from '../commands/rebase.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.requiredBranch,
  columns: Type.Optional(Type.Boolean()),
  strict: s.strict,
  picks: s.picks,
  resolve: s.resolve,
  version: Type.Optional(s.version),
});
export type RebaseInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, rebased: s.count, version: s.version });
export type RebaseReply = Static<typeof output>;

export const rebaseOperation = defineOperation({
  name: 'rebase',
  summary: 'Moves the fork point of a world to its parent as it is now.',
  input,
  output,
  fieldAliases: MERGE_ALIASES,
  capability: 'write_own',
  effect: 'write',
  mask: masked.merge,
  errors: ['40001', '53100', 'SV409'],
  examples: [{ input: { branch: 'draft' } }],
  long: true,
  sql: {
    result: [
      ['rebased', 'int8'],
      ['version', 'int8'],
    ],
  },
  mcp: {
    title: 'Rebase a world',
    description: "Moves a world's fork point to its parent as it is now, keeping its changes.",
    fields: ['branch', 'by_columns', 'strict', 'rows', 'resolve', 'version'],
    words: MERGE_WORDS,
    shown: MERGE_SHOWN,
    text: ({ rebased }) => `REBASE ${rebased}`,
    refusal: conflictRefusal('Look with merge_preview.'),
  },
  run: ({ services, input, by, control }) => rebaseWorld(services.context, withDeletes(input), by, services.guard, control),
});
