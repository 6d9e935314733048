/**
 * The newest acknowledged event of a folder, stored outside the log: a log that ends earlier was truncated, which would otherwise look like a
 * killed process.
 *
 *   watermark = slot, slot, note      512 bytes each; the newest whole one counts
 *   slot      = { "version": 1, "folder": 32 hex digits, "events": newest acknowledged event, "crc": CRC-32C of `folder:events` }, blanks, newline
 *   note      = slot
 *
 * Written in place, so that it works on a full disk. The two slots are written alternately, at checkpoints and at the end of a run, and synced, so
 * that one is always whole. The note is written after each sync of the log, before any acknowledgement, and is not synced: it costs a
 * write of some microseconds, survives the process, and is lost only with the operating system's memory. It is never ahead of the log.
 */
import { crc32c } from '@node-rs/crc32';
import { join } from 'node:path';
import type { FileHandle, FileSystem } from './file-system.ts';

export const WATERMARK_FILE = 'watermark';
const SLOT_BYTES = 512;
/** Earlier releases know only the slots before the note. */
const NOTE_AT = 2 * SLOT_BYTES;

export interface Mark {
  readonly folder: string;
  readonly events: number;
}

/** `damaged`: a written slot is invalid. `turn`: the slot to write next, which is not the newest. */
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
    // A note of another folder was left by a release that wrote none.
    return { mark: note !== null && (mark === null || (note.folder === mark.folder && note.events > mark.events)) ? note : mark, damaged, turn };
  } finally {
    file.close();
  }
}

/** Never written. */
function isEmpty(slot: Buffer): boolean {
  return slot.every((byte) => byte === 0);
}

function slotIn(slot: Buffer): Mark | null {
  const text = slot.toString('latin1');
  // The padding is checked, too.
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
  /** Scratch buffer of the note. */
  readonly #slot = Buffer.alloc(SLOT_BYTES);
  #file: FileHandle | null = null;
  /** The file is new, so its folder must be synced with it. */
  #isNew = false;
  #turn: number;
  #writing: Promise<void> | null = null;
  #wanted = 0;
  #written = 0;
  #noted = 0;
  /** The last event given to `note`, also while writing fails. */
  #latest = 0;
  /** A write failed: reported once, retried at the next checkpoint. */
  #failed = false;

  /** `folderId`: of the log. `turn`: from `FoundMark`. */
  constructor(fs: FileSystem, folder: string, folderId: string, turn: number, say: (message: string) => void = () => {}) {
    this.#turn = turn;
    this.#fs = fs;
    this.#path = join(folder, WATERMARK_FILE);
    this.#folder = folderId;
    this.#say = say;
  }

  /** Everything up to `events` is on disk and not acknowledged yet. Called once per sync of the log, so it is a single write. */
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
        // A value that came meanwhile may be the last for a long time.
        this.#failed = false;
        this.note(this.#latest);
      }
    } catch (error) {
      // The next one is written anyway.
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
        // Allocates all slots, so that later writes in place need no space.
        file.write(Buffer.alloc(NOTE_AT + SLOT_BYTES), 0);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** The log continues: it reports disk errors itself. */
  #fail(cause: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#say(`the watermark cannot be written, so events that the log loses from here on may not be missed: ${(cause as Error).message}`);
  }

  /** After an accepted loss: its value no longer holds. */
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
