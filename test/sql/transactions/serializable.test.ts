/** SERIALIZABLE: what random transactions were told is what they are told one after the other, in some order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { WireClient } from '../../wire/wire-client.ts';
import { play } from './play.ts';
import { randomTransactions } from './random-transactions.ts';
import { serialOrder } from './serial-order.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 60);
const FIRST = Number(process.env['SEED'] ?? 1);

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
  client = await WireClient.login(served.port);
});
afterAll(async () => {
  client.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST + i))('seed %i', async (seed) => {
  const scenario = randomTransactions(seed);
  const log = await play(served.port, 'main', scenario, 'SERIALIZABLE');
  if ((await serialOrder(client, scenario, log)) === null) expect.fail(`no serial order of\n${log.join('\n')}`);
});

test('an order is looked for: what no order gives is found out', async () => {
  const scenario = { ...randomTransactions(1), steps: ['a BEGIN', 'b BEGIN', 'a SELECT sum(v) FROM m', 'b SELECT sum(v) FROM m'] };
  const skewed = [...scenario.steps, 'a UPDATE m SET v = 0 WHERE id = 1', 'b UPDATE m SET v = 0 WHERE id = 2', 'a COMMIT', 'b COMMIT'];
  const log = await play(served.port, 'main', { ...scenario, steps: skewed }, 'REPEATABLE READ');
  expect(await serialOrder(client, scenario, log)).toBeNull();
});
