/** Names for Tab completion, read from the session's world. */
import type { AgentView, PolicyView, SqlReply, WorldView } from '../commands/contract.ts';
import { type Names, NO_NAMES } from './edit/completion.ts';
import type { ShellLink } from './link/link.ts';

const SQL = `SELECT word FROM pg_catalog.pg_get_keywords() ORDER BY 1;
SELECT CASE table_schema WHEN 'public' THEN table_name::text ELSE table_schema || '.' || table_name END AS name, column_name::text AS column
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, ordinal_position;
SELECT DISTINCT proname::text AS name FROM pg_catalog.pg_proc WHERE proname !~ '(^_|in$|out$|recv$|send$|sel$)' OR proname IN ('min', 'sin', 'asin', 'join', 'begin') ORDER BY 1`;

/** Keywords of world statements, missing in Postgres's list. */
const WORDS = [
  'world',
  'worlds',
  'fork',
  'diff',
  'rebase',
  'restore',
  'undo',
  'review',
  'reviews',
  'simulate',
  'replay',
  'agent',
  'agents',
  'policy',
  'checkpoint',
  'history',
  'audit',
  'resolve',
];

/** With more worlds, the oldest are offered. */
const COMPLETED_WORLDS_MAX = 1000;

export async function loadNames(link: ShellLink, branch: string): Promise<Names> {
  const [sql, worlds, agents, policies] = await Promise.all([
    quietly(() => link.call('sql', { branch, sql: SQL }) as Promise<SqlReply>),
    quietly(() => link.call('branches', { limit: COMPLETED_WORLDS_MAX }) as Promise<{ branches: WorldView[] }>),
    quietly(() => link.call('agents', {}) as Promise<{ agents: AgentView[] }>),
    quietly(() => link.call('merge_policies', {}) as Promise<{ policies: PolicyView[] }>),
  ]);
  if (sql === null) return NO_NAMES;
  const [words, columns, functions] = sql.results;
  const byTable = new Map<string, string[]>();
  for (const { name, column } of columns.rows) byTable.set(String(name), [...(byTable.get(String(name)) ?? []), String(column)]);
  return {
    keywords: [...new Set([...words.rows.map(({ word }) => String(word)), ...WORDS])].toSorted(),
    tables: [...byTable.keys()],
    columns: byTable,
    functions: functions.rows.map(({ name }) => String(name)),
    worlds: worlds?.branches.map(({ name }) => name) ?? [],
    agents: agents?.agents.map(({ name }) => name) ?? [],
    policies: policies?.policies.map(({ name }) => name) ?? [],
  };
}

/** Names that cannot be read are not offered. */
async function quietly<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch {
    return null;
  }
}
