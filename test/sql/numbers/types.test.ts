import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOOL } from '../../../src/sql/types/bool.ts';
import { BYTEA } from '../../../src/sql/types/bytea.ts';
import { formatFloat4, formatFloat8 } from '../../../src/sql/types/float-text.ts';
import { FLOAT4, FLOAT8 } from '../../../src/sql/types/floats.ts';
import * as identifiers from '../../../src/sql/types/identifiers.ts';
import { INT2, INT4, INT8 } from '../../../src/sql/types/integers.ts';
import { NUMERIC } from '../../../src/sql/types/numeric-type.ts';
import * as pseudo from '../../../src/sql/types/pseudo-types.ts';
import { BPCHAR, CHAR, NAME, TEXT, UNKNOWN, VARCHAR } from '../../../src/sql/types/texts.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { UUID } from '../../../src/sql/types/uuid.ts';
import { vectorText } from '../../../src/sql/types/vector.ts';
import { ENVIRONMENT, Oracle, literal, outcome, seeded } from './oracle.ts';

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
}, 60_000);
afterAll(() => oracle.close());

const { OID, XID, CID, XID8, TID } = identifiers;
const random = seeded(7);

async function agree(cases: { sql: string; ours: string | null }[]): Promise<void> {
  const expected = await oracle.evaluate(cases.map((each) => each.sql));
  const wrong = cases.map((each, index) => ({ ...each, theirs: expected[index] })).filter((each) => each.ours !== each.theirs);
  expect(wrong.slice(0, 20), `${wrong.length} of ${cases.length} differ`).toEqual([]);
}

const INTEGERS = [
  '0',
  '1',
  '-1',
  ' 12 ',
  '+5',
  '-0',
  '',
  ' ',
  '1.0',
  '1e3',
  '32767',
  '32768',
  '-32768',
  '-32769',
  '2147483647',
  '2147483648',
  '-2147483648',
  '-2147483649',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999999',
  '0x1F',
  '0X1f',
  '-0x80',
  '0o17',
  '0b11',
  '0x',
  '0xg',
  '1_000',
  '1__0',
  '_1',
  '1_',
  '0x_1',
  'abc',
  '1 2',
  '\t3\n',
  '007',
];
const FLOATS = [
  '0',
  '-0',
  '1',
  '1.5',
  '-2.25',
  '.5',
  '5.',
  '.',
  '1e5',
  '1e15',
  '1e14',
  '123456789012345',
  '1234567890123456',
  '12345678901234567890',
  '1e-4',
  '1e-5',
  '0.0001234',
  '1e20',
  '1e23',
  '9e22',
  '1e22',
  '5e-324',
  '2e-324',
  '1e-400',
  '1e308',
  '1e309',
  '1e38',
  '1e39',
  '1e-45',
  '1e-46',
  '3.4028235e38',
  '1.17549435e-38',
  '0.1',
  '0.3',
  'nan',
  'NaN',
  ' inf ',
  '-Infinity',
  '+inf',
  'infinit',
  '1e',
  'x',
  '',
  '0x1A',
  '16777216',
  '16777217',
  '999999',
  '1e6',
  '1234567',
  '0.00001',
  '1.0e+10',
  '1_000',
];
const TEXTS: Record<string, string[]> = {
  bool: ['t', 'true', 'TRUE', ' tr ', 'y', 'yes', 'on', 'o', 'of', 'off', 'f', 'fals', '0', '1', '2', '', 'n', 'no', 'nope', 'ye'],
  uuid: [
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
    '{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}',
    'a0eebc999c0b4ef8bb6d6bb9bd380a11',
    'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1',
    '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '',
    'x',
  ],
  bytea: [
    '',
    'abc',
    '\\x',
    '\\x00ff',
    '\\xDEADbeef',
    '\\x0',
    '\\xzz',
    '\\x de ad',
    '\\x d e',
    'a\\\\b',
    'a\\001b',
    'a\\400',
    'a\\b',
    'é',
    '\\x0é',
    '\\',
    'a\\0',
    '\\377',
  ],
  name: ['abc', 'x'.repeat(70), 'é'.repeat(40), '😀'.repeat(20), ''],
  char: ['', 'a', 'abc', 'é', '\\101', '\\377', '\\000', '\\400', '\\1', '\\'],
  text: ['', ' a ', 'é😀'],
  // The oracle is a 32-bit build, where a number below the range wraps.
  oid: INTEGERS.filter((text) => !/^-(2147483649|9)|^0x$/.test(text)),
  xid: ['1', '4294967295', '0', '77 '],
  cid: ['1', '4294967295'],
  xid8: ['1', '18446744073709551615', '9007199254740993'],
  tid: ['(0,1)', '(4294967295,65535)', '(4294967296,1)', '(1,70000)', '(1)', '1,2', ''],
  int2: INTEGERS,
  int4: INTEGERS,
  int8: INTEGERS,
  float4: FLOATS,
  float8: FLOATS,
};
const BY_NAME = new Map<string, SqlType>(
  [
    BOOL,
    BYTEA,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    NUMERIC,
    BPCHAR,
    CHAR,
    NAME,
    TEXT,
    UNKNOWN,
    VARCHAR,
    UUID,
    ...Object.values(identifiers),
    ...Object.values(pseudo),
  ].map((type) => [type.name, type]),
);

test('input and output', async () => {
  const cases = Object.entries(TEXTS).flatMap(([name, texts]) => {
    const type = BY_NAME.get(name) as SqlType;
    return texts.map((text) => ({
      sql: `format('%s', ${literal(text)}::${name === 'char' ? '"char"' : name})`,
      ours: outcome(() => type.format(type.parse(text, -1, ENVIRONMENT), ENVIRONMENT)),
    }));
  });
  await agree(cases);
});

test('floats of random bits under every setting of extra_float_digits', async () => {
  const cell = new DataView(new ArrayBuffer(8));
  const doubles: number[] = [];
  for (let i = 0; i < 1500; i++) {
    cell.setUint32(0, random() * 4294967296);
    cell.setUint32(4, random() * 4294967296);
    if (i % 3 === 0) doubles.push(cell.getFloat64(0));
    else if (i % 3 === 1) doubles.push((random() - 0.5) * 10 ** Math.floor(random() * 40 - 15));
    else doubles.push(Math.round(random() * 1e6) / 10 ** Math.floor(random() * 8));
  }
  for (let power = -149; power < 128; power++) doubles.push(2 ** power);
  const finite = doubles.filter(Number.isFinite);
  const floats = finite.map(Math.fround).filter((value) => Number.isFinite(value) && value !== 0);
  for (const digits of [1, 0, -5, -15]) {
    await oracle.run(`set extra_float_digits = ${digits}`);
    await agree(finite.map((value) => ({ sql: `'${value}'::float8`, ours: formatFloat8(value, digits) })));
    await agree(floats.map((value) => ({ sql: `'${value}'::float4`, ours: formatFloat4(value, digits) })));
  }
  await oracle.run('reset extra_float_digits');
});

test('lengths', async () => {
  const cases: { sql: string; ours: string | null }[] = [];
  for (const text of ['', 'a', 'abc', 'abcd', 'abc ', 'abc   ', 'ab  d', 'é😀x', 'é😀xy', '   ']) {
    for (const [type, sql] of [
      [VARCHAR, 'varchar'],
      [BPCHAR, 'char'],
    ] as const) {
      cases.push({
        sql: `'>' || ${literal(text)}::${sql}(3)::${type === BPCHAR ? 'varchar' : 'text'} || '<'`,
        ours: `>${(type.coerce(text, 7, true) as string).replace(type === BPCHAR ? / +$/ : /$^/, '')}<`,
      });
      cases.push({ sql: `format('%s', ${literal(text)}::${sql}(3))`, ours: type.coerce(text, 7, true) as string });
    }
  }
  await agree(cases);
  await oracle.run('create temp table narrow (v varchar(3), c char(3))');
  await oracle.run(`create function assign(column_name text, value text) returns text language plpgsql as $$
    declare result text;
    begin execute format('insert into narrow (%I) values (%L) returning format(''%%s'', %I)', column_name, value, column_name) into result; return result; end $$`);
  await agree(
    ['', 'a', 'abc', 'abcd', 'abc ', 'abc   ', 'ab  d', 'é😀x', 'é😀xy'].flatMap((text) => [
      { sql: `assign('v', ${literal(text)})`, ours: outcome(() => VARCHAR.coerce(text, 7, false) as string) },
      { sql: `assign('c', ${literal(text)})`, ours: outcome(() => BPCHAR.coerce(text, 7, false) as string) },
    ]),
  );
});

test('order', async () => {
  const texts = ['', 'a', 'b', 'ab', 'A', 'é', '\uffff', '😀', '\ue000', '𐀀', 'a ', 'a\t', 'zebra', 'Zebra', 'a😀', 'a\uffee'];
  const pools: [SqlType, string[]][] = [
    [TEXT, texts],
    [BPCHAR, texts],
    [NAME, texts],
    [CHAR, ['', 'a', 'b', '\\377', 'é']],
    [FLOAT8, ['NaN', 'Infinity', '-Infinity', '0', '-0', '1', '-1']],
    [FLOAT4, ['NaN', 'Infinity', '-Infinity', '0', '-0', '1']],
    [BYTEA, ['', '\\x00', '\\xff', '\\x0001', '\\x7f']],
    [BOOL, ['t', 'f']],
    [UUID, ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A12', '00000000-0000-0000-0000-000000000000']],
    [INT8, ['1', '9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807']],
    [TID, ['(0,1)', '(0,10)', '(10,2)', '(9,3)']],
    [OID, ['1', '4294967295']],
  ];
  const cases: { sql: string; ours: string }[] = [];
  for (const [type, pool] of pools) {
    const sql = type.name === 'char' ? '"char"' : type.name;
    const collation = [TEXT, BPCHAR].includes(type) ? ' collate "C"' : '';
    for (const a of pool) {
      for (const b of pool) {
        const x = type.parse(a, -1, ENVIRONMENT);
        const y = type.parse(b, -1, ENVIRONMENT);
        const [p, q] = [`${literal(a)}::${sql}${collation}`, `${literal(b)}::${sql}${collation}`];
        cases.push({ sql: `(${p} > ${q})::int - (${p} < ${q})::int`, ours: String(Math.sign(type.compare(x, y)) + 0) });
        expect(new Set([type.hashKey(x), type.hashKey(y)]).size === 1).toBe(type.compare(x, y) === 0);
      }
    }
  }
  await agree(cases);
});

test('what pg_type says', async () => {
  const rows = await oracle.rows(
    'select typname::text, oid::text, typarray::text, typcategory::text, typispreferred::text, typlen::text, format_type(oid, null) from pg_type',
  );
  const theirs = new Map(rows.map((row) => [row[0], row]));
  for (const type of BY_NAME.values()) {
    // The oracle is a 32-bit build: a pointer has 4 bytes there.
    const length = type.name === 'internal' || type.name === 'pg_ddl_command' ? 4 : type.length;
    expect([type.name, String(type.oid), String(type.arrayOid), type.category, String(type.preferred), String(length), type.title]).toEqual(
      theirs.get(type.name),
    );
  }
  expect(NUMERIC.formatTypmod(((10 << 16) | 2) + 4)).toBe('(10,2)');
  expect(NUMERIC.formatTypmod(((3 << 16) | (-2 & 0x7ff)) + 4)).toBe('(3,-2)');
  expect(VARCHAR.formatTypmod(7)).toBe('(3)');
});

test('JSON', () => {
  const json = (type: SqlType, text: string): unknown => type.json(type.parse(text, -1, ENVIRONMENT), ENVIRONMENT);
  expect([
    json(INT4, '5'),
    json(INT8, '5'),
    json(INT8, '9007199254740993'),
    json(NUMERIC, '1.50'),
    json(FLOAT8, '1.5'),
    json(FLOAT8, 'nan'),
    json(FLOAT4, '0.1'),
  ]).toEqual([5, 5, '9007199254740993', '1.50', 1.5, 'NaN', 0.1]);
  expect([json(BOOL, 't'), json(BYTEA, '\\x01'), json(TEXT, 'x'), json(OID, '7'), json(XID, '7'), json(CID, '1'), json(XID8, '9')]).toEqual([
    true,
    '\\x01',
    'x',
    7,
    7,
    1,
    '9',
  ]);
});

test('real numbers, alone and in vectors, are the shortest decimals that read as them, over random ones of each size', () => {
  const random = seeded(4);
  const cell = new DataView(new ArrayBuffer(4));
  for (let i = 0; i < 200_000; i++) {
    cell.setUint32(0, Math.floor(random() * 2 ** 32));
    const value = i % 2 === 0 ? cell.getFloat32(0) : Math.fround((random() - 0.5) * 10 ** ((i % 12) - 4));
    if (!Number.isFinite(value) || value === 0) continue;
    cell.setFloat32(0, value);
    const text = formatFloat4(value, 1);
    if (Math.fround(Number(text)) !== value) throw new Error(`${text} is not ${value}`);
    if (vectorText(Float32Array.of(1, value, value)) !== `[1,${text},${text}]`) throw new Error(`${text} is ${vectorText(Float32Array.of(value))} in a vector`);
    const digits = text
      .replace(/e.*/, '')
      .replace(/^-?0*\.?0*/, '')
      .replace('.', '').length;
    const shorter = value.toPrecision(Math.max(1, digits - 1));
    // A power of two has another gap below; whole numbers have zeros at their end.
    if (digits > 1 && digits < 9 && !Number.isInteger(value) && Math.fround(Number(shorter)) === value && (cell.getUint32(0) & 0x7fffff) !== 0) {
      throw new Error(`${text} could be ${shorter}`);
    }
  }
});
