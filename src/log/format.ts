/**
 * Bytes of the event log; docs/formats/log.md gives the grammar and a worked example.
 *
 *   segment = header, frame*, (zeros | footer)
 *   frame   = length u32, crc32c u32, then `length` bytes: flags u8, sequence u48, durable u32, (first frame
 *             of a record:) type u16, version u8, at u64, world u48, actor, payload
 *
 * In an encrypted folder the bytes after `durable` are encrypted and authenticated with the bytes before it (storage/cipher.ts). Checksums and the
 * Merkle tree cover the encrypted bytes, so torn tails and damage are found without the key.
 */
import { crc32c } from '@node-rs/crc32';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { assert } from '../base/assert.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { type Cipher, notAuthentic, SEALED_OVERHEAD_BYTES } from '../storage/cipher.ts';
import type { LogChunk, LogPayload } from './log-store.ts';

export const LOG_FORMAT_VERSION = 1;
export const SEGMENT_MAGIC = 'svclog\r\n';
export const FOOTER_MAGIC = 'svcfoot\n';
/** First bytes of a footer's body. */
export const FOOTER_START = '{"last":';

export const FRAME_PREFIX_BYTES = 8;
/** flags, sequence, durable. */
const FRAME_HEAD_BYTES = 11;
const RECORD_HEAD_BYTES = 17;
export const FRAME_PAYLOAD_MAX = 1024 * 1024;
const COMPRESS_FROM = 4096;

const MORE = 1;
const COMPRESSED = 2;
const CONTINUES = 4;
const SEALED = 8;

export interface SegmentHeader {
  first: Sequence;
  folderId: string;
  /** Compact range of the Merkle tree over all earlier records. */
  range: Buffer[];
  /** Its frames are encrypted. */
  sealed?: boolean;
}

export interface RecordHead {
  type: number;
  version: number;
  at: Micros;
  world: WorldNumber;
  actor: string;
}

export interface Frame {
  sequence: Sequence;
  more: boolean;
  /** null on the later frames of a long record. */
  head: RecordHead | null;
  payload: Uint8Array;
  /** Offset of the next frame. */
  end: number;
}

/** A part of a payload, compressed in a worker thread. At most `FRAME_PAYLOAD_MAX` bytes. */
export function packChunk(bytes: Uint8Array): Promise<LogChunk> {
  assert(bytes.length <= FRAME_PAYLOAD_MAX, 'a chunk fits a frame');
  const length = bytes.length;
  if (length < COMPRESS_FROM) return Promise.resolve({ bytes, length, compressed: false });
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: 1 }, (error, small) => {
      if (error !== null) reject(error);
      else if (small.length < length * 0.9) resolve({ bytes: small, length, compressed: true });
      else resolve({ bytes, length, compressed: false });
    });
  });
}

/** Payload bytes of a record. */
export function payloadLength(payload: LogPayload): number {
  if (!Array.isArray(payload)) return (payload as Uint8Array).length;
  let length = 0;
  for (const part of payload as readonly LogChunk[]) length += part.length;
  return length;
}

/** Fits in one chunk, uncompressed. */
function isShort(payload: LogPayload): payload is Uint8Array {
  return !Array.isArray(payload) && (payload as Uint8Array).length < COMPRESS_FROM;
}

function* chunksOf(payload: LogPayload): Iterable<LogChunk> {
  if (Array.isArray(payload)) {
    yield* payload as readonly LogChunk[];
    return;
  }
  const bytes = payload as Uint8Array;
  let done = 0;
  do {
    const part = bytes.subarray(done, done + FRAME_PAYLOAD_MAX);
    const { length } = part;
    done += length;
    if (length >= COMPRESS_FROM) {
      const small = deflateRawSync(part, { level: 1 });
      if (small.length < length * 0.9) {
        yield { bytes: small, length, compressed: true };
        continue;
      }
    }
    yield { bytes: part, length, compressed: false };
  } while (done < bytes.length);
}

/** Encodes one record's frames into `out` at `at`; returns their end. `need` grows the buffer. */
export function encodeRecord(
  out: { buffer: Buffer; need(bytes: number): void },
  start: number,
  sequence: Sequence,
  durable: Sequence,
  head: RecordHead,
  payload: LogPayload,
  cipher: Cipher | null = null,
): number {
  let at = start;
  let done = 0;
  const whole = payloadLength(payload);
  if (Array.isArray(payload)) {
    let room = FRAME_HEAD_BYTES + RECORD_HEAD_BYTES + 256;
    for (const { bytes } of payload as readonly LogChunk[]) room += bytes.length + FRAME_PREFIX_BYTES + FRAME_HEAD_BYTES + SEALED_OVERHEAD_BYTES;
    out.need(at + room);
  }
  for (const { bytes: chunk, length: raw, compressed } of isShort(payload)
    ? [{ bytes: payload, length: payload.length, compressed: false }]
    : chunksOf(payload)) {
    const first = done === 0;
    done += raw;
    const flags = (done < whole ? MORE : 0) | (first ? 0 : CONTINUES) | (compressed ? COMPRESSED : 0) | (cipher === null ? 0 : SEALED);
    const actorBytes = first ? Buffer.byteLength(head.actor) : 0;
    const headBytes = FRAME_HEAD_BYTES + (first ? RECORD_HEAD_BYTES + 1 + actorBytes : 0);
    const length = headBytes + chunk.length + (cipher === null ? 0 : SEALED_OVERHEAD_BYTES);
    out.need(at + FRAME_PREFIX_BYTES + length);
    const { buffer } = out;
    buffer.writeUInt32LE(length, at);
    let p = at + FRAME_PREFIX_BYTES;
    buffer[p] = flags;
    buffer.writeUIntLE(sequence, p + 1, 6);
    buffer.writeUInt32LE(Math.min(sequence - durable, 0xffffffff), p + 7);
    p += FRAME_HEAD_BYTES;
    if (first) {
      buffer.writeUInt16LE(head.type, p);
      buffer[p + 2] = head.version;
      buffer.writeUIntLE(head.at % 0x1000000000000, p + 3, 6);
      buffer.writeUInt16LE(Math.floor(head.at / 0x1000000000000), p + 9);
      buffer.writeUIntLE(head.world, p + 11, 6);
      assert(actorBytes < 256, "an actor's name is short");
      buffer[p + 17] = actorBytes;
      if (actorBytes > 0) buffer.write(head.actor, p + 18);
      p += RECORD_HEAD_BYTES + 1 + actorBytes;
    }
    buffer.set(chunk, p);
    if (cipher !== null) {
      const body = at + FRAME_PREFIX_BYTES;
      const sealedFrom = body + FRAME_HEAD_BYTES;
      cipher.seal(buffer, sealedFrom, buffer.subarray(sealedFrom, p + chunk.length), buffer.subarray(body, sealedFrom));
    }
    buffer.writeUInt32LE(crc32c(buffer.subarray(at + FRAME_PREFIX_BYTES, at + FRAME_PREFIX_BYTES + length)), at + 4);
    at += FRAME_PREFIX_BYTES + length;
  }
  return at;
}

/** End and head fields of a frame, in one reused object: a scan may meet millions of frames. */
export class FrameScan {
  sequence = 0 as Sequence;
  /** Everything up to here was on disk when the record was appended. */
  durable = 0 as Sequence;
  flags = 0;
  /** Offset of the next frame. */
  end = 0;

  /** Reads the head of the frame at `at`; false without a whole, valid frame there. XX001 if its encryption does not match the folder. */
  read(bytes: Buffer, at: number, cipher: Cipher | null): boolean {
    const body = at + FRAME_PREFIX_BYTES;
    if (body + FRAME_HEAD_BYTES > bytes.length) return false;
    const length = bytes.readUInt32LE(at);
    const end = body + length;
    if (length < FRAME_HEAD_BYTES || length > FRAME_PAYLOAD_MAX + 1024 || end > bytes.length) return false;
    if (crc32c(bytes.subarray(body, end)) !== bytes.readUInt32LE(at + 4)) return false;
    this.flags = bytes[body];
    this.sequence = (bytes.readUInt32LE(body + 1) + bytes.readUInt16LE(body + 5) * 0x100000000) as Sequence;
    this.durable = (this.sequence - bytes.readUInt32LE(body + 7)) as Sequence;
    this.end = end;
    if ((this.flags & SEALED) === 0 && cipher !== null) throw notAuthentic(`event ${this.sequence} of the log`);
    return true;
  }

  /** Whether the record continues in the next frame. */
  get more(): boolean {
    return (this.flags & MORE) !== 0;
  }

  /** Whether the record began in an earlier frame. */
  get continues(): boolean {
    return (this.flags & CONTINUES) !== 0;
  }
}

const scan = new FrameScan();

/** The frame at `at`, or null without a whole, valid one. XX001 if a whole frame's encryption does not match the folder. */
export function decodeFrame(bytes: Buffer, at: number, cipher: Cipher | null): Frame | null {
  if (!scan.read(bytes, at, cipher)) return null;
  const { sequence, flags, end } = scan;
  let plain = bytes;
  let p = at + FRAME_PREFIX_BYTES + FRAME_HEAD_BYTES;
  let to = end;
  if ((flags & SEALED) !== 0) {
    if (cipher === null) throw new SvcError('28000', `event ${sequence} of the log is encrypted`, { hint: 'Set SVC_KEY or SVC_KEY_FILE.' });
    const opened = cipher.open(bytes.subarray(p, end), bytes.subarray(at + FRAME_PREFIX_BYTES, p));
    if (opened === null) throw notAuthentic(`event ${sequence} of the log`);
    plain = opened;
    p = 0;
    to = plain.length;
  }
  let head: RecordHead | null = null;
  if ((flags & CONTINUES) === 0) {
    if (to - p < RECORD_HEAD_BYTES + 1) return null;
    const actorBytes = plain[p + 17];
    head = {
      type: plain.readUInt16LE(p),
      version: plain[p + 2],
      at: (plain.readUInt32LE(p + 3) + plain.readUInt32LE(p + 7) * 0x100000000) as Micros,
      world: (plain.readUInt32LE(p + 11) + plain.readUInt16LE(p + 15) * 0x100000000) as WorldNumber,
      actor: actorBytes === 0 ? '' : plain.toString('utf8', p + 18, p + 18 + actorBytes),
    };
    p += RECORD_HEAD_BYTES + 1 + actorBytes;
  }
  let payload: Uint8Array = plain.subarray(p, to);
  if ((flags & COMPRESSED) !== 0) payload = inflateRawSync(payload);
  return { sequence, more: (flags & MORE) !== 0, head, payload, end };
}

export function encodeHeader(header: SegmentHeader): Buffer {
  const body = Buffer.from(
    JSON.stringify({
      first: header.first,
      folder: header.folderId,
      range: header.range.map((node) => node.toString('base64')),
      ...(header.sealed === true ? { sealed: true } : {}),
    }),
  );
  const out = Buffer.alloc(24 + body.length);
  out.write(SEGMENT_MAGIC, 0, 'latin1');
  out.writeUInt32LE(LOG_FORMAT_VERSION, 8);
  out.writeUInt32LE(body.length, 12);
  out.writeUInt32LE(crc32c(body), 16);
  body.copy(out, 24);
  return out;
}

/** null if the header is incomplete: the segment's creation was cut short. */
export function decodeHeader(bytes: Buffer, file: string): { header: SegmentHeader; bytes: number } | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== SEGMENT_MAGIC) return null;
  const version = bytes.readUInt32LE(8);
  if (version !== LOG_FORMAT_VERSION) {
    throw new SvcError('XX001', `${file} has log format version ${version}, this release reads ${LOG_FORMAT_VERSION}`, {
      hint: 'Open the folder with the release that wrote it.',
    });
  }
  const length = bytes.readUInt32LE(12);
  if (24 + length > bytes.length) return null;
  const body = bytes.subarray(24, 24 + length);
  if (crc32c(body) !== bytes.readUInt32LE(16)) return null;
  const { first, folder, range, sealed = false } = JSON.parse(body.toString()) as { first: number; folder: string; range: string[]; sealed?: boolean };
  return { header: { first: first as Sequence, folderId: folder, range: range.map((node) => Buffer.from(node, 'base64')), sealed }, bytes: 24 + length };
}

export interface Footer {
  last: Sequence;
  /** Offset of the end of the frames. */
  end: number;
  treeHead: string;
  range: Buffer[];
  /** [sequence, offset] of every 256th record. */
  index: [number, number][];
}

/** The footer ends the file: body, then its length, CRC and magic. */
export function encodeFooter(footer: Footer): Buffer {
  const body = Buffer.from(JSON.stringify({ ...footer, range: footer.range.map((node) => node.toString('base64')) }));
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(body.length, 0);
  tail.writeUInt32LE(crc32c(body), 4);
  tail.write(FOOTER_MAGIC, 8, 'latin1');
  return Buffer.concat([body, tail]);
}

export function decodeFooter(tail: Buffer): Footer | null {
  if (tail.length < 16 || tail.toString('latin1', tail.length - 8) !== FOOTER_MAGIC) return null;
  const length = tail.readUInt32LE(tail.length - 16);
  if (length + 16 > tail.length) return null;
  const body = tail.subarray(tail.length - 16 - length, tail.length - 16);
  if (crc32c(body) !== tail.readUInt32LE(tail.length - 12)) return null;
  const footer = JSON.parse(body.toString()) as Omit<Footer, 'range'> & { range: string[] };
  return { ...footer, range: footer.range.map((node) => Buffer.from(node, 'base64')) };
}
