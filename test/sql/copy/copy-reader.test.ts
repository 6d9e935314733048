/** Reading COPY's text and csv formats against the oracle: written cases, generated ones, and all ways to cut the bytes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Option } from '../../../src/sql/ast/define.ts';
import { copyOptions } from '../../../src/sql/copy/copy-options.ts';
import { CopyReader, type CopyField } from '../../../src/sql/copy/copy-reader.ts';
import { CopyOracle, described } from './oracle.ts';
import { seeded } from '../numbers/oracle.ts';

type Given = Record<string, string>;

function optionsOf(given: Given): Option[] {
  return Object.entries(given).map(([name, value]) => ({
    namespace: null,
    name,
    value: name.startsWith('force_') ? { type: 'list', values: [{ type: 'string', value }] } : { type: 'string', value },
    action: 'none',
    at: 0,
  }));
}

function sqlOf(given: Given): string {
  const list = Object.entries(given).map(([name, value]) => `${name} ${name.startsWith('force_') ? `(${value})` : `'${value.replaceAll("'", "''")}'`}`);
  return list.length === 0 ? '' : `(${list.join(', ')})`;
}

/** Rows as JSON, or the error. */
function read(given: Given, chunks: readonly Uint8Array[], columns = ['a', 'b']): string {
  const rows: CopyField[][] = [];
  const sink = (fields: CopyField[]): void => {
    rows.push(fields);
  };
  try {
    const reader = new CopyReader(copyOptions(optionsOf(given), 'from'), { relation: 't', columns });
    for (const chunk of chunks) reader.push(chunk, sink);
    reader.end(sink);
    return JSON.stringify(rows);
  } catch (error) {
    return described(error);
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Bytes are written as Latin-1. */
const CASES: [Given, string[]][] = [
  [
    {},
    [
      '',
      '\n',
      'a\tb\n',
      'a\tb',
      'a\tb\r\nc\td\r\n',
      'a\tb\rc\td\r',
      'a\tb\rc\td',
      'a\n',
      'a\tb\tc\n',
      'a\tb\n\\.',
      'a\tb\n\\.\n',
      '\\.\n',
      'a\tb\n\\.\nx\tx\n',
      'a\tb\nx\\.\n',
      'a\tb\nc\td\\.\n',
      'a\tb\nc\td\\\\.\n',
      'a\tb\r\n\\.\n',
      'a\tb\r\n\\.\r\n',
      'a\tb\r\n\\.\rx\n',
      'a\tb\r\n\\.x\n',
      'a\tb\r\\.\r',
      'a\tb\n\\.\r\nqq',
      'a\tb\n\\.x\n',
      'a\tb\r\nc\td\n',
      'a\tb\nc\td\r\n',
      'a\tb\rc\td\n',
      'a\tb\r\nc\rx\td\r\n',
      'a\tb\\\nc\n',
      'a\\\tx\tb\n',
      'a\\\r\tx\\\n\n',
      'a\tb\\',
      'a\t\\',
      '\\N\t\\N\n',
      '\\N\tx\\N\n',
      '\\N \t\\n\n',
      'a\t\\x41\\x\\101\\0611\\b\\q\\xg\\x4g\\8\\18\\777\n',
      'a\t\\303\\251\\xc3\\xa9\\xc3\xa9\n',
      'a\t\\377\n',
      'a\t\\303\n',
      'a\t\\0\n',
      'a\t\\400\n',
      'a\t\\x00\n',
      'a\t\xc3\xa9\n',
      'a\t\xf0\x9f\x98\x80\\\xf0\x9f\x98\x80\nc\td\n',
      'a\t\xef\xbf\xbd\n',
    ],
  ],
  [{ null: '' }, ['\t\n', 'a\t\\\n', 'a\t\\', '\\N\t\n']],
  [{ null: 'null', delimiter: '|' }, ['null|x\n', 'nul\\l|x\n', 'a\\|b|\tnull\n']],
  [{ default: 'D' }, ['D\tx\n', '\\D\tx\n', 'x\t\\N\n']],
  [{ default: '\\D' }, ['\\D\tx\n', 'D\tx\n']],
  [{ header: 'true' }, ['', 'x\n', 'x\ty\n1\t2\n', 'x']],
  [{ header: 'match' }, ['', 'a\tb\n', 'a\tb\n1\t2\n', 'a\tc\n', 'a\n', 'a\tb\tc\n', 'a\t\\N\n', '\\x61\tb\n1\t2\n']],
  [{ header: 'match', format: 'csv' }, ['a,b\n1,2\n', '"a","b"\n1,2\n', 'a,\n', 'a,b,c\n', 'a,"b\n"\n']],
  [
    { format: 'csv' },
    [
      '',
      '\n',
      'a,b\n',
      'a,b',
      ',""\n',
      ' a , b \n',
      '"a","b"\n',
      '"a""b","c,d"\n',
      'a,"b\nc"\nd\n',
      'a,b\n"x\ny\nz",w\nd\n',
      'a,"b\n',
      'a,b\nc,"d\ne\nf',
      'a,"b"x"y"\n',
      'a,x"y,z"w"q"\n',
      'a,b\r\n"c\n",d\ne,f\r\n',
      'a,b\r\n"c\r\nx",d\r\ne,f\r\n',
      'a,b\n"c\rx",d\n',
      'a,b\n\rc,d\n',
      'a,b\rc,d\n',
      'a',
      'a,b,c\n',
      '\\.a,b\n',
      '\\,b\n',
      '\\',
      'a,\\.\n',
      '"\\.",x\n',
      'a,\xc3\xa9\n',
      '"\xc3\xa9\n\xc3\xa9",b\n',
      'a,"""\n',
      '"""",""""""\n',
    ],
  ],
  [{ format: 'csv', force_null: 'a', force_not_null: 'b' }, ['"",\n', ',""\n']],
  [{ format: 'csv', force_null: 'a', force_not_null: 'b', null: 'N' }, ['N,N\n', '"N","N"\n', ',\n']],
  [{ format: 'csv', default: 'D' }, ['"D",x\n', 'D,x\n']],
  [{ format: 'csv', escape: '\\' }, ['"a\\"b\\\\c\\d",x\\\n', '"a\\",b"\n', '"a\\\\",b\n', '"\\', 'a,"\\"\nx"\n', '\\"a","b\n']],
  [{ format: 'csv', quote: "'", delimiter: ';' }, ["'a;''b';c\n", '"a";"b"\n']],
  [{ encoding: 'latin1' }, ['a\t\xe9\n', 'a\t\\xe9\n']],
];

let oracle: CopyOracle;
beforeAll(async () => {
  oracle = await CopyOracle.start();
  await oracle.run('create table t(a text, b text)');
}, 60_000);
afterAll(() => oracle.close());

test.each(CASES)('%o reads as in Postgres', async (given, inputs) => {
  const differences: string[] = [];
  for (const input of inputs) {
    const [ours, theirs] = [read(given, [bytesOf(input)]), await oracle.read('t', sqlOf(given), bytesOf(input))];
    if (ours !== theirs) differences.push(`${JSON.stringify(input)}\n  ours   ${ours}\n  theirs ${theirs}`);
  }
  expect(differences).toEqual([]);
});

test.each(CASES)('%o reads alike wherever the bytes are cut', (given, inputs) => {
  for (const input of inputs) {
    const bytes = bytesOf(input);
    const whole = read(given, [bytes]);
    for (let cut = 0; cut <= bytes.length; cut++) expect(read(given, [bytes.subarray(0, cut), bytes.subarray(cut)]), `${input} at ${cut}`).toBe(whole);
    expect(
      read(
        given,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
      input,
    ).toBe(whole);
  }
});

test('generated inputs read as in Postgres', async () => {
  const random = seeded(7);
  const pieces = {
    text: ['a', 'b', '\t', '\t', '\n', '\n', '\\', '\\N', '\\n', '\\.', '\\061', '\\x4', '\r', '\xc3\xa9', 'N'],
    csv: ['a', 'b', ',', ',', '\n', '\n', '"', '"', '\\', '\r\n', '\xc3\xa9', '""', ' '],
  };
  const differences: string[] = [];
  for (let n = 0; n < 300; n++) {
    const format = n % 2 === 0 ? 'text' : 'csv';
    const given: Given = format === 'text' ? {} : n % 4 === 1 ? { format } : { format, escape: '\\' };
    const list = pieces[format];
    let input = format === 'text' ? 'x\ty\n' : 'x,y\n';
    for (let k = Math.floor(random() * 12); k >= 0; k--) input += list[Math.floor(random() * list.length)];
    const bytes = bytesOf(input);
    const cut = Math.floor(random() * bytes.length);
    const [ours, theirs] = [read(given, [bytes.subarray(0, cut), bytes.subarray(cut)]), await oracle.read('t', sqlOf(given), bytes)];
    if (ours !== theirs) differences.push(`${n} ${JSON.stringify(input)}\n  ours   ${ours}\n  theirs ${theirs}`);
  }
  expect(differences.slice(0, 10)).toEqual([]);
});

test('csv data ends at \\. alone on a line', () => {
  expect(read({ format: 'csv' }, [bytesOf('a,b\n\\.\nx\n')])).toBe('[["a","b"]]');
  expect(read({ format: 'csv' }, [bytesOf('a,b\r\n\\.\r\nx\n')])).toBe('[["a","b"]]');
  expect(read({ format: 'csv' }, [bytesOf('\\.\n'), bytesOf('x')])).toBe('[]');
  for (const input of ['a,b\n\\.\nx\n', 'a,b\r\n\\.\r\nx\r\n', 'a,b\r\\.\rx\r']) {
    for (let cut = 0; cut <= input.length; cut++) {
      expect(read({ format: 'csv' }, [bytesOf(input.slice(0, cut)), bytesOf(input.slice(cut))]), `${input} at ${cut}`).toBe('[["a","b"]]');
    }
  }
});

test('bytes that are no UTF-8 and zero bytes are refused at their line', () => {
  expect(read({}, [bytesOf('a\tb\nc\t\xff\n')])).toBe('22021 | invalid byte sequence for encoding "UTF8": 0xff |  |  | COPY t, line 2 | ');
  expect(read({}, [bytesOf('a\tb\nab\0c\td\n')])).toBe('22021 | invalid byte sequence for encoding "UTF8": 0x00 |  |  | COPY t, line 2 | ');
  expect(read({ format: 'csv' }, [bytesOf('a,"\0"\n')])).toBe('22021 | invalid byte sequence for encoding "UTF8": 0x00 |  |  | COPY t, line 1 | ');
});

test('characters of several bytes are decoded wherever their bytes are cut, also where one of them is a backslash', () => {
  const bytes = Buffer.from('\x95\x5c\tb\nc\t\x93\xfa\n', 'latin1');
  for (let at = 1; at < bytes.length; at++) {
    expect(read({ encoding: 'sjis' }, [bytes.subarray(0, at), bytes.subarray(at)])).toBe('[["表","b"],["c","日"]]');
  }
  expect(read({ encoding: 'sjis' }, [bytes, Buffer.from('a\t\x95', 'latin1')])).toContain('22021 | invalid byte sequence for encoding "SJIS": 0x95');
});

test('encodings of one byte are decoded, their holes refused', () => {
  expect(read({ encoding: 'win1252', format: 'csv' }, [bytesOf('a,\x80\n')])).toBe('[["a","€"]]');
  expect(read({ encoding: 'win1252' }, [bytesOf('a\t\x81\n')])).toMatch(/^22P05 .* 0x81 in encoding "WIN1252" has no equivalent in encoding "UTF8"/);
});

test('the marker of DEFAULT gives undefined where the column has one', () => {
  const rows: CopyField[][] = [];
  const reader = new CopyReader(copyOptions(optionsOf({ default: 'D' }), 'from'), { relation: 't', columns: ['a', 'b'], defaults: [true, false] });
  reader.push(bytesOf('D\tx\n'), (row) => rows.push(row));
  expect(rows).toEqual([[undefined, 'x']]);
});

test('a table without columns takes empty lines', () => {
  expect(read({}, [bytesOf('\n\n')], [])).toBe('[[],[]]');
  expect(read({}, [bytesOf('x\n')], [])).toBe('22P04 | extra data after last expected column |  |  | COPY t, line 1: "x" | ');
});

test('lines of many blocks come whole', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => [String(i), i % 7 === 0 ? 'é'.repeat(i % 50) : 'x'.repeat(i % 90)]);
  const long = ['l', 'y'.repeat(300_000)];
  const text = [...rows.slice(0, 9000), long, ...rows.slice(9000)].map((row) => `${row.join('\t')}\n`).join('');
  expect(read({}, [Buffer.from(text)])).toBe(JSON.stringify([...rows.slice(0, 9000), long, ...rows.slice(9000)]));
});

test('a line of more than the limit is refused before it ends', () => {
  const reader = new CopyReader(copyOptions([], 'from'), { relation: 't', columns: ['a'] }, 1000);
  const rows: CopyField[][] = [];
  reader.push(Buffer.from(`${'x'.repeat(1000)}\n${'y'.repeat(900)}`), (row) => rows.push(row));
  expect(rows).toHaveLength(1);
  expect(() => reader.push(Buffer.alloc(101, 'y'), () => {})).toThrow('a row of COPY is too long');
});
