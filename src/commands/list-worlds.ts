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
import { type Viewed, worldView } from '../worlds/world-view.ts';
import type { WorldRecord } from '../worlds/world.ts';
import type { BranchesInput, WorldView } from './contract.ts';

/** Records per step: about a millisecond. */
const STEP_WORLDS = 100;

export async function listWorlds(context: Context, { limit, after, prefix, at }: BranchesInput = {}): Promise<{ branches: WorldView[]; next?: string | null }> {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.worldsLimitMax))
    throw new SvcError('22023', `limit must be an integer from 1 to ${LIMITS.worldsLimitMax}`);
  const state = at === undefined ? context.state : (await context.stateAt(at)).state;
  const branches: WorldView[] = [];
  let last: WorldRecord | null = null;
  let isMore = false;
  const slices = new Slices();
  const begun = after === undefined ? 0 : numberAfter(state, after);
  const steps = prefix === undefined || prefix === '' ? all(state, begun) : named(state, prefix, begun);
  for (const step of steps) {
    for (const world of step) {
      if (branches.length === limit) {
        isMore = true;
        break;
      }
      branches.push(worldView(state, world));
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
function numberAfter({ worlds }: Viewed, after: string): number {
  const number = numberOfId(after) ?? worlds.everByName(after)?.number;
  if (number === undefined)
    throw new SvcError('3D000', `there is no world "${after.slice(0, 80)}" to list worlds after`, {
      hint: 'Send the `next` of the page before, or the name or id of a world.',
    });
  return number;
}

function* all({ worlds }: Viewed, begun: number): Generator<WorldRecord[]> {
  for (let after = begun; ;) {
    const step = worlds.records(after, STEP_WORLDS);
    if (step.length === 0) return;
    yield step;
    after = step[step.length - 1].number;
  }
}

/** Uses the tree of names, so that the cost depends on the matches of the prefix. */
function* named({ worlds }: Viewed, prefix: string, begun: number): Generator<WorldRecord[]> {
  const numbers: WorldNumber[] = [];
  for (let from: string | null = prefix; from !== null;) {
    const found = worlds.numbersNamed(prefix, from, STEP_WORLDS * 10);
    for (const number of found.numbers) if (number > begun) numbers.push(number);
    from = found.next;
    yield [];
  }
  numbers.sort((a, b) => a - b);
  for (const number of numbers) {
    const record = worlds.record(number);
    if (record !== null) yield [record];
  }
}
