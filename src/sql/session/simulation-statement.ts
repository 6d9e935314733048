/** SIMULATE and REPLAY: the commands of the same names, answered as rows. */
import type { ReplayWorld, Simulate } from '../ast/world.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { answer } from './statement-columns.ts';
import { reference } from './world-statement.ts';

export async function runSimulation(session: SqlSession, statement: Simulate | ReplayWorld): Promise<StatementResult> {
  const { commands } = session;
  if (statement.type === 'replayWorld') {
    session.preventInTransactionBlock('REPLAY WORLD');
    const { name, as } = statement;
    const reply = await session.controlled((control) => commands.replay({ world: name, ...(as === null ? {} : { as }) }, control));
    return answer(session, statement, 'REPLAY WORLD', [
      [reply.world, reply.replay, reply.identical, reply.rows_differing, reply.score, reply.recorded_score, reply.error],
    ]);
  }
  session.preventInTransactionBlock('SIMULATE');
  const { worlds, prefix, script, score, from, keep, order, seed, threads } = statement;
  const reply = await session.controlled((control) =>
    commands.simulate(
      { worlds, prefix, script: script.value, score: score.value, ...(from === null ? {} : { from: reference(from) }), keep, order, seed, threads },
      control,
    ),
  );
  return answer(
    session,
    statement,
    'SIMULATE',
    reply.worlds.map((each) => [each.world, each.id, each.index, each.seed, each.score, each.error, each.kept]),
  );
}
