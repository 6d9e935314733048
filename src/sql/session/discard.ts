/** DISCARD: drops session state. Only DISCARD ALL cannot run in a transaction block. */
import type { Discard } from '../ast/session.ts';
import { closeCursor } from './cursors.ts';
import { discardTemporary } from './define.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function discard(session: SqlSession, { what }: Discard): StatementResult {
  if (what === 'all') {
    session.preventInTransactionBlock('DISCARD ALL');
    session.prepared.clear();
    closeCursor(session, { type: 'closeCursor', name: null, at: 0 });
    session.settings.resetAll();
    session.settings.set('session_authorization', null, false);
    session.settings.set('role', null, false);
    session.unlisten(null);
    session.locks.giveAllAdvisory();
  }
  if (what === 'all' || what === 'temp') discardTemporary(session);
  if (what === 'all' || what === 'sequences') session.sequences.memory.clear();
  return done(`DISCARD ${what.toUpperCase()}`);
}
