/** Simulations: what-if runs in many worlds, and a replay that proves a kept world. */
import Type from 'typebox';
import { LIMITS } from '../../base/limits.ts';
import type { ReplayInput, SimulateInput } from '../../commands/contract.ts';
import { type AnyTool, input, name, someBranch, type Tool, whole } from '../tool.ts';
import { textTable } from '../text-table.ts';

/** Rows of worlds that were not kept are of little use to a model. */
const OTHERS_SHOWN = 20;

const simulate: Tool<SimulateInput> = {
  name: 'simulate',
  title: 'Simulate worlds',
  description:
    'Forks many worlds from one moment, runs a script in each and orders them by a score; the best are kept as branches named prefix_i. Use it to try out what random or numbered variants of a change would do.',
  input: input({
    worlds: Type.Integer({ minimum: 1, maximum: LIMITS.simulatedWorldsMax }),
    prefix: name,
    script: Type.String({ description: 'INSERT, UPDATE, DELETE, MERGE, SELECT; $1 is the index from 0, $2 the seed; random() is seeded per world.' }),
    score: Type.String({ description: 'A SELECT that gives one number.' }),
    from: Type.Optional(Type.String({ minLength: 1, description: 'Default main; also name@when.' })),
    keep: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('all')], { description: 'How many of the best stay; default all.' })),
    order: Type.Optional(Type.Union([Type.Literal('desc'), Type.Literal('asc')])),
    seed: Type.Optional(Type.Integer()),
    threads: whole(0, 'Default 0: all free cores.', 256),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  needs: ['fork'],
  async run({ commands }, given, { signal, report }) {
    const onProgress = (done: number, total: number): void => report(done, total, `${done} of ${total} worlds have run`);
    const { worlds, base, at, timings } = await commands.simulate(given, { signal, onProgress });
    const kept = worlds.filter((each) => each.kept);
    const failed = worlds.filter(({ error }) => error !== null).length;
    const others = worlds.filter((each) => !each.kept);
    const shown = [...kept, ...others.slice(0, Math.max(0, OTHERS_SHOWN - kept.length))];
    return (
      `simulated ${worlds.length} worlds from ${base} at ${at} in ${Math.round(timings.total_ms)} ms: ${kept.length} kept, ${failed} failed\n` +
      textTable(
        ['world', 'id', 'index', 'seed', 'score', 'error', 'kept'],
        shown.map((each) => [each.world, each.id, each.index, each.seed, each.score, each.error, each.kept ? 'yes' : '']),
        { total: worlds.length },
      )
    );
  },
};

const replay: Tool<ReplayInput> = {
  name: 'replay',
  title: 'Replay a simulated world',
  description: 'Makes a kept world of a simulation again from its base, script and seed, and says whether it is the same; rows that differ were changed later.',
  input: input({ world: someBranch, as: Type.Optional(Type.String({ minLength: 1, pattern: '^\\S+$', description: 'Keeps the replay under this name.' })) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  needs: ['fork'],
  async run({ commands }, given, { signal }) {
    const reply = await commands.replay(given, { signal });
    const verdict = reply.identical ? 'identical' : reply.error === null ? `${reply.rows_differing} rows differ` : 'the script failed';
    return (
      `${reply.world}: ${verdict}\n` +
      textTable(
        ['world', 'replay', 'identical', 'rows_differing', 'score', 'recorded_score', 'error'],
        [[reply.world, reply.replay, reply.identical, reply.rows_differing, reply.score, reply.recorded_score, reply.error]],
      )
    );
  },
};

export const SIMULATION_TOOLS: readonly AnyTool[] = [simulate, replay];
