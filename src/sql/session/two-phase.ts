/**
 * PREPARE TRANSACTION and what ends it, as a server answers whose `max_prepared_transactions` is 0, Postgres's default: a
 * prepared transaction would have to keep its locks over a restart, and the log holds outcomes only.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TwoPhase } from '../ast/session.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** GIDSIZE: bytes, with the one that ends it. */
const IDENTIFIER_SIZE = 200;

export function twoPhase(session: SqlSession, { type, id }: TwoPhase): StatementResult {
  if (type === 'prepareTransaction') {
    const { transaction } = session;
    if (transaction?.explicit !== true) {
      session.notice('25P01', 'there is no transaction in progress', 'WARNING');
      session.rollback();
      return done('ROLLBACK', session.notices);
    }
    // Whatever comes of it, the transaction is over.
    session.rollback();
    if (transaction.failed) return done('ROLLBACK');
    if (Buffer.byteLength(id) >= IDENTIFIER_SIZE) throw new SvcError('22023', `transaction identifier "${id}" is too long`);
    throw new SvcError('55000', 'prepared transactions are disabled', { hint: 'Set max_prepared_transactions to a nonzero value.' });
  }
  const what = type === 'commitPrepared' ? 'COMMIT PREPARED' : 'ROLLBACK PREPARED';
  if (session.functionDepth > 0) throw new SvcError('25001', `${what} cannot be executed from a function`);
  if (session.transaction?.explicit === true || session.listed) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
  throw new SvcError('42704', `prepared transaction with identifier "${id}" does not exist`);
}
