/** Dispatches each kind of statement. */
import { grantParameter } from './parameter-rights.ts';
import { setSessionDefault } from './session-defaults.ts';
import { alterDatabase, createDatabase, dropDatabase } from './database-statement.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { EndTransaction } from '../ast/session.ts';
import type { Statement } from '../ast/statement.ts';
import { explain } from './explain.ts';
import { callProcedure } from './call-procedure.ts';
import { runCopy } from './copy.ts';
import { lockTables } from './lock-tables.ts';
import { closeCursor, declareCursor, fetchCursor } from './cursors.ts';
import { runDefine } from './define.ts';
import { discard } from './discard.ts';
import { firingAround } from './event-triggers/definition-watch.ts';
import { areTyped, type Parameters, type TypedParameters } from './parameters.ts';
import { executePrepared, prepareStatementSteps } from './prepared-statement.ts';
import { prepareLargeCommit } from './large-commit.ts';
import { runInTurns, toTheEnd, waited } from './plpgsql/steps.ts';
import { done, type StatementResult } from './results.ts';
import { alterRole, createRole, dropRole } from './role-statements.ts';
import { grantRole } from './role-membership.ts';
import { runSet, runShow } from './set-show.ts';
import type { SqlSession } from './sql-session.ts';
import { runDo } from './plpgsql/call.ts';
import { runTransaction } from './transaction-statement.ts';
import { runTruncate } from './truncate.ts';
import { twoPhase } from './two-phase.ts';
import { cluster, maintain, reindex } from './maintenance.ts';
import { runWorld } from './world-statement.ts';

const NONE: TypedParameters = { types: [], values: [] };

export async function runStatement(session: SqlSession, statement: Statement, params: Parameters): Promise<StatementResult> {
  return runOrStart(session, statement, params);
}

/** A result that needs no waiting is returned synchronously. */
export function runOrStart(session: SqlSession, statement: Statement, params: Parameters): StatementResult | Promise<StatementResult> {
  switch (statement.type) {
    case 'select':
    case 'values':
    case 'setOperation':
    case 'insert':
    case 'update':
    case 'delete':
    case 'merge':
      return session.runQuery(statement, params);
    case 'truncate':
      return runTruncate(session, statement);
    case 'copy':
      return runCopy(session, statement);
    case 'explain':
      return explain(session, statement, params);
    case 'commit':
      return commit(session, statement);
    case 'begin':
    case 'rollback':
    case 'savepoint':
    case 'release':
    case 'rollbackTo':
    case 'setTransaction':
    case 'setConstraints':
      return runTransaction(session, statement);
    case 'set':
    case 'reset':
      return runSet(session, statement);
    case 'show':
      return runShow(session, statement);
    case 'prepare':
      return (session.functionDepth > 0 ? toTheEnd : runInTurns)(session, prepareStatementSteps(session, statement));
    case 'execute':
      return executePrepared(session, statement);
    case 'deallocate': {
      if (statement.name === null) session.prepared.clear();
      else if (!session.prepared.delete(statement.name)) throw new SvcError('26000', `prepared statement "${statement.name}" does not exist`);
      return done(statement.name === null ? 'DEALLOCATE ALL' : 'DEALLOCATE');
    }
    case 'discard':
      return discard(session, statement);
    case 'vacuum':
    case 'analyze':
      // Trees maintain their own counts and pages are collected automatically: nothing to do.
      return maintain(session, statement);
    case 'reindex':
      return reindex(session, statement);
    case 'cluster':
      return cluster(session, statement);
    case 'systemCheckpoint':
      return done('CHECKPOINT');
    case 'lockTable':
      return lockTables(session, statement);
    case 'notify':
      session.startStatement();
      session.system.notify(statement.channel, statement.payload ?? '');
      return done('NOTIFY');
    case 'listen':
      session.listen(statement.channel);
      return done('LISTEN');
    case 'unlisten':
      session.unlisten(statement.channel);
      return done('UNLISTEN');
    case 'unsupported':
      throw new SvcError('0A000', `${statement.what} is not supported`, { position: statement.at + 1 });
    case 'do':
      return runDo(session, statement);
    case 'declareCursor':
      return declareCursor(session, statement, params);
    case 'fetch':
    case 'move':
      return fetchCursor(session, statement);
    case 'closeCursor':
      return closeCursor(session, statement);
    case 'prepareTransaction':
    case 'commitPrepared':
    case 'rollbackPrepared':
      return twoPhase(session, statement);
    case 'callProcedure':
      return callProcedure(session, statement, areTyped(params) ? params : NONE);
    case 'createRole':
      return createRole(session, statement);
    case 'alterRole':
      return alterRole(session, statement);
    case 'dropRole':
      return dropRole(session, statement);
    case 'grantRole':
      return grantRole(session, statement);
    case 'setDefault':
      return setSessionDefault(session, statement);
    case 'grantParameter':
      return grantParameter(session, statement);
    case 'alterDatabase':
      return alterDatabase(session, statement);
    case 'createDatabase':
      return createDatabase(session, statement);
    case 'dropDatabase':
      return dropDatabase(session, statement);
    case 'createWorld':
    case 'useWorld':
    case 'showWorld':
    case 'showWorlds':
    case 'showMetrics':
    case 'verify':
    case 'showAgents':
    case 'showMergePolicies':
    case 'showMergeChecks':
    case 'showReviews':
    case 'showReaders':
    case 'dropWorld':
    case 'alterWorld':
    case 'diffWorld':
    case 'mergeWorld':
    case 'rebaseWorld':
    case 'restoreWorld':
    case 'createCheckpoint':
    case 'undoMerge':
    case 'undoAgent':
    case 'showHistory':
    case 'showAudit':
    case 'createAgent':
    case 'alterAgent':
    case 'dropAgent':
    case 'createMergePolicy':
    case 'alterMergePolicy':
    case 'dropMergePolicy':
    case 'createMergeCheck':
    case 'dropMergeCheck':
    case 'reviewWorld':
    case 'showMergeOutcomes':
    case 'createReader':
    case 'dropReader':
    case 'notifyOnMerge':
    case 'claimOutbox':
    case 'ackOutbox':
    case 'retryOutbox':
    case 'simulate':
    case 'replayWorld':
    case 'alterSystem':
    case 'backup':
      return runWorld(session, statement);
    default:
      return runDefinition(session, statement, params);
  }
}

async function commit(session: SqlSession, statement: EndTransaction): Promise<StatementResult> {
  try {
    await prepareLargeCommit(session);
  } catch (error) {
    // A transaction that failed to commit is over.
    session.rollback();
    throw error;
  }
  return runTransaction(session, statement);
}

async function runDefinition(session: SqlSession, statement: Statement, params: Parameters): Promise<StatementResult> {
  const result = await runInTurns(
    session,
    firingAround(session, statement, () => waited(runDefine(session, statement, params))),
  );
  // Rewritten rows and indexes are prepared in slices.
  if (session.transaction?.explicit === false) await prepareLargeCommit(session);
  return result;
}
