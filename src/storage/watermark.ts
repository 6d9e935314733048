/**
 * How far a folder has acknowledged, kept outside of the log: a log that ends earlier was cut short, which by itself looks like the end of a
 * process that was killed.
 *
 *   watermark = slot, slot            512 bytes each; the newest whole one counts
 *   slot      = { "version": 1, "folder": 32 hex digits, "events": newest acknowledged event, "crc": CRC-32C of `folder:events` }, blanks, newline
 *
 * Written in place and by turns into the two slots, so that one is whole whatever happens, and a full disk takes it. It follows the log at
 * checkpoints and at the end of a run; events after it are as sure as the log itself makes them.
 */
import { crc32c } from '@node-rs/crc32';
import { join } from 'node:path';
import type { FileHandle, FileSystem } from './file-system.ts';

export const WATERMARK_FILE = 'watermark';
const SLOT_BYTES = 512;

export interface Mark {
  readonly folder: string;
  readonly events: number;
}

/** `damaged`: a slot that was written is not whole. `turn`: the slot that is to be written next, which is not the newest. */
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
    const bytes = Buffer.alloc(2 * SLOT_BYTES);
    file.read(bytes, 0);
    const [first, second] = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)];
    const [one, two] = [slotIn(first), slotIn(second)];
    const damaged =
      (one === null && !isEmpty(first)) || (two === null && !isEmpty(second)) || (one === null && two !== null) || file.sizeBytes() < 2 * SLOT_BYTES;
    return one === null || (two !== null && two.events > one.events) ? { mark: two, damaged, turn: 0 } : { mark: one, damaged, turn: 1 };
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

function crcOf(folder: string, events: number): number {
  return crc32c(`${folder}:${events}`);
}

export class Watermark {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #folder: string;
  #file: FileHandle | null = null;
  #turn: number;
  #writing: Promise<void> | null = null;
  #wanted = 0;
  #written = 0;

  /** `folderId`: of the log. `turn`: of what was found. */
  constructor(fs: FileSystem, folder: string, folderId: string, turn: number) {
    this.#turn = turn;
    this.#fs = fs;
    this.#path = join(folder, WATERMARK_FILE);
    this.#folder = folderId;
  }

  /** Everything up to `events` is on disk. What the disk refuses here it refuses the log, which says so. */
  rise(events: number): void {
    if (events <= this.#wanted) return;
    this.#wanted = events;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    try {
      if (this.#file === null) {
        this.#file = this.#fs.open(this.#path, { create: true });
        if (this.#file.sizeBytes() < 2 * SLOT_BYTES) {
          // Space for both, so that writing in place needs none later.
          this.#file.write(Buffer.alloc(2 * SLOT_BYTES), 0);
          await this.#fs.syncFolder(join(this.#path, '..'));
        }
      }
      while (this.#written < this.#wanted) {
        const events = this.#wanted;
        const text = JSON.stringify({ version: 1, folder: this.#folder, events, crc: crcOf(this.#folder, events) });
        await this.#file.writeDurably(Buffer.from(`${text.padEnd(SLOT_BYTES - 1)}\n`), this.#turn * SLOT_BYTES);
        this.#turn = 1 - this.#turn;
        this.#written = events;
      }
    } catch {
      // The next one is written all the same.
      this.#wanted = this.#written;
    }
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
