/**
 * A portal: a statement with its parameters, run in one go or some rows at a time. `run` writes rows until the statement
 * is done or the wanted number of rows is written, and says in between why it stops:
 *
 *     yield       the time slice is over          full      the output should go first
 *     suspended   the wanted rows are written     tag       done
 */
import { YIELD, type Batch } from '../sql/exec/batch.ts';
import { valueBytes } from '../sql/exec/spill-codec.ts';
import { type Cursor, masksFor, refuseUnmasked } from '../sql/session/cursors.ts';
import { ResultMemory } from '../sql/session/result-memory.ts';
import { Execution } from '../sql/session/execution.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { Transaction } from '../sql/session/transaction.ts';
import type { StatementResult } from '../sql/session/results.ts';
import type { Value } from '../sql/types/value.ts';
import { hasLargeRows, isLargeRow, writeLargeRow } from './large-row.ts';
import type { MessageWriter } from './message-writer.ts';
import { WIRE_LIMITS } from './protocol.ts';
import { type Formats, type ValueWriter, valueWriters, writeRows } from './row-format.ts';
import type { WireStatement } from './wire-statement.ts';

export const STEP = { yield: 1, full: 2, suspended: 3, done: 4 } as const;
export type Step = (typeof STEP)[keyof typeof STEP];

/** libpq takes what stands behind `MERGE ` for a number of rows, and warns of anything else. */
function tagOf({ command, columns, rows }: StatementResult): string {
  if (command !== 'MERGE WORLD') return command;
  return `MERGE ${columns?.[0]?.name === 'merged' ? String(rows[0]?.[0] ?? 0) : rows.length}`;
}

/** Portals of less are not counted by their values. */
const WEIGHED_BYTES = 64 * 1024;

export class Portal {
  readonly name: string;
  readonly statement: WireStatement;
  readonly values: readonly Value[];
  readonly formats: Formats;
  /** It ends with the transaction that it was made in. */
  transaction: Transaction | null;
  /** Where it is a cursor of DECLARE. */
  cursor: Cursor | null = null;
  #execution: Execution | null = null;
  /** What was masked when it began, where it may go on later. */
  #masks: Cursor['masks'];
  #writers: readonly ValueWriter[] | null = null;
  #batch: Batch | null = null;
  #at = 0;
  /** The batch has rows that are written in slices, and one of them is under way. */
  #large = false;
  #row: Generator<void, void> | null = null;
  /** Rows of a statement that had to run to its end first. */
  #kept: Batch[] | null = null;
  readonly #memory = new ResultMemory();
  #ended = false;
  /** Rows written since the last `start`. */
  #written = 0;
  #wanted = 0;
  /** Command tag once it is done. */
  tag = '';

  constructor(name: string, statement: WireStatement, values: readonly Value[], formats: Formats, transaction: Transaction | null) {
    this.name = name;
    this.statement = statement;
    this.values = values;
    this.formats = formats;
    this.transaction = transaction;
  }

  /** Counts large values that it was bound with, where it stays beside others. 53200. */
  weigh(session: SqlSession): void {
    let bytes = 0;
    for (const value of this.values) bytes += valueBytes(value);
    if (bytes >= WEIGHED_BYTES) this.#memory.weigh(bytes, session.statementBytes);
  }

  get ran(): boolean {
    return this.#execution !== null || this.tag !== '';
  }

  get over(): boolean {
    return this.tag !== '';
  }

  get writesRows(): boolean {
    return this.#execution?.prepared.modifies === true;
  }

  /** An Execute of so many rows; 0 is all of them. */
  start(session: SqlSession, rows: number): void {
    this.#written = 0;
    this.#wanted = rows === 0 ? Infinity : rows;
    // Running on behind the end gives nothing.
    if (this.tag !== '' && this.#batch === null && this.#kept === null) this.tag = 'SELECT 0';
    if (this.#execution !== null) refuseUnmasked(session, this.name, this.#masks);
    if (this.#execution !== null || this.tag !== '') return;
    if (rows !== 0) this.#masks = masksFor(session).masks;
    const prepared = this.statement.plan(session);
    this.#writers = this.statement.writers(prepared.columns, this.formats);
    this.#execution = new Execution(session, prepared, this.values);
    // What may have to run again is run wholly before the first of its rows is given.
    if (prepared.modifies || prepared.locks) this.#kept = [];
  }

  /** Gives the rows of a statement that is no query. */
  give(result: StatementResult, rows: number): void {
    this.#written = 0;
    this.#wanted = rows === 0 ? Infinity : rows;
    this.tag = tagOf(result);
    this.#ended = true;
    if (result.columns === null) return;
    this.#writers = valueWriters(result.columns, this.formats);
    this.#take({ count: result.rows.length, columns: result.columns.map((_, c) => result.rows.map((row) => row[c])) });
  }

  /** Goes on with an Execute of rows that wait. */
  again(rows: number): void {
    this.#written = 0;
    this.#wanted = rows === 0 ? Infinity : rows;
  }

  run(session: SqlSession, out: MessageWriter): Step {
    for (;;) {
      if (this.#batch !== null && !this.#filling) {
        const step = this.#write(session, out);
        if (step !== null) return step;
      }
      const next = this.#next();
      if (next === YIELD) return STEP.yield;
      if (next === null) {
        // The tag counts the rows of this Execute.
        if (this.#kept !== null && this.#execution!.prepared.columns.length > 0) this.tag = this.tag.replace(/\d+$/, String(this.#written));
        return STEP.done;
      }
      this.#take(next);
    }
  }

  #take(batch: Batch): void {
    this.#batch = batch;
    this.#at = 0;
    this.#large = hasLargeRows(batch);
  }

  /** What is modified is modified wholly before the first of its rows is given. */
  get #filling(): boolean {
    return this.#kept !== null && !this.#ended;
  }

  #next(): Batch | typeof YIELD | null {
    const kept = this.#kept;
    for (;;) {
      if (this.#ended) {
        if (kept?.length === 0) this.#memory.release();
        return kept?.shift() ?? null;
      }
      const execution = this.#execution!;
      const batch = execution.next();
      if (batch === YIELD) return YIELD;
      if (batch === null) {
        this.#ended = true;
        this.tag = execution.finish(kept === null ? this.#written : execution.count);
        continue;
      }
      // Without RETURNING there is nothing to be given.
      if (execution.prepared.writes !== null && execution.prepared.columns.length === 0) continue;
      if (kept === null) return batch;
      if (batch.count > 1) this.#memory.hold(batch);
      kept.push(batch);
    }
  }

  #write(session: SqlSession, out: MessageWriter): Step | null {
    const batch = this.#batch!;
    const { columns } = batch;
    while (this.#at < batch.count) {
      const room = this.#wanted - this.#written;
      if (room <= 0) return STEP.suspended;
      if (this.#large && (this.#row !== null || isLargeRow(columns, this.#at))) {
        this.#row ??= writeLargeRow(out, columns, this.#at, this.#writers!, session.env);
        if (this.#row.next().done !== true) return STEP.yield;
        this.#row = null;
        this.#at++;
        this.#written++;
        if (out.length >= WIRE_LIMITS.outputBytes) return STEP.full;
        continue;
      }
      const to = writeRows(
        out,
        columns,
        this.#at,
        this.#large ? this.#at + 1 : Math.min(batch.count, this.#at + room),
        this.#writers!,
        session.env,
        WIRE_LIMITS.outputBytes,
      );
      this.#written += to - this.#at;
      this.#at = to;
      if (out.length >= WIRE_LIMITS.outputBytes) return STEP.full;
    }
    this.#batch = null;
    return this.#written >= this.#wanted ? STEP.suspended : null;
  }

  /** The rows that have not been given yet. */
  async rest(session: SqlSession): Promise<Value[][]> {
    this.start(session, 0);
    const rows: Value[][] = [];
    const add = (batch: Batch, from: number): void => {
      this.#memory.hold(batch);
      for (let i = from; i < batch.count; i++) rows.push(batch.columns.map((column) => column[i]));
    };
    if (this.#batch !== null) add(this.#batch, this.#at);
    this.#batch = null;
    for (;;) {
      const next = this.#next();
      if (next === null) return rows;
      if (next === YIELD) await session.pause();
      else add(next, 0);
    }
  }

  /** From the beginning, in the session's next transaction. */
  restart(session: SqlSession): void {
    this.close();
    this.#execution = null;
    this.#batch = null;
    this.#row = null;
    this.#at = 0;
    this.#kept = null;
    this.#ended = false;
    this.tag = '';
    this.transaction = session.startStatement(true);
  }

  close(): void {
    this.#memory.release();
    this.#execution?.close();
  }
}
