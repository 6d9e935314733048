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

/** What is known to differ, by title: lines of Postgres's outcome, and what stands in their place here. */
const DIFFERENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The statement runs again over one state; Postgres looks again at the rows that it had found before it waited.
  'the waiter checks the changed row again, READ COMMITTED': {
    'b resumes → DELETE 0': 'b resumes → DELETE 1',
    'final [["1","20"],["2","30"]]': 'final [["2","30"]]',
  },
  // What was read may not have changed when the transaction commits; Postgres waits for a second such dependency.
  'ROLLBACK TO gives back what was locked since, SERIALIZABLE': {
    'a COMMIT → COMMIT': 'a COMMIT → 40001 could not serialize access due to read/write dependencies among transactions',
    'final [["1","12"],["2","22"]]': 'final [["1","12"],["2","22"]]',
  },
};

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
      expect(await play(served.port, 'main', scenario, level)).toEqual(outcomes[title].map((line) => DIFFERENT[title]?.[line] ?? line));
    });
  }
});
