/** `simulate`: Forks worlds from one moment, runs a script in each, scores them and keeps the best. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import type { ModelCall } from './model-tool.ts';
import { textTable } from './text/table.ts';
const ms = Type.Number();

const input = s.input({
  worlds: Type.Integer({ minimum: 1, maximum: LIMITS.simulatedWorldsMax, description: 'How many worlds.' }),
  prefix: Type.String({ minLength: 1, description: 'World i is named `<prefix>_<i>`.' }),
  script: Type.String({ description: "SQL that is run in each world: queries and writes. `$1` is the world's index from 0, `$2` its seed." }),
  score: Type.String({ description: 'A SELECT that gives one number; `$1` and `$2` as in the script.' }),
  from: Type.Optional(Type.String({ minLength: 1, description: 'The base: a world (default `main`), also `name@when`.' })),
  keep: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('all')], { description: 'How many of the best stay; default all.' })),
  order: Type.Optional(
    Type.Union([Type.Literal('desc'), Type.Literal('asc')], { description: 'Which scores are best: the highest (`desc`, default) or the lowest.' }),
  ),
  seed: Type.Optional(Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description: 'Default 0.' })),
  threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 256, description: 'Default 0: as many as there are cores.' })),
});
export type SimulateInput = Static<typeof input>;
const output = Type.Object({
  worlds: Type.Array(
    Type.Object({
      world: Type.String(),
      id: s.textOrNull,
      index: s.count,
      seed: s.count,
      score: Type.Union([Type.Number(), Type.Null()]),
      error: s.textOrNull,
      kept: Type.Boolean(),
    }),
  ),
  base: Type.String(),
  at: s.time,
  timings: Type.Object({ fork_ms: ms, run_ms: ms, discard_ms: ms, total_ms: ms }),
});
export type SimulateReply = Static<typeof output>;

export const simulateOperation = defineOperation({
  name: 'simulate',
  summary: 'Forks worlds from one moment, runs a script in each, scores them and keeps the best.',
  description:
    "World i is named `<prefix>_<i>`. random(), gen_random_uuid() and sequences in it depend on its seed and the base alone, now() is the moment of the base's last change: the same call gives the same worlds on any number of threads. A script that fails in one world is that world's `error`. Kept worlds are the caller's own.",
  input,
  output,
  capability: 'fork',
  effect: 'grow',
  gate: 'own',
  errors: ['0A000', '22007', '25006', '42601', '42602', '42703', '42883', '42P01', '42P04', '53100', '53200', '57014'],
  examples: [
    {
      input: {
        worlds: 1000,
        prefix: 'price',
        script: 'UPDATE items SET price = price * (0.8 + random() * 0.4)',
        score: 'SELECT sum(price * (100 - price)) FROM items',
        keep: 3,
        seed: 7,
      },
    },
  ],
  long: true,
  sql: {
    result: [
      ['world', 'text'],
      ['id', 'text'],
      ['index', 'int8'],
      ['seed', 'int8'],
      ['score', 'float8'],
      ['error', 'text'],
      ['kept', 'bool'],
    ],
  },
  mcp: {
    title: 'Simulate worlds',
    description:
      'Forks many worlds from one moment, runs a script in each and orders them by a score; the best are kept as branches named prefix_i. Use it to try out what random or numbered variants of a change would do.',
    words: {
      worlds: '',
      prefix: '',
      script: 'SQL; $1 is the index from 0, $2 the seed; random() is seeded per world.',
      score: 'A SELECT that gives one number.',
      from: 'Default main; also name@when.',
      keep: 'How many of the best stay; default all.',
      order: '',
      seed: '',
      threads: 'Default 0: all free cores.',
    },
    page: { limit: 20, offset: true },
    progress: 'worlds have run',
    text: simulatedText,
  },
  run: ({ services, input, by, control }) => services.simulations.simulate(input, by, control),
});

/** All kept worlds come first, best first, so that the first page names them. */
function simulatedText({ worlds, base, at, timings }: SimulateReply, { page: { limit, offset, room } }: ModelCall<SimulateInput, SimulateReply>): string {
  const kept = worlds.filter((each) => each.kept);
  const failed = worlds.filter(({ error }) => error !== null).length;
  const all = [...kept, ...worlds.filter((each) => !each.kept)];
  const shown = all.slice(offset, offset + limit);
  return (
    `simulated ${worlds.length} worlds from ${base} at ${at} in ${Math.round(timings.total_ms)} ms: ${kept.length} kept, ${failed} failed\n` +
    textTable(
      ['world', 'id', 'index', 'seed', 'score', 'error', 'kept'],
      shown.map((each) => [each.world, each.id ?? undefined, each.index, each.seed, each.score, each.error ?? undefined, each.kept ? 'yes' : undefined]),
      { total: Math.max(0, all.length - offset), more: (n) => furtherWorlds(offset + n, kept.length), room },
    )
  );
}

/** The same call gives the same worlds, but those that it kept are there. */
function furtherWorlds(from: number, kept: number): string {
  return kept === 0
    ? `call again with offset ${from}`
    : `the kept worlds are there (branches with \`prefix\`); for the scores of the others call again with another \`prefix\`, keep 0, and offset ${from}`;
}
