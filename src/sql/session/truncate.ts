/** TRUNCATE. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Truncate } from '../ast/write.ts';
import { truncate, truncatedWith } from '../schema/other-objects.ts';
import { descendants } from '../schema/hierarchy.ts';
import { isPartitioned } from '../schema/partitions.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { define, tableNamed } from './define.ts';
import { refuseForeignWrite } from '../schema/foreign-tables.ts';
import { mustHave } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { isSystemCatalog, systemRelation } from './system-relation.ts';
import { StatementTriggers } from './triggers/statement-triggers.ts';

export function runTruncate(session: SqlSession, statement: Truncate): StatementResult {
  const tables = statement.tables.flatMap(({ name, only }) => {
    const system = systemRelation(session, name);
    if (system?.view === true) throw new SvcError('42809', `"${name.name}" is not a table`);
    // For any user.
    if (system !== null) throw isSystemCatalog(name.name);
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
  for (const number of tables) refuseForeignWrite(session.schema(), session.schema().tables.get(number)!, 'truncate');
  const all = truncatedWith(session.schema(), tables, statement.cascade, (text) => session.notice('00000', text));
  const fire = truncateTriggers(session, all);
  const result = define(session, 'TRUNCATE TABLE', (ddl) => truncate(ddl, all, { cascade: statement.cascade, restartIdentity: statement.restartIdentity }));
  fire?.();
  return result;
}

/** Fires BEFORE triggers now; the result fires the AFTER triggers. */
function truncateTriggers(session: SqlSession, tables: readonly number[]): (() => void) | null {
  const schema = session.schema();
  if (!schema.hasTriggers) return null;
  const triggers = new StatementTriggers(session, session.begin(), schema);
  for (const number of tables) {
    const own = triggers.triggersOf(number);
    if (own !== null) triggers.beginOne(own, 'truncate', null);
  }
  return () => {
    triggers.ended();
    triggers.fire();
  };
}
