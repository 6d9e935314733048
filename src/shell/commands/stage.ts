/** The environment of a command: the database, and its output. */
import type { RunControl } from '../../commands/contract.ts';
import type { LineSource } from '../view/pager-view.ts';
import type { View } from '../view/view.ts';
import type { CopyEnds, Place, ShellLink } from '../link/link.ts';
import type { Style } from '../text/style.ts';

export interface BusyOptions {
  /** Unit of progress: `worlds`. Without one only the percentage is shown. */
  readonly unit?: string;
  /** It can be cancelled (default). */
  readonly stops?: boolean;
}

export interface Stage {
  readonly style: Style;
  /** Interactive: a terminal that can show views. */
  readonly interactive: boolean;
  /** Columns of the terminal; null: lines are not bounded. */
  readonly width: number | null;
  readonly place: Place;
  readonly link: ShellLink;
  /** Rows as blocks. */
  expanded: boolean;
  /** Show the duration of each statement. */
  timing: boolean;
  nowMs(): number;
  /** Prints lines, paged if they do not fit on the screen. */
  print(lines: readonly string[]): Promise<void>;
  /** Prints a whole source, paged if it does not fit. */
  page(source: LineSource, head: readonly string[], title: string): Promise<void>;
  /** Shows a full-screen view. */
  show<Result>(view: View<Result>): Promise<Result>;
  /** Asks for a line; null without an answer. */
  ask(question: string): Promise<string | null>;
  /** Shows duration and progress of a long call; Ctrl-C cancels it. */
  busy<T>(what: string, act: (control: RunControl) => Promise<T>, options?: BusyOptions): Promise<T>;
  /** Runs SQL as if typed. `copy`: in place of rows typed after it. */
  sql(text: string, copy?: CopyEnds): Promise<void>;
  /** The last SQL, or the SQL before a psql command in the same line. */
  lastSql: string;
  /** Runs a file up to the first error. */
  include(path: string): Promise<void>;
  /** Redirects output to a file; null: ends that. */
  redirect(path: string | null): Promise<void>;
  /** Opens the person's editor on a text; null if cancelled. */
  edit(text: string, path: string | null): Promise<string | null>;
  /** Runs pieces as if typed. */
  typed(text: string): Promise<void>;
  /** Repeats an action until Ctrl-C. */
  repeat(act: () => Promise<void>, everyMs: number, times: number): Promise<void>;
  /** Only the command that ends the restriction with this word is accepted; null: all. */
  restricted: string | null;
  /** Moves the session to a world. */
  use(world: string): Promise<void>;
  leave(): void;
}
