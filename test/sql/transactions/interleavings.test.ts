/** Random steps of several sessions do here as in Postgres 15, statement by statement. `interleavings.ts` plays more of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { type Level, play } from './play.ts';
import { PostgresServer } from './postgres-server.ts';
import { randomScenario } from './random-scenario.ts';

const CASES: readonly [seed: number, level: Level][] = [
  ...Array.from({ length: 18 }, (_, i): [number, Level] => [i + 1, i % 2 === 0 ? 'READ COMMITTED' : 'REPEATABLE READ']),
  // An update that changes nothing keeps others from the row.
  [341, 'READ COMMITTED'],
  [505, 'READ COMMITTED'],
  [505, 'REPEATABLE READ'],
  // Who waits for a row has locked its table.
  [349, 'READ COMMITTED'],
  // FOR KEY SHARE of a row that has changed since, but for its keys.
  [403, 'REPEATABLE READ'],
  [473, 'REPEATABLE READ'],
];

describe.skipIf(!PostgresServer.installed)('random sessions beside Postgres 15 (needs /usr/lib/postgresql/15)', () => {
  let postgres: PostgresServer;
  let served: Served;
  beforeAll(async () => {
    // It then locks rows in the order of their keys.
    postgres = await PostgresServer.start(['enable_seqscan=off', 'enable_bitmapscan=off']);
    served = await serve();
  });
  afterAll(async () => {
    await postgres.stop();
    expect(served.faults).toEqual([]);
    await served.close();
  });

  test.each(CASES)('seed %i, %s', async (seed, level) => {
    const scenario = randomScenario(seed);
    const theirs = await play(postgres.port, 'postgres', scenario, level);
    expect(await play(served.port, 'main', scenario, level)).toEqual(theirs);
  });
});
