/** COMMIT and ROLLBACK in a procedure or DO. Manual, 43.8. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { RetryStatement } from '../../../locks/lock-wait.ts';
import { keepHeldSteps } from '../cursors.ts';
import { commitAhead } from '../large-commit.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Steps } from './steps.ts';

/** 2D000 in a block with EXCEPTION, 55000 inside a loop over rows that are being changed. */
export function* endTransaction(session: SqlSession, what: 'commit' | 'rollback', chain: boolean): Steps<void> {
  const transaction = session.begin();
  if (transaction.savepoints.length > 0) {
    throw new SvcError('2D000', `cannot ${what === 'commit' ? 'commit' : 'roll back'} while a subtransaction is active`);
  }
  for (const loop of session.loops) {
    if (loop.writes) throw new SvcError('55000', 'cannot perform transaction commands inside a cursor loop that is not read-only');
  }
  const { readOnly } = transaction;
  const isolation = session.settings.get('transaction_isolation')!;
  // Loops and their cursors continue over the rows that they began with.
  for (const loop of session.loops) yield* loop.keep();
  yield* keepHeldSteps(session.cursors, transaction);
  if (what === 'rollback') session.rollback();
  else yield* commit(session);
  if (chain) {
    const next = session.begin();
    if (session.settings.get('transaction_isolation') !== isolation) {
      session.settings.set('transaction_isolation', isolation, true);
      session.isolate(isolation);
    }
    next.readOnly = readOnly;
  }
  const backpressure = session.admission();
  if (backpressure !== null) yield backpressure;
}

function* commit(session: SqlSession): Steps<void> {
  const said = session.messages.mark;
  for (;;) {
    yield* commitAhead(session, session.begin());
    try {
      session.commit();
      session.resetRetries();
      return;
    } catch (error) {
      if (!(error instanceof RetryStatement)) throw error;
      yield session.retryInside(error, undefined, said);
    }
  }
}
