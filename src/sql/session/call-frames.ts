/**
 * What runs inside what: functions, and texts of SQL inside them, the outermost first. Errors and messages tell it as
 * their context (manual, 43.9.1 and 55.8, field `W`), the innermost first.
 */
import { rangeRefusal } from '../../base/errors/range-error.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

export interface CallFrame {
  /** Text inside a function that an error's position is about; null where it stands in what is further out. */
  readonly sql: string | null;
  /** Characters that the text has been given in front for the parser. */
  readonly shift: number;
  /** A line of context. `claimed`: the position of the error at hand is shown in this frame's text. null: no line. */
  line(claimed: boolean): string | null;
  /** The cursor that a variable of the function holds. */
  cursorNamed?(variable: string): string | null;
}

/** A text of SQL in a function: told by its position, or as a line. */
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

/** What fails has the frame in its context. */
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

/** Lines for what runs now, without an error. */
export function contextLines(frames: readonly CallFrame[]): string {
  const lines: string[] = [];
  for (let i = frames.length - 1; i >= 0; i--) {
    const line = frames[i].line(false);
    if (line !== null) lines.push(line);
  }
  return lines.join('\n');
}

/** What was thrown, with its context where it has none yet: asked at the innermost frame, while all of them stand. */
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
