import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { program, type Ran, run } from './client-programs.ts';

const pgbench = program('pgbench');

describe.skipIf(pgbench === null)('pgbench', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const bench = (...args: string[]): Promise<Ran> => run(pgbench!, ['-h', '127.0.0.1', '-p', String(served.port), '-U', 'me', ...args, 'main']);

  test('makes its tables', async () => {
    const { code, err } = await bench('-i', '-s', '1', '--foreign-keys');
    expect(err).toContain('done in');
    expect(code).toBe(0);
    const { rows } = (await served.database.sql({ sql: 'SELECT count(*) FROM pgbench_accounts' })).results[0];
    expect(rows).toEqual([{ count: 100000 }]);
  });

  test.each(['simple', 'extended', 'prepared'])('selects: %s', async (mode) => {
    const { code, out } = await bench('-n', '-S', '-M', mode, '-c', '2', '-t', '200');
    expect(code).toBe(0);
    expect(out).toContain('number of transactions actually processed: 400/400');
  });

  test.each(['simple', 'extended', 'prepared'])('changes, one client: %s', async (mode) => {
    const { code, out } = await bench('-n', '-M', mode, '-c', '1', '-t', '100');
    expect(code).toBe(0);
    expect(out).toContain('number of transactions actually processed: 100/100');
  });

  test.each(['simple', 'extended', 'prepared'])('changes but for tellers and branches: %s', async (mode) => {
    const { code, out } = await bench('-n', '-N', '-M', mode, '-c', '1', '-t', '50');
    expect(code).toBe(0);
    expect(out).toContain('number of transactions actually processed: 50/50');
    await served.database.sql({
      sql: 'UPDATE pgbench_accounts SET abalance = 0 WHERE abalance <> 0; UPDATE pgbench_branches SET bbalance = 0; DELETE FROM pgbench_history',
    });
  });

  test('changes of several clients are tried again until they fit', async () => {
    const { code, out } = await bench('-n', '-M', 'prepared', '-c', '3', '-t', '50', '--max-tries', '1000');
    expect(code).toBe(0);
    expect(out).toContain('number of transactions actually processed: 150/150');
    const sums = await served.database.sql({
      sql: 'SELECT (SELECT sum(abalance) FROM pgbench_accounts) AS accounts, (SELECT sum(bbalance) FROM pgbench_branches) AS branches, (SELECT sum(delta) FROM pgbench_history) AS history, (SELECT count(*) FROM pgbench_history) AS count',
    });
    const [sum] = sums.results[0].rows;
    expect(sum['branches']).toBe(sum['accounts']);
    expect(sum['history']).toBe(sum['accounts']);
    expect(sum['count']).toBe(150);
  });
});
