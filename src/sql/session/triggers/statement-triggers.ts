/**
 * The triggers of one statement. BEFORE triggers run for each row; AFTER triggers are queued and run when the statement's changes
 * are in the transaction, so that their queries see them all.
 *
 *   begin ─► BEFORE STATEMENT ─► each row: BEFORE ROW, queue ─► ended: queue AFTER STATEMENT ─► fire
 *
 * A BEFORE trigger that runs queries sees the rows written before its own: the statement hands them to the transaction (`flush`) and
 * continues over the transaction's state.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Key } from '../../../tree/datum.ts';
import { childRoot } from '../../../tree/directory.ts';
import type { Node } from '../../../tree/node.ts';
import { rowIn } from '../../../tree/row-change.ts';
import type { TriggerEvent } from '../../../worlds/definition.ts';
import type { Run } from '../../exec/run.ts';
import { YIELD, type Yield } from '../../exec/batch.ts';
import { readRow } from '../../schema/row-reader.ts';
import type { RowTriggers, StatementHooks } from '../../schema/row-triggers.ts';
import type { Schema } from '../../schema/schema.ts';
import { type StatementWrites, waitsForCommit } from '../../schema/statement-writes.ts';
import type { SqlTable } from '../../schema/table.ts';
import type { TableWriter } from '../../schema/table-writer.ts';
import type { Value } from '../../types/value.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Transaction } from '../transaction.ts';
import { callTrigger, type Row } from './call-trigger.ts';
import { deferTriggers, type DeferredTrigger } from './deferred-triggers.ts';
import { maskedTransitions } from './masked-transitions.ts';
import { InsteadWriter } from './instead-writer.ts';
import { type ReadyTrigger, tableTriggers, type TableTriggers, watched } from './table-triggers.ts';

/** Up to this many inserted rows are kept; beyond, only their keys, and the rows are read again. */
const KEPT_ROWS = 1024;
const CHUNK = 4096;
/** Calls between two clock checks. */
const CALLS = 64;

/** Queued calls, column-wise. `rows` null: the row is read by its key. */
class Chunk {
  readonly triggers: ReadyTrigger[] = [];
  readonly events: TriggerEvent[] = [];
  readonly keys: Key[] = [];
  readonly olds: (Row | null)[] = [];
  readonly rows: (Row | null)[] = [];
}

interface Captured {
  readonly old: Row[];
  readonly new: Row[];
}

interface Begun {
  readonly triggers: TableTriggers;
  readonly event: TriggerEvent;
  readonly columns: readonly number[] | null;
  ended: boolean;
}

const NO_KEY = -1;

/** The triggers of a statement of a session, whose hooks are always these; null if there are none. */
export function triggersOf({ hooks }: StatementWrites): StatementTriggers | null {
  return hooks as StatementTriggers | null;
}

export class StatementTriggers implements StatementHooks {
  readonly session: SqlSession;
  readonly #transaction: Transaction;
  readonly #schema: Schema;
  #writes: StatementWrites | null = null;
  // Created when the first trigger fires: mostly none does, and a statement inside a function is short.
  #tables: Map<number, TableHooks> | null = null;
  #begun: Begun[] | null = null;
  /** Children of a table that the statement names: their own statement triggers do not fire. */
  #members: Map<number, { readonly root: SqlTable; readonly columns: readonly number[] }> | null = null;
  #captured: Map<string, Captured> | null = null;
  #runs: Map<ReadyTrigger, Run> | null = null;
  #chunks: Chunk[] | null = null;
  #queued = 0;

  constructor(session: SqlSession, transaction: Transaction, schema: Schema) {
    this.session = session;
    this.#transaction = transaction;
    this.#schema = schema;
  }

  /** The statement continues after its writers have ended. */
  open = false;

  /** The statement's writers. */
  over(writes: StatementWrites): void {
    this.#writes = writes;
  }

  get idle(): boolean {
    return this.#begun === null && this.#tables === null;
  }

  get queued(): number {
    return this.#queued;
  }

  triggersOf(table: number): TableTriggers | null {
    return tableTriggers(this.session, this.#schema, table);
  }

  // --- statements

  begin(table: SqlTable, events: readonly TriggerEvent[], columns: readonly number[] | null = null): void {
    if (table.whole !== undefined) {
      const members = (this.#members ??= new Map());
      for (const { table: member, columns } of table.whole.members) if (member.number !== table.number) members.set(member.number, { root: table, columns });
    }
    const triggers = this.triggersOf(table.number);
    if (triggers !== null) for (const event of events) this.beginOne(triggers, event, event === 'update' ? columns : null);
  }

  /** Once per table and event. */
  beginOne(triggers: TableTriggers, event: TriggerEvent, columns: readonly number[] | null): void {
    const begun = (this.#begun ??= []);
    if (begun.some((each) => each.triggers === triggers && each.event === event)) return;
    begun.push({ triggers, event, columns, ended: false });
    for (const trigger of triggers.beforeStatement[event]) {
      if (watched(trigger, triggers, columns) && this.#holds(trigger, null, null)) this.#before(trigger, event, null, null);
    }
  }

  ended(): void {
    if (this.#begun === null || this.open) return;
    const now = this.#begun.filter(({ ended }) => !ended);
    // The queued triggers of an insert come last, as in Postgres.
    const order: readonly TriggerEvent[] = ['delete', 'update', 'insert', 'truncate'];
    for (const event of order) {
      for (const each of now) {
        if (each.event !== event) continue;
        each.ended = true;
        for (const trigger of each.triggers.afterStatement[event]) {
          if (watched(trigger, each.triggers, each.columns) && this.#holds(trigger, null, null)) this.#push(trigger, event, NO_KEY, null, null);
        }
      }
    }
  }

  rows(table: SqlTable): RowTriggers | null {
    const known = this.#tables?.get(table.number);
    if (known !== undefined) return known;
    const triggers = this.triggersOf(table.number);
    const member = this.#members?.get(table.number);
    const root = member === undefined ? null : this.triggersOf(member.root.number);
    if (triggers === null && root === null) return null;
    const hooks = new TableHooks(this, triggers, root === null ? null : { triggers: root, columns: member!.columns });
    (this.#tables ??= new Map()).set(table.number, hooks);
    return hooks;
  }

  instead(view: SqlTable): TableWriter {
    const triggers = this.triggersOf(view.number);
    if (triggers === null) {
      throw new SvcError('55000', `cannot change view "${view.name}"`, { detail: 'Its INSTEAD OF triggers are disabled.' });
    }
    return new InsteadWriter(this, triggers);
  }

  /** Name of the last trigger that was called. */
  called = '';

  isMember(table: number): boolean {
    return this.#members?.has(table) === true;
  }

  // --- rows

  /** The row after BEFORE (or INSTEAD OF) triggers; null: one of them skipped it. */
  before(
    list: readonly ReadyTrigger[],
    triggers: TableTriggers,
    event: TriggerEvent,
    old: Row | null,
    row: Row | null,
    columns: readonly number[] | null,
    moving = false,
  ): Row | null {
    let now = row;
    for (const trigger of list) {
      if (!watched(trigger, triggers, columns) || !this.#holds(trigger, old, now)) continue;
      const given = this.#before(trigger, event, old, now, moving);
      if (given === null) return null;
      if (event !== 'delete') now = given;
    }
    return now ?? old;
  }

  queue(
    list: readonly ReadyTrigger[],
    triggers: TableTriggers,
    event: TriggerEvent,
    key: Key,
    old: Row | null,
    row: Row | null,
    columns: readonly number[] | null,
    moving = false,
  ): void {
    for (const trigger of list) {
      if (!watched(trigger, triggers, columns) || !this.#holds(trigger, old, row)) continue;
      const masks = moving && row !== null && 'object' in trigger.fn ? maskedTransitions(this.session, trigger, trigger.fn.object.number) : null;
      this.#push(trigger, event, key, old, masks === null ? row : masks.shown(this.session, row!), masks !== null);
    }
  }

  captured(table: number, event: TriggerEvent): Captured {
    const key = `${table} ${event}`;
    const captured = (this.#captured ??= new Map());
    let known = captured.get(key);
    if (known === undefined) captured.set(key, (known = { old: [], new: [] }));
    return known;
  }

  #push(trigger: ReadyTrigger, event: TriggerEvent, key: Key, old: Row | null, row: Row | null, keeps = false): void {
    const chunks = (this.#chunks ??= []);
    let chunk = chunks[chunks.length - 1];
    if (chunk === undefined || chunk.triggers.length >= CHUNK) chunks.push((chunk = new Chunk()));
    chunk.triggers.push(trigger);
    chunk.events.push(event);
    chunk.keys.push(key);
    chunk.olds.push(old);
    chunk.rows.push(event === 'insert' && !keeps && this.#queued >= KEPT_ROWS ? null : row);
    this.#queued++;
  }

  /** For `backTo`. */
  mark(): number {
    return this.#queued;
  }

  /** Drops calls that were queued since the mark. */
  backTo(queued: number): void {
    const chunks = this.#chunks ?? [];
    for (let drop = this.#queued - queued; drop > 0;) {
      const chunk = chunks[chunks.length - 1];
      const left = Math.max(0, chunk.triggers.length - drop);
      drop -= chunk.triggers.length - left;
      if (left === 0) chunks.pop();
      else for (const list of [chunk.triggers, chunk.events, chunk.keys, chunk.olds, chunk.rows]) list.length = left;
    }
    this.#queued = queued;
    // Writers created since the mark are gone.
    this.#tables?.clear();
  }

  /** An inserted row is about to change: queued calls keep its earlier version. */
  keepOldRow(table: number, key: Key, row: Row): void {
    if (this.#queued <= KEPT_ROWS) return;
    for (const { triggers, events, keys, rows } of this.#chunks ?? []) {
      for (let i = 0; i < keys.length; i++) {
        if (keys[i] === key && events[i] === 'insert' && rows[i] === null && triggers[i].on.number === table) rows[i] = row;
      }
    }
  }

  #holds(trigger: ReadyTrigger, old: Row | null, row: Row | null): boolean {
    const { when } = trigger;
    if (when === null) return true;
    const runs = (this.#runs ??= new Map());
    let run = runs.get(trigger);
    if (run === undefined) runs.set(trigger, (run = when.run(this.session)));
    return when.holds(run, old, row);
  }

  /** Calls a trigger during the statement. */
  #before(trigger: ReadyTrigger, event: TriggerEvent, old: Row | null, row: Row | null, moving = false): Row | null {
    const { session } = this;
    const transaction = this.#transaction;
    const { fn } = trigger;
    this.called = trigger.object.name;
    const sees = 'object' in fn && fn.object.volatility === 'volatile';
    const moves = transaction.moves;
    if (sees) session.writing.push(this);
    try {
      return callTrigger(session, trigger, event, old, row, undefined, moving);
    } finally {
      if (sees) session.writing.pop();
      if (transaction.moves !== moves) {
        this.#writes?.moveTo(transaction.view());
      }
    }
  }

  /** Hands the rows written so far to the transaction. */
  flush(): void {
    const changes = this.#writes?.handOver() ?? [];
    if (changes.length > 0) this.session.take(this.#transaction, changes);
  }

  // --- afterwards

  /** Runs the queued calls, in order. */
  fire(): void {
    if (this.#queued === 0) return;
    for (const _ of this.fireSteps()) this.session.checkCancel();
  }

  *fireSteps(): Generator<Yield, void> {
    if (this.#queued === 0 || this.open) return;
    const transaction = this.#transaction;
    const chunks = this.#chunks ?? [];
    const root = this.#queued > KEPT_ROWS ? transaction.seal() : null;
    this.#chunks = null;
    this.#queued = 0;
    const later: DeferredTrigger[] = [];
    let calls = 0;
    let until = performance.now() + 5;
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      for (let i = 0; i < chunk.triggers.length; i++) {
        const trigger = chunk.triggers[i];
        const event = chunk.events[i];
        const row = chunk.rows[i] ?? (event === 'insert' && chunk.keys[i] !== NO_KEY ? this.#stored(root, trigger, chunk.keys[i]) : null);
        if (isDeferred(transaction, trigger)) {
          later.push({ trigger: trigger.object.number, table: trigger.on.number, event, old: chunk.olds[i], row });
          continue;
        }
        const { oldTable, newTable } = trigger;
        if (oldTable === null && newTable === null) callTrigger(this.session, trigger, event, chunk.olds[i], row);
        else callTrigger(this.session, trigger, event, chunk.olds[i], row, this.captured(trigger.on.number, event));
        if (++calls % CALLS === 0 && performance.now() > until) {
          yield YIELD;
          until = performance.now() + 5;
        }
      }
    }
    if (later.length > 0) deferTriggers(transaction, later);
  }

  #stored(root: Node | null, { on }: ReadyTrigger, key: Key): Row | null {
    const { pager } = this.session.host.context.engine;
    const table = this.#schema.tables.get(on.number);
    const at = root === null || table === undefined ? null : rowIn(pager, childRoot(pager, root, on.number), key);
    return at === null ? null : readRow(table!, at.leaf, at.index);
  }
}

export function isDeferred({ waiting }: Transaction, { object: { number, constraint } }: Pick<ReadyTrigger, 'object'>): boolean {
  return constraint?.deferrable === true && waitsForCommit(waiting, { number, initiallyDeferred: constraint.initiallyDeferred });
}

/** The row triggers of one table; `root`: the triggers of its parent that the statement names. */
class TableHooks implements RowTriggers {
  readonly beforeInsert: boolean;
  readonly beforeUpdate: boolean;
  readonly beforeDelete: boolean;
  readonly #of: StatementTriggers;
  readonly #triggers: TableTriggers | null;
  readonly #root: { readonly triggers: TableTriggers; readonly columns: readonly number[] } | null;

  constructor(of: StatementTriggers, triggers: TableTriggers | null, root: { readonly triggers: TableTriggers; readonly columns: readonly number[] } | null) {
    this.#of = of;
    this.#triggers = triggers;
    this.#root = root;
    const fires = (event: TriggerEvent): boolean =>
      triggers !== null && (triggers.beforeRow[event].length > 0 || (root === null && triggers.beforeStatement[event].length > 0));
    this.beforeInsert = fires('insert');
    this.beforeUpdate = fires('update');
    this.beforeDelete = fires('delete');
  }

  get called(): string {
    return this.#of.called;
  }

  /** Rows written by foreign keys begin a statement of their own. */
  #enter(event: TriggerEvent, columns: readonly number[] | null): void {
    const triggers = this.#triggers;
    if (triggers !== null && this.#root === null && !this.#of.isMember(triggers.on.number)) this.#of.beginOne(triggers, event, columns);
  }

  inserting(row: Row, moving: boolean): Row | null {
    this.#enter('insert', null);
    return this.#of.before(this.#triggers!.beforeRow.insert, this.#triggers!, 'insert', null, row, null, moving);
  }

  updating(old: Row, row: Row, columns: readonly number[]): Row | null {
    this.#enter('update', columns);
    return this.#of.before(this.#triggers!.beforeRow.update, this.#triggers!, 'update', old, row, columns);
  }

  deleting(old: Row): boolean {
    this.#enter('delete', null);
    return this.#of.before(this.#triggers!.beforeRow.delete, this.#triggers!, 'delete', old, null, null) !== null;
  }

  inserted(key: Key, row: Row, moving: boolean): void {
    if (!moving) this.#enter('insert', null);
    const triggers = this.#triggers;
    if (triggers !== null) this.#of.queue(triggers.afterRow.insert, triggers, 'insert', key, null, row, null, moving);
    this.#capture(moving ? 'update' : 'insert', null, row);
  }

  updated(key: Key, old: Row, row: Row, columns: readonly number[], fresh: boolean): void {
    this.#enter('update', columns);
    const triggers = this.#triggers;
    if (triggers !== null) {
      if (fresh) this.#of.keepOldRow(triggers.on.number, key, old);
      this.#of.queue(triggers.afterRow.update, triggers, 'update', key, old, row, columns);
    }
    this.#capture('update', old, row);
  }

  deleted(key: Key, old: Row, fresh: boolean, moving: boolean): void {
    if (!moving) this.#enter('delete', null);
    const triggers = this.#triggers;
    if (triggers !== null) {
      if (fresh) this.#of.keepOldRow(triggers.on.number, key, old);
      this.#of.queue(triggers.afterRow.delete, triggers, 'delete', key, old, null, null);
    }
    this.#capture(moving ? 'update' : 'delete', old, null);
  }

  #capture(event: TriggerEvent, old: Row | null, row: Row | null): void {
    const triggers = this.#root?.triggers ?? this.#triggers;
    if (triggers === null) return;
    const { old: keepsOld, new: keepsNew } = triggers.captures[event];
    if (!keepsOld && !keepsNew) return;
    const up = this.#root === null ? (values: Row): Row => values : (values: Row): Row => this.#root!.columns.map((column): Value => values[column]);
    const captured = this.#of.captured(triggers.on.number, event);
    if (keepsOld && old !== null) captured.old.push(up(old));
    if (keepsNew && row !== null) captured.new.push(up(row));
  }
}
