/**
 * What the SQL test tools drive: something that runs SQL text as one session and answers in Postgres's output text.
 *
 * `run` takes one or several statements, as a simple query of the wire protocol does, and gives one outcome a statement.
 * `types` are names as in pg_type (`int4`, `_text`, an enum's own name); `command` is the whole tag (`INSERT 0 1`).
 * `reset` ends an open transaction and leaves an empty schema `public` and default settings.
 */
export interface SqlTarget {
  readonly name: string;
  run(sql: string): Promise<SqlOutcome[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface SqlOutcome {
  command: string;
  columns: string[];
  types: string[];
  /** Postgres output text of each value, null for null. */
  rows: (string | null)[][];
}

/** A statement was refused. `code` is its SQLSTATE, `outcomes` what the statements before it in the same text gave. */
export class SqlFailure extends Error {
  readonly code: string;
  readonly outcomes: readonly SqlOutcome[];

  constructor(code: string, message: string, outcomes: readonly SqlOutcome[] = []) {
    super(message);
    this.name = 'SqlFailure';
    this.code = code;
    this.outcomes = outcomes;
  }
}
