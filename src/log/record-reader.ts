/** Whole records out of frames. */
import type { Sequence } from '../base/brands.ts';
import { decodeFrame, type Frame } from './format.ts';
import type { LogPosition, LogRecord } from './log-store.ts';
import type { Cipher } from '../storage/cipher.ts';

/** One record from its frames at `at`; null where they are not whole and valid. */
export function recordAt(
  bytes: Buffer,
  at: number,
  position: LogPosition,
  cipher: Cipher | null,
  wantPayload = true,
): { record: LogRecord; end: number; settled: Sequence } | null {
  const first = decodeFrame(bytes, at, cipher, wantPayload);
  if (first === null || first.head === null) return null;
  let end = at + first.bytes;
  let payload = first.payload;
  if (first.more) {
    const parts = [first.payload];
    let frame: Frame | null = first;
    while (frame.more) {
      frame = decodeFrame(bytes, end, cipher, wantPayload);
      if (frame === null || frame.head !== null || frame.sequence !== first.sequence) return null;
      parts.push(frame.payload);
      end += frame.bytes;
    }
    if (wantPayload) payload = Buffer.concat(parts);
  }
  return { record: { sequence: first.sequence, ...first.head, payload, position }, end, settled: first.settled };
}

/** `count` records that are known to be whole. */
export function* recordsIn(bytes: Buffer, start: number, position: LogPosition, count: number, cipher: Cipher | null): IterableIterator<LogRecord> {
  let at = start;
  for (let i = 0; i < count; i++) {
    const found = recordAt(bytes, at, { segment: position.segment, offset: position.offset + at - start }, cipher);
    if (found === null) return;
    yield found.record;
    at = found.end;
  }
}
