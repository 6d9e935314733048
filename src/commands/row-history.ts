/**
 * The history of one row: actor, time, values before and after, and how each write came into the requested world. The log is read from the newest event to
 * the oldest in spans, for each world that the row's values come from:
 *
 *   requested world ── merge that brought the row ──► the branch, before that merge
 *                   ── its fork, its rebase       ──► its parent, before that moment
 *
 * A table is identified by number, so a renamed one is followed under its former names, and a dropped table of the same name is another
 * table. Columns have their names of the requested moment, dropped ones their last names. Other clients run between time slices.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { CATALOG_TREE, countRows, type TreeChanges } from '../events/changes.ts';
import { decodeEvent, EVENT_TYPES } from '../events/codec.ts';
import { ColumnChanges } from '../events/column-changes.ts';
import type { Event } from '../events/event.ts';
import { NewRows } from '../events/new-rows.ts';
import type { Principal } from '../session/principal.ts';
import type { Datum, Key, RowChange, Shape } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { type RowAt, rowIn, ShapeTable } from '../tree/row-change.ts';
import { applyChanges, emptyTree } from '../tree/write.ts';
import { type Catalog, catalogAfter, readCatalog, type Table, tableOf } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { catalogObject } from '../worlds/definition.ts';
import { setField } from '../base/json.ts';
import { rowRecord } from '../worlds/document.ts';
import { checkTableName, idKey } from '../worlds/keys.ts';
import { identitiesOf, masksWith } from '../worlds/masks.ts';
import { refusePartitioned } from '../worlds/partitioned-table.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import { masksOfWorld } from '../worlds/world-masks.ts';
import type { HistoryEvent, HistoryInput, HistoryReply, Row, RunControl } from './contract.ts';
import { changedColumns } from './diff.ts';
import { boundsOf, type EventBounds, eventId, isAbove, isBelow, nextPage } from './event-bounds.ts';
import { historySince, noteOf, worldNamed } from './history-notes.ts';
import { seesMasked } from './masked-rows.ts';
import { noRow } from './rows.ts';

/** Time slice; only the decoding of one large event may take longer. */
const SLICE_MS = 10;
/** Events per span. */
const SPAN = 2048;
/** Records between two reads of the clock. */
const RECORDS_BETWEEN_LOOKS = 32;

const READ = new Set<number>([EVENT_TYPES.committed, EVENT_TYPES.merged, EVENT_TYPES.undone, EVENT_TYPES.rebased, EVENT_TYPES.forked, EVENT_TYPES.worldKept]);

/** A world that the row's values come from, read backwards: its definitions before the current event. */
interface Source {
  readonly world: WorldNumber;
  readonly name: string;
  /** Only events before it are still to be read. */
  before: number;
  key: Key;
  catalog: Catalog;
  /** The event that brought it into the requested world; null for that world itself. */
  via: string | null;
  /** The world that this event merged it into; null if it was not a merge. */
  readonly into: WorldNumber | null;
  done: boolean;
}

interface Hit {
  readonly sequence: Sequence;
  readonly at: Micros;
  readonly world: WorldNumber;
  readonly actor: string;
  readonly event: Event;
}

interface Sides {
  readonly before: Row | null;
  readonly after: Row | null;
  readonly columns: string[];
}

export async function rowHistory(context: Context, input: HistoryInput, by: Principal, control: RunControl): Promise<HistoryReply> {
  const table = input.table!;
  const id = input.id!;
  checkTableName(table);
  const bounds = boundsOf(input, context);
  const reading = context.readEver(input.branch);
  const asked = reading.catalog.tables.get(table);
  if (asked === undefined) throw noRow(table, id, input.branch);
  refusePartitioned(asked);
  const key = keyIn(context.typed, asked, id);
  const exists = rowIn(context.engine.pager, childRoot(context.engine.pager, reading.root, asked.number), key) !== null;
  const walk = new Walk(context, asked, id, bounds, by, control);
  const limit = input.limit ?? 100;
  walk.begin(reading.world.number, reading.past ? reading.seen + 1 : 2 ** 48 - 1, key, reading.catalog);
  const events: HistoryEvent[] = [];
  await walk.run((event, sequence, at) => {
    if (isBelow(bounds, sequence, at)) return false;
    if (!isAbove(bounds, sequence, at)) events.push(event);
    return events.length <= limit;
  });
  await context.engine.durable(context.engine.log.head);
  if (events.length === 0 && !exists && limit > 0 && input.before === undefined && input.after === undefined) throw noRow(table, id, input.branch);
  const page = events.slice(0, limit);
  return { events: page, next: nextPage(page, events.length > limit), since: historySince(context) };
}

/** 22023, 22P02 … if the text is not an id of the table. */
function keyIn(typed: TypedTables, table: Table, id: string): Key {
  return table.relation === null ? idKey(id) : typed.key(table, id);
}

/** Receives each event from the newest on; false: stop. */
type Take = (event: HistoryEvent, sequence: number, at: number) => boolean;

class Walk {
  readonly #context: Context;
  readonly #asked: Table;
  readonly #id: string;
  readonly #bounds: EventBounds;
  readonly #signal: AbortSignal | undefined;
  readonly #names: ReadonlyMap<number, string>;
  readonly #isMasked: ((source: Source, column: { number: number; name: string }) => boolean) | null;
  readonly #sources = new Map<WorldNumber, Source>();
  #sliceEnds = performance.now() + SLICE_MS;

  constructor(context: Context, asked: Table, id: string, bounds: EventBounds, by: Principal, { signal }: RunControl) {
    this.#context = context;
    this.#asked = asked;
    this.#id = id;
    this.#bounds = bounds;
    this.#signal = signal;
    this.#names = new Map(columnsOf(asked).map(({ number, name }) => [number, name]));
    this.#isMasked = seesMasked(by, context) ? null : (source, column) => this.#masked(source, column);
  }

  begin(world: WorldNumber, before: number, key: Key, catalog: Catalog): void {
    this.#follow(world, before, key, catalog, null);
  }

  /** A world is followed once, from the newest event that took the row from it; for older ones only the way is recorded. */
  #follow(world: WorldNumber, before: number, key: Key, catalog: Catalog, via: string | null, into: WorldNumber | null = null): boolean {
    const known = this.#sources.get(world);
    if (known !== undefined) {
      if (into !== null && known.into === into) known.via = via;
      return false;
    }
    this.#sources.set(world, { world, name: worldNamed(this.#context, world)?.name ?? '', before, key, catalog, via, into, done: false });
    return true;
  }

  async run(take: Take): Promise<void> {
    const { engine } = this.#context;
    const { history } = this.#context.state;
    for (;;) {
      const floor = Math.max(engine.historyStart.sequence, engine.log.first - 1);
      let top = 0;
      for (const source of this.#sources.values()) {
        if (source.done) continue;
        const [newest] = history.list(source.world, 1, source.before);
        if (newest === undefined || newest.sequence <= floor) source.done = true;
        else top = Math.max(top, newest.sequence);
      }
      if (top === 0) return;
      const low = Math.max(floor + 1, top - SPAN + 1);
      if (!(await this.#span(low, top, take))) return;
      for (const source of this.#sources.values()) source.before = Math.min(source.before, low);
    }
  }

  async #span(low: number, top: number, take: Take): Promise<boolean> {
    const hits = new Map<number, Hit>();
    await this.#load(hits, low, top, null);
    for (let sequence = top; sequence >= low; sequence--) {
      const hit = hits.get(sequence);
      const source = hit === undefined ? undefined : this.#sources.get(hit.world);
      if (hit === undefined || source === undefined || source.done || sequence >= source.before) continue;
      source.before = sequence;
      const wasKey = source.key;
      const { sides, followed } = this.#look(source, hit);
      if (source.key !== wasKey && !source.done) await this.#load(hits, low, sequence - 1, source.world);
      if (sides !== null && !take(this.#entry(source, hit, sides), sequence, hit.at)) return false;
      if (followed !== null) await this.#load(hits, low, sequence - 1, followed);
      await this.#rest();
    }
    return true;
  }

  /** Loads a span's events that may concern the row: of one world, or (null) of all that are followed. */
  async #load(hits: Map<number, Hit>, low: number, top: number, only: WorldNumber | null): Promise<void> {
    const { log } = this.#context.engine;
    let records = 0;
    for (let next = low; next <= top;) {
      let isOver = false;
      for (const record of log.read(next as Sequence)) {
        const { sequence, at, world, actor, type } = record;
        if (sequence > top) {
          next = top + 1;
          break;
        }
        next = sequence + 1;
        const source = READ.has(type) && (only === null || world === only) ? this.#sources.get(world) : undefined;
        if (source !== undefined && !source.done && sequence < source.before) {
          const event = decodeEvent(type, record.version, record.payload);
          if (this.#concerns(source, event)) hits.set(sequence, { sequence, at, world, actor, event });
        }
        if (++records % RECORDS_BETWEEN_LOOKS === 0 && performance.now() > this.#sliceEnds) {
          isOver = true;
          break;
        }
      }
      // Records before a concurrent trim are gone.
      if (!isOver && next <= top) return;
      await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    if (performance.now() < this.#sliceEnds) return;
    await turn();
    this.#signal?.throwIfAborted();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }

  #concerns({ key }: Source, event: Event): boolean {
    if (event.type === 'forked' || event.type === 'rebased' || event.type === 'worldKept') return true;
    if (!('changes' in event)) return false;
    return event.changes.some((each) =>
      each.tree === CATALOG_TREE ? this.#definesTable(each) : each.tree === this.#asked.number && changeOf(each, key) !== null,
    );
  }

  #definesTable({ rows }: TreeChanges): boolean {
    return rows.some(({ before, after }) =>
      [before, after].some((values) => values !== null && tableOf(catalogObject(values[0] as string)) === this.#asked.number),
    );
  }

  /** The event's effect on the row (null: none visible), and the world to follow from it on. */
  #look(source: Source, { sequence, at, event }: Hit): { sides: Sides | null; followed: WorldNumber | null } {
    if (!('changes' in event)) return { sides: null, followed: null };
    const { key, catalog } = source;
    const parent = event.type === 'forked' ? event.parent : event.type === 'worldKept' ? event.base : null;
    if (event.type === 'rebased') {
      const sides = this.#betweenStates(source, sequence);
      const above = this.#context.state.worlds.record(source.world) ?? this.#context.state.worlds.endedByNumber(source.world);
      if (above === null || above.parent === 0) return { sides, followed: null };
      return { sides, followed: this.#follow(above.parent, sequence, source.key, source.catalog, source.via ?? eventId(sequence)) ? above.parent : null };
    }
    const definitions = event.changes.find(({ tree }) => tree === CATALOG_TREE);
    const defines = definitions !== undefined && this.#definesTable(definitions);
    const change = event.changes.map((each) => (each.tree === this.#asked.number ? changeOf(each, key) : null)).find((each) => each !== null) ?? null;
    // Of events newer than the page, only those that lead to other worlds are needed.
    if (event.type === 'committed' && !defines && isAbove(this.#bounds, sequence, at)) return { sides: null, followed: null };
    let sides: Sides | null;
    if (defines) {
      const before = catalogAfter(catalog, inverseDefinitions(definitions.rows));
      const isMade = !before.byNumber.has(this.#asked.number);
      if (isMade || this.#asked.relation === null) {
        sides = change === null ? null : this.#ofChange(source, change);
        source.catalog = before;
        source.done = isMade && parent === null;
      } else sides = this.#betweenStates(source, sequence);
    } else sides = change === null ? null : this.#ofChange(source, change);
    if (event.type === 'merged' && sides !== null) {
      // Rows of the branch have the definitions after the merge.
      return { sides, followed: this.#follow(event.branch, sequence, key, catalog, eventId(sequence), source.world) ? event.branch : null };
    }
    if (parent === null) return { sides, followed: null };
    source.done = true;
    if (parent === 0) return { sides, followed: null };
    const before = event.type === 'worldKept' ? event.run : sequence;
    return { sides, followed: this.#follow(parent, before, source.key, source.catalog, source.via ?? eventId(sequence)) ? parent : null };
  }

  /** The row before and after an event that does more than change it; the source continues with the definitions before it. */
  #betweenStates(source: Source, sequence: Sequence): Sides | null {
    const { past, engine } = this.#context;
    const { worlds } = this.#context.state;
    if (sequence - 1 <= engine.historyStart.sequence || sequence === (source.world as number)) return null;
    const world = worlds.byNumber(source.world);
    const now = world === null ? null : worlds.share(world);
    const read = (root: Node): { catalog: Catalog; key: Key | null; record: Row | null } => {
      const catalog = readCatalog(engine.pager, root);
      const table = catalog.byNumber.get(this.#asked.number);
      if (table === undefined) return { catalog, key: null, record: null };
      let key: Key;
      try {
        key = keyIn(this.#context.typed, table, this.#id);
      } catch {
        // The key had another type: no row had this id.
        return { catalog, key: null, record: null };
      }
      const row = rowIn(engine.pager, childRoot(engine.pager, root, table.number), key);
      return { catalog, key, record: row === null ? null : this.#record(source, table, row, null) };
    };
    const after = read(past.rootAt(source.world, sequence, now));
    const before = read(past.rootAt(source.world, (sequence - 1) as Sequence, now));
    source.catalog = before.catalog;
    if (before.key === null) source.done = !before.catalog.byNumber.has(this.#asked.number) || source.done;
    else source.key = before.key;
    if (before.record === null && after.record === null) return null;
    const both = before.record !== null && after.record !== null;
    // Adding or dropping a column without a value changes nothing.
    const columns = changedColumns(before.record, after.record).filter((name) => !both || isThere(before.record!, name) || isThere(after.record!, name));
    if (columns.length === 0) return null;
    if (before.record === null || after.record === null) return { before: before.record, after: after.record, columns };
    return { before: only(before.record, columns), after: only(after.record, columns), columns };
  }

  #ofChange(source: Source, change: RowChange | RowAt): Sides | null {
    const table = source.catalog.byNumber.get(this.#asked.number) ?? this.#asked;
    if ('leaf' in change) {
      const after = this.#record(source, table, change, null);
      return { before: null, after, columns: changedColumns(null, after) };
    }
    const { shape, before: was, after: is, key } = change;
    const columns = was === null || is === null ? null : new Set(shape.ids);
    const side = (values: readonly Datum[] | null): Row | null =>
      values === null ? null : this.#record(source, table, this.#placed(key, shape, values), columns);
    const [before, after] = [side(was), side(is)];
    const changed = changedColumns(before, after);
    // Only hidden cells differ: keys of indexes.
    if (before !== null && after !== null && changed.length === 0) return null;
    if (before === null || after === null) return { before, after, columns: changed };
    return { before: only(before, changed), after: only(after, changed), columns: changed };
  }

  /** The cells of a change, readable as a row. */
  #placed(key: Key, { ids, kinds }: Shape, values: readonly Datum[]): RowAt {
    const there = values.map((_, i) => i).filter((i) => values[i] !== undefined);
    const shape = { ids: there.map((i) => ids[i]), kinds: there.map((i) => kinds[i]) };
    const { pager } = this.#context.engine;
    const dirtyBefore = pager.dirtyBytes;
    const row: RowChange = { key, shape, before: null, after: there.map((i) => values[i]) };
    const tree = applyChanges(pager, emptyTree(typeof key === 'number'), [row], pager.newEdit());
    pager.dirtyBytes = dirtyBefore;
    return rowIn(pager, tree, key)!;
  }

  /** The record with current column names; `columns`: only these. Columns that the reader may not see are omitted. */
  #record(source: Source, table: Table, { leaf, index }: RowAt, columns: ReadonlySet<number> | null): Row {
    const record = rowRecord(this.#context.typed, table, leaf, index);
    const out: Row = {};
    for (const column of columnsOf(table)) {
      if (!Object.hasOwn(record, column.name) || (columns !== null && !columns.has(column.number))) continue;
      if (this.#isMasked?.(source, column) === true) continue;
      const name = this.#names.get(column.number) ?? column.name;
      setField(out, Object.hasOwn(out, name) ? `${name} (dropped)` : name, record[column.name]);
    }
    return out;
  }

  #masked(source: Source, column: { number: number; name: string }): boolean {
    const world = this.#context.state.worlds.byNumber(source.world) ?? this.#context.state.worlds.endedByNumber(source.world);
    const { identities } = masksWith(source.catalog, world === null ? [] : [masksOfWorld(this.#context, world)]);
    if (identities.size === 0) return false;
    const table = source.catalog.byNumber.get(this.#asked.number) ?? this.#asked;
    return [table, this.#asked].some((each) =>
      identitiesOf(each, { ...column, name: this.#names.get(column.number) ?? column.name }).some((identity) => identities.has(identity)),
    );
  }

  #entry(source: Source, { sequence, at, world, actor, event }: Hit, { before, after, columns }: Sides): HistoryEvent {
    return {
      id: eventId(sequence),
      at: formatMicros(at),
      world: source.name,
      event: wordOf(event),
      rows: 'changes' in event ? countRows(event.changes) : 0,
      ...noteOf(this.#context, event, world, actor),
      by: actor === '' ? null : actor,
      change: before === null ? 'insert' : after === null ? 'delete' : 'update',
      before,
      after,
      columns,
      ...(source.via === null ? {} : { via: source.via }),
    };
  }
}

function columnsOf({ relation, columns }: Table): readonly { number: number; name: string }[] {
  return relation === null ? columns : relation.attributes;
}

function isThere(row: Row, name: string): boolean {
  return Object.hasOwn(row, name) && row[name] !== null;
}

function only(row: Row, columns: readonly string[]): Row {
  const out: Row = {};
  for (const name of columns) if (Object.hasOwn(row, name)) setField(out, name, row[name]);
  return out;
}

function inverseDefinitions(rows: readonly RowChange[]): RowChange[] {
  return rows.map(({ key, shape, before, after }) => ({ key, shape, before: after, after: before }));
}

/** The change of one row; for a new row, its position. Does not build the rows of a bulk load. */
function changeOf(changes: TreeChanges, key: Key): RowChange | RowAt | null {
  if (changes.numeric !== (typeof key === 'number')) return null;
  if (changes instanceof NewRows) {
    for (const leaf of changes.leaves) {
      const index = leaf.find(key);
      if (index >= 0) return { leaf, index };
    }
    return null;
  }
  if (!(changes instanceof ColumnChanges)) return changes.rows.find((row) => row.key === key) ?? null;
  const found = changes.first.find((row) => row.key === key);
  if (found !== undefined) return found;
  for (const part of changes.parts) {
    for (let i = 0; i < part.length; i++) if (part.key(i) === key) return part.row(i, new ShapeTable());
  }
  return null;
}

/** Event word as in the history of worlds. */
function wordOf(event: Event): string {
  switch (event.type) {
    case 'committed':
      return event.how;
    case 'merged':
      return event.stays ? 'merge part' : 'merge';
    case 'undone':
      return 'undo merge';
    case 'rebased':
      return 'rebase';
    case 'worldKept':
      return 'simulate';
    default:
      return 'fork';
  }
}
