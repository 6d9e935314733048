/**
 * A backup: a folder that opens as the database was after one event, made while writers continue.
 *
 *   pause maintenance ─► sync the log ─► list the files, in one tick ─► copy in slices ─► append `closed` ─► remove the mark
 *
 * Sealed segments and bases never change, and the last segment is copied up to the event; maintenance, which alone removes
 * files, is paused. A `closed` event ends the copy, so that its worlds do not count as open during a crash. The page cache
 * is not copied: the log suffices. A manifest lists the contents, so that an incomplete copy of the backup is refused.
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Micros, WorldNumber } from '../base/brands.ts';
import { encodeEvent, EVENT_TYPES, versionOf } from '../events/codec.ts';
import { FolderLog } from '../log/folder-log.ts';
import { listBases, baseName } from '../log/base-file.ts';
import type { Cipher } from '../storage/cipher.ts';
import { EXTENT_FILE, writeExtent } from '../storage/backup-extent.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { KEY_FILE } from '../storage/folder-key.ts';
import { UNFINISHED_MARK } from '../storage/unfinished-backup.ts';

/** Limit of file systems; files inside the backup need some of the path, too. */
const PATH_BYTES_MAX = 3072;
const NAME_BYTES_MAX = 255;

const CHUNK_BYTES = 1024 * 1024;
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

export interface BackupSource {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly log: FolderLog;
  readonly cipher: Cipher | null;
  readonly segmentSizeBytes?: number;
  /** No file of the log is removed until the returned function is called. */
  hold(): Promise<() => void>;
  /** Time of the newest event. */
  lastAt(): Micros;
}

export interface Backup {
  readonly files: number;
  readonly bytes: number;
  /** The last event in the backup. */
  readonly sequence: number;
}

interface Piece {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
}

/** Progress in bytes, and a signal to abort, which removes the copy. */
export interface BackupControl {
  readonly signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

/** 42710 if the target exists, 22023 for a folder inside the database's own, 58030 and 53100 from the disk. */
export async function backUp(source: BackupSource, to: string, { signal, onProgress }: BackupControl = {}): Promise<Backup> {
  const { fs, folder, log } = source;
  const target = targetOf(fs, folder, to);
  const release = await source.hold();
  try {
    await log.sync(log.head);
    // Nothing else runs between here and the list of files, so that they are of one moment.
    const sequence = log.durable;
    const at = source.lastAt();
    const pieces = piecesOf(source, target);
    // Another backup to the same folder may have started meanwhile.
    refuseExisting(fs, target);
    fs.makeFolder(target);
    const mark = join(target, UNFINISHED_MARK);
    await put(fs, mark, Buffer.from(`of ${resolve(folder)}, up to event ${sequence}\n`));
    await fs.syncFolder(target);
    await fs.syncFolder(dirname(target));
    fs.makeFolder(join(target, 'log'));
    const total = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const piece of pieces) {
      await copy(fs, piece, (bytes) => {
        signal?.throwIfAborted();
        onProgress?.((done += bytes), total);
      });
    }
    await fs.syncFolder(join(target, 'log'));
    await writeExtent(fs, target, await close(source, join(target, 'log'), at));
    await fs.syncFolder(target);
    fs.remove(mark);
    await fs.syncFolder(target);
    const written = [
      ...fs.list(join(target, 'log')).map((name) => join(target, 'log', name)),
      ...[EXTENT_FILE, KEY_FILE].map((name) => join(target, name)).filter((path) => fs.exists(path)),
    ];
    return { files: written.length, bytes: written.reduce((sum, path) => sum + fs.sizeBytes(path), 0), sequence };
  } catch (error) {
    if (signal?.aborted === true) drop(fs, target);
    throw error;
  } finally {
    release();
  }
}

/** The target without symbolic links, so that no alias leads into the database's own folder. */
function targetOf(fs: FileSystem, folder: string, to: string): string {
  if (to.includes('\0')) throw new SvcError('22021', 'the path holds a NUL character', { hint: 'Name a new folder.' });
  if (!to.isWellFormed()) throw new SvcError('22021', 'the path is not valid text', { hint: 'Name a new folder.' });
  const named = resolve(to);
  if (Buffer.byteLength(named) > PATH_BYTES_MAX || named.split(sep).some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX)) {
    throw new SvcError('22023', `the path is too long: at most ${PATH_BYTES_MAX} bytes, and ${NAME_BYTES_MAX} a name`, { hint: 'Name a new folder.' });
  }
  if (isWithin(resolve(folder), named)) refuseInside(named);
  const above = dirname(named);
  if (!fs.exists(above)) throw new SvcError('22023', `there is no folder ${above}`, { hint: 'Make it first.' });
  const target = join(fs.realPath(above), basename(named));
  // The log and the cache may be elsewhere, behind links.
  for (const own of [folder, join(folder, 'log'), join(folder, 'cache')]) {
    if (fs.exists(own) && isWithin(fs.realPath(own), target)) refuseInside(named);
  }
  refuseExisting(fs, target);
  return target;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function refuseInside(path: string): never {
  throw new SvcError('22023', `a backup cannot be inside the folder that it is of: ${path}`, { hint: 'Name a new folder elsewhere.' });
}

/** A dangling link exists, too. */
function refuseExisting(fs: FileSystem, target: string): void {
  if (fs.exists(target) || fs.list(dirname(target)).includes(basename(target)))
    throw new SvcError('42710', `${target} exists already`, { hint: 'A backup is written into a new folder.' });
}

/** Removes the copied files, the mark last. */
function drop(fs: FileSystem, target: string): void {
  const log = join(target, 'log');
  for (const name of fs.list(log)) fs.remove(join(log, name));
  if (fs.exists(log)) fs.removeFolder(log);
  for (const name of fs.list(target).sort((a, b) => Number(a === UNFINISHED_MARK) - Number(b === UNFINISHED_MARK))) fs.remove(join(target, name));
  fs.removeFolder(target);
}

function piecesOf({ fs, folder, log }: BackupSource, target: string): Piece[] {
  const pieces: Piece[] = log.extent().map(({ path, name, bytes }) => ({ from: path, to: join(target, 'log', name), bytes }));
  const newest = listBases(fs, join(folder, 'log')).at(-1);
  if (newest !== undefined) {
    const name = baseName(newest);
    const from = join(folder, 'log', name);
    pieces.push({ from, to: join(target, 'log', name), bytes: fs.sizeBytes(from) });
  }
  const key = join(folder, KEY_FILE);
  if (fs.exists(key)) pieces.push({ from: key, to: join(target, KEY_FILE), bytes: fs.sizeBytes(key) });
  return pieces;
}

async function put(fs: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = fs.open(path, { create: true });
  try {
    file.write(bytes, 0);
    await file.sync();
  } finally {
    file.close();
  }
}

async function copy(fs: FileSystem, { from, to, bytes }: Piece, onCopied: (bytes: number) => void): Promise<void> {
  const source = fs.open(from, { create: false });
  try {
    const file = fs.open(to, { create: true });
    try {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes));
      for (let done = 0; done < bytes;) {
        const read = source.read(chunk.subarray(0, Math.min(chunk.length, bytes - done)), done);
        if (read === 0) throw new SvcError('XX001', `${from} ends at byte ${done} of ${bytes}`, { hint: 'Run verify.' });
        file.write(chunk.subarray(0, read), done);
        done += read;
        await turn();
        onCopied(read);
      }
      await file.sync();
    } finally {
      file.close();
    }
  } finally {
    source.close();
  }
}

/** Opens the copy, which checks each record of its last segment, and appends `closed`. Returns the last event's number. */
async function close({ fs, cipher, segmentSizeBytes }: BackupSource, folder: string, at: Micros): Promise<number> {
  const log = await FolderLog.open({ fs, folder, cipher, segmentSizeBytes });
  try {
    const closed = { type: 'closed' } as const;
    log.append({ type: EVENT_TYPES.closed, version: versionOf(closed), at, world: 0 as WorldNumber, actor: '', payload: encodeEvent(closed) });
    await log.sync(log.head);
    return log.head;
  } finally {
    await log.close();
  }
}
