/** `replay`: Makes a kept world of a simulation again, and compares. */
import Type from 'typebox';
import type { ReplayInput, ReplayReply } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const replayOperation = defineOperation<ReplayInput, ReplayReply>({
  name: 'replay',
  summary: 'Makes a world that a simulation kept again from its base, script and seed, and compares rows and score.',
  input: s.input({
    world: Type.String({ minLength: 1, description: 'A world that `simulate` or `replay` kept.' }),
    as: Type.Optional(Type.String({ minLength: 1, description: 'Keeps the replay under this name.' })),
  }),
  output: Type.Object({
    world: Type.String(),
    replay: s.textOrNull,
    identical: Type.Boolean(),
    rows_differing: s.count,
    score: Type.Union([Type.Number(), Type.Null()]),
    recorded_score: Type.Number(),
    error: s.textOrNull,
  }),
  capability: 'fork',
  effect: 'append',
  errors: ['42602', '42P04', '53100', '53200', '57014'],
  examples: [{ input: { world: 'price_17' } }, { input: { world: 'price_17', as: 'price_17_again' } }],
  long: true,
  handler: (session, input, control) => session.commands.replay(input, undefined, control),
});
