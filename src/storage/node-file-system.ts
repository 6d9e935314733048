/** Files of the operating system. */
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  write,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileHandle, FileSystem } from './file-system.ts';

/** Missing on some systems. */
const { O_RDWR, O_DSYNC } = constants as { readonly O_RDWR: number; readonly O_DSYNC?: number };

/** 53100 for a full disk, 58030 for other disk errors. */
export function fileError(cause: unknown, path: string): SvcError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new SvcError('53100', `the disk is full: ${path} cannot grow`, { hint: 'Free space; the database then continues automatically.', cause });
  }
  return new SvcError('58030', `${path}: ${message}`, { hint: "Check the disk and the folder's rights.", cause });
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw fileError(cause, path);
  }
}

class NodeFile implements FileHandle {
  readonly #fd: number;
  readonly #path: string;

  constructor(path: string, create: boolean, readOnly: boolean) {
    this.#path = path;
    this.#fd = guarded(path, () => openSync(path, readOnly ? 'r' : create && !existsSync(path) ? 'wx+' : 'r+', 0o600));
  }

  write(bytes: Uint8Array, offset: number): void {
    guarded(this.#path, () => {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done, bytes.length - done, offset + done);
    });
  }

  read(into: Uint8Array, offset: number): number {
    return guarded(this.#path, () => {
      let done = 0;
      while (done < into.length) {
        const n = readSync(this.#fd, into, done, into.length - done, offset + done);
        if (n === 0) break;
        done += n;
      }
      return done;
    });
  }

  sizeBytes(): number {
    return guarded(this.#path, () => fstatSync(this.#fd).size);
  }

  truncate(sizeBytes: number): void {
    guarded(this.#path, () => ftruncateSync(this.#fd, sizeBytes));
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(fileError(error, this.#path))));
    });
  }

  /** Through a descriptor opened with O_DSYNC: a worker thread writes and syncs in one call, and this thread waits once. */
  writeDurably(bytes: Uint8Array, offset: number): Promise<void> {
    const path = this.#path;
    if (O_DSYNC === undefined) {
      try {
        this.write(bytes, offset);
      } catch (error) {
        return Promise.reject(error as SvcError);
      }
      return this.sync();
    }
    return new Promise((resolve, reject) => {
      if (this.#durable < 0) this.#durable = guarded(path, () => openSync(path, O_RDWR | O_DSYNC));
      const fd = this.#durable;
      const { length } = bytes;
      let done = 0;
      const written = (error: NodeJS.ErrnoException | null, count: number): void => {
        if (error !== null) {
          reject(fileError(error, path));
          return;
        }
        done += count;
        if (done < length) write(fd, bytes, done, length - done, offset + done, written);
        else resolve();
      };
      write(fd, bytes, 0, length, offset, written);
    });
  }
  #durable = -1;

  close(): void {
    closeSync(this.#fd);
    if (this.#durable >= 0) closeSync(this.#durable);
    this.#durable = -1;
  }
}

/** Creates missing parents too. Node's recursive mkdir never returns on file systems without folders, such as /proc. */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolders(above);
    mkdirSync(path, { mode: 0o700 });
  }
}

/** Bytes that the disk of a folder still takes; Infinity where it does not say. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

export const nodeFileSystem: FileSystem = {
  makeFolder: (path) => guarded(path, () => makeFolders(path)),
  list: (path) => guarded(path, () => (existsSync(path) ? readdirSync(path) : [])),
  exists: (path) => existsSync(path),
  sizeBytes: (path) => guarded(path, () => statSync(path).size),
  realPath: (path) => guarded(path, () => realpathSync(path)),
  open: (path, { create, readOnly = false }) => new NodeFile(path, create, readOnly),
  rename: (from, to) => guarded(from, () => renameSync(from, to)),
  remove: (path) => guarded(path, () => rmSync(path)),
  removeFolder: (path) => guarded(path, () => rmdirSync(path)),
  syncFolder: (path) =>
    new Promise((resolve, reject) => {
      const fd = guarded(path, () => openSync(path, 'r'));
      fsync(fd, (error) => {
        closeSync(fd);
        if (error === null) resolve();
        else reject(fileError(error, path));
      });
    }),
};
