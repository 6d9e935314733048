/** The table of merges over trees in memory: what the plan changes, and which rows it finds in conflict. No log, no disk, no SQL. */
import { expect, test } from 'vitest';
import { ObjectsProjection } from '../../../projections/objects/objects.ts';
import { MemoryPageStore } from '../../../src/storage/memory-page-store.ts';
import { childRoot } from '../../../src/tree/directory.ts';
import type { Node } from '../../../src/tree/node.ts';
import { Pager } from '../../../src/tree/pager.ts';
import { scan } from '../../../src/tree/read.ts';
import { emptyTree } from '../../../src/tree/write.ts';
import { applyToWorld } from '../../../src/worlds/apply.ts';
import { readCatalog } from '../../../src/worlds/catalog.ts';
import { rowRecord } from '../../../src/worlds/document.ts';
import { idKey, parseRowKey, rowKey } from '../../../src/worlds/keys.ts';
import { planMerge, type Side } from '../../../src/worlds/merge/plan.ts';
import type { TypedTables } from '../../../src/worlds/typed-tables.ts';
import { RowWriter } from '../../../src/worlds/row-writer.ts';
import { flipped } from '../../suite/merge-table.ts';
import { MERGE_CASES, type MergeCase } from '../../suite/merge-cases.ts';
import type { State } from '../../suite/open.ts';

/** All cases have document tables, so typed tables are never used. */
const TYPED = {} as TypedTables;

/** A world's directory with the rows `to`, made of the one that has `from`. */
function written(pager: Pager, objects: ObjectsProjection, root: Node, from: State, to: State): Node {
  const writer = new RowWriter(pager, objects, root, readCatalog(pager, root));
  for (const key of Object.keys(from)) {
    const { table, id } = parseRowKey(key);
    if (!Object.hasOwn(to, key)) writer.delete(table, idKey(id));
  }
  for (const [key, record] of Object.entries(to)) {
    const { table, id } = parseRowKey(key);
    writer.put(table, id, idKey(id), record);
  }
  return applyToWorld(pager, root, writer.finish(), pager.newEdit());
}

function stateOf(pager: Pager, root: Node): State {
  const state: State = {};
  for (const table of readCatalog(pager, root).tables.values()) {
    const rows = childRoot(pager, root, table.number);
    if (rows === null) continue;
    scan(pager, rows, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) state[rowKey(TYPED, table, leaf.key(i))] = rowRecord(TYPED, table, leaf, i);
    });
  }
  return state;
}

function run({ base, ours, theirs, options = {}, merged, conflicts = [] }: MergeCase): void {
  const pager = new Pager(new MemoryPageStore(), 1 << 20, 1);
  const objects = new ObjectsProjection(pager, null);
  const sideOf = (name: string, root: Node): Side => ({ name, root, catalog: readCatalog(pager, root) });
  const start = written(pager, objects, emptyTree(true, pager.newEdit()), {}, base);
  const here = written(pager, objects, start, base, ours);
  const plan = planMerge(
    pager,
    objects,
    {
      ...options,
      typed: TYPED,
      base: sideOf('branch', start),
      ours: sideOf('into', here),
      theirs: sideOf('branch', written(pager, objects, start, base, theirs)),
      resolve: options.resolve ?? 'fail',
      columns: options.columns === true,
    },
    { rows: true, baseChanges: false },
  );
  expect(plan.conflicts.map(({ key }) => key)).toEqual(conflicts);
  expect(stateOf(pager, here), 'a plan changes nothing').toEqual(ours);
  if (conflicts.length > 0) return;
  expect(stateOf(pager, applyToWorld(pager, here, plan.changes, pager.newEdit()))).toEqual(merged);
}

test.each(MERGE_CASES.map((each) => [each.name, each] as const))('%s', (_name, each) => run(each));

test.each(MERGE_CASES.map((each) => [each.name, flipped(each)] as const))('%s (flipped)', (_name, each) => run(each));
