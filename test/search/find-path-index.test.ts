/** `find` by a path into JSON uses an index over the expression, and finds the same rows as a reading of the whole table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, Row } from '../../src/commands/contract.ts';
import { exactJsonText, parseInputJson } from '../../src/base/exact-json.ts';
import { indexedPath } from '../../src/sql/schema/indexed-path.ts';
import { Random } from '../suite/random.ts';
import { TestDatabase } from '../sql/session/open-database.ts';

let t: TestDatabase;
const TABLES = ['plain', 'json', 'text', 'chain'] as const;
const INDEXES: Readonly<Record<(typeof TABLES)[number], string>> = {
  plain: '',
  json: "CREATE INDEX ON json ((a -> 'b')); CREATE INDEX ON json ((a #> '{o,c}')); CREATE INDEX ON json ((a -> 'b'), n)",
  text: "CREATE INDEX ON text ((a ->> 'b')); CREATE INDEX ON text ((a #>> '{o,c}'), n)",
  chain: "CREATE INDEX ON chain (n, (a['o']['c'])); CREATE INDEX ON chain ((a['b'])); CREATE INDEX ON chain (((a -> 'o') -> 'c'))",
};
const VALUES = [
  '1',
  '1.0',
  '1e0',
  '1.50',
  '1.5',
  '"1"',
  '"text"',
  '"1.5"',
  'true',
  '"true"',
  'null',
  '[1]',
  '[1.0]',
  '{"c":1}',
  '{}',
  '9007199254740993',
  '"it\'s"',
  '""',
];
const SHAPES: readonly ((value: string) => string)[] = [
  (value) => `{"a":{"b":${value}},"n":1}`,
  (value) => `{"a":{"o":{"c":${value}}},"n":2}`,
  (value) => `{"a":{"b":${value},"o":{"c":${value}}}}`,
  (value) => `{"a":[${value}],"n":1}`,
  (value) => `{"a":${value}}`,
  (value) => `{"n":1,"other":${value}}`,
  (value) => `{"a":{"o":[${value}]}}`,
];

beforeAll(async () => {
  t = await TestDatabase.open();
  const random = new Random(7);
  const records = Array.from({ length: 3000 }, () => random.of(SHAPES)(random.of(VALUES)));
  for (const table of TABLES) {
    await t.db.batch({ rows: records.map((text, i) => ({ table, id: String(10_000 + i), record: parseInputJson(text) as Row })) });
    if (INDEXES[table] !== '') await t.run(INDEXES[table]);
  }
});
afterAll(() => t.close());

const found = async (table: string, where: string): Promise<string> =>
  exactJsonText(await t.db.find({ table, where: parseInputJson(where) as Row, limit: 1000 }));

test.each(['a.b', 'a.o.c'])('%s equals as JSON, with and without an index', async (path) => {
  let total = 0;
  for (const value of VALUES) {
    for (const rest of ['', ',"n":1', ',"n":2']) {
      const where = `{"${path}":${value}${rest}}`;
      const whole = await found('plain', where);
      for (const table of TABLES) expect([table, where, await found(table, where)]).toEqual([table, where, whole]);
      total += (JSON.parse(whole) as { total: number }).total;
    }
  }
  expect(total).toBeGreaterThan(1000);
});

test('an entry behind is no row, in forks and in the past as well', async () => {
  const { at } = await t.db.checkpoint({ name: 'before' });
  const before = await found('json', '{"a.b":"text"}');
  await t.run('CREATE WORLD w');
  await t.run(`UPDATE json SET a = '{"b": "moved"}' WHERE a ->> 'b' = 'text'`, 'w');
  expect((await t.db.find({ branch: 'w', table: 'json', where: { 'a.b': 'text' } })).total).toBe(0);
  expect(await found('json', '{"a.b":"text"}')).toBe(before);
  await t.db.merge({ branch: 'w' });
  expect((await t.db.find({ table: 'json', where: { 'a.b': 'text' } })).total).toBe(0);
  const { total } = await t.db.find({ table: 'json', where: { 'a.b': 'moved' } });
  expect(total).toBe((JSON.parse(before) as { total: number }).total);
  expect((await t.db.find({ branch: `main@${at}`, table: 'json', where: { 'a.b': 'text' } })).total).toBe(total);
});

test.each<[string, Json]>([
  ["(a -> 'b')", { name: 'a', path: ['b'], isText: false }],
  ["(a ->> 'b')", { name: 'a', path: ['b'], isText: true }],
  ["((a -> 'b'::text) ->> 'c'::text)", { name: 'a', path: ['b', 'c'], isText: true }],
  ["(a #> '{b,c}'::text[])", { name: 'a', path: ['b', 'c'], isText: false }],
  ["a['b']['c']", { name: 'a', path: ['b', 'c'], isText: false }],
  [`("q'u""o" -> 'it''s \\x')`, { name: `q'u"o`, path: ["it's \\x"], isText: false }],
  ['(a -> 0)', null],
  ["(a #> '{b,null}')", null],
  [`(a #> '{"b,c"}')`, null],
  ["lower((a ->> 'b'))", null],
  ["((a ->> 'b'))::integer", null],
  ["((a ->> 'b') || 'c')", null],
  ['(a -> b)', null],
  ["jsonb_extract_path(a, 'b')", null],
  ["(a -> E'b')", null],
  ['a', null],
])('%s', (sql, path) => {
  expect(indexedPath(sql)).toEqual(path);
});
