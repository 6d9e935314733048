/** The comparison must be able to fail: broken models are found out, the sound one is not. */
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { BatchInput, FindInput, FindReply, ForkInput } from '../../src/commands/contract.ts';
import { compare } from '../suite/compare.ts';
import type { Open } from '../suite/open.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';
import { NaiveModel } from './naive-model.ts';
import { openModel } from './open-model.ts';
import { planMerge } from './three-way.ts';

class IgnoresDeletes extends NaiveModel {
  protected override planMerge: typeof planMerge = (sides, options) => {
    const plan = planMerge(sides, options);
    return { ...plan, changes: plan.changes.filter(({ after }) => after !== null) };
  };
}

class IgnoresColumns extends NaiveModel {
  protected override planMerge: typeof planMerge = (sides, options) => planMerge(sides, { ...options, columns: false });
}

class MovesNoBase extends NaiveModel {
  protected override planMerge: typeof planMerge = (sides, options) => ({ ...planMerge(sides, options), baseChanges: [] });
}

class ForksNow extends NaiveModel {
  override fork(input: ForkInput): ReturnType<NaiveModel['fork']> {
    return super.fork({ ...input, from: input.from?.split('@')[0] });
  }
}

class DropsLastOfBatch extends NaiveModel {
  override batch(input: BatchInput): ReturnType<NaiveModel['batch']> {
    return super.batch({ ...input, rows: input.rows.length > 4 ? input.rows.slice(0, -1) : input.rows });
  }
}

class TakesNullForAbsent extends NaiveModel {
  override async find(input: FindInput): Promise<FindReply> {
    const reply = await super.find(input);
    for (const { row } of reply.hits) for (const [name, value] of Object.entries(row)) if (value === null) delete row[name];
    return reply;
  }
}

class RefusesWithAnotherCode extends NaiveModel {
  override async undo_merge(...args: Parameters<NaiveModel['undo_merge']>): ReturnType<NaiveModel['undo_merge']> {
    return super.undo_merge(...args).catch((error: SvcError) => {
      throw new SvcError(error.code === '55000' ? '22023' : error.code, error.message);
    });
  }
}

const SEEDS = [1, 2, 3];
const STEPS = 250;

function opening(Model: typeof NaiveModel): Open {
  return async () => {
    const clock = new SteppedClock();
    const model = new Model(clock);
    return { commands: model, clock, head: () => model.head, close: async () => {} };
  };
}

describe('canary', () => {
  test('the model agrees with itself, and every command is both accepted and, where it can be, refused', async () => {
    const accepted = new Set<string>();
    const codes = new Set<string>();
    for (const seed of SEEDS) {
      const { outcomes } = await compare(openModel, openModel, seed, STEPS);
      for (const [name, { ok, refused }] of Object.entries(outcomes)) {
        if (ok > 0) accepted.add(name);
        for (const code of Object.keys(refused)) codes.add(code);
      }
    }
    expect([...accepted].sort()).toEqual([
      'batch',
      'branches',
      'checkpoint',
      'delete',
      'diff',
      'discard',
      'find',
      'fork',
      'get',
      'history',
      'merge',
      'preview',
      'put',
      'rebase',
      'restore',
      'rollback',
      'set_meta',
      'undo_merge',
      'world',
    ]);
    expect([...codes].sort()).toEqual(
      expect.arrayContaining(['02000', '22023', '25006', '2BP01', '3D000', '40001', '42704', '42710', '42P04', '55000', 'SV409']),
    );
  });

  for (const Broken of [IgnoresDeletes, IgnoresColumns, MovesNoBase, ForksNow, DropsLastOfBatch, TakesNullForAbsent, RefusesWithAnotherCode]) {
    test(`a model that is broken is found out: ${Broken.name}`, async () => {
      const found: string[] = [];
      for (const seed of SEEDS) await compare(openModel, opening(Broken), seed, STEPS).catch((error: Error) => found.push(error.message));
      expect(found.length).toBeGreaterThan(0);
      expect(found[0]).toMatch(/^seed \d+, step \d+: the two differ/);
    });
  }
});
