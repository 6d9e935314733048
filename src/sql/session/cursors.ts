/**
 * Cursors: DECLARE runs the query to its end and keeps the rows, FETCH and MOVE go back and forth in them. A cursor
 * ends with its transaction, WITH HOLD with the session.
 *
 *   position   0 | 1 … n | n + 1
 *        before │  a row  │ behind
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CloseCursor, DeclareCursor, Fetch } from '../ast/session.ts';
import type { Value } from '../types/value.ts';
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
}

export async function declareCursor(session: SqlSession, { name, scroll, hold, query }: DeclareCursor, params: Parameters): Promise<StatementResult> {
  if (!hold) session.mustBeInBlock('DECLARE CURSOR');
  if (session.cursors.has(name)) throw new SvcError('42P03', `cursor "${name}" already exists`);
  const { columns, rows } = await session.query(query, params);
  const transaction = session.begin();
  session.cursors.set(name, { columns: columns ?? [], rows, backward: scroll !== false, hold, transaction, depth: transaction.savepoints.length, position: 0 });
  return done('DECLARE CURSOR', session.notices);
}

export async function fetchCursor(session: SqlSession, statement: Fetch): Promise<StatementResult> {
  const cursor = session.cursors.get(statement.cursor) ?? (await session.portal(statement.cursor)) ?? missing(statement.cursor);
  const rows = moved(cursor, statement);
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
function moved(cursor: Cursor, { direction, count }: Fetch): readonly (readonly Value[])[] {
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
