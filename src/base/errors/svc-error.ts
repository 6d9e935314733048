import type { Row } from '../json.ts';
import { SQLSTATES, type SqlState } from './sqlstate.ts';

export interface ErrorParts {
  /** A second sentence with the actual values. */
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

/** Where inside functions an error was raised. */
export interface ErrorContext {
  /** The call stack, one line each, innermost first. */
  readonly where: string;
  /** The failing text inside a function, and the 1-based position in it; null: the statement itself. */
  readonly query: string | null;
  readonly position: number | undefined;
}

/** A row that a merge cannot decide, as `conflicts` of replies has it. */
export interface RowConflict {
  /** `<table>/<id>`. */
  readonly key: string;
  readonly base: Row | null;
  readonly ours: Row | null;
  readonly theirs: Row | null;
  readonly explanation: string;
  /** SQLSTATE and name of the constraint that the result would break. */
  readonly code?: string;
  readonly constraint?: string;
}

/** An expected error: bad input, a refusal, a full disk. Internal bugs are assertion failures instead. */
export class SvcError extends Error {
  readonly code: SqlState;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: number | undefined;
  readonly data: Record<string, unknown> | undefined;
  readonly status: number;
  /** null: raised by the statement itself, outside of functions. */
  readonly context: ErrorContext | null;

  constructor(code: SqlState, message: string, parts: ErrorParts = {}, context: ErrorContext | null = null) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'SvcError';
    this.code = code;
    this.detail = parts.detail;
    this.hint = parts.hint;
    this.position = parts.position;
    this.data = parts.data;
    this.status = parts.status ?? (SQLSTATES[code] as { status: number } | undefined)?.status ?? 400;
    this.context = context;
  }

  /** Of a merge or rebase that ended in conflicts; undefined otherwise. */
  get conflicts(): readonly RowConflict[] | undefined {
    return this.data?.['conflicts'] as readonly RowConflict[] | undefined;
  }

  /** A copy with a function's context: the original may be cached with a plan and thrown again. */
  within(context: ErrorContext): SvcError {
    const { code, message, detail, hint, status, cause } = this;
    const { where, ...data } = this.data ?? {};
    const position = context.query === null ? context.position : undefined;
    // The stack is only captured when it is read: most errors caught by functions never are.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const own = new SvcError(
      code,
      message,
      {
        ...(detail === undefined ? {} : { detail }),
        ...(hint === undefined ? {} : { hint }),
        ...(position === undefined ? {} : { position }),
        ...(Object.keys(data).length === 0 ? {} : { data }),
        ...(cause === undefined ? {} : { cause }),
        status,
      },
      typeof where === 'string' ? { ...context, where: context.where === '' ? where : `${where}\n${context.where}` } : context,
    );
    Error.stackTraceLimit = stackTraceLimit;
    Object.defineProperty(own, 'stack', { configurable: true, get: () => this.stack });
    return own;
  }

  /** A copy without a position in the statement's text. */
  unplaced(): SvcError {
    const { code, message, detail, hint, data, status, cause, context } = this;
    const parts = {
      ...(detail === undefined ? {} : { detail }),
      ...(hint === undefined ? {} : { hint }),
      ...(data === undefined ? {} : { data }),
      ...(cause === undefined ? {} : { cause }),
    };
    return new SvcError(code, message, { ...parts, status }, context);
  }
}

/** Calls `run`; its errors have no position, as for parts of statements that Postgres checks without their text. */
export function withoutPlace<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof SvcError && error.position !== undefined ? error.unplaced() : error;
  }
}
