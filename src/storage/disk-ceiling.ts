/**
 * The ceiling of the folder's size (SVC_MAX_DISK_BYTES). Over it, writes that grow the folder are refused; reads, deletes and
 * cleanup continue, because they lead back below it.
 *
 * Counting costs a `stat` per file, so it runs now and then; the log's growth is added between counts. The page cache grows
 * at checkpoints, so the folder exceeds the ceiling by at most one write and one checkpoint.
 */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

const COUNT_EVERY_MS = 1000;
/** Over the ceiling, count often: any count may allow writes again. */
const COUNT_ABOVE_EVERY_MS = 50;

export class DiskCeiling {
  readonly #fs: FileSystem;
  readonly #folders: readonly string[];
  readonly #maxBytes: number;
  readonly #logBytes: () => number;
  #counted = 0;
  #logBytesThen = 0;
  #countedAtMs = -Infinity;

  /** `logBytes`: size of the log, if it is in the folder. */
  constructor(fs: FileSystem, folder: string, maxBytes: number, logBytes: () => number) {
    this.#fs = fs;
    this.#folders = [join(folder, 'log'), join(folder, 'cache')];
    this.#maxBytes = maxBytes;
    this.#logBytes = logBytes;
  }

  /** 0: none. */
  get maxBytes(): number {
    return Number.isFinite(this.#maxBytes) ? this.#maxBytes : 0;
  }

  /** Approximate size of the folder. */
  get bytes(): number {
    const now = performance.now();
    const above = this.#estimate() >= this.#maxBytes;
    if (now - this.#countedAtMs >= (above ? COUNT_ABOVE_EVERY_MS : COUNT_EVERY_MS)) {
      this.#counted = this.#count();
      this.#logBytesThen = this.#logBytes();
      this.#countedAtMs = now;
    }
    return this.#estimate();
  }

  #estimate(): number {
    return this.#counted + Math.max(0, this.#logBytes() - this.#logBytesThen);
  }

  #count(): number {
    let bytes = 0;
    for (const folder of this.#folders) {
      for (const name of this.#fs.list(folder)) {
        try {
          bytes += this.#fs.sizeBytes(join(folder, name));
        } catch {
          // The page cache removes files concurrently.
        }
      }
    }
    return bytes;
  }

  get passed(): boolean {
    return this.#maxBytes !== Infinity && this.bytes >= this.#maxBytes;
  }

  /** 53100 if the folder may not grow. */
  check(): void {
    if (!this.passed) return;
    throw new SvcError('53100', `the folder takes ${this.bytes} bytes, and SVC_MAX_DISK_BYTES allows ${this.#maxBytes}`, {
      hint: 'Discard or merge worlds, delete rows or shorten history_retention; space comes back as history passes its retention.',
    });
  }
}
