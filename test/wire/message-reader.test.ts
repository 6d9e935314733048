/** A text is read correctly even if another one was expected; the total of large messages is bounded. */
import { expect, test } from 'vitest';
import { DROPPED, MessageReader } from '../../src/wire/message-reader.ts';
import { WIRE_LIMITS } from '../../src/wire/protocol.ts';

function readerOf(body: string): MessageReader {
  const bytes = Buffer.from(body, 'utf8');
  const message = Buffer.alloc(5 + bytes.length);
  message[0] = 66;
  message.writeInt32BE(4 + bytes.length, 1);
  bytes.copy(message, 5);
  const reader = new MessageReader();
  reader.push(message);
  expect(reader.next()).toBe(66);
  return reader;
}

const TEXTS = ['', 'P0_1', 'P0_2', 'P0_', 'P0_12', 'é', '\u00e9t\u00e9', 'a long name of a statement', '\u{1f600}'];

test.each(TEXTS)('%j', (text) => {
  for (const likely of TEXTS) {
    const reader = readerOf(`${text}\0rest\0`);
    expect(reader.textLike(likely), likely).toBe(text);
    expect(reader.text()).toBe('rest');
    reader.end();
  }
  expect(() => readerOf(text).textLike(text)).toThrow('invalid string in message');
});

/** The start of a message of 60 MB, all but its last byte. */
function begun(): { readonly reader: MessageReader; readonly last: Buffer } {
  const head = Buffer.alloc(5);
  head[0] = 66;
  head.writeInt32BE(60_000_000, 1);
  const reader = new MessageReader();
  reader.push(head);
  reader.keep();
  const part = Buffer.alloc(29_999_997, 1);
  reader.push(part);
  reader.push(part.subarray(0, 29_999_998));
  return { reader, last: Buffer.from([1, 1]) };
}

test('large incomplete messages share a limit', () => {
  const all = Array.from({ length: Math.ceil(WIRE_LIMITS.unreadBytesMax / 60_000_000) + 1 }, begun);
  const types = all.map(({ reader, last }) => {
    reader.push(last);
    return reader.next();
  });
  expect(types[0]).toBe(66);
  expect(types.at(-1)).toBe(DROPPED);
  expect(all.at(-1)!.reader).toMatchObject({ dropped: 66, droppedForRoom: true });
  // What was dropped leaves the stream as it was, and what is read gives its room back.
  for (const [i, { reader }] of all.entries()) {
    reader.push(Buffer.from([83, 0, 0, 0, 4]));
    expect(reader.next(), String(i)).toBe(83);
    expect(reader.next()).toBe(0);
  }
  const { reader, last } = begun();
  reader.push(last);
  expect(reader.next()).toBe(66);
  reader.release();
});
