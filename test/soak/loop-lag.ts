/**
 * Loaded into a server under test before anything else (`--import`): at SIGUSR2 it writes the event loop's lag since the last
 * time to the file named by SVC_SOAK_LAG, and starts over.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const path = process.env['SVC_SOAK_LAG'];

if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    const ms = (ns: number): number => Math.max(0, Math.round(ns / 1e5) / 10 - RESOLUTION_MS);
    let over = 0;
    for (let percentile = 100; percentile > 0 && ms(delay.percentile(percentile)) > 50; percentile -= 0.05) over += 0.05;
    const { heapUsed, external } = process.memoryUsage();
    const lag = {
      p50Ms: ms(delay.percentile(50)),
      p99Ms: ms(delay.percentile(99)),
      maxMs: ms(delay.max),
      overFiftyMs: over,
      heapBytes: heapUsed,
      externalBytes: external,
    };
    writeFileSync(`${path}.draft`, JSON.stringify(lag));
    renameSync(`${path}.draft`, path);
    delay.reset();
  });
}
