/** The steps of a statement: itself, or its replacements by rules. Each step sees the changes of those before it. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { lockName } from '../bind/lock-name.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { Wanted } from '../exec/context.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

export class StatementSteps {
  /** Writes of the open step. */
  writes: StatementWrites | null = null;
  cursor!: AnalyzedCursor;
  /** Other agents whose definitions the open step runs over; null: none. */
  authors: readonly number[] | null = null;
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #params: readonly Value[];
  readonly #wanted: Wanted | undefined;
  readonly #steps: readonly Prepared[];
  readonly #resultStep: number;
  #at = 0;

  /** Opens the first step. 42501 and 25006 if it may not run. */
  constructor(session: SqlSession, transaction: Transaction, prepared: Prepared, params: readonly Value[], wanted?: Wanted) {
    this.#session = session;
    this.#wanted = wanted;
    this.#transaction = transaction;
    this.#params = params;
    this.#resultStep = prepared.resultStep ?? 0;
    this.#steps = stepsOf(session, prepared.again === undefined ? prepared : plannedNow(prepared, params));
    this.#open();
  }

  /** Whether the open step returns rows. */
  get returnsRows(): boolean {
    return this.#at === this.#resultStep;
  }

  get isLast(): boolean {
    return this.#at === this.#steps.length - 1;
  }

  /** Closes the completed step and opens the next one. */
  advance(): void {
    this.cursor.close();
    this.#at++;
    this.#open();
  }

  #open(): void {
    const session = this.#session;
    const prepared = this.#steps[this.#at];
    checkAccess(session, prepared.access);
    this.authors = session.code.authorsOf(prepared.access);
    if (prepared.modifies) session.writable(prepared.writes ?? 'INSERT');
    if (prepared.rowLock !== null) session.writable(`SELECT ${lockName(prepared.rowLock)}`);
    this.writes = prepared.modifies ? session.writesOver(this.#transaction) : null;
    session.locks.reading(this.#transaction, prepared.tables);
    this.cursor = prepared.executable.run(execContext(session, this.#params, this.writes, undefined, this.#wanted));
  }
}

/** 0A000 if the definitions of the moment give other columns than described. */
function plannedNow({ again, columns }: Prepared, params: readonly Value[]): Prepared {
  const prepared = again!(params);
  if (columns.length !== prepared.columns.length || columns.some(({ type }, i) => type.oid !== prepared.columns[i].type.oid)) {
    throw new SvcError('0A000', 'cached plan must not change result type', { detail: 'At the moment behind AS OF the table has other columns than now.' });
  }
  return prepared;
}

function stepsOf(session: SqlSession, prepared: Prepared): readonly Prepared[] {
  if (prepared.steps === undefined) return [prepared];
  session.writable(prepared.writes ?? 'INSERT');
  return prepared.steps.length === 0 ? [{ ...prepared, modifies: false }] : prepared.steps;
}
