/**
 * Memory of results that are held as a whole: those of the `sql` operation, which are one reply, and rows that are held until their
 * statement is done. It counts towards the process limit (`exec/process-memory.ts`). Portals of the wire protocol hold no rows.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Batch } from '../exec/batch.ts';
import { ALL_BYTES_MAX, giveMemory, heldByAll, megabytes, statementTooLarge, takeMemory } from '../exec/process-memory.ts';
import { batchBytes } from '../exec/spill-codec.ts';

/**
 * Of a row as an array, as an object of the reply, and of a field in both with its name in the reply's text. Values count twice: as
 * they are, and in the text.
 */
const ROW_BYTES = 100;
const CELL_BYTES = 40;

interface Held {
  bytes: number;
}

/** Of cursors and portals that were collected with their session. */
const forgotten = new FinalizationRegistry<Held>((held) => giveMemory(held.bytes));

export class ResultMemory {
  /** A separate object, so that the registry does not reference its holder; null: it never held any. */
  #held: Held | null = null;

  /** 53200 if the process holds too much. */
  hold(batch: Batch): void {
    const bytes = 2 * batchBytes(batch) + batch.count * (ROW_BYTES + CELL_BYTES * batch.columns.length);
    if (heldByAll() + bytes > ALL_BYTES_MAX) {
      throw new SvcError('53200', 'out of memory', {
        detail: `Results that are held as a whole and what statements hold may take ${megabytes(ALL_BYTES_MAX)}, all of them together.`,
        hint: 'Read it in parts, with LIMIT and a condition on the key, or over the wire protocol, which sends rows as they are found.',
      });
    }
    takeMemory(bytes, 0);
    this.#own().bytes += bytes;
  }

  /** Sets the current size of something that grows and shrinks. 53200 past `most`, and if the process holds too much. */
  weigh(bytes: number, most: number): void {
    if (bytes > most) throw statementTooLarge(most);
    const held = this.#own();
    takeMemory(bytes - held.bytes, bytes);
    held.bytes = bytes;
  }

  /** Takes over what another one holds. */
  take(other: ResultMemory): void {
    if (other.#held === null || other.#held.bytes === 0) return;
    this.#own().bytes += other.#held.bytes;
    other.#held.bytes = 0;
  }

  release(): void {
    this.releasePart(1);
  }

  /** Releases a part of the rows, between 0 and 1. */
  releasePart(part: number): void {
    const held = this.#held;
    if (held === null) return;
    const bytes = held.bytes * part;
    giveMemory(bytes);
    held.bytes -= bytes;
  }

  #own(): Held {
    if (this.#held === null) forgotten.register(this, (this.#held = { bytes: 0 }));
    return this.#held;
  }
}
