/** JSON texts for tests: good, odd and wrong. */
import { seeded } from './against-oracle.ts';

export const JSON_TEXTS: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.0',
  '1.00',
  '1e2',
  '1E-2',
  '1.50e3',
  '1e-7',
  '1e+21',
  '-1e-7',
  '1.5e-10',
  '123456789012345.5',
  '0.1234567',
  '12345678901234567890',
  '-0.000',
  '1e400',
  '0.1',
  '"a"',
  '""',
  '"a\\nb"',
  '"\\u00e9"',
  '"\\ud83d\\ude00"',
  '"é😀"',
  '[]',
  '{}',
  '[1,2,3]',
  '[1, [2, {"a": null}], "x"]',
  '{"b":1,"a":2,"aa":3,"a":4}',
  ' { "a" : [ 1 , 2 ] } ',
  '{"a":{"b":{"c":[1,2,{"d":null}]}}}',
  '"\\u0001"',
  '"\\/"',
  '"\\u007f"',
  '{"":1}',
  '[[]]',
  '[{}]',
  '{"é":1,"z":2,"zz":0}',
  '[1.10,1.1,11e-1]',
  '"\u2028"',
  // wrong
  '',
  ' ',
  'nul',
  'nulll',
  'tru',
  '[',
  ']',
  '{',
  '}',
  '[1,]',
  '[,1]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{a:1}',
  "{'a':1}",
  '01',
  '1.',
  '.5',
  '-',
  '+1',
  '1e',
  '1e+',
  '--1',
  '"abc',
  '"\\x"',
  '"\\u12"',
  '"\\u12g4"',
  '"a\nb"',
  '"\t"',
  '1 2',
  '[1 2]',
  '{"a" 1}',
  '{1:2}',
  '[1}',
  '{"a":1]',
  '"\\ud800"',
  '"\\ude00"',
  '"\\ud800\\ud800"',
  '"\\ud800x"',
  '"\\u0000"',
  'NaN',
  'Infinity',
  'true false',
  'truefalse',
  '1a',
  '"a"b',
  '{"a":1 "b":2}',
  '[1,2',
  '{"a":1',
  '{"a":',
  '{"a"',
  'undefined',
  '\u00a01',
  '1e1073741824',
  '1e200000',
  '1e-20000',
  '123abc',
  '[1,\n2,\nx]',
  '/* c */ 1',
];

/** A random document of the given depth. */
export function randomJson(next: (below: number) => number, depth: number): string {
  const kind = next(depth > 0 ? 9 : 6);
  const words = ['a', 'b', 'aa', 'é', 'x y', '', 'B'];
  switch (kind) {
    case 0:
      return ['null', 'true', 'false'][next(3)];
    case 1:
    case 2:
      return ['0', '1', '-1', '1.0', '1.00', '2', '10', '1e1', '0.5', '100000000000000000000'][next(10)];
    case 3:
    case 4:
    case 5:
      return JSON.stringify(words[next(words.length)]);
    case 6:
      return `[${Array.from({ length: next(4) }, () => randomJson(next, depth - 1)).join(', ')}]`;
    default:
      return `{${Array.from({ length: next(4) }, () => `${JSON.stringify(words[next(words.length)])}: ${randomJson(next, depth - 1)}`).join(', ')}}`;
  }
}

export function randomJsons(seed: number, count: number, depth = 2): string[] {
  const next = seeded(seed);
  return Array.from({ length: count }, () => randomJson(next, depth));
}
