/**
 * Where pages are kept between runs: a cache of the log, thrown away and rebuilt at will. Everything is
 * synchronous; batches stay near 1 MiB, because a batch runs on the calling thread (8 MB took 26–55 ms).
 * Reads throw `CacheDamage` where a file is not what it was.
 */
import { SvcError } from '../base/errors/svc-error.ts';

/** What the cache holds is not what was written, or cannot be read: `renew` and the log help. */
export class CacheDamage extends SvcError {
  constructor(message: string, cause?: unknown) {
    super('XX001', message, { hint: 'The page cache is rebuilt from the log: try again.', ...(cause === undefined ? {} : { cause }) });
  }
}

export interface PageStore {
  /** Which engine stands behind it, for the server's log. */
  readonly kind: string;
  read(id: number): Uint8Array | undefined;
  /** Several pages in one call, in the order asked for: half the cost a page of single reads. */
  readMany(ids: readonly number[]): (Uint8Array | undefined)[];
  /**
   * Writes pages and settings as one atomic batch; with `sync` it and all earlier batches are on disk on return. The bytes of pages are the caller's
   * again then.
   * Throws 53100 or 58030 where the disk refuses, and from then on until `reopen`.
   */
  write(batch: PageBatch, options: { sync: boolean }): void;
  /** Brings what was written towards the disk on another thread, so that a `sync` that follows is short. Promises nothing. */
  settle?(): Promise<void>;
  /** Ids of stored pages from `from` on, ascending, at most `limit`. */
  ids(from: number, limit: number): number[];
  setting(name: string): Uint8Array | undefined;
  settings(prefix: string): [name: string, value: Uint8Array][];
  /** After a failed write: makes it take writes again, or rejects and can be tried again. Nothing is read meanwhile. */
  reopen(): Promise<void>;
  /** Throws away all that it holds and begins anew, empty. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export interface PageBatch {
  pages: { id: number; bytes: Uint8Array }[];
  deletes?: number[];
  settings?: { name: string; value: Uint8Array | null }[];
}
