/**
 * Columns of the statements that an operation answers: by them a statement makes its rows, and a client that describes it first is answered. The
 * operation defines them.
 */
import type { Table } from '../../commands/contract.ts';
import type { Statement } from '../ast/statement.ts';
import { type ColumnKind, longTable, table } from './result-table.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export type Columns = readonly (readonly [name: string, kind: ColumnKind])[];

/** The operation and the form of its answer; null: no operation, or one without rows. */
function answerOf(statement: Statement): readonly [operation: Table['name'], form?: string] | null {
  switch (statement.type) {
    case 'createWorld':
    case 'showWorld':
    case 'showWorlds':
    case 'alterWorld':
      return ['world'];
    case 'rebaseWorld':
      return ['rebase'];
    case 'restoreWorld':
      return ['restore'];
    case 'createCheckpoint':
      return ['checkpoint'];
    case 'undoMerge':
      return ['undo_merge', statement.dryRun ? 'dryRun' : 'result'];
    case 'showHistory':
      return ['history', statement.row !== null ? 'row' : statement.definitions ? 'definitions' : 'world'];
    case 'diffWorld':
      return ['diff', statement.output === 'changes' ? 'result' : statement.output];
    case 'mergeWorld':
      return ['merge', statement.dryRun ? 'dryRun' : 'result'];
    case 'createAgent':
      return ['create_agent'];
    case 'alterAgent':
    case 'showAgents':
      return ['agents'];
    case 'showAudit':
      return ['audit'];
    case 'undoAgent':
      return ['undo_agent', statement.dryRun ? 'dryRun' : 'result'];
    case 'verify':
      return ['verify'];
    case 'backup':
      return ['backup'];
    case 'simulate':
      return ['simulate'];
    case 'replayWorld':
      return ['replay'];
    case 'showMergePolicies':
    case 'createMergePolicy':
    case 'alterMergePolicy':
      return ['merge_policies'];
    case 'showMergeChecks':
    case 'createMergeCheck':
      return ['merge_checks'];
    case 'showReaders':
    case 'createReader':
      return ['readers'];
    case 'showReviews':
      return ['reviews'];
    case 'reviewWorld':
      return ['review'];
    case 'showMergeOutcomes':
      return ['merge_outcomes', statement.byPolicy ? 'policy' : 'agent'];
    case 'claimOutbox':
      return ['claim_outbox'];
    default:
      return null;
  }
}

export function columnsOfStatement(session: SqlSession, statement: Statement): Columns | null {
  const answer = answerOf(statement);
  return answer === null ? null : session.host.resultColumns(...answer);
}

/** Rows of plain values as the statement's result. */
export function answer(session: SqlSession, statement: Statement, command: string, rows: readonly (readonly unknown[])[]): StatementResult {
  return table(session, command, columnsOfStatement(session, statement)!, rows);
}

/** Rows of objects that have the columns as fields. */
export function answerOfFields(session: SqlSession, statement: Statement, command: string, list: readonly object[]): StatementResult {
  const columns = columnsOfStatement(session, statement)!;
  return table(session, command, columns, fieldRows(columns, list));
}

/** The same for many rows, in time slices. */
export function longAnswerOfFields(session: SqlSession, statement: Statement, command: string, list: readonly object[]): Promise<StatementResult> {
  const columns = columnsOfStatement(session, statement)!;
  return longTable(session, command, columns, fieldRows(columns, list));
}

function fieldRows(columns: Columns, list: readonly object[]): unknown[][] {
  return list.map((each) => columns.map(([name]) => (each as Record<string, unknown>)[name]));
}
