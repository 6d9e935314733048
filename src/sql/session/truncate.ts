/** TRUNCATE. */
import type { Truncate } from '../ast/write.ts';
import { truncate } from '../schema/other-objects.ts';
import { define, tableNamed } from './define.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function runTruncate(session: SqlSession, statement: Truncate): StatementResult {
  const tables = statement.tables.map(({ name }) => tableNamed(session, name).number);
  const result = define(session, 'TRUNCATE TABLE', (ddl) => truncate(ddl, tables, { cascade: statement.cascade, restartIdentity: statement.restartIdentity }));
  if (statement.restartIdentity) {
    const schema = session.schema();
    for (const number of tables) for (const { number: sequence } of schema.sequencesOwnedBy(number)) session.sequenceSetBack(sequence);
  }
  return result;
}
