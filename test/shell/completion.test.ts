/** What Tab offers where. */
import { describe, expect, test } from 'vitest';
import { syntax } from '../../src/shell/commands/syntax.ts';
import { commonPrefix, complete, type Names } from '../../src/shell/edit/completion.ts';

const NAMES: Names = {
  keywords: [
    'and',
    'by',
    'from',
    'group',
    'insert',
    'into',
    'join',
    'national',
    'not',
    'null',
    'order',
    'select',
    'set',
    'start',
    'table',
    'update',
    'where',
    'world',
  ],
  tables: ['items', 'item_prices', 'Odd Name', 'sales.orders', 'users'],
  columns: new Map([
    ['items', ['id', 'name', 'stock']],
    ['item_prices', ['item', 'price']],
    ['Odd Name', ['a']],
    ['sales.orders', ['id', 'placed']],
    ['users', ['id', 'email']],
  ]),
  functions: ['count', 'now', 'nullif'],
  worlds: ['main', 'draft', 'recount-2'],
  agents: ['ann', 'bob'],
  policies: ['careful'],
};

/** `|` is the cursor. */
function offered(text: string): string[] {
  const cursor = text.indexOf('|');
  return complete(text.replace('|', ''), cursor, NAMES, syntax(true)).candidates.map((candidate) => candidate.text);
}

describe('SQL', () => {
  test.each<[string, string[]]>([
    ['sel|', ['select']],
    ['SEL|', ['SELECT']],
    ['SELECT * FROM it|', ['items', 'item_prices']],
    ['SELECT * FROM items, us|', ['users']],
    ['SELECT * FROM items JOIN it|', ['items', 'item_prices']],
    ['SELECT * FROM sales.|', ['orders']],
    ['SELECT * FROM Od|', ['"Odd Name"']],
    ['SELECT i.| FROM items i', ['id', 'name', 'stock']],
    ['SELECT | FROM items', ['id', 'name', 'stock']],
    ['SELECT * FROM items WHERE na|', ['name']],
    ['SELECT * FROM items WHERE n|', ['name', 'now(', 'nullif(', 'not', 'null']],
    ['SELECT * FROM items wh|', ['where']],
    ['SELECT * fr|', ['from']],
    ['SELECT i.* fr|', ['from']],
    ['SELECT id, * fr|', ['from']],
    ['SELECT * FROM items WHERE id * na|', ['name']],
    ['SELECT * FROM items ORDER |', NAMES.keywords as string[]],
    ['SELECT * FROM items ORDER b|', ['by']],
    ['SELECT cou|', ['count(']],
    ['UPDATE users SET e|', ['email']],
    ['INSERT INTO us|', ['users']],
    ['SELECT 1; SELECT * FROM us|', ['users']],
    ["SELECT 'from us|", []],
    ['USE WORLD rec|', ['recount-2']],
    ['DIFF WORLD d|', ['draft']],
    ['ALTER AGENT a|', ['ann']],
    ['DROP MERGE POLICY c|', ['careful']],
  ])('%s', (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });
});

describe('commands', () => {
  test.each<[string, string[]]>([
    ['wor|', ['worlds', 'world', 'world']],
    ['use d|', ['draft']],
    ['use recount-|', ['recount-2']],
    ['fork new m|', ['main']],
    ['fork new from d|', ['draft']],
    ['merge d|', ['draft']],
    ['merge draft --res|', ['--resolve']],
    ['merge draft --resolve t|', ['theirs']],
    ['merge draft into m|', ['main']],
    ['review draft a|', ['approve']],
    ['describe it|', ['items', 'item_prices']],
    ['find us|', ['users']],
    ['audit b|', ['bob']],
    ['drop_agent a|', ['ann']],
    ['help mer|', ['merge', 'merge_policies', 'merge_checks', 'merge_outcomes']],
  ])('%s', (text, expected) => {
    expect([...new Set(offered(text))]).toEqual([...new Set(expected)]);
  });
});

test('the common prefix of the candidates is inserted in any case', () => {
  expect(
    commonPrefix(
      [
        { text: 'items', kind: 'table' },
        { text: 'item_prices', kind: 'table' },
      ],
      'i',
    ),
  ).toBe('item');
  expect(
    commonPrefix(
      [
        { text: 'Select', kind: 'keyword' },
        { text: 'set', kind: 'keyword' },
      ],
      's',
    ),
  ).toBe('Se');
});
