/** A page store whose disk can refuse: after a failed write it takes no other until it is opened again, as RocksDB does. */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import type { PageBatch } from '../../src/storage/page-store.ts';

export class FaultyPageStore extends MemoryPageStore {
  readonly #random: () => number;
  /** Chance that a write fails. */
  writeFails = 0;
  failures = 0;
  #broken = false;

  constructor(random: () => number) {
    super();
    this.#random = random;
  }

  override write(batch: PageBatch): void {
    if (!this.#broken && this.#random() < this.writeFails) {
      this.#broken = true;
      this.failures++;
    }
    if (this.#broken) throw new SvcError('53100', 'the disk is full: the page cache cannot grow');
    super.write(batch);
  }

  override async reopen(): Promise<void> {
    if (this.#random() < this.writeFails) throw new SvcError('58030', 'the page cache cannot be opened');
    this.#broken = false;
  }
}
