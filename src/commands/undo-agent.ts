/**
 * Undoes what an agent did to a world: its writes, its merges into it and the merges of its worlds that others approved or made,
 * since a time or the start of history. A row is restored to its value before the agent's first write. If another actor wrote the row after that, the undo is refused with
 * those rows named, or skips them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, countRows, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import { decodeEvent, EVENT_TYPES } from '../events/codec.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import type { Context } from '../worlds/context.ts';
import { parseMoment } from '../base/moment.ts';
import { rowIn } from '../tree/row-change.ts';
import type { World } from '../worlds/world.ts';
import type { RunControl, UndoAgentInput, UndoAgentReply } from './contract.ts';
import { rowsOfDefinitions } from './rows-of-definitions.ts';
import { commitUndo, type Undoing, wouldGoBack } from './undo.ts';
import { refuseUnmaskingChanges } from './masks-kept.ts';

const CHANGES = new Set<number>([EVENT_TYPES.committed, EVENT_TYPES.merged, EVENT_TYPES.undone, EVENT_TYPES.rebased]);
/** Time slice for reading the log. */
const SLICE_MS = 20;

interface Touched {
  /** The agent's first event on the row. */
  first: Sequence;
  /** Another actor wrote it before that, after the first event in the range. */
  late: boolean;
  /** Another actor wrote it after the agent. */
  changed: boolean;
}

interface Tracked {
  numeric: boolean;
  rows: Map<Key, Touched>;
  others: Set<Key>;
}

type UndoReply = UndoAgentReply;

export async function undoAgent(context: Context, input: UndoAgentInput, by: Principal, control: RunControl = {}): Promise<UndoReply> {
  await context.engine.admit();
  return commitUndo(context, () => undoing(context, input, by, control), input.skip_changed === true, control);
}

/** The agent's changes and their undo against the current state. */
async function undoing(context: Context, input: UndoAgentInput, by: Principal, { signal }: RunControl): Promise<Undoing<Promise<UndoReply>>> {
  const world = context.writable(input.branch);
  authorize(by, { what: 'undo' });
  const { agents } = context.state;
  if (input.name !== 'guest' && agents.lastByName(input.name) === null)
    throw new SvcError('42704', `there is no agent "${input.name.slice(0, 64)}"`, { hint: 'SHOW AGENTS lists them.' });
  const from = sinceOf(context, input.since);
  const { trees, definitions, mixed, last, firstOf } = await touchedBy(context, world, input.name, from, signal);
  // From here on the world must not change.
  if (context.writable(input.branch) !== world) throw new SvcError('3D000', `world "${world.name}" is gone`);
  const { pager } = context.engine;
  const now = context.state.worlds.share(world);
  const rootBefore = (sequence: Sequence): Node => context.past.rootAt(world.number, (sequence - 1) as Sequence, now);
  const before = firstOf === null ? now : rootBefore(firstOf);
  const then = firstOf === null ? now : context.past.rootAt(world.number, last, now);
  const undoInput = {
    typed: context.typed,
    name: world.name,
    now,
    then,
    before,
    definitions,
    mixed,
    rows: [...trees]
      .sort(([a], [b]) => a - b)
      .map(([tree, { numeric, rows }]) => {
        const original = childRoot(pager, before, tree);
        return {
          tree,
          numeric,
          keys: [...rows.keys()].sort((a, b) => (a < b ? -1 : 1)),
          was: (key: Key) => rowIn(pager, rows.get(key)!.late ? childRoot(pager, rootBefore(rows.get(key)!.first), tree) : original, key),
          isChanged: (key: Key) => rows.get(key)?.changed === true,
        };
      }),
  };
  return {
    world,
    version: world.version,
    input: undoInput,
    what: (rows) => `${rows} of agent "${input.name}"`,
    async commit({ changes, skipped }) {
      authorize(by, { what: 'undo' });
      refuseUnmaskingChanges(context, by, world, changes);
      admitChanges(context, by, world, changes);
      if (input.dry_run === true)
        return {
          ok: true,
          world: world.name,
          undone: countRows(changes) + rowsOfDefinitions(pager, now, changes),
          skipped,
          ...wouldGoBack(context, world, changes),
        };
      if (changes.length === 0) return { ok: true, world: world.name, undone: 0, skipped };
      const undone = countRows(changes) + rowsOfDefinitions(pager, now, changes);
      const { sequence } = context.engine.commit({ type: 'committed', how: 'restore', changes }, world.number, actorName(by));
      await context.engine.durable(sequence);
      return { ok: true, world: world.name, undone, skipped };
    },
  };
}

function ownerOf({ state: { worlds } }: Context, branch: WorldNumber): string | null {
  return (worlds.record(branch) ?? worlds.endedByNumber(branch))?.owner ?? null;
}

/** The first sequence in the range. */
function sinceOf(context: Context, since: string | undefined): { sequence: number; at: number } {
  const start = Math.max(context.engine.log.first, context.engine.historyStart.sequence + 1);
  const { horizon } = context;
  if (since === undefined) return { sequence: start, at: horizon };
  const moment = parseMoment(since, context.engine.now());
  return moment.kind === 'at' ? { sequence: start, at: Math.max(moment.at, horizon) } : { sequence: Math.max(start, moment.sequence), at: horizon };
}

/** Rows that the agent wrote in the world, and whether others wrote them before or after it. */
async function touchedBy(
  context: Context,
  world: World,
  actor: string,
  from: { sequence: number; at: number },
  signal: AbortSignal | undefined,
): Promise<{ trees: Map<number, Tracked>; definitions: RowChange[]; mixed: Set<string>; firstOf: Sequence | null; last: Sequence }> {
  const trees = new Map<number, Tracked>();
  const definitions = new Map<Key, RowChange>();
  /** Rows written by others after the agent, or by the agent after others. */
  const others = new Set<Key>();
  const mixed = new Set<string>();
  let firstOf: Sequence | null = null;
  let last = 0 as Sequence;
  const { log } = context.engine;
  let next = from.sequence;
  while (next <= log.head) {
    const until = performance.now() + SLICE_MS;
    for (const record of log.read(next as Sequence)) {
      next = record.sequence + 1;
      const isActor = record.actor === actor;
      if (record.world === world.number && CHANGES.has(record.type) && (isActor || firstOf !== null || record.type === EVENT_TYPES.merged)) {
        const event = decodeEvent(record.type, record.version, record.payload);
        const own = record.at >= from.at && (isActor || (event.type === 'merged' && ownerOf(context, event.branch) === actor));
        if (own) {
          firstOf ??= record.sequence;
          last = record.sequence;
        }
        if ((own || firstOf !== null) && 'changes' in event) track(event.changes, record.sequence, own);
      }
      if (performance.now() > until) break;
    }
    if (next <= log.head) await turn();
    signal?.throwIfAborted();
  }
  return { trees, definitions: [...definitions.values()], mixed, firstOf, last };

  function track(changes: readonly TreeChanges[], sequence: Sequence, own: boolean): void {
    for (const { tree, numeric, rows } of changes) {
      if (tree === SEQUENCE_TREE) continue;
      if (tree === CATALOG_TREE) {
        for (const row of rows) {
          const known = definitions.get(row.key);
          if (!own) {
            if (known !== undefined) others.add(row.key);
            continue;
          }
          if (others.has(row.key)) mixed.add(row.key as string);
          definitions.set(row.key, known === undefined ? row : { ...row, before: known.before });
        }
        continue;
      }
      let tracked = trees.get(tree);
      if (tracked === undefined) trees.set(tree, (tracked = { numeric, rows: new Map(), others: new Set() }));
      for (const { key } of rows) {
        const touched = tracked.rows.get(key);
        if (!own) {
          if (touched === undefined) tracked.others.add(key);
          else touched.changed = true;
        } else if (touched === undefined) tracked.rows.set(key, { first: sequence, late: tracked.others.has(key), changed: false });
      }
    }
  }
}
