/**
 * What the shell talks to: a session of SQL that stays (its world, settings, transaction), and the operations. Behind it
 * is the folder that this process has open, or the process that has, through the folder's socket.
 */

import type { RunControl } from '../../commands/contract.ts';

export interface AnswerColumn {
  readonly name: string;
  /** SQL type, as `format_type` prints it. */
  readonly type: string;
  /** Numbers stand on the right. */
  readonly right: boolean;
}

export interface AnswerNotice {
  readonly severity: string;
  readonly message: string;
}

/** What one statement gave, its values as Postgres prints them. */
export interface Answer {
  readonly command: string;
  /** null where it gives no rows at all. */
  readonly columns: readonly AnswerColumn[] | null;
  readonly rows: readonly (readonly (string | null)[])[];
  /** There are more rows: `more` gives them. */
  readonly more: boolean;
  readonly notices: readonly AnswerNotice[];
}

/** Where the session stands. */
export interface Place {
  /** Name, id or `name@when`, as it was entered. */
  readonly branch: string;
  readonly transaction: 'none' | 'open' | 'failed';
  /** The world is merged, discarded or out of history. */
  readonly gone: boolean;
}

export interface Reply {
  readonly answers: readonly Answer[];
  readonly place: Place;
}

/** Rows of a COPY, on the side of the shell. */
export interface CopyEnds {
  /** What COPY FROM STDIN reads next; null at the end. An error ends the COPY with it. */
  input(): Promise<Uint8Array | null>;
  /** What COPY TO STDOUT gives. */
  output(bytes: Uint8Array): Promise<void>;
}

export interface RunOptions {
  /** Hears of statements that know how far they are. */
  readonly onProgress?: RunControl['onProgress'];
  readonly copy?: CopyEnds;
}

/** Of NOTIFY, by any session. */
export interface Notification {
  readonly pid: number;
  readonly channel: string;
  readonly payload: string;
}

export interface ShellLink {
  /** Hears what this session listens to, between its transactions. */
  onNotification: ((notification: Notification) => void) | null;
  /** This process has the folder open, or reaches the one that has. */
  readonly kind: 'folder' | 'socket';
  /** The other end is gone: each call raises 08006. */
  readonly lost: boolean;
  /** Raises 57014 where `control.signal` gives it up and it can be stopped; nothing is changed then. */
  call(operation: string, input: unknown, control?: RunControl): Promise<unknown>;
  /** Statements of one text. A single query gives at most `rows` rows at first; the rest waits for `more` until the next `run` or `stop`. */
  run(sql: string, rows: number, options?: RunOptions): Promise<Reply>;
  more(rows: number): Promise<Answer>;
  /** No more rows are wanted. */
  stop(): Promise<Place>;
  /** Ends the statement that runs with 57014. */
  cancel(): void;
  close(): Promise<void>;
}
