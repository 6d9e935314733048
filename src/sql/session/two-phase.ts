/**
 * PREPARE TRANSACTION, COMMIT PREPARED and ROLLBACK PREPARED, answered as with `max_prepared_transactions` = 0, Postgres's default:
 * a prepared transaction would have to keep its locks over a restart, but the log holds only committed changes.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TwoPhase } from '../ast/session.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** GIDSIZE in bytes, including the terminating NUL. */
const IDENTIFIER_SIZE = 200;

export function twoPhase(session: SqlSession, { type, id }: TwoPhase): StatementResult {
  if (type === 'prepareTransaction') {
    const { transaction } = session;
    if (transaction?.explicit !== true) {
      session.notice('25P01', 'there is no transaction in progress', 'WARNING');
      session.rollback();
      return done('ROLLBACK', session.notices);
    }
    // The transaction is over in any case.
    session.rollback();
    if (transaction.failed) return done('ROLLBACK');
    if (Buffer.byteLength(id) >= IDENTIFIER_SIZE) throw new SvcError('22023', `transaction identifier "${id}" is too long`);
    throw new SvcError('55000', 'prepared transactions are disabled', { hint: 'Set max_prepared_transactions to a nonzero value.' });
  }
  const what = type === 'commitPrepared' ? 'COMMIT PREPARED' : 'ROLLBACK PREPARED';
  if (session.functionDepth > 0) throw new SvcError('25001', `${what} cannot be executed from a function`);
  if (session.transaction?.explicit === true || session.isMultiStatement) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
  throw new SvcError('42704', `prepared transaction with identifier "${id}" does not exist`);
}
