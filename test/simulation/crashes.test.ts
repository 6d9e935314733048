/**
 * The whole engine on a disk that tears, loses and fails, with a stepped clock and a page cache that may be
 * lost: after every crash the state is that of a prefix of the commands that holds every acknowledged one.
 */
import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Row } from '../../src/commands/contract.ts';
import { type Database, open } from '../../src/database.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { equalJson } from '../model/json.ts';
import { randomFrom } from '../suite/random.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { findSoFar } from '../find-so-far.ts';

interface Step {
  key: string;
  row: Row | null;
}

function stateAfter(steps: readonly Step[]): Record<string, Row> {
  const out: Record<string, Row> = {};
  for (const { key, row } of steps) {
    if (row === null) delete out[key];
    else out[key] = row;
  }
  return out;
}

async function contents(db: Database): Promise<Record<string, Row>> {
  const hits = await findSoFar(db, { table: 't', limit: 10_000 });
  return Object.fromEntries(hits.map(({ id, row }) => [id, row]));
}

/** Runs a few lives of a database; returns how many crashes it saw. Throws where a promise is broken. */
async function live(
  seed: number,
  makeDisk = (random: () => number): FaultyFileSystem => new FaultyFileSystem(random),
): Promise<{ lives: number; failures: number; trims: number }> {
  const random = randomFrom(seed);
  let now = 1_800_000_000_000_000;
  const clock = { nowMicros: (): Micros => (now += Math.floor(random() * 1000)) as Micros };
  let fs = makeDisk(random);
  let store = new MemoryPageStore();
  /** Commands in the order of their events. */
  const steps: Step[] = [];
  let acknowledged = 0;
  let failures = 0;
  let trims = 0;
  const LIVES = 5;
  for (let life = 0; life < LIVES; life++) {
    fs.faults = {};
    const db = await open('/db', {
      fs,
      clock,
      openStore: async () => store,
      // Every third folder is encrypted.
      key: seed % 3 === 1 ? 'c'.repeat(64) : null,
      segmentSizeBytes: 4000,
      checkpointLogBytes: 3000,
      checkpointRest: 0,
      dirtyBytes: 20_000,
      cacheBytes: 60_000,
      checkpointMs: 1e9,
      // Every other run trims its log as it goes.
      ...(seed % 2 === 0 ? { historyRetentionMs: 20, trimBytes: 3000 } : {}),
    });
    const found = await contents(db);
    let whole = -1;
    for (let n = steps.length; n >= acknowledged; n--) {
      if (equalJson(stateAfter(steps.slice(0, n)), found)) {
        whole = n;
        break;
      }
    }
    if (whole < 0)
      throw new Error(`seed ${seed} life ${life}: the state is that of no prefix of ${steps.length} commands with the ${acknowledged} acknowledged ones`);
    steps.length = whole;
    acknowledged = whole;
    if (random() < 0.4) fs.faults = random() < 0.5 ? { writeFails: 0.03 } : { syncFails: 0.03 };
    const calls: Promise<void>[] = [];
    let dead = false;
    for (let n = 0; n < 60; n++) {
      const key = `k${Math.floor(random() * 30)}`;
      const row = { n: steps.length, text: 'x'.repeat(Math.floor(random() * 60)) };
      const index = steps.push({ key, row });
      calls.push(
        db.put({ table: 't', id: key, record: row }).then(
          () => {
            if (!dead) acknowledged = Math.max(acknowledged, index);
          },
          (error: unknown) => {
            if (!(error instanceof SvcError)) throw error;
            failures++;
          },
        ),
      );
      if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
      if (random() < 0.1) await Promise.all(calls);
    }
    // The power goes: nothing that the dead process still does counts.
    const after = fs.crash();
    const left = store.copy();
    dead = true;
    if (db.stats()['history_start'] > 0) trims++;
    await Promise.allSettled(calls);
    await db.close().catch(() => {});
    fs = after;
    store = random() < 0.5 ? new MemoryPageStore() : left;
  }
  return { lives: LIVES, failures, trims };
}

test('after any crash the state is a prefix that holds all that was acknowledged', async () => {
  let failures = 0;
  let trims = 0;
  for (let seed = 1; seed <= Number(process.env['SVC_CRASH_SEEDS'] ?? 60); seed++) {
    const seen = await live(seed);
    failures += seen.failures;
    trims += seen.trims;
  }
  expect(failures).toBeGreaterThan(0);
  expect(trims).toBeGreaterThan(20);
});

test('a disk that lies about its syncs is found out', async () => {
  class Liar extends FaultyFileSystem {
    override open(path: string, options: { create: boolean }): ReturnType<FaultyFileSystem['open']> {
      return { ...super.open(path, options), sync: async () => {} };
    }
  }
  let caught = 0;
  for (let seed = 1; seed <= 10; seed++) {
    await live(seed, (random) => new Liar(random)).catch(() => caught++);
  }
  expect(caught).toBeGreaterThan(0);
});
