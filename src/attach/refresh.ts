/** Refresh: all attached tables are read again in one snapshot, and rows that differ are taken into `main`. Open worlds meet them when they rebase. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Key } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import { scan } from '../tree/read.ts';
import { Slices } from '../base/slices.ts';
import { changedTrees } from '../worlds/changes-between.ts';
import type { Context } from '../worlds/context.ts';
import { copiedRows, copyOut } from './copy-rows.ts';
import { mirrored, type MirroredRow } from './mirrored-rows.ts';
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
  const catalog = context.catalog(context.writable('main'));
  const list: MirroredRow[] = [];
  const counts: RefreshedTable[] = [];
  for (const table of tables) {
    const rows = new RowTexts(catalog, table);
    const before = list.length;
    await compareTable(context, childRoot(context.engine.pager, root, rows.table.number), rows, from, list, onProgress);
    const made = { table: table.name, inserted: 0, updated: 0, deleted: 0 };
    const tree = childRoot(context.engine.pager, root, rows.table.number);
    for (const { key, texts } of list.slice(before)) {
      if (texts === null) made.deleted++;
      else if (rowIn(context.engine.pager, tree, key) === null) made.inserted++;
      else made.updated++;
    }
    counts.push(made);
  }
  return { changes: mirrored(context, root, list), tables: counts };
}

async function compareTable(
  context: Context,
  tree: Node | null,
  rows: RowTexts,
  from: SourceConnection,
  list: MirroredRow[],
  onProgress: OnProgress,
): Promise<void> {
  const { pager } = context.engine;
  const open = rows.attached.columns.map(({ mask }) => mask === null);
  const seen = new Set<Key>();
  const slices = new Slices();
  let made = 0;
  for await (const lines of copiedRows(await copyOut(from, rows.attached, 'text'))) {
    for (const texts of lines) {
      const key = rows.key(texts);
      seen.add(key);
      const row = rowIn(pager, tree, key);
      const known = row === null ? null : rows.of(row);
      if (known === null) made++;
      if (known === null || known.some((text, i) => open[i] && text !== texts[i])) list.push({ rows, key, texts });
      if (slices.over) await slices.rest();
    }
    onProgress(rows.attached.name, seen.size);
  }
  if (tree === null || seen.size - made === tree.count) return;
  const gone: Key[] = [];
  scan(pager, tree, null, (leaf, first, end) => {
    for (let i = first; i < end; i++) if (!seen.has(leaf.key(i))) gone.push(leaf.key(i));
    return true;
  });
  for (const key of gone) list.push({ rows, key, texts: null });
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
