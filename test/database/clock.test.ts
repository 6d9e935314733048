/** A clock that was ahead, or goes back: moments keep their order, times ago reach what is there, and health says so. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { findSoFar } from '../find-so-far.ts';

const HOUR = 3_600_000_000;
let folder: string;
let now: number;
let db: Database;
const clock = { nowMicros: (): Micros => now++ as Micros };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-clock-'));
  now = 1_800_000_000_000_000;
  db = await open(folder, { key: null, clock });
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function reopened(at: number): Promise<void> {
  await db.close();
  now = at;
  db = await open(folder, { key: null, clock });
}

test.each([
  ['three days ahead and came back', 72 * HOUR],
  ['an hour ahead and came back', HOUR],
])('a clock that was %s', async (_name, ahead) => {
  await db.put({ table: 't', id: 'a', record: { n: 0 } });
  await reopened(now + ahead);
  await db.put({ table: 't', id: 'a', record: { n: 1 } });
  now += 5_000_000;
  await reopened(now - ahead);
  for (let n = 2; n < 6; n++) await db.put({ table: 't', id: 'a', record: { n } });
  const { events } = await db.history({ branch: 'main' });
  const moments = events.map(({ at }) => at);
  expect(new Set(moments).size).toBe(moments.length);
  expect([...moments].sort()).toEqual(moments[0]! < moments.at(-1)! ? moments : [...moments].reverse());
  // Each moment finds its own state.
  const found: (number | undefined)[] = [];
  for (const at of [...moments].sort()) {
    const hits = await findSoFar(db, { branch: `main@${at}`, table: 't' });
    found.push((hits[0]?.row as { n: number } | undefined)?.n);
  }
  expect(found.slice(-6)).toEqual([0, 1, 2, 3, 4, 5]);
  // Half a second before the newest event, the end of the run before.
  expect((await db.get({ branch: 'main@-500ms', table: 't', id: 'a' })).row).toEqual({ n: 1 });
  expect(db.stats()['clock_behind_ms']).toBeGreaterThan(ahead / 1000 - 10_000);
  const { results } = await db.sql({ sql: 'SHOW METRICS' });
  expect(JSON.stringify(results[0]!.rows)).toContain('svc_clock_behind_seconds');
  const server = createHttpServer({
    commandsOf: (principal) => db.commandsOf(principal),
    version: 'test',
    clockBehindMs: () => db.stats()['clock_behind_ms']!,
  });
  const base = await server.listen('127.0.0.1', 0);
  try {
    const health = (await (await fetch(`${base}/v1/health`)).json()) as { clock: { behind_ms: number } };
    expect(health.clock.behind_ms).toBe(db.stats()['clock_behind_ms']);
  } finally {
    await server.close();
  }
});

test('a clock that stands still gives every event a moment of its own', async () => {
  for (let n = 0; n < 5; n++) await db.put({ table: 't', id: 'a', record: { n } });
  const { events } = await db.history({ branch: 'main' });
  expect(new Set(events.map(({ at }) => at)).size).toBe(events.length);
  expect(db.stats()['clock_behind_ms']).toBe(0);
});
