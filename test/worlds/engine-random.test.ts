/** Random sequences on the engine and on the naive model, with the engine closed and opened again now and then. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { open } from '../../src/database.ts';
import { openModel } from '../model/open-model.ts';
import { compare } from '../suite/compare.ts';
import type { Opened } from '../suite/open.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

const SEEDS = Number(process.env['SVC_COMPARE_SEEDS'] ?? 12);
const FIRST_SEED = Number(process.env['SVC_COMPARE_FIRST_SEED'] ?? 1);
const STEPS = Number(process.env['SVC_COMPARE_STEPS'] ?? 250);

async function run(seed: number, reopenEvery: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-compare-'));
  const clock = new SteppedClock();
  const opening = async (): Promise<Opened> => {
    const { commands, close } = await open(folder, { clock });
    return { commands, clock, close };
  };
  try {
    await compare(openModel, opening, seed, STEPS, {
      // Past moments are compared by their rows; which version and fork point a diff of one has is tested in the suites.
      onStep: async (step, _model, engine) => {
        if (step === 0 || step % reopenEvery !== 0) return;
        await engine.close();
        if (step % (2 * reopenEvery) === 0) rmSync(join(folder, 'cache'), { recursive: true, force: true });
        return { b: await opening() };
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the engine answers as the naive model does', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    test(`seed ${seed}`, () => run(seed, seed % 2 === 0 ? 40 : Infinity));
  }
});
