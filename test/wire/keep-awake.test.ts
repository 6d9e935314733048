import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepAwake } from '../../src/wire/keep-awake.ts';

test('the loop goes back to sleep soon after the last message', async () => {
  for (let i = 0; i < 5; i++) keepAwake(performance.now());
  await sleep(20);
  const before = performance.eventLoopUtilization();
  await sleep(100);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('a process that has nothing else to do ends', () => {
  const { status } = spawnSync(
    process.execPath,
    ['-e', `import(${JSON.stringify(new URL('../../dist/src/wire/keep-awake.js', import.meta.url).href)}).then((m) => m.keepAwake(performance.now()))`],
    {
      timeout: 20_000,
    },
  );
  expect(status).toBe(0);
});
