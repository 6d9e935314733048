/** Undo of a merge: what it changed goes back, also in an external Postgres. */
import type { Sequence } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, countRows, EFFECT_TREE, inverse, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import type { Undone } from '../events/types/undone.ts';
import { decodeEvent } from '../events/codec.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import type { Context } from '../worlds/context.ts';
import { worldId } from '../worlds/names.ts';
import { rowChange, rowIn, ShapeTable } from '../tree/row-change.ts';
import type { World } from '../worlds/world.ts';
import type { MergePreview, RunControl, UndoMergeInput } from './contract.ts';
import { externalPreview } from './preview-merge.ts';
import { rowsOfDefinitions } from './rows-of-definitions.ts';
import { commitUndo, type Undoing, wouldGoBack } from './undo.ts';
import { refuseUnmaskingChanges } from './masks-kept.ts';
import { NOTHING_OVER } from './taken-over.ts';

type UndoReply = { ok: true; parent: string; at: string; undone: number; skipped: number } & Pick<MergePreview, 'postgres'>;

export async function undoMerge(context: Context, input: UndoMergeInput, by: Principal, control: RunControl = {}): Promise<UndoReply> {
  await context.engine.admit();
  return commitUndo(context, () => undoing(context, input, by, control), input.skip_changed === true, control);
}

/** The world's latest merge and its undo against the current state. */
function undoing(context: Context, input: UndoMergeInput, by: Principal, control: RunControl): Undoing<Promise<UndoReply>> {
  const branch = mergedWorld(context, input.branch);
  const note = branch.merges.findLast(({ undone }) => !undone);
  if (branch.merges.length === 0) throw new SvcError('55000', `world "${branch.name}" was never merged`);
  if (note === undefined) throw new SvcError('55000', `the merge of world "${branch.name}" was undone already`);
  const target = context.state.worlds.byNumber(note.into);
  if (target === null) throw new SvcError('55000', `the world that "${branch.name}" was merged into is gone`);
  if (note.sequence < context.engine.log.first || note.sequence <= context.state.history.lastAtOrBefore(target.number, context.horizon)) {
    throw new SvcError('55000', `the merge of "${branch.name}" lies before the history that is kept`, { hint: 'See the setting history_retention.' });
  }
  authorize(by, { what: 'undo' });
  const merge = readMerge(context, note.sequence);
  const { pager } = context.engine;
  const now = context.state.worlds.share(target);
  const then = context.past.rootAt(target.number, note.sequence, now);
  const before = context.past.rootAt(target.number, (note.sequence - 1) as typeof note.sequence, now);
  const undoInput = {
    typed: context.typed,
    name: target.name,
    now,
    then,
    before,
    definitions: merge.changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [],
    // Fields of documents stay: later rows may use them, and an unused one does no harm.
    rows: merge.changes
      .filter(({ tree }) => tree !== CATALOG_TREE && tree !== SEQUENCE_TREE && tree !== EFFECT_TREE)
      .map(({ tree, numeric, rows }) => {
        const old = childRoot(pager, before, tree);
        return { tree, numeric, keys: [...rows].map(({ key }) => key), was: (key: Key) => rowIn(pager, old, key) };
      }),
  };
  return {
    world: target,
    version: target.version,
    input: undoInput,
    what: (rows) => `merged ${rows}`,
    async commit({ changes, skipped }) {
      authorize(by, { what: 'undo' });
      for (const { tree, numeric, rows } of merge.changes) {
        const pending = tree === EFFECT_TREE ? [...rows].flatMap((row) => rowChangeBack(pager, now, row)) : [];
        if (pending.length > 0) changes.push({ tree, numeric, rows: pending });
      }
      refuseUnmaskingChanges(context, by, target, changes);
      admitChanges(context, by, target, changes, context.state.attachment.source === null ? 'write' : 'undo');
      if (input.dry_run === true)
        return {
          ok: true,
          parent: target.name,
          at: formatMicros(context.engine.lastAt),
          undone: countRows(changes) + rowsOfDefinitions(pager, now, changes),
          skipped,
          ...wouldGoBack(context, target, changes),
          ...(await externalPreview(context, target, now, changes, control.signal)),
        };
      const baseChanges =
        branch.status === 'open' && countRows(merge.baseChanges) > 0 && holdsBaseChanges(branch, target, note.sequence)
          ? baseChangesBack(context, branch, target, merge.baseChanges)
          : [];
      const undone = countRows(changes) + rowsOfDefinitions(pager, now, changes);
      const eventOf = (over: ReadonlyMap<number, TreeChanges> = NOTHING_OVER): Undone => ({
        type: 'undone',
        branch: branch.number,
        merge: note.sequence,
        changes: over.size === 0 ? changes : changes.map((each) => over.get(each.tree) ?? each),
        baseChanges,
      });
      const { version } = target;
      let sequence: Sequence;
      if (context.external?.concerns(branch, target, changes) === true) {
        const written = await context.external.write({
          target,
          root: now,
          changes,
          by,
          ...(control.signal === undefined ? {} : { signal: control.signal }),
          held: null,
          keepLocks: false,
          holds: () => target.version === version && target.status === 'open' && context.state.worlds.byNumber(target.number) === target,
          event: (over) => {
            authorize(by, { what: 'undo' });
            return eventOf(over);
          },
        });
        // Planned again: Postgres had other rows, which main has now.
        if ('again' in written) return undoMerge(context, input, by, control);
        sequence = written.done;
      } else ({ sequence } = context.engine.commit(eventOf(), target.number, actorName(by)));
      await context.engine.durable(sequence);
      return { ok: true, parent: target.name, at: formatMicros(context.engine.lastAt), undone, skipped };
    },
  };
}

/** The world whose merge is to be undone: an ended one if a newer one of the name was never merged. */
function mergedWorld(context: Context, name: string): World {
  const named = context.find(name);
  if (named === null)
    throw new SvcError('3D000', `there is no world "${name.slice(0, 80)}"`, { hint: 'Name the world that was merged; its name works after it is gone.' });
  if (named.merges.length > 0 || named.name !== name) return named;
  const merged = context.state.worlds.endedNamed(name).filter(({ number, merges }) => number !== named.number && merges.some(({ undone }) => !undone));
  if (merged.length === 0) return named;
  const ids = merged.map(({ number, created }) => worldId(number, created));
  if (merged.length === 1) return context.find(ids[0])!;
  throw new SvcError('55000', `${merged.length} worlds named "${name}" were merged and are gone: ${ids.slice(-5).join(', ')}, the latest last`, {
    hint: 'Name the one that is meant by its id.',
    status: 409,
    data: { ids },
  });
}

/** The inverse of the merge's `baseChanges` for rows that are unchanged in the common base since. */
function baseChangesBack(context: Context, branch: World, target: World, baseChanges: TreeChanges[]): TreeChanges[] {
  const { pager } = context.engine;
  const [root] = context.state.worlds.common(branch, target).roots;
  return inverse(baseChanges).map(({ tree, numeric, rows }) => {
    const there = childRoot(pager, root, tree);
    return { tree, numeric, rows: [...rows].filter(({ key, before }) => (before === null) === (rowIn(pager, there, key) === null)) };
  });
}

/** Whether the common base still contains what the merge moved: a later full merge has replaced it. */
function holdsBaseChanges(branch: World, target: World, merge: World['merges'][number]['sequence']): boolean {
  for (const [child, parent] of [
    [branch, target],
    [target, branch],
  ]) {
    if (child.parent === parent.number) return Math.max(child.rebased, child.met?.at ?? 0) < merge;
  }
  return branch.met?.pairs?.includes(target.number) === true;
}

/** Effects that the merge brought are removed, if still present. */
function rowChangeBack(pager: Pager, root: Node, { key, before }: RowChange): RowChange[] {
  const now = rowIn(pager, childRoot(pager, root, EFFECT_TREE), key);
  return before === null && now !== null ? [rowChange(key, now, null, new ShapeTable())] : [];
}

function readMerge(context: Context, sequence: World['merges'][number]['sequence']): { changes: TreeChanges[]; baseChanges: TreeChanges[] } {
  for (const record of context.engine.log.read(sequence)) {
    const event = decodeEvent(record.type, record.version, record.payload);
    if (event.type === 'merged') return event;
    break;
  }
  throw new SvcError('XX001', `event ${sequence} should be a merge`);
}
