/** Binary formats of all types against the oracle: our bytes are Postgres's, its bytes are our values, and errors are alike. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { receiveBinary } from '../../../src/sql/formats/binary-receive.ts';
import { binarySender, sendBinary, writeBinary, writeBinaryField } from '../../../src/sql/formats/binary-send.ts';
import { BinaryWriter } from '../../../src/sql/formats/binary-writer.ts';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import { arrayType } from '../../../src/sql/types/array-type.ts';
import { enumType } from '../../../src/sql/types/enum-type.ts';
import { RECORD, recordType } from '../../../src/sql/types/record-type.ts';
import { RecordValue } from '../../../src/sql/types/record-value.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { CopyOracle } from '../copy/oracle.ts';
import { ENVIRONMENT } from '../numbers/oracle.ts';
import { fileOf, firstColumn } from './binary-copy-fields.ts';
import { SAMPLES } from './samples.ts';

let oracle: CopyOracle;
beforeAll(async () => {
  oracle = await CopyOracle.start();
  await oracle.run(`set timezone = 'UTC'; create table x(n int, t text); create type mood as enum ('sad', 'happy 😀'); create type pair as (a int4, b text)`);
}, 60_000);
afterAll(() => oracle.close());

async function theirBytes(sqlType: string, texts: readonly string[]): Promise<Buffer[]> {
  await oracle.rows('truncate x');
  await oracle.rows('insert into x select n, t from jsonb_array_elements_text($1::jsonb) with ordinality as e(t, n)', [JSON.stringify(texts)]);
  return firstColumn(await oracle.write(`(select t::${sqlType.startsWith('reg') ? 'oid::' : ''}${sqlType} from x order by n)`, '(format binary)')) as Buffer[];
}

const quoted = (name: string): string => (name === 'char' ? '"char"' : name.startsWith('_') ? `${name.slice(1)}[]` : name);

async function compare(type: SqlType, sqlType: string, texts: readonly string[]): Promise<void> {
  const theirs = await theirBytes(sqlType, texts);
  const differences: string[] = [];
  texts.forEach((text, i) => {
    const value = type.parse(text, -1, ENVIRONMENT);
    const ours = Buffer.from(sendBinary(type, value, ENVIRONMENT));
    if (!ours.equals(theirs[i])) differences.push(`send ${text}: ours ${ours.toString('hex')} theirs ${theirs[i].toString('hex')}`);
    const received = receiveBinary(type, theirs[i], -1, ENVIRONMENT);
    const [was, is] = [type.format(value, ENVIRONMENT), type.format(received, ENVIRONMENT)];
    if (was !== is || typeof received !== typeof value) differences.push(`receive ${text}: ${is}`);
  });
  expect(differences).toEqual([]);
}

test.each(Object.keys(SAMPLES))('%s goes both ways as in Postgres', async (name) => {
  await compare(LIBRARY.type(name), quoted(name), SAMPLES[name]);
});

test('enums, composites and their arrays go both ways', async () => {
  const oid = async (name: string): Promise<number> => Number((await oracle.rows(`select '${name}'::regtype::oid::int8`))[0][0]);
  const mood = enumType(await oid('mood'), await oid('mood[]'), 'mood', ['sad', 'happy 😀']);
  await compare(mood, 'mood', ['sad', 'happy 😀']);
  await compare(arrayType(mood, mood.arrayOid), 'mood[]', ['{sad,NULL,"happy 😀"}']);
  const columns = [
    { name: 'a', type: LIBRARY.type('int4'), typmod: -1 },
    { name: 'b', type: LIBRARY.type('text'), typmod: -1 },
  ];
  const pair = recordType(columns, { oid: await oid('pair'), arrayOid: await oid('pair[]'), name: 'pair' });
  await compare(pair, 'pair', ['(1,x)', '(,)', '(5,"a,\\"b")']);
  await compare(arrayType(pair, pair.arrayOid), 'pair[]', ['{"(1,x)",NULL}']);
  const [row] = firstColumn(await oracle.write('(select row(1::int4, null::text, array[1.5]::numeric[]))', '(format binary)'));
  const numerics = LIBRARY.type('_numeric');
  const value = new RecordValue([1, null, numerics.parse('{1.5}', -1, ENVIRONMENT)], [LIBRARY.type('int4'), LIBRARY.type('text'), numerics]);
  expect(Buffer.from(sendBinary(RECORD, value, ENVIRONMENT))).toEqual(row);
});

const word = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeInt32BE(value, i * 4));
  return bytes;
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The oracle is a program of 32 bits, in which the limit of arrays is another one. */
const MAX_32 = '268435455';

/** Type, typmod, the type in SQL, and bytes of a value. */
const BAD: [string, number, string, Buffer[]][] = [
  ['bool', -1, 'bool', [hex(''), hex('02'), hex('0101')]],
  ['int2', -1, 'int2', [hex('00'), hex('000000')]],
  ['int4', -1, 'int4', [hex(''), hex('000000'), hex('0000000000')]],
  ['int8', -1, 'int8', [hex('00000000')]],
  ['float8', -1, 'float8', [hex('00')]],
  [
    'numeric',
    -1,
    'numeric',
    [
      hex(''),
      hex('0001 0000 0001 0000 0001'),
      hex('0001 0000 0000 4000 0001'),
      hex('0001 0000 0000 0000 2710'),
      hex('0001 0000 0000 0000 ffff'),
      hex('0002 0000 0000 0002 0001 1a85'),
      hex('0001 0000 0000 0000'),
      hex('0001 0000 c000 0000 0001'),
      hex('0003 0005 4000 0003 0000 0001 0000'),
      hex('0001 fffe 0000 000a 0001'),
      hex('0000 0000 4000 0002'),
    ],
  ],
  ['numeric', ((5 << 16) | 2) + 4, 'numeric(5,2)', [hex('0002 0000 0000 0003 0001 1edc'), hex('0002 0001 0000 0000 0001 0000')]],
  ['text', -1, 'text', [hex('61ff'), hex('6100'), hex('c3')]],
  ['varchar', 7, 'varchar(3)', [Buffer.from('abc'), Buffer.from('abcd'), Buffer.from('abc  ')]],
  ['bpchar', 7, 'char(3)', [Buffer.from('a'), Buffer.from('abcd')]],
  ['name', -1, 'name', [Buffer.from('x'.repeat(64))]],
  ['char', -1, '"char"', [hex(''), hex('6162')]],
  ['uuid', -1, 'uuid', [hex('00'), Buffer.alloc(17)]],
  ['json', -1, 'json', [Buffer.from('{'), Buffer.from('')]],
  ['jsonb', -1, 'jsonb', [hex(''), hex('02 7b7d'), hex('01 7b')]],
  ['date', -1, 'date', [word(2147483646), word(-2147483647), word(2145031949), word(1, 2)]],
  ['time', -1, 'time', [word(20, 500654081), word(-1, -1), word(20, 500654080)]],
  ['time', 0, 'time(0)', [word(0, 1500000)]],
  ['timetz', -1, 'timetz', [word(0, 0, 57600), word(0, 0, -57600), word(0, 0, 57599), word(0, 0)]],
  ['timestamp', -1, 'timestamp', [word(2147483647, -2), word(-2147483647, 0)]],
  ['timestamptz', 3, 'timestamptz(3)', [word(0, 1234567)]],
  ['interval', -1, 'interval', [word(0, 0, 0)]],
  ['interval', 0x7fff0002, 'interval(2)', [word(0, 1234567, 1, 1)]],
  [
    '_int4',
    -1,
    'int4[]',
    [
      hex(''),
      word(-1, 0, 23),
      word(7, 0, 23),
      word(0, 2, 23),
      word(0, 0, 25),
      word(1, 0, 23, 1, 1),
      word(1, 0, 23, 1, 1, 4),
      word(1, 0, 23, 1, 1, 8, 0, 0),
      word(1, 0, 23, 1, 1, -2),
      word(1, 0, 23, -1, 1),
      word(1, 0, 23, 0, 5),
      word(1, 0, 23, 1, 2147483647, 4, 1),
      word(2, 0, 23, 100000, 1, 100000, 1),
      word(1, 0, 23, 1, 1, -1),
      word(1, 0, 23, 1, 1, 4, 1, 9),
    ],
  ],
  ['_varchar', 7, 'varchar(3)[]', [Buffer.concat([word(1, 0, 1043, 1, 1, 4), Buffer.from('abcd')])]],
  ['tid', -1, 'tid', [hex('00000001')]],
];

test.each(BAD)('bytes of %s (typmod %i) are taken or refused as in Postgres', async (name, typmod, sqlType, list) => {
  await oracle.run(`drop table if exists bad; create table bad(v ${sqlType})`);
  const type = LIBRARY.type(name);
  const differences: string[] = [];
  for (const bytes of list) {
    let ours: string;
    try {
      ours = type.format(receiveBinary(type, bytes, typmod, ENVIRONMENT), ENVIRONMENT);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      ours = `${error.code} ${error.message.replace('type 25 (???)', 'type 25 (text)')}`;
    }
    const error = await oracle.read('bad', '(format binary)', fileOf([bytes]));
    const theirs = error.startsWith('[')
      ? String((await oracle.rows(`select format('%s', v) from bad`))[0][0])
      : error.split(' | ').slice(0, 2).join(' ').replace(MAX_32, '134217727');
    if (ours !== theirs) differences.push(`${bytes.toString('hex')}\n  ours   ${ours}\n  theirs ${theirs}`);
  }
  expect(differences).toEqual([]);
});

test('fields follow each other in one buffer', () => {
  const out = new BinaryWriter(1);
  writeBinaryField(out, LIBRARY.type('int4'), 7, ENVIRONMENT);
  writeBinaryField(out, LIBRARY.type('text'), null, ENVIRONMENT);
  writeBinaryField(out, LIBRARY.type('text'), 'é', ENVIRONMENT);
  writeBinary(out, LIBRARY.type('bool'), true, ENVIRONMENT);
  expect(Buffer.from(out.take()).toString('hex')).toBe('0000000400000007ffffffff00000002c3a901');
  expect(out.length).toBe(0);
});

test('void is empty and pseudo-types have no binary form', () => {
  expect(sendBinary(LIBRARY.type('void'), '', ENVIRONMENT)).toHaveLength(0);
  expect(() => binarySender(LIBRARY.type('anyelement'))).toThrow('no binary output function available for type anyelement');
  expect(() => receiveBinary(LIBRARY.type('anyelement'), new Uint8Array(), -1, ENVIRONMENT)).toThrow('no binary input function');
  expect(() => receiveBinary(RECORD, word(0), -1, ENVIRONMENT)).toThrow('input of anonymous composite types is not implemented');
});
