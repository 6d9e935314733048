/**
 * The stack of running functions and of the SQL texts inside them, outermost first. Errors and messages report it as their context,
 * innermost first (manual, 43.9.1 and 55.8, field `W`).
 */
import { rangeRefusal } from '../../base/errors/range-error.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

export interface CallFrame {
  /** The text that an error position refers to; null if the position refers to an outer text. */
  readonly sql: string | null;
  /** Characters that were put before the text for the parser. */
  readonly shift: number;
  /** A line of context, or null. `claimed`: the error's position is shown in this frame's text. */
  line(claimed: boolean): string | null;
  /** The cursor that a variable of the function names. */
  cursorNamed?(variable: string): string | null;
}

/** SQL text in a function: reported by its position, or as a line of context. */
export class TextFrame implements CallFrame {
  readonly sql: string;
  readonly shift: number;
  readonly #what: string;

  constructor(what: 'SQL statement' | 'SQL expression' | 'PL/pgSQL assignment', text: string, shift = 0) {
    this.#what = what;
    this.sql = text;
    this.shift = shift;
  }

  line(claimed: boolean): string | null {
    return claimed ? null : `${this.#what} "${this.sql}"`;
  }
}

/** Runs a function; its errors have the frame in their context. */
export function inFrame<T>({ frames }: { readonly frames: CallFrame[] }, frame: CallFrame, run: () => T): T {
  frames.push(frame);
  try {
    return run();
  } catch (error) {
    throw located(frames, error);
  } finally {
    frames.pop();
  }
}

/** Context lines of the current stack, without an error. */
export function contextLines(frames: readonly CallFrame[]): string {
  const lines: string[] = [];
  for (let i = frames.length - 1; i >= 0; i--) {
    const line = frames[i].line(false);
    if (line !== null) lines.push(line);
  }
  return lines.join('\n');
}

/** Adds the context to an error that has none yet: called at the innermost frame, while the stack is complete. */
export function located(frames: readonly CallFrame[], thrown: unknown): unknown {
  let error: SvcError;
  if (thrown instanceof SvcError) error = thrown;
  else if (thrown instanceof RangeError) error = rangeRefusal(thrown) ?? new SvcError('54001', 'stack depth limit exceeded', { cause: thrown });
  else return thrown;
  if (error.context !== null || frames.length === 0) return error;
  const lines: string[] = [];
  let query: string | null = null;
  let { position } = error;
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i];
    const claimed = position !== undefined && query === null && frame.sql !== null;
    if (claimed) {
      query = frame.sql;
      position = Math.max(1, position! - frame.shift);
    }
    const line = frame.line(claimed);
    if (line !== null) lines.push(line);
  }
  return error.within({ where: lines.join('\n'), query, position });
}
