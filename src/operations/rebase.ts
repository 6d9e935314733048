/** `rebase`: Moves the fork point of a world to its parent's current state. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { rebaseWorld } from '../commands/merge.ts';
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
  run: ({ services, input, by, control }) => rebaseWorld(services.context, input, by, services.guard, control),
});
