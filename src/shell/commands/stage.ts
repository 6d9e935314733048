/** What a command has at hand: the database, and where its words go. */
import type { RunControl } from '../../commands/contract.ts';
import type { LineSource } from '../view/pager-view.ts';
import type { View } from '../view/view.ts';
import type { CopyEnds, Place, ShellLink } from '../link/link.ts';
import type { Style } from '../text/style.ts';

export interface BusyOptions {
  /** What is counted: `worlds`. Without one only the share is shown. */
  readonly unit?: string;
  /** It can be stopped before it ends (default). */
  readonly stops?: boolean;
}

export interface Stage {
  readonly style: Style;
  /** A person sits at a terminal that views can be shown on. */
  readonly interactive: boolean;
  /** Columns of the terminal; null: lines are not bounded. */
  readonly width: number | null;
  readonly place: Place;
  readonly link: ShellLink;
  /** Rows as blocks. */
  expanded: boolean;
  /** Each statement says how long it took. */
  timing: boolean;
  nowMs(): number;
  /** Lines to the output, by the pager where they do not fit on the screen. */
  print(lines: readonly string[]): Promise<void>;
  /** All of a source, by the pager where it does not fit. */
  page(source: LineSource, head: readonly string[], title: string): Promise<void>;
  /** A full-screen view. */
  show<Result>(view: View<Result>): Promise<Result>;
  /** A line from the person; null where none is given. */
  ask(question: string): Promise<string | null>;
  /** Shows how long it takes where it does, and how far it is; Ctrl-C gives it up. */
  busy<T>(what: string, act: (control: RunControl) => Promise<T>, options?: BusyOptions): Promise<T>;
  /** SQL as if it were typed. `copy`: in the place of what is typed behind it. */
  sql(text: string, copy?: CopyEnds): Promise<void>;
  /** The SQL that ran last, or that a command of the same line is about. */
  lastSql: string;
  /** Runs what a file holds, up to the first error. */
  include(path: string): Promise<void>;
  /** Output goes to a file; null: no longer. */
  redirect(path: string | null): Promise<void>;
  /** Has the person's editor change a text; null where it was given up. */
  edit(text: string, path: string | null): Promise<string | null>;
  /** Runs pieces as if they were typed. */
  typed(text: string): Promise<void>;
  /** Repeats something until Ctrl-C. */
  repeat(act: () => Promise<void>, everyMs: number, times: number): Promise<void>;
  /** Only the command that ends the restriction with this word is heard; null: all. */
  restricted: string | null;
  /** Moves the session to a world. */
  use(world: string): Promise<void>;
  leave(): void;
}
