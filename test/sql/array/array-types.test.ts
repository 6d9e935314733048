import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { arrayType, equalArrays } from '../../../src/sql/types/array-type.ts';
import type { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { RECORD, equalRecords, recordType } from '../../../src/sql/types/record-type.ts';
import { RecordValue } from '../../../src/sql/types/record-value.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { readHere, readThere, seeded } from '../json/against-oracle.ts';
import { BOOL, ENV, FLOAT8, INT4, MOOD, NUMERIC, PAIR, PLAIN_TYPES_SQL, TEXT, typeNamed } from '../json/plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec(PLAIN_TYPES_SQL);
});
afterAll(() => pg.close());

const INT_ARRAYS = [
  '{}',
  ' {} ',
  '{1}',
  '{1,2,3}',
  '{ 1 , 2 }',
  '{NULL}',
  '{null,nUll}',
  '{{1,2},{3,4}}',
  '{{{1}}}',
  '{{{{{{1}}}}}}',
  '{{{{{{{1}}}}}}}',
  '{{},{}}',
  '{{}}',
  '[0:1]={1,2}',
  '[2]={1,2}',
  '[-1:0][2:3]={{1,2},{3,4}}',
  '[1:1]={1}',
  ' [1:2] = {1,2}',
  '[1:2]={1}',
  '[1:2]={1,2,3}',
  '[1:0]={}',
  '[1:2]={}',
  '[1:2]={{1,2}}',
  '[1:1][1:2]={1,2}',
  '[a]={1}',
  '[1',
  '[1:',
  '[1:]={1}',
  '[]={1}',
  '[1:2]{1,2}',
  '[1:2]=1',
  '[-2147483648:2147483646]={1}',
  '[+1:+2]={1,2}',
  '[ 1:2]={1,2}',
  '',
  ' ',
  '1',
  'x',
  '{',
  '}',
  '{1',
  '{1,',
  '{1,}',
  '{,1}',
  '{,}',
  '{1,,2}',
  '{1}}',
  '{1}x',
  '{1} x',
  '{1} ',
  '{{1},2}',
  '{1,{2}}',
  '{{1},{2,3}}',
  '{{1,2},{3}}',
  '{1 2}',
  '{"1"}',
  '{"1}',
  '{"1"2}',
  '{1"2"}',
  '{"1" }',
  '{ "1" , 2}',
  '{\\1}',
  '{1\\',
  '{"1\\',
  '{a}',
  '{"NULL"}',
  '{99999999999}',
  '{{1}{2}}',
  '{1{2}}',
  '{{1}2}',
  '{{1},}',
  '{{{1},{2}},{{3},{4}}}',
  '{{{1},{2}},{{3}}}',
  '[1:2][1:1]={{1},{2}}',
  '[1:1][1:1][1:1][1:1][1:1][1:1][1:1]={1}',
];
const TEXT_ARRAYS = [
  '{a,b}',
  '{ a b , c }',
  '{"a b"}',
  '{"a,b","c\\"d","e\\\\f","{","}",""}',
  '{\\{}',
  '{a\\ }',
  '{ a\\  }',
  '{nul\\l}',
  '{"null"}',
  '{NULL}',
  '{null }',
  '{é,😀}',
  '{"\t"}',
  '{a\tb}',
  '{"a"  ,"b"}',
  '{"a" {}',
  '{"a" x}',
  '{\u00a0}',
  '{a"b"}',
  '{a\nb}',
  '{\\"}',
  '{""}',
  '{a{}',
  '{{a},{"b c"}}',
  '{\v}',
  "{'a'}",
  '{(1,2)}',
  '[5:6]={a,NULL}',
];

test('arrays are read, refused and printed as in Postgres', async () => {
  for (const text of INT_ARRAYS)
    expect([text, plain(text, readHere(typeNamed('_int4'), text))]).toEqual([text, plain(text, await readThere(pg, 'int4[]', text))]);
  for (const text of TEXT_ARRAYS)
    expect([text, plain(text, readHere(typeNamed('_text'), text))]).toEqual([text, plain(text, await readThere(pg, 'text[]', text))]);
});

test('random garbage of array characters fares as in Postgres', async () => {
  const next = seeded(11);
  const pieces = ['{', '}', ',', '"', '\\', ' ', 'a', 'NULL', '1', '{', '}', ',', '[1:2]', '='];
  for (let i = 0; i < 600; i++) {
    const text = `${next(3) > 0 ? '{' : ''}${Array.from({ length: next(9) }, () => pieces[next(pieces.length)]).join('')}${next(3) > 0 ? '}' : ''}`;
    expect([text, plain(text, readHere(typeNamed('_text'), text))]).toEqual([text, plain(text, await readThere(pg, 'text[]', text))]);
  }
});

/** Without what release 15 says of a malformed literal in words of its own; nested braces without elements are such a literal to it. */
function plain(text: string, outcome: unknown): unknown {
  if (outcome === '{}' && !/^\s*\{\s*\}\s*$/.test(text)) return 'malformed';
  const { code, message } = (outcome ?? {}) as { code?: string; message?: string };
  if (code === '22P02' && message?.startsWith('malformed array literal') === true) return 'malformed';
  return code === '54000' || code === '2202E' ? code : outcome;
}

test('a malformed literal is described as in Postgres 15', () => {
  const said = (text: string): unknown => (readHere(typeNamed('_text'), text) as { detail?: string }).detail;
  expect(said('{{1,{2}},{2,3}}')).toBe('Unexpected "{" character.');
  expect(said('{{},{}}')).toBe('Unexpected "}" character.');
  expect(said('{{1,2},\\{2,3}}')).toBe('Unexpected "\\" character.');
  expect(said('{{"1 2" x},{3}}')).toBe('Unexpected array element.');
  expect(said('{{1,2},{3}}')).toBe('Multidimensional arrays must have sub-arrays with matching dimensions.');
  expect(said('[1:2]={1,2,3}')).toBe('Specified array dimensions do not match array contents.');
  expect(said('{1}}')).toBe('Junk after closing right brace.');
});

test('order, equality and hash keys of arrays', async () => {
  const texts = [
    '{}',
    '{1}',
    '{2}',
    '{1,2}',
    '{1,1}',
    '{NULL}',
    '{1,NULL}',
    '{NULL,1}',
    '{{1,2}}',
    '{{1},{2}}',
    '[0:1]={1,2}',
    '{{1,2},{3,4}}',
    '{1,2,3,4}',
    '{{{1,2}}}',
    '[2:3]={1,2}',
    '{-1}',
    '{10}',
  ];
  const type = typeNamed('_int4');
  const result = await pg.query<[string, string, number, boolean]>(
    'select a, b, btarraycmp(a::int4[], b::int4[]), a::int4[] = b::int4[] from unnest($1::text[]) a, unnest($1::text[]) b',
    [texts],
    { rowMode: 'array' },
  );
  for (const [a, b, order, equal] of result.rows) {
    const x = type.parse(a, -1, ENV) as ArrayValue;
    const y = type.parse(b, -1, ENV) as ArrayValue;
    expect([a, b, type.compare(x, y), equalArrays(x, y, INT4), type.hashKey(x) === type.hashKey(y)]).toEqual([a, b, order, equal, equal]);
  }
});

test('hash keys of text arrays do not run into each other', () => {
  const type = typeNamed('_text');
  const keys = ['{a,b}', '{"a;1:b"}', '{"1:a",b}', '{a,NULL}', '{a,n}', '{"",""}', '{""}', '{"n;"}', '{NULL}'].map((text) =>
    type.hashKey(type.parse(text, -1, ENV)),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('arrays leave as nested lists', () => {
  expect(typeNamed('_int4').json(typeNamed('_int4').parse('{{1,2},{3,NULL}}', -1, ENV), ENV)).toEqual([
    [1, 2],
    [3, null],
  ]);
  expect(typeNamed('_numeric').json(typeNamed('_numeric').parse('{1.50}', -1, ENV), ENV)).toEqual(['1.50']);
  expect(typeNamed('_int4').json(typeNamed('_int4').parse('{}', -1, ENV), ENV)).toEqual([]);
});

test('an array type carries what its elements have', () => {
  const type = arrayType(typeNamed('json'), 199);
  expect(type).toMatchObject({ name: '_json', title: 'json[]', oid: 199, category: 'A', ordered: false, hashable: false, arrayOid: 0 });
});

test('enums: labels, order and what is no label', async () => {
  for (const label of ['sad', 'ok', 'happy', 'SAD', '', 'x']) expect([label, readHere(MOOD, label)]).toEqual([label, await readThere(pg, 'mood', label)]);
  for (const a of MOOD.labels!) {
    for (const b of MOOD.labels!) {
      const there = (await pg.query<[number]>('select enum_cmp($1::text::mood, $2::text::mood)', [a, b], { rowMode: 'array' })).rows[0][0];
      expect([a, b, Math.sign(MOOD.compare(a, b))]).toEqual([a, b, Math.sign(there)]);
    }
  }
});

test('records print as in Postgres', async () => {
  const fields: [SqlType, string | null][] = [
    [TEXT, 'a'],
    [TEXT, 'b c'],
    [TEXT, ''],
    [TEXT, null],
    [TEXT, 'q"q'],
    [TEXT, 'b\\s'],
    [TEXT, 'x,y'],
    [TEXT, '(p)'],
    [INT4, '7'],
    [BOOL, 't'],
    [NUMERIC, '1.50'],
    [typeNamed('_int4'), '{1,2}'],
    [typeNamed('_text'), '{"a b",NULL}'],
    [MOOD, 'ok'],
    [FLOAT8, '0.5'],
    [TEXT, '\t'],
    [TEXT, 'é'],
  ];
  const next = seeded(3);
  for (let i = 0; i < 100; i++) {
    const row = Array.from({ length: 1 + next(4) }, () => fields[next(fields.length)]);
    const value = new RecordValue(
      row.map(([type, text]) => (text === null ? null : type.parse(text, -1, ENV))),
      row.map(([type]) => type),
    );
    const sql = `select row(${row.map(([type, text]) => (text === null ? 'null' : `'${text}'::${type.title}`)).join(', ')})::text`;
    const there = (await pg.query<[string]>(sql, [], { rowMode: 'array' })).rows[0][0];
    expect([sql, RECORD.format(value, ENV)]).toEqual([sql, there]);
  }
});

test('composite text is read as in Postgres', async () => {
  const texts = [
    '(1,a)',
    ' (1,a) ',
    '(,)',
    '(1,)',
    '(1,"")',
    '(1,"a ""b"" c")',
    '(1,a\\,b)',
    '(1,"a\\"b")',
    '( 1 , a )',
    '',
    '1,a',
    '(1',
    '(1)',
    '(1,a',
    '(1,a,b)',
    '(1,a)x',
    '("1",a)',
    '(1,"a)',
    '(x,a)',
    '(1,a"b,c"d)',
    '(1,()',
  ];
  for (const text of texts) expect([text, readHere(PAIR, text)]).toEqual([text, await readThere(pg, 'pair', text)]);
  expect(readHere(RECORD, '(1)')).toMatchObject({ code: '0A000', message: 'input of anonymous composite types is not implemented' });
});

test('records compare as in Postgres, null with null and of equal types only', async () => {
  const rows: [string, RecordValue][] = [
    ["row(1,'a'::text)", new RecordValue([1, 'a'], [INT4, TEXT])],
    ["row(1,'b'::text)", new RecordValue([1, 'b'], [INT4, TEXT])],
    ['row(1,null::text)', new RecordValue([1, null], [INT4, TEXT])],
    ["row(null::int,'a'::text)", new RecordValue([null, 'a'], [INT4, TEXT])],
    ['row(1,2)', new RecordValue([1, 2], [INT4, INT4])],
    ['row(1)', new RecordValue([1], [INT4])],
    ["row(2,'a'::text)", new RecordValue([2, 'a'], [INT4, TEXT])],
    ['row(1,null::int)', new RecordValue([1, null], [INT4, INT4])],
    ["row(1,'{}'::json)", new RecordValue([1, '{}'], [INT4, typeNamed('json')])],
  ];
  const attempt = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return (error as SvcError).message;
    }
  };
  for (const [a, x] of rows) {
    for (const [b, y] of rows) {
      for (const [fn, run] of [
        ['btrecordcmp', () => RECORD.compare(x, y)],
        ['record_eq', () => equalRecords(x, y)],
      ] as const) {
        const there = await pg.query<[unknown]>(`select ${fn}(${a}, ${b})`, [], { rowMode: 'array' }).then(
          (r) => r.rows[0][0],
          (error: Error) => error.message,
        );
        expect([fn, a, b, attempt(run)]).toEqual([fn, a, b, there]);
      }
    }
  }
  expect(RECORD.hashKey(rows[0][1])).toBe(RECORD.hashKey(new RecordValue([1, 'a'], [INT4, TEXT])));
  expect(RECORD.hashKey(rows[0][1])).not.toBe(RECORD.hashKey(rows[2][1]));
});

test('a record leaves as an object of its columns', () => {
  const type = recordType([{ name: '__proto__', type: INT4, typmod: -1 }]);
  expect(JSON.stringify(type.json(new RecordValue([1], [INT4]), ENV))).toBe('{"__proto__":1}');
  expect(RECORD.json(new RecordValue([1, null], [INT4, TEXT]), ENV)).toEqual({ f1: 1, f2: null });
});
