/** Queries and statements that PL/pgSQL runs: their rows, row counts, and changes. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Statement as SqlStatement } from '../../ast/statement.ts';
import { YIELD } from '../../exec/batch.ts';
import type { Fragment } from '../../plpgsql/syntax.ts';
import { recordType } from '../../types/record-type.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { defineNow } from '../define.ts';
import { InnerRun } from '../inner-run.ts';
import { inFrame, located, TextFrame } from '../call-frames.ts';
import { lockTables } from '../lock-tables.ts';
import { isQuery, type Prepared } from '../prepare.ts';
import { callProcedureSteps } from '../call-procedure.ts';
import { createTableAsSteps } from '../create-table-as.ts';
import { firingAround } from '../event-triggers/definition-watch.ts';
import { closeCursor, declareCursorSteps, fetchCursorSteps } from '../cursors.ts';
import { discard } from '../discard.ts';
import { explainSteps } from '../explain.ts';
import { createMaterializedViewSteps, refreshMaterializedViewSteps } from '../materialized-view.ts';
import type { TypedParameters } from '../parameters.ts';
import { executePreparedSteps } from '../prepared-statement.ts';
import { done, type ResultColumn, type StatementResult } from '../results.ts';
import { doSteps } from './call.ts';
import { runOrStart } from '../run-statement.ts';
import { runSet, runShow } from '../set-show.ts';
import type { SqlSession } from '../sql-session.ts';
import { authorizeStatement, STATEMENTS } from '../statement-rights.ts';
import { runTransaction } from '../transaction-statement.ts';
import { runTruncate } from '../truncate.ts';
import { dynamicText, NO_NAMES } from './dynamic-text.ts';
import { type Entry, inFrameSteps, readyFragment, type Surroundings } from './fragment.ts';
import { LockRetry } from './lock-retry.ts';
import { type Steps, waited, waitsFor } from './steps.ts';

export interface Rows {
  /** null if the statement returns no rows. */
  readonly columns: readonly ResultColumn[] | null;
  readonly rows: readonly (readonly Value[])[];
  /** Rows read or changed. */
  readonly count: number;
  /** The statement itself writes. */
  readonly writes: boolean;
}

/** `most`: the number of rows that are needed. */
export function* runPrepared(session: SqlSession, prepared: Prepared, params: readonly Value[], most = Infinity): Steps<Rows> {
  const run = (): Steps<Rows> => toItsEnd(new InnerRun(session, prepared, params, most), prepared);
  if (!waitsInside(session, prepared)) return yield* run();
  return yield* withLockRetry(session, callsOwn(prepared), run);
}

/** In a procedure that may end its transaction only the statement that had to wait is retried. */
function waitsInside({ nonatomic }: SqlSession, prepared: Prepared): boolean {
  return nonatomic && (prepared.modifies || prepared.locks || callsOwn(prepared));
}

/** Whether functions that it calls may write. */
function callsOwn({ access }: Prepared): boolean {
  return access.calls.some(({ user }) => user !== undefined);
}

function* withLockRetry<T>(session: SqlSession, nests: boolean, run: () => Steps<T>): Steps<T> {
  for (;;) {
    const lockRetry = new LockRetry(session, nests);
    try {
      return yield* run();
    } catch (error) {
      yield lockRetry.retry(error);
    }
  }
}

/** `stopped`: it continues after a yield. */
function* toItsEnd(run: InnerRun, prepared: Prepared, stopped = false): Steps<Rows> {
  try {
    if (stopped) yield YIELD;
    while (run.next() !== null) yield YIELD;
  } finally {
    run.close();
  }
  return rowsFrom(run, prepared);
}

function rowsFrom(run: InnerRun, { columns, writes }: Prepared): Rows {
  const rows = run.finish();
  return { columns: columns.length === 0 && writes !== null ? null : columns, rows, count: run.count, writes: writes !== null };
}

interface Open {
  readonly run: InnerRun;
  readonly lockRetry: LockRetry | null;
}

/** A started statement that has to stop, to yield or to wait. */
export class Stopped {
  readonly #session: SqlSession;
  readonly #fragment: Fragment;
  readonly #prepared: Prepared;
  readonly #values: readonly Value[];
  readonly #most: number;
  readonly #at: Open | Promise<unknown>;

  /** `at`: the open run, or what to wait for before a retry. */
  constructor(
    session: SqlSession,
    fragment: Fragment,
    { prepared, values, most }: { prepared: Prepared; values: readonly Value[]; most: number },
    at: Open | Promise<unknown>,
  ) {
    this.#session = session;
    this.#fragment = fragment;
    this.#prepared = prepared;
    this.#values = values;
    this.#most = most;
    this.#at = at;
  }

  resume(): Steps<Rows> {
    return inFrameSteps(this.#session, frameOf(this.#fragment), () => this.#rest());
  }

  *#rest(): Steps<Rows> {
    if (this.#at instanceof Promise) yield this.#at;
    else {
      const { run, lockRetry } = this.#at;
      try {
        return yield* toItsEnd(run, this.#prepared, true);
      } catch (error) {
        if (lockRetry === null) throw error;
        yield lockRetry.retry(error);
      }
    }
    return yield* runPrepared(this.#session, this.#prepared, this.#values, this.#most);
  }
}

/** Runs a statement without stopping if possible; null: nothing was started, use `runFragment`. */
export function runNow(session: SqlSession, fragment: Fragment, entry: Entry, most: number): Rows | Stopped | null {
  const { ready } = entry;
  if (ready.kind !== 'query') return null;
  const values = entry.values();
  const { prepared } = ready;
  const waits = waitsInside(session, prepared);
  if (waits && callsOwn(prepared)) return null;
  const { frames } = session;
  frames.push(frameOf(fragment));
  const lockRetry = waits ? new LockRetry(session, false) : null;
  try {
    try {
      const run = new InnerRun(session, prepared, values, most);
      if (!endedAtOnce(run)) return new Stopped(session, fragment, { prepared, values, most }, { run, lockRetry });
      return rowsFrom(run, prepared);
    } catch (error) {
      if (lockRetry === null) throw error;
      return new Stopped(session, fragment, { prepared, values, most }, lockRetry.retry(error));
    }
  } catch (error) {
    throw located(frames, error);
  } finally {
    frames.pop();
  }
}

/** Otherwise it is still open. */
function endedAtOnce(run: InnerRun): boolean {
  let open = false;
  try {
    return !(open = run.next() !== null);
  } finally {
    if (!open) run.close();
  }
}

function frameOf({ text }: Fragment): TextFrame {
  return new TextFrame('SQL statement', text);
}

/** Runs a statement of the function's body. */
export function* runFragment(at: Surroundings, fragment: Fragment, most = Infinity): Steps<Rows> {
  const { session } = at;
  const { ready, values } = readyFragment(at, fragment, 'statement');
  if (ready.kind === 'other') refuse(ready.statement);
  return yield* inFrameSteps(session, frameOf(fragment), function* () {
    if (ready.kind === 'query') return yield* runPrepared(session, ready.prepared, values, most);
    if (ready.kind === 'simple') throw new SvcError('XX000', 'a statement is no expression');
    return resultRows(yield* runUtility(session, ready.statement, { types: ready.types, values, names: ready.names }));
  });
}

/** Runs dynamic SQL, with values as `$1`, `$2` …. */
export function* runText(session: SqlSession, text: string | null, types: readonly SqlType[], values: readonly Value[], most = Infinity): Steps<Rows> {
  if (text === null) throw new SvcError('22004', 'query string argument of EXECUTE is null');
  const frame = new TextFrame('SQL statement', text);
  const { query, statements } = inFrame(session, frame, () => dynamicText(session, text, types, values));
  if (query !== null) return yield* inFrameSteps(session, frame, () => runPrepared(session, query.prepared, query.values, most));
  for (const statement of statements) refuse(statement, 'EXECUTE of transaction commands is not implemented');
  return yield* inFrameSteps(session, frame, function* () {
    let last: Rows = { columns: null, rows: [], count: 0, writes: false };
    for (const statement of statements) {
      if (isQuery(statement)) {
        const prepared = session.prepareIn(statement, types, NO_NAMES);
        last = yield* runPrepared(session, prepared, values, most);
      } else last = resultRows(yield* runUtility(session, statement, { types, values }));
    }
    return last;
  });
}

function resultRows({ columns, rows, command }: StatementResult): Rows {
  const counted = /\d+$/.exec(command);
  return { columns, rows, count: counted === null ? 0 : Number(counted[0]), writes: false };
}

/** Statements that PL/pgSQL does not allow. 0A000. */
function refuse(statement: SqlStatement, ends = 'unsupported transaction command in PL/pgSQL'): void {
  if (ENDS.has(statement.type)) throw new SvcError('0A000', ends);
  if (statement.type === 'copy' && statement.file === null && !statement.program) throw new SvcError('0A000', 'cannot COPY to/from client in PL/pgSQL');
}

const NONE: TypedParameters = { types: [], values: [] };
const ENDS: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback', 'savepoint', 'release', 'rollbackTo']);

/** Statements other than queries and writes. */
export function* runUtility(session: SqlSession, statement: SqlStatement, params: TypedParameters = NONE): Steps<StatementResult> {
  if (!session.nonatomic) return yield* runOther(session, statement, params);
  return yield* withLockRetry(session, true, () => runOther(session, statement, params));
}

function* runOther(session: SqlSession, statement: SqlStatement, params: TypedParameters): Steps<StatementResult> {
  authorizeStatement(session, statement);
  if (session.writing.length > 0) session.flush();
  switch (statement.type) {
    case 'vacuum':
      throw new SvcError('25001', 'VACUUM cannot be executed from a function');
    case 'setTransaction':
    case 'setConstraints':
      return runTransaction(session, statement);
    case 'set':
    case 'reset':
      return runSet(session, statement);
    case 'discard':
      return discard(session, statement);
    case 'truncate':
      return runTruncate(session, statement);
    case 'lockTable':
      return lockTables(session, statement);
    case 'notify':
      session.system.notify(statement.channel, statement.payload ?? '');
      return done('NOTIFY');
    case 'explain':
      return yield* explainSteps(session, statement, params);
    case 'execute':
      return yield* executePreparedSteps(session, statement);
    case 'declareCursor':
      return yield* declareCursorSteps(session, statement, params);
    case 'fetch':
    case 'move':
      return yield* fetchCursorSteps(session, statement);
    case 'closeCursor':
      return closeCursor(session, statement);
    case 'show':
      return runShow(session, statement);
    case 'createTableAs':
      return yield* firingAround(session, statement, () =>
        statement.materializedView ? createMaterializedViewSteps(session, statement) : createTableAsSteps(session, statement, params),
      );
    case 'refreshMaterializedView':
      return yield* firingAround(session, statement, () => refreshMaterializedViewSteps(session, statement));
    case 'callProcedure':
      return yield* callProcedureSteps(session, statement, params, true);
    case 'do':
      return yield* doSteps(session, statement, true);
    default: {
      if (DEFINITIONS.has(statement.type)) {
        const begin = (): StatementResult | Promise<StatementResult> => defineNow(session, statement);
        return yield* firingAround(session, statement, () => (definesInTurns(statement) ? waitsFor(begin) : waited(begin())));
      }
      return yield* STATEMENTS[statement.type][0] === 'command' || statement.type === 'copy'
        ? waitsFor(() => runOrStart(session, statement, []))
        : waited(runOrStart(session, statement, []));
    }
  }
}

/** Several definitions in sequence, which yield between them. */
function definesInTurns(statement: SqlStatement): boolean {
  return (statement.type === 'createSchema' && statement.elements.length > 0) || statement.type === 'importForeignSchema';
}

const DEFINITIONS: ReadonlySet<string> = new Set(
  (
    'createTable createTableAs refreshMaterializedView createIndex createView createSequence alterSequence createSchema createType createDomain ' +
    'alterDomain alterEnum drop rename setSchema alterFunction setOwner comment alterTable createExtension updateExtension refreshCollation createFunction createAggregate ' +
    'createOperator alterOperator createCast createTrigger createEventTrigger alterEventTrigger createRule createPolicy alterPolicy createCollation createConversion createStatistics alterStatistics grant alterDefaultPrivileges ' +
    'createSearchObject alterSearchDictionary alterSearchConfiguration createOperatorFamily createOperatorClass alterOperatorFamily createSubscription alterSubscription createPublication alterPublication createWrapper alterWrapper createServer ' +
    'alterServer createUserMapping alterUserMapping dropUserMapping importForeignSchema dropOwned reassignOwned moveAll securityLabel'
  ).split(' '),
);

/** A row type with the result's columns, one object per result. */
const rowTypes = new WeakMap<readonly ResultColumn[], SqlType>();

export function rowTypeOf(columns: readonly ResultColumn[]): SqlType {
  let type = rowTypes.get(columns);
  if (type === undefined) {
    rowTypes.set(columns, (type = recordType(columns.map((column) => ({ name: column.name, type: column.type, typmod: column.typmod })))));
  }
  return type;
}
