/** `discard`: Drops a world; with `cascade` also every world forked from it. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { discardWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.requiredBranch, cascade: Type.Optional(Type.Boolean()) });
export type DiscardInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, discarded: Type.Optional(Type.Array(Type.String())) });
export type DiscardReply = Static<typeof output>;

export const discardOperation = defineOperation({
  name: 'discard',
  summary: 'Drops a world; with `cascade` also every world forked from it.',
  input,
  output,
  capability: 'write_own',
  effect: 'write',
  errors: ['2BP01', '53100'],
  examples: [{ input: { branch: 'draft' }, output: { ok: true } }],
  mcp: {
    title: 'Discard a world',
    description: 'Throws a world away; with cascade its forks too.',
    words: { branch: '' },
    destructive: true,
    text: ({ discarded }, { given: { branch } }) => `discarded ${(discarded ?? [branch]).join(', ')}`,
  },
  run: ({ services, input, by }) => discardWorld(services.context, input, by),
});
