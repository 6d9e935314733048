/**
 * Cursors: DECLARE runs the query to its end and keeps the rows, FETCH and MOVE go back and forth in them. A cursor
 * ends with its transaction, WITH HOLD with the session.
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
import type { Parameters } from './parameters.ts';
import { done, type ResultColumn, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

export interface Cursor {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly backward: boolean;
  readonly hold: boolean;
  /** What it was declared in; null once that was committed. */
  transaction: Transaction | null;
  /** Savepoints that stood when it was declared. */
  readonly depth: number;
  position: number;
  /** Where each row comes from one of a table: its key, or the columns of its primary key. */
  /** What pg_cursors shows. */
  readonly shown?: { readonly statement: string; readonly binary: boolean; readonly scrollable: boolean; readonly declaredAt: Whole };
  readonly identity?: { readonly table: number; readonly rows: readonly (readonly Value[])[] };
}

export async function declareCursor(session: SqlSession, { name, scroll, hold, binary, query }: DeclareCursor, params: Parameters): Promise<StatementResult> {
  if (!hold) session.mustBeInBlock('DECLARE CURSOR');
  if (query.locking.length > 0) refuseLocking(query, hold, scroll === true);
  if (session.cursors.has(name)) throw new SvcError('42P03', `cursor "${name}" already exists`);
  const { columns, rows, identity } = await rowsOf(session, query, params);
  const transaction = session.begin();
  const depth = transaction.savepoints.length;
  session.cursors.set(name, {
    columns,
    rows,
    backward: scroll !== false,
    hold,
    transaction,
    depth,
    position: 0,
    shown: { statement: session.text, binary, scrollable: scroll ?? goesBack(query), declaredAt: session.env.statementStart },
    identity,
  });
  return done('DECLARE CURSOR', session.notices);
}

/** Rows that are locked are read once, forwards. */
function refuseLocking({ locking }: Query, hold: boolean, scroll: boolean): void {
  const what = `FOR ${{ update: 'UPDATE', noKeyUpdate: 'NO KEY UPDATE', share: 'SHARE', keyShare: 'KEY SHARE' }[locking[0].strength]}`;
  if (hold) throw new SvcError('0A000', `DECLARE CURSOR WITH HOLD ... ${what} is not supported`, { detail: 'Holdable cursors must be READ ONLY.' });
  if (scroll) throw new SvcError('0A000', `DECLARE SCROLL CURSOR ... ${what} is not supported`, { detail: 'Scrollable cursors must be READ ONLY.' });
}

/** Whether Postgres's plan could be read backwards, so that the cursor scrolls without being told to. */
function goesBack(query: Query): boolean {
  if (query.orderBy.length > 0) return true;
  if (query.type !== 'select') return query.type === 'values';
  return query.from.length === 1 && query.from[0].type !== 'join' && query.groupBy.length === 0 && query.distinct === null && query.locking.length === 0;
}

type Queried = Pick<Cursor, 'columns' | 'rows' | 'identity'>;

async function rowsOf(session: SqlSession, query: Query, params: Parameters): Promise<Queried> {
  session.startStatement();
  const from = scannedTable(query);
  const found = from === null ? null : session.names().relation(from.name.schema, from.name.name);
  const table = found?.kind === 'table' && found.table.materialized === null ? found.table : null;
  const wider = table === null ? query : withIdentity(query, from!, table);
  const whole = wider !== query && isBound(session, wider, params) ? wider : query;
  const { columns, rows } = await session.query(whole, params);
  const all = columns ?? [];
  if (whole === query) return { columns: all, rows };
  const width = all.length - identity(table!).length;
  return {
    columns: all.slice(0, width),
    rows: rows.map((row) => row.slice(0, width)),
    identity: { table: table!.number, rows: rows.map((row) => row.slice(width)) },
  };
}

/** A query that groups its rows without GROUP BY cannot show them one by one. */
function isBound(session: SqlSession, query: Query, params: Parameters): boolean {
  try {
    session.withParameters(query, params);
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code === '42803') return false;
    throw error;
  }
}

/** A part of what identifies the row of the table on which the cursor stands. */
export function currentOf(session: SqlSession, { name, table, place }: NonNullable<EnvironmentCall['cursor']>): Value {
  const { identity: rows, position, hold, transaction } = session.cursors.get(name) ?? missing(name);
  if (hold && transaction === null) throw new SvcError('24000', `cursor "${name}" is held from a previous transaction`);
  if (rows?.table !== table) {
    throw new SvcError('24000', `cursor "${name}" is not a simply updatable scan of table "${session.schema().tables.get(table)?.name ?? ''}"`);
  }
  const row = rows.rows[position - 1];
  if (row === undefined) throw new SvcError('24000', `cursor "${name}" is not positioned on a row`);
  return row[place];
}

export async function fetchCursor(session: SqlSession, statement: Fetch): Promise<StatementResult> {
  const cursor = session.cursors.get(statement.cursor) ?? (await session.portal(statement.cursor)) ?? missing(statement.cursor);
  const rows = cursorRows(cursor, statement);
  if (statement.type === 'move') return done(`MOVE ${rows.length}`);
  return { command: `FETCH ${rows.length}`, columns: cursor.columns, rows, notices: [] };
}

export function closeCursor(session: SqlSession, { name }: CloseCursor): StatementResult {
  if (name === null) {
    session.cursors.clear();
    return done('CLOSE CURSOR ALL');
  }
  if (!session.cursors.delete(name)) missing(name);
  return done('CLOSE CURSOR');
}

/** What the end of a transaction leaves: held ones that were there before it or were committed with it. */
export function endCursors(cursors: Map<string, Cursor>, transaction: Transaction, committed: boolean): void {
  for (const [name, cursor] of cursors) {
    if (cursor.transaction !== transaction) continue;
    if (committed && cursor.hold) cursor.transaction = null;
    else cursors.delete(name);
  }
}

/** Those declared behind the savepoint go with what is rolled back. */
export function rollbackCursors(cursors: Map<string, Cursor>, transaction: Transaction, savepoint: number): void {
  for (const [name, cursor] of cursors) if (cursor.transaction === transaction && cursor.depth > savepoint) cursors.delete(name);
}

function missing(name: string): never {
  throw new SvcError('34000', `cursor "${name}" does not exist`);
}

/** The rows that are passed, in the order of passing; the cursor stands on the last of them. */
export function cursorRows(cursor: Cursor, { direction, count }: Fetch): readonly (readonly Value[])[] {
  const { rows, position } = cursor;
  const end = rows.length + 1;
  switch (direction) {
    case 'forward':
      return count === null || count >= 0 ? forward(cursor, count ?? end) : backward(cursor, -count);
    case 'backward':
      return count === null || count >= 0 ? backward(cursor, count ?? end) : forward(cursor, -count);
    case 'absolute':
    case 'relative': {
      const wanted = direction === 'relative' ? position + count! : count! >= 0 ? count! : end + count!;
      const target = Math.max(0, Math.min(end, wanted));
      if (target < position || (direction === 'relative' && count === 0)) mayGoBack(cursor);
      cursor.position = target;
      return target > 0 && target < end ? [rows[target - 1]] : [];
    }
  }
}

function forward(cursor: Cursor, count: number): readonly (readonly Value[])[] {
  const { rows, position } = cursor;
  if (count === 0) return current(cursor);
  const last = Math.min(rows.length + 1, position + count);
  cursor.position = last;
  return rows.slice(position, last);
}

function backward(cursor: Cursor, count: number): readonly (readonly Value[])[] {
  const { rows, position } = cursor;
  if (count === 0) return current(cursor);
  mayGoBack(cursor);
  const last = Math.max(0, position - count);
  cursor.position = last;
  return rows.slice(Math.max(0, last - 1), Math.max(0, position - 1)).reverse();
}

function current(cursor: Cursor): readonly (readonly Value[])[] {
  const { rows, position } = cursor;
  mayGoBack(cursor);
  return position > 0 && position <= rows.length ? [rows[position - 1]] : [];
}

function mayGoBack({ backward: may }: Cursor): void {
  if (!may) throw new SvcError('55000', 'cursor can only scan forward', { hint: 'Declare it with SCROLL option to enable backward scan.' });
}
