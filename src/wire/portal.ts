/**
 * A portal: a statement with its parameters, run at once or some rows at a time. `run` writes rows until the statement
 * is done or the wanted number of rows is written, and returns why it stopped:
 *
 *     yield       the time slice is over          full      the output must be sent first
 *     suspended   the wanted rows are written     tag       done
 */
import { YIELD, type Batch } from '../sql/exec/batch.ts';
import type { Wanted } from '../sql/exec/context.ts';
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

/** libpq parses a row count after `MERGE `, and warns about anything else. */
function tagOf({ command, columns, rows }: StatementResult): string {
  if (command !== 'MERGE WORLD') return command;
  return `MERGE ${columns?.[0]?.name === 'merged' ? String(rows[0]?.[0] ?? 0) : rows.length}`;
}

/** Smaller portals are not counted by their values. */
const WEIGHED_BYTES = 64 * 1024;

export class Portal {
  readonly name: string;
  readonly statement: WireStatement;
  readonly values: readonly Value[];
  readonly formats: Formats;
  /** Transaction that it ends with. */
  transaction: Transaction | null;
  readonly #depth: number;
  readonly #rollbacks: number;
  /** For a cursor of DECLARE. */
  cursor: Cursor | null = null;
  #execution: Execution | null = null;
  /** Masks at its start, if it may continue later. */
  #masks: Cursor['masks'];
  #writers: readonly ValueWriter[] | null = null;
  #batch: Batch | null = null;
  #at = 0;
  /** The batch has rows written in slices, and one of them is in progress. */
  #large = false;
  #row: Generator<void, void> | null = null;
  /** Rows of a statement that had to run to its end first. */
  #kept: Batch[] | null = null;
  readonly #memory = new ResultMemory();
  #ended = false;
  /** Rows written since the last `start`. */
  #written = 0;
  #wanted = 0;
  /** Rows that the plan may compute; null: all, since the statement is run completely first or the client wants all. */
  #computed: Wanted | null = null;
  /** Command tag, once it is done. */
  tag = '';

  constructor(name: string, statement: WireStatement, values: readonly Value[], formats: Formats, transaction: Transaction | null) {
    this.name = name;
    this.statement = statement;
    this.values = values;
    this.formats = formats;
    this.transaction = transaction;
    this.#depth = transaction?.savepoints.length ?? 0;
    this.#rollbacks = transaction?.rollbacksAt(this.#depth) ?? 0;
  }

  /** It ends with its transaction, and with the subtransaction in which it was bound. */
  livesIn(transaction: Transaction | null): boolean {
    return this.transaction === null || (this.transaction === transaction && transaction.rollbacksAt(this.#depth) === this.#rollbacks);
  }

  /** Counts large parameter values against the limit if the portal is kept. 53200. */
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

  /** Begins an Execute for `rows` rows; 0 for all. */
  start(session: SqlSession, rows: number): void {
    this.#written = 0;
    this.#wanted = rows === 0 ? Infinity : rows;
    // Continuing after the end returns no rows.
    if (this.tag !== '' && this.#batch === null && this.#kept === null) this.tag = 'SELECT 0';
    if (this.#execution !== null) refuseUnmasked(session, this.name, this.#masks);
    if (this.#execution !== null || this.tag !== '') return;
    if (rows !== 0) this.#masks = masksFor(session).masks;
    const prepared = this.statement.plan(session);
    this.#writers = this.statement.writers(prepared.columns, this.formats);
    // A statement that may be retried is run completely before its first row is sent.
    if (prepared.modifies || prepared.locks) this.#kept = [];
    else if (rows !== 0) this.#computed = { rows };
    this.#execution = new Execution(session, prepared, this.values, this.#computed ?? undefined);
  }

  /** Supplies the rows of a statement that is not a query. */
  give(result: StatementResult, rows: number): void {
    this.#written = 0;
    this.#wanted = rows === 0 ? Infinity : rows;
    this.tag = tagOf(result);
    this.#ended = true;
    if (result.columns === null) return;
    this.#writers = valueWriters(result.columns, this.formats);
    this.#take({ count: result.rows.length, columns: result.columns.map((_, c) => result.rows.map((row) => row[c])) });
  }

  /** Continues an Execute with pending rows. */
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

  /** A modifying statement is run completely before its first row is sent. */
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
      if (this.#computed !== null) this.#computed.rows = this.#wanted - this.#written;
      const batch = execution.next();
      if (batch === YIELD) return YIELD;
      if (batch === null) {
        this.#ended = true;
        this.tag = execution.finish(kept === null ? this.#written : execution.count);
        continue;
      }
      // Without RETURNING there are no rows to send.
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

  /** The rows not sent yet. */
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

  /** Restarts in the session's next transaction. */
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
