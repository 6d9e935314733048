/**
 * A sample of the library's own list of functions and operators with large arguments, each beside another client: none keeps it waiting, and
 * memory stays bounded. `npm run soak` walks over all of them with larger ones.
 */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { beside, EXTENSIONS, statements, walk } from '../../soak/library-walk.ts';
import { serve } from '../../wire/open-server.ts';
import { errorOf, WireClient } from '../../wire/wire-client.ts';

const ANSWERED_WITHIN_MS = 250;
const WALK_MS = 25_000;
const MEMORY_MAX = 1.5 * 2 ** 30;
/** What only the machine has kept waiting is not so when it is tried again. */
const TRIES = 3;

/** Arguments of the right types that make no sense together are refused with a code of their own. */
test('no function or operator fails as a fault of the server', async () => {
  const served = await serve();
  const client = await WireClient.login(served.port);
  client.patience = 60_000;
  await client.query(EXTENSIONS);
  const faults: string[] = [];
  const odd = [
    "int8_avg('{{1,2}}')",
    "int4_avg_accum('{1,NULL}', 1)",
    "interval_avg('{1 s}')",
    "interval_accum('{1 s,NULL}', '1 s')",
    "float8_accum('{1}', 1)",
  ];
  for (const sql of [...statements(400), ...odd.map((call) => `SELECT ${call}`)]) {
    const reply = await client.query(sql);
    if (reply.some(({ type }) => type === 'E') && errorOf(reply)['C'] === 'XX000' && !WRONG_STATE.test(errorOf(reply)['M']))
      faults.push(`${errorOf(reply)['M']}: ${sql}`);
  }
  expect(faults).toEqual([]);
  expect(served.faults.filter((fault) => !WRONG_STATE.test(inspect(fault)))).toEqual([]);
  client.quit();
  await served.close();
});

/** What Postgres says with XX000, too. */
const WRONG_STATE = /expected \d-element/;

test('a sample of all functions and operators does not block other sessions', { timeout: 180_000 }, async () => {
  expect(statements(1000).length).toBeGreaterThan(500);
  const served = await serve();
  const runner = await WireClient.login(served.port);
  const reader = await WireClient.login(served.port);
  runner.patience = reader.patience = 60_000;
  await runner.query(`${EXTENSIONS} SET statement_timeout = '2s'`);
  const before = process.memoryUsage.rss();
  const found = await walk(runner, reader, { size: 100_000, every: 5, untilMs: performance.now() + WALK_MS });
  const late: string[] = [];
  for (let { sql, readMs } of found.filter((each) => each.readMs >= ANSWERED_WITHIN_MS)) {
    for (let again = 1; again < TRIES && readMs >= ANSWERED_WITHIN_MS; again++) ({ readMs } = await beside(runner, reader, sql));
    if (readMs >= ANSWERED_WITHIN_MS) late.push(`${Math.round(readMs)} ms beside ${sql}`);
  }
  expect(late).toEqual([]);
  expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY_MAX);
  runner.quit();
  reader.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});
