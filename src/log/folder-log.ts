/**
 * The event log in a folder of segments.
 *
 *   append ─► group buffer ─► write, fdatasync ─► durable ─► waiters
 *               ▲                   │
 *               └── the next group fills while this one syncs; its records are hashed meanwhile
 *
 * Space is zeroed ahead of the write position, so that a sync has no change of size to journal (measured:
 * 153 µs against 217 µs). A frame whose length word is zero therefore ends the data.
 *
 * After a failed write or sync it is unknown which bytes after the last good sync are on disk, and a
 * later successful sync proves nothing: the kernel may have dropped the dirty pages. The log then discards
 * what was not durable and refuses appends until `repair` has cut the file there and rewritten the space
 * after it (docs/decisions/004-repair-after-a-failed-write.md).
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { violated } from '../base/assert.ts';
import type { Sequence } from '../base/brands.ts';
import { Durations } from '../base/durations.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { Listeners } from '../base/listeners.ts';
import { LIMITS } from '../base/limits.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { encodeRecord } from './format.ts';
import { cutDamage } from './cut-damage.ts';
import type { LogAppend, LogPosition, LogRecord, LogStore } from './log-store.ts';
import { LeafHasher, MerkleTree } from './merkle.ts';
import { recordAt, recordsIn } from './record-reader.ts';
import { LogDamage, type OpenSegments, openSegments, Segment, segmentName, SLICE_BYTES } from './segment.ts';

/** With this many open transactions besides the committing ones, more commits are expected soon. */
const OTHERS_MIN = 4;
/** Commits wait for others to share their sync while the event loop has work, and at most this long. */
const GATHER_MS = 0.3;
/** A tick of the event loop shorter than this had no work. */
const IDLE_TURN_MS = 0.03;
/** Time slice for hashing the records found at opening. */
const HASHING_SLICE_MS = 5;

/** Smallest size at which a segment ends early when the folder is over its ceiling. */
const EARLY_SEGMENT_BYTES = 256 * 1024;
/** Only whole segments can be trimmed, so a segment is at most this fraction of the log; that bounds what is kept beyond the retention. */
const SEGMENT_SHARE = 8;
const SEGMENT_BYTES_MIN = 4 * 1024 * 1024;

export interface FolderLogOptions {
  fs: FileSystem;
  folder: string;
  segmentSizeBytes?: number;
  /** null or absent: records are written as they are. */
  cipher?: Cipher | null;
  /** Inspects what was found before any byte is changed; throws to refuse the folder. */
  admit?: (found: FoundLog) => Promise<void>;
  /** A log that cannot be read to its end is cut at the damage; the rest is set aside. */
  acceptLoss?: boolean;
  /** Receives messages about what was cut. */
  say?: (message: string) => void;
  /** Number of open transactions that may commit soon. */
  others?: () => number;
  /** Whether the folder is over its ceiling: segments then end early, because only whole ones can be trimmed. */
  overCeiling?: () => boolean;
}

/** A log as found in its folder. */
export interface FoundLog {
  /** 0: empty. */
  head: Sequence;
  folderId: string;
  /** The file that event `head + 1` would be written to. */
  tail: string;
}

class GroupBuffer {
  buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  at = 0;

  need(bytes: number): void {
    if (bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(bytes, this.buffer.length * 2));
    // Copies the whole buffer: a record of several frames is written past `at`, which moves only once the record is complete.
    this.buffer.copy(grown);
    this.buffer = grown;
  }
}

interface Waiter {
  sequence: Sequence;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class FolderLog implements LogStore {
  readonly folderId: string;
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #segmentSizeBytes: number;
  readonly #cipher: Cipher | null;
  readonly #others: () => number;
  readonly #overCeiling: () => boolean;
  readonly #failures = new Listeners<SvcError>();
  readonly #syncs = new Listeners<Sequence>();
  #segments: Segment[];
  #head: Sequence;
  #durable: Sequence;
  /** Frames not written yet, and frames being written. */
  #filling = new GroupBuffer();
  #writing: GroupBuffer | null = null;
  #spare: GroupBuffer | null = new GroupBuffer();
  /** Byte ranges of records in `#filling`, for hashing and reading. */
  #fillingStarts: number[] = [];
  #writingStarts: number[] = [];
  #waiters: Waiter[] = [];
  #flushing: Promise<void> | null = null;
  #scheduled = false;
  /** Records in the last written group. */
  #lastRecords = 1;
  #failure: SvcError | null = null;
  #repairing: Promise<void> | null = null;
  #closed = false;
  /** Where the last segment ends. */
  #rollAtBytes: number;
  /** Tree over the durable records; null after an open until first needed. */
  #tree: MerkleTree | null;
  syncs = 0;
  /** Of writing and syncing a group, and from its first record until it is on disk. */
  readonly syncTimes = new Durations();
  readonly commitTimes = new Durations();
  /** When the group that fills got its first record; of the one that is written. */
  #filledFrom = 0;

  private constructor(options: FolderLogOptions, opened: OpenSegments) {
    this.#fs = options.fs;
    this.#folder = options.folder;
    this.#segmentSizeBytes = options.segmentSizeBytes ?? LIMITS.segmentSizeBytes;
    this.#cipher = options.cipher ?? null;
    this.#others = options.others ?? ((): number => 0);
    this.#overCeiling = options.overCeiling ?? ((): boolean => false);
    this.#segments = opened.segments;
    this.#head = opened.head;
    this.#durable = opened.head;
    this.folderId = opened.folderId;
    this.#tree = opened.head === 0 ? new MerkleTree() : null;
    this.#rollAtBytes = this.#rollAt();
  }

  /** Opens or creates the log; XX001 if anything but an unacknowledged tail is damaged. */
  static async open(options: FolderLogOptions): Promise<FolderLog> {
    const { fs, folder, cipher = null } = options;
    const fresh = !fs.exists(folder);
    fs.makeFolder(folder);
    const say = options.say ?? ((): void => {});
    const opened = await found(options, cipher, say);
    try {
      await options.admit?.({ head: opened.head, folderId: opened.folderId, tail: opened.tail });
      await opened.mend(say);
    } catch (error) {
      for (const segment of opened.segments) segment.close();
      throw error;
    }
    if (opened.segments.length === 0) {
      const folderId = randomBytes(16).toString('hex');
      opened.segments.push(await Segment.create(fs, folder, { first: 1 as Sequence, folderId, range: [] }, cipher));
      opened.folderId = folderId;
    }
    if (fresh) await fs.syncFolder(join(folder, '..'));
    return new FolderLog(options, opened);
  }

  onFailure(listener: (error: SvcError) => void): () => void {
    return this.#failures.add(listener);
  }

  /** The listener is called after each sync, before its waiters. Returns the function that ends the subscription. */
  onDurable(listener: (sequence: Sequence) => void): () => void {
    return this.#syncs.add(listener);
  }

  get head(): Sequence {
    return this.#head;
  }

  get durable(): Sequence {
    return this.#durable;
  }

  get first(): Sequence {
    return this.#segments[0].first;
  }

  get sizeBytes(): number {
    let bytes = this.#filling.at + (this.#writing?.at ?? 0);
    for (const segment of this.#segments) bytes += segment.end;
    return bytes;
  }

  get failure(): SvcError | null {
    return this.#failure;
  }

  get #last(): Segment {
    return this.#segments[this.#segments.length - 1];
  }

  get end(): LogPosition {
    return { segment: this.#last.first, offset: this.#last.end + (this.#writing?.at ?? 0) + this.#filling.at };
  }

  append(record: LogAppend): Sequence {
    this.#check();
    const sequence = (this.#head + 1) as Sequence;
    const group = this.#filling;
    if (group.at === 0) this.#filledFrom = performance.now();
    this.#fillingStarts.push(group.at);
    group.at = encodeRecord(group, group.at, sequence, this.#durable, record, record.payload, this.#cipher);
    this.#head = sequence;
    return sequence;
  }

  #check(): void {
    if (this.#closed) throw new SvcError('57P01', 'the log is closed');
    if (this.#failure !== null) throw this.#failure;
  }

  start(): void {
    if (this.#lastRecords > 1 || this.#scheduled || this.#flushing !== null || this.#failure !== null) return;
    // Starting now would make every other transaction about to commit wait for the next sync.
    if (this.#others() <= 1 && this.#filling.at <= SLICE_BYTES) this.#begin();
  }

  sync(sequence: Sequence): Promise<void> {
    if (sequence <= this.#durable) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (sequence > this.#head) violated(`sequence ${sequence} has been appended`);
    const promise = new Promise<void>((resolve, reject) => this.#waiters.push({ sequence, resolve, reject }));
    this.#schedule();
    return promise;
  }

  /**
   * The flush starts once the event loop has handled all pending input, so that commits of many clients share it. With many open transactions on a busy
   * processor it starts later: a sync costs a tenth of a small transaction's processor time, and nothing is idle meanwhile.
   */
  #schedule(): void {
    if (this.#scheduled || this.#flushing !== null) return;
    this.#scheduled = true;
    const begun = performance.now();
    let turned = begun;
    const start = (): void => {
      const now = performance.now();
      const busy = turned === begun || now - turned > IDLE_TURN_MS;
      if (busy && now - begun < GATHER_MS && this.#failure === null && this.#others() >= OTHERS_MIN) {
        turned = now;
        setImmediate(start);
        return;
      }
      this.#scheduled = false;
      if (this.#flushing === null) this.#begin();
    };
    setImmediate(start);
  }

  #begin(): void {
    this.#flushing = this.#flush().finally(() => {
      this.#flushing = null;
      if (this.#waiters.length > 0 && this.#failure === null) this.#schedule();
    });
  }

  async #flush(): Promise<void> {
    const group = this.#filling;
    if (group.at === 0) return this.#wakeWaiters();
    const starts = this.#fillingStarts;
    const filledFrom = this.#filledFrom;
    const began = performance.now();
    const target = this.#head;
    this.#filling = this.#spare ?? new GroupBuffer();
    this.#spare = null;
    this.#fillingStarts = [];
    this.#writing = group;
    this.#writingStarts = starts;
    this.#lastRecords = starts.length;
    const bytes = group.buffer.subarray(0, group.at);
    try {
      const segment = this.#last;
      const large = bytes.length > SLICE_BYTES;
      const first = (target - starts.length + 1) as Sequence;
      if (large) await segment.writeInSlices(bytes, first, starts);
      const synced = large ? segment.sync() : segment.writeDurably(bytes, first, starts);
      this.syncs++;
      // Hash while the disk works.
      let tree: MerkleTree | null = null;
      if (this.#tree !== null && large) {
        synced.catch(() => {});
        tree = await hashedInSlices(this.#tree, bytes, starts);
      } else if (this.#tree !== null) tree = hashed(this.#tree, bytes, starts);
      await synced;
      // If the tree was built meanwhile, it was built without this group.
      this.#tree = tree ?? (this.#tree === null ? null : hashed(this.#tree, bytes, starts));
      this.#writing = null;
      segment.advance(bytes.length, target);
      const ended = performance.now();
      this.syncTimes.add(ended - began);
      this.commitTimes.add(ended - filledFrom);
      this.#durable = target;
      this.#syncs.call(target);
      group.at = 0;
      if (group.buffer.length <= 4 * 1024 * 1024) this.#spare = group;
      if (segment.end >= this.#rollAtBytes || (segment.end >= EARLY_SEGMENT_BYTES && this.#overCeiling())) await this.#roll();
    } catch (error) {
      // Not in the tick of a commit that is still being folded.
      await Promise.resolve();
      return this.#fail(error);
    }
    this.#wakeWaiters();
  }

  #fail(cause: unknown): void {
    const error = cause instanceof SvcError ? cause : new SvcError('58030', `the log cannot be written: ${(cause as Error).message}`, { cause });
    this.#failure = error;
    this.#head = this.#durable;
    this.#filling = new GroupBuffer();
    this.#spare = new GroupBuffer();
    this.#writing = null;
    this.#fillingStarts = [];
    this.#writingStarts = [];
    this.#failures.call(error);
    this.#wakeWaiters();
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  repair(): Promise<void> {
    this.#repairing ??= this.#repair().finally(() => {
      this.#repairing = null;
    });
    return this.#repairing;
  }

  async #repair(): Promise<void> {
    if (this.#closed) throw new SvcError('57P01', 'the log is closed');
    if (this.#failure === null) return;
    if (this.#last.sealed) await this.#beginSegment(this.#wholeTree());
    else await this.#last.cut();
    this.#failure = null;
  }

  #wakeWaiters(): void {
    const waiting: Waiter[] = [];
    const done: Waiter[] = [];
    for (const waiter of this.#waiters) (waiter.sequence <= this.#durable ? done : waiting).push(waiter);
    this.#waiters = waiting;
    for (const { resolve } of done) resolve();
  }

  #rollAt(): number {
    return Math.min(this.#segmentSizeBytes, Math.max(SEGMENT_BYTES_MIN, this.sizeBytes / SEGMENT_SHARE));
  }

  async #roll(): Promise<void> {
    const tree = this.#wholeTree();
    await this.#last.seal(tree);
    await this.#beginSegment(tree);
  }

  async #beginSegment(tree: MerkleTree): Promise<void> {
    this.#segments.push(
      await Segment.create(this.#fs, this.#folder, { first: (this.#durable + 1) as Sequence, folderId: this.folderId, range: tree.range() }, this.#cipher),
    );
    this.#rollAtBytes = this.#rollAt();
  }

  /** The tree over every durable record; rebuilt from the last segment after an open. */
  #wholeTree(): MerkleTree {
    if (this.#tree !== null) return this.#tree;
    const segment = this.#last;
    const tree = new MerkleTree(segment.first - 1, segment.range.slice());
    for (const frames of segment.rawRecords()) tree.appendRecord(frames);
    this.#tree = tree;
    return tree;
  }

  async hashed(): Promise<void> {
    if (this.#tree !== null) return;
    const segment = this.#last;
    const tree = new MerkleTree(segment.first - 1, segment.range.slice());
    let sliceEnds = performance.now() + HASHING_SLICE_MS;
    for (const frames of segment.rawRecords()) {
      tree.appendRecord(frames);
      if ((tree.size & 63) !== 0 || performance.now() < sliceEnds) continue;
      await turn();
      if (this.#tree !== null || this.#closed) return;
      sliceEnds = performance.now() + HASHING_SLICE_MS;
    }
    // Records being written now are added once they are on disk.
    this.#tree = tree;
  }

  /** Head of the Merkle tree over the durable records. */
  treeHead(): { size: number; root: string } {
    const tree = this.#wholeTree();
    return { size: tree.size, root: tree.root() };
  }

  *read(from: Sequence, hint?: LogPosition): IterableIterator<LogRecord> {
    let next = Math.max(from, this.first) as Sequence;
    const firstIndex = this.#segments.findLastIndex((segment) => segment.first <= next);
    for (let i = Math.max(0, firstIndex); i < this.#segments.length; i++) {
      const segment = this.#segments[i];
      const offset = hint !== undefined && hint.segment === segment.first && from === next ? hint.offset : undefined;
      for (const record of segment.records(next, offset)) {
        next = (record.sequence + 1) as Sequence;
        yield record;
      }
    }
    // Records not yet written are in the group buffers, after the last segment's end.
    const position = { segment: this.#last.first, offset: this.#last.end };
    for (const [group, starts] of [
      [this.#writing, this.#writingStarts],
      [this.#filling, this.#fillingStarts],
    ] as const) {
      if (group === null || group.at === 0) continue;
      const bytes = Buffer.from(group.buffer.subarray(0, group.at));
      for (const record of recordsIn(bytes, 0, position, starts.length, this.#cipher)) {
        if (record.sequence < next) continue;
        next = (record.sequence + 1) as Sequence;
        yield record;
      }
      position.offset += bytes.length;
    }
  }

  async verify(onProgress?: (doneBytes: number, totalBytes: number) => void): Promise<{ records: number; bytes: number }> {
    if (this.#head > this.#durable) await this.sync(this.#head);
    const total = this.sizeBytes;
    let records = 0;
    let bytes = 0;
    let expected: MerkleTree | null = null;
    for (const segment of this.#segments.slice()) {
      expected ??= new MerkleTree(segment.first - 1, segment.range.slice());
      let sliceEnds = Date.now() + 20;
      for (const frames of segment.rawRecords()) {
        expected.appendRecord(frames);
        // Checksums and hashes can be forged without the key; authentication tags cannot.
        if (this.#cipher !== null) recordAt(frames, 0, { segment: segment.first, offset: 0 }, this.#cipher);
        records++;
        bytes += frames.length;
        if (Date.now() > sliceEnds) {
          onProgress?.(bytes, total);
          await new Promise((resolve) => setImmediate(resolve));
          sliceEnds = Date.now() + 20;
        }
      }
      segment.checkSealed(expected, records);
    }
    return { records, bytes };
  }

  /** The durable log file by file, consistent within this tick. */
  extent(): { path: string; name: string; bytes: number }[] {
    return this.#segments.map((segment) => ({
      path: segment.path,
      name: segmentName(segment.first),
      bytes: segment.sealed ? this.#fs.sizeBytes(segment.path) : segment.end,
    }));
  }

  bytesBefore({ segment }: LogPosition): number {
    let bytes = 0;
    for (const each of this.#segments) if (each.first < segment) bytes += each.end;
    return bytes;
  }

  bytesAfter(sequence: Sequence): number {
    let bytes = this.#filling.at + (this.#writing?.at ?? 0);
    for (let i = this.#segments.length - 1; i >= 0; i--) {
      const segment = this.#segments[i];
      if (segment.first > sequence) bytes += segment.end;
      else return bytes + segment.end - segment.near((sequence + 1) as Sequence);
    }
    return bytes;
  }

  async trim(sequence: Sequence): Promise<void> {
    let dropped = false;
    while (this.#segments.length > 1 && this.#segments[1].first <= sequence + 1) {
      const [segment] = this.#segments;
      // A segment that cannot be removed stays part of the log: a gap would be refused at the next opening.
      this.#fs.remove(join(this.#folder, segmentName(segment.first)));
      this.#segments.shift();
      segment.close();
      dropped = true;
    }
    if (dropped) await this.#fs.syncFolder(this.#folder);
  }

  /** Closes without writing, after a failure or before reopening. */
  abandon(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const segment of this.#segments) segment.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#failure === null && this.#head > this.#durable) await this.sync(this.#head).catch(() => {});
    if (this.#flushing !== null) await this.#flushing;
    await this.#repairing?.catch(() => {});
    this.abandon();
  }
}

async function found({ fs, folder, acceptLoss = false }: FolderLogOptions, cipher: Cipher | null, say: (message: string) => void): Promise<OpenSegments> {
  for (;;) {
    try {
      return openSegments(fs, folder, cipher);
    } catch (error) {
      if (!acceptLoss || !(error instanceof LogDamage)) throw error;
      await cutDamage(fs, folder, error, cipher, say);
    }
  }
}

/** `hashed` in time slices. */
async function hashedInSlices(tree: MerkleTree, bytes: Buffer, starts: readonly number[]): Promise<MerkleTree> {
  const grown = tree.copy();
  for (let i = 0; i < starts.length; i++) {
    const end = i + 1 < starts.length ? starts[i + 1] : bytes.length;
    const hasher = new LeafHasher();
    for (let at = starts[i]; at < end; at += SLICE_BYTES) {
      hasher.add(bytes.subarray(at, Math.min(end, at + SLICE_BYTES)));
      if (end - starts[i] > SLICE_BYTES) await turn();
    }
    grown.append(hasher.digest());
  }
  return grown;
}

/** The tree extended by a group's records. */
function hashed(tree: MerkleTree, bytes: Buffer, starts: readonly number[]): MerkleTree {
  const grown = tree.copy();
  for (let i = 0; i < starts.length; i++) grown.appendRecord(bytes, starts[i], i + 1 < starts.length ? starts[i + 1] : bytes.length);
  return grown;
}
