/** The types that random statements are made of, and literals of each out of small pools, so that values meet again in joins and groups. */
import type { Seeded } from './seeded.ts';

export const PLAIN_TYPES = ['int', 'bigint', 'numeric', 'float', 'text', 'bool', 'date', 'timestamp'] as const;
/** `mood` is an enum and `pair` a composite type (`TYPE_STATEMENTS`). */
export const WIDE_TYPES = [...PLAIN_TYPES, 'ints', 'texts', 'jsonb', 'range', 'mood', 'pair'] as const;

export type SqlType = (typeof WIDE_TYPES)[number];

export const TYPE_STATEMENTS: readonly string[] = [
  `CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')`,
  'CREATE TYPE pair AS (a int, b text)',
  'CREATE DOMAIN small AS int CHECK (VALUE < 1000000)',
];

/** As a column has it. */
export const COLUMN_TYPES: Record<SqlType, string> = {
  int: 'integer',
  bigint: 'bigint',
  numeric: 'numeric(8,2)',
  float: 'double precision',
  text: 'text',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  ints: 'integer[]',
  texts: 'text[]',
  jsonb: 'jsonb',
  range: 'int4range',
  mood: 'mood',
  pair: 'pair',
};

export function castName(type: SqlType): string {
  return type === 'numeric' ? 'numeric' : type === 'float' ? 'float8' : COLUMN_TYPES[type];
}

const POOLS: Record<SqlType, readonly string[]> = {
  int: ['0', '1', '2', '3', '4', '7', '8', '12', '-1', '-5'],
  bigint: ['0', '1', '-3', '7', '5000000000', '-5000000001', '42'],
  numeric: ['0.00', '1.50', '-2.25', '10.00', '99.99', '3.10', '-0.01'],
  float: ['0', '1.5', '-2.25', '1e10', '0.125', '-7', '3'],
  text: ['', 'a', 'b', 'ab', 'abc', 'zz top', 'x%y', '10'],
  bool: ['true', 'false'],
  date: ['2024-01-01', '2024-02-29', '1999-12-31', '2024-01-15', '1970-01-01'],
  timestamp: ['2024-01-01 00:00:00', '2024-02-29 12:34:56.789', '1999-12-31 23:59:59', '2024-01-15 06:00:00'],
  ints: ['{}', '{1}', '{1,2}', '{3,NULL}', '{0,-1,7}', '{1,1}'],
  texts: ['{}', '{a}', '{a,b}', '{ab,NULL}', '{b,a,zz}', '{""}'],
  jsonb: ['{"a": 1}', '{"a": 2, "b": "x"}', '{"b": {"a": 1}}', '[1, 2]', '[]', '{}', 'null', '"a"', '7', '[{"a": 1}, null]'],
  range: ['empty', '[1,5)', '[3,3]', '(,4]', '[2,)', '(,)', '[-5,0)'],
  mood: ['sad', 'ok', 'happy'],
  pair: ['(1,a)', '(1,)', '(,b)', '(,)', '(7,"a b")'],
};

/** A number below zero stands in parentheses, since a cast binds closer than its sign. */
export function literal(random: Seeded, type: SqlType): string {
  const text = random.pick(POOLS[type]);
  if (type === 'int') return text.startsWith('-') ? `(${text})` : text;
  if (type === 'text') return `'${text}'`;
  if (type === 'bool') return text;
  if (type === 'date' || type === 'timestamp') return `${type} '${text}'`;
  return `'${text}'::${castName(type)}`;
}

/** An expression over `g` for rows by the thousand; `few` distinct values, else many. */
export function valueOfRow(random: Seeded, type: SqlType): string {
  const number = random.pick(['g % 5', '(g * 7919) % 40', 'CASE WHEN g % 10 < 7 THEN 1 ELSE g % 300 END', '(g * 31) % 997', 'g / 3', '-g % 25']);
  const by: Record<SqlType, string> = {
    int: `(${number})`,
    bigint: `((${number})::bigint * 1000003)`,
    numeric: `((${number})::numeric / 4)`,
    float: `((${number})::float8 / 8)`,
    text: random.pick([`'t' || (${number})`, `substr(md5((${number})::text), 1, 3)`, `repeat('ab', (${number}) % 4)`]),
    bool: `((${number}) % 2 = 0)`,
    date: `(date '2023-12-20' + (${number}))`,
    timestamp: `(timestamp '2024-01-01' + (${number}) * interval '7 hours')`,
    ints: `ARRAY[${number}, g % 3]`,
    texts: `string_to_array((${number})::text, '1')`,
    jsonb: `jsonb_build_object('a', ${number}, 'b', 't' || g % 4)`,
    range: `int4range(${number}, ${number} + g % 6)`,
    mood: `(ARRAY['sad', 'ok', 'happy']::mood[])[1 + g % 3]`,
    pair: `ROW(${number}, 'p' || g % 3)::pair`,
  };
  return random.chance(0.6) ? `CASE WHEN g % ${random.pick([4, 7, 11])} <> 0 THEN ${by[type]} END` : by[type];
}
