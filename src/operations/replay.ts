/** `replay`: Recomputes a kept world of a simulation, and compares. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { textTable } from './text/table.ts';

const input = s.input({
  world: Type.String({ minLength: 1, description: 'A world that `simulate` or `replay` kept.' }),
  as: Type.Optional(Type.String({ minLength: 1, description: 'Keeps the replay under this name.' })),
});
export type ReplayInput = Static<typeof input>;
const output = Type.Object({
  world: Type.String(),
  replay: s.textOrNull,
  identical: Type.Boolean(),
  rows_differing: s.count,
  score: Type.Union([Type.Number(), Type.Null()]),
  recorded_score: Type.Number(),
  error: s.textOrNull,
});
export type ReplayReply = Static<typeof output>;

export const replayOperation = defineOperation({
  name: 'replay',
  summary: 'Makes a world that a simulation kept again from its base, script and seed, and compares rows and score.',
  input,
  output,
  capability: 'fork',
  effect: 'grow',
  gate: 'own',
  errors: ['42602', '42P04', '53100', '53200', '57014'],
  examples: [{ input: { world: 'price_17' } }, { input: { world: 'price_17', as: 'price_17_again' } }],
  long: true,
  sql: {
    result: [
      ['world', 'text'],
      ['replay', 'text'],
      ['identical', 'bool'],
      ['rows_differing', 'int8'],
      ['score', 'float8'],
      ['recorded_score', 'float8'],
      ['error', 'text'],
    ],
  },
  mcp: {
    title: 'Replay a simulated world',
    description:
      'Makes a kept world of a simulation again from its base, script and seed, and says whether it is the same; rows that differ were changed later.',
    words: { world: '' },
    idempotent: true,
    text: (reply) => {
      const verdict = reply.identical ? 'identical' : reply.error === null ? `${reply.rows_differing} rows differ` : 'the script failed';
      return (
        `${reply.world}: ${verdict}\n` +
        textTable(
          ['world', 'replay', 'identical', 'rows_differing', 'score', 'recorded_score', 'error'],
          [[reply.world, reply.replay ?? undefined, reply.identical, reply.rows_differing, reply.score, reply.recorded_score, reply.error ?? undefined]],
        )
      );
    },
  },
  run: ({ services, input, by, control }) => services.simulations.replay(input, by, control),
});
