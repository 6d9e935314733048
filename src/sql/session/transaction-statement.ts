/** BEGIN, COMMIT, ROLLBACK, savepoints, SET TRANSACTION, SET CONSTRAINTS. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';
import type { Begin, EndTransaction, Savepoint, SetConstraints, SetTransaction, TransactionModes } from '../ast/session.ts';
import { rollbackCursors } from './cursors.ts';
import { setConstraints } from './deferred-constraints.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

type Control = Begin | EndTransaction | Savepoint | SetTransaction | SetConstraints;

const BOUNDS: ReadonlySet<string> = new Set<Control['type']>(['begin', 'commit', 'rollback', 'savepoint', 'release', 'rollbackTo']);

/** Whether it begins or ends a transaction or savepoint: `runTransaction` handles it, without changes that a lock retry would have to roll back. */
export function isBound<S extends { readonly type: string }>(statement: S): statement is Extract<S, Begin | EndTransaction | Savepoint> {
  return BOUNDS.has(statement.type);
}

export function runTransaction(session: SqlSession, statement: Control): StatementResult {
  switch (statement.type) {
    case 'begin': {
      if (session.transaction?.explicit === true) session.notice('25001', 'there is already a transaction in progress', 'WARNING');
      session.begin(true);
      setModes(session, statement.modes);
      return done(statement.start ? 'START TRANSACTION' : 'BEGIN', session.notices);
    }
    case 'commit': {
      const { transaction } = session;
      if (transaction === null || !transaction.explicit) {
        if (statement.chain) throw new SvcError('25P01', 'COMMIT AND CHAIN can only be used in transaction blocks');
        session.notice('25P01', 'there is no transaction in progress', 'WARNING');
        session.commit();
        return done('COMMIT', session.notices);
      }
      const { failed } = transaction;
      const modes = statement.chain ? modesOf(session) : null;
      try {
        session.commit();
      } catch (error) {
        if (error instanceof RetryStatement) throw error;
        // A transaction that failed to commit is over.
        session.rollback();
        throw error;
      }
      if (modes !== null) chain(session, modes);
      return done(failed ? 'ROLLBACK' : 'COMMIT');
    }
    case 'rollback': {
      const outside = session.transaction === null || !session.transaction.explicit;
      if (outside && statement.chain) throw new SvcError('25P01', 'ROLLBACK AND CHAIN can only be used in transaction blocks');
      if (outside) session.notice('25P01', 'there is no transaction in progress', 'WARNING');
      const modes = statement.chain ? modesOf(session) : null;
      session.rollback();
      if (modes !== null) chain(session, modes);
      return done('ROLLBACK', session.notices);
    }
    case 'savepoint':
      mustBeOpen(session, 'SAVEPOINT');
      session.savepoint(statement.name);
      return done('SAVEPOINT');
    case 'release': {
      const transaction = mustBeOpen(session, 'RELEASE SAVEPOINT');
      transaction.savepoints.length = found(transaction.find(statement.name), statement.name);
      return done('RELEASE');
    }
    case 'rollbackTo': {
      const transaction = mustBeOpen(session, 'ROLLBACK TO SAVEPOINT');
      const index = found(transaction.find(statement.name), statement.name);
      session.rollbackTo(index);
      rollbackCursors(session.cursors, transaction, index);
      return done('ROLLBACK');
    }
    case 'setTransaction':
      if (statement.session) {
        const { isolation, readOnly, deferrable } = statement.modes;
        if (isolation !== null) session.settings.set('default_transaction_isolation', isolation, false);
        if (readOnly !== null) session.settings.set('default_transaction_read_only', readOnly ? 'on' : 'off', false);
        if (deferrable !== null) session.settings.set('default_transaction_deferrable', deferrable ? 'on' : 'off', false);
      } else {
        if (session.transaction?.explicit !== true && session.functionDepth === 0)
          session.notice('25P01', 'SET TRANSACTION can only be used in transaction blocks', 'WARNING');
        session.begin();
        if (statement.snapshot !== null) session.importSnapshot(statement.snapshot);
        else setModes(session, statement.modes);
      }
      return done('SET', session.notices);
    case 'setConstraints':
      if (session.transaction?.explicit !== true) session.notice('25P01', 'SET CONSTRAINTS can only be used in transaction blocks', 'WARNING');
      setConstraints(session, statement);
      return done('SET CONSTRAINTS', session.notices);
  }
}

/** AND CHAIN: the next transaction has the modes of the one that ends. */
function modesOf({ settings }: SqlSession): TransactionModes {
  return {
    isolation: settings.get('transaction_isolation') as TransactionModes['isolation'],
    readOnly: settings.get('transaction_read_only') === 'on',
    deferrable: settings.get('transaction_deferrable') === 'on',
  };
}

function chain(session: SqlSession, modes: TransactionModes): void {
  session.begin(true);
  setModes(session, modes);
}

function setModes(session: SqlSession, { isolation, readOnly, deferrable }: TransactionModes): void {
  const transaction = session.begin();
  if (deferrable !== null && transaction.looked) throw new SvcError('25001', 'SET TRANSACTION [NOT] DEFERRABLE must be called before any query');
  if (deferrable !== null && transaction.savepoints.length > 0)
    throw new SvcError('25001', 'SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction');
  if (deferrable !== null && deferrable !== (session.settings.get('transaction_deferrable') === 'on'))
    session.settings.set('transaction_deferrable', deferrable ? 'on' : 'off', true);
  if (isolation !== null && isolation !== session.settings.get('transaction_isolation')) {
    if (transaction.looked) throw new SvcError('25001', 'SET TRANSACTION ISOLATION LEVEL must be called before any query');
    if (transaction.savepoints.length > 0) throw new SvcError('25001', 'SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction');
    session.settings.set('transaction_isolation', isolation, true);
    session.isolate(isolation);
  }
  if (readOnly === null) return;
  if (transaction.readOnly && !readOnly && transaction.looked) throw new SvcError('25001', 'transaction read-write mode must be set before any query');
  transaction.readOnly = readOnly;
  session.settings.set('transaction_read_only', readOnly ? 'on' : 'off', true);
}

function mustBeOpen(session: SqlSession, what: string): NonNullable<SqlSession['transaction']> {
  const { transaction } = session;
  if (transaction?.explicit !== true) throw new SvcError('25P01', `${what} can only be used in transaction blocks`);
  return transaction;
}

function found(index: number, name: string): number {
  if (index < 0) throw new SvcError('3B001', `savepoint "${name}" does not exist`);
  return index;
}
