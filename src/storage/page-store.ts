/**
 * Stores pages between runs: a cache of the log that can be dropped and rebuilt. All calls are synchronous; batches stay near
 * 1 MiB because they run on the calling thread (8 MB took 26–55 ms). Reads throw `CacheDamage` for damaged files.
 */
import { SvcError } from '../base/errors/svc-error.ts';

/** The cache returns other bytes than were written, or none: call `renew` and rebuild from the log. */
export class CacheDamage extends SvcError {
  constructor(message: string, cause?: unknown) {
    super('XX001', message, { hint: 'The page cache is rebuilt from the log: try again.', ...(cause === undefined ? {} : { cause }) });
  }
}

export interface PageStore {
  /** The engine's name, for the server's log. */
  readonly kind: string;
  read(id: number): Uint8Array | undefined;
  /** Several pages in one call, in the given order: half the cost per page of single reads. */
  readMany(ids: readonly number[]): (Uint8Array | undefined)[];
  /**
   * Writes pages and settings as one atomic batch; with `sync`, it and all earlier batches are on disk on return. The caller
   * may then reuse the page buffers. Throws 53100 or 58030 if the disk refuses, and from then on until `reopen`.
   */
  write(batch: PageBatch, options: { sync: boolean }): void;
  /** Flushes written data in a worker thread so that the next `sync` is short. No guarantee. */
  syncAhead?(): Promise<void>;
  /** Ids of stored pages from `from` on, ascending, at most `limit`. */
  ids(from: number, limit: number): number[];
  setting(name: string): Uint8Array | undefined;
  settings(prefix: string): [name: string, value: Uint8Array][];
  /** After a failed write: accepts writes again, or rejects and can be retried. No reads may run meanwhile. */
  reopen(): Promise<void>;
  /** Drops everything and starts empty. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export interface PageBatch {
  pages: { id: number; bytes: Uint8Array }[];
  deletes?: number[];
  settings?: { name: string; value: Uint8Array | null }[];
}
