/**
 * Lists worlds, oldest first, in time slices: fifty thousand views take half a second. The list is not a snapshot: a world
 * that is created or ended meanwhile may be missing; every other one appears exactly once.
 */
import type { WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { Slices } from '../base/slices.ts';
import type { Context } from '../worlds/context.ts';
import { numberOfId, worldId } from '../worlds/names.ts';
import type { WorldRecord } from '../worlds/world.ts';
import type { BranchesInput, WorldView } from './contract.ts';

/** Records per step: about a millisecond. */
const STEP_WORLDS = 100;

export async function listWorlds(context: Context, { limit, after, prefix }: BranchesInput = {}): Promise<{ branches: WorldView[]; next?: string | null }> {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.worldsLimitMax))
    throw new SvcError('22023', `limit must be an integer from 1 to ${LIMITS.worldsLimitMax}`);
  const branches: WorldView[] = [];
  let last: WorldRecord | null = null;
  let isMore = false;
  const slices = new Slices();
  const begun = after === undefined ? 0 : numberAfter(context, after);
  const steps = prefix === undefined || prefix === '' ? all(context, begun) : named(context, prefix, begun);
  for (const step of steps) {
    for (const world of step) {
      if (branches.length === limit) {
        isMore = true;
        break;
      }
      branches.push(context.view(world));
      last = world;
      if (slices.over) await slices.rest();
    }
    if (isMore) break;
    if (slices.over) await slices.rest();
  }
  await context.engine.durable(context.engine.log.head);
  if (limit === undefined) return { branches };
  return { branches, next: isMore ? worldId(last!.number, last!.created) : null };
}

/** The number for a name or an id. An id may be of an ended world: the worlds after it are still known. */
function numberAfter(context: Context, after: string): number {
  const number = numberOfId(after) ?? context.find(after)?.number;
  if (number === undefined)
    throw new SvcError('3D000', `there is no world "${after.slice(0, 80)}" to list worlds after`, {
      hint: 'Send the `next` of the page before, or the name or id of a world.',
    });
  return number;
}

function* all(context: Context, begun: number): Generator<WorldRecord[]> {
  for (let after = begun; ;) {
    const step = context.state.worlds.records(after, STEP_WORLDS);
    if (step.length === 0) return;
    yield step;
    after = step[step.length - 1].number;
  }
}

/** Uses the tree of names, so that the cost depends on the matches of the prefix. */
function* named(context: Context, prefix: string, begun: number): Generator<WorldRecord[]> {
  const numbers: WorldNumber[] = [];
  for (let from: string | null = prefix; from !== null;) {
    const found = context.state.worlds.numbersNamed(prefix, from, STEP_WORLDS * 10);
    for (const number of found.numbers) if (number > begun) numbers.push(number);
    from = found.next;
    yield [];
  }
  numbers.sort((a, b) => a - b);
  for (const number of numbers) {
    const record = context.state.worlds.record(number);
    if (record !== null) yield [record];
  }
}
