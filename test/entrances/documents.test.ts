/** Documents are full tables through every entrance: the same steps through HTTP, MCP, the shell, the embedding API, SQL and COPY give the same answers. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/commands/contract.ts';
import { parseInputJson } from '../../src/base/exact-json.ts';
import { type Answer, type Entrance, Entrances } from './entrances.ts';

let entrances: Entrances;
beforeAll(async () => {
  entrances = await Entrances.open();
});
afterAll(() => entrances.close());
afterEach(() => expect(entrances.faults.splice(0)).toEqual([]));

const NAMES = ['HTTP', 'MCP', 'the shell', 'the embedding API', 'SQL', 'COPY'];
const RECORDS = NAMES.slice(0, 4);
const named = (name: string): Entrance => entrances.all.find((each) => each.name === name)!;

/** `{t}` is the table, `{w}` a world of the case. */
type Step = (
  | { readonly put: readonly [id: string, record: string] }
  | { readonly get: string }
  | { readonly find: string }
  | { readonly delete: string }
  | { readonly sql: string }
  | { readonly merge: string }
) & {
  readonly on?: string;
  /** The answer. */
  readonly is: Answer;
  /** Of SQL and COPY, where their rows differ from records: a field that a record lacks is null, new fields have no column. */
  readonly rows?: Answer;
};

const put = (id: string, record: string, is: Answer = 'ok', rows?: Answer): Step => ({ put: [id, record], is, rows });
const get = (id: string, is: Answer, rows?: Answer): Step => ({ get: id, is, rows });
const find = (where: string, is: Answer, rows?: Answer): Step => ({ find: where, is, rows });
const remove = (id: string, is: Answer = 'ok'): Step => ({ delete: id, is });
const sql = (text: string, is: Answer = ''): Step => ({ sql: text, is });
const merge = (is: Answer = 'ok'): Step => ({ merge: '{w}', is });
const on = (branch: string, step: Step): Step => ({ ...step, on: branch });
const there = (step: Step): Step => on('{w}', step);

/** As many fields. */
function record(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"f${i}":${i}`).join(',')}}`;
}

interface Case {
  readonly title: string;
  /** Put before through the embedding API. */
  readonly docs: readonly (readonly [id: string, record: string])[];
  readonly steps: readonly Step[];
}

const DOCS = [
  ['a', '{"n":1,"s":"x","ok":true,"j":{"a":[1]}}'],
  ['b', '{"n":2,"s":"y"}'],
] as const;

// The reply is the world's state.
const FORK = sql('CREATE WORLD {w}; SELECT 1', '1');

const CASES: readonly Case[] = [
  {
    title: 'a closed table takes no further fields, and an opened one does',
    docs: DOCS,
    steps: [
      sql('ALTER TABLE {t} SET (documents = off)'),
      put('c', '{"n":3}'),
      put('d', '{"n":4,"more":1}', '42703'),
      put('d', '{"n":"four"}', '22P02'),
      get('d', '02000'),
      find('{"more":1}', '42703'),
      sql('ALTER TABLE {t} SET (documents = on)'),
      put('d', '{"n":4,"more":1}', 'ok', '42703'),
      find('{"more":1}', 'd', '42703'),
    ],
  },
  {
    title: 'constraints hold for every writer',
    docs: DOCS,
    steps: [
      sql('ALTER TABLE {t} ADD UNIQUE (s), ADD CHECK (n > 0), ALTER n SET NOT NULL'),
      put('c', '{"n":3,"s":"x"}', '23505'),
      put('c', '{"n":-3,"s":"z"}', '23514'),
      put('c', '{"s":"z"}', '23502'),
      put('c', '{"n":null,"s":"z"}', '23502'),
      put('c', '{"n":"three","s":"z"}', '22P02'),
      get('c', '02000'),
      find('{"s":"z"}', ''),
      put('c', '{"n":3,"s":"z"}'),
      get('c', '{"n":3,"s":"z"}', '{"id":"c","n":3,"s":"z","ok":null,"j":null}'),
      find('{"s":"z"}', 'c'),
      find('{"n":3}', 'c'),
      remove('c'),
      put('d', '{"n":3,"s":"z"}'),
      find('{"s":"z"}', 'd'),
    ],
  },
  {
    title: 'foreign keys to and from documents hold',
    docs: DOCS,
    steps: [
      sql('ALTER TABLE {t} ADD boss text REFERENCES {t}'),
      put('c', '{"n":3,"boss":"missing"}', '23503'),
      put('c', '{"n":3,"boss":"a"}'),
      remove('a', '23503'),
      sql('DROP TABLE {t}', ''),
    ],
  },
  {
    title: 'rows that refer to documents keep them, and cascades remove them',
    docs: DOCS,
    steps: [
      sql("CREATE TABLE {t}_refs (id text PRIMARY KEY, doc text REFERENCES {t}); INSERT INTO {t}_refs VALUES ('r', 'a')"),
      remove('a', '23503'),
      remove('b'),
      get('a', '{"n":1,"s":"x","ok":true,"j":{"a":[1]}}', '{"id":"a","n":1,"s":"x","ok":true,"j":{"a":[1]}}'),
      sql('DROP TABLE {t}', '2BP01'),
      sql('ALTER TABLE {t}_refs DROP CONSTRAINT {t}_refs_doc_fkey, ADD FOREIGN KEY (doc) REFERENCES {t} ON DELETE CASCADE'),
      remove('a'),
      sql('SELECT count(*) FROM {t}_refs', '0'),
    ],
  },
  {
    title: 'a table that a branch dropped is dropped by the merge',
    docs: DOCS,
    steps: [
      FORK,
      there(sql('DROP TABLE {t}')),
      there(find('{}', '42P01')),
      merge(),
      find('{}', '42P01'),
      sql("SELECT to_regclass('{t}')", 'null'),
      get('a', '02000', '42P01'),
    ],
  },
  {
    title: 'a table that a branch renamed is renamed by the merge, with what was put since',
    docs: DOCS,
    steps: [
      FORK,
      there(sql('ALTER TABLE {t} RENAME TO {t}_papers')),
      put('c', '{"n":3,"s":"z"}'),
      merge(),
      find('{}', '42P01'),
      sql('SELECT id, n FROM {t}_papers ORDER BY id', 'a|1\nb|2\nc|3'),
    ],
  },
  {
    title: 'a field that a branch renamed is renamed by the merge, with what was put since',
    docs: DOCS,
    steps: [
      FORK,
      there(sql('ALTER TABLE {t} RENAME n TO amount')),
      put('c', '{"n":3,"s":"z"}'),
      merge(),
      get('c', '{"amount":3,"s":"z"}', '{"id":"c","amount":3,"s":"z","ok":null,"j":null}'),
      find('{"amount":3}', 'c'),
      find('{"n":3}', '42703'),
    ],
  },
  {
    title: 'a column that a branch added comes with the merge, beside what was put',
    docs: DOCS,
    steps: [
      FORK,
      there(sql('ALTER TABLE {t} ADD COLUMN stars int DEFAULT 5')),
      put('c', '{"n":3,"s":"z"}'),
      there(put('d', '{"n":4,"stars":2}')),
      merge(),
      sql('SELECT id, n, stars FROM {t} ORDER BY id', 'a|1|5\nb|2|5\nc|3|5\nd|4|2'),
      find('{"stars":5}', 'a b c'),
      put('e', '{"n":5}'),
      find('{"stars":5}', 'a b c e'),
    ],
  },
  {
    title: 'an index is used and kept while fields come',
    docs: DOCS,
    steps: [
      sql('CREATE INDEX ON {t} (n); CREATE UNIQUE INDEX ON {t} (lower(s))'),
      put('c', '{"n":3,"s":"X"}', '23505'),
      put('c', '{"n":3,"s":"Z"}'),
      find('{"n":3}', 'c'),
      find('{"n":3.0}', 'c', '22P02'),
      find('{"n":"3"}', '', 'c'),
      remove('c'),
      find('{"n":3}', ''),
    ],
  },
  {
    title: 'empty texts, empty objects and nested nulls are values',
    docs: [['a', '{"s":"","o":{},"l":[],"d":{"k":null,"l":[null,{"m":null}]}}']],
    steps: [
      put('b', '{"s":"","o":{},"l":[],"d":{"k":null,"l":[null,{"m":null}]}}'),
      get('b', '{"s":"","o":{},"l":[],"d":{"k":null,"l":[null,{"m":null}]}}', '{"id":"b","s":"","o":{},"l":[],"d":{"k":null,"l":[null,{"m":null}]}}'),
      find('{"s":""}', 'a b'),
      find('{"o":{}}', 'a b'),
      find('{"l":[]}', 'a b'),
      find('{"d":{"k":null,"l":[null,{"m":null}]}}', 'a b'),
      find('{"d":{"k":null}}', ''),
      find('{"s":null}', ''),
      put('c', '{"s":null}'),
      get('c', '{"s":null}', '{"id":"c","s":null,"o":null,"l":null,"d":null}'),
      find('{"s":null}', 'c'),
      find('{"o":null}', '', 'c'),
    ],
  },
  {
    title: 'ids that records cannot have are refused, and are keys of rows',
    docs: DOCS,
    steps: [put('a b', '{"n":1}', '22023', 'ok'), put('', '{"n":1}', '22023', 'ok'), sql("DELETE FROM {t} WHERE id IN ('', 'a b')")],
  },
  {
    title: 'a hierarchy has the same columns everywhere, so none of its tables takes documents',
    docs: DOCS,
    steps: [
      sql('CREATE TABLE {t}_parts (id text PRIMARY KEY, n int) PARTITION BY LIST (id) WITH (documents = on)', '0A000'),
      sql('CREATE TABLE {t}_parts (id text PRIMARY KEY, n bigint, s text, ok boolean, j jsonb) PARTITION BY HASH (id)'),
      sql('ALTER TABLE {t}_parts SET (documents = on)', '0A000'),
      sql('ALTER TABLE {t}_parts ATTACH PARTITION {t} FOR VALUES WITH (MODULUS 1, REMAINDER 0)', '55000'),
      sql('CREATE TABLE {t}_child () INHERITS ({t})', '55000'),
      sql('ALTER TABLE {t} SET (documents = off)'),
      sql('ALTER TABLE {t}_parts ATTACH PARTITION {t} FOR VALUES WITH (MODULUS 1, REMAINDER 0)'),
      sql('ALTER TABLE {t} SET (documents = on)', '0A000'),
      sql("SELECT id, n, s, ok::text AS ok, j->>'a' AS j FROM {t}_parts ORDER BY id", 'a|1|x|true|[1]\nb|2|y|null|null'),
      put('c', '{"n":3,"s":"z"}'),
      put('d', '{"n":4,"more":1}', '42703'),
      get('a', '{"id":"a","n":1,"s":"x","ok":true,"j":{"a":[1]}}'),
      find('{"s":"z"}', 'c'),
      sql('SELECT id FROM {t}_parts WHERE n >= 2 ORDER BY id', 'b\nc'),
    ],
  },
  {
    title: 'a table that others inherit from takes no documents',
    docs: DOCS,
    steps: [
      sql('ALTER TABLE {t} SET (documents = off); CREATE TABLE {t}_child (extra int) INHERITS ({t})'),
      sql('ALTER TABLE {t} SET (documents = on)', '0A000'),
      sql("INSERT INTO {t}_child (id, n, extra) VALUES ('c', 3, 4)"),
      sql('SELECT id, n FROM {t} ORDER BY id', 'a|1\nb|2\nc|3'),
      get('a', '{"id":"a","n":1,"s":"x","ok":true,"j":{"a":[1]}}'),
    ],
  },
  {
    title: 'a table has at most 1600 columns, with the id, and any number of fields inside one',
    docs: [['a', record(1599)]],
    steps: [
      put('b', record(10_000), '54011', '42703'),
      put('b', '{"one":1}', '54011', '42703'),
      put('b', record(1599)),
      sql('SELECT id FROM {t} WHERE f1598 = 1598 ORDER BY id', 'a\nb'),
      sql('CREATE INDEX ON {t} (f7)'),
      put('c', '{"one":1}', '54011', '42703'),
      sql('ALTER TABLE {t} ADD one int', '54011'),
    ],
  },
  {
    title: 'a field holds an object of 10,000 members',
    docs: [['a', `{"deep":${record(10_000)}}`]],
    steps: [put('b', `{"deep":${record(10_000)}}`), sql('SELECT a.id FROM {t} a JOIN {t} b USING (deep) WHERE b.id = $$b$$ ORDER BY 1', 'a\nb')],
  },
];

let counter = 0;

async function played(entrance: Entrance, { docs, steps }: Case): Promise<{ answers: object[]; expected: object[] }> {
  const table = `docs${++counter}`;
  const filled = (text: string): string => text.replaceAll('{t}', table).replaceAll('{w}', `w${table}`);
  for (const [id, record] of docs) await entrances.db.put({ table, id, record: parseInputJson(record) as Row });
  const answers: object[] = [];
  const expected: object[] = [];
  for (const step of steps) {
    const branch = step.on === undefined ? undefined : filled(step.on);
    answers.push({ step: titleOf(step), answer: await answerOf(entrance, table, step, filled, branch) });
    expected.push({ step: titleOf(step), answer: entrance.takesRecords ? step.is : (step.rows ?? step.is) });
  }
  return { answers, expected };
}

function titleOf({ is: _is, rows: _rows, ...step }: Step): string {
  return JSON.stringify(step).slice(0, 200);
}

async function answerOf(entrance: Entrance, table: string, step: Step, filled: (text: string) => string, branch: string | undefined): Promise<Answer> {
  if ('put' in step) return entrance.put(table, step.put[0], step.put[1], branch);
  if ('get' in step) return entrance.get(table, step.get, branch);
  if ('find' in step) return entrance.find(table, step.find, branch);
  if ('delete' in step) return entrance.delete(table, step.delete, branch);
  if ('merge' in step) return entrance.merge(filled(step.merge));
  return entrance.sql(filled(step.sql), branch);
}

describe.each(NAMES)('through %s', (name) => {
  test.each(CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { answers, expected } = await played(named(name), each);
    expect(answers).toEqual(expected);
  });
});

const DIGITS = '1'.padEnd(401, '0');
/** A number, as it is shown, and what a put answers where the column stays bigint, and where it stays double precision. */
const NUMBERS: readonly [text: string, shown: string, bigint: Answer, double: Answer][] = [
  ['7', '7', 'ok', 'ok'],
  ['-0', '0', 'ok', 'ok'],
  ['7.0', '7', 'ok', 'ok'],
  ['1e2', '100', 'ok', 'ok'],
  ['2.50', '2.5', '22P02', 'ok'],
  ['1e22', '1e+22', '22P02', 'ok'],
  ['9007199254740993', '9007199254740993', 'ok', '22003'],
  ['9223372036854775807', '9223372036854775807', 'ok', '22003'],
  ['9223372036854775808', '9223372036854775808', '22003', '22003'],
  ['0.12345678901234567890123456789', '0.12345678901234567890123456789', '22P02', '22003'],
  ['123456789012345678901234567890', '123456789012345678901234567890', '22003', '22003'],
  ['1e400', DIGITS, '22P02', '22003'],
];
const KEPT = {
  'by nothing': [],
  'by an index': ['CREATE INDEX ON {t} (n); CREATE INDEX ON {t} (x); CREATE INDEX ON {t} (j)'],
  'by the closed table': ['ALTER TABLE {t} SET (documents = off)'],
} as const;

// A number is never rounded, and is found as it was put.
describe.each(RECORDS)('numbers through %s', (name) => {
  test.each(Object.entries(KEPT))('in columns kept %s', async (kept, statements) => {
    const entrance = named(name);
    const table = `docs${++counter}`;
    await entrances.db.put({ table, id: 'seed', record: { n: 1, x: 1.5, j: [] } });
    for (const statement of statements) expect(await entrance.sql(statement.replaceAll('{t}', table))).toBe('');
    const isKept = kept !== 'by nothing';
    for (const [text, shown, bigint, double] of isKept ? NUMBERS : []) {
      for (const [field, answer] of [
        ['n', bigint],
        ['x', double],
        ['j', 'ok'],
      ]) {
        const found = { text, field, put: await entrance.put(table, field, `{"${field}":${text}}`) };
        expect(found).toEqual({ text, field, put: answer });
        const isThere = answer === 'ok';
        // jsonb shows a number without an exponent, and keeps the zeros behind the point.
        if (isThere && field !== 'j') expect(await entrance.get(table, field)).toBe(`{"${field}":${shown}}`);
        expect([text, field, await entrance.find(table, `{"${field}":${text}}`)]).toEqual([text, field, isThere ? field : '']);
        if (isThere) expect(await entrance.delete(table, field)).toBe('ok');
      }
    }
    // A field that nothing keeps is widened.
    for (const [text, shown] of isKept ? [] : NUMBERS) {
      expect([text, await entrance.put(table, 'a', `{"n":${text}}`), await entrance.get(table, 'a')]).toEqual([text, 'ok', `{"n":${shown}}`]);
      expect([text, await entrance.find(table, `{"n":${text}}`)]).toEqual([text, 'a']);
      await entrances.db.fork({ name: `w${table}` });
      expect(await entrance.put(table, 'b', `{"n":${text},"y":${text}}`, `w${table}`)).toBe('ok');
      expect(await entrance.merge(`w${table}`)).toBe('ok');
      expect([text, await entrance.get(table, 'b'), await entrance.find(table, `{"y":${text}}`)]).toEqual([text, `{"n":${shown},"y":${shown}}`, 'b']);
    }
  });

  test('of SQL are shown with all digits, and what is no number as text', async () => {
    const entrance = named(name);
    const table = `docs${++counter}`;
    await entrances.db.put({ table, id: 'seed', record: { n: 1, x: 1.5 } });
    await entrance.sql(`INSERT INTO ${table} VALUES ('b', 9007199254740993, 'NaN'), ('c', -9223372036854775808, '-Infinity'), ('d', 0, 9007199254740992)`);
    for (const statement of ['SELECT 1', `CREATE INDEX ON ${table} (n); CREATE INDEX ON ${table} (x)`, `DROP INDEX ${table}_n_idx, ${table}_x_idx`, null]) {
      // The last time both fields are JSON.
      if (statement === null) await entrance.put(table, 'e', '{"n":"text","x":"text"}');
      else await entrance.sql(statement);
      const shown = ['{"n":9007199254740993,"x":"NaN"}', '{"n":-9223372036854775808,"x":"-Infinity"}', '{"n":0,"x":9007199254740992}'];
      expect(await Promise.all(['b', 'c', 'd'].map((id) => entrance.get(table, id)))).toEqual(shown);
      for (const [where, id] of [
        ['{"n":9007199254740993}', 'b'],
        ['{"n":9007199254740992}', ''],
        ['{"n":-9223372036854775808}', 'c'],
        ['{"x":"NaN"}', 'b'],
        ['{"x":"-Infinity"}', 'c'],
        ['{"x":1.5}', 'seed'],
        ['{"x":9007199254740992}', 'd'],
      ])
        expect([statement, where, await entrance.find(table, where)]).toEqual([statement, where, id]);
    }
  });
});

const VALUES = ['true', '7', '2.5', '"text"', '{"k":[1,null]}', '[]', 'null', '9007199254740993', '""', '"7"'];

test.each(RECORDS)('a field holds values of any two kinds, through %s', async (name) => {
  const entrance = named(name);
  const table = `docs${++counter}`;
  const pairs = VALUES.flatMap((one, i) => VALUES.map((other, k) => ({ field: `f${i}_${k}`, one, other })));
  const all = (side: 'one' | 'other'): string => `{${pairs.map((pair) => `"${pair.field}":${pair[side]}`).join(',')}}`;
  expect(await entrance.put(table, 'one', all('one'))).toBe('ok');
  expect(await entrance.put(table, 'other', all('other'))).toBe('ok');
  for (const statement of ['SELECT 1', `ALTER TABLE ${table} ADD CHECK (id <> 'none')`]) {
    expect(await entrance.sql(statement)).not.toMatch(/^[0-9A-Z]{5}$/);
    expect(await entrance.get(table, 'one')).toBe(all('one'));
    expect(await entrance.get(table, 'other')).toBe(all('other'));
    // A field and its wanted value from each pair would be hundreds of searches: one of each kind.
    for (const { field, one, other } of pairs.filter((_, i) => i % 7 === 0)) {
      expect([field, await entrance.find(table, `{"${field}":${other}}`)]).toEqual([field, one === other ? 'one other' : 'other']);
    }
  }
});

const HOSTILE = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a.b',
  '.',
  'a"b',
  "a'b",
  'a b',
  'a\\b',
  'a\nb',
  '%',
  '*',
  'ID',
  'ctid',
  'select',
  '0',
  '-1',
  '💥',
  'é',
];

test.each(NAMES)('names of fields are any text, through %s', async (name) => {
  const entrance = named(name);
  const table = `docs${++counter}`;
  const fields = [...HOSTILE, 'x'.repeat(63)];
  const json = `{${fields.map((field, i) => `${JSON.stringify(field)}:${i}`).join(',')}}`;
  await entrances.db.put({ table, id: 'seed', record: JSON.parse(json) as Row });
  for (const id of ['a', 'b']) {
    expect(await entrance.put(table, id, json)).toBe('ok');
    // The order of a JavaScript object is not that of its text.
    if (entrance.takesRecords) expect(JSON.parse(await entrance.get(table, id))).toEqual(JSON.parse(json));
    for (const [i, field] of fields.entries()) {
      const found = await entrance.find(table, `{${JSON.stringify(field)}:${i}}`);
      expect([field, found]).toEqual([field, id === 'a' ? 'a seed' : 'a b seed']);
      expect([field, await entrance.find(table, `{${JSON.stringify(field)}:-1}`)]).toEqual([field, '']);
    }
    // The second record comes to a closed table.
    await entrance.sql(`ALTER TABLE ${table} SET (documents = off)`);
  }
  const columns = fields.map((field, i) => `"${field.replaceAll('"', '""')}" AS f${i}`).join(', ');
  expect(await entrance.sql(`SELECT ${columns} FROM ${table} WHERE id = 'b'`)).toBe(fields.map((_, i) => String(i)).join('|'));
});

test.each(RECORDS)('names that no field can have are refused, through %s', async (name) => {
  const entrance = named(name);
  for (const field of ['', 'a\0b', '\ud800', 'x'.repeat(1025)]) {
    const table = `docs${++counter}`;
    const json = `{${JSON.stringify(field)}:1}`;
    expect([field, await entrance.put(table, 'a', json)]).toEqual([field, '42602']);
    expect(await entrance.find(table, '{}')).toBe('42P01');
    await entrances.db.put({ table, id: 'seed', record: { n: 1 } });
    await entrance.sql(`CREATE INDEX ON ${table} (n)`);
    expect([field, await entrance.put(table, 'a', json), await entrance.get(table, 'a')]).toEqual([field, '42602', '02000']);
  }
  expect(await entrance.put('docs', 'a', '{"id":"b"}')).toBe('22023');
});
