/**
 * Changes of a statement that are made already, as nothing looks at their rows again. They mostly come in the order of
 * keys: as long as they do there is no hash table.
 */
import type { Key, RowChange } from '../../tree/datum.ts';

export class SettledRows {
  readonly #rows: RowChange[] = [];
  /** Keys, once one came out of order. */
  #keys: Set<Key> | null = null;
  /** So many change nothing. */
  #idle = 0;

  /** Whether a row goes. */
  deletes = false;

  get count(): number {
    return this.#rows.length;
  }

  all(): readonly RowChange[] {
    return this.#rows;
  }

  /** The key is not there yet. */
  add(change: RowChange): void {
    const rows = this.#rows;
    const { key } = change;
    if (this.#keys !== null) this.#keys.add(key);
    else if (rows.length > 0 && key < rows[rows.length - 1].key) {
      this.#keys = new Set(rows.map((row) => row.key)).add(key);
    }
    // A row that stays as it is has been written all the same.
    if (change.shape.ids.length === 0) this.#idle++;
    if (change.after === null) this.deletes = true;
    rows.push(change);
  }

  has(key: Key): boolean {
    if (this.#keys !== null) return this.#keys.has(key);
    const rows = this.#rows;
    let low = 0;
    let high = rows.length - 1;
    if (high < 0 || key > rows[high].key) return false;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].key < key) low = middle + 1;
      else high = middle;
    }
    return rows[low].key === key;
  }

  /** Those that stay as they are. */
  unchanged(): Key[] {
    return this.#idle === 0 ? [] : this.#rows.filter(({ shape }) => shape.ids.length === 0).map(({ key }) => key);
  }

  /** Those that change something, in the order of keys. */
  changes(): RowChange[] {
    const rows = this.#idle === 0 ? this.#rows.slice() : this.#rows.filter(({ shape }) => shape.ids.length > 0);
    return this.#keys === null ? rows : rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
}
