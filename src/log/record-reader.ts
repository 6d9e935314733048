/** Reads whole records from frames. */
import { decodeFrame, type Frame, type FrameScan } from './format.ts';
import type { LogPosition, LogRecord } from './log-store.ts';
import type { Cipher } from '../storage/cipher.ts';

/** The record whose frames start at `at`; null if they are not whole and valid. */
export function recordAt(bytes: Buffer, at: number, position: LogPosition, cipher: Cipher | null): { record: LogRecord; end: number } | null {
  const first = decodeFrame(bytes, at, cipher);
  if (first === null || first.head === null) return null;
  const { sequence, head } = first;
  let { end, payload } = first;
  if (first.more) {
    const parts = [payload];
    let frame: Frame | null = first;
    while (frame.more) {
      frame = decodeFrame(bytes, end, cipher);
      if (frame === null || frame.head !== null || frame.sequence !== sequence) return null;
      parts.push(frame.payload);
      end = frame.end;
    }
    payload = Buffer.concat(parts);
  }
  const { type, version, at: atMicros, world, actor } = head;
  return { record: { sequence, type, version, at: atMicros, world, actor, payload, position }, end };
}

/** Scans the frames of one record without decoding them: `scan` ends at the last one. False if they are not whole and valid. */
export function scanRecord(bytes: Buffer, at: number, cipher: Cipher | null, scan: FrameScan): boolean {
  if (!scan.read(bytes, at, cipher) || scan.continues) return false;
  const { sequence } = scan;
  while (scan.more) if (!scan.read(bytes, scan.end, cipher) || !scan.continues || scan.sequence !== sequence) return false;
  return true;
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
