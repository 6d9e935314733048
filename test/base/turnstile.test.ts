/** Requests that arrive together: in order, and others are heard between them. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turnstile } from '../../src/base/turnstile.ts';

function busy(ms: number): void {
  const ends = performance.now() + ms;
  while (performance.now() < ends);
}

test('work that fills turns starts in the order of arrival, and what arrives meanwhile is heard between', async () => {
  const turnstile = new Turnstile();
  const started: number[] = [];
  let turns = 0;
  const seen: number[] = [];
  const request = async (n: number): Promise<void> => {
    const wait = turnstile.enter();
    if (wait !== null) await wait;
    // Before it waits for the disk, a request runs in microtasks.
    await Promise.resolve();
    started.push(n);
    seen.push(turns);
    busy(6);
  };
  const ticking = setInterval(() => {}, 1);
  const count = (): void => {
    turns++;
    if (started.length < 8) setImmediate(count);
  };
  setImmediate(count);
  // As sockets deliver them: sequentially, each with its microtasks.
  await turn();
  const all: Promise<void>[] = [];
  for (let n = 0; n < 8; n++) {
    all.push(request(n));
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }
  await Promise.all(all);
  clearInterval(ticking);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(seen.at(-1)! - seen[0]).toBeGreaterThan(2);
});

test('small work starts at once', async () => {
  const turnstile = new Turnstile();
  let waited = 0;
  for (let n = 0; n < 50; n++) if (turnstile.enter() !== null) waited++;
  expect(waited).toBeLessThan(50);
  await turn();
  expect(turnstile.enter()).toBeNull();
});
