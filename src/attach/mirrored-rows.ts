/** Changes that bring rows of attached tables to what Postgres has. Its foreign keys hold there, so they are not checked again. */
import { runSteps } from '../base/run-steps.ts';
import { LIBRARY } from '../sql/library/library.ts';
import { StatementWrites } from '../sql/schema/statement-writes.ts';
import { storedCompiler } from '../sql/session/stored-compiler.ts';
import { STORED } from '../sql/types/environment.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Context } from '../worlds/context.ts';
import { refusedRow, type RowTexts, type Texts } from './row-texts.ts';

export interface MirroredRow {
  readonly rows: RowTexts;
  readonly key: Key;
  /** null: Postgres has no such row. */
  readonly texts: Texts | null;
}

/** `root`: not changed in place. 55000 for rows that the tables refuse, also where others that were not read would have to go first. */
export function mirrored(context: Context, root: Node, list: readonly MirroredRow[]): TreeChanges[] {
  return runSteps(mirroredSteps(context, root, list));
}

/** The same in steps, between which `root` is pinned. */
export function* mirroredSteps(context: Context, root: Node, list: readonly MirroredRow[]): Generator<void, TreeChanges[]> {
  if (list.length === 0) return [];
  const { pager } = context.engine;
  const { schema } = list[0].rows;
  const made = storedCompiler(LIBRARY);
  const compiler = made.within?.(schema, pager) ?? made;
  const writes = new StatementWrites({ pager, objects: context.state.objects, schema, root, compiler, env: STORED, enforces: 'none' });
  // Unique keys may move between these rows: all leave before any comes.
  const masked = new Map<MirroredRow, readonly unknown[]>();
  for (const each of list) {
    const writer = writes.writer(each.rows.table);
    const old = writer.read(each.key);
    if (old === null) continue;
    masked.set(each, old);
    writer.delete(each.key);
    yield;
  }
  for (const each of list) {
    if (each.texts === null) continue;
    const { rows, texts } = each;
    const values = rows.values(texts);
    const old = masked.get(each);
    // Masked values stay as they are: Postgres gives others for the same row where a mask is random.
    if (old !== undefined) {
      for (const { name, mask } of rows.attached.columns) {
        const at = mask === null ? -1 : rows.table.columns.findIndex((column) => column.name === name);
        if (at >= 0) values[at] = old[at] as (typeof values)[number];
      }
    }
    try {
      writes.writer(rows.table).insert(values);
    } catch (error) {
      throw refusedRow(error, rows.attached);
    }
    yield;
  }
  return yield* writes.finishSteps();
}
