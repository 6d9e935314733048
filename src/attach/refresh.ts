/** Refresh: all attached tables are read again in one snapshot, and rows that differ are taken into `main`. Open worlds meet them when they rebase. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import type { TreeChanges } from '../events/changes.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import { leaves, rowsBelow } from '../tree/read.ts';
import { inTurns, Slices } from '../base/slices.ts';
import { changedTrees } from '../worlds/changes-between.ts';
import type { Context } from '../worlds/context.ts';
import { copiedRows, copyOut } from './copy-rows.ts';
import { mirroredSteps, type MirroredRow } from './mirrored-rows.ts';
import { RowTexts } from './row-texts.ts';
import type { SourceConnection } from './source-connection.ts';

export interface RefreshedTable {
  table: string;
  inserted: number;
  updated: number;
  deleted: number;
}

export type OnProgress = (table: string, rows: number) => void;

/** The changes of `root` (pinned, a state of `main`) that make its attached tables those of the snapshot. */
export async function differences(
  context: Context,
  root: Node,
  from: SourceConnection,
  tables: readonly AttachedTable[],
  onProgress: OnProgress,
): Promise<{ changes: TreeChanges[]; tables: RefreshedTable[] }> {
  const { engine } = context;
  const catalog = context.catalog(context.writable('main'));
  const list: MirroredRow[] = [];
  const counts: RefreshedTable[] = [];
  for (const table of tables) {
    const rows = new RowTexts(catalog, table);
    const count = { table: table.name, inserted: 0, updated: 0, deleted: 0 };
    counts.push(count);
    await compareTable(context, childRoot(engine.pager, root, rows.table.number), rows, from, list, count, onProgress);
  }
  const changes = await inTurns(mirroredSteps(context, root, list), true, { roots: () => [root], hold: (each) => engine.hold(each), between: () => {} });
  return { changes, tables: counts };
}

async function compareTable(
  context: Context,
  tree: Node | null,
  rows: RowTexts,
  from: SourceConnection,
  list: MirroredRow[],
  count: RefreshedTable,
  onProgress: OnProgress,
): Promise<void> {
  const { pager } = context.engine;
  const open = rows.attached.columns.map(({ mask }) => mask === null);
  /** A bit a row of the tree, by its place: Postgres has it. */
  const met = new Uint8Array(Math.ceil((tree?.count ?? 0) / 8));
  const slices = new Slices();
  let read = 0;
  for await (const lines of copiedRows(await copyOut(from, rows.attached, 'text'))) {
    for (const texts of lines) {
      const key = rows.key(texts);
      read++;
      const row = rowIn(pager, tree, key);
      if (row === null) {
        count.inserted++;
        list.push({ rows, key, texts });
      } else {
        const place = rowsBelow(pager, tree!, key);
        met[place >> 3] |= 1 << (place & 7);
        const known = rows.of(row);
        if (known.some((text, i) => open[i] && text !== texts[i])) {
          count.updated++;
          list.push({ rows, key, texts });
        }
      }
      if (slices.over) await slices.rest();
    }
    onProgress(rows.attached.name, read);
  }
  if (tree === null || read - count.inserted === tree.count) return;
  let place = 0;
  for (const { leaf } of leaves(pager, tree, null)) {
    for (let i = 0; i < leaf.count; i++, place++) {
      if ((met[place >> 3] & (1 << (place & 7))) !== 0) continue;
      count.deleted++;
      list.push({ rows, key: leaf.key(i), texts: null });
    }
    if (slices.over) await slices.rest();
  }
}

/** 40001 if attached tables of `main` are not as they were when the refresh began. */
export function refuseMoved(context: Context, then: Node, tables: readonly AttachedTable[]): void {
  const { pager } = context.engine;
  const main = context.writable('main');
  const catalog = context.catalog(main);
  const moved = new Set(changedTrees(pager, then, main.root).map(({ tree }) => tree));
  for (const { name } of tables) {
    const number = catalog.tables.get(name)?.number ?? 0;
    if (!moved.has(number)) continue;
    throw new SvcError('40001', `table ${name} of main changed during the refresh`, { hint: 'Refresh again.' });
  }
}
