/** What a command has at hand: the database, and where its words go. */
import type { RunControl } from '../../commands/contract.ts';
import type { LineSource } from '../view/pager-view.ts';
import type { View } from '../view/view.ts';
import type { Place, ShellLink } from '../link/link.ts';
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
  /** SQL as if it were typed. */
  sql(text: string): Promise<void>;
  /** Moves the session to a world. */
  use(world: string): Promise<void>;
  leave(): void;
}
