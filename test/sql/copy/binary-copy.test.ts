/** COPY's binary format against the oracle: files that we write, files that we read, and broken ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BinaryCopyReader } from '../../../src/sql/copy/binary-copy-reader.ts';
import { BinaryCopyWriter } from '../../../src/sql/copy/binary-copy-writer.ts';
import { BinaryWriter } from '../../../src/sql/formats/binary-writer.ts';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { ENVIRONMENT } from '../numbers/oracle.ts';
import { CopyOracle, described } from './oracle.ts';

const COLUMNS = [
  { name: 'a', type: LIBRARY.type('int4'), typmod: -1 },
  { name: 'b', type: LIBRARY.type('text'), typmod: -1 },
];
const ROWS: Value[][] = Array.from({ length: 200 }, (_, i) => [i % 7 === 0 ? null : i - 50, i % 11 === 0 ? null : 'é'.repeat(i % 40)]);

let oracle: CopyOracle;
beforeAll(async () => {
  oracle = await CopyOracle.start();
  await oracle.run('create table t(a int4, b text)');
}, 60_000);
afterAll(() => oracle.close());

function read(chunks: readonly Uint8Array[]): string {
  const rows: Value[][] = [];
  try {
    const reader = new BinaryCopyReader('t', COLUMNS, ENVIRONMENT);
    for (const chunk of chunks) reader.push(chunk, (row) => rows.push(row));
    reader.end((row) => rows.push(row));
    return JSON.stringify(rows);
  } catch (error) {
    return described(error);
  }
}

function written(rows: readonly Value[][]): Buffer {
  const writer = new BinaryCopyWriter(
    COLUMNS.map((column) => column.type),
    ENVIRONMENT,
  );
  const out = new BinaryWriter();
  writer.start(out);
  const columns = COLUMNS.map((_, c) => rows.map((row) => row[c]));
  for (let r = 0; r < rows.length; r++) writer.row(out, columns, r);
  writer.finish(out);
  return out.take();
}

test('what is written is read by Postgres and here, wherever it is cut', async () => {
  const bytes = written(ROWS);
  expect(await oracle.read('t', '(format binary)', bytes)).toBe(JSON.stringify(ROWS));
  expect(Buffer.from(await oracle.write('t', '(format binary)'))).toEqual(bytes);
  expect(read([bytes])).toBe(JSON.stringify(ROWS));
  for (const size of [1, 7, 100]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    expect(read(chunks)).toBe(JSON.stringify(ROWS));
  }
});

test('broken files are refused as in Postgres', async () => {
  const good = written([
    [1, 'x'],
    [null, 'yz'],
  ]);
  const patched = (at: number, ...bytes: number[]): Buffer => {
    const copy = Buffer.from(good);
    copy.set(bytes, at);
    return copy;
  };
  const files = [
    ...Array.from({ length: good.length + 1 }, (_, size) => good.subarray(0, size)),
    patched(0, 81),
    patched(13, 1),
    patched(12, 0, 2),
    patched(14, 1),
    patched(15, 255),
    patched(18, 5),
    patched(19, 0, 3),
    patched(19, 255, 254),
    patched(21, 255, 255, 255, 254),
    patched(21, 0, 0, 0, 5),
    patched(21, 0, 0, 0, 3),
    patched(33, 255),
    Buffer.concat([good, Buffer.from([0])]),
  ];
  const differences: string[] = [];
  for (const file of files) {
    const [ours, theirs] = [read([file]), await oracle.read('t', '(format binary)', file)];
    if (ours !== theirs) differences.push(`${file.toString('hex')}\n  ours   ${ours}\n  theirs ${theirs}`);
  }
  expect(differences).toEqual([]);
});

test('a row of more than the limit is refused before it ends', () => {
  const reader = new BinaryCopyReader('t', COLUMNS, ENVIRONMENT, 1000);
  const bytes = written([[1, 'x'.repeat(2000)]]);
  reader.push(bytes.subarray(0, 900), () => {});
  expect(() => reader.push(bytes.subarray(900, 1900), () => {})).toThrow('a row of COPY is too long');
});
