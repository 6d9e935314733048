/** TRUNCATE. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Truncate } from '../ast/write.ts';
import { truncate } from '../schema/other-objects.ts';
import { descendants } from '../schema/hierarchy.ts';
import { isPartitioned } from '../schema/partitions.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { define, tableNamed } from './define.ts';
import { mustHave } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function runTruncate(session: SqlSession, statement: Truncate): StatementResult {
  const tables = statement.tables.flatMap(({ name, only }) => {
    const table = tableNamed(session, name);
    mustHave(session, table, PRIVILEGE.TRUNCATE);
    if (!only) return [table, ...descendants(session.schema(), table)].map(({ number }) => number);
    if (isPartitioned(table)) {
      throw new SvcError('42809', 'cannot truncate only a partitioned table', {
        hint: 'Do not specify the ONLY keyword, or use TRUNCATE ONLY on the partitions directly.',
      });
    }
    return [table.number];
  });
  let emptied: readonly number[] = [];
  const result = define(session, 'TRUNCATE TABLE', (ddl) => {
    emptied = truncate(ddl, tables, { cascade: statement.cascade, restartIdentity: statement.restartIdentity });
  });
  if (statement.restartIdentity) {
    const schema = session.schema();
    for (const number of emptied) for (const { number: sequence } of schema.sequencesOwnedBy(number)) session.sequenceSetBack(sequence);
  }
  return result;
}
