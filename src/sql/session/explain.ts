/** EXPLAIN. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Explain } from '../ast/session.ts';
import { isWrite } from './prepare.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export async function explain(session: SqlSession, { statement }: Explain, _params: readonly unknown[]): Promise<StatementResult> {
  session.startStatement();
  if (isWrite(statement) || statement.type === 'select' || statement.type === 'values' || statement.type === 'setOperation') session.prepare(statement, []);
  throw new SvcError('0A000', 'EXPLAIN is not in this release');
}
