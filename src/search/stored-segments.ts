/**
 * Segments of texts in files of the folder, so that the first search after a start reads one instead of all texts. A cache: each file may be
 * missing or damaged, and is removed then.
 *
 *     built ─► the next checkpoint writes its root, also if commits have followed ─► search/<number>.text, in slices; older ones go beyond the bound
 *     start ─► the page of the root is the same? ─► its pages are held until the first search, for an hour at most
 *
 * A root is named by its page and the page's hash, which covers all pages below. Pages that no super-root covers yet could be written again with
 * other contents after a crash, so segments of these are stored later.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Slices } from '../base/slices.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { directoryOf } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { DamagedSegment, readOrigin, readSegment, type SegmentOrigin, writeSegment } from './segment-file.ts';
import type { TextSegment } from './text-segment.ts';
import type { KeptSegments } from './row-source.ts';
import type { RowTerms, TextSource } from './text-source.ts';

export interface SegmentPlace {
  readonly fs: FileSystem;
  /** The folder of the files. */
  readonly path: string;
  readonly cipher: Cipher | null;
  readonly release: string;
  readonly pager: Pager;
  hold(directory: Node): () => void;
  /** Pages below this number are covered by the newest super-root. */
  coveredPages(): number;
  /** Whether the folder is to grow no more. */
  isFull(): boolean;
  /** What the disk still takes. */
  freeBytes(): number;
}

interface File {
  readonly name: string;
  readonly origin: SegmentOrigin;
  readonly sizeBytes: number;
  /** The held pages of the root; null once it was read or its time is over. */
  root: { readonly tree: Node; readonly release: () => void } | null;
}

const NAME = /^\d{12}\.text$/;
/** What a crash left unfinished, or a segment by another name. Any other file is not ours. */
const LEFT = /\.text(\.draft)?$/;
/** The disk must take this many times as much as a file has. */
const FREE_TIMES = 3;
const NUMBER_MAX = 999_999_999_999;
/** Pages of a state that no search wants are not held for longer. */
const HELD_MS = 3_600_000;

export class StoredSegments implements KeptSegments<RowTerms, TextSegment> {
  readonly #place: SegmentPlace;
  readonly #bytesMax: number;
  readonly #openedAt = performance.now();
  /** The oldest first. */
  #files: File[] = [];
  #last = 0;
  #renewedAt: number;
  readonly #stored = new WeakSet<TextSegment>();
  readonly #hashes = new WeakMap<TextSegment, string>();
  #writing: Promise<void> = Promise.resolve();
  #closed = false;
  /** How many were read. */
  read = 0;

  constructor(place: SegmentPlace, bytesMax: number) {
    this.#place = place;
    this.#bytesMax = bytesMax;
    this.#renewedAt = place.pager.renewedAt;
    for (const name of this.#names()) {
      if (NAME.test(name)) this.#last = Math.max(this.#last, Number.parseInt(name, 10));
      const file = NAME.test(name) ? this.#found(name) : null;
      if (file !== null) this.#files.push(file);
      else if (LEFT.test(name)) this.#erase(name);
    }
  }

  /** None if the folder cannot be read: nothing but speed is lost. */
  #names(): readonly string[] {
    const { fs, path } = this.#place;
    try {
      return fs.list(path).toSorted();
    } catch {
      return [];
    }
  }

  #found(name: string): File | null {
    const { fs, path, pager, release, hold } = this.#place;
    return this.#opened(name, (file) => {
      const origin = readOrigin(file, name, this.#place.cipher);
      if (origin.release !== release || !(origin.page > 0) || origin.page >= this.#place.coveredPages()) return null;
      if (pageHash(pager, origin.page) !== origin.hash) return null;
      const tree = pager.load(origin.page);
      return { name, origin, sizeBytes: fs.sizeBytes(join(path, name)), root: { tree, release: hold(directoryOf(pager, tree)) } };
    });
  }

  /** Null if the file cannot be opened or is damaged. */
  #opened<T>(name: string, work: (file: ReturnType<FileSystem['open']>) => T): T | null {
    const { fs, path } = this.#place;
    try {
      // A pipe or a device has no size, and opening one may wait for ever.
      if (fs.sizeBytes(join(path, name)) === 0) return null;
      const file = fs.open(join(path, name), { create: false, readOnly: true });
      try {
        return work(file);
      } finally {
        file.close();
      }
    } catch {
      return null;
    }
  }

  /** The newest one for a table that reads the same, in steps; null if there is none. It is read once. */
  *find(table: number, source: TextSource): Generator<void, TextSegment | null> {
    const { fs, path, cipher, pager } = this.#place;
    if (pager.renewedAt !== this.#renewedAt) {
      // The store was emptied: its pages are others now.
      this.#renewedAt = pager.renewedAt;
      for (const file of this.#files) if (file.origin.page < pager.renewedAt) this.#remove(file);
    }
    for (const file of this.#files.toReversed()) {
      const { root, name, origin } = file;
      if (root === null || origin.table !== table || !source.continuesShape(origin.source)) continue;
      try {
        if (fs.sizeBytes(join(path, name)) !== file.sizeBytes) throw new DamagedSegment('it has another size');
        const handle = fs.open(join(path, name), { create: false, readOnly: true });
        try {
          const segment = yield* readSegment(handle, name, cipher, root.tree);
          this.#stored.add(segment);
          this.read++;
          // The caller holds its pages from now on.
          this.#placeless(file);
          return segment;
        } finally {
          handle.close();
        }
      } catch {
        this.#remove(file);
      }
    }
    return null;
  }

  /** Stores a segment beside other work, once its root is covered by a super-root: until then this is called again now and then. */
  write(table: number, source: TextSource, segment: TextSegment): void {
    // What is closed is stored whole, by `writeNow`.
    if (this.#closed || !this.#isDue(segment) || this.#hashOf(segment) === null) return;
    this.#stored.add(segment);
    this.#writing = this.#writing.then(async () => {
      const slices = new Slices();
      const steps = this.#steps(table, source, segment);
      for (;;) {
        if (steps.next().done === true) return;
        await slices.rest();
        if (!this.#closed) continue;
        steps.return(undefined);
        // It is written whole after the last checkpoint.
        this.#stored.delete(segment);
        return;
      }
    });
  }

  /** The same at once, for a segment that could not be stored before the last checkpoint. */
  writeNow(table: number, source: TextSource, segment: TextSegment): void {
    if (!this.#isDue(segment)) return;
    this.#stored.add(segment);
    for (const _ of this.#steps(table, source, segment));
  }

  /** Of the root's page. Known from the first time on: at the end the store is closed. */
  #hashOf(segment: TextSegment): string | null {
    const { hash, id } = segment.tree;
    const known = this.#hashes.get(segment) ?? (hash === null ? pageHash(this.#place.pager, id) : Buffer.from(hash).toString('hex'));
    if (known !== null) this.#hashes.set(segment, known);
    return known;
  }

  isWanted(segment: TextSegment): boolean {
    const { isFull, freeBytes } = this.#place;
    if (this.#stored.has(segment) || segment.sizeBytes > this.#bytesMax) return false;
    // A cache takes no space that the log could need next.
    return !isFull() && segment.sizeBytes < freeBytes() / FREE_TIMES;
  }

  #isDue(segment: TextSegment): boolean {
    const { id } = segment.tree;
    return id > 0 && id < this.#place.coveredPages() && this.isWanted(segment);
  }

  *#steps(table: number, source: TextSource, segment: TextSegment): Generator<void, void> {
    const { fs, path, cipher, release } = this.#place;
    const name = this.#newName();
    const draft = `${name}.draft`;
    let isWhole = false;
    try {
      const hash = this.#hashOf(segment);
      if (hash === null) return;
      const origin: SegmentOrigin = { release, table, source: source.shape, page: segment.tree.id, hash };
      fs.makeFolder(path);
      const file = fs.open(join(path, draft), { create: true });
      let sizeBytes: number;
      try {
        sizeBytes = yield* writeSegment(file, name, cipher, origin, segment);
      } finally {
        file.close();
      }
      fs.rename(join(path, draft), join(path, name));
      isWhole = true;
      const same = JSON.stringify(origin.source);
      for (const each of this.#files.filter(({ origin: o }) => o.table === table && JSON.stringify(o.source) === same)) this.#remove(each);
      this.#files.push({ name, origin, sizeBytes, root: null });
      this.#shrink();
    } catch {
      // A full or failing disk: the next start builds it again.
    } finally {
      if (!isWhole) this.#erase(draft);
    }
  }

  #newName(): string {
    const { fs, path } = this.#place;
    for (;;) {
      this.#last = this.#last >= NUMBER_MAX ? 1 : this.#last + 1;
      const name = `${String(this.#last).padStart(12, '0')}.text`;
      // A name that could not be removed, or that another file has after the greatest number.
      if (!fs.exists(join(path, name))) return name;
    }
  }

  #shrink(): void {
    let bytes = 0;
    for (const file of this.#files.toReversed()) if ((bytes += file.sizeBytes) > this.#bytesMax) this.#remove(file);
  }

  /** A file whose pages are held neither by it nor by a segment in memory goes before these are collected. */
  forget(segments: readonly TextSegment[]): void {
    const pages = new Set(segments.map(({ tree }) => tree.id));
    const isLate = performance.now() - this.#openedAt > HELD_MS;
    for (const file of this.#files) if ((file.root === null || isLate) && !pages.has(file.origin.page)) this.#remove(file);
  }

  /** Work in slices ends. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  #placeless(file: File): void {
    file.root?.release();
    file.root = null;
  }

  #remove(file: File): void {
    this.#placeless(file);
    this.#files = this.#files.filter((each) => each !== file);
    this.#erase(file.name);
  }

  #erase(name: string): void {
    const { fs, path } = this.#place;
    try {
      fs.remove(join(path, name));
    } catch {
      // It may be gone already.
    }
  }
}

/** Of the root's page; null if the store has no such page. */
function pageHash(pager: Pager, page: number): string | null {
  const bytes = pager.store.read(page);
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}
