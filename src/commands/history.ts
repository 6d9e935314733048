/**
 * The history of a world, newest first, in pages. Words, times and counts come from the history projection; details are read
 * from the log, for those events only that have any. Long pages are built in time slices.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { CATALOG_TREE } from '../events/changes.ts';
import { decodeEvent } from '../events/codec.ts';
import type { Event } from '../events/event.ts';
import type { Principal } from '../session/principal.ts';
import { childRoot } from '../tree/directory.ts';
import type { RowChange } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import { readCatalog, tableOf } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { catalogObject } from '../worlds/definition.ts';
import type { HistoryEvent, HistoryInput, HistoryReply, RunControl } from './contract.ts';
import { definitionsBetween, readerOf } from './definitions.ts';
import { boundsOf, eventId, isBelow, nextPage } from './event-bounds.ts';
import { historySince, noteOf } from './history-notes.ts';
import { rowHistory } from './row-history.ts';
import { rowsOfDefinitions } from './rows-of-definitions.ts';

/** Events with details beyond the projection's. */
const NOTED = new Set(['merge', 'merge part', 'undo merge', 'rebase', 'restore']);
/** Events that may change definitions. */
const DEFINING = new Set([...NOTED, 'write', 'commit']);
const SLICE_MS = 10;

export function historyOf(context: Context, input: HistoryInput, by: Principal, control: RunControl = {}): Promise<HistoryReply> {
  const { limit = 100 } = input;
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMITS.historyLimitMax)
    return Promise.reject(
      new SvcError('22023', `limit must be an integer from 0 to ${LIMITS.historyLimitMax}`, {
        hint: 'Older events follow with `before`: the `next` of a page.',
      }),
    );
  if ((input.table === undefined) !== (input.id === undefined))
    return Promise.reject(new SvcError('22023', 'the history of a row takes both `table` and `id`', { hint: 'Leave both out for the history of the world.' }));
  return input.table === undefined ? worldHistory(context, input, by, control) : rowHistory(context, input, by, control);
}

async function worldHistory(context: Context, input: HistoryInput, by: Principal, { signal }: RunControl): Promise<HistoryReply> {
  const limit = input.limit ?? 100;
  const name = input.branch ?? 'main';
  // A past state shows only events before it.
  const past = name.includes('@') ? context.read(name) : null;
  const world = past === null ? context.find(name) : past.world;
  if (world === null)
    throw new SvcError('3D000', `there is no world "${name.slice(0, 80)}"`, { hint: 'SHOW WORLDS, or the operation `branches`, lists them.' });
  const bounds = boundsOf(input, context);
  const moment =
    bounds.beforeAt === Infinity ? Infinity : context.state.history.lastAtOrBefore(world.number, (bounds.beforeAt - 1) as typeof world.created) + 1;
  const before = Math.min(bounds.before, moment, past === null ? Infinity : past.seen + 1, 2 ** 48 - 1);
  const listed = context.state.history.list(world.number, limit + 1, before);
  const lowest = listed.findIndex(({ sequence, at }) => isBelow(bounds, sequence, at));
  const found = lowest < 0 ? listed : listed.slice(0, lowest);
  const events: HistoryEvent[] = [];
  let sliceEnds = performance.now() + SLICE_MS;
  for (const { at, event, rows, sequence } of found.slice(0, limit)) {
    const entry: HistoryEvent = { id: eventId(sequence), at: formatMicros(at), world: world.name, event, rows };
    events.push(entry);
    if ((input.definitions === true ? DEFINING : NOTED).has(event) && sequence >= context.engine.log.first) note(context, entry, sequence, input, by);
    if (performance.now() < sliceEnds) continue;
    await turn();
    signal?.throwIfAborted();
    sliceEnds = performance.now() + SLICE_MS;
  }
  await context.engine.durable(context.engine.log.head);
  return { events, next: nextPage(events, found.length > limit), since: historySince(context) };
}

/** Details of the event from the log. */
function note(context: Context, entry: HistoryEvent, sequence: Sequence, { definitions }: HistoryInput, by: Principal): void {
  for (const { type, version, payload, world, actor } of context.engine.log.read(sequence)) {
    const event = decodeEvent(type, version, payload);
    Object.assign(entry, noteOf(context, event, world, actor));
    define(context, entry, event, world, sequence, definitions === true ? by : null);
    return;
  }
}

/**
 * Rows changed by its definitions and, if wanted, the definitions themselves, as long as the state before the event can be
 * read. Reading it costs as much as any past read, so it is done only for events whose definitions can change rows.
 */
function define(context: Context, entry: HistoryEvent, event: Event, number: WorldNumber, sequence: Sequence, wanted: Principal | null): void {
  if (!('changes' in event) || sequence <= context.engine.historyStart.sequence + 1) return;
  const rows = event.changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [];
  const isRebase = event.type === 'rebased';
  const { pager } = context.engine;
  const stateAt = (of: WorldNumber, at: number): Node => {
    const world = context.state.worlds.byNumber(of);
    return context.past.rootAt(of, at as Sequence, world === null ? null : context.state.worlds.share(world));
  };
  if (NOTED.has(entry.event) && changesTables(rows)) {
    const parent = isRebase ? (context.state.worlds.record(number) ?? context.state.worlds.endedByNumber(number))?.parent : number;
    // The changes of a rebase are relative to the parent's state.
    if (parent !== undefined && parent !== 0) entry.rows += rowsOfDefinitions(pager, stateAt(parent, sequence - 1), event.changes);
  }
  if (wanted === null || (!isRebase && rows.length === 0)) return;
  const [root, result] = [stateAt(number, sequence - 1), stateAt(number, sequence)];
  const definitions = definitionsBetween(
    context.typed,
    readCatalog(pager, root),
    readCatalog(pager, result),
    readerOf(context, wanted),
    (table) => childRoot(pager, result, table)?.count ?? 0,
  );
  if (definitions.length > 0) entry.definitions = definitions;
}

/** Whether an existing table is dropped, truncated, or gets other columns. */
function changesTables(rows: readonly RowChange[]): boolean {
  const made = new Set<number | null>();
  const touched = new Set<number | null>();
  for (const { before, after } of rows) {
    const object = catalogObject((after ?? before)![0] as string);
    if (object.what === 'relation' || object.what === 'table') (before === null ? made : touched).add(object.number);
    else if (object.what === 'attribute') touched.add(tableOf(object));
  }
  return [...touched].some((table) => !made.has(table));
}
