/** Frontend messages of the Postgres wire protocol (manual 53.7) that a test client needs. */
import type { Value } from './target.ts';

export function frame(kind: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header[0] = kind.charCodeAt(0);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

export function simpleQuery(sql: string): Uint8Array {
  return frame('Q', Buffer.from(`${sql}\0`));
}

/** Parse, Bind, Describe, Execute and Sync of the unnamed statement, all values in text form, types left to the server. */
export function parameterQuery(sql: string, params: readonly Value[]): Uint8Array {
  const values = params.flatMap((value) => (value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)]));
  return Buffer.concat([
    frame('P', Buffer.concat([Buffer.from(`\0${sql}\0`), int16(0)])),
    frame('B', Buffer.concat([Buffer.from('\0\0'), int16(0), int16(params.length), ...values, int16(0)])),
    frame('D', Buffer.from('P\0')),
    frame('E', Buffer.concat([Buffer.from('\0'), int32(0)])),
    frame('S', Buffer.alloc(0)),
  ]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
