/**
 * Files in memory that behave as a disk may: what was not synced can be lost, torn by 512-byte sectors or
 * kept, in any mix; folder entries that were not synced can vanish; writes and syncs can fail; the disk can be
 * full. After a failed sync the pages count as written though they are not, so a later sync that succeeds does
 * not save them: only writing them again does. Seeded, so a run can be repeated.
 */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { FileHandle, FileSystem } from '../../src/storage/file-system.ts';

const SECTOR = 512;
const PAGE = 4096;

interface Disk {
  /** Content that survives a crash for certain. */
  synced: Buffer;
  /** Content as running programs see it. */
  now: Buffer;
  /** Pages written since the last sync began, by number. */
  dirty: Set<number>;
  /** Shortest it was cut to since then: what lay behind is gone, also where it has grown again. */
  cutTo: number;
  /** Whether the folder entry is on disk. */
  linked: boolean;
}

export interface Faults {
  /** Chance that a write fails with no space, or an input/output error. */
  writeFails?: number;
  syncFails?: number;
  /** This many syncs from now on fail. */
  syncsToFail?: number;
  /** After this many writes all others find no space. */
  writesUntilFull?: number;
  /** After this many syncs one fails. */
  syncsUntilFailure?: number;
  /** Bytes that all files may take together. */
  capacityBytes?: number;
}

export class FaultyFileSystem implements FileSystem {
  readonly #files: Map<string, Disk>;
  readonly #folders: Set<string>;
  readonly #random: () => number;
  faults: Faults = {};
  writes = 0;
  syncs = 0;

  constructor(random: () => number, files = new Map<string, Disk>(), folders = new Set<string>()) {
    this.#random = random;
    this.#files = files;
    this.#folders = folders;
  }

  /** The disk as the next start finds it. */
  crash(): FaultyFileSystem {
    const after = new Map<string, Disk>();
    for (const [path, disk] of this.#files) {
      if (!disk.linked && this.#random() < 0.5) continue;
      const content = this.#tear(disk);
      after.set(path, { synced: content, now: Buffer.from(content), dirty: new Set(), cutTo: Infinity, linked: true });
    }
    return new FaultyFileSystem(this.#random, after, new Set(this.#folders));
  }

  /** The disk after a crash that lost everything that could be lost. */
  crashLosingAll(): FaultyFileSystem {
    const after = new Map<string, Disk>();
    for (const [path, { synced, linked }] of this.#files) {
      if (linked) after.set(path, { synced: Buffer.from(synced), now: Buffer.from(synced), dirty: new Set(), cutTo: Infinity, linked });
    }
    return new FaultyFileSystem(this.#random, after, new Set(this.#folders));
  }

  #tear({ synced, now }: Disk): Buffer {
    // The size may be the old, the new, or anything between; each sector that differs is old or new.
    const roll = this.#random();
    const size =
      roll < 0.4
        ? now.length
        : roll < 0.6
          ? synced.length
          : Math.min(synced.length, now.length) + Math.floor(this.#random() * (Math.abs(now.length - synced.length) + 1));
    const out = Buffer.alloc(size);
    const keepNew = this.#random();
    for (let at = 0; at < size; at += SECTOR) {
      const source = this.#random() < keepNew ? now : synced;
      if (at < source.length) source.copy(out, at, at, Math.min(at + SECTOR, size, source.length));
    }
    return out;
  }

  makeFolder(path: string): void {
    this.#folders.add(path);
  }

  list(path: string): string[] {
    return [...this.#files.keys()].filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1));
  }

  exists(path: string): boolean {
    return this.#folders.has(path) || this.#files.has(path);
  }

  /** It has no links. */
  realPath(path: string): string {
    return path;
  }

  sizeBytes(path: string): number {
    return this.#files.get(path)!.now.length;
  }

  /** Bytes of all files together. */
  get usedBytes(): number {
    let bytes = 0;
    for (const { now } of this.#files.values()) bytes += now.length;
    return bytes;
  }

  open(path: string, { create }: { create: boolean }): FileHandle {
    let disk = this.#files.get(path);
    if (disk === undefined) {
      if (!create) throw new SvcError('58030', `${path} does not exist`);
      disk = { synced: Buffer.alloc(0), now: Buffer.alloc(0), dirty: new Set(), cutTo: Infinity, linked: false };
      this.#files.set(path, disk);
    }
    return this.#handle(disk, path);
  }

  #handle(disk: Disk, path: string): FileHandle {
    return {
      write: (bytes, offset) => {
        this.writes++;
        const room = this.faults.capacityBytes === undefined ? Infinity : disk.now.length + this.faults.capacityBytes - this.usedBytes;
        const none = this.#fullNow();
        const full = none || offset + bytes.length > Math.max(room, disk.now.length);
        const fails = this.#random() < (this.faults.writeFails ?? 0);
        const some = none
          ? Math.floor(this.#random() * bytes.length)
          : full
            ? Math.max(0, Math.max(room, disk.now.length) - offset)
            : fails
              ? Math.floor(this.#random() * bytes.length)
              : bytes.length;
        const end = offset + some;
        if (end > disk.now.length) {
          const grown = Buffer.alloc(end);
          disk.now.copy(grown);
          disk.now = grown;
        }
        Buffer.from(bytes.buffer, bytes.byteOffset, some).copy(disk.now, offset);
        for (let page = Math.floor(offset / PAGE); page * PAGE < end; page++) disk.dirty.add(page);
        if (full) throw new SvcError('53100', `the disk is full: ${path}`);
        if (fails) throw this.#random() < 0.5 ? new SvcError('53100', `the disk is full: ${path}`) : new SvcError('58030', `input/output error: ${path}`);
      },
      read: (into, offset) => disk.now.copy(into, 0, offset, Math.min(disk.now.length, offset + into.length)),
      sizeBytes: () => disk.now.length,
      truncate: (size) => {
        const cut = Buffer.alloc(size);
        disk.now.copy(cut);
        disk.now = cut;
        disk.cutTo = Math.min(disk.cutTo, size);
      },
      sync: async () => {
        const content = Buffer.from(disk.now);
        const pages = [...disk.dirty];
        const { cutTo } = disk;
        disk.dirty.clear();
        disk.cutTo = Infinity;
        await new Promise((resolve) => setImmediate(resolve));
        this.syncs++;
        if (this.#syncFails()) throw new SvcError('58030', `input/output error: ${path}`);
        const synced = Buffer.alloc(content.length);
        disk.synced.copy(synced, 0, 0, Math.min(disk.synced.length, cutTo));
        for (const page of pages) content.copy(synced, page * PAGE, page * PAGE, Math.min(content.length, (page + 1) * PAGE));
        disk.synced = synced;
      },
      // By the handle that it is called of: a disk that lies about one lies about the other.
      async writeDurably(bytes, offset) {
        this.write(bytes, offset);
        await this.sync();
      },
      close: () => {},
    };
  }

  #fullNow(): boolean {
    if (this.faults.writesUntilFull === undefined) return false;
    if (this.faults.writesUntilFull === 0) return true;
    this.faults.writesUntilFull--;
    return false;
  }

  #syncFails(): boolean {
    if (this.faults.syncsUntilFailure !== undefined && this.faults.syncsUntilFailure-- === 0) return true;
    if ((this.faults.syncsToFail ?? 0) > 0) {
      this.faults.syncsToFail!--;
      return true;
    }
    return this.#random() < (this.faults.syncFails ?? 0);
  }

  rename(from: string, to: string): void {
    this.#files.set(to, this.#files.get(from)!);
    this.#files.delete(from);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  removeFolder(): void {}

  async syncFolder(path: string): Promise<void> {
    for (const [file, disk] of this.#files) if (file.startsWith(`${path}/`)) disk.linked = true;
  }

  /** The bytes of a file as programs see them, to damage them on purpose. */
  bytes(path: string): Buffer {
    return this.#files.get(path)!.now;
  }

  replace(path: string, content: Buffer): void {
    this.#files.set(path, { synced: Buffer.from(content), now: Buffer.from(content), dirty: new Set(), cutTo: Infinity, linked: true });
  }

  copy(): FaultyFileSystem {
    return new FaultyFileSystem(
      this.#random,
      new Map(
        [...this.#files].map(([path, { synced, now, dirty, cutTo, linked }]) => [
          path,
          { synced: Buffer.from(synced), now: Buffer.from(now), dirty: new Set(dirty), cutTo, linked },
        ]),
      ),
      new Set(this.#folders),
    );
  }

  paths(): string[] {
    return [...this.#files.keys()].sort();
  }
}
