/** ALTER EVENT TRIGGER. Manual, ALTER EVENT TRIGGER. */
import type { AlterEventTrigger } from '../../ast/define.ts';
import { define } from '../define.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { ownUnscoped } from '../unscoped-objects.ts';

export function runAlterEventTrigger(session: SqlSession, { name, fires }: AlterEventTrigger): StatementResult {
  session.startStatement();
  return define(session, 'ALTER EVENT TRIGGER', (ddl) => {
    const { fires: _, ...object } = ownUnscoped(session, 'event trigger', name);
    ddl.put(fires === 'origin' ? object : { ...object, fires });
  });
}
