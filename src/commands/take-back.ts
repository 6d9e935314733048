/** What undoing a merge and undoing an agent have in common: what is in the way refuses it, or is left alone and counted. */
import type { SqlState } from '../base/errors/sqlstate.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Context } from '../worlds/context.ts';
import { planTakeBack, type Taken } from '../worlds/merge/take-back.ts';
import type { Blocked } from '../worlds/merge/undone-columns.ts';
import type { World } from '../worlds/world.ts';

/** `what`: of which kind one and several rows are. 40001 for rows that changed since; else the SQLSTATE of what is in the way. */
export function takeBack(
  context: Context,
  world: World,
  taken: Taken,
  what: (rows: string) => string,
  skip: boolean,
): { changes: TreeChanges[]; skipped: number } {
  const { changes, changed, blocked, left } = planTakeBack(context.engine.pager, context.objects, taken, skip);
  if (blocked.length > 0) throw cannotBeUndone(blocked, changed, skip);
  if (!skip) refuseChangedSince(changed, what, world);
  return { changes, skipped: changed.length + left };
}

/** 40001, naming the first of them. */
function refuseChangedSince(changed: readonly string[], what: (rows: string) => string, world: World): void {
  if (changed.length === 0) return;
  const shown = changed.slice(0, 5).join(', ') + (changed.length > 5 ? ` and ${changed.length - 5} more` : '');
  const rows = `row${changed.length === 1 ? '' : 's'}`;
  throw new SvcError('40001', `${changed.length} ${what(rows)} changed since in "${world.name}": ${shown}`, {
    hint: 'Undo with `skip_changed: true` to leave those as they are.',
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
