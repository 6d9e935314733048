/** Tables, errors, changes and trees as lines. */
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { WorldView } from '../../src/commands/contract.ts';
import { jsonCell, visible } from '../../src/shell/text/cell.ts';
import { changeLines } from '../../src/shell/text/change-lines.ts';
import { errorLines } from '../../src/shell/text/error-text.ts';
import { histogram } from '../../src/shell/text/histogram.ts';
import { COLOURED, PLAIN } from '../../src/shell/text/style.ts';
import { type TableOptions, tableLines } from '../../src/shell/text/table.ts';
import { cut, cutLine, textWidth, wrapWords } from '../../src/shell/text/width.ts';
import { worldTree } from '../../src/shell/text/world-tree.ts';

const table = (names: string, rows: (string | null)[][], options: Partial<TableOptions> = {}): string =>
  tableLines(
    names.split(' ').map((name) => ({ name: name.replace('#', ''), right: name.startsWith('#') })),
    rows,
    { width: 60, style: PLAIN, ...options },
  ).join('\n');

describe('tables', () => {
  test('put numbers on the right and say NULL', () => {
    expect(
      table('#id name', [
        ['1', 'bolt'],
        ['20', null],
      ]),
    ).toBe(' id | name\n----+------\n  1 | bolt\n 20 | NULL');
  });

  test('cut the widest columns to the width, never a number', () => {
    const text = table('#id a b', [['123456789', 'x'.repeat(50), 'short']], { width: 40 });
    expect(text).toContain('123456789');
    expect(text).toContain('…');
    expect(text).toContain('short');
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(40);
  });

  test('are blocks where columns would be too narrow', () => {
    expect(table('one two three four five six', [['a', null, 'c', 'd\ne', 'f', 'long words that go on and on']], { width: 30 })).toMatchInlineSnapshot(`
      "-[ 1 ]-----------------------
      one   | a
      two   | NULL
      three | c
      four  | d
            | e
      five  | f
      six   | long words that go on
            | and on"
    `);
  });

  test('have no width where they are piped', () => {
    expect(table('a', [['x'.repeat(500)]], { width: null })).toContain('x'.repeat(500));
  });

  test.each([20, 40, 61, 80, 200])('fit into %i columns with any content', (width) => {
    const rows = [
      ['1', '漢字'.repeat(20), 'tab\there', null, '😀'.repeat(30)],
      ['-99999.25', 'é', '', 'x'.repeat(100), ''],
    ];
    for (const line of table('#n wide control null emoji', rows, { width }).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});

test('what a terminal would obey is shown instead', () => {
  expect(visible('a\x1b[2Jb\nc\td\x7f\x9b')).toBe('a\\x1b[2Jb↵c→d\\x7f\\x9b');
  expect(visible('\u202Eabc')).toBe('\\u202eabc');
  expect(jsonCell({ a: '\x07' })).toBe('{"a":"\\u0007"}');
});

test('widths count cells, not units', () => {
  expect(['abc', 'é', 'e\u0301', '漢', '😀', '\x1b[31mred\x1b[39m'].map(textWidth)).toEqual([3, 1, 1, 2, 2, 3]);
  expect(cut('漢字漢字', 5)).toBe('漢字…');
  expect(cutLine('\x1b[31mabcdef\x1b[39m', 4)).toBe('\x1b[31mabc…\x1b[0m');
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapWords('abcdefghij', 4).every((line) => line.length <= 4)).toBe(true);
});

describe('errors', () => {
  const lines = (error: unknown, sql: string | null = null, width: number | null = 80): string => errorLines(error, sql, PLAIN, width).join('\n');
  test('show the place under its line', () => {
    const error = new SvcError('42601', 'syntax error at or near "FORM"', { position: 12, hint: 'Read the manual.' });
    expect(lines(error, 'SELECT 1,\n FORM x')).toBe('ERROR:  syntax error at or near "FORM" (42601)\nLINE 2:  FORM x\n         ^\nHINT:  Read the manual.');
  });
  test('count characters, of any width', () => {
    expect(
      lines(new SvcError('42703', 'x', { position: 12 }), "SELECT '漢😀', a")
        .split('\n')
        .slice(1),
    ).toEqual(["LINE 1: SELECT '漢😀', a", `${' '.repeat(21)}^`]);
  });
  test('keep a long line within the width', () => {
    const sql = `SELECT ${'a, '.repeat(100)} b`;
    const shown = lines(new SvcError('42703', 'x', { position: 200 }), sql, 60).split('\n');
    for (const line of shown) expect(line.length).toBeLessThanOrEqual(60);
    expect(shown[1][shown[2].indexOf('^')]).toBe(sql[199]);
  });
  test('list conflicts and changed rows', () => {
    const conflicts = [{ key: 'items/1', base: null, ours: null, theirs: null, explanation: 'both sides changed it' }];
    expect(lines(new SvcError('SV409', 'conflicts', { data: { conflicts } }))).toContain('  items/1  both sides changed it');
    expect(lines(new SvcError('40001', 'changed', { data: { changed: ['items/2'] } }))).toContain('  items/2');
  });
});

test('changes are signed without colours and coloured with them', () => {
  const update = { key: 'items/2', before: { a: 1, b: 'x' }, after: { a: 2, b: 'x' }, columns: ['a'] };
  expect(changeLines(update, PLAIN, 80)).toEqual(['~ items/2  a -1 → +2']);
  expect(changeLines(update, COLOURED, 80).join()).toContain('\x1b[31m1\x1b[39m');
  expect(changeLines({ key: 'items/3', before: null, after: { a: null }, columns: ['a'] }, PLAIN, 80)).toEqual(['+ items/3  a=NULL']);
  expect(changeLines({ key: 'items/4', before: { a: 'y\nz' }, after: null, columns: ['a'] }, PLAIN, 80)).toEqual(['- items/4  a=y↵z']);
});

test('worlds are a tree with what is worth knowing', () => {
  const world = (name: string, parent: string | null, more: Partial<WorldView> = {}): WorldView => ({
    name,
    id: name,
    parent,
    depth: 0,
    created: '2026-01-01T00:00:00Z',
    version: 3,
    flagged: false,
    meta: {},
    owner: null,
    expires: null,
    active: '2026-01-01T11:58:00Z',
    pinned: false,
    checkpoints: [],
    ...more,
  });
  const worlds = [
    world('main', null),
    world('a', 'main', { owner: 'ann', meta: { intent: 'count' } }),
    world('a1', 'a', { pinned: true }),
    world('b', 'main', { flagged: true }),
    world('orphan', 'gone'),
  ];
  expect(worldTree(worlds, 'a', Date.parse('2026-01-01T12:00:00Z'), PLAIN, 80).join('\n')).toMatchInlineSnapshot(`
    "  main      v3      2m ago
    * ├─ a      v3      2m ago     by ann  “count”
      │  └─ a1  v3      2m ago     pinned
      └─ b      v3      2m ago     flagged: open in a crash
      orphan    v3      2m ago"
  `);
});

test('a histogram has a bar for each range', () => {
  const bars = histogram([1, 1, 2, 9, 10, 10, 10, 10, 5], 40);
  expect(bars.length).toBe(3);
  expect(bars.map((bar) => Number(/ (\d+)$/.exec(bar)![1])).reduce((sum, each) => sum + each)).toBe(9);
  for (const bar of bars) expect(textWidth(bar)).toBeLessThanOrEqual(40);
  expect(histogram([], 40)).toEqual([]);
  // Ranges that differ late have labels that differ.
  const close = histogram([1124000.5, 1124100.25, 1124200.125, 1124300.75], 60).map((line) => line.trim().split(' ')[0]);
  expect(new Set(close).size).toBe(close.length);
  // As many as a simulation may have worlds.
  expect(
    histogram(
      Array.from({ length: 1_048_576 }, (_, i) => i),
      60,
    ).length,
  ).toBe(10);
  expect(histogram([3, 3], 40).length).toBe(1);
});
