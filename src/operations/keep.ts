/** `keep`: Pins a world, or sets how long it lives. */
import Type from 'typebox';
import type { KeepInput, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const keepOperation = defineOperation<KeepInput, WorldView>({
  name: 'keep',
  summary: 'Pins a world, or sets how long it lives.',
  description: 'A pinned world is not discarded for its age or for being idle.',
  input: s.input({
    branch: s.requiredBranch,
    pinned: Type.Optional(Type.Boolean()),
    ttl: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: "Milliseconds since its fork; null: its owner's `world_ttl`." })),
  }),
  output: s.world,
  capability: 'admin',
  effect: 'append',
  errors: [],
  examples: [{ input: { branch: 'draft', pinned: true } }],
  handler: (session, input) => session.commands.keep(input),
});
