/** Texts of values for each type: the edges, and seeded ones. */
import { seeded } from '../numbers/oracle.ts';

const random = seeded(11);
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)];
const many = (count: number, make: () => string): string[] => Array.from({ length: count }, make);
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('') || '0';
const signed = (text: string): string => (random() < 0.5 ? `-${text}` : text);
const word = (): string => Array.from({ length: below(8) }, () => pick(['a', 'Z', '0', ' ', 'é', '😀', '"', '\\', '{', ',', '\t'])).join('');
const two = (n: number): string => String(n).padStart(2, '0');
const date = (): string => `${String(1 + below(4000)).padStart(4, '0')}-${two(1 + below(12))}-${two(1 + below(28))}`;
const time = (): string => `${two(below(24))}:${two(below(60))}:${two(below(60))}.${digits(6)}`;
const int = (): string => signed(String(below(2 ** (1 + below(31)))));
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const json = (): string => pick(['{}', '[]', 'null', '"x"', `{"a": ${int()}, "b": [1, "é😀"]}`, `[${int()}, 1.50, true]`]);

export const SAMPLES: Record<string, string[]> = {
  bool: ['t', 'f'],
  int2: ['0', '-32768', '32767', ...many(20, () => signed(String(below(32768))))],
  int4: ['0', '-2147483648', '2147483647', ...many(30, int)],
  int8: [
    '0',
    '-1',
    '4294967296',
    '-4294967296',
    '-4294967297',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740991',
    '-9007199254740992',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    ...many(60, () => signed(digits(1 + below(18)))),
  ],
  oid: ['0', '4294967295', ...many(5, () => String(below(2 ** 32)))],
  regtype: ['0', '4294967295', '99999'],
  regclass: ['0', '99999'],
  regproc: ['0', '99999'],
  xid: ['0', '4294967295', '7'],
  cid: ['4294967295', '7'],
  xid8: ['18446744073709551615', '9223372036854775808', '7'],
  tid: ['(0,1)', '(4294967295,65535)'],
  float4: ['0', '-0', 'NaN', 'Infinity', '-Infinity', '1e-45', '3.4028235e38', ...many(30, () => signed(`${digits(5)}.${digits(4)}e${below(60) - 30}`))],
  float8: [
    '0',
    '-0',
    'NaN',
    'Infinity',
    '-Infinity',
    '5e-324',
    '1.7976931348623157e308',
    ...many(30, () => signed(`${digits(9)}.${digits(9)}e${below(500) - 250}`)),
  ],
  numeric: [
    '0',
    '0.00',
    '0.0000000',
    '1',
    '10',
    '10000',
    '100000000',
    '0.1',
    '0.0001',
    '0.00001',
    '12345.6789',
    '-12345.60',
    '1.50',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e100',
    '1e-100',
    '-99999999999999999999999.99999999',
    `1${'0'.repeat(500)}1`,
    `${'9'.repeat(300)}.${'1'.repeat(300)}`,
    `0.${'0'.repeat(300)}5`,
    ...many(200, () => signed(`${digits(below(12))}.${digits(1 + below(9))}`)),
    ...many(60, () => signed(`${digits(1 + below(60))}${random() < 0.7 ? `.${digits(1 + below(40))}` : ''}${'0'.repeat(below(9))}`)),
  ],
  text: ['', 'a', 'é😀\t\n\\', 'x'.repeat(5000), '\ufffd', ...many(20, word)],
  varchar: ['', 'é😀'],
  bpchar: ['', 'ab  '],
  name: ['', 'n', 'x'.repeat(63), 'é'.repeat(31)],
  char: ['', 'a', '\\001', '\\377', '\\200'],
  bytea: ['', '\\x00ff80', ...many(10, () => `\\x${digits(2 * below(20))}`.replace(/^\\x0$/, '\\x'))],
  uuid: ['00000000-0000-0000-0000-000000000000', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  json: ['{"a" :  1}', ...many(10, json)],
  jsonb: ['{"b": 1, "a": [1.50, null]}', ...many(10, json)],
  date: ['infinity', '-infinity', '2000-01-01', '4714-11-24 BC', '5874897-12-31', ...many(20, date)],
  time: ['00:00', '24:00', '23:59:59.999999', ...many(10, time)],
  timetz: ['00:00+00', '24:00-15:59:59', '12:00+15:59:59', ...many(10, () => `${time()}${pick(['+', '-'])}${two(below(16))}:${two(below(60))}`)],
  timestamp: ['infinity', '-infinity', '4714-11-24 00:00:00 BC', '294276-12-31 23:59:59.999999', '2000-01-01', ...many(20, () => `${date()} ${time()}`)],
  timestamptz: ['infinity', '-infinity', '4714-11-24 00:00:00+00 BC', '294276-12-31 23:59:59.999999+00', ...many(20, () => `${date()} ${time()}+00`)],
  interval: [
    '0',
    'infinity',
    '-infinity',
    '178000000 years',
    '-2147483648 days',
    ...many(20, () => `${int().slice(0, 8)} months ${int().slice(0, 8)} days ${int()} seconds ${below(1e6)} microseconds`),
  ],
  _int4: ['{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[0:1]={5,6}', '[-2:-1][3:4]={{1,2},{3,4}}', ...many(10, () => `{${many(1 + below(9), int).join(',')}}`)],
  _text: ['{}', '{NULL}', '{"NULL",""}', ...many(10, () => `{${many(1 + below(5), () => quoted(word())).join(',')}}`)],
  _numeric: ['{1.50,NaN,NULL,1e30}'],
  _bool: ['{t,f,NULL}'],
  _timestamptz: ['{infinity,"2020-01-01 00:00:00+00"}'],
  _jsonb: ['{"{\\"a\\": 1}",null,NULL}'],
};
