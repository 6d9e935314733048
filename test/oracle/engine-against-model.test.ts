import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open, type OpenOptions } from '../../src/database.ts';
import { NaiveModel } from './naive-model.ts';
import { Comparison } from './random-commands.ts';

const SEEDS = Number(process.env['SVC_MODEL_SEEDS'] ?? 30);
const STEPS = 250;

async function run(seed: number, options: OpenOptions, model = new NaiveModel(), reopen: 'never' | 'sometimes' | 'without cache' = 'never'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-model-'));
  let db = await open(folder, options);
  try {
    const comparison = new Comparison(db.commands, model, seed, () => db.stats()['log_sequence']);
    for (let n = 0; n < STEPS; n++) {
      await comparison.step(n);
      if (n % 60 === 59) {
        if (reopen !== 'never') {
          await db.close();
          if (reopen === 'without cache') rmSync(join(folder, 'cache'), { recursive: true });
          db = await open(folder, options);
          comparison.useEngine(db.commands);
        }
        await comparison.compareAll();
      }
    }
    await comparison.compareAll();
    await db.verify();
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    await db.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the engine answers as the naive model does', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) await run(seed, {});
});

test('the engine answers as the naive model does across restarts', async () => {
  for (let seed = 1000; seed < 1000 + SEEDS / 3; seed++) await run(seed, {}, new NaiveModel(), 'sometimes');
});

test('the engine answers as the naive model does when its page cache is deleted', async () => {
  for (let seed = 2000; seed < 2000 + SEEDS / 3; seed++) await run(seed, {}, new NaiveModel(), 'without cache');
});

test('the engine answers as the naive model does with a checkpoint at almost every commit', async () => {
  for (let seed = 3000; seed < 3000 + SEEDS / 3; seed++) await run(seed, { dirtyBytes: 2000, cacheBytes: 20_000 }, new NaiveModel(), 'sometimes');
});

test('a model whose merges ignore deletes is found out', async () => {
  let caught = 0;
  for (let seed = 1; seed <= 5; seed++) await run(seed, {}, new NaiveModel({ ignoreDeletes: true })).catch(() => caught++);
  expect(caught).toBeGreaterThan(0);
});
