/** The final check of row changes before they are committed to a world, by any caller through any entrance: protection of `main`, and the quota on changes. */
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, countRows, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import { isMain, owns } from '../session/authorize.ts';
import { describe, type Principal } from '../session/principal.ts';
import { quotaOf } from '../session/quotas.ts';
import { changedRows } from '../events/changed-rows.ts';
import { refuseAttached } from './attached-changes.ts';
import { type Catalog, catalogAfter, keyText } from './catalog.ts';
import type { Context } from './context.ts';
import { emptiedRows } from './emptied-rows.ts';
import { rowKey } from './keys.ts';
import type { World } from './world.ts';

/** 42501 if main is protected and this is not a merge, for attached tables also if it undoes none, or past the agent's `max_changes`. */
export function admitChanges(context: Context, by: Principal, world: World, changes: readonly TreeChanges[], how: 'write' | 'merge' | 'undo' = 'write'): void {
  if (how === 'write') refuseAttached(context, world, changes);
  if (how !== 'merge') refuseUnmerged(context, world, changes);
  if (by.kind === 'agent' && quotaOf(by, 'max_changes') > 0) admitRows(by, world, countRows(changes) + emptiedRows(context.engine.pager, world.root, changes));
}

/** 42501 naming a row, of a protected `main` or of an attached table. Sequence positions do not count as changes of `main`. */
export function refuseProtected(context: Context, world: World, changes: readonly TreeChanges[], definitions?: Catalog): void {
  refuseAttached(context, world, changes);
  refuseUnmerged(context, world, changes, definitions);
}

function refuseUnmerged(context: Context, world: World, changes: readonly TreeChanges[], definitions?: Catalog): void {
  if (!isMain(world) || !context.system.protectMain) return;
  const change = changes.find((each) => each.tree !== SEQUENCE_TREE && each.tree !== CATALOG_TREE && changedRows(each) > 0);
  const before = definitions ?? context.catalog(world);
  let what: string;
  if (change === undefined) {
    if (!changes.some((each) => each.tree === CATALOG_TREE && each.rows.length > 0)) return;
    what = 'its definitions change';
  } else {
    // The table may be created by the same changes.
    const made = changes.find((each) => each.tree === CATALOG_TREE)?.rows ?? [];
    const table = before.byNumber.get(change.tree) ?? catalogAfter(before, made).byNumber.get(change.tree);
    const { key } = change.rows[0];
    what = `row ${table === undefined ? keyText(String(key)) : rowKey(context.typed, table, key)} changes`;
  }
  throw new SvcError('42501', `main is protected: ${what} only by merging a world`, {
    hint: 'Fork main, change the fork and merge it; or ALTER SYSTEM SET protect_main = off.',
  });
}

/** 53100 if the folder may not grow and the changes do more than remove rows and definitions. */
export function admitGrowth({ engine }: Context, changes: readonly TreeChanges[]): void {
  try {
    engine.ensureSpace();
  } catch (error) {
    const grows = (each: TreeChanges): boolean =>
      each.tree !== SEQUENCE_TREE && each.rows.some(({ before, after }) => after !== null && (each.tree !== CATALOG_TREE || before === null));
    if (changes.some(grows)) throw error;
  }
}

/** Every changed row counts, each time. */
export function admitRows(by: Principal, world: World, rows: number): void {
  const most = quotaOf(by, 'max_changes');
  if (most === 0 || !owns(by, world)) return;
  if (rows === 0 || world.changed + rows <= most) return;
  throw new SvcError(
    '42501',
    `${describe(by)} may change ${most} rows of world "${world.name}" (max_changes); ${world.changed} were changed, ${rows} more are too many`,
    {
      hint: 'Merge or discard that world and fork another, or ask for a higher quota.',
    },
  );
}
