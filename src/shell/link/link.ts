/**
 * The shell's interface to the database: a persistent SQL session (world, settings, transaction), and the operations.
 * Implemented for a folder opened by this process, and for the process that has it open, through the folder's socket.
 */

import type { RunControl } from '../../commands/contract.ts';

export interface AnswerColumn {
  readonly name: string;
  /** SQL type, as `format_type` prints it. */
  readonly type: string;
  /** Right-aligned: numbers. */
  readonly right: boolean;
}

export interface AnswerNotice {
  readonly severity: string;
  readonly message: string;
}

/** Result of one statement, with values in Postgres's text format. */
export interface Answer {
  readonly command: string;
  /** null if it returns no rows. */
  readonly columns: readonly AnswerColumn[] | null;
  readonly rows: readonly (readonly (string | null)[])[];
  /** More rows are available by `more`. */
  readonly more: boolean;
  readonly notices: readonly AnswerNotice[];
}

/** The session's current place. */
export interface Place {
  /** Name, id or `name@when`, as entered. */
  readonly branch: string;
  readonly transaction: 'none' | 'open' | 'failed';
  /** The world is merged, discarded or trimmed. */
  readonly gone: boolean;
}

export interface Reply {
  readonly answers: readonly Answer[];
  readonly place: Place;
}

/** Rows of a COPY on the shell's side. */
export interface CopyEnds {
  /** The next input of COPY FROM STDIN; null at the end. An error ends the COPY. */
  input(): Promise<Uint8Array | null>;
  /** Receives the output of COPY TO STDOUT. */
  output(bytes: Uint8Array): Promise<void>;
}

export interface RunOptions {
  /** Progress of statements that report it. */
  readonly onProgress?: RunControl['onProgress'];
  readonly copy?: CopyEnds;
}

/** A NOTIFY of any session. */
export interface Notification {
  readonly pid: number;
  readonly channel: string;
  readonly payload: string;
}

export interface ShellLink {
  /** Receives notifications between transactions. */
  onNotification: ((notification: Notification) => void) | null;
  /** This process has the folder open, or connects to the one that has. */
  readonly kind: 'folder' | 'socket';
  /** The other end is gone: each call throws 08006. */
  readonly lost: boolean;
  /** Throws 57014 if `control.signal` cancels it; nothing is changed then. */
  call(operation: string, input: unknown, control?: RunControl): Promise<unknown>;
  /** Runs the statements of a text. A single query returns at most `rows` rows at first; the rest is available by `more` until the next `run` or `stop`. */
  run(sql: string, rows: number, options?: RunOptions): Promise<Reply>;
  more(rows: number): Promise<Answer>;
  /** Ends the query: no more rows are wanted. */
  stop(): Promise<Place>;
  /** Cancels the running statement (57014). */
  cancel(): void;
  close(): Promise<void>;
}
