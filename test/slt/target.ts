/**
 * What the SQL test tools drive: something that runs SQL text as one session and answers in Postgres's output text.
 *
 * `run` takes one or several statements, as a simple query of the wire protocol does, and gives one outcome a statement.
 * With parameters (output text, null for null) it takes one statement with `$1`, `$2` …
 * Types are names as in pg_type (`int4`, `_text`, an enum's own name); `command` is the whole tag (`INSERT 0 1`).
 * `reset` ends an open transaction and leaves an empty schema `public` and default settings.
 */
export interface Target {
  readonly name: string;
  /** The major release of Postgres whose behaviour it has. */
  readonly release: number;
  run(sql: string, params?: readonly Value[]): Promise<Outcome[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Postgres output text, null for null. */
export type Value = string | null;

export interface Column {
  name: string;
  type: string;
}

export interface Outcome {
  command: string;
  columns: Column[];
  rows: Value[][];
}

/** A statement was refused. `code` is its SQLSTATE, `outcomes` what the statements before it in the same text gave. */
export class SqlFailure extends Error {
  readonly code: string;
  readonly outcomes: readonly Outcome[];

  constructor(code: string, message: string, outcomes: readonly Outcome[] = []) {
    super(message);
    this.name = 'SqlFailure';
    this.code = code;
    this.outcomes = outcomes;
  }
}
