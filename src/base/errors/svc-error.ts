import { SQLSTATES, type SqlState } from './sqlstate.ts';

export interface ErrorParts {
  /** A second sentence with the values at hand. */
  detail?: string;
  /** What the caller can do about it. */
  hint?: string;
  /** 1-based character position in the statement. */
  position?: number;
  /** Machine-readable extras an entrance adds to its error object, for example `{ conflicts }`. */
  data?: Record<string, unknown>;
  /** Overrides the table's HTTP status where one code serves two (a system `max_worlds` is 429, an agent's 403). */
  status?: number;
  cause?: unknown;
}

/** An error of the world outside: bad input, a refusal, a full disk. Our own bugs are assertion failures instead. */
export class SvcError extends Error {
  readonly code: SqlState;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: number | undefined;
  readonly data: Record<string, unknown> | undefined;
  readonly status: number;

  constructor(code: SqlState, message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'SvcError';
    this.code = code;
    this.detail = parts.detail;
    this.hint = parts.hint;
    this.position = parts.position;
    this.data = parts.data;
    this.status = parts.status ?? (SQLSTATES[code] as { status: number } | undefined)?.status ?? 400;
  }
}
