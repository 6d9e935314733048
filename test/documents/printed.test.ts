/** What a page shows as printed is found in what was printed, or the first difference is named. */
import { expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';
import { missingLine, sameJson } from './printed.ts';

test.each([
  ['a\nb', 'x\na  \ny\nb\n', undefined],
  ['b\na', 'a\nb\n', 'a'],
  ['id … is\n…', 'id 7 is\n', undefined],
  ['id … is', 'id 7 is not\n', 'id … is'],
  ['1.5', '125', '1.5'],
])('lines %j of %j: %s', (shown, printed, missing) => {
  expect(missingLine(shown, printed)).toBe(missing);
});

test.each([
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, '…': '…' }, { a: 1, b: 2 }, true],
  [{ a: '…' }, { a: [1] }, true],
  [{ a: 'x … z' }, { a: 'x y z' }, true],
  [[1, 2], [1], false],
  [{ a: null }, {}, false],
])('JSON %j and %j: %s', (shown, printed, same) => {
  expect(sameJson(shown, printed)).toBe(same);
});

test('blocks are found with their comments, their lines and what they print', () => {
  const page = [
    '# A',
    '',
    '<!-- in postgres -->',
    '<!-- run: fresh, fails -->',
    '```sh',
    'x',
    '```',
    '',
    'It prints:',
    '',
    '```output',
    'y',
    '```',
    '',
    '<!-- not run: why -->',
    '```sql',
    'z',
    '```',
    '',
  ];
  expect(blocksOf(page.join('\n'))).toMatchObject([
    { line: 6, language: 'sh', text: 'x\n', run: ['fresh', 'fails'], inPostgres: true, notRun: undefined, output: { line: 12, text: 'y\n' } },
    { line: 17, language: 'sql', text: 'z\n', inPostgres: false, notRun: 'why', output: undefined },
  ]);
});
