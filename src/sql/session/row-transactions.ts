/**
 * `xmin`: the transaction that wrote a row. Its number is the sequence of its event, or, where it asked for its number before its end, that of
 * the event by which it got it. A row that the current transaction has changed has its number.
 */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { type RowAt, rowIn } from '../../tree/row-change.ts';
import { isTemporarySchema } from '../../worlds/definition.ts';
import { FROZEN, hashOfRow } from '../functions/system/row-identity.ts';
import { keyInMember, memberOf } from '../schema/hierarchy.ts';
import { readRow } from '../schema/row-reader.ts';
import type { SqlTable } from '../schema/table.ts';
import type { TableRead } from '../types/environment.ts';
import type { Value, Whole } from '../types/value.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

/** More of the log has to be read before the statement can run. */
export class LogRead extends RetryStatement {
  readonly done: Promise<void>;

  constructor(done: Promise<void>) {
    super();
    this.done = done;
  }
}

/** Waits for a promise, or until the signal's reason is thrown. */
export function untilRead({ done }: LogRead, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    done.then(resolve, reject);
  });
}

export function rowTransaction(session: SqlSession, { table, whole, asOf }: TableRead, rowKey: Value, values: readonly Value[]): number {
  const number = whole ? memberOf(rowKey as string) : table;
  const key = whole ? keyInMember(rowKey as string) : typeof rowKey === 'string' ? rowKey : Number(rowKey);
  if (asOf !== null) {
    const { world, seen } = session.readingAt(asOf);
    return lastTransaction(session, world.number, Math.max(seen, world.number) as Sequence, number, key);
  }
  const transaction = session.begin();
  const { tables } = session.schema();
  const member = tables.get(number);
  if (member === undefined || isTemporarySchema(member.schema)) return FROZEN;
  const isOwn =
    values.length > 0
      ? isWritten(transaction, member, key, whole ? inOrderOf(tables.get(table), member, values) : values)
      : isChanged(transaction, member, key);
  return isOwn ? short(session.system.transactionId()) : lastTransaction(session, session.worldNumber, transaction.seen, number, key);
}

/** The same for a row by its columns alone. */
export function writtenRowTransaction(session: SqlSession, number: number, row: readonly Value[]): number {
  const table = session.schema().tables.get(number);
  if (table === undefined || table.key.columns.length === 0 || isTemporarySchema(table.schema)) return FROZEN;
  const values = table.key.columns.map((column) => row[column]);
  // No row has a key with nulls.
  if (values.includes(null)) return short(session.system.transactionId());
  const key = session.schema().rowKey(table).encode(values);
  const transaction = session.begin();
  return isWritten(transaction, table, key, row)
    ? short(session.system.transactionId())
    : lastTransaction(session, session.worldNumber, transaction.seen, table.number, key);
}

function lastTransaction(session: SqlSession, world: WorldNumber, upTo: Sequence, table: number, key: Key): number {
  const last = session.host.lastChanges.of(world, upTo, table, key);
  if (typeof last !== 'number') throw new LogRead(last);
  return last === 0 ? FROZEN : short(last);
}

/** An xid has 32 bits. */
function short(id: Whole): number {
  return Number(BigInt.asUintN(32, BigInt(id)));
}

/** The values of a row of a top table in the order of a table below it. */
function inOrderOf(top: SqlTable | undefined, member: SqlTable, values: readonly Value[]): readonly Value[] {
  if (top === undefined || top === member) return values;
  const byName = new Map(top.columns.map(({ name }, i) => [name, values[i]]));
  // What only the table below has is not seen from the top.
  return member.columns.map(({ name }) => byName.get(name) ?? null);
}

/** Whether a row that a statement gives is not the one that was there before the transaction. */
function isWritten({ pager, base }: Transaction, table: SqlTable, key: Key, row: readonly Value[]): boolean {
  const was = found(pager, base, table.number, key);
  if (was === null) return true;
  const types = table.columns.map(({ type }) => type);
  return hashOfRow(readRow(table, was.leaf, was.index), types) !== hashOfRow(row, types);
}

/** Whether the transaction has changed a row before the statement. */
function isChanged(transaction: Transaction, table: SqlTable, key: Key): boolean {
  if (!transaction.dirty) return false;
  const { pager, base } = transaction;
  const is = found(pager, transaction.directory(table.number), table.number, key);
  const was = found(pager, base, table.number, key);
  if (is === null || was === null) return is !== was;
  const types = table.columns.map(({ type }) => type);
  return hashOfRow(readRow(table, is.leaf, is.index), types) !== hashOfRow(readRow(table, was.leaf, was.index), types);
}

function found(pager: Transaction['pager'], directory: Node, table: number, key: Key): RowAt | null {
  const tree = childRoot(pager, directory, table);
  return tree === null ? null : rowIn(pager, tree, key);
}
