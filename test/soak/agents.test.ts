/** The soak, short: everything acknowledged to agents is there, also after kill -9 and in a concurrent backup; nothing grows without bound. */
import { expect, test } from 'vitest';
import { soakAgents } from './agents-soak.ts';

const built = (path: string): string => new URL(`../../dist/${path}`, import.meta.url).pathname;

test('twenty agents for twenty seconds lose nothing that was acknowledged, and are refused nothing', { timeout: 240_000 }, async () => {
  const report = await soakAgents(
    {
      paths: { main: built('bin/svc.js'), probe: built('test/soak/loop-lag.js'), beside: built('test/soak/beside.js') },
      seconds: 20,
      agents: 20,
      rows: 20_000,
      retentionSeconds: 10,
      cacheMb: 64,
      quietSeconds: 1,
    },
    () => {},
  );
  expect(report.refused).toEqual([]);
  expect(report.acknowledgedMerges).toBeGreaterThan(20);
  expect(report.beside.count).toBeGreaterThan(20);
  // Twice the cache, what a process takes, and what the collector has not taken yet.
  expect(report.residentPeakMb).toBeLessThan(2 * 64 + 400);
});
