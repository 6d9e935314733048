/** Writing COPY's text and csv formats: the bytes are the oracle's, and read back they are the rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyOptions } from '../../../src/sql/copy/copy-options.ts';
import { CopyReader, type CopyField } from '../../../src/sql/copy/copy-reader.ts';
import { CopyWriter } from '../../../src/sql/copy/copy-writer.ts';
import { BinaryWriter } from '../../../src/sql/formats/binary-writer.ts';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { CopyOracle, described } from './oracle.ts';
import { ENVIRONMENT, seeded } from '../numbers/oracle.ts';

const random = seeded(3);
const PIECES = ['a', 'b', '\t', '\n', '\r', '\b', '\f', '\v', '\u0001', '\\', '"', "'", ',', '|', '\\.', '\\N', 'é', '😀', ' ', 'N', '^', ']', '-'];

function field(): string | null {
  if (random() < 0.15) return null;
  let text = '';
  for (let n = Math.floor(random() * 6); n > 0; n--) text += PIECES[Math.floor(random() * PIECES.length)];
  return text;
}

const ROWS = Array.from({ length: 300 }, () => [field(), field()]);

let oracle: CopyOracle;
beforeAll(async () => {
  oracle = await CopyOracle.start();
  await oracle.run('create table t(a text, "b,c" text)');
  await oracle.rows('insert into t select r ->> 0, r ->> 1 from jsonb_array_elements($1::jsonb) r', [JSON.stringify(ROWS)]);
}, 60_000);
afterAll(() => oracle.close());

function optionsOf(list: string, direction: 'from' | 'to') {
  const [statement] = parse(`copy t ${direction} ${direction === 'from' ? 'stdin' : 'stdout'} ${list}`);
  if (statement.type !== 'copy') throw new Error('no COPY');
  return copyOptions(statement.options, direction);
}

test.each([
  '',
  '(header)',
  "(delimiter '|', null 'N')",
  "(delimiter '^')",
  "(delimiter ']', null '')",
  "(delimiter '-')",
  '(format csv)',
  '(format csv, header)',
  "(format csv, delimiter '|', quote '''', null 'N')",
  "(format csv, escape '\\')",
  "(format csv, quote '^', escape ']', delimiter '-')",
  '(format csv, force_quote (a))',
  '(format csv, force_quote *, header)',
])('rows are written as Postgres writes them: %s', async (list) => {
  const writer = new CopyWriter(optionsOf(list, 'to'), { relation: 't', columns: ['a', 'b,c'], tableColumns: ['a', 'b,c'] });
  for (const row of ROWS) writer.row(row);
  const bytes = writer.take();
  const direct = new CopyWriter(optionsOf(list, 'to'), { relation: 't', columns: ['a', 'b,c'], tableColumns: ['a', 'b,c'] });
  const out = new BinaryWriter();
  out.bytes(direct.take());
  const write = direct.rows([LIBRARY.type('text'), LIBRARY.type('text')], ENVIRONMENT);
  const columns = [0, 1].map((c) => ROWS.map((row) => row[c]));
  for (let r = 0; r < ROWS.length; r++) write(out, columns, r);
  expect(out.take().toString()).toBe(Buffer.from(bytes).toString());
  expect(Buffer.from(bytes).toString()).toBe(Buffer.from(await oracle.write('t', list)).toString());

  // A text that is the null representation reads as null, but for csv, where it is quoted.
  if (list.includes('force') || (!list.includes('csv') && list.includes('null'))) return;
  const reader = new CopyReader(optionsOf(list, 'from'), { relation: 't', columns: ['a', 'b,c'] });
  const rows: CopyField[][] = [];
  reader.push(bytes, (row) => rows.push(row));
  reader.end((row) => rows.push(row));
  expect(rows).toEqual(ROWS);
});

test('one column of csv quotes the end marker', async () => {
  const writer = new CopyWriter(optionsOf('(format csv)', 'to'), { relation: '', columns: ['a'] });
  writer.row(['\\.']);
  writer.row([null]);
  writer.row(['']);
  expect(Buffer.from(writer.take())).toEqual(Buffer.from(await oracle.write(`(values ('\\.'), (null), (''))`, '(format csv)')));
});

test('encodings of one byte', () => {
  const writer = new CopyWriter(optionsOf("(encoding 'latin1')", 'to'), { relation: '', columns: ['a'] });
  writer.row(['é']);
  expect(Buffer.from(writer.take())).toEqual(Buffer.from([0xe9, 10]));
  writer.row(['€']);
  let error = '';
  try {
    writer.take();
  } catch (raised) {
    error = described(raised);
  }
  expect(error).toBe('22P05 | character with byte sequence 0xe2 0x82 0xac in encoding "UTF8" has no equivalent in encoding "LATIN1" |  |  |  | ');
});
