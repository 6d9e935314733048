/** Commands: how they parse words, how they are distinguished from SQL, and that each operation is one. */
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/table.ts';
import { COMMANDS } from '../../src/shell/commands/commands.ts';
import { helpLines } from '../../src/shell/commands/help.ts';
import { commandOf, isStray, parseLine } from '../../src/shell/commands/syntax.ts';
import { closest, UsageError } from '../../src/shell/commands/usage-error.ts';
import { wordsOf } from '../../src/shell/commands/words.ts';
import { PLAIN } from '../../src/shell/text/style.ts';
import { textWidth } from '../../src/shell/text/width.ts';

const input = (line: string): unknown => parseLine(line)?.input;

describe('words', () => {
  test.each<[string, string[]]>([
    ['a  b', ['a', 'b']],
    ["a '--' b -- c 'd", ['a', '--', 'b']],
    [`'it''s' "a ""b"""`, ["it's", 'a "b"']],
    [`{"a": "x y}", "b": [1, 2]} c`, ['{"a": "x y}", "b": [1, 2]}', 'c']],
    [`--meta={"a": 1} x='y z'`, ['--meta={"a": 1}', 'x=y z']],
  ])('%s', (line, words) => {
    expect(wordsOf(line).map(({ text }) => text)).toEqual(words);
  });
  test('a quote without an end is a complaint', () => {
    expect(() => wordsOf("fork 'x")).toThrow(UsageError);
  });
});

describe('arguments', () => {
  test.each<[string, unknown]>([
    ['fork draft', { name: 'draft' }],
    ['fork draft main@-1h', { name: 'draft', from: 'main@-1h' }],
    ['fork draft from test', { name: 'draft', from: 'test' }],
    [`fork draft --meta '{"intent": "x"}'`, { name: 'draft', meta: { intent: 'x' } }],
    ['fork --from=test draft;', { name: 'draft', from: 'test' }],
    ['merge draft into test --columns --resolve theirs', { branch: 'draft', into: 'test', columns: true, resolve: 'theirs' }],
    ['merge draft --dry-run --confirm-deletes 3', { branch: 'draft', dry_run: true, confirm_deletes: 3 }],
    ['merge draft --only-tables a,b', { branch: 'draft', only_tables: ['a', 'b'] }],
    ['merge draft items/1=ours items/2=null items/3={"id":3}', { branch: 'draft', picks: { 'items/1': 'ours', 'items/2': null, 'items/3': { id: 3 } } }],
    ['diff a to b', { branch: 'a', to: 'b' }],
    ['restore to -10m on draft', { at: '-10m', branch: 'draft' }],
    ['restore checkpoint x', { checkpoint: 'x' }],
    ['review w reject because it is wrong', { branch: 'w', verdict: 'reject', reason: 'because it is wrong' }],
    ['find items "red lamp" price=3', { table: 'items', text: 'red lamp', where: { price: 3 } }],
    ['find users city=Oslo age=3 limit=5', { table: 'users', where: { city: 'Oslo', age: 3 }, limit: 5 }],
    [`put users ann '{"city": "it''s"}'`, { table: 'users', id: 'ann', record: { city: "it's" } }],
    ['set_setting max_worlds 5', { name: 'max_worlds', value: '5' }],
    ['alter_agent ann --policy null', { name: 'ann', policy: null }],
    ['history draft 5', { branch: 'draft', limit: 5 }],
    ['worlds;', {}],
  ])('%s', (line, expected) => {
    expect(input(line)).toEqual(expected);
  });

  test.each<[string, RegExp]>([
    ['fork a b c', /one word too many/],
    ['merge draft --resolv ours', /no field "resolv"/],
    ['merge draft --resolve both', /fail, ours or theirs/],
    ['merge draft --version x', /whole number/],
    ['merge draft --version', /wants a value/],
    ['fork x --meta {a}', /is JSON/],
    ['fork x --name y', /given twice/],
    ['history main --limit -1', /at least 0/],
  ])('%s is a usage error', (line, message) => {
    expect(() => input(line)).toThrow(message);
  });

  test('a slip in a field names the field', () => {
    const failed = ((): UsageError | null => {
      try {
        input('merge draft --resolv ours');
        return null;
      } catch (error) {
        return error as UsageError;
      }
    })();
    expect(failed?.hint).toBe('Did you mean --resolve?');
  });
});

test.each([
  'MERGE INTO t USING s ON true',
  'merge world x',
  'DELETE FROM t',
  'USE WORLD x',
  'rollback',
  'SELECT 1',
  'discard all',
  "fork x from main meta '{}'",
  'SIMULATE 3 WORLDS AS p',
  '(select 1)',
  'table items',
])('%s is SQL', (line) => {
  expect(commandOf(line)).toBeNull();
  expect(isStray(line)).toBe(false);
});

test.each(['wrlds', 'selct 1', '\\foo', 'mrege draft'])('%s is a slip', (line) => {
  expect(isStray(line)).toBe(true);
});

test('the nearest word is meant, where one is near', () => {
  expect(closest('wrlds', ['worlds', 'world'])).toBe('worlds');
  expect(closest('mrege', ['merge', 'fork'])).toBe('merge');
  expect(closest('xyz', ['merge', 'fork'])).toBeNull();
});

test('each operation is a command, but for those that are SQL', () => {
  const known = new Set(COMMANDS.map(({ operation }) => operation?.name));
  expect(OPERATIONS.map(({ name }) => name).filter((name) => !known.has(name))).toEqual(['rollback', 'sql']);
  const names = COMMANDS.flatMap(({ name, shape }) => [name, ...(shape.aliases ?? [])]);
  expect(names.length).toBe(new Set(names).size);
});

test('examples of commands can be typed', () => {
  for (const { shape } of COMMANDS) for (const example of shape.examples ?? []) expect(parseLine(example), example).not.toBeNull();
});

describe('help', () => {
  const help = (command?: string): string[] => helpLines(COMMANDS, command, PLAIN, 80);
  test('is one screen', () => {
    expect(help().length).toBeLessThanOrEqual(23);
    for (const line of help()) expect(textWidth(line)).toBeLessThanOrEqual(80);
    expect(
      help()
        .map((line) => line.slice(0, 80))
        .join('\n'),
    ).toContain('merge WORLD');
  });
  test('has a page for each command, within the width', () => {
    for (const { name } of COMMANDS) {
      expect(help(name).length, name).toBeGreaterThan(1);
      // Examples stay whole, to be typed.
      for (const line of help(name).filter((each) => !each.startsWith(`  ${name} `))) expect(textWidth(line), `${name}: ${line}`).toBeLessThanOrEqual(100);
    }
    expect(help('merge').join('\n')).toContain('--resolve');
    expect(help('merge').join('\n')).toContain('merge draft --dry-run');
  });
  test('knows slips', () => {
    expect(() => help('merg')).toThrow('there is no command "merg"');
  });
});
