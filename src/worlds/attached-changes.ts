/** Changes of tables of `main` that are attached to an external Postgres: they are made by merges alone, which are written back. */
import { SvcError } from '../base/errors/svc-error.ts';
import { changedRows } from '../events/changed-rows.ts';
import { CATALOG_TREE, isBeside, type TreeChanges } from '../events/changes.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import type { Event } from '../events/event.ts';
import { isMain } from '../session/authorize.ts';
import type { PendingWriteBack } from './attachment.ts';
import type { Catalog, Table } from './catalog.ts';
import type { Context } from './context.ts';
import { type CatalogObject, catalogObject } from './definition.ts';
import { rowKey } from './keys.ts';
import type { World } from './world.ts';

export interface AttachedRows {
  readonly table: Table;
  readonly attached: AttachedTable;
  readonly changes: TreeChanges;
}

/** The changes of attached tables' rows, by table. */
export function attachedRows(context: Context, catalog: Catalog, changes: readonly TreeChanges[]): AttachedRows[] {
  const { attachment } = context.state;
  const out: AttachedRows[] = [];
  if (attachment.source === null) return out;
  for (const each of changes) {
    if (isBeside(each.tree) || changedRows(each) === 0) continue;
    const table = catalog.byNumber.get(each.tree);
    const attached = table === undefined ? null : attachment.named(table.name);
    if (attached !== null) out.push({ table: table!, attached, changes: each });
  }
  return out;
}

/** An attached table whose definition changes, so that Postgres would not take its rows; null: none. Plain indexes, comments, masks and triggers may change. */
export function redefinedTable(context: Context, catalog: Catalog, changes: readonly TreeChanges[]): Table | null {
  const { attachment } = context.state;
  if (attachment.source === null) return null;
  for (const each of changes) {
    // Rows of a bulk load are made when they are read.
    if (each.tree !== CATALOG_TREE) continue;
    for (const { before, after } of each.rows) {
      for (const text of [before?.[0], after?.[0]]) {
        const number = typeof text === 'string' ? definesTable(catalogObject(text)) : null;
        const table = number === null ? undefined : catalog.byNumber.get(number);
        if (table !== undefined && attachment.named(table.name) !== null) return table;
      }
    }
  }
  return null;
}

function definesTable(object: CatalogObject): number | null {
  switch (object.what) {
    case 'relation':
      return object.number;
    case 'check':
    case 'foreign key':
      return object.table;
    case 'index':
      return object.unique ? object.table : null;
    default:
      return null;
  }
}

/** 42501 for a change of attached tables in `main` that is not a merge. */
export function refuseAttached(context: Context, world: World, changes: readonly TreeChanges[]): void {
  if (context.state.attachment.source === null || !isMain(world)) return;
  const catalog = context.catalog(world);
  const [first] = attachedRows(context, catalog, changes);
  const redefined = first === undefined ? redefinedTable(context, catalog, changes) : null;
  if (first === undefined && redefined === null) return;
  const what = first === undefined ? `table ${redefined!.name}` : `row ${rowKey(context.typed, first.table, first.changes.rows[0].key)}`;
  throw new SvcError('42501', `${what} is attached to Postgres: in main it changes only by merging a world`, {
    hint:
      first === undefined
        ? 'Change the definition in Postgres, then attach the table again.'
        : 'Fork main, change the fork and merge it: the merge is written to Postgres.',
  });
}

/** 55000 for events of the worlds of a write-back whose fate in Postgres is not known. */
export function refusePending(pending: PendingWriteBack, event: Event, world: number): void {
  switch (event.type) {
    case 'committed':
    case 'merged':
    case 'undone':
    case 'rebased':
    case 'discarded':
      break;
    default:
      return;
  }
  const { branch, into } = pending;
  if (world !== into && world !== branch && !(event.type === 'merged' && event.branch === branch)) return;
  throw new SvcError('55000', `Postgres is committing a merge (transaction ${pending.xid}): until that has ended, main and the merged world do not change`, {
    hint: 'Try again. If that takes long, the operation `attachment` shows what is known.',
  });
}
