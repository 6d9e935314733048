/** `keep`: Pins a world, or sets its time to live. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { keepWorld } from '../commands/keep.ts';

const input = s.input({
  branch: s.requiredBranch,
  pinned: Type.Optional(Type.Boolean()),
  ttl: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: "Milliseconds since its fork; null: its owner's `world_ttl`." })),
});
export type KeepInput = Static<typeof input>;
const output = s.world;

export const keepOperation = defineOperation({
  name: 'keep',
  summary: 'Pins a world, or sets how long it lives.',
  description: 'A pinned world is not discarded for its age or for being idle.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: [],
  examples: [{ input: { branch: 'draft', pinned: true } }],
  run: ({ services, input, by }) => keepWorld(services.context, input, by),
});
