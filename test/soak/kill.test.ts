import { expect, test } from 'vitest';
import { KILL_KINDS, killKinds } from './kill-kinds.ts';
import { killLoop } from './kill-loop.ts';

test('ten times killed, the real server loses no acknowledged write and opens again', { timeout: 600_000 }, async () => {
  const report = await killLoop(new URL('../../dist/bin/svc.js', import.meta.url).pathname, 10, () => {});
  expect(report.rounds).toBe(10);
  // How many there are is the machine's affair.
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.acknowledgedBySql).toBeGreaterThan(2);
  expect(report.flagged).toBeGreaterThan(0);
});

test('killed in the middle of each kind of work, it has that whole or not at all', { timeout: 600_000 }, async () => {
  // Moments spread over the work, other ones for each kind.
  const reports = await killKinds(
    new URL('../../dist/bin/svc.js', import.meta.url).pathname,
    KILL_KINDS.length,
    () => {},
    (n) => ((n * 0.618) % 1) * 2,
  );
  expect(reports.map(({ kills }) => kills)).toEqual(KILL_KINDS.map(() => 1));
});
