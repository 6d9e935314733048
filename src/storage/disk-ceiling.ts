/**
 * How many bytes a folder may take (SVC_MAX_DISK_BYTES). What makes it grow is refused above; reading, taking away
 * and cleaning up go on, because they are the way back below.
 *
 * Counting is a `stat` a file, so it is done now and then: between two counts the log's growth is added. The page
 * cache grows at checkpoints, so the folder passes the ceiling by at most what one write and one checkpoint bring.
 */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

const COUNT_EVERY_MS = 1000;
/** Above the ceiling each count may be the one that lets writers in again. */
const COUNT_ABOVE_EVERY_MS = 50;

export class DiskCeiling {
  readonly #fs: FileSystem;
  readonly #folders: readonly string[];
  readonly #maxBytes: number;
  readonly #logBytes: () => number;
  #counted = 0;
  #logBytesThen = 0;
  #countedAtMs = -Infinity;

  /** `logBytes` are the bytes of a log in the folder. */
  constructor(fs: FileSystem, folder: string, maxBytes: number, logBytes: () => number) {
    this.#fs = fs;
    this.#folders = [join(folder, 'log'), join(folder, 'cache')];
    this.#maxBytes = maxBytes;
    this.#logBytes = logBytes;
  }

  /** About how many bytes the folder takes. */
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
          // The page cache drops files beside us.
        }
      }
    }
    return bytes;
  }

  get passed(): boolean {
    return this.#maxBytes !== Infinity && this.bytes >= this.#maxBytes;
  }

  /** 53100 where the folder may not grow. */
  check(): void {
    if (!this.passed) return;
    throw new SvcError('53100', `the folder takes ${this.bytes} bytes, and SVC_MAX_DISK_BYTES allows ${this.#maxBytes}`, {
      hint: 'Discard or merge worlds, delete rows or shorten history_retention; space comes back as history passes its retention.',
    });
  }
}
