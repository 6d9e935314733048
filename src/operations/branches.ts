/** `branches`: All open worlds. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { listWorlds } from '../commands/list-worlds.ts';

const input = s.input({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.worldsLimitMax, description: 'At most this many; default: all.' })),
  after: Type.Optional(Type.String({ minLength: 1, description: 'Only worlds younger than this one: the `next` of the page before, a name or an id.' })),
  prefix: Type.Optional(Type.String({ description: 'Only worlds whose names begin so.' })),
});
export type BranchesInput = Static<typeof input>;
const output = Type.Object({ branches: Type.Array(s.world), next: Type.Optional(s.textOrNull) });
export type BranchesReply = Static<typeof output>;

export const branchesOperation = defineOperation({
  name: 'branches',
  aliases: ['worlds'],
  summary: 'Open worlds, oldest first: all of them, or page by page.',
  description:
    'With `limit` the reply has `next`: send it as `after` for the page that follows; null on the last one. Worlds that come or go while a long list is made may be in it or not.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }, { input: { limit: 100, prefix: 'draft' } }],
  run: ({ services, input }) => listWorlds(services.context, input),
});
