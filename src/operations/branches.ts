/** `branches`: All open worlds. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import type { ModelCall } from './model-tool.ts';
import { textTable } from './text/table.ts';
import { listWorlds } from '../commands/list-worlds.ts';

const input = s.input({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.worldsLimitMax, description: 'At most this many; default: all.' })),
  after: Type.Optional(Type.String({ minLength: 1, description: 'Only worlds younger than this one: the `next` of the page before, a name or an id.' })),
  prefix: Type.Optional(Type.String({ description: 'Only worlds whose names begin so.' })),
  at: s.asOf,
});
export type BranchesInput = Static<typeof input>;
const output = Type.Object({ branches: Type.Array(s.world), next: Type.Optional(s.textOrNull) });
export type BranchesReply = Static<typeof output>;

export const branchesOperation = defineOperation({
  name: 'branches',
  aliases: ['worlds'],
  summary: 'Open worlds, oldest first: all of them, or page by page.',
  description:
    'With `limit` the reply has `next`: send it as `after` for the page that follows; null on the last one. Worlds that come or go while a long list is made may be in it or not. With `at`: the worlds that were open then, as they were.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: {} }, { input: { limit: 100, prefix: 'draft' } }, { input: { at: '-10m' } }],
  mcp: {
    title: 'List worlds',
    description: 'Open worlds, oldest first; `after` gets the next page.',
    fields: ['limit', 'after', 'prefix', 'at'],
    words: {
      limit: 'Default 200.',
      after: 'Only worlds younger than this.',
      prefix: 'Only names that begin so.',
      at: 'As of -10m or #42.',
    },
    page: { offset: true },
    asked: ({ limit = 200, ...rest }, { offset }) => ({ ...rest, limit: offset + limit }),
    text: worldsText,
  },
  run: ({ services, input }) => listWorlds(services.context, input),
});

function worldsText({ branches, next }: BranchesReply, { given: { after }, page: { offset, room } }: ModelCall<BranchesInput, BranchesReply>): string {
  const list = branches.slice(offset);
  return textTable(
    ['name', 'id', 'parent', 'version', 'owner', 'active', 'flagged', 'pending', 'meta'],
    list.map((world) => [
      world.name,
      world.id,
      world.parent ?? undefined,
      world.version,
      world.owner ?? undefined,
      world.active,
      world.flagged ? 'yes' : undefined,
      world.pending,
      Object.keys(world.meta).length === 0 ? undefined : world.meta,
    ]),
    { more: (shown) => `call again with after ${list[shown - 1]?.id ?? after ?? ''}`, room, ...(typeof next === 'string' ? { total: 'open' } : {}) },
  );
}
