/** Common part of undoing a merge and undoing an agent: obstacles refuse the undo, or are skipped and counted. */
import type { SqlState } from '../base/errors/sqlstate.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { isBeside, type TreeChanges } from '../events/changes.ts';
import type { Context } from '../worlds/context.ts';
import { inTurns, LOST_MAX } from '../base/slices.ts';
import type { RunControl, TableSummary } from './contract.ts';
import { rowKey } from '../worlds/keys.ts';
import { byDeletes, hasRows, tally } from '../worlds/merge/summary.ts';
import { planUndo, type UndoInput } from '../worlds/merge/undo-plan.ts';
import type { Blocked } from '../worlds/merge/undone-columns.ts';
import type { World } from '../worlds/world.ts';

/** The undo's changes, and the number of skipped rows. */
export interface Back {
  readonly changes: TreeChanges[];
  readonly skipped: number;
}

/** What to undo in a world, at its version. */
export interface Undoing<T> {
  readonly world: World;
  readonly version: number;
  readonly input: UndoInput;
  /** Wording for one and for several rows. */
  readonly what: (rows: string) => string;
  commit(back: Back): T;
}

/** Maximum number of times that the world may change during planning. */
const TRIES_MAX = 20;

/**
 * Plans the undo while other clients run, and commits it in a tick in which the world is as it was planned for; otherwise
 * `look` is called again. 40001 for rows changed since; else the SQLSTATE of the obstacle.
 */
export async function commitUndo<T>(
  context: Context,
  look: () => Undoing<T> | Promise<Undoing<T>>,
  skip: boolean,
  { signal }: RunControl,
): Promise<Awaited<T>> {
  const { engine } = context;
  const { objects, worlds } = context.state;
  const isAsWas = ({ world, version }: Undoing<T>): boolean => world.version === version && world.status === 'open' && worlds.byNumber(world.number) === world;
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const found = look();
    const undoing = found instanceof Promise ? await found : found;
    if (!isAsWas(undoing)) continue;
    const { input } = undoing;
    const planned = inTurns(planUndo(engine.pager, objects, input, skip), tries <= LOST_MAX, {
      roots: () => [input.now, input.then, input.before],
      hold: (root) => engine.hold(root),
      between: () => signal?.throwIfAborted(),
    });
    const { changes, changed, blocked, left } = planned instanceof Promise ? await planned : planned;
    if (planned instanceof Promise && !isAsWas(undoing)) continue;
    if (blocked.length > 0) throw cannotBeUndone(blocked, changed, skip);
    if (!skip) refuseChangedSince(changed, undoing.what, undoing.world);
    return await undoing.commit({ changes, skipped: changed.length + left });
  }
  throw new SvcError('40001', 'the world changed each time it was known what goes back', { hint: 'Try again.' });
}

/** Rows named in a dry run. */
const KEYS_SHOWN = 1000;

/** What a dry run shows: counts by table, those that lose most first, and the first keys. */
export function wouldGoBack(context: Context, world: World, changes: readonly TreeChanges[]): { summary: TableSummary[]; keys: string[] } {
  const { byNumber } = context.catalog(world);
  const summary: TableSummary[] = [];
  const keys: string[] = [];
  for (const { tree, rows } of changes) {
    const table = isBeside(tree) ? undefined : byNumber.get(tree);
    if (table === undefined) continue;
    const count: TableSummary = { table: table.name, deleted: 0, updated: 0, inserted: 0 };
    for (const { key, before, after } of rows) {
      tally(count, before, after);
      if (keys.length < KEYS_SHOWN) keys.push(rowKey(context.typed, table, key));
    }
    if (hasRows(count)) summary.push(count);
  }
  return { summary: summary.sort(byDeletes), keys };
}

/** 40001, naming the first rows. */
function refuseChangedSince(changed: readonly string[], what: (rows: string) => string, world: World): void {
  if (changed.length === 0) return;
  const shown = changed.slice(0, 5).join(', ') + (changed.length > 5 ? ` and ${changed.length - 5} more` : '');
  const rows = `row${changed.length === 1 ? '' : 's'}`;
  throw new SvcError('40001', `${changed.length} ${what(rows)} changed since in "${world.name}": ${shown}`, {
    hint: 'Undo with SKIP CHANGED (`skip_changed: true`) to leave those as they are.',
    data: { changed },
  });
}

function cannotBeUndone(blocked: readonly Blocked[], changed: readonly string[], skip: boolean): SvcError {
  const [first] = blocked;
  const more = blocked.length === 1 ? '' : ` (and ${blocked.length - 1} more)`;
  return new SvcError(first.code as SqlState, `cannot be undone: ${first.explanation}${more}`, {
    hint: skip
      ? 'Change or delete what is in the way, then undo.'
      : 'Change or delete what is in the way, or undo with SKIP CHANGED (`skip_changed: true`) to leave it alone.',
    status: 409,
    data: {
      conflicts: blocked.map(({ code, key, explanation }) => ({ key, base: null, ours: null, theirs: null, explanation, code })),
      ...(changed.length === 0 ? {} : { changed }),
    },
  });
}
