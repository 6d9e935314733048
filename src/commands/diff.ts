/** The changes of a world, in every mode of the contract. */
import { formatMicros } from '../base/clock.ts';
import { exactJsonText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, EFFECT_TREE } from '../events/changes.ts';
import { effectOf } from '../events/effect.ts';
import type { Principal } from '../session/principal.ts';
import type { Key } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scan } from '../tree/read.ts';
import { type Catalog, readCatalog, type Table, utf8Key } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { rowRecord } from '../worlds/document.ts';
import { idOf, parseRowKey, rowKey } from '../worlds/keys.ts';
import { type RowAt, sameVisible } from '../tree/row-change.ts';
import { changedTrees, eachRowChange, isNumeric, treeDifference } from '../worlds/changes-between.ts';
import { affectedIn, eachAffected, effectOn, isAffected, ROWS_OF_DEFINITIONS_MAX, type TableEffect } from '../worlds/definition-effects.ts';
import { movedSequences } from '../worlds/sequences.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import type { Change, DiffInput, DiffReply, Effect, Json, Row, RunControl, TableSummary } from './contract.ts';
import { definitionsBetween, hasTyped, readerOf } from './definitions.ts';
import { definitionStatements, rowStatement } from './diff-sql.ts';
import type { MergeGuard } from './merge-guard.ts';

interface ChangedTable {
  name: string;
  before: Table | undefined;
  after: Table | undefined;
  from: Node | null;
  to: Node | null;
  /** What its definition does to rows that were not written. */
  effect: TableEffect | null;
}

export async function diffWorlds(context: Context, input: DiffInput, by: Principal, guard: MergeGuard, control: RunControl = {}): Promise<DiffReply> {
  const held: (() => void)[] = [];
  try {
    return await difference(context, input, by, guard, control, held);
  } finally {
    for (const release of held) release();
  }
}

async function difference(
  context: Context,
  input: DiffInput,
  by: Principal,
  guard: MergeGuard,
  { signal, beforeTable }: RunControl,
  held: (() => void)[],
): Promise<DiffReply> {
  checkModes(input);
  const reading = context.readEver(input.branch);
  if (input.to === undefined && reading.world.parent === 0) {
    throw new SvcError('22023', `world "${reading.world.name}" has no fork point to compare with`, {
      hint: 'Name a second state in `to`, for example "main@-10m".',
    });
  }
  const version = reading.past ? context.state.history.versionAt(reading.world.number, reading.seen) : reading.world.version;
  if (input.version !== undefined && input.version !== version) throw staleVersion(reading.world.name, input.version, version);
  const { pager } = context.engine;
  let from: Node;
  let to: Node;
  let before: Catalog;
  let after: Catalog;
  let seen = reading.seen;
  const worlds = [reading];
  if (input.to === undefined) {
    const { world } = reading;
    from = reading.past
      ? context.past.baseAt(world.number, reading.seen, world.rebased > 0 || world.merges.length > 0 || world.met !== undefined || world.status !== 'open')
      : world.base;
    before = readCatalog(pager, from);
    to = reading.root;
    after = reading.catalog;
  } else {
    const other = context.readEver(input.to);
    worlds.push(other);
    from = reading.root;
    before = reading.catalog;
    to = other.root;
    after = other.catalog;
    if (other.seen > seen) seen = other.seen;
  }
  const tables = changedTables(context, from, to, before, after);
  const reply: DiffReply = {};
  // Others write between two slices, so the states are pinned as they were read.
  const pace =
    signal === undefined
      ? null
      : new Pace(signal, () => {
          for (const { world, past } of worlds) if (!past && world.status === 'open') context.state.worlds.share(world);
          held.push(context.engine.hold(from), context.engine.hold(to));
        });
  if (input.sql === true) {
    const sql = definitionStatements(before, after);
    const script = hasTyped(before) || hasTyped(after) ? context.typed.script(before, after, readerOf(context, by)) : null;
    const whole = new Map([...(script?.whole() ?? [])].map((number) => [number, new Set<Key>()]));
    for (const table of tables) {
      // Rows of a dropped typed table are dropped with it.
      if (table.after === undefined && table.before?.relation) continue;
      const announce = once(() => beforeTable?.(table.name));
      if (table.from !== null) script?.size(table.before!.number, table.from.count);
      await eachChange(pager, table, pace, (key, a, b) => {
        if (!passes(input, b) || !visible(table, a, b)) return;
        const of = b === null ? (table.before ?? table.after!) : (table.after ?? table.before!);
        announce();
        if (of.relation === null && !table.before?.relation) sql.push(rowStatement(context.typed, of, key as string, a, b));
        else script!.row(of.number, key, a, b);
        whole.get(of.number)?.add(key);
      });
    }
    for (const [number, listed] of whole) {
      const rows = childRoot(pager, to, number);
      if (rows === null) continue;
      const announce = once(() => beforeTable?.(after.byNumber.get(number)!.name));
      await eachChange(pager, { from: null, to: rows }, pace, (key, _, row) => {
        if (listed.has(key) || !passes(input, row)) return;
        announce();
        script!.row(number, key, row, row);
      });
    }
    if (script !== null) for (const [number, state] of movedSequences(pager, from, to)) script.sequence(number, state);
    reply.sql = script === null ? sql : [...sql, ...script.statements()];
  } else {
    const paged = input.limit !== undefined || input.after !== undefined;
    const definitions =
      input.after === undefined
        ? definitionsBetween(context.typed, before, after, readerOf(context, by), (number) => childRoot(pager, to, number)?.count ?? 0)
        : [];
    if (definitions.length > 0) reply.definitions = definitions;
    if (paged || input.count !== true) {
      const page = await changesOf(context, tables, input, pace);
      reply.changes = page.changes;
      if (paged) reply.next = page.next;
    }
    if (input.count === true) {
      const summary = await summarise(context, tables, input, pace);
      reply.total = summary.reduce((sum, each) => sum + each.deleted + each.updated + each.inserted, 0);
      reply.tables = Object.fromEntries(
        [...summary].sort((a, b) => (utf8Key(a.table) < utf8Key(b.table) ? -1 : 1)).map((each) => [each.table, each.deleted + each.updated + each.inserted]),
      );
      if (!paged) {
        reply.summary = summary;
        if (input.to === undefined) reply.effects = pendingEffects(pager, from, to);
      }
    }
  }
  if (input.readers === true) {
    Object.assign(
      reply,
      guard.readers({ name: reading.world.name, root: from, catalog: before }, { name: input.to ?? reading.world.name, root: to, catalog: after }),
    );
  }
  reply.version = version;
  await context.engine.durable(seen);
  signal?.throwIfAborted();
  return reply;
}

function once(what: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) what();
    isDone = true;
  };
}

/** Effects that a merge of the branch would send. */
export function pendingEffects(pager: Pager, from: Node, to: Node): Effect[] {
  return treeDifference(pager, from, to, EFFECT_TREE).flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const effect = effectOf(row);
      return effect === null ? [] : [{ ...effect, payload: effect.payload as Json, queued: formatMicros(effect.queued) }];
    }),
  );
}

function checkModes(input: DiffInput): void {
  if (input.sql === true && (input.limit !== undefined || input.after !== undefined)) {
    throw new SvcError('22023', '`sql` cannot be combined with `limit` or `after`', {
      hint: 'Ask for the statements of the whole diff, or page through the changes.',
    });
  }
  if (input.limit !== undefined && (!Number.isInteger(input.limit) || input.limit < 0)) throw new SvcError('22023', 'limit must be an integer of 0 or more');
}

export function staleVersion(world: string, given: number, version: number): SvcError {
  return new SvcError('40001', `world "${world}" is at version ${version}, not ${given}: it changed since`, {
    hint: 'Read the diff again and send its version.',
    data: { version },
  });
}

/** Row visits between two reads of the clock. */
const ROWS_BETWEEN_LOOKS = 256;
const SLICE_MS = 20;

/** Yields for a walk that can be cancelled. */
class Pace {
  readonly #signal: AbortSignal;
  readonly #keep: () => void;
  #kept = false;
  #rows = 0;
  #sliceEnds = performance.now() + SLICE_MS;

  /** `keep` is called before the first yield. */
  constructor(signal: AbortSignal, keep: () => void) {
    this.#signal = signal;
    this.#keep = keep;
  }

  /** For steps of many rows each. */
  get over(): boolean {
    return performance.now() > this.#sliceEnds;
  }

  get due(): boolean {
    return ++this.#rows % ROWS_BETWEEN_LOOKS === 0 && performance.now() > this.#sliceEnds;
  }

  async rest(): Promise<void> {
    if (!this.#kept) this.#keep();
    this.#kept = true;
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }
}

async function eachChange(
  pager: Pager,
  { from, to }: Pick<ChangedTable, 'from' | 'to'>,
  pace: Pace | null,
  visit: (key: Key, from: RowAt | null, to: RowAt | null) => boolean | void,
): Promise<void> {
  if (pace === null) {
    eachRowChange(pager, from, to, visit);
    return;
  }
  for (let next: Key | null = null; ;) {
    let stoppedAt: Key | null = null;
    eachRowChange(
      pager,
      from,
      to,
      (key, a, b) => {
        if (pace.due) {
          stoppedAt = key;
          return false;
        }
        return visit(key, a, b);
      },
      next,
    );
    if (stoppedAt === null) return;
    await pace.rest();
    next = stoppedAt;
  }
}

function changedTables(context: Context, from: Node, to: Node, before: Catalog, after: Catalog): ChangedTable[] {
  const out: ChangedTable[] = [];
  for (const { tree, from: a, to: b } of changedTrees(context.engine.pager, from, to)) {
    if (tree === CATALOG_TREE) continue;
    const old = before.byNumber.get(tree);
    const now = after.byNumber.get(tree);
    const name = (now ?? old)?.name;
    if (name === undefined) continue;
    const rekeyed = a !== null && b !== null && a.count > 0 && b.count > 0 && isNumeric(a) !== isNumeric(b);
    out.push({ name, before: old, after: now, from: a, to: b, effect: rekeyed ? null : effectOn(old, now) });
  }
  // Tables with changed definitions only.
  if (before !== after) {
    const seen = new Set(out.map((each) => (each.after ?? each.before)!.number));
    for (const [number, old] of before.byNumber) {
      const now = after.byNumber.get(number);
      const effect = seen.has(number) ? null : effectOn(old, now);
      const tree = effect === null ? null : childRoot(context.engine.pager, to, number);
      if (effect !== null && tree !== null && tree.count > 0) out.push({ name: now!.name, before: old, after: now, from: tree, to: tree, effect });
    }
  }
  return out.sort((a, b) => (utf8Key(a.name) < utf8Key(b.name) ? -1 : 1));
}

/** False if only index keys differ, which no column shows. */
function visible({ before, after }: ChangedTable, a: RowAt | null, b: RowAt | null): boolean {
  if (a === null || b === null) return true;
  const [was, is] = [before?.relation?.hidden, after?.relation?.hidden];
  if ((was?.size ?? 0) + (is?.size ?? 0) === 0) return true;
  return !sameVisible(a, b, new Set([...(was ?? []), ...(is ?? [])]));
}

function passes(input: DiffInput, after: RowAt | null): boolean {
  return input.deletes === undefined || input.deletes === (after === null);
}

async function changesOf(
  context: Context,
  tables: readonly ChangedTable[],
  input: DiffInput,
  pace: Pace | null,
): Promise<{ changes: Change[]; next: string | null }> {
  const changes: Change[] = [];
  const limit = input.limit ?? Infinity;
  let more = false;
  const start = input.after === undefined ? null : parseRowKey(input.after);
  const startTable = start === null ? '' : utf8Key(start.table);
  for (const table of tables) {
    if (more) break;
    const name = utf8Key(table.name);
    if (start !== null && name < startTable) continue;
    const startKey = start === null || name !== startTable ? null : keyAt(context.typed, table, input.after!);
    const { pager } = context.engine;
    const { effect } = table;
    /** The key up to which rows changed only by the definition were read. */
    let at = startKey;
    let unasked = input.limit === undefined ? ROWS_OF_DEFINITIONS_MAX : Infinity;
    const take = (key: Key, a: RowAt | null, b: RowAt | null): boolean => {
      if (changes.length >= limit) {
        more = true;
        return false;
      }
      changes.push(change(context.typed, table, key, a, b));
      return true;
    };
    const upTo = (key: Key | null): boolean =>
      effect === null ||
      input.deletes === true ||
      unasked <= 0 ||
      eachAffected(pager, table.to, effect, at, key, (one, row) => unasked-- > 0 && take(one, row, row)) ||
      !more;
    await eachChange(pager, table, pace, (key, a, b) => {
      if (startKey !== null && key <= startKey) return true;
      if (effect !== null && !upTo(key)) return false;
      // A row without visible writes, as its definition has it now.
      const shown = visible(table, a, b) || (effect !== null && b !== null && isAffected(effect, b));
      at = key;
      return !passes(input, b) || !shown || take(key, a, b);
    });
    if (!more) upTo(null);
  }
  return { changes, next: more && changes.length > 0 ? changes[changes.length - 1].key : null };
}

/** The tree key for a cursor. */
function keyAt(typed: TypedTables, table: ChangedTable, after: string): Key {
  const known = (table.after ?? table.before)!;
  const id = idOf(after, known);
  return known.relation === null ? utf8Key(id) : typed.key(known, id);
}

function change(typed: TypedTables, table: ChangedTable, key: string | number, a: RowAt | null, b: RowAt | null): Change {
  const before = a === null ? null : rowRecord(typed, (table.before ?? table.after)!, a.leaf, a.index);
  const after = b === null ? null : rowRecord(typed, (table.after ?? table.before)!, b.leaf, b.index);
  return {
    key: rowKey(typed, (b === null ? (table.before ?? table.after) : (table.after ?? table.before))!, key),
    before,
    after,
    columns: changedColumns(before, after),
  };
}

/** Sorted names of the columns that differ; all of them for an insert or a delete. */
export function changedColumns(before: Row | null, after: Row | null): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const out: string[] = [];
  for (const name of names) {
    if (before === null || after === null || !sameJson(field(before, name), field(after, name))) out.push(name);
  }
  return out.sort();
}

function field(row: Row, name: string): Json | undefined {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Stored JSON has sorted keys, so equal values have equal text. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && exactJsonText(a) === exactJsonText(b));
}

async function summarise(context: Context, tables: readonly ChangedTable[], input: DiffInput, pace: Pace | null): Promise<TableSummary[]> {
  const out: TableSummary[] = [];
  for (const table of tables) {
    const summary: TableSummary = { table: table.name, deleted: 0, updated: 0, inserted: 0 };
    const effect = input.deletes === true ? null : table.effect;
    await eachChange(context.engine.pager, table, pace, (_key, a, b) => {
      if (!passes(input, b) || !visible(table, a, b)) return;
      if (b === null) summary.deleted++;
      else if (a === null) summary.inserted++;
      else summary.updated++;
      if (effect !== null && b !== null && isAffected(effect, b)) summary.updated--;
    });
    if (effect !== null) summary.updated += await countInSlices(context.engine.pager, table.to, effect, pace);
    if (summary.deleted + summary.updated + summary.inserted > 0) out.push(summary);
  }
  return out.sort(byDeletes);
}

/** Rows of the tree that a definition changes, including written ones. */
async function countInSlices(pager: Pager, tree: Node | null, effect: TableEffect, pace: Pace | null): Promise<number> {
  if (tree === null) return 0;
  let rows = 0;
  for (let next: Key | null = null; ;) {
    let stoppedAt: Key | null = null;
    scan(pager, tree, next, (leaf, from, to) => {
      if (pace?.over === true) {
        stoppedAt = leaf.numeric ? leaf.nkeys[from] : leaf.skeys[from];
        return false;
      }
      rows += affectedIn(effect, leaf, from, to);
      return true;
    });
    if (stoppedAt === null) return rows;
    await pace!.rest();
    next = stoppedAt;
  }
}

export function byDeletes(a: TableSummary, b: TableSummary): number {
  return b.deleted - a.deleted || (utf8Key(a.table) < utf8Key(b.table) ? -1 : 1);
}
