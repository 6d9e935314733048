/** Arguments for random calls, by type: edges first, then what the seed gives. */
import type { Argument } from './declared.ts';

export type Random = () => number;

const EDGES: Record<string, readonly string[]> = {
  bool: ['t', 'f'],
  int2: ['0', '1', '-1', '2', '7', '-3', '32767', '-32768', '100', '181', '182'],
  int4: ['0', '1', '-1', '2', '3', '-7', '2147483647', '-2147483648', '46340', '46341', '65536', '31', '33', '-32768', '1000000'],
  int8: [
    '0',
    '1',
    '-1',
    '2',
    '-7',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '3037000500',
    '4294967296',
  ],
  oid: ['0', '1', '2147483648', '4294967295', '77'],
  xid: ['1', '4294967295', '2147483648'],
  cid: ['1', '4294967295'],
  xid8: ['1', '18446744073709551615', '4294967296'],
  tid: ['(0,1)', '(0,10)', '(10,2)', '(9,3)'],
  float4: ['0', '-0', '1', '-1.5', '0.1', '3.4e38', '-3.4e38', '1e-45', 'NaN', 'Infinity', '-Infinity', '2.5', '100', '16777217', '32767.5'],
  float8: [
    '0',
    '-0',
    '1',
    '-1',
    '0.5',
    '1.5',
    '2.5',
    '-2.5',
    '0.1',
    '1.7e308',
    '-1.7e308',
    '5e-324',
    '1e-200',
    'NaN',
    'Infinity',
    '-Infinity',
    '2',
    '3',
    '1e15',
    '2147483647.5',
    '9.3e18',
    '1e300',
  ],
  numeric: [
    '0',
    '0.00',
    '1',
    '-1',
    '1.50',
    '2.5',
    '-2.5',
    '10',
    '0.001',
    '99999999999999999999.99',
    '-12345.6789',
    'NaN',
    'Infinity',
    '-Infinity',
    '9007199254740993',
    '32767.5',
    '2147483647.5',
    '1e-20',
    '9223372036854775807.5',
  ],
  text: ['', 'a', 'abc', 'Hello World', 'éÀß', '😀x', 'a%b_c', 'a\\b', ' pad ', 'ABC', 'x\ty', "it's", 'aaa', 'abcabc', '1,2,,3', '\ue000', 'b'],
  varchar: ['', 'a', 'abc', 'é😀', ' x '],
  bpchar: ['', 'a', 'a  ', 'abc', 'abc ', ' b', 'é '],
  name: ['', 'a', 'abc', 'pg_class', 'Ünï'],
  char: ['', 'a', 'Z', '\\377', '\\200', ' '],
  bytea: ['', '\\x00', '\\xff', '\\x616263', '\\x0001ff', '\\x61', '\\x6162636162', '\\xdeadbeef00'],
  uuid: [
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '019535d9-3df7-79fb-b466-fa907fa17f9e',
  ],
};

const WORDS = ['a', 'b', 'ab', 'é', '😀', ' ', '%', '_', '\\', 'A', 'B', '1', '-', 'xyz', 'abc'];

function fresh(type: string, random: Random): string {
  const int = (limit: number): number => Math.floor(random() * limit);
  switch (type) {
    case 'int2':
      return String(int(400) - 200);
    case 'int4':
      return String(int(2) === 0 ? int(200) - 100 : int(4294967296) - 2147483648);
    case 'int8':
      return String(int(2) === 0 ? int(200) - 100 : BigInt(int(4294967296)) * BigInt(int(4294967296)) - 9223372036854775807n);
    case 'oid':
      return String(int(4294967296));
    case 'float4':
    case 'float8':
      return String(int(2) === 0 ? Math.round(random() * 2000 - 1000) / 4 : Number(((random() - 0.5) * 10 ** int(20)).toPrecision(6)));
    case 'numeric': {
      let digits = String(int(1e6));
      if (int(3) === 0) digits += String(int(1e9)) + String(int(1e9));
      const scale = int(Math.min(digits.length, 12));
      const text = scale === 0 ? digits : `${digits.slice(0, -scale) || '0'}.${digits.slice(-scale)}`;
      return int(2) === 0 ? text : `-${text}`;
    }
    case 'text':
    case 'varchar':
    case 'bpchar': {
      let text = '';
      for (let count = int(6); count > 0; count--) text += WORDS[int(WORDS.length)];
      return text;
    }
    case 'bytea': {
      let hex = '\\x';
      for (let count = int(10); count > 0; count--) hex += int(256).toString(16).padStart(2, '0');
      return hex;
    }
    default:
      return pick(type, random);
  }
}

function pick(type: string, random: Random): string {
  const edges = EDGES[type];
  if (edges === undefined) throw new Error(`no values of ${type}`);
  return edges[Math.floor(random() * edges.length)] as string;
}

/** Mostly an edge or a fresh value, now and then a null. */
export function argument(type: string, random: Random): Argument {
  const dice = random();
  return { type, text: dice < 0.02 ? null : dice < 0.5 ? pick(type, random) : fresh(type, random) };
}

export function edges(type: string): Argument[] {
  return (EDGES[type] ?? []).map((text) => ({ type, text }));
}
