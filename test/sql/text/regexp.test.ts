import { afterAll, beforeAll, expect, test } from 'vitest';
import { regexpFunctions } from '../../../src/sql/functions/text/regexp-functions.ts';
import { regexpMatching } from '../../../src/sql/functions/text/regexp-operators.ts';
import { parseRegexp, PLAIN_OPTIONS } from '../../../src/sql/functions/text/regexp/parse.ts';
import { spansAgree } from '../../../src/sql/functions/text/regexp/spans-agree.ts';
import { agree, callCase, findFunction, matchesCatalog, operatorCase, type Comparison } from '../numbers/declared.ts';
import { Oracle, seeded } from '../numbers/oracle.ts';

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
}, 60_000);
afterAll(() => oracle.close());

const MODULES = [regexpFunctions, regexpMatching];
const random = seeded(Number(process.env.SEED ?? 3));
const int = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;

type Given = string | number;

function call(name: string, ...args: Given[]): Comparison {
  const types = args.map((each) => (typeof each === 'number' ? 'int4' : 'text'));
  return callCase(
    findFunction(MODULES, name, types),
    args.map((each, index) => ({ type: types[index] as string, text: String(each) })),
  );
}

function operator(name: string, text: string, pattern: string): Comparison {
  const declared = (regexpMatching.operators ?? []).find((each) => each.name === name && each.left === 'text');
  if (declared === undefined) throw new Error(name);
  return operatorCase(declared, [
    { type: 'text', text },
    { type: 'text', text: pattern },
  ]);
}

test('functions and operators are those of the catalog', async () => {
  await matchesCatalog(oracle, MODULES);
});

const PATTERNS = [
  '', 'a', 'abc', '^a', 'a$', '^$', '.', '.*', 'a*', 'a+?', 'a|b', 'ab|a', 'a|ab', '(a|ab)(c|bcd)(d*)', '(a*)*', '(a*)+', '(a|b)*', '((a)|b)*', 'a{2}', 'a{2,}', 'a{1,2}', 'a{1,2}?',
  'a{0}', '(a){0}b', 'a{,2}', 'a{2', 'a{2,1}', 'a{256}', 'a{x', '{', '}', ']', ')', '(', '()', '(|a)', '(a|)', 'a||b', '|', '*', '+a', '^*', '$?', 'a**', 'a+*', 'a{2}{3}', '(?:a)', '(?:a|b)+c',
  '(?=a)', '(?!a).', '(?<=a)b', '(?<!a)b', '(?>a)', '(?', '(?#comment)a', 'a(?#x)b', '\\', 'a\\', '\\d', '\\D', '\\w+', '\\W', '\\s', '\\S+', '[\\d]', '[^\\d]', '[\\w-]', '[\\s\\d]+', '[a-\\d]', '[\\D]',
  '\\A', '\\Z', '\\m', '\\M', '\\y', '\\Y', '\\ma', 'b\\M', '\\yab\\y', '[[:<:]]a', 'b[[:>:]]', '\\1', '(a)\\1', '(a|b)\\1', '((a)b)\\2', '(a)\\2', '\\(a\\)', '\\.', '\\*', '\\-', '\\q', '\\a', '\\x61', '\\x', '\\u0061',
  '\\u61', '\\U00000061', '\\e', '\\t', '\\n', '\\cA', '\\0', '\\01', '\\141', '\\08', '\\B', '[a', '[]', '[]a]', '[^]a]', '[a-c]', '[c-a]', '[a-]', '[-a]', '[a-c-e]', '[[:alpha:]]', '[[:foo:]]', '[[:alpha:', '[[.a.]]', '[[.hyphen.]]',
  '[[.foo.]]', '[[=a=]]', '[[:digit:][:space:]]', '[^[:alpha:]]', '[[:upper:]]', '[[:lower:]]', '[[:punct:]]', '[[:xdigit:]]+', '[[:cntrl:]]', '[[:graph:]]+', '[[:print:]]', '[[:blank:]]', '[[:alnum:]]+', '[[:word:]]+', '[\\]]', '[\\n]', '[a\\]b]',
  '[\\x61-\\x63]', '***=a.b', '***:a.b', '***', '***x', '(?i)ABC', '(?x)a b # c', '(?n)^b', '(?s)a.b', '(?q)a.b', '(?z)a', '(?i', '(?ix)A B', '(?e)a', 'é', '[é-ü]', '😀', '[😀]', '^.$', '.{2}', '\\w😀', 'x*?y', '.*?b', 'Y*?([0-9]{1,3})',
  '(.*?)(b+)', '(a.*?)(b.*)', '(a+?)(b+)', '(?:(?:a|ab)(?:c|bcd)(d*))', 'fo|foo', '(fo|foo)(bar|obar)?', '(foo|bar)+', '(\\w+)\\s(\\w+)', '(\\d+)-(\\d+)', '^(.*)-(.*)$', '([a-z]+)([0-9]*)', 'a(b)?c', '(a)|(b)', '(?:a|b)c*?', '(a*)(ab)*(b*)', '(a?)(a?)(a?)aaa', '(a|aa)*$',
  "'", '"', '(b*|a)+', '((a*)|b)*c', 'x{0,2}y', '(.)\\1', '(.+)\\1', '(a|b)+?', '(ab)*?c', '(?:ab?)*?b',
]; // prettier-ignore
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'abcd',
  'aaa',
  'aab',
  'ABC',
  'foobar',
  'a b',
  'a\nb',
  'foo bar-12',
  'x12-34y',
  'é😀ü',
  '😀',
  'a.b',
  'XY1234Z',
  "it's",
  'a]b',
  '1a2b',
  '\\d',
  'a{2',
  'bbb aab ab',
  '_x-',
  'aaaaaa',
];

test('patterns', async () => {
  const cases: Comparison[] = [];
  for (const pattern of PATTERNS) {
    for (let i = 0; i < 7; i++) cases.push(operator('~', pick(TEXTS), pattern));
    for (let i = 0; i < 3; i++) cases.push(operator('~*', pick(TEXTS), pattern));
    for (let i = 0; i < 6; i++) cases.push(call('regexp_match', pick(TEXTS), pattern));
    for (let i = 0; i < 3; i++) cases.push(call('regexp_replace', pick(TEXTS), pattern, '<\\&>', 'g'));
  }
  await agree(oracle, cases);
});

function randomPattern(depth: number): string {
  const atoms = ['a', 'b', 'c', '.', '[ab]', '[^a]', 'ab', '\\w', '\\d', '1'];
  const marks = ['', '', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2}?'];
  let result = '';
  for (let count = 1 + int(4); count > 0; count--) {
    const dice = int(10);
    let atom = pick(atoms);
    if (depth > 0 && dice < 3) atom = `(${randomPattern(depth - 1)})`;
    else if (depth > 0 && dice < 5) atom = `(?:${randomPattern(depth - 1)})`;
    result += (atom === 'ab' ? '(?:ab)' : atom) + pick(marks);
    if (int(20) === 0) result += pick(['$', '^', '\\y', '(?=a)', '(?!b)', '\\M']);
    if (int(6) === 0) result += '|';
  }
  return result;
}

test('spans and groups of random expressions', async () => {
  const cases: Comparison[] = [];
  let exact = 0;
  for (let i = 0; i < 1200; i++) {
    const pattern = randomPattern(2);
    if (spansAgree(parseRegexp(pattern, PLAIN_OPTIONS).root)) exact++;
    for (let k = 0; k < 2; k++) {
      let text = '';
      for (let count = int(9); count > 0; count--) text += pick(['a', 'b', 'c', 'a', 'b', '1', ' ']);
      cases.push(call('regexp_match', text, `(${pattern})`), call('regexp_match', text, pattern), call('regexp_replace', text, pattern, '<\\1|\\&>', 'g'));
    }
  }
  expect(exact).toBeGreaterThan(100);
  await agree(oracle, cases);
});

test('functions', async () => {
  const cases: Comparison[] = [];
  const patterns = ['a', 'b*', '(a)(b)?', '', '[ab]+', '😀', '\\s*', 'x|', '(.)(.)', 'A', '^', '$'];
  const texts = [...TEXTS, 'the quick brown fox', 'a,b,,c', 'aAbB', '😀a😀b'];
  const flags = ['', 'g', 'i', 'gi', 'x', 'n', 'q', 'z', 'c', 'ic', 's'];
  const starts = [1, 2, 3, 0, -1, 10, 100];
  for (let i = 0; i < 500; i++) {
    const [text, pattern, flag, start, nth] = [pick(texts), pick(patterns), pick(flags), pick(starts), pick([1, 2, 0, 3, -1])];
    cases.push(call('regexp_matches', text, pattern, flag), call('regexp_matches', text, pattern), call('regexp_match', text, pattern, flag));
    cases.push(
      call('regexp_split_to_array', text, pattern),
      call('regexp_split_to_array', text, pattern, flag),
      call('regexp_split_to_table', text, pattern, flag),
    );
    cases.push(call('regexp_split_to_table', text, pattern), call('regexp_like', text, pattern, flag), call('regexp_like', text, pattern));
    const replacement = pick(['', 'X', '[\\1]', '\\\\', '\\&\\&', '\\2\\9', '\\x', '\\']);
    cases.push(call('regexp_replace', text, pattern, replacement), call('regexp_replace', text, pattern, replacement, pick([...flags, '1'])));
    cases.push(call('regexp_replace', text, pattern, replacement, start), call('regexp_replace', text, pattern, replacement, start, nth));
    cases.push(call('regexp_replace', text, pattern, replacement, start, nth, flag));
    cases.push(call('regexp_count', text, pattern), call('regexp_count', text, pattern, start), call('regexp_count', text, pattern, start, flag));
    cases.push(call('regexp_instr', text, pattern, start), call('regexp_instr', text, pattern, start, nth, pick([0, 1, 2]), flag, pick([0, 1, 2, 3, -1])));
    cases.push(call('regexp_substr', text, pattern, start), call('regexp_substr', text, pattern, start, nth, flag, pick([0, 1, 2, 3, -1])));
    cases.push(call('substring', text, pattern));
  }
  await agree(oracle, cases);
});

test('SIMILAR TO', async () => {
  const cases: Comparison[] = [];
  const patterns = [
    'a%',
    '_b',
    '%(b|d)%',
    'a.c',
    '[a-c]+',
    '[^a]%',
    '\\%',
    '#"a#"',
    'a#"b#"c',
    '#"#"#"',
    'a#%',
    '[]a]',
    '[a\\]',
    'a{2}',
    '(a|b)*',
    '^a$',
    '[[:alpha:]]%',
    '%#"o_b#"%',
    '#"%#"bar',
    'foo#"b%r#"',
    '[#]a]',
    '\\d+',
  ];
  for (const pattern of patterns) {
    cases.push(
      call('similar_to_escape', pattern),
      call('similar_to_escape', pattern, '#'),
      call('similar_to_escape', pattern, ''),
      call('similar_to_escape', pattern, '##'),
    );
    for (const text of TEXTS) cases.push(call('substring', text, pattern, '#'));
  }
  await agree(oracle, cases);
});
