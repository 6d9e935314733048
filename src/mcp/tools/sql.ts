/** SQL. Each call is a session of its own: a transaction begins and ends within it. */
import Type from 'typebox';
import { SvcError } from '../../base/errors/svc-error.ts';
import { parse } from '../../sql/parse/parse.ts';
import type { ParsedStatement } from '../../sql/parse/parse.ts';
import { type AnyTool, branch, input, type Tool } from '../tool.ts';
import { textTable } from '../text-table.ts';

/** Rows shown of one result. */
const ROWS_MAX = 200;

/** In safe mode: what forks, merges, restores, drops or switches worlds, or changes settings, agents, roles or rules. */
const REFUSED: readonly ParsedStatement['type'][] = [
  'createWorld',
  'useWorld',
  'dropWorld',
  'alterWorld',
  'rebaseWorld',
  'restoreWorld',
  'createCheckpoint',
  'undoMerge',
  'undoAgent',
  'createAgent',
  'alterAgent',
  'dropAgent',
  'createMergePolicy',
  'alterMergePolicy',
  'dropMergePolicy',
  'createMergeCheck',
  'dropMergeCheck',
  'reviewWorld',
  'createReader',
  'dropReader',
  'claimOutbox',
  'ackOutbox',
  'retryOutbox',
  'simulate',
  'replayWorld',
  'alterSystem',
  'createDatabase',
  'dropDatabase',
] as ParsedStatement['type'][];

const sql: Tool<{ sql: string; params?: unknown[]; branch?: string }> = {
  name: 'sql',
  title: 'Run SQL',
  description:
    "Runs Postgres's SQL in a world and answers rows as text. Several statements are one transaction. Also SHOW WORLDS, DIFF WORLD w, SELECT … FROM t AS OF '-10m'.",
  input: input({ sql: Type.String({ minLength: 1 }), params: Type.Optional(Type.Array(Type.Unknown(), { description: '$1, $2 …' })), branch }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['read'],
  async run({ commands, safe }, { sql: text, params, branch: world }) {
    if (safe) for (const statement of parse(text)) refuseInSafeMode(statement);
    const { results, version } = await commands.sql({
      sql: text,
      ...(params === undefined ? {} : { params }),
      ...(world === undefined ? {} : { branch: world }),
    });
    const parts = results.map(({ command, columns, rows }) => {
      if (columns.length === 0) return command;
      const shown = rows.slice(0, ROWS_MAX).map((row) => columns.map((column) => row[column]));
      const more = rows.length > ROWS_MAX ? '\nmore: add LIMIT and OFFSET, or aggregate' : '';
      return textTable(columns, shown, rows.length) + more;
    });
    return `${parts.join('\n\n')}\nversion ${version}`;
  },
};

function refuseInSafeMode(statement: ParsedStatement): void {
  const dry = statement.type === 'mergeWorld' && statement.dryRun;
  if (!REFUSED.includes(statement.type) && (statement.type !== 'mergeWorld' || dry)) return;
  throw new SvcError('42501', `${statement.type.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()} is refused in safe mode`, {
    hint: 'Use the tools fork, set_meta, checkpoint, rollback, rebase and discard for worlds of this session; a person merges, restores and changes settings.',
  });
}

export const SQL_TOOLS = [sql] as unknown as readonly AnyTool[];
