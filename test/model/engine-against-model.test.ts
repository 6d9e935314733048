/**
 * Random sequences on the engine and on the naive model: undisturbed, closed and opened again now and then, with
 * the page cache deleted in between, and with a checkpoint at almost every commit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { open, type OpenOptions } from '../../src/database.ts';
import { compare } from '../suite/compare.ts';
import { type Opened, withoutNames } from '../suite/open.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';
import { openModel } from './open-model.ts';

const SEEDS = Number(process.env['SVC_MODEL_SEEDS'] ?? 32);
const FIRST_SEED = Number(process.env['SVC_MODEL_FIRST_SEED'] ?? 1);
const STEPS = Number(process.env['SVC_MODEL_STEPS'] ?? 250);

interface Way {
  name: string;
  reopens?: 'with its cache' | 'without its cache';
  options?: OpenOptions;
}

const WAYS: Way[] = [
  { name: 'undisturbed' },
  { name: 'across restarts', reopens: 'with its cache' },
  { name: 'when its page cache is deleted', reopens: 'without its cache' },
  { name: 'with a checkpoint at almost every commit', reopens: 'with its cache', options: { dirtyBytes: 2000, cacheBytes: 20_000 } },
];

const REOPEN_EVERY = 40;

async function run(seed: number, { reopens, options }: Way): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-model-'));
  const clock = new SteppedClock();
  const opening = async (): Promise<Opened> => {
    const db = await open(folder, { ...options, clock });
    const close = async (): Promise<void> => {
      await db.verify();
      await db.close();
    };
    return { commands: withoutNames(db), clock, head: () => db.stats()['log_sequence'], close };
  };
  try {
    await compare(openModel, opening, seed, STEPS, {
      onStep: async (step, _model, engine) => {
        if (reopens === undefined || step === 0 || step % REOPEN_EVERY !== 0) return;
        await engine.close();
        if (reopens === 'without its cache') rmSync(join(folder, 'cache'), { recursive: true, force: true });
        return { b: await opening() };
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the engine answers as the naive model does', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const way = WAYS[seed % WAYS.length];
    test(`seed ${seed}, ${way.name}`, () => run(seed, way));
  }
});
