/**
 * Runs a shell's statements on an SQL session. Rows of a query are fetched on demand, so that a result of any size needs
 * little memory: between two fetches the query pauses, and pins the state that it reads.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { YIELD, type Batch } from '../../sql/exec/batch.ts';
import { chunkedCopy } from '../../sql/session/chunked-copy.ts';
import { Execution } from '../../sql/session/execution.ts';
import { isQuery, isWrite } from '../../sql/session/prepare.ts';
import type { ResultColumn, StatementResult } from '../../sql/session/results.ts';
import type { SqlSession } from '../../sql/session/sql-session.ts';
import type { Value } from '../../sql/types/value.ts';
import type { Answer, AnswerColumn, Notification, Place, Reply, RunOptions } from './link.ts';

interface OpenQuery {
  readonly execution: Execution;
  readonly columns: readonly ResultColumn[];
  batch: Batch | null;
  at: number;
  given: number;
}

export class Statements {
  readonly #session: SqlSession;
  #open: OpenQuery | null = null;
  /** Calls run sequentially. */
  #last: Promise<unknown> = Promise.resolve();

  readonly #notified: Notification[] = [];
  readonly #onNotification: (notification: Notification) => void;

  constructor(session: SqlSession, onNotification: (notification: Notification) => void) {
    this.#session = session;
    this.#onNotification = onNotification;
    session.listener = {
      notified: (notification) => {
        this.#notified.push(notification);
        this.#deliverNotifications();
      },
    };
  }

  /** As in Postgres, notifications are delivered outside of transactions. */
  #deliverNotifications(): void {
    if (this.#session.transaction !== null) return;
    for (const notification of this.#notified.splice(0)) this.#onNotification(notification);
  }

  get place(): Place {
    const { branch, transaction, host } = this.#session;
    let gone = false;
    try {
      host.context.read(branch);
    } catch {
      gone = true;
    }
    return { branch, transaction: transaction?.explicit !== true ? 'none' : transaction.failed ? 'failed' : 'open', gone };
  }

  run(text: string, rows: number, { onProgress, copy }: RunOptions = {}): Promise<Reply> {
    return this.#inTurn(async () => {
      const session = this.#session;
      session.onProgress = onProgress ?? null;
      session.streams = copy === undefined ? null : chunkedCopy(copy.input, copy.output);
      try {
        return await this.#run(text, rows);
      } finally {
        session.onProgress = null;
        session.streams = null;
        this.#deliverNotifications();
      }
    });
  }

  more(rows: number): Promise<Answer> {
    return this.#inTurn(() => {
      if (this.#open === null) throw new SvcError('24000', 'no query has rows waiting');
      return this.#guarded(() => this.#pull(rows));
    });
  }

  stop(): Promise<Place> {
    return this.#inTurn(async () => {
      await this.#stop();
      return this.place;
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const running = this.#last.then(act);
    this.#last = running.catch(() => {});
    return running;
  }

  async #stop(): Promise<void> {
    if (this.#open !== null) await this.#guarded(() => this.#end());
  }

  async #run(text: string, rows: number): Promise<Reply> {
    await this.#stop();
    const session = this.#session;
    // As in Postgres, an error of syntax fails the transaction as well.
    const statements = await this.#guarded(async () => session.parse(text));
    const [first] = statements;
    if (statements.length === 1 && isQuery(first) && !isWrite(first)) {
      const answer = await this.#guarded(() => this.#query(text, rows));
      if (answer !== null) return { answers: [answer], place: this.place };
    }
    const results = await session.run(text);
    return { answers: results.map((result) => this.#answer(result)), place: this.place };
  }

  cancel(): void {
    this.#session.cancel();
  }

  /** A running query is stopped. */
  async close(): Promise<void> {
    this.#session.cancel();
    await this.#last;
    this.#open?.execution.close();
    this.#open = null;
    this.#session.close();
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    const session = this.#session;
    try {
      return await act();
    } catch (error) {
      this.#open?.execution.close();
      this.#open = null;
      session.fail();
      session.rest();
      await session.untilSynced();
      throw error;
    }
  }

  /** null if the query must run to its end before its first row. */
  async #query(text: string, rows: number): Promise<Answer | null> {
    const session = this.#session;
    const [statement] = session.parse(text);
    if (!isQuery(statement)) return null;
    const admission = session.admission();
    if (admission !== null) await admission;
    session.text = text;
    session.isMultiStatement = false;
    session.enter(statement);
    session.startStatement();
    const { prepared, values } = session.withParameters(statement, []);
    if (prepared.modifies || prepared.locks) {
      // Nothing has been done yet.
      if (session.transaction?.explicit === false) session.rollback();
      session.rest();
      return null;
    }
    this.#open = { execution: new Execution(session, prepared, values), columns: prepared.columns, batch: null, at: 0, given: 0 };
    return this.#pull(rows);
  }

  async #pull(wanted: number): Promise<Answer> {
    const session = this.#session;
    const open = this.#open!;
    const { columns } = open;
    const rows: (string | null)[][] = [];
    for (;;) {
      // Fetches one row more than wanted, so that `more` is exact.
      if (open.batch === null || open.at >= open.batch.count) {
        const next = open.execution.next();
        if (next === YIELD) {
          await session.pause();
          continue;
        }
        open.batch = next;
        open.at = 0;
        if (next === null) break;
        continue;
      }
      if (rows.length >= wanted) {
        session.hold();
        await session.untilSynced();
        return { command: `SELECT ${open.given}`, columns: columns.map(answerColumn), rows, more: true, notices: this.#notices() };
      }
      const { batch, at } = open;
      rows.push(columns.map(({ type }, c) => this.#text(batch.columns[c][at], type)));
      open.at++;
      open.given++;
    }
    const command = open.execution.finish(open.given);
    await this.#end();
    return { command, columns: columns.map(answerColumn), rows, more: false, notices: this.#notices() };
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#open?.execution.close();
    this.#open = null;
    session.endList();
    session.betweenStatements();
    session.rest();
    await session.untilSynced();
  }

  #answer({ command, columns, rows, notices }: StatementResult): Answer {
    return {
      command,
      columns: columns?.map(answerColumn) ?? null,
      rows: columns === null ? [] : rows.map((row) => columns.map(({ type }, c) => this.#text(row[c], type))),
      more: false,
      notices: notices.map(({ severity, message }) => ({ severity, message })),
    };
  }

  #text(value: Value, type: ResultColumn['type']): string | null {
    return value === null ? null : type.format(value, this.#session.env);
  }

  #notices(): Answer['notices'] {
    const notices = this.#session.notices.map(({ severity, message }) => ({ severity, message }));
    this.#session.notices = [];
    return notices;
  }
}

/** Names of objects (`regclass` …) are numbers in the type system but shown as text. */
function answerColumn({ name, type }: ResultColumn): AnswerColumn {
  return { name, type: type.title, right: type.category === 'N' && !type.name.startsWith('reg') };
}
