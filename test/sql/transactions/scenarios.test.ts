/**
 * Scenarios of several sessions, played against this server and against Postgres 15. What Postgres does is written
 * down in outcomes.json (`UPDATE=1` renews it where Postgres is installed); what differs stands in `DIFFERENT`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { LEVELS, play } from './play.ts';
import { PostgresServer } from './postgres-server.ts';
import { SCENARIOS } from './scenarios.ts';

const FILE = join(import.meta.dirname, 'outcomes.json');
const CASES = SCENARIOS.flatMap((scenario) => (scenario.levels ?? LEVELS).map((level) => ({ title: `${scenario.name}, ${level}`, scenario, level })));

let outcomes: Record<string, string[]> = {};
try {
  outcomes = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>;
} catch (error) {
  if (process.env['UPDATE'] === undefined) throw error;
}

describe.skipIf(!PostgresServer.installed)('Postgres 15 (needs /usr/lib/postgresql/15) does as is written down', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    await server.stop();
    if (process.env['UPDATE'] !== undefined) writeFileSync(FILE, `${JSON.stringify(outcomes, null, 2)}\n`);
  });
  for (const { title, scenario, level } of CASES) {
    test(title, async () => {
      const log = await play(server.port, 'postgres', scenario, level);
      if (process.env['UPDATE'] !== undefined) outcomes[title] = log;
      expect(log).toEqual(outcomes[title]);
    });
  }
});

describe('this server does as Postgres', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(async () => {
    expect(served.faults).toEqual([]);
    await served.close();
  });
  for (const { title, scenario, level } of CASES) {
    test(title, async () => {
      expect(await play(served.port, 'main', scenario, level)).toEqual(outcomes[title]);
    });
  }
});
