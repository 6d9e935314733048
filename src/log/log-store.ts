/**
 * The contract of the event log: an append-only sequence of records, each durable before it is
 * acknowledged. A replicated log can implement it later.
 *
 *   append ──► pending group ──(one write, one fdatasync)──► durable(sequence)
 */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { SvcError } from '../base/errors/svc-error.ts';

/** Where a record starts; `segment` is the first sequence of its segment. */
export interface LogPosition {
  segment: Sequence;
  offset: number;
}

export interface LogRecord {
  sequence: Sequence;
  at: Micros;
  /** Event type number and version, see `events/`. */
  type: number;
  version: number;
  world: WorldNumber;
  /** Name of the actor; '' is the database's own user. */
  actor: string;
  payload: Uint8Array;
  position: LogPosition;
}

/** A part of a payload, as stored in one frame. */
export interface LogChunk {
  readonly bytes: Uint8Array;
  /** Length before compression. */
  readonly length: number;
  readonly compressed: boolean;
}

/** Bytes, or consecutive chunks of at most a frame's length. */
export type LogPayload = Uint8Array | readonly LogChunk[];

export interface LogAppend {
  type: number;
  version: number;
  at: Micros;
  world: WorldNumber;
  actor: string;
  /** Any size: a payload above 8 MiB is framed into several chunks that recovery takes all or none of. */
  payload: LogPayload;
}

export interface LogStore {
  /** Sequence of the newest appended record; 0 on an empty log. */
  readonly head: Sequence;
  /** Sequence up to which records are on disk. */
  readonly durable: Sequence;
  /** Sequence of the oldest record kept (after trimming), or head + 1 on an empty log. */
  readonly first: Sequence;
  /** Total bytes of the segments. */
  readonly sizeBytes: number;
  /** Queues one record and returns its sequence at once. Throws 53100 or 58030 after a failed write, until `repair`. */
  append(record: LogAppend): Sequence;
  /** Where the next record will start. */
  readonly end: LogPosition;
  /** A sync will be waited for: the disk write may begin while the caller continues. */
  start(): void;
  /** Resolves when `sequence` is on disk; rejects with 53100 or 58030 when its write failed. */
  sync(sequence: Sequence): Promise<void>;
  /** Records from `sequence` on in order, starting at the position hint if given. Includes records appended but not written. */
  read(from: Sequence, hint?: LogPosition): IterableIterator<LogRecord>;
  /** Resolves once `treeHead` is cheap: after an open, the last segment is hashed again in the background. */
  hashed(): Promise<void>;
  /** The RFC 6962 tree head over records 1..head (hex), and the compact range with which a trimmed log continues it. */
  treeHead(): { size: number; root: string };
  /** Re-reads every record, checks CRCs and every sealed head; a fault is XX001 naming file and offset. */
  verify(onProgress?: (doneBytes: number, totalBytes: number) => void): Promise<{ records: number; bytes: number }>;
  /** Bytes of whole segments that end before the position: what a trim there frees. */
  bytesBefore(position: LogPosition): number;
  /** Approximate bytes of log after the record, to choose the cheaper of two replays. */
  bytesAfter(sequence: Sequence): number;
  /** Drops whole segments whose records are all at or below `sequence`; the caller has made a base durable first. */
  trim(sequence: Sequence): Promise<void>;
  /**
   * The error of the last write or sync; null while the log accepts records. After a failure `head` is `durable`: records that were not on disk are
   * discarded and their sequences reused.
   */
  readonly failure: SvcError | null;
  /** The listener is called at the moment of the failure, before any waiter is rejected. Returns the function that ends the subscription. */
  onFailure(listener: (error: SvcError) => void): () => void;
  /** After a failure: continues after the last durable record. Rejects while the disk still fails; can be retried. */
  repair(): Promise<void>;
  /** Writes, syncs and closes. */
  close(): Promise<void>;
}
