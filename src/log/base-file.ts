/**
 * A base: the whole state after one event, so that the log segments before that event can be removed. `log/<sequence>.base` holds frames as a segment does
 * (docs/formats/log.md), ending with a record that counts them; the file gets its final name only once it is complete and synced.
 */
import { join } from 'node:path';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileHandle, FileSystem } from '../storage/file-system.ts';
import { decodeHeader, encodeHeader, encodeRecord } from './format.ts';
import { recordAt } from './record-reader.ts';

const END_TYPE = 0xffff;
const CHUNK_BYTES = 256 * 1024;
/** Work per time slice: short enough that concurrent requests hardly notice. */
const SLICE_MS = 3;
const READ_BYTES = 4 * 1024 * 1024;

export interface BaseHead {
  /** The last event that the base covers, and its time. */
  sequence: Sequence;
  at: Micros;
  folderId: string;
}

export interface BasePart {
  /** Slot of the projection that this part belongs to. */
  slot: number;
  /** null: nothing to write yet; a point to yield at. */
  payload: Uint8Array | null;
}

export function baseName(sequence: Sequence): string {
  return `${String(sequence).padStart(16, '0')}.base`;
}

/** Writes a base in time slices; `between` yields to the event loop. Returns its size in bytes. */
export async function writeBase(
  fs: FileSystem,
  folder: string,
  head: BaseHead,
  parts: Iterable<BasePart>,
  between: () => Promise<void>,
  cipher: Cipher | null = null,
): Promise<number> {
  const path = join(folder, baseName(head.sequence));
  const draft = `${path}.draft`;
  const file = fs.open(draft, { create: true });
  let end: number;
  try {
    end = await writeParts(file, head, parts, between, cipher);
    await file.sync();
  } catch (error) {
    // Frees the space again on a full disk.
    file.close();
    fs.remove(draft);
    throw error;
  }
  file.close();
  fs.rename(draft, path);
  await fs.syncFolder(folder);
  return end;
}

async function writeParts(file: FileHandle, head: BaseHead, parts: Iterable<BasePart>, between: () => Promise<void>, cipher: Cipher | null): Promise<number> {
  file.truncate(0);
  const header = encodeHeader({ first: head.sequence, folderId: head.folderId, range: [], sealed: cipher !== null });
  file.write(header, 0);
  let end = header.length;
  const out = {
    buffer: Buffer.allocUnsafe(CHUNK_BYTES * 2),
    need(bytes: number): void {
      if (bytes <= this.buffer.length) return;
      const grown = Buffer.allocUnsafe(Math.max(bytes, this.buffer.length * 2));
      this.buffer.copy(grown);
      this.buffer = grown;
    },
  };
  let filled = 0;
  let count = 0;
  const put = (type: number, payload: Uint8Array): void => {
    count++;
    filled = encodeRecord(
      out,
      filled,
      count as Sequence,
      0 as Sequence,
      { type, version: 1, at: head.at, world: 0 as WorldNumber, actor: '' },
      payload,
      cipher,
    );
  };
  const flush = (): void => {
    file.write(out.buffer.subarray(0, filled), end);
    end += filled;
    filled = 0;
  };
  let sliceEnds = performance.now() + SLICE_MS;
  for (const { slot, payload } of parts) {
    if (payload !== null) put(slot, payload);
    if (filled > CHUNK_BYTES) flush();
    if (performance.now() < sliceEnds) continue;
    await between();
    sliceEnds = performance.now() + SLICE_MS;
  }
  put(END_TYPE, Buffer.alloc(0));
  flush();
  return end;
}

/** The bases next to a folder's segments, as the engine's `Bases`. */
export function basesIn(
  fs: FileSystem,
  folder: string,
  cipher: Cipher | null = null,
): {
  newest(): ReturnType<typeof readBase> | null;
  write(head: BaseHead, parts: Iterable<BasePart>, between: () => Promise<void>): Promise<number>;
  removeBefore(sequence: Sequence): void;
} {
  return {
    newest: () => {
      removeDrafts(fs, folder);
      const sequence = listBases(fs, folder).at(-1);
      return sequence === undefined ? null : readBase(fs, folder, sequence, cipher);
    },
    write: (head, parts, between) => writeBase(fs, folder, head, parts, between, cipher),
    removeBefore: (sequence) => {
      for (const each of listBases(fs, folder)) if (each < sequence) removeBase(fs, folder, each);
    },
  };
}

/** Sequences of the bases in the folder, oldest first. */
export function listBases(fs: FileSystem, folder: string): Sequence[] {
  return fs
    .list(folder)
    .filter((name) => /^\d{16}\.base$/.test(name))
    .sort()
    .map((name) => Number(name.slice(0, 16)) as Sequence);
}

export function removeBase(fs: FileSystem, folder: string, sequence: Sequence): void {
  fs.remove(join(folder, baseName(sequence)));
}

/** Removes unfinished drafts left by a crash. */
export function removeDrafts(fs: FileSystem, folder: string): void {
  for (const name of fs.list(folder)) if (name.endsWith('.draft')) fs.remove(join(folder, name));
}

/** Head and parts of a base; XX001 with file and offset if it is incomplete or damaged. */
export function readBase(
  fs: FileSystem,
  folder: string,
  sequence: Sequence,
  cipher: Cipher | null = null,
): { head: BaseHead; parts: () => IterableIterator<BasePart & { payload: Uint8Array }>; bytes: number } {
  const path = join(folder, baseName(sequence));
  const file = fs.open(path, { create: false });
  const size = file.sizeBytes();
  const damage = (offset: number): SvcError =>
    new SvcError('XX001', `${path} is damaged at byte ${offset}`, { hint: 'Restore the folder from a backup; nothing was changed.' });
  const top = Buffer.alloc(Math.min(size, 4096));
  file.read(top, 0);
  const header = decodeHeader(top, path);
  if (header === null) throw damage(0);
  const first = load(header.bytes, 64 * 1024);
  const one =
    recordAt(first, 0, { segment: sequence, offset: header.bytes }, cipher) ??
    recordAt(load(header.bytes, size), 0, { segment: sequence, offset: header.bytes }, cipher);
  if (one === null) throw damage(header.bytes);
  file.close();
  const start = header.bytes;
  return { head: { sequence, at: one.record.at, folderId: header.header.folderId }, parts, bytes: size };

  function load(from: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - from)));
    return bytes.subarray(0, file.read(bytes, from));
  }

  function* parts(): IterableIterator<BasePart & { payload: Uint8Array }> {
    const reader = fs.open(path, { create: false });
    try {
      let at = start;
      let count = 0;
      let window = READ_BYTES;
      while (at < size) {
        const bytes = Buffer.alloc(Math.min(window, size - at));
        reader.read(bytes, at);
        let inside = 0;
        for (
          let found = recordAt(bytes, 0, { segment: sequence, offset: at }, cipher);
          found !== null;
          found = recordAt(bytes, inside, { segment: sequence, offset: at + inside }, cipher)
        ) {
          count++;
          if (found.record.sequence !== count) throw damage(at + inside);
          if (found.record.type === END_TYPE) return;
          yield { slot: found.record.type, payload: found.record.payload };
          inside = found.end;
        }
        if (inside === 0) {
          if (bytes.length === size - at) throw damage(at);
          window *= 4;
        } else window = READ_BYTES;
        at += inside;
      }
      throw damage(size);
    } finally {
      reader.close();
    }
  }
}
