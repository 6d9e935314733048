/** The best rows of many, by score and, where scores are equal, by place: a heap with the worst of them on top. */

export class TopRows {
  readonly #scores: Float64Array;
  readonly #places: Float64Array;
  readonly #rows: Uint32Array;
  #count = 0;

  /** `size`: how many rows are wanted. */
  constructor(size: number) {
    this.#scores = new Float64Array(size);
    this.#places = new Float64Array(size);
    this.#rows = new Uint32Array(size);
  }

  get isFull(): boolean {
    return this.#count === this.#rows.length;
  }

  /** A score that is below it has no chance. */
  get least(): number {
    if (this.#count < this.#rows.length) return -Infinity;
    return this.#count === 0 ? Infinity : this.#scores[0];
  }

  offer(score: number, place: number, row: number): void {
    if (this.#count < this.#rows.length) this.#rise(this.#count++, score, place, row);
    else if (this.#count > 0 && this.#isWorse(0, score, place)) this.#sink(score, place, row);
  }

  /** Rows with their scores, the best first. */
  sorted(): { readonly row: number; readonly score: number }[] {
    const [scores, places, rows] = [this.#scores, this.#places, this.#rows];
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i).sort((a, b) => scores[b] - scores[a] || places[a] - places[b]);
    return Array.from(order, (i) => ({ row: rows[i], score: scores[i] }));
  }

  /** Whether the row at a position of the heap is worse than another. */
  #isWorse(at: number, score: number, place: number): boolean {
    return this.#scores[at] < score || (this.#scores[at] === score && this.#places[at] > place);
  }

  #rise(from: number, score: number, place: number, row: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, score, place)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, score, place, row);
  }

  #sink(score: number, place: number, row: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && this.#isWorse(child + 1, this.#scores[child], this.#places[child])) child++;
      if (!this.#isWorse(child, score, place)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, score, place, row);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#scores[from], this.#places[from], this.#rows[from]);
  }

  #set(at: number, score: number, place: number, row: number): void {
    this.#scores[at] = score;
    this.#places[at] = place;
    this.#rows[at] = row;
  }
}
