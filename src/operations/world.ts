/** `world`: One world. */
import type { Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { viewWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange });
export type WorldInput = Static<typeof input>;
const output = s.world;

export const worldOperation = defineOperation({
  name: 'world',
  summary: 'One world.',
  description:
    'Within retention also one that was merged or discarded, with its meta: then `state`, `ended` and, where it was merged, `into` say what became of it.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: { branch: 'draft' } }],
  run: ({ services, input }) => viewWorld(services.context, input),
});
