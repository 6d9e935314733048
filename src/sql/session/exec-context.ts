/** The execution context that a session gives to one run of a plan. */
import type { Key } from '../../tree/datum.ts';
import type { TriggerEvent } from '../../worlds/definition.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { FoundRow, FoundRows } from '../../worlds/search.ts';
import type { ExecContext, ForeignRows, InsertProgress, LongCall, Reads, Wanted, DistanceSearch, WordSearch } from '../exec/context.ts';
import { currentDate, currentTime, currentTimestamp, localTime, localTimestamp } from '../functions/time/now.ts';
import type { Call } from '../functions/define.ts';
import type { EnvironmentCall } from '../plan/bound.ts';
import type { LockStrength, LockWaiting, State, VirtualRelation } from '../plan/logical.ts';
import { withCounts } from '../catalog/class-counts.ts';
import { keyInMember, memberOf } from '../schema/hierarchy.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { SqlTable } from '../schema/table.ts';
import type { TableWriter } from '../schema/table-writer.ts';
import type { Value } from '../types/value.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { currentOf } from './cursors.ts';
import { membersOf, nearestRows, rankedRows } from './ranked-rows.ts';
import type { SqlSession } from './sql-session.ts';
import { triggersOf } from './triggers/statement-triggers.ts';
import type { Transaction, TransactionView } from './transaction.ts';

export function execContext(
  session: SqlSession,
  params: readonly Value[],
  writes: StatementWrites | null,
  progress?: InsertProgress,
  wanted?: Wanted,
): ExecContext {
  const context = new StatementContext(session, session.begin(), params, writes, wanted);
  if (progress !== undefined) context.progress = progress;
  const held = session.maxMemoryMb;
  // Sorts, groups and joins spill at a quarter of the statement's memory.
  if (held !== 0) {
    context.workMemBytes = Math.min(context.workMemBytes, held * 262_144);
    context.heldBytesMax = Math.min(context.heldBytesMax ?? Infinity, held * 1_048_576);
  }
  return context;
}

/** A class rather than closures: one is created for each statement, and closures would cost more than a lookup by key. */
class StatementContext implements ExecContext {
  readonly env: ExecContext['env'];
  readonly params: readonly Value[];
  readonly pager: ExecContext['pager'];
  readonly reads: Reads | null;
  readonly keys: ExecContext['keys'];
  workMemBytes: number;
  heldBytesMax: number | undefined;
  progress: InsertProgress | undefined = undefined;
  readonly wanted: Wanted | undefined;
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #view: TransactionView;
  readonly #writes: StatementWrites | null;

  get spill(): ExecContext['spill'] {
    return spillOf(this.#session);
  }

  constructor(session: SqlSession, transaction: Transaction, params: readonly Value[], writes: StatementWrites | null, wanted: Wanted | undefined) {
    this.wanted = wanted;
    const { host } = session;
    this.env = session.env;
    this.params = params;
    this.pager = transaction.pager;
    this.reads = readsOf(session, transaction);
    this.keys = session.keyCodec();
    this.workMemBytes = host.workMemBytes;
    this.heldBytesMax = host.statementBytes;
    if (host.statementBytes !== undefined) this.workMemBytes = Math.min(this.workMemBytes, host.statementBytes / 4);
    this.#session = session;
    this.#transaction = transaction;
    this.#view = transaction.view();
    this.#writes = writes;
  }

  directory(table: number): Node {
    return this.#view.directory(table);
  }

  row(table: number, key: Key, columns: readonly number[]): Leaf | null | undefined {
    return this.#view.row(table, key, columns);
  }

  lockRow(table: SqlTable, key: Key, strength: LockStrength, wait: LockWaiting): boolean {
    const { locks } = this.#session;
    if (table.whole === undefined) return locks.lockRow(this.#transaction, table, key, strength, wait);
    const number = memberOf(key as string);
    const member = table.whole.members.find((each) => each.table.number === number)!;
    if (member.table.foreign !== undefined) return true;
    return locks.lockRow(this.#transaction, member.table, keyInMember(key as string), strength, wait);
  }

  rootAt(asOf: State): Node {
    return this.#session.rootAt(asOf);
  }

  writer(table: SqlTable, events: readonly TriggerEvent[], columns?: readonly number[]): TableWriter {
    const writes = this.#writes;
    if (writes === null) throw new SvcError('XX000', 'a statement that only reads has no writer');
    const triggers = triggersOf(writes);
    if (triggers !== null) {
      triggers.begin(table, events, columns);
      if (table.view === true) return triggers.instead(table);
    }
    return table.whole === undefined ? writes.writer(table) : writes.hierarchy(table);
  }

  ownRelation(relation: VirtualRelation): VirtualRelation {
    if (relation.counts !== undefined) return withCounts(relation, (table) => this.#session.rowCount(table));
    const found = this.#session.names().relation(relation.schema, relation.name, true);
    return found?.kind === 'virtual' ? found.relation : relation;
  }

  foreignRows(table: SqlTable, columns: readonly (number | 'key' | null)[]): ForeignRows {
    return this.#session.foreignRows(table, columns);
  }

  ranked(table: SqlTable, asOf: State | null, search: WordSearch): Generator<void, FoundRows> {
    if (asOf === null) for (const { number } of membersOf(table)) this.reads?.ranges(number, [{ lower: null, upper: null }]);
    return rankedRows(this.#session, table, search, (number) => (asOf === null ? this.directory(number) : this.rootAt(asOf)));
  }

  nearest(table: SqlTable, asOf: State | null, search: DistanceSearch): Generator<readonly FoundRow[] | void, void> {
    if (asOf === null) this.reads?.ranges(table.number, [{ lower: null, upper: null }]);
    return nearestRows(this.#session, table, search, () => (asOf === null ? this.directory(table.number) : this.rootAt(asOf)));
  }

  environmentValue(call: EnvironmentCall): Value {
    return environmentValue(this.#session, call);
  }

  checkCancel(): void {
    this.#session.checkCancel();
  }

  compute(key: string, call: Call | null, args: readonly Value[]): LongCall | null {
    return this.#session.longCalls.begin(key, call, args);
  }
}

/** Receives what the statement reads: for a serializable transaction, for the read check of the world, or for waiting until the rows are on disk. */
export function readsOf(session: SqlSession, { reads, world }: Transaction): Reads | null {
  const noted = world === null ? null : session.host.context.noting(session.principal, world);
  if (reads === null && noted === null) return session.rowReads;
  if (session.rowReads !== null) session.recordFullRead();
  if (reads === null || noted === null) return reads ?? noted;
  return {
    ranges(tree, ranges) {
      reads.ranges(tree, ranges);
      noted.ranges(tree, ranges);
    },
    row(tree, key) {
      reads.row(tree, key);
      noted.row(tree, key);
    },
  };
}

function environmentValue(session: SqlSession, { name, precision, cursor }: EnvironmentCall): Value {
  const { env } = session;
  if (cursor !== undefined) return currentOf(session, cursor);
  const digits = precision ?? 6;
  switch (name) {
    case 'current_date':
      return currentDate(env);
    case 'current_time':
      return currentTime(env, digits);
    case 'current_timestamp':
      return currentTimestamp(env, digits);
    case 'localtime':
      return localTime(env, digits);
    case 'localtimestamp':
      return localTimestamp(env, digits);
    case 'current_catalog':
      return session.system.database;
    case 'current_schema':
      return session.system.schemas(false)[0] ?? null;
    case 'session_user':
      return session.authority.sessionUserName;
    default:
      return session.system.user;
  }
}

/** Counts the temporary files of the session's world. */
function spillOf(session: SqlSession): ExecContext['spill'] {
  const { host } = session;
  const { spill } = host;
  if (spill === null) return null;
  return () => {
    const world = session.transaction?.world ?? null;
    if (world !== null) host.activity.of(world.number).temporaryFiles++;
    return spill();
  };
}
