import { expect, test } from 'vitest';
import { killLoop } from './kill-loop.ts';

test('twenty times killed, the real server loses no acknowledged write and opens again', { timeout: 180_000 }, async () => {
  const report = await killLoop(new URL('../../dist/bin/svc.js', import.meta.url).pathname, 20, () => {});
  expect(report.rounds).toBe(20);
  expect(report.acknowledged).toBeGreaterThan(100);
  expect(report.acknowledgedBySql).toBeGreaterThan(20);
  expect(report.flagged).toBeGreaterThan(0);
});
