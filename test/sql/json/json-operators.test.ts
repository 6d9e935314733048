import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JSON_ACCESS } from '../../../src/sql/functions/json/json-access.ts';
import { JSONB_CHANGE } from '../../../src/sql/functions/json/jsonb-change.ts';
import { JSONB_COMPARE } from '../../../src/sql/functions/json/jsonb-compare.ts';
import { JSONB_SUBSCRIPT, jsonbAssign, jsonbSubscript } from '../../../src/sql/functions/json/jsonb-subscript.ts';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { JSONB } from '../../../src/sql/types/jsonb.ts';
import { type Arg, expectSame, ours, seeded } from './against-oracle.ts';
import { randomJson, randomJsons } from './json-samples.ts';
import { ENV } from './plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
});
afterAll(() => pg.close());

const DOCS = [
  'null',
  '1',
  '"a"',
  'true',
  '[]',
  '{}',
  '[1, [2, {"a": null}], "a", null]',
  '{"a": {"b": {"c": [1, 2, {"d": null}]}}, "b": 1, "é": "x"}',
  '{"a":1,"a":{"b":2},"0":"zero","a b":"sp"}',
  '[{"a":1},{"a":[1,2]}]',
  ' [ 1 , "x\\ty" , [ 3 ] ] ',
  '{"a":"q\\"q","b":"\\u00e9","c":1.50,"d":[],"e":{}}',
  '["a","b","a"]',
  '[null,[null,{"a":null,"b":[null]}]]',
  '{"a":null,"b":{"c":null},"d":[null,{"e":null}]}',
];
const PATHS = [
  '{}',
  '{a}',
  '{a,b}',
  '{a,b,c,1}',
  '{a,b,c,-1,d}',
  '{0}',
  '{-1}',
  '{1,1,a}',
  '{NULL}',
  '{a,NULL}',
  '{x}',
  '{1,x}',
  '{5}',
  '{-9}',
  '{" 1"}',
  '{"1 "}',
  '{+1}',
  '{99999999999}',
  '{b}',
  '{b,c}',
  '{d,1,e}',
  '{-2147483648}',
  '{0,a,0}',
  '{a,x,y}',
];
const KEYS = ['a', 'b', 'é', '', '0', 'a b', 'zz'];
const INDEXES = ['0', '1', '-1', '3', '-4', '-5', '99', '-2147483648'];

test('-> ->> #> #>> on json and jsonb', async () => {
  for (const type of ['json', 'jsonb']) {
    for (const doc of DOCS) {
      for (const name of ['->', '->>']) {
        for (const key of KEYS)
          await expectSame(pg, JSON_ACCESS, name, [
            [type, doc],
            ['text', key],
          ]);
        for (const index of INDEXES)
          await expectSame(pg, JSON_ACCESS, name, [
            [type, doc],
            ['int4', index],
          ]);
      }
      for (const name of ['#>', '#>>'])
        for (const path of PATHS)
          await expectSame(pg, JSON_ACCESS, name, [
            [type, doc],
            ['_text', path],
          ]);
    }
    await expectSame(pg, JSON_ACCESS, `${type}_extract_path`, [
      [type, DOCS[7]],
      ['text', 'a'],
      ['text', 'b'],
    ]);
    await expectSame(pg, JSON_ACCESS, `${type}_extract_path_text`, [
      [type, DOCS[7]],
      ['text', 'b'],
    ]);
    await expectSame(pg, JSON_ACCESS, '->', [
      [type, null],
      ['text', 'b'],
    ]);
    await expectSame(pg, JSON_ACCESS, '->>', [
      [type, '{"a":"\\u0000"}'],
      ['text', 'b'],
    ]);
    await expectSame(pg, JSON_ACCESS, '->>', [
      [type, '{"a":"\\ud83d\\ude00"}'],
      ['text', 'a'],
    ]);
  }
});

test('order, containment and existence of jsonb', async () => {
  const next = seeded(5);
  const docs = [...DOCS, ...randomJsons(6, 40, 3)];
  for (let i = 0; i < 500; i++) {
    const pair: Arg[] = [
      ['jsonb', docs[next(docs.length)]],
      ['jsonb', i % 2 === 0 ? docs[next(docs.length)] : randomJson(next, 1)],
    ];
    for (const name of ['@>', '<@', ['=', '<>', '<', '>', '<=', '>='][next(6)]]) await expectSame(pg, JSONB_COMPARE, name, pair);
  }
  for (const doc of DOCS) {
    for (const key of KEYS)
      await expectSame(pg, JSONB_COMPARE, '?', [
        ['jsonb', doc],
        ['text', key],
      ]);
    for (const keys of ['{}', '{a}', '{a,b}', '{zz,a}', '{NULL,a}', '{NULL}', '{a,zz}']) {
      await expectSame(pg, JSONB_COMPARE, '?|', [
        ['jsonb', doc],
        ['_text', keys],
      ]);
      await expectSame(pg, JSONB_COMPARE, '?&', [
        ['jsonb', doc],
        ['_text', keys],
      ]);
    }
  }
});

test('|| and -', async () => {
  for (const a of DOCS) {
    for (const b of DOCS)
      await expectSame(pg, JSONB_CHANGE, '||', [
        ['jsonb', a],
        ['jsonb', b],
      ]);
    for (const key of KEYS)
      await expectSame(pg, JSONB_CHANGE, '-', [
        ['jsonb', a],
        ['text', key],
      ]);
    for (const keys of ['{}', '{a}', '{a,b}', '{NULL}', '{{a},{b}}', '{a,NULL}'])
      await expectSame(pg, JSONB_CHANGE, '-', [
        ['jsonb', a],
        ['_text', keys],
      ]);
    for (const index of INDEXES)
      await expectSame(pg, JSONB_CHANGE, '-', [
        ['jsonb', a],
        ['int4', index],
      ]);
    for (const path of PATHS)
      await expectSame(pg, JSONB_CHANGE, '#-', [
        ['jsonb', a],
        ['_text', path],
      ]);
  }
});

test('jsonb_set, jsonb_insert, strip_nulls, pretty', async () => {
  for (const doc of DOCS) {
    for (const path of PATHS) {
      for (const flag of ['true', 'false']) {
        await expectSame(pg, JSONB_CHANGE, 'jsonb_set', [
          ['jsonb', doc],
          ['_text', path],
          ['jsonb', '{"new": [1]}'],
          ['bool', flag],
        ]);
        await expectSame(pg, JSONB_CHANGE, 'jsonb_insert', [
          ['jsonb', doc],
          ['_text', path],
          ['jsonb', '"new"'],
          ['bool', flag],
        ]);
      }
    }
    await expectSame(pg, JSONB_CHANGE, 'jsonb_set', [
      ['jsonb', doc],
      ['_text', '{a,z}'],
      ['jsonb', '7'],
    ]);
    await expectSame(pg, JSONB_CHANGE, 'jsonb_insert', [
      ['jsonb', doc],
      ['_text', '{1}'],
      ['jsonb', '7'],
    ]);
    await expectSame(pg, JSONB_CHANGE, 'jsonb_pretty', [['jsonb', doc]]);
    for (const type of ['json', 'jsonb']) {
      await expectSame(pg, JSONB_CHANGE, `${type}_strip_nulls`, [[type, doc]]);
      await expectSame(pg, JSONB_CHANGE, `${type}_strip_nulls`, [
        [type, doc],
        ['bool', 'true'],
      ]);
    }
  }
});

test('jsonb_set_lax and its treatments of null', async () => {
  for (const treatment of ['raise_exception', 'use_json_null', 'delete_key', 'return_target', 'other', null]) {
    for (const value of [null, '5']) {
      for (const path of ['{a}', '{b,c}', '{x}', null]) {
        for (const create of ['true', 'false', null]) {
          await expectSame(pg, JSONB_CHANGE, 'jsonb_set_lax', [
            ['jsonb', '{"a":1,"b":{"c":2}}'],
            ['_text', path],
            ['jsonb', value],
            ['bool', create],
            ['text', treatment],
          ]);
        }
      }
    }
  }
  await expectSame(pg, JSONB_CHANGE, 'jsonb_set_lax', [
    ['jsonb', '{"a":1}'],
    ['_text', '{a}'],
    ['jsonb', null],
  ]);
});

test('subscripts of jsonb read and assign', async () => {
  await pg.exec('create table d (j jsonb)');
  const paths: (readonly (string | number | null)[])[] = [
    ['a'],
    [0],
    [-1],
    ['a', 'b'],
    ['a', 1],
    [3],
    [2, 'x', 1],
    ['n', 2, 'k'],
    [1, 1, 'a', 'b'],
    [-9],
    [null],
    ['a', null],
    ['b', 'c'],
    ['d', 1, 'e'],
  ];
  for (const doc of [null, ...DOCS]) {
    for (const path of paths) {
      const subscripts = path.map((step) => (step === null ? '[null]' : typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('');
      const texts = path.map((step) => (step === null ? null : String(step)));
      const value = doc === null ? null : (JSONB.parse(doc, -1, ENV) as string);
      const sql = `select ((${doc === null ? 'null' : `'${doc}'`}::jsonb)${subscripts})::text`;
      const read = (await pg.query<[string | null]>(sql, [], { rowMode: 'array' })).rows[0][0];
      expect([sql, jsonbSubscript(value, texts)]).toEqual([sql, read]);
      for (const assigned of ['"v"', null]) {
        let theirs: string | null;
        try {
          await pg.exec(`truncate d; insert into d values (${doc === null ? 'null' : `'${doc}'`})`);
          await pg.exec(`update d set j${subscripts} = ${assigned === null ? 'null' : `'${assigned}'`}`);
          theirs = (await pg.query<[string | null]>('select j::text from d', [], { rowMode: 'array' })).rows[0][0];
        } catch (error) {
          theirs = (error as Error).message;
        }
        let ours: string | null;
        try {
          ours = jsonbAssign(value, texts, assigned, typeof path[0] === 'number');
        } catch (error) {
          if (!(error instanceof SvcError)) throw error;
          ours = error.message;
        }
        expect([doc, subscripts, assigned, ours]).toEqual([doc, subscripts, assigned, theirs]);
      }
    }
  }
});

test('random documents, paths and operators', async () => {
  const next = seeded(77);
  const steps = ['a', 'b', 'aa', 'é', '', '0', '1', '-1', '2', 'x y'];
  for (let i = 0; i < 300; i++) {
    const doc: Arg = ['jsonb', randomJson(next, 3)];
    const other: Arg = ['jsonb', randomJson(next, 2)];
    const path: Arg = ['_text', `{${Array.from({ length: next(4) }, () => `"${steps[next(steps.length)]}"`).join(',')}}`];
    const key: Arg = ['text', steps[next(steps.length)]];
    const flag: Arg = ['bool', String(next(2) === 0)];
    await expectSame(pg, JSONB_CHANGE, ['jsonb_set', 'jsonb_insert'][next(2)], [doc, path, other, flag]);
    await expectSame(pg, JSONB_CHANGE, '||', [doc, other]);
    await expectSame(pg, JSONB_CHANGE, '#-', [doc, path]);
    await expectSame(pg, JSONB_CHANGE, '-', [doc, key]);
    await expectSame(pg, JSON_ACCESS, ['#>', '#>>'][next(2)], [doc, path]);
    await expectSame(pg, JSON_ACCESS, ['->', '->>'][next(2)], [next(2) === 0 ? doc : ['json', doc[1]], key]);
    await expectSame(pg, JSONB_COMPARE, ['@>', '<@'][next(2)], [doc, other]);
  }
});

test('jsonb_subscript is #> by another name', async () => {
  for (const doc of DOCS) {
    const found = ours(JSONB_SUBSCRIPT, 'jsonb_subscript', [
      ['jsonb', doc],
      ['text', 'a'],
      ['text', 'b'],
    ]);
    expect(found).toEqual(
      ours(JSON_ACCESS, '#>', [
        ['jsonb', doc],
        ['_text', '{a,b}'],
      ]),
    );
  }
});
