/** Result columns of statements other than queries, for a client that asks before running one; null if it returns no rows. */
import type { Statement } from '../ast/statement.ts';
import { AGENT_COLUMNS, AUDIT_COLUMNS, NEW_AGENT_COLUMNS, UNDO_AGENT_COLUMNS } from './admin-statement.ts';
import { historyColumns } from './history-statement.ts';
import { METRIC_COLUMNS, VERIFY_COLUMNS, WORLD_COLUMNS } from './world-statement.ts';
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
  const titles = titlesOf(statement);
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
    case 'createWorld':
    case 'showWorld':
    case 'showWorlds':
    case 'alterWorld':
      return WORLD_COLUMNS;
    case 'rebaseWorld':
      return [
        ['rebased', 'int8'],
        ['version', 'int8'],
      ];
    case 'restoreWorld':
      return [['restored', 'int8']];
    case 'createCheckpoint':
      return [['at', 'timestamptz']];
    case 'undoMerge':
      return [
        ['parent', 'text'],
        ['at', 'timestamptz'],
        ['undone', 'int8'],
        ['skipped', 'int8'],
      ];
    case 'showHistory':
      return historyColumns(statement);
    case 'diffWorld':
      if (statement.output === 'sql') return [['sql', 'text']];
      if (statement.output === 'count') {
        return [
          ['table', 'text'],
          ['changed', 'int8'],
        ];
      }
      return [
        ['key', 'text'],
        ['change', 'text'],
        ['before', 'jsonb'],
        ['after', 'jsonb'],
        ['columns', 'jsonb'],
      ];
    case 'mergeWorld':
      if (statement.dryRun) {
        return [
          ['key', 'text'],
          ['outcome', 'text'],
          ['detail', 'text'],
          ['delete', 'bool'],
          ['base', 'jsonb'],
          ['ours', 'jsonb'],
          ['theirs', 'jsonb'],
          ['result', 'jsonb'],
        ];
      }
      return [
        ['merged', 'int8'],
        ['version', 'int8'],
      ];
    case 'createAgent':
      return NEW_AGENT_COLUMNS;
    case 'alterAgent':
    case 'showAgents':
      return AGENT_COLUMNS;
    case 'showAudit':
      return AUDIT_COLUMNS;
    case 'undoAgent':
      return UNDO_AGENT_COLUMNS;
    case 'showMetrics':
      return METRIC_COLUMNS;
    case 'verify':
      return VERIFY_COLUMNS;
    default:
      return null;
  }
}
