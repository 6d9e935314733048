/** Result columns of statements other than queries, for a client that asks before running one; null if it returns no rows. */
import type { Statement } from '../ast/statement.ts';
import { columnsOfStatement } from './statement-columns.ts';
import { METRIC_COLUMNS } from './world-statement.ts';
import type { ResultColumn } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { showTitle } from './set-show.ts';

type Titles = readonly (readonly [name: string, type: string])[];

export function columnsOfUtility(session: SqlSession, statement: Statement): readonly ResultColumn[] | null {
  if (statement.type === 'fetch') return session.cursors.get(statement.cursor)?.columns ?? null;
  if (statement.type === 'execute') {
    const known = session.prepared.get(statement.name);
    return known === undefined || known.columns.length === 0 ? null : known.columns;
  }
  const titles = columnsOfStatement(session, statement) ?? titlesOf(statement);
  if (titles === null) return null;
  const { registry } = session.host;
  return titles.map(([name, type]) => ({ name, type: registry.type(type), typmod: -1 }));
}

function titlesOf(statement: Statement): Titles | null {
  switch (statement.type) {
    case 'show':
      return statement.name === 'all'
        ? [
            ['name', 'text'],
            ['setting', 'text'],
            ['description', 'text'],
          ]
        : [[showTitle(statement.name), 'text']];
    case 'explain':
      return [['QUERY PLAN', 'text']];
    case 'showMetrics':
      return METRIC_COLUMNS;
    default:
      return null;
  }
}
