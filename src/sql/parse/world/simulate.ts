/** Simulations and their replay. */
import type { ReplayWorld, Simulate, Text } from '../../ast/world.ts';
import type { WorldReader } from './world-reader.ts';

/** `n WORLDS AS prefix SCRIPT $$…$$ SCORE $$…$$ [FROM w] [KEEP n | ALL] [ORDER ASC | DESC] [SEED n] [THREADS n]` */
export function parseSimulate(reader: WorldReader): Simulate {
  const worlds = reader.count();
  reader.expect('worlds', 'as');
  const prefix = reader.name();
  let script: Text | null = null;
  let score: Text | null = null;
  const rest: Pick<Simulate, 'from' | 'keep' | 'order' | 'seed' | 'threads'> = { from: null, keep: 'all', order: 'desc', seed: 0, threads: 0 };
  reader.clauses(() => {
    if (reader.accept('script')) {
      script = reader.string();
      return 'script';
    }
    if (reader.accept('score')) {
      score = reader.string();
      return 'score';
    }
    if (reader.accept('from')) {
      rest.from = reader.reference();
      return 'from';
    }
    if (reader.accept('keep')) {
      rest.keep = reader.accept('all') ? 'all' : reader.count();
      return 'keep';
    }
    if (reader.accept('order')) {
      if (reader.accept('asc')) rest.order = 'asc';
      else reader.expect('desc');
      return 'order';
    }
    if (reader.accept('seed')) {
      rest.seed = reader.integer();
      return 'seed';
    }
    if (!reader.accept('threads')) return '';
    rest.threads = reader.count();
    return 'threads';
  });
  if (script === null || score === null) throw reader.failure();
  return { type: 'simulate', worlds, prefix, script, score, ...rest, at: reader.start };
}

/** `WORLD w [AS n]` */
export function parseReplayWorld(reader: WorldReader): ReplayWorld {
  reader.expect('world');
  const name = reader.name();
  return { type: 'replayWorld', name, as: reader.accept('as') ? reader.name() : null, at: reader.start };
}
