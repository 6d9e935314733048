/** Control of a long call: progress, and cancellation with the signal's reason (57014), after which nothing is changed. */
export interface RunControl {
  readonly signal?: AbortSignal;
  /** Called before the first row of a table is shown in statements; may throw. */
  beforeTable?(table: string): void;
  /** Columns that a ranked search neither reads nor gives. */
  readonly withoutColumns?: ReadonlySet<string>;
  onProgress?(done: number, total: number): void;
  /** Everything is checked but not changed, so `read` suffices. For rules of merges only. */
  readonly draft?: true;
}
