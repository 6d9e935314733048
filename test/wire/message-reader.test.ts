/** Text of a message that is likely to be a known one is read as it stands, whatever was expected. */
import { expect, test } from 'vitest';
import { MessageReader } from '../../src/wire/message-reader.ts';

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
