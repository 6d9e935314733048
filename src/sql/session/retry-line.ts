/** Who was outrun tries again one at a time: run side by side, all but one of each round would be outrun again. */
export class RetryLine {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is one's turn, with what ends it. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = (): void => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}
