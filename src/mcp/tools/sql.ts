/** SQL. Each call has its own session: a transaction begins and ends within it. */
import Type from 'typebox';
import { SvcError } from '../../base/errors/svc-error.ts';
import { parse } from '../../sql/parse/parse.ts';
import type { ParsedStatement } from '../../sql/parse/parse.ts';
import { type AnyTool, branch, input, type Tool } from '../tool.ts';
import { TEXT_MAX, textTable } from '../text-table.ts';

/** Maximum rows shown of one result. */
const ROWS_MAX = 200;

/** In safe mode: statements that fork, merge, restore, drop or switch worlds, or change settings, agents, roles or rules. */
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
  'backup',
] as ParsedStatement['type'][];

const sql: Tool<{ sql: string; params?: unknown[]; branch?: string }> = {
  name: 'sql',
  title: 'Run SQL',
  description:
    "Runs Postgres's SQL in a world and answers rows as text. Several statements are one transaction. Also SHOW WORLDS, DIFF WORLD w, SELECT … FROM t AS OF '-10m'.",
  input: input({ sql: Type.String({ minLength: 1 }), params: Type.Optional(Type.Array(Type.Unknown(), { description: '$1, $2 …' })), branch }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['read'],
  async run({ commands, safe }, { sql: text, params, branch: world }, { signal }) {
    if (safe) for (const statement of parse(text)) refuseInSafeMode(statement);
    const { results, version } = await commands.sql({
      sql: text,
      signal,
      ...(params === undefined ? {} : { params }),
      ...(world === undefined ? {} : { branch: world }),
    });
    const parts: string[] = [];
    let length = 0;
    for (const { command, columns, rows } of results) {
      if (length > TEXT_MAX) {
        parts.push(`more: the results of ${results.length - parts.length} statements are not shown; send fewer at a time`);
        break;
      }
      const shown = rows.slice(0, ROWS_MAX).map((row) => columns.map((column) => row[column]));
      const part =
        columns.length === 0
          ? command
          : textTable(columns, shown, { total: rows.length, more: (n) => `add LIMIT and OFFSET ${n} (with ORDER BY), or aggregate` });
      length += part.length;
      parts.push(part);
    }
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
