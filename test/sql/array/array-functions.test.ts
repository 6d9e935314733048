import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { allOf, anyOf, membership } from '../../../src/sql/functions/array/array-any.ts';
import { ARRAY_BUILD } from '../../../src/sql/functions/array/array-build.ts';
import { castArray } from '../../../src/sql/functions/array/array-cast.ts';
import { ARRAY_COMPARE } from '../../../src/sql/functions/array/array-compare.ts';
import { ARRAY_INSPECT } from '../../../src/sql/functions/array/array-inspect.ts';
import { ARRAY_ROWS } from '../../../src/sql/functions/array/array-rows.ts';
import { type Bound, arrayGet, arrayGetOne, arraySet, arraySetSlice, arraySlice } from '../../../src/sql/functions/array/array-subscript.ts';
import { numberSeries } from '../../../src/sql/functions/numeric/series.ts';
import type { ArrayValue } from '../../../src/sql/types/array-value.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { type Arg, expectSame, oracle, ours, seeded } from '../json/against-oracle.ts';
import { ENV, INT4, PLAIN_TYPES_SQL, TEXT, typeNamed } from '../json/plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec(PLAIN_TYPES_SQL);
});
afterAll(() => pg.close());

const INTS = typeNamed('_int4');
const ARRAYS = [
  '{}',
  '{1}',
  '{1,2,3}',
  '{3,NULL,1,3}',
  '{NULL}',
  '{{1,2},{3,4}}',
  '{{1,2,3}}',
  '{{1},{2}}',
  '[0:1]={5,6}',
  '[-1:0][2:3]={{1,2},{3,4}}',
  '{{{1,2}},{{3,4}}}',
  '[5:5]={1}',
  '{{1,2}}',
  null,
];
const VALUES = ['1', '3', '9', null];

function read(text: string | null): ArrayValue | null {
  return text === null ? null : (INTS.parse(text, -1, ENV) as ArrayValue);
}

function shown(run: () => Value): unknown {
  try {
    const value = run();
    return value === null ? null : typeof value === 'object' ? INTS.format(value, ENV) : String(value);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

test('order, containment and overlap', async () => {
  for (const a of ARRAYS)
    for (const b of ARRAYS)
      for (const name of ['=', '<>', '<', '>', '<=', '>=', '@>', '<@', '&&'])
        await expectSame(pg, ARRAY_COMPARE, name, [
          ['_int4', a],
          ['_int4', b],
        ]);
  const long: Arg = ['_text', `{${Array.from({ length: 40 }, (_, i) => `k${i}`).join(',')}}`];
  for (const name of ['@>', '<@', '&&', '=']) {
    for (const other of ['{k1,k39}', '{k1,k40,k41}', '{x,y,z,NULL}', '{NULL,k3}']) await expectSame(pg, ARRAY_COMPARE, name, [long, ['_text', other]]);
  }
  await expectSame(pg, ARRAY_COMPARE, '=', [
    ['_json', '{1}'],
    ['_json', '{1}'],
  ]);
  await expectSame(pg, ARRAY_COMPARE, '<', [
    ['_json', '{1}'],
    ['_json', '{1}'],
  ]);
  await expectSame(pg, ARRAY_COMPARE, '@>', [
    ['_json', '{1}'],
    ['_json', '{1}'],
  ]);
  await expectSame(pg, ARRAY_COMPARE, 'array_larger', [
    ['_int4', '{1,2}'],
    ['_int4', '{1,3}'],
  ]);
  await expectSame(pg, ARRAY_COMPARE, 'array_smaller', [
    ['_int4', '{1,2}'],
    ['_int4', '{1,3}'],
  ]);
});

test('appending, prepending and joining', async () => {
  for (const a of ARRAYS) {
    for (const b of ARRAYS)
      for (const name of ['||', 'array_cat'])
        await expectSame(pg, ARRAY_BUILD, name === '||' ? 'array_cat' : name, [
          ['_int4', a],
          ['_int4', b],
        ]);
    for (const value of VALUES) {
      await expectSame(pg, ARRAY_BUILD, 'array_append', [
        ['_int4', a],
        ['int4', value],
      ]);
      await expectSame(pg, ARRAY_BUILD, 'array_prepend', [
        ['int4', value],
        ['_int4', a],
      ]);
    }
    for (const count of ['0', '1', '2', '3', '-1', '9'])
      await expectSame(pg, ARRAY_BUILD, 'trim_array', [
        ['_int4', a],
        ['int4', count],
      ]);
    await expectSame(pg, ARRAY_BUILD, 'array_reverse', [['_int4', a]]);
    await expectSame(pg, ARRAY_BUILD, 'array_sort', [['_int4', a]]);
    for (const descending of ['true', 'false']) {
      await expectSame(pg, ARRAY_BUILD, 'array_sort', [
        ['_int4', a],
        ['bool', descending],
      ]);
      for (const nulls of ['true', 'false'])
        await expectSame(pg, ARRAY_BUILD, 'array_sort', [
          ['_int4', a],
          ['bool', descending],
          ['bool', nulls],
        ]);
    }
  }
  expect(ARRAY_BUILD.operators!.map((operator) => operator.proc)).toEqual(['array_append', 'array_prepend', 'array_cat']);
});

test('array_fill', async () => {
  const lists = ['{}', '{2}', '{2,2}', '{0}', '{2,0}', '{-1}', '{NULL}', '{{1},{2}}', '{1,1,1,1,1,1,1}', null];
  for (const value of ['7', null]) {
    for (const dims of lists) {
      await expectSame(pg, ARRAY_BUILD, 'array_fill', [
        ['int4', value],
        ['_int4', dims],
      ]);
      for (const lows of [...lists, '{-3}', '{5,6}', '{2147483647}']) {
        const theirs = await oracle(
          pg,
          `array_fill(${value ?? 'null'}::int4, ${dims === null ? 'null' : `'${dims}'`}::int4[], ${lows === null ? 'null' : `'${lows}'`}::int4[])`,
        );
        const found = ours(ARRAY_BUILD, 'array_fill', [
          ['int4', value],
          ['_int4', dims],
          ['_int4', lows],
        ]);
        expect([dims, lows, found]).toEqual([dims, lows, theirs]);
      }
    }
  }
}, 30_000);

test('samples and shuffles hold what the array held', () => {
  let at = 0;
  const env = { ...ENV, random: () => [0.1, 0.9, 0.4, 0.7][at++ % 4] };
  const call = { env, argTypes: [INTS, INT4], returnType: INTS };
  const find = (name: string): ((...args: unknown[]) => ArrayValue) => (ARRAY_BUILD.functions!.find((f) => f.name === name) as unknown as { impl: never }).impl;
  const shuffled = find('array_shuffle')(call, read('[3:8]={1,2,3,4,5,6}'));
  expect(shuffled.lowers).toEqual([3]);
  expect(shuffled.elements.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  const sample = find('array_sample')(call, read('{{1,2},{3,4},{5,6}}'), 2);
  expect(sample.lengths).toEqual([2, 2]);
  expect(sample.elements.every((value, i) => i % 2 === 0 || value === (sample.elements[i - 1] as number) + 1)).toBe(true);
  expect(() => find('array_sample')(call, read('{1}'), 2)).toThrow('sample size must be between 0 and 1');
});

test('bounds, positions, removal, replacement', async () => {
  for (const a of ARRAYS) {
    for (const name of ['array_ndims', 'array_dims', 'cardinality']) await expectSame(pg, ARRAY_INSPECT, name, [['_int4', a]]);
    for (const dimension of ['-1', '0', '1', '2', '3', '7']) {
      for (const name of ['array_length', 'array_lower', 'array_upper'])
        await expectSame(pg, ARRAY_INSPECT, name, [
          ['_int4', a],
          ['int4', dimension],
        ]);
      await expectSame(
        pg,
        ARRAY_ROWS,
        'generate_subscripts',
        [
          ['_int4', a],
          ['int4', dimension],
        ],
        true,
      );
      await expectSame(
        pg,
        ARRAY_ROWS,
        'generate_subscripts',
        [
          ['_int4', a],
          ['int4', dimension],
          ['bool', 'true'],
        ],
        true,
      );
    }
    await expectSame(pg, ARRAY_ROWS, 'unnest', [['_int4', a]], true);
    for (const value of VALUES) {
      for (const name of ['array_position', 'array_positions', 'array_remove'])
        await expectSame(pg, ARRAY_INSPECT, name, [
          ['_int4', a],
          ['int4', value],
        ]);
      for (const start of ['-5', '0', '2', '4', null])
        await expectSame(pg, ARRAY_INSPECT, 'array_position', [
          ['_int4', a],
          ['int4', value],
          ['int4', start],
        ]);
      for (const by of ['0', null])
        await expectSame(pg, ARRAY_INSPECT, 'array_replace', [
          ['_int4', a],
          ['int4', value],
          ['int4', by],
        ]);
    }
  }
  await expectSame(pg, ARRAY_INSPECT, 'array_position', [
    ['_json', '{1}'],
    ['json', '1'],
  ]);
  for (const value of ['-1', '1', '2', '3', '10', null]) {
    for (const thresholds of ['{}', '{1}', '{1,3,5}', '{1,3,3,5}', '{1,NULL}', '{{1,2}}', '[0:1]={1,3}', null])
      await expectSame(pg, ARRAY_INSPECT, 'width_bucket', [
        ['int4', value],
        ['_int4', thresholds],
      ]);
  }
  for (const value of ['NaN', '-Infinity', '0.5'])
    await expectSame(pg, ARRAY_INSPECT, 'width_bucket', [
      ['float8', value],
      ['_float8', '{0,1,NaN}'],
    ]);
});

test('subscripts and slices are read as in Postgres', async () => {
  const next = seeded(21);
  const bound = (): Bound => [undefined, -1, 0, 1, 2, 3, 5, 6][next(8)];
  const part = (value: Bound): string => (value === undefined ? '' : String(value));
  for (let i = 0; i < 600; i++) {
    const text = ARRAYS[next(ARRAYS.length)];
    if (text === null) continue;
    const array = read(text)!;
    const count = 1 + next(3);
    const plain = Array.from({ length: count }, () => next(9) - 1);
    const sql = `('${text}'::int4[])${plain.map((n) => `[${n}]`).join('')}`;
    expect([sql, shown(() => arrayGet(array, plain))]).toEqual([sql, ((await oracle(pg, sql)) as string[])[0]]);
    if (count === 1) expect(arrayGetOne(array, plain[0])).toBe(arrayGet(array, plain));
    const lowers = Array.from({ length: count }, bound);
    const uppers = Array.from({ length: count }, bound);
    const slice = `('${text}'::int4[])${lowers.map((lower, k) => `[${part(lower)}:${part(uppers[k])}]`).join('')}`;
    expect([slice, shown(() => arraySlice(array, lowers, uppers))]).toEqual([slice, ((await oracle(pg, slice)) as string[])[0]]);
  }
  expect(arrayGet(read('{1}')!, [null])).toBe(null);
  expect(arraySlice(read('{1}')!, [null], [1])).toBe(null);
});

test('subscripts and slices are assigned as in Postgres', async () => {
  await pg.exec('create table t (a int4[])');
  const next = seeded(22);
  const bound = (): Bound => [undefined, null, -1, 0, 1, 2, 3, 5, 8][next(9)];
  const part = (value: Bound): string => (value === undefined ? '' : String(value));
  for (let i = 0; i < 700; i++) {
    const text = ARRAYS[next(ARRAYS.length)];
    const count = 1 + (next(10) % 3);
    const slice = next(2) === 0;
    const lowers = Array.from({ length: count }, () => (slice ? bound() : [null, 0, 1, 2, 6, -2][1 + next(5)]));
    const uppers = Array.from({ length: count }, (_, k) => (slice ? bound() : lowers[k]));
    const source = ['{7,8,9,10,11,12,13,14,15}', '{{7,8},{9,10}}', '{7}', '{}', null][next(5)];
    const value = next(4) === 0 ? null : 42;
    const target = `a${lowers.map((lower, k) => (slice ? `[${part(lower)}:${part(uppers[k])}]` : `[${part(lower)}]`)).join('')}`;
    const sql = `update t set ${target} = ${slice ? (source === null ? 'null' : `'${source}'`) : String(value)}`;
    let theirs: unknown;
    try {
      await pg.exec(`truncate t; insert into t values (${text === null ? 'null' : `'${text}'`})`);
      await pg.exec(sql);
      theirs = (await pg.query<[string | null]>('select a::text from t', [], { rowMode: 'array' })).rows[0][0];
    } catch (error) {
      theirs = `${(error as { code: string }).code} ${(error as Error).message}`;
    }
    const found = shown(() => (slice ? arraySetSlice(read(text), lowers, uppers, read(source)) : arraySet(read(text), lowers as number[], value)));
    if (String(theirs).includes('array size exceeds')) expect([text, sql, String(found).slice(0, 24)]).toEqual([text, sql, String(theirs).slice(0, 24)]);
    else expect([text, sql, found]).toEqual([text, sql, theirs]);
  }
  expect(() => arraySet(read('{1}'), [null], 1)).toThrow('array subscript in assignment must not be null');
}, 30_000);

test('ANY and ALL are three-valued', async () => {
  for (const text of ['{}', '{1,2}', '{1,NULL}', '{2,3}', '{NULL}', '{1,1}', null]) {
    for (const x of [1, 5, null]) {
      const array = read(text);
      const same = (item: Value): boolean | null => (x === null || item === null ? null : item === x);
      const sql = (word: string): string => `${x ?? 'null::int'} = ${word} (${text === null ? 'null' : `'${text}'`}::int4[])`;
      expect([x, text, anyOf(array, same)]).toEqual([x, text, (await pg.query<[boolean | null]>(`select ${sql('any')}`, [], { rowMode: 'array' })).rows[0][0]]);
      expect([x, text, allOf(array, same)]).toEqual([x, text, (await pg.query<[boolean | null]>(`select ${sql('all')}`, [], { rowMode: 'array' })).rows[0][0]]);
      expect([x, text, membership(array, INT4)(x)]).toEqual([x, text, anyOf(array, same)]);
    }
  }
});

test('arrays are cast element by element', () => {
  const texts = castArray(read('[0:1][1:2]={{1,NULL},{3,4}}')!, String);
  expect(typeNamed('_text').format(texts, ENV)).toBe('[0:1][1:2]={{1,NULL},{3,4}}');
  expect(TEXT.format(texts.elements[0], ENV)).toBe('1');
});

test('generate_series', async () => {
  const run = async (type: string, ...args: (string | null)[]): Promise<void> =>
    expectSame(
      pg,
      numberSeries,
      'generate_series',
      args.map((text): Arg => [type, text]),
      true,
    );
  for (const type of ['int4', 'int8', 'numeric']) {
    await run(type, '1', '5');
    await run(type, '5', '1');
    await run(type, '5', '1', '-2');
    await run(type, '1', '6', '2');
    await run(type, '3', '3');
    await run(type, '1', '5', '0');
    await run(type, null, '5');
    await run(type, '1', '5', null);
  }
  await run('int4', '2147483645', '2147483647');
  await run('int4', '-2147483646', '-2147483648', '-1');
  await run('int4', '2147483640', '2147483647', '5');
  await run('int8', '9223372036854775805', '9223372036854775807');
  await run('int8', '9007199254740990', '9007199254740995');
  await run('int8', '9007199254740991', '9007199254740980', '-3');
  await run('int8', '-9223372036854775807', '-9223372036854775808', '-1');
  await run('numeric', '1.5', '4');
  await run('numeric', '1', '2', '0.25');
  await run('numeric', '1.00', '3', '0.5');
  await run('numeric', '2', '1', '-0.3');
  await run('numeric', '123456789012345678901234567890.1', '123456789012345678901234567893');
  for (const odd of ['NaN', 'Infinity', '-Infinity']) {
    await run('numeric', odd, '1');
    await run('numeric', '1', odd);
    await run('numeric', '1', '2', odd);
  }
});
