/** All commands over one engine. */
import { Context } from '../worlds/context.ts';
import type { Actor, Commands } from './contract.ts';
import { diffWorlds } from './diff.ts';
import { findRows } from './find.ts';
import { mergeWorld, previewMerge, rebaseWorld, undoMerge } from './merge.ts';
import { batchRows, deleteRow, getRow, putRow } from './rows.ts';
import { checkpointWorld, confirmWorld, discardWorld, forkWorld, listWorlds, restoreWorld, setMeta, viewWorld, worldHistory } from './worlds.ts';

/** The database's own user. */
const OWNER: Actor = { name: '' };

export function commandsOver(context: Context): Commands {
  return {
    get: (input) => getRow(context, input),
    put: (input, actor = OWNER) => putRow(context, input, actor),
    delete: (input, actor = OWNER) => deleteRow(context, input, actor),
    batch: (input, actor = OWNER) => batchRows(context, input, actor),
    find: (input) => findRows(context, input),
    fork: (input, actor = OWNER) => forkWorld(context, input, actor),
    branches: () => listWorlds(context),
    world: (input) => viewWorld(context, input),
    set_meta: (input, actor = OWNER) => setMeta(context, input, actor),
    history: (input) => worldHistory(context, input),
    checkpoint: (input, actor = OWNER) => checkpointWorld(context, input, actor),
    restore: (input, actor = OWNER) => restoreWorld(context, input, actor),
    rollback: ({ branch, checkpoint }, actor = OWNER) => restoreWorld(context, { branch, checkpoint }, actor),
    undo_merge: (input, actor = OWNER) => undoMerge(context, input, actor),
    discard: (input, actor = OWNER) => discardWorld(context, input, actor),
    diff: (input) => diffWorlds(context, input),
    merge: (input, actor = OWNER) => mergeWorld(context, input, actor),
    preview: (input) => previewMerge(context, input),
    rebase: (input, actor = OWNER) => rebaseWorld(context, input, actor),
    confirm: (input, actor = OWNER) => confirmWorld(context, input, actor),
  };
}
