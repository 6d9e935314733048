/** EXPLAIN. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Explain } from '../ast/session.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export async function explain(session: SqlSession, _statement: Explain, _params: readonly unknown[]): Promise<StatementResult> {
  void session;
  throw new SvcError('0A000', 'EXPLAIN is not in this release');
}
