/** `sql` in safe mode: statements that fork, merge, restore, drop or switch worlds, or change settings, agents, roles or rules are refused. */
import { SvcError } from '../base/errors/svc-error.ts';
import { type ParsedStatement, parse } from '../sql/parse/parse.ts';
import { sqlRefusal } from '../operations/text/sql.ts';
import type { Tool } from './tool.ts';

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

export function safeSql(tool: Tool): Tool {
  return {
    ...tool,
    async run(session, input, call) {
      if (session.safe) for (const statement of statementsOf(String(input['sql']))) refuseInSafeMode(statement);
      return tool.run(session, input, call);
    },
  };
}

function statementsOf(sql: string): readonly ParsedStatement[] {
  try {
    return parse(sql);
  } catch (error) {
    throw sqlRefusal(error, { sql });
  }
}

function refuseInSafeMode(statement: ParsedStatement): void {
  const dry = statement.type === 'mergeWorld' && statement.dryRun;
  if (!REFUSED.includes(statement.type) && (statement.type !== 'mergeWorld' || dry)) return;
  throw new SvcError('42501', `${statement.type.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()} is refused in safe mode`, {
    hint: 'Use the tools fork, set_meta, checkpoint, rollback, rebase and discard for worlds of this session; a person merges, restores and changes settings.',
  });
}
