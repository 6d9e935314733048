/** How a long call is followed and given up: with the signal's reason (57014), and then nothing is changed. */
export interface RunControl {
  readonly signal?: AbortSignal;
  /** Called before the first row of a table is shown in statements; may throw. */
  beforeTable?(table: string): void;
  onProgress?(done: number, total: number): void;
  /** Everything is checked as if it were done, and nothing is; so everybody may who reads. Of rules of merges only. */
  readonly draft?: true;
}
