/**
 * A segment of texts as a file: frames of at most 1 MiB, each with a digest, so that a damaged file is noticed wherever it is damaged. In an
 * encrypted folder each frame is sealed.
 *
 *     frame     u32 bytes, content (sealed in an encrypted folder), digest: the first 16 bytes of SHA-256 over name, number of the frame, content
 *     frame 0   JSON: what the segment was made from, and the sizes of the sections
 *     others    names of terms, their ends, starts, rows, counts, lengths: numbers as in memory, little-endian
 */
import { createHash } from 'node:crypto';
import { type Cipher, SEALED_OVERHEAD_BYTES } from '../storage/cipher.ts';
import type { FileHandle } from '../storage/file-system.ts';
import type { Node } from '../tree/node.ts';
import { Terms, type TextSegment } from './text-segment.ts';
import type { TextShape } from './text-source.ts';

const FRAME_BYTES = 1 << 20;
const DIGEST_BYTES = 16;
const SECTIONS = 6;

/** What a stored segment was made from. */
export interface SegmentOrigin {
  /** Words may be read otherwise by another release. */
  readonly release: string;
  readonly table: number;
  readonly source: TextShape;
  /** Page and content of the root of the state's rows. */
  readonly page: number;
  readonly hash: string;
}

interface Head extends SegmentOrigin {
  readonly sections: readonly number[];
  /** Bytes of a count. */
  readonly countBytes: number;
  readonly filled: number;
  readonly lexemes: number;
}

/** The file is not what was written. */
export class DamagedSegment extends Error {}

/** Writes a segment in steps of one frame; returns the bytes of the file. `name`: of the file, which its digests cover. */
export function* writeSegment(file: FileHandle, name: string, cipher: Cipher | null, origin: SegmentOrigin, segment: TextSegment): Generator<void, number> {
  const { terms, starts, rows, counts, lengths, filled, lexemes } = segment;
  const sections = [terms.bytes, bytesOf(terms.ends), bytesOf(starts), bytesOf(rows), bytesOf(counts), bytesOf(lengths)];
  const head: Head = { ...origin, sections: sections.map(({ length }) => length), countBytes: counts.BYTES_PER_ELEMENT, filled, lexemes };
  let end = 0;
  let number = 0;
  const put = (plain: Uint8Array): void => {
    const bound = Buffer.from(`${name}:${number++}`);
    const content = cipher === null ? plain : sealed(cipher, plain, bound);
    const frame = Buffer.allocUnsafe(4 + content.length + DIGEST_BYTES);
    frame.writeUInt32LE(content.length, 0);
    frame.set(content, 4);
    frame.set(digest(bound, content), 4 + content.length);
    file.write(frame, end);
    end += frame.length;
  };
  put(Buffer.from(JSON.stringify(head)));
  for (const section of sections) {
    for (let at = 0; at < section.length; at += FRAME_BYTES) {
      yield;
      put(section.subarray(at, at + FRAME_BYTES));
    }
  }
  return end;
}

/** What a file was made from. Throws DamagedSegment. */
export function readOrigin(file: FileHandle, name: string, cipher: Cipher | null): SegmentOrigin {
  return new Frames(file, name, cipher).head();
}

/** Reads the whole segment in steps of one frame. Throws DamagedSegment. `tree`: the rows that it was made from. */
export function* readSegment(file: FileHandle, name: string, cipher: Cipher | null, tree: Node): Generator<void, TextSegment> {
  const frames = new Frames(file, name, cipher);
  const { sections, countBytes, filled, lexemes } = frames.head();
  const read: ArrayBuffer[] = [];
  for (const size of sections) {
    const section = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const plain = frames.next();
      if (plain.length === 0 || at + plain.length > size) throw new DamagedSegment('a section has another size');
      section.set(plain, at);
      at += plain.length;
      yield;
    }
    read.push(section.buffer);
  }
  const [names, ends, starts, rows, counts, lengths] = read;
  const segment = {
    tree,
    terms: Terms.from(Buffer.from(names), new Uint32Array(ends)),
    starts: new Uint32Array(starts),
    rows: new Uint32Array(rows),
    counts: countBytes === 2 ? new Uint16Array(counts) : new Uint32Array(counts),
    lengths: new Uint32Array(lengths),
    filled,
    lexemes,
  };
  if (segment.lengths.length !== tree.count || segment.starts.length !== segment.terms.count + 1) throw new DamagedSegment('it is of another state');
  return { ...segment, sizeBytes: sections.reduce((sum, size) => sum + size, 0) };
}

class Frames {
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #cipher: Cipher | null;
  #at = 0;
  #number = 0;

  constructor(file: FileHandle, name: string, cipher: Cipher | null) {
    this.#file = file;
    this.#name = name;
    this.#cipher = cipher;
  }

  head(): Head {
    const text = Buffer.from(this.next()).toString();
    const head = JSON.parse(text) as Head;
    const { release, table, source, page, hash, sections, countBytes, filled, lexemes } = head;
    const isWhole =
      typeof release === 'string' &&
      typeof hash === 'string' &&
      [table, page, filled, lexemes].every(Number.isSafeInteger) &&
      (countBytes === 2 || countBytes === 4) &&
      Array.isArray(source?.fields) &&
      Array.isArray(source.present) &&
      Array.isArray(sections) &&
      sections.length === SECTIONS;
    if (!isWhole) throw new DamagedSegment('its first frame says something else');
    // Memory is taken by these sizes before the frames are read.
    const bytes = sections.reduce((sum, size) => sum + (Number.isSafeInteger(size) && size >= 0 ? size : Infinity), 0);
    if (bytes > this.#file.sizeBytes()) throw new DamagedSegment(`sections of ${bytes} bytes`);
    return head;
  }

  next(): Uint8Array {
    const size = this.#read(4).readUInt32LE(0);
    if (size > FRAME_BYTES + SEALED_OVERHEAD_BYTES) throw new DamagedSegment(`a frame of ${size} bytes`);
    const bound = Buffer.from(`${this.#name}:${this.#number++}`);
    const content = this.#read(size);
    if (!this.#read(DIGEST_BYTES).equals(digest(bound, content))) throw new DamagedSegment(`frame ${this.#number - 1} has another digest`);
    const plain = this.#cipher === null ? content : this.#cipher.open(content, bound);
    if (plain === null) throw new DamagedSegment(`frame ${this.#number - 1} is not authentic`);
    return plain;
  }

  #read(size: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(size);
    if (this.#file.read(bytes, this.#at) !== size) throw new DamagedSegment('it was cut short');
    this.#at += size;
    return bytes;
  }
}

function bytesOf(numbers: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function sealed(cipher: Cipher, plain: Uint8Array, bound: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(plain.length + SEALED_OVERHEAD_BYTES);
  cipher.seal(out, 0, plain, bound);
  return out;
}

function digest(bound: Uint8Array, content: Uint8Array): Buffer {
  return createHash('sha256').update(bound).update(content).digest().subarray(0, DIGEST_BYTES);
}
