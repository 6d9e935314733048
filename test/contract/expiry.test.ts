/** The worker that discards worlds past their time, on its own timer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { open } from '../../src/database.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

// contract: fixed.8, state.20
test('worlds past their time are gone after 30 seconds, not before', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  const clock = new SteppedClock();
  const db = await open(folder, { clock });
  try {
    await db.create_agent({ name: 'ann', world_ttl: 1000 });
    await db.fork({ name: 'short' }, db.directory.byName('ann')!);
    clock.step(5000);
    const names = async (): Promise<string[]> => (await db.branches()).branches.map(({ name }) => name);
    vi.advanceTimersByTime(29_900);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await names()).toEqual(['main', 'short']);
    vi.advanceTimersByTime(200);
    await expect.poll(names, { timeout: 10_000 }).toEqual(['main']);
    expect((await db.audit({})).events[0]).toMatchObject({ agent: 'system', world: 'short', action: 'discard' });
  } finally {
    vi.useRealTimers();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
