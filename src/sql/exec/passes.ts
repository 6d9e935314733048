/**
 * Hash tables that do not fit in memory are built in passes: the input is read several times, and each pass takes the keys of one
 * partition, by a hash. Nothing is spilled; statements read one state of the trees, so an input without volatile functions gives the
 * same rows each time.
 */
import type { Plan } from '../plan/logical.ts';
import { planIsVolatile } from '../plan/rules/walk.ts';
import type { Run } from './run.ts';

/** The partition of keys in this pass. */
export interface Passes {
  count: number;
  current: number;
}

/** Thrown while a table is filled; the caller then uses smaller partitions. */
export class TooLarge extends Error {}

export const PASSES_FACTOR = 4;
export const PASSES_MAX = 1024;

export function mayRepeat(run: Run, plans: readonly Plan[]): boolean {
  return run.context.spill !== null && !plans.some(planIsVolatile);
}

/** The partition of a row's keys. */
export function partOf(count: number, ...keys: unknown[]): number {
  let h = 17;
  for (const key of keys) {
    if (typeof key === 'number') {
      h = Math.imul(h ^ (key | 0), 0x9e3779b1);
      h = Math.imul(h ^ ((key * 1e-9) | 0) ^ ((key * 1e6) | 0), 0x85ebca6b);
    } else {
      const text = String(key);
      for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    }
    h ^= h >>> 15;
  }
  return (h >>> 0) % count;
}
