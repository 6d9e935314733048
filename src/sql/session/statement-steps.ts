/** What is run for a statement, one after the other: itself, or what rules make of it. */
import { lockName } from '../bind/lock-name.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

export function stepsOf(session: SqlSession, prepared: Prepared): readonly Prepared[] {
  if (prepared.steps === undefined) return [prepared];
  session.writable(prepared.writes ?? 'INSERT');
  return prepared.steps.length === 0 ? [{ ...prepared, modifies: false }] : prepared.steps;
}

export interface OpenStep {
  readonly writes: StatementWrites | null;
  readonly cursor: AnalyzedCursor;
}

/** 42501 and 25006 where it may not run. */
export function openStep(session: SqlSession, transaction: Transaction, prepared: Prepared, params: readonly Value[]): OpenStep {
  checkAccess(session, prepared.access);
  if (prepared.modifies) session.writable(prepared.writes ?? 'INSERT');
  if (prepared.rowLock !== null) session.writable(`SELECT ${lockName(prepared.rowLock)}`);
  const writes = prepared.modifies ? session.writesOver(transaction) : null;
  session.locks.reading(transaction, prepared.tables);
  return { writes, cursor: prepared.executable.run(execContext(session, params, writes)) };
}
