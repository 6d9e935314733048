/**
 * How far a folder has acknowledged, kept outside of the log: a log that ends earlier was cut short, which by itself looks like the end of a
 * process that was killed.
 *
 *   watermark = slot, slot, note      512 bytes each; the newest whole one counts
 *   slot      = { "version": 1, "folder": 32 hex digits, "events": newest acknowledged event, "crc": CRC-32C of `folder:events` }, blanks, newline
 *   note      = slot
 *
 * Written in place, so that a full disk takes it. The two slots follow the log at checkpoints and at the end of a run; each is synced, and by turns, so
 * that one is whole whatever happens. The note follows each sync of the log before anybody hears of it, and has no sync of its own: it costs a
 * write of some microseconds, outlives the process that wrote it, and is lost only with the operating system's memory. It is never ahead of the log.
 */
import { crc32c } from '@node-rs/crc32';
import { join } from 'node:path';
import type { FileHandle, FileSystem } from './file-system.ts';

export const WATERMARK_FILE = 'watermark';
const SLOT_BYTES = 512;
/** Releases before the note read and write what stands before it. */
const NOTE_AT = 2 * SLOT_BYTES;

export interface Mark {
  readonly folder: string;
  readonly events: number;
}

/** `damaged`: a slot that was written is not whole. `turn`: of the two slots the one that is to be written next, which is not the newest. */
export interface FoundMark {
  readonly mark: Mark | null;
  readonly damaged: boolean;
  readonly turn: number;
}

export function readWatermark(fs: FileSystem, folder: string): FoundMark {
  const path = join(folder, WATERMARK_FILE);
  if (!fs.exists(path)) return { mark: null, damaged: false, turn: 0 };
  const file = fs.open(path, { create: false, readOnly: true });
  try {
    const bytes = Buffer.alloc(NOTE_AT + SLOT_BYTES);
    file.read(bytes, 0);
    const slots = [0, SLOT_BYTES, NOTE_AT].map((at) => bytes.subarray(at, at + SLOT_BYTES));
    const [one, two, note] = slots.map(slotIn);
    const damaged =
      slots.some((slot, i) => [one, two, note][i] === null && !isEmpty(slot)) || (one === null && two !== null) || file.sizeBytes() < 2 * SLOT_BYTES;
    const turn = one === null || (two !== null && two.events > one.events) ? 0 : 1;
    const mark = turn === 0 ? two : one;
    // One of another folder was left there by a release that wrote none.
    return { mark: note !== null && (mark === null || (note.folder === mark.folder && note.events > mark.events)) ? note : mark, damaged, turn };
  } finally {
    file.close();
  }
}

/** It has not been written yet. */
function isEmpty(slot: Buffer): boolean {
  return slot.every((byte) => byte === 0);
}

function slotIn(slot: Buffer): Mark | null {
  const text = slot.toString('latin1');
  // Blanks, too, are as they were written.
  if (text !== `${text.trimEnd().padEnd(SLOT_BYTES - 1)}\n`) return null;
  try {
    const { version, folder, events, crc } = JSON.parse(text) as { version: unknown; folder: string; events: number; crc: unknown };
    return version === 1 && crc === crcOf(folder, events) ? { folder, events } : null;
  } catch {
    return null;
  }
}

function slotText(folder: string, events: number): string {
  return `${`{"version":1,"folder":"${folder}","events":${events},"crc":${crcOf(folder, events)}}`.padEnd(SLOT_BYTES - 1)}\n`;
}

function crcOf(folder: string, events: number): number {
  return crc32c(`${folder}:${events}`);
}

export class Watermark {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #folder: string;
  readonly #say: (message: string) => void;
  /** What is written as the note. */
  readonly #slot = Buffer.alloc(SLOT_BYTES);
  #file: FileHandle | null = null;
  /** The folder is to be synced with the file in it. */
  #isNew = false;
  #turn: number;
  #writing: Promise<void> | null = null;
  #wanted = 0;
  #written = 0;
  #noted = 0;
  /** The last event that `note` was given, also while it failed. */
  #latest = 0;
  /** Not written since: said once, and tried again at the next checkpoint. */
  #failed = false;

  /** `folderId`: of the log. `turn`: of what was found. */
  constructor(fs: FileSystem, folder: string, folderId: string, turn: number, say: (message: string) => void = () => {}) {
    this.#turn = turn;
    this.#fs = fs;
    this.#path = join(folder, WATERMARK_FILE);
    this.#folder = folderId;
    this.#say = say;
  }

  /** Everything up to `events` is on disk, and nobody has heard of it yet. Once a sync of the log: no more than a write. */
  note(events: number): void {
    this.#latest = events;
    if (this.#failed || events <= this.#noted) return;
    try {
      this.#slot.write(slotText(this.#folder, events), 0, 'latin1');
      this.#opened().write(this.#slot, NOTE_AT);
      this.#noted = events;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Everything up to `events` is on disk. */
  rise(events: number): void {
    if (events <= this.#wanted) return;
    this.#wanted = events;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    try {
      const file = this.#opened();
      if (this.#isNew) {
        await this.#fs.syncFolder(join(this.#path, '..'));
        this.#isNew = false;
      }
      while (this.#written < this.#wanted) {
        const events = this.#wanted;
        await file.writeDurably(Buffer.from(slotText(this.#folder, events), 'latin1'), this.#turn * SLOT_BYTES);
        this.#turn = 1 - this.#turn;
        this.#written = events;
      }
      if (this.#failed) {
        // What came meanwhile may be the last for long.
        this.#failed = false;
        this.note(this.#latest);
      }
    } catch (error) {
      // The next one is written all the same.
      this.#wanted = this.#written;
      this.#fail(error);
    }
  }

  #opened(): FileHandle {
    if (this.#file !== null) return this.#file;
    const file = this.#fs.open(this.#path, { create: true });
    try {
      const size = file.sizeBytes();
      if (size < 2 * SLOT_BYTES) {
        this.#isNew = true;
        // Space for all, so that writing in place needs none later.
        file.write(Buffer.alloc(NOTE_AT + SLOT_BYTES), 0);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** The log goes on: it says itself what the disk refuses it. */
  #fail(cause: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#say(`the watermark cannot be written, so events that the log loses from here on may not be missed: ${(cause as Error).message}`);
  }

  /** After a loss that was accepted: what it said does not hold any more. */
  static async forget(fs: FileSystem, folder: string): Promise<void> {
    const path = join(folder, WATERMARK_FILE);
    if (!fs.exists(path)) return;
    fs.remove(path);
    await fs.syncFolder(folder);
  }

  async close(): Promise<void> {
    await this.#writing;
    this.#file?.close();
    this.#file = null;
  }
}
