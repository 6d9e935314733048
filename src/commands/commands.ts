/**
 * All commands over one engine. Each says what it is: `read` is answered also during an outage, `write` is not, and
 * `grow` is refused above the ceiling of the disk as well.
 */
import { Context } from '../worlds/context.ts';
import type { Actor, BatchInput, Commands } from './contract.ts';
import { diffWorlds } from './diff.ts';
import { type MergeGuard, NO_GUARD } from './merge-guard.ts';
import { findRows } from './find.ts';
import { mergeWorld, previewMerge, rebaseWorld, undoMerge } from './merge.ts';
import { batchRows, deleteRow, getRow, putRow } from './rows.ts';
import { checkpointWorld, confirmWorld, discardWorld, forkWorld, listWorlds, restoreWorld, setMeta, viewWorld, worldHistory } from './worlds.ts';

/** The database's own user. */
const OWNER: Actor = { name: '' };

export function commandsOver(context: Context, guard: MergeGuard = NO_GUARD): Commands {
  const { engine } = context;
  return {
    get: (input) => engine.read(() => getRow(context, input)),
    put: (input, actor = OWNER) => engine.grow(() => putRow(context, input, actor)),
    delete: (input, actor = OWNER) => engine.write(() => deleteRow(context, input, actor)),
    batch: (input, actor = OWNER) =>
      onlyDeletes(input) ? engine.write(() => batchRows(context, input, actor)) : engine.grow(() => batchRows(context, input, actor)),
    find: (input) => engine.read(() => findRows(context, input)),
    fork: (input, actor = OWNER) => engine.grow(() => forkWorld(context, input, actor, guard)),
    branches: () => engine.read(() => listWorlds(context)),
    world: (input) => engine.read(() => viewWorld(context, input)),
    set_meta: (input, actor = OWNER) => engine.grow(() => setMeta(context, input, actor, guard)),
    history: (input) => engine.read(() => worldHistory(context, input)),
    checkpoint: (input, actor = OWNER) => engine.grow(() => checkpointWorld(context, input, actor)),
    restore: (input, actor = OWNER) => engine.grow(() => restoreWorld(context, input, actor)),
    rollback: ({ branch, checkpoint }, actor = OWNER) => engine.grow(() => restoreWorld(context, { branch, checkpoint }, actor)),
    undo_merge: (input, actor = OWNER) => engine.grow(() => undoMerge(context, input, actor)),
    discard: (input, actor = OWNER) => engine.write(() => discardWorld(context, input, actor)),
    diff: (input) => engine.read(() => diffWorlds(context, input, guard)),
    merge: (input, actor = OWNER) => engine.write(() => mergeWorld(context, input, actor, guard)),
    preview: (input, actor = OWNER) => engine.read(() => previewMerge(context, input, actor, guard)),
    rebase: (input, actor = OWNER) => engine.write(() => rebaseWorld(context, input, actor, guard)),
    confirm: (input, actor = OWNER) => engine.write(() => confirmWorld(context, input, actor)),
  };
}

function onlyDeletes({ rows }: BatchInput): boolean {
  return Array.isArray(rows) && rows.every((row) => row?.record === null);
}
