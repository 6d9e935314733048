import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { AggregateFunction, Call, FunctionModule } from '../../../src/sql/functions/define.ts';
import { JSON_AGGREGATES } from '../../../src/sql/functions/json/json-aggregates.ts';
import { JSON_BUILD } from '../../../src/sql/functions/json/json-build.ts';
import { JSON_CASTS } from '../../../src/sql/functions/json/json-casts.ts';
import { JSON_INSPECT } from '../../../src/sql/functions/json/json-inspect.ts';
import { JSON_POPULATE } from '../../../src/sql/functions/json/json-populate.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { JSONB } from '../../../src/sql/types/jsonb.ts';
import { recordType } from '../../../src/sql/types/record-type.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { type Arg, type Outcome, expectSame, oracle, ours, sqlOf } from './against-oracle.ts';
import { ENV, FLOAT8, INT2, INT4, INT8, NUMERIC, PLAIN_TYPES_SQL, TEXT, typeNamed } from './plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec(PLAIN_TYPES_SQL);
});
afterAll(() => pg.close());

const VALUES: readonly Arg[] = [
  ['int4', '1'],
  ['int8', '9007199254740993'],
  ['int2', '-3'],
  ['numeric', '1.50'],
  ['numeric', 'NaN'],
  ['numeric', '-Infinity'],
  ['numeric', '123456789012345678901234567890.5'],
  ['float8', '0.5'],
  ['float8', '1e+20'],
  ['float8', 'NaN'],
  ['float8', '1e-07'],
  ['text', 'a "quoted" \\ text\n\u0001'],
  ['text', ''],
  ['text', null],
  ['bool', 'true'],
  ['json', ' {"a" : 1.0 , "a":2} '],
  ['jsonb', '{"b":1, "a":[1.0,null]}'],
  ['_int4', '{1,2,NULL}'],
  ['_int4', '{{1,2},{3,4}}'],
  ['_text', '{a,"b c",NULL}'],
  ['_text', '{}'],
  ['_json', '{"[1, 2]","{}"}'],
  ['_bool', '{t,f}'],
  ['mood', 'ok'],
  ['_mood', '{sad,happy}'],
  ['pair', '(7,"x y")'],
  ['pair', '(,)'],
  ['_pair', '{"(1,a)","(2,)"}'],
  ['date', '2020-01-02'],
  ['timestamp', '2020-01-02 03:04:05.6'],
  ['timestamptz', '2020-01-02 03:04:05+00'],
  ['date', 'infinity'],
  ['timestamp', 'infinity'],
  ['timestamp', '0044-03-15 00:00:00 BC'],
  ['timestamptz', '0044-03-15 00:00:00+00 BC'],
  ['_date', '{2020-01-01}'],
];
const DOCS = ['null', '1', '"a"', 'true', '[]', '{}', '[1, [2, {"a": null}], "a", null]', '{"b":{"c": [1]}, "a":null, "a": "x\\ty"}', ' [ {"a" : 1} , 2.50 ]'];

test('to_json and the builders take every kind of value', async () => {
  for (const value of VALUES) {
    for (const name of ['to_json', 'to_jsonb', 'json_build_array', 'jsonb_build_array']) await expectSame(pg, JSON_BUILD, name, [value]);
    for (const name of ['json_build_object', 'jsonb_build_object']) {
      await expectSame(pg, JSON_BUILD, name, [value, ['int4', '1']]);
      await expectSame(pg, JSON_BUILD, name, [['text', 'k'], value, ['text', 'j'], ['int4', '2']]);
    }
  }
  for (const name of ['json_build_array', 'jsonb_build_array', 'json_build_object', 'jsonb_build_object']) {
    await expectSame(pg, JSON_BUILD, name, []);
    await expectSame(pg, JSON_BUILD, name, [
      ['int4', '1'],
      ['text', null],
      ['bool', 'f'],
    ]);
    await expectSame(pg, JSON_BUILD, name, [
      ['text', 'a'],
      ['text', null],
      ['text', 'a'],
      ['_int4', '{1}'],
    ]);
  }
});

test('the keyword VARIADIC hands over one array', async () => {
  const build = (name: string, text: string): Outcome => {
    const found = JSON_BUILD.functions!.find((f) => f.name === name && f.variadic !== undefined)!;
    const type = typeNamed('_int4');
    const call: Call = { env: ENV, argTypes: [type], returnType: typeNamed('json') };
    return [(found as unknown as { impl: (call: Call, value: Value) => string }).impl(call, type.parse(text, -1, ENV))];
  };
  for (const name of ['json_build_array', 'jsonb_build_array', 'json_build_object', 'jsonb_build_object']) {
    for (const text of ['{1,2,3,4}', '{{1,2},{3,4}}', '{}'])
      expect([name, text, build(name, text)]).toEqual([name, text, await oracle(pg, `${name}(variadic '${text}'::int[])`)]);
  }
});

test('row_to_json, array_to_json, json_object', async () => {
  for (const pretty of [[], [['bool', 'true']], [['bool', 'false']]] as Arg[][]) {
    for (const row of ['(1,x)', '(,)', '(5,"a ""q""")']) await expectSame(pg, JSON_BUILD, 'row_to_json', [['pair', row], ...pretty]);
    for (const array of VALUES.filter(([type]) => type.startsWith('_'))) await expectSame(pg, JSON_BUILD, 'array_to_json', [array, ...pretty]);
  }
  const arrays = ['{}', '{a,b}', '{a,b,a,c}', '{a,b,c}', '{a,NULL}', '{NULL,b}', '{{a,b},{c,d}}', '{{a,b,c},{d,e,f}}', '{{{a,b}}}', '{"k 1","v\\"1"}'];
  for (const name of ['json_object', 'jsonb_object']) {
    for (const a of arrays) {
      await expectSame(pg, JSON_BUILD, name, [['_text', a]]);
      for (const b of arrays)
        await expectSame(pg, JSON_BUILD, name, [
          ['_text', a],
          ['_text', b],
        ]);
    }
  }
});

test('typeof, array_length and the functions that return rows', async () => {
  for (const type of ['json', 'jsonb']) {
    for (const doc of DOCS) {
      await expectSame(pg, JSON_INSPECT, `${type}_typeof`, [[type, doc]]);
      await expectSame(pg, JSON_INSPECT, `${type}_array_length`, [[type, doc]]);
      for (const name of ['each', 'each_text', 'array_elements', 'array_elements_text', 'object_keys'])
        await expectSame(pg, JSON_INSPECT, `${type}_${name}`, [[type, doc]], true);
    }
  }
});

test('populate_record and populate_recordset', async () => {
  const docs = [
    ...DOCS,
    '{"a":1,"b":"x"}',
    '{"a":"2","b":3.50}',
    '{"b":null}',
    '{"a":"x"}',
    '{"a":1.5}',
    '{"b":{"z":[1, 2]}}',
    '{"b":[1, "q"]}',
    '{"a":true}',
    '[{"a":1},{"b":"y"},{}]',
    '[{"a":1},2]',
    '[{"a":1},[]]',
    '{"b":"\\u00e9"}',
    null,
  ];
  for (const type of ['json', 'jsonb']) {
    for (const doc of docs) {
      for (const base of [null, '(9,base)']) {
        await expectSame(pg, JSON_POPULATE, `${type}_populate_record`, [
          ['pair', base],
          [type, doc],
        ]);
        await expectSame(
          pg,
          JSON_POPULATE,
          `${type}_populate_recordset`,
          [
            ['pair', base],
            [type, doc],
          ],
          true,
        );
      }
    }
  }
});

test('to_record and to_recordset fill columns of every kind', async () => {
  const column = (name: string, type: SqlType): { name: string; type: SqlType; typmod: number } => ({ name, type, typmod: -1 });
  const shapes: [string, SqlType][] = [
    ['x int4, y text', recordType([column('x', INT4), column('y', TEXT)])],
    ['x int4[], y json', recordType([column('x', typeNamed('_int4')), column('y', typeNamed('json'))])],
    ['x text[], y jsonb', recordType([column('x', typeNamed('_text')), column('y', JSONB)])],
    ['x pair, y pair[]', recordType([column('x', typeNamed('pair')), column('y', typeNamed('_pair'))])],
    ['x mood, y numeric', recordType([column('x', typeNamed('mood')), column('y', NUMERIC)])],
  ];
  const values = [
    '1',
    '"7"',
    'null',
    '"sad"',
    '1.50',
    'true',
    '[1, 2]',
    '[[1,2],[3,4]]',
    '[[1],[2,3]]',
    '[1,[2]]',
    '[[1],2]',
    '[]',
    '[[],[]]',
    '"{1,2}"',
    '"(1,z)"',
    '{"a":1,"b":"q"}',
    '{}',
    '[{"a":1},{"b":"s"}]',
    '[null]',
    '[[[1]]]',
    '"x"',
    '["a",null,"b c"]',
  ];
  for (const type of ['json', 'jsonb']) {
    for (const [list, record] of shapes) {
      for (const value of values) {
        for (const [name, doc] of [
          ['to_record', `{"x": ${value}, "y": ${value}, "z": 1}`],
          ['to_record', `{"y": ${value}}`],
          ['to_recordset', `[{"x": ${value}}, {}]`],
        ]) {
          const args: Arg[] = [[type, doc]];
          const theirs = await pg.query<[string]>(`select r::text from ${sqlOf(`${type}_${name}`, args)} as r(${list})`, [], { rowMode: 'array' }).then(
            (result) => result.rows.map((row) => row[0]),
            (error: { code: string; message: string }) => `${error.code} ${error.message}`,
          );
          expect([list, doc, ours(JSON_POPULATE, `${type}_${name}`, args, record)]).toEqual([list, doc, theirs]);
        }
      }
    }
  }
  for (const doc of ['[]', '1', '[1]']) {
    expect(ours(JSON_POPULATE, 'json_to_record', [['json', doc]], shapes[0][1])).toEqual(
      await pg
        .query(`select 1 from json_to_record('${doc}') as r(x int4)`)
        .catch((error: { code: string; message: string }) => `${error.code} ${error.message}`),
    );
  }
});

function aggregate(module: FunctionModule, name: string, types: readonly string[], rows: readonly (readonly (string | null)[])[]): string | null {
  const found = module.functions!.find((f): f is AggregateFunction => f.kind === 'aggregate' && f.name === name)!;
  const argTypes = types.map(typeNamed);
  try {
    let state = found.init({ env: ENV, argTypes, returnType: typeNamed(found.returns) });
    for (const row of rows) state = found.step(state, ...row.map((text, i) => (text === null ? null : argTypes[i].parse(text, -1, ENV))));
    return found.finish(state) as string | null;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** The refusal of a null key has other words in Postgres 15. */
function inPostgres15<T>(outcome: T): T | string {
  return outcome === '22004 null value not allowed for object key' ? '22023 field name must not be null' : outcome;
}

test('aggregates', async () => {
  const run = async (name: string, types: string[], rows: (string | null)[][]): Promise<void> => {
    const columns = types.map((type, i) => `c${i} ${type.startsWith('_') ? `${type.slice(1)}[]` : type}`);
    await pg.exec(`drop table if exists r; create table r (n serial, ${columns.join(', ')})`);
    for (const row of rows)
      await pg.query(
        `insert into r (${types.map((_, i) => `c${i}`).join(', ')}) values (${row.map((text) => (text === null ? 'null' : `'${text}'`)).join(', ')})`,
      );
    const list = types.map((_, i) => `c${i}`).join(', ');
    const theirs = await pg.query<[string | null]>(`select ${name}(${list} order by n)::text from r`, [], { rowMode: 'array' }).then(
      (result) => result.rows[0][0],
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
    expect([name, types, rows, aggregate(JSON_AGGREGATES, name, types, rows)]).toEqual([name, types, rows, inPostgres15(theirs)]);
  };
  for (const name of ['json_agg', 'json_agg_strict', 'jsonb_agg', 'jsonb_agg_strict']) {
    await run(name, ['int4'], []);
    await run(name, ['int4'], [['1'], [null], ['3']]);
    await run(name, ['int4'], [[null]]);
    await run(name, ['text'], [['a'], ['b"']]);
    await run(name, ['_int4'], [['{1,2}'], [null], ['{{3}}']]);
    await run(name, ['pair'], [['(1,a)'], ['(2,)'], [null]]);
    await run(name, ['jsonb'], [['{"a":1}'], ['null'], [null]]);
    await run(name, ['json'], [['{"a" :1}'], ['null']]);
  }
  for (const name of ['', '_strict', '_unique', '_unique_strict']) {
    for (const type of ['json_object_agg', 'jsonb_object_agg']) {
      await run(type + name, ['text', 'int4'], []);
      await run(
        type + name,
        ['text', 'int4'],
        [
          ['b', '1'],
          ['a', null],
          ['c', '3'],
        ],
      );
      await run(
        type + name,
        ['text', 'int4'],
        [
          ['a', '1'],
          ['a', '2'],
        ],
      );
      await run(
        type + name,
        ['text', 'int4'],
        [
          ['a', '1'],
          ['a', null],
        ],
      );
      await run(type + name, ['text', 'int4'], [['a', null]]);
      await run(type + name, ['text', 'int4'], [[null, '1']]);
      await run(
        type + name,
        ['int4', '_int4'],
        [
          ['1', '{1}'],
          ['2', '{}'],
        ],
      );
      await run(type + name, ['jsonb', 'int4'], [['1', '1']]);
    }
  }
});

test('casts of jsonb to scalars', async () => {
  const targets: [string, SqlType][] = [
    ['int2', INT2],
    ['int4', INT4],
    ['int8', INT8],
    ['float8', FLOAT8],
    ['numeric', NUMERIC],
  ];
  for (const text of [
    '1',
    '1.5',
    '2.5',
    '-1.5',
    '-2.50',
    '0.49',
    '1e2',
    '32768',
    '-32769',
    '2147483648',
    '2147483647.4',
    '9223372036854775807',
    '9223372036854775807.5',
    '9223372036854775808',
    '-9223372036854775808',
    '1e400',
    '1e-400',
    '12345678901234567890.123',
    'null',
    '"1"',
    '[]',
    '{}',
    'true',
  ]) {
    for (const [to, type] of targets) {
      let outcome: Outcome;
      try {
        const value = JSON_CASTS.casts!.find((cast) => cast.to === to)!.impl!(JSONB.parse(text, -1, ENV));
        outcome = [value === null ? null : type.format(value, ENV)];
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        outcome = `${error.code} ${error.message}`;
      }
      // Postgres 15 has no cast of JSON's null; later ones make it SQL's.
      const theirs = text === 'null' ? `22023 cannot cast jsonb null to type ${type.title}` : await oracle(pg, `'${text}'::jsonb::${to}`);
      expect([text, to, outcome]).toEqual([text, to, theirs]);
    }
  }
  const toBool = JSON_CASTS.casts!.find((cast) => cast.to === 'bool')!.impl!;
  expect([toBool('true'), toBool('false')]).toEqual([true, false]);
  expect(() => toBool('null')).toThrow('cannot cast jsonb null to type boolean');
  expect(() => toBool('1')).toThrow('cannot cast jsonb numeric to type boolean');
});

test('a jsonb built too deep is 54001, as it could not be read back', () => {
  const wrap = JSON_BUILD.functions!.find((f) => f.name === 'to_jsonb') as unknown as { impl: (call: Call, value: Value) => string };
  const type = typeNamed('_jsonb');
  const call: Call = { env: ENV, argTypes: [type], returnType: JSONB };
  let doc = '1';
  expect(() => {
    for (let i = 0; i < 2000; i++) doc = wrap.impl(call, new ArrayValue([doc]));
  }).toThrow('stack depth limit exceeded');
  expect(JSONB.parse(doc, -1, ENV)).toBe(doc);
});
