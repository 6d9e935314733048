/**
 * Cursors: rows of a query that FETCH and MOVE take on demand, kept as far back as the cursor may scroll. A cursor ends with its
 * transaction, WITH HOLD with the session: then its remaining rows are read at the commit.
 *
 *   position   0 | 1 … n | n + 1
 *        before │  a row  │ behind
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Query } from '../ast/query.ts';
import type { CloseCursor, DeclareCursor, Fetch } from '../ast/session.ts';
import { identity, scannedTable, withIdentity } from '../bind/current-of.ts';
import type { EnvironmentCall } from '../plan/bound.ts';
import type { Value, Whole } from '../types/value.ts';
import { areTyped, type Parameters } from './parameters.ts';
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import type { Masks } from '../../worlds/masks.ts';
import { done, type ResultColumn, type StatementResult } from './results.ts';
import { ResultMemory } from './result-memory.ts';
import { RowStream } from './row-stream.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';
import { writesInWith } from './view-spec.ts';

export interface Cursor {
  readonly columns: readonly ResultColumn[];
  /** Rows from `from` on that have been read so far. */
  readonly rows: (readonly Value[])[];
  /** Number of earlier rows that were dropped. */
  from: number;
  /** The memory of the rows; absent if it is counted elsewhere. */
  readonly memory?: ResultMemory;
  /** The source of further rows; null at the end. */
  source: RowStream | null;
  /** null if neither SCROLL nor NO SCROLL was given. */
  readonly scroll: boolean | null;
  readonly hold: boolean;
  /** The transaction that declared it; null once that has committed. */
  transaction: Transaction | null;
  /** Number of savepoints when it was declared. */
  readonly depth: number;
  position: number;
  /** Each row is followed by hidden columns that identify it in the table: its key, or its primary key columns. */
  readonly identity?: number;
  /** Whether the cursor scrolls by default. */
  readonly scrolls?: boolean;
  /** For pg_cursors. */
  readonly statement: string;
  readonly binary: boolean;
  readonly at: Whole;
  /** The masks in effect when it was opened; absent if the reader saw through them. */
  readonly masks?: Masks;
  /** Used by a FOR loop: it outlives COMMIT and cannot be closed. */
  pinned: boolean;
}

/** Rows kept behind the position when SCROLL was not given. */
const KEPT_BACK = 100_000;
/** Rows that are read ahead. */
const AHEAD = 256;

export type Rows = readonly (readonly Value[])[];

/** A cursor whose rows are all in memory. */
export function cursorOver(columns: readonly ResultColumn[], rows: Rows, transaction: Transaction | null): Cursor {
  const parts = { from: 0, source: null, scroll: false, hold: false, depth: 0, position: 0, statement: '', binary: false, at: 0, pinned: false };
  return { ...parts, columns, rows: [...rows], transaction };
}

export async function declareCursor(session: SqlSession, statement: DeclareCursor, params: Parameters): Promise<StatementResult> {
  return runInTurns(session, declareCursorSteps(session, statement, params));
}

/** The same, in steps. */
export function* declareCursorSteps(session: SqlSession, statement: DeclareCursor, params: Parameters): Steps<StatementResult> {
  const { name, scroll, hold, insensitive, query, binary } = statement;
  if (writesInWith(query)) throw new SvcError('0A000', 'DECLARE CURSOR must not contain data-modifying statements in WITH');
  if (!hold) session.mustBeInBlock('DECLARE CURSOR');
  if (query.locking.length > 0) refuseLocking(query, hold, scroll === true, insensitive === true);
  if (session.cursors.has(name)) throw new SvcError('42P03', `cursor "${name}" already exists`);
  session.startStatement();
  const made = yield* opened(session, query, params);
  const transaction = session.begin();
  session.cursors.set(name, {
    ...made,
    from: 0,
    scroll,
    hold,
    transaction,
    depth: transaction.savepoints.length,
    position: 0,
    statement: session.text,
    scrolls: scroll ?? goesBack(query),
    binary,
    at: session.env.statementStart,
    pinned: false,
  });
  return done('DECLARE CURSOR', session.notices);
}

/** Locked rows are read once, forwards. */
function refuseLocking({ locking }: Query, hold: boolean, scroll: boolean, insensitive: boolean): void {
  const what = `FOR ${{ update: 'UPDATE', noKeyUpdate: 'NO KEY UPDATE', share: 'SHARE', keyShare: 'KEY SHARE' }[locking[0].strength]}`;
  if (hold) throw new SvcError('0A000', `DECLARE CURSOR WITH HOLD ... ${what} is not supported`, { detail: 'Holdable cursors must be READ ONLY.' });
  if (scroll) throw new SvcError('0A000', `DECLARE SCROLL CURSOR ... ${what} is not supported`, { detail: 'Scrollable cursors must be READ ONLY.' });
  if (insensitive) throw new SvcError('42P11', `DECLARE INSENSITIVE CURSOR ... ${what} is not valid`, { detail: 'Insensitive cursors must be READ ONLY.' });
}

/** Whether Postgres's plan could be read backwards, which makes the cursor scrollable by default. */
function goesBack(query: Query): boolean {
  if (query.orderBy.length > 0) return true;
  if (query.type !== 'select') return query.type === 'values';
  return query.from.length === 1 && query.from[0].type !== 'join' && query.groupBy.length === 0 && query.distinct === null && query.locking.length === 0;
}

type Opened = Pick<Cursor, 'columns' | 'rows' | 'source' | 'identity' | 'masks' | 'memory'>;

function* opened(session: SqlSession, query: Query, params: Parameters): Steps<Opened> {
  const { query: whole, table, width } = identified(session, query, (wider) => void session.withParameters(wider, params));
  if (!areTyped(params)) yield* session.planSteps(whole, [], params.length === 0);
  const { prepared, values } = session.withParameters(whole, params);
  const columns = prepared.columns.slice(0, prepared.columns.length - width);
  const common = { columns, ...(table === null ? {} : { identity: table }), ...masksFor(session) };
  if (RowStream.takes(prepared)) return { ...common, rows: [], source: new RowStream(session, prepared, values), memory: new ResultMemory() };
  const { rows } = yield* session.executeSteps(prepared, values);
  return { ...common, rows: [...rows], source: null };
}

/** Adds the columns that identify each row, if the query shows one table row by row. */
export function identified(session: SqlSession, query: Query, bind: (query: Query) => void): { query: Query; table: number | null; width: number } {
  const from = scannedTable(query);
  const found = from === null ? null : session.names().relation(from.name.schema, from.name.name);
  const table = found?.kind === 'table' && found.table.materialized === null ? found.table : null;
  const wider = table === null ? query : withIdentity(query, from!, table);
  if (wider === query || !isBound(() => bind(wider))) return { query, table: null, width: 0 };
  return { query: wider, table: table!.number, width: identity(table!).length };
}

/** A query with aggregates but no GROUP BY does not bind with the extra columns. */
function isBound(bind: () => void): boolean {
  try {
    bind();
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code === '42803') return false;
    throw error;
  }
}

/** One column of the identity of the cursor's current row. */
export function currentOf(session: SqlSession, { name, table, place }: NonNullable<EnvironmentCall['cursor']>): Value {
  const cursor = session.cursors.get(name) ?? session.cursors.get(variableCursor(session, name) ?? name) ?? missing(name);
  if (cursor.hold && cursor.transaction === null) throw new SvcError('24000', `cursor "${name}" is held from a previous transaction`);
  if (cursor.identity !== table) {
    throw new SvcError('24000', `cursor "${name}" is not a simply updatable scan of table "${session.schema().tables.get(table)?.name ?? ''}"`);
  }
  const row = cursor.rows[cursor.position - 1 - cursor.from];
  if (row === undefined || cursor.position === 0) throw new SvcError('24000', `cursor "${name}" is not positioned on a row`);
  return row[cursor.columns.length + place];
}

/** Inside a function a variable's name means the cursor in it. */
function variableCursor({ frames }: SqlSession, name: string): string | null {
  for (let i = frames.length - 1; i >= 0; i--) {
    const { cursorNamed } = frames[i];
    if (cursorNamed !== undefined) return cursorNamed.call(frames[i], name);
  }
  return null;
}

export async function fetchCursor(session: SqlSession, statement: Fetch): Promise<StatementResult> {
  return runInTurns(session, fetchCursorSteps(session, statement));
}

/** The same, in steps. */
export function* fetchCursorSteps(session: SqlSession, statement: Fetch): Steps<StatementResult> {
  const cursor = session.cursors.get(statement.cursor) ?? (yield* portalOf(session, statement.cursor)) ?? missing(statement.cursor);
  refuseUnmasked(session, statement.cursor, cursor.masks);
  const rows = yield* cursorRows(cursor, statement);
  if (statement.type === 'move') return done(`MOVE ${rows.length}`);
  return { command: `FETCH ${rows.length}`, columns: cursor.columns, rows, notices: [], ...(cursor.binary ? { binary: true } : {}) };
}

export function masksFor(session: SqlSession): Pick<Cursor, 'masks'> {
  return session.authority.unmasked ? {} : { masks: session.masks() };
}

/** Refuses a cursor whose rows were read before a mask was added. Reads through functions and at other moments are not known, so any new mask counts. */
export function refuseUnmasked(session: SqlSession, name: string, masks: Masks | undefined): void {
  if (masks === undefined || session.authority.unmasked) return;
  const now = session.masks();
  if (now === masks) return;
  const added = [...now.columns.keys()].some((key) => !masks.columns.has(key));
  if (added) throw new SvcError('42501', `cursor "${name}" was opened before columns were masked`, { hint: 'Close it and open it again.' });
}

/** A portal of the entrance; functions do not see those. */
function* portalOf(session: SqlSession, name: string): Steps<Cursor | null> {
  return session.functionDepth > 0 ? null : ((yield session.portal(name)) as Cursor | null);
}

export function closeCursor(session: SqlSession, { name }: CloseCursor): StatementResult {
  if (name === null) {
    for (const each of session.cursors.keys()) dropCursor(session.cursors, each);
    return done('CLOSE CURSOR ALL');
  }
  if (!dropCursor(session.cursors, name)) missing(name);
  return done('CLOSE CURSOR');
}

export function dropCursor(cursors: Map<string, Cursor>, name: string): boolean {
  const cursor = cursors.get(name);
  if (cursor?.pinned === true) throw new SvcError('24000', `cannot drop pinned portal "${name}"`);
  if (cursor !== undefined) release(cursor);
  return cursors.delete(name);
}

/** Before a commit: reads the remaining rows of cursors that outlive it. */
export function* keepHeldSteps(cursors: ReadonlyMap<string, Cursor>, transaction: Transaction): Steps<void> {
  for (const cursor of cursors.values()) {
    if (cursor.transaction !== transaction || !(cursor.hold || cursor.pinned) || cursor.source === null) continue;
    yield* readOn(cursor, Infinity);
  }
}

/** Whether a commit has to read rows of held cursors. */
export function readsOn(cursors: ReadonlyMap<string, Cursor>, transaction: Transaction): boolean {
  for (const { transaction: own, hold, pinned, source } of cursors.values()) if (own === transaction && (hold || pinned) && source !== null) return true;
  return false;
}

/** The same in one turn. */
export function keepHeld(cursors: ReadonlyMap<string, Cursor>, transaction: Transaction): void {
  for (const _ of keepHeldSteps(cursors, transaction));
}

/** At the end of a transaction: keeps held cursors that existed before it or were committed with it. */
export function endCursors(cursors: Map<string, Cursor>, transaction: Transaction, committed: boolean): void {
  for (const [name, cursor] of cursors) {
    if (cursor.transaction !== transaction) continue;
    if ((committed && cursor.hold) || cursor.pinned) cursor.transaction = null;
    else {
      release(cursor);
      cursors.delete(name);
    }
  }
}

/** Closes cursors that were declared after the savepoint. */
export function rollbackCursors(cursors: Map<string, Cursor>, transaction: Transaction, savepoint: number): void {
  for (const [name, cursor] of cursors) {
    if (cursor.transaction !== transaction || cursor.depth <= savepoint) continue;
    release(cursor);
    cursors.delete(name);
  }
}

function release({ source, memory }: Cursor): void {
  source?.close();
  memory?.release();
}

function missing(name: string): never {
  throw new SvcError('34000', `cursor "${name}" does not exist`);
}

/** Reads until the row at the 1-based position is there, or all are. */
function* readOn(cursor: Cursor, place: number): Steps<void> {
  const { source } = cursor;
  if (source === null || cursor.from + cursor.rows.length >= place) return;
  yield* source.fill(cursor.rows, place - cursor.from, AHEAD, cursor.memory);
  if (source.ended) cursor.source = null;
}

/** The rows that are passed, in order; the cursor ends on the last of them. */
export function* cursorRows(cursor: Cursor, { direction, count }: Pick<Fetch, 'direction' | 'count'>): Steps<Rows> {
  if (cursor.scroll === false) refuseBack(cursor, direction, count ?? Infinity);
  switch (direction) {
    case 'forward':
      return count === null || count >= 0 ? yield* forward(cursor, count ?? Infinity) : backward(cursor, -count);
    case 'backward':
      return count === null || count >= 0 ? backward(cursor, count ?? Infinity) : yield* forward(cursor, -count);
    case 'absolute':
    case 'relative': {
      const { position } = cursor;
      const fromEnd = direction === 'absolute' && count! < 0;
      yield* readOn(cursor, fromEnd ? Infinity : direction === 'relative' ? position + count! : count!);
      const end = cursor.from + cursor.rows.length + 1;
      const wanted = direction === 'relative' ? position + count! : fromEnd ? end + count! : count!;
      const target = Math.max(0, Math.min(end, wanted));
      if (target < position || (direction === 'relative' && count === 0)) mayGoBack(cursor, target);
      cursor.position = target;
      return target > 0 && target < end ? shown(cursor, target - 1, target) : [];
    }
  }
}

/** Refuses what Postgres does by moving backwards, even if it ends where it began (pquery.c, DoPortalRunFetch). */
function refuseBack({ position, rows, from, source }: Cursor, direction: Fetch['direction'], count: number): void {
  const atEnd = source === null && position > from + rows.length;
  const onRow = position > 0 && !atEnd;
  const passed = atEnd ? position - 1 : position;
  const back =
    direction === 'absolute'
      ? count < 0 || (position > 0 && (count === 0 || count - 1 <= Math.floor(passed / 2) || count <= position))
      : count === 0
        ? onRow
        : (direction === 'backward') === count > 0;
  if (back) forwardOnly();
}

/** Rows between 0-based positions. */
function shown({ rows, from, columns, identity: table }: Cursor, start: number, end: number): Rows {
  const out = rows.slice(start - from, end - from);
  return table === undefined ? out : out.map((row) => row.slice(0, columns.length));
}

function* forward(cursor: Cursor, count: number): Steps<Rows> {
  const { position } = cursor;
  if (count === 0) return current(cursor);
  yield* readOn(cursor, position + count);
  const end = cursor.from + cursor.rows.length + 1;
  const last = Math.min(end, position + count);
  cursor.position = last;
  const out = shown(cursor, position, Math.min(last, end - 1));
  forget(cursor);
  return out;
}

/** Drops rows that can no longer be reached. */
function forget(cursor: Cursor): void {
  const { scroll, position, from } = cursor;
  if (scroll === true) return;
  const kept = scroll === false ? 1 : KEPT_BACK;
  const gone = position - 1 - kept - from;
  // In bulk, since the remaining rows are moved.
  if (gone < AHEAD || gone < cursor.rows.length / 2) return;
  cursor.memory?.releasePart(gone / cursor.rows.length);
  cursor.rows.splice(0, gone);
  cursor.from += gone;
}

function backward(cursor: Cursor, count: number): Rows {
  const { position } = cursor;
  if (count === 0) return current(cursor);
  const last = Math.max(0, position - count);
  mayGoBack(cursor, last);
  cursor.position = last;
  return [...shown(cursor, Math.max(0, last - 1), Math.max(0, position - 1))].reverse();
}

function current(cursor: Cursor): Rows {
  const { rows, position, from } = cursor;
  mayGoBack(cursor, position);
  return position > from && position <= from + rows.length ? shown(cursor, position - 1, position) : [];
}

function mayGoBack({ scroll, from }: Cursor, to: number): void {
  if (scroll === false || from === 0 || to > from) return;
  forwardOnly();
}

function forwardOnly(): never {
  throw new SvcError('55000', 'cursor can only scan forward', { hint: 'Declare it with SCROLL option to enable backward scan.' });
}
