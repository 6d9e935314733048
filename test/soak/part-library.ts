/** All of the library is called with larger and larger values, half an hour a size at most, while another client asks. */
import { serve } from '../wire/open-server.ts';
import { WireClient } from '../wire/wire-client.ts';
import { EXTENSIONS, walk } from './library-walk.ts';

const WALK_MS = 1_800_000;
const SHOWN = 20;

export async function soak(say: (text: string) => void): Promise<void> {
  const served = await serve();
  const runner = await WireClient.login(served.port);
  const reader = await WireClient.login(served.port);
  runner.patience = reader.patience = 120_000;
  await runner.query(`${EXTENSIONS} SET statement_timeout = '5s'`);
  for (const size of [1000, 100_000, 1_000_000, 10_000_000]) {
    const found = await walk(runner, reader, { size, untilMs: performance.now() + WALK_MS });
    say(`${found.length} calls of size ${size}; the longest answers beside them:`);
    for (const { readMs, tookMs, code, sql } of found.slice(0, SHOWN))
      say(`${Math.round(readMs)} ms beside ${Math.round(tookMs)} ms ${code ?? 'done'}  ${sql}`);
  }
  runner.quit();
  reader.quit();
  await served.close();
}
