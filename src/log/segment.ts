/**
 * One segment file: a header, frames, and either zeroed space ahead (the last segment) or a footer (a
 * sealed one).
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { assert } from '../base/assert.ts';
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileHandle, FileSystem } from '../storage/file-system.ts';
import { KEY_FILE } from '../storage/folder-key.ts';
import {
  decodeFooter,
  decodeHeader,
  encodeFooter,
  encodeHeader,
  FOOTER_MAGIC,
  FOOTER_START,
  FRAME_PREFIX_BYTES,
  FrameScan,
  type SegmentHeader,
} from './format.ts';
import type { LogRecord } from './log-store.ts';
import type { MerkleTree } from './merkle.ts';
import { recordAt, scanRecord } from './record-reader.ts';

/** The sparse index has an entry at least every 256 records or this many bytes. */
const INDEX_EVERY = 256;
const INDEX_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;
/** Bytes written or hashed per tick of the event loop: a millisecond or two. */
export const SLICE_BYTES = 1024 * 1024;
const AHEAD_FIRST_BYTES = 64 * 1024;
const AHEAD_MOST_BYTES = 1024 * 1024;

export function segmentName(first: Sequence): string {
  return `${String(first).padStart(16, '0')}.seg`;
}

export interface OpenSegments {
  segments: Segment[];
  head: Sequence;
  folderId: string;
  /** The file that event `head + 1` would be written to. */
  tail: string;
  /** Cuts torn tails, removes unfinished files and creates the next segment; changes no byte before it is called. `say` receives what is cut. */
  mend(say: (message: string) => void): Promise<void>;
}

/** XX001 that names where the log becomes unreadable: `cutDamage` cuts it there. */
export class LogDamage extends SvcError {
  readonly file: string;
  /** Whole records of the segment before the damage. */
  whole = 0;

  /** `file`: name of the segment that is damaged or does not continue the previous one. */
  constructor(message: string, file: string, hint: string) {
    super('XX001', message, { hint });
    this.file = file;
  }
}

export const RESTORE_HINT =
  'Restore the folder from a backup, or open it with --accept-loss (`acceptLoss`) to continue without the lost events. Nothing was changed.';

export class Segment {
  readonly first: Sequence;
  readonly path: string;
  readonly range: Buffer[];
  readonly folderId: string;
  /** Offset of the end of the durable frames. */
  end: number;
  last: Sequence;
  readonly #start: number;
  readonly #file: FileHandle;
  readonly #cipher: Cipher | null;
  #sealed: { treeHead: string } | null = null;
  #index: [number, number][] = [];
  #zeroedTo: number;
  #aheadBytes = AHEAD_FIRST_BYTES;

  private constructor(path: string, file: FileHandle, cipher: Cipher | null, header: SegmentHeader, start: number) {
    this.path = path;
    this.#file = file;
    this.#cipher = cipher;
    this.first = header.first;
    this.range = header.range;
    this.folderId = header.folderId;
    this.#start = start;
    this.end = start;
    this.last = (header.first - 1) as Sequence;
    this.#zeroedTo = start;
  }

  static async create(fs: FileSystem, folder: string, header: SegmentHeader, cipher: Cipher | null): Promise<Segment> {
    const path = join(folder, segmentName(header.first));
    const file = fs.open(path, { create: true });
    try {
      const bytes = encodeHeader({ ...header, sealed: cipher !== null });
      file.truncate(0);
      file.write(bytes, 0);
      const segment = new Segment(path, file, cipher, header, bytes.length);
      segment.#zeroAhead(bytes.length);
      await file.sync();
      await fs.syncFolder(folder);
      return segment;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get sealed(): boolean {
    return this.#sealed !== null;
  }

  /** Writes frames at `end` and syncs them; they count once `advance` is called. */
  writeDurably(bytes: Buffer, first: Sequence, starts: readonly number[]): Promise<void> {
    const grows = this.#zeroAhead(this.end + bytes.length);
    for (let i = 0; i < starts.length; i++) this.#note(first + i, this.end + starts[i]);
    if (!grows) return this.#file.writeDurably(bytes, this.end);
    // The zeros must be on disk too.
    this.#file.write(bytes, this.end);
    return this.#file.sync();
  }

  /** `writeDurably` in time slices; no other write may run meanwhile. */
  async writeInSlices(bytes: Buffer, first: Sequence, starts: readonly number[]): Promise<void> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, Math.min(bytes.length, at + SLICE_BYTES));
      this.#zeroAhead(this.end + at + slice.length);
      this.#file.write(slice, this.end + at);
      await turn();
    }
    for (let i = 0; i < starts.length; i++) this.#note(first + i, this.end + starts[i]);
  }

  #note(sequence: number, offset: number): void {
    const last = this.#index.at(-1);
    if (last === undefined || sequence - last[0] >= INDEX_EVERY || offset - last[1] >= INDEX_BYTES) this.#index.push([sequence, offset]);
  }

  /** Offset of the record, to within an index step. */
  near(sequence: Sequence): number {
    return sequence > this.last ? this.end : this.#offsetNear(sequence);
  }

  advance(bytes: number, last: Sequence): void {
    this.end += bytes;
    this.last = last;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** False if there is space already. */
  #zeroAhead(to: number): boolean {
    if (to + 4096 <= this.#zeroedTo) return false;
    const from = Math.max(this.#zeroedTo, to);
    this.#file.write(Buffer.alloc(this.#aheadBytes), from);
    this.#zeroedTo = from + this.#aheadBytes;
    this.#aheadBytes = Math.min(AHEAD_MOST_BYTES, this.#aheadBytes * 2);
    return true;
  }

  /**
   * After a failed write or sync: discards everything after the durable frames and rewrites the space ahead, including the page that it shares with the
   * last durable frame, so that the sync covers bytes written by this call. XX001 if the durable frames on that page have changed.
   */
  async cut(): Promise<void> {
    this.#index = this.#index.filter(([sequence]) => sequence <= this.last);
    if (this.last >= this.first) {
      let found = 0;
      for (const { sequence } of this.records(this.last)) found = sequence;
      if (found !== this.last) throw this.damage(this.end);
    }
    this.#file.truncate(this.end);
    this.#zeroedTo = this.end;
    this.#aheadBytes = AHEAD_FIRST_BYTES;
    this.#zeroAhead(this.end);
    await this.#file.sync();
  }

  async seal(tree: MerkleTree): Promise<void> {
    const treeHead = tree.root();
    const footer = encodeFooter({ last: this.last, end: this.end, treeHead, range: tree.range(), index: this.#index });
    this.#file.truncate(this.end);
    this.#file.write(footer, this.end);
    await this.#file.sync();
    this.#sealed = { treeHead };
  }

  /** Records from `from` on, starting at `offset` if the caller knows it. */
  *records(from: Sequence, offset?: number): IterableIterator<LogRecord> {
    if (from > this.last) return;
    const at = offset ?? this.#offsetNear(from);
    for (const { bytes, base } of this.#windows(at)) {
      let inside = 0;
      for (;;) {
        const found = recordAt(bytes, inside, { segment: this.first, offset: base + inside }, this.#cipher);
        if (found === null) break;
        inside = found.end;
        if (found.record.sequence >= from) yield found.record;
        if (found.record.sequence >= this.last) return;
      }
      // A window ends with a whole record, by lengths: bytes left over are a damaged record.
      if (inside < bytes.length) throw this.damage(base + inside);
    }
    throw this.damage(this.end);
  }

  /** The frames of each record as bytes, checked; XX001 with file and offset at the first fault. */
  *rawRecords(): IterableIterator<Buffer> {
    let expected = this.first as number;
    const scan = new FrameScan();
    for (const { bytes, base } of this.#windows(this.#start)) {
      let inside = 0;
      while (expected <= this.last) {
        if (!scanRecord(bytes, inside, this.#cipher, scan)) break;
        if (scan.sequence !== expected) throw this.damage(base + inside);
        const { end } = scan;
        yield bytes.subarray(inside, end);
        inside = end;
        expected++;
      }
      if (expected > this.last) return;
      if (inside === 0) throw this.damage(base);
    }
    if (expected <= this.last) throw this.damage(this.end);
  }

  /** Windows over the durable part. Each starts where the consumer stopped in the previous one; a record longer than a window doubles the next one. */
  *#windows(start: number): IterableIterator<{ bytes: Buffer; base: number }> {
    let at = start;
    let size = READ_BYTES;
    while (at < this.end) {
      const bytes = Buffer.allocUnsafe(Math.min(size, this.end - at));
      const read = this.#file.read(bytes, at);
      const have = bytes.subarray(0, read);
      const whole = wholeBytes(have, at + read >= this.end);
      if (whole === 0 && size < this.end - at) {
        size *= 4;
        continue;
      }
      yield { bytes: whole === 0 ? have : have.subarray(0, whole), base: at };
      if (whole === 0) return;
      at += whole;
      size = READ_BYTES;
    }
  }

  #offsetNear(sequence: Sequence): number {
    let low = 0;
    let high = this.#index.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#index[middle][0] <= sequence) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? this.#start : this.#index[low - 1][1];
  }

  checkSealed(tree: MerkleTree, _records: number): void {
    if (this.#sealed !== null && this.#sealed.treeHead !== tree.root()) {
      throw new SvcError('XX001', `${this.path}: the Merkle head of its footer does not match its records`, { hint: 'Restore the folder from a backup.' });
    }
  }

  damage(offset: number): LogDamage {
    return new LogDamage(`${this.path} is damaged at byte ${offset}`, segmentName(this.first), RESTORE_HINT);
  }

  close(): void {
    this.#file.close();
  }

  /** Opens a segment file without changing it; `isLast` decides whether a bad tail may be cut. null for a file whose creation never finished. */
  static open(fs: FileSystem, folder: string, name: string, isLast: boolean, cipher: Cipher | null, readOnly = false): Segment | null {
    const path = join(folder, name);
    const file = fs.open(path, { create: false, readOnly });
    try {
      return Segment.#read(file, path, name, isLast, cipher);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  static #read(file: FileHandle, path: string, name: string, isLast: boolean, cipher: Cipher | null): Segment | null {
    const size = file.sizeBytes();
    const top = Buffer.alloc(Math.min(size, 16 * 1024));
    file.read(top, 0);
    const head = decodeHeader(top, path);
    if (head === null) {
      // Records are written only after the header is on disk: a last segment without a header is empty.
      const rest = Buffer.alloc(size);
      file.read(rest, 0);
      if (isLast && !holdsFrames(rest, cipher)) {
        file.close();
        return null;
      }
      throw new LogDamage(`${path} is damaged at byte 0: its header is not whole`, name, RESTORE_HINT);
    }
    if (segmentName(head.header.first) !== name)
      throw new LogDamage(`${path} says that it starts at ${head.header.first}`, name, 'Give the file its own name back, or restore the folder.');
    if (head.header.sealed !== (cipher !== null)) {
      const is = head.header.sealed === true ? 'is encrypted, and the folder has no mark that says so' : 'is not encrypted, and the folder is';
      throw new SvcError('28000', `${path} ${is}`, { hint: `Restore ${KEY_FILE} of the folder from a backup.` });
    }
    const segment = new Segment(path, file, cipher, head.header, head.bytes);
    const footer = readFooter(file, size);
    if (footer !== null) {
      segment.#sealed = { treeHead: footer.treeHead };
      segment.end = footer.end;
      segment.last = footer.last;
      segment.#index = footer.index;
      segment.#zeroedTo = size;
      return segment;
    }
    segment.#recover(size);
    if (!isLast) throw segment.#damageAfterWhole(size);
    return segment;
  }

  /** Finds the end of the whole records, where `mend` cuts the file; refuses damage to acknowledged records. */
  #recover(size: number): void {
    let at = this.#start;
    let expected = this.first as number;
    let durable = 0;
    const scan = new FrameScan();
    let bytes = Buffer.alloc(0);
    let base = at;
    const load = (from: number, length: number): void => {
      bytes = Buffer.alloc(Math.min(length, size - from));
      bytes = bytes.subarray(0, this.#file.read(bytes, from));
      base = from;
    };
    let window = READ_BYTES;
    load(at, window);
    for (;;) {
      if (scanRecord(bytes, at - base, this.#cipher, scan) && scan.sequence === expected) {
        this.#note(expected, at);
        at = base + scan.end;
        expected++;
        durable = scan.durable;
        window = READ_BYTES;
        continue;
      }
      // Not whole in this window: retry from here with a larger one before taking it for the end.
      if (base + bytes.length < size && (at > base || bytes.length < size - base)) {
        if (at === base) window *= 4;
        load(at, window);
        continue;
      }
      break;
    }
    this.end = at;
    this.last = (expected - 1) as Sequence;
    this.#zeroedTo = at;
    const tail = Buffer.alloc(size - at);
    this.#file.read(tail, at);
    if (tail.every((byte) => byte === 0)) this.#zeroedTo = size;
    else {
      if (provesAcknowledged(tail, expected, this.#cipher)) throw this.#damageAfterWhole(at);
      this.tornBytes = tail.findLastIndex((byte) => byte !== 0) + 1;
    }
    this.#unsure = (durable + 1) as Sequence;
  }
  #damageAfterWhole(at: number): LogDamage {
    const damage = this.damage(at);
    damage.whole = this.last - this.first + 1;
    return damage;
  }

  /** Bytes after the whole records that belong to no record. */
  tornBytes = 0;
  /** From here on records may not be on disk; null: all are. */
  #unsure: Sequence | null = null;

  /** Cuts a torn tail and makes the records before it durable. */
  async mend(): Promise<void> {
    if (this.#unsure === null) return;
    if (this.tornBytes > 0) this.#file.truncate(this.end);
    this.#rewriteFrom(this.#unsure);
    await this.#file.sync();
    this.#unsure = null;
  }

  /**
   * Records not known to be durable when the last one was appended may exist only in the operating system's memory; after a failed sync it may even report
   * them as written. A process that died left them so: write and sync them again.
   */
  #rewriteFrom(sequence: Sequence): void {
    const from = this.#offsetNear(sequence);
    if (from >= this.end) return;
    const bytes = Buffer.alloc(this.end - from);
    this.#file.write(bytes.subarray(0, this.#file.read(bytes, from)), from);
  }
}

/**
 * Whether a later whole record in the tail proves that record `lost` was durable when it was appended. A torn group gives no such proof: its records were
 * appended before any of them was synced.
 */
function provesAcknowledged(tail: Buffer, lost: number, cipher: Cipher | null): boolean {
  if (tail.length < FRAME_PREFIX_BYTES) return false;
  const scan = new FrameScan();
  for (let at = 1; at + FRAME_PREFIX_BYTES < tail.length; at++) {
    if (tail[at] === 0 && tail[at + 1] === 0 && tail[at + 2] === 0) continue;
    const length = tail.readUInt32LE(at);
    if (length < 11 || at + FRAME_PREFIX_BYTES + length > tail.length) continue;
    if (scanRecord(tail, at, cipher, scan) && scan.sequence > lost && scan.durable >= lost) return true;
  }
  // A footer after invalid bytes: the frames before it were synced long ago, so this is damage. A footer that was itself being written at a power failure
  // starts right here, whole or still zero.
  const tornSeal = tail.readUInt32LE(0) === 0 || tail.toString('latin1', 0, FOOTER_START.length) === FOOTER_START;
  return !tornSeal && tail.includes(FOOTER_MAGIC, 0, 'latin1');
}

function holdsFrames(bytes: Buffer, cipher: Cipher | null): boolean {
  const scan = new FrameScan();
  for (let at = 0; at + FRAME_PREFIX_BYTES < bytes.length; at++) {
    if (bytes[at] === 0) continue;
    if (scanRecord(bytes, at, cipher, scan)) return true;
  }
  return false;
}

/** Bytes from the start of `bytes` that hold whole frames of whole records, by their lengths. */
function wholeBytes(bytes: Buffer, atEnd: boolean): number {
  if (atEnd) return bytes.length;
  let at = 0;
  let record = 0;
  while (at + FRAME_PREFIX_BYTES + 1 <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const next = at + FRAME_PREFIX_BYTES + length;
    if (length === 0 || next > bytes.length) break;
    const more = (bytes[at + FRAME_PREFIX_BYTES] & 1) !== 0;
    at = next;
    if (!more) record = at;
  }
  return record;
}

function readFooter(file: FileHandle, size: number): ReturnType<typeof decodeFooter> {
  const last = Buffer.alloc(Math.min(size, 16));
  file.read(last, size - last.length);
  if (last.length < 16 || last.toString('latin1', 8) !== FOOTER_MAGIC) return null;
  const length = last.readUInt32LE(0);
  if (length + 16 > size) return null;
  const tail = Buffer.alloc(length + 16);
  file.read(tail, size - tail.length);
  return decodeFooter(tail);
}

/** Opens every segment of a folder in order and checks that they are contiguous. LogDamage, 28000. */
export function openSegments(fs: FileSystem, folder: string, cipher: Cipher | null, readOnly = false): OpenSegments {
  const names = segmentNames(fs, folder);
  const segments: Segment[] = [];
  let unbegun: string | null = null;
  try {
    for (let i = 0; i < names.length; i++) {
      const segment = Segment.open(fs, folder, names[i], i === names.length - 1, cipher, readOnly);
      if (segment === null) {
        unbegun = names[i];
        continue;
      }
      const before = segments.at(-1);
      segments.push(segment);
      if (before !== undefined && (segment.first !== before.last + 1 || segment.folderId !== before.folderId)) {
        const more = segment.first > before.last + 2 ? `, and all up to ${segment.first - 1}` : '';
        throw new LogDamage(`${segment.path} does not continue ${before.path}: event ${before.last + 1} is missing${more}`, names[i], RESTORE_HINT);
      }
    }
  } catch (error) {
    for (const each of segments) each.close();
    throw error;
  }
  const last = segments.at(-1);
  if (last !== undefined) assert(last.last >= last.first - 1, 'a segment ends after it starts');
  const head = (last?.last ?? 0) as Sequence;
  return {
    segments,
    head,
    folderId: last?.folderId ?? '',
    tail: last === undefined || last.sealed ? join(folder, segmentName((head + 1) as Sequence)) : last.path,
    mend: async (say) => {
      if (unbegun !== null) {
        fs.remove(join(folder, unbegun));
        await fs.syncFolder(folder);
      }
      if (last === undefined) return;
      if (last.tornBytes > 0) say(`${last.path}: ${last.tornBytes} bytes behind event ${head} are no whole event and were never acknowledged: they are cut`);
      await last.mend();
      // The crash came between sealing and creating the next segment.
      if (last.sealed)
        segments.push(await Segment.create(fs, folder, { first: (head + 1) as Sequence, folderId: last.folderId, range: readFooterRange(fs, last) }, cipher));
    },
  };
}

/** In order. */
export function segmentNames(fs: FileSystem, folder: string): string[] {
  return fs
    .list(folder)
    .filter((name) => /^\d{16}\.seg$/.test(name))
    .sort();
}

function readFooterRange(fs: FileSystem, segment: Segment): Buffer[] {
  const file = fs.open(segment.path, { create: false });
  try {
    return readFooter(file, file.sizeBytes())!.range;
  } finally {
    file.close();
  }
}
