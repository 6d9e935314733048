/** Listeners of one kind of notification. They are called in the order in which they were added; a call allocates nothing. */

export class Listeners<T> {
  #listeners: readonly ((value: T) => void)[] = [];

  /** Returns the function that removes it again. */
  add(listener: (value: T) => void): () => void {
    // An entry of its own: a function that was added twice is removed once. The list is replaced, so that a call in progress is not disturbed.
    const entry = (value: T): void => listener(value);
    this.#listeners = [...this.#listeners, entry];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== entry);
    };
  }

  call(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
