/** The rows of a FOR loop: streamed if the query only reads, otherwise read at once. */
import { inFrame, TextFrame } from '../call-frames.ts';
import type { ResultColumn } from '../results.ts';
import { RowStream } from '../row-stream.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Value } from '../../types/value.ts';
import type { Prepared } from '../prepare.ts';
import { type Rows, runPrepared } from './queries.ts';
import type { Steps } from './steps.ts';

/** Rows that are read ahead. */
const AHEAD = 512;

export class Loop {
  readonly columns: readonly ResultColumn[];
  readonly writes: boolean;
  #rows: (readonly Value[])[] = [];
  #next = 0;
  #stream: RowStream | null = null;
  /** Rows returned so far. */
  count = 0;

  constructor(columns: readonly ResultColumn[], writes: boolean) {
    this.columns = columns;
    this.writes = writes;
  }

  /** Errors of planning the query have its text as context; those of its rows belong to the loop. */
  static *over(session: SqlSession, prepared: Prepared, values: readonly Value[], text: string): Steps<Loop> {
    if (!RowStream.takes(prepared)) return Loop.of(yield* runPrepared(session, prepared, values));
    const loop = new Loop(prepared.columns, false);
    loop.#stream = inFrame(session, new TextFrame('SQL statement', text), () => new RowStream(session, prepared, values));
    return loop;
  }

  static of({ columns, rows, writes }: Rows): Loop {
    const loop = new Loop(columns ?? [], writes);
    loop.#rows = [...rows];
    return loop;
  }

  /** A row that has been read already. */
  nextNow(): readonly Value[] | null {
    if (this.#next >= this.#rows.length) return null;
    this.count++;
    return this.#rows[this.#next++];
  }

  *next(): Steps<readonly Value[] | null> {
    if (this.#next >= this.#rows.length && this.#stream !== null) {
      this.#rows = [];
      this.#next = 0;
      yield* this.#stream.fill(this.#rows, AHEAD);
    }
    if (this.#next >= this.#rows.length) return null;
    this.count++;
    return this.#rows[this.#next++];
  }

  /** Reads all remaining rows before the transaction ends. */
  *keep(): Steps<void> {
    if (this.#stream === null) return;
    this.#rows = this.#rows.slice(this.#next);
    this.#next = 0;
    yield* this.#stream.fill(this.#rows, Infinity);
    this.#stream = null;
  }

  close(): void {
    this.#stream?.close();
  }
}
