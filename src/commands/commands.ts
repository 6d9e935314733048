/**
 * All commands over one engine. Each says what it is: `read` is answered also during an outage, `write` is not, and
 * `grow` is refused above the ceiling of the disk as well. Reading needs one right for everything; what changes a world is
 * authorized by the command once it has found the world, in the turn in which it commits.
 */
import { Context } from '../worlds/context.ts';
import { authorize, type Need, READ } from '../session/authorize.ts';
import { OWNER, type Principal } from '../session/principal.ts';
import { chargeWrite } from '../session/quotas.ts';
import { alterAgent, createAgent, dropAgent, listAgents, listAudit } from './agents.ts';
import type { AdminCommands, BatchInput, Commands } from './contract.ts';
import { diffWorlds } from './diff.ts';
import { type MergeGuard, NO_GUARD } from './merge-guard.ts';
import { findRows } from './find.ts';
import { historyOf } from './history.ts';
import { keepWorld } from './keep.ts';
import { mergeWorld, previewMerge, rebaseWorld, undoMerge } from './merge.ts';
import { listSettings, setSetting } from './settings.ts';
import { undoAgent } from './undo-agent.ts';
import { batchRows, deleteRow, getRow, putRow } from './rows.ts';
import { listWorlds } from './list-worlds.ts';
import { checkpointWorld, confirmWorld, discardWorld, forkWorld, restoreWorld, rollbackWorld, setMeta, viewWorld } from './worlds.ts';

export function commandsOver(context: Context, guard: MergeGuard = NO_GUARD): Commands & Omit<AdminCommands, 'verify' | 'backup'> {
  const { engine } = context;
  const look = <T>(by: Principal, need: Need, work: () => Promise<T>): Promise<T> =>
    engine.read(() => {
      authorize(by, need);
      return work();
    });
  const read = <T>(by: Principal, work: () => Promise<T>): Promise<T> => look(by, READ, work);
  const write = <T>(by: Principal, work: () => Promise<T>): Promise<T> =>
    engine.write(() => {
      chargeWrite(by);
      return work();
    });
  const grow = <T>(by: Principal, work: () => Promise<T>): Promise<T> =>
    engine.grow(() => {
      chargeWrite(by);
      return work();
    });
  return {
    get: (input, by = OWNER) => read(by, () => getRow(context, input, by)),
    put: (input, by = OWNER, control = {}) => grow(by, () => putRow(context, input, by, control)),
    delete: (input, by = OWNER, control = {}) => write(by, () => deleteRow(context, input, by, control)),
    batch: (input, by = OWNER, control = {}) => (onlyDeletes(input) ? write : grow)(by, () => batchRows(context, input, by, control)),
    find: (input, by = OWNER) => read(by, () => findRows(context, input, by)),
    fork: (input, by = OWNER) => grow(by, () => forkWorld(context, input, by, guard)),
    branches: (input, by = OWNER) => read(by, () => listWorlds(context, input)),
    world: (input, by = OWNER) => read(by, () => viewWorld(context, input)),
    set_meta: (input, by = OWNER) => grow(by, () => setMeta(context, input, by, guard)),
    history: (input, by = OWNER, control = {}) => read(by, () => historyOf(context, input, by, control)),
    checkpoint: (input, by = OWNER) => grow(by, () => checkpointWorld(context, input, by)),
    restore: (input, by = OWNER) => grow(by, () => restoreWorld(context, input, by)),
    rollback: ({ branch, checkpoint }, by = OWNER) => grow(by, () => rollbackWorld(context, { branch, checkpoint }, by)),
    undo_merge: (input, by = OWNER, control = {}) => grow(by, () => undoMerge(context, input, by, control)),
    discard: (input, by = OWNER) => write(by, () => discardWorld(context, input, by)),
    diff: (input, by = OWNER, control = {}) => read(by, () => diffWorlds(context, input, by, guard, control)),
    merge: (input, by = OWNER, control = {}) => write(by, () => mergeWorld(context, input, by, guard, false, control)),
    preview: (input, by = OWNER, control = {}) => read(by, () => previewMerge(context, input, by, guard, control)),
    rebase: (input, by = OWNER, control = {}) => write(by, () => rebaseWorld(context, input, by, guard, control)),
    confirm: (input, by = OWNER) => write(by, () => confirmWorld(context, input, by)),
    create_agent: (input, by = OWNER) => grow(by, () => createAgent(context, input, by)),
    alter_agent: (input, by = OWNER) => write(by, () => alterAgent(context, input, by)),
    drop_agent: (input, by = OWNER) => write(by, () => dropAgent(context, input, by)),
    agents: (_input, by = OWNER) => look(by, { what: 'admin', as: 'list agents' }, () => listAgents(context)),
    show_agents: (_input, by = OWNER) => read(by, () => listAgents(context)),
    audit: (input, by = OWNER) => look(by, { what: 'admin', as: 'read the audit' }, () => listAudit(context, input)),
    show_audit: (input, by = OWNER) => read(by, () => listAudit(context, input)),
    undo_agent: (input, by = OWNER, control = {}) => grow(by, () => undoAgent(context, input, by, control)),
    keep: (input, by = OWNER) => write(by, () => keepWorld(context, input, by)),
    set_setting: (input, by = OWNER) => write(by, () => setSetting(context, input, by)),
    settings: (_input, by = OWNER) => read(by, () => listSettings(context)),
  };
}

function onlyDeletes({ rows }: BatchInput): boolean {
  return Array.isArray(rows) && rows.every((row) => row?.record === null);
}
