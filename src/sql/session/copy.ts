/** COPY: what an entrance must connect to a stream of bytes. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Copy } from '../ast/write.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export async function runCopy(session: SqlSession, statement: Copy): Promise<StatementResult> {
  if (statement.table !== null) session.mustBeTable(statement.table);
  if (statement.file !== null) {
    throw new SvcError('42501', 'COPY to or from a file of the server is not allowed', { hint: "Use COPY … FROM STDIN or TO STDOUT (psql's \\copy)." });
  }
  throw new SvcError('0A000', 'COPY needs an entrance that streams');
}
