/** Text that a model reads: every value distinguishable, what is cut said with the call that gets it whole, errors in the tools' own words. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { Opened, refused, said } from './clients.ts';

let folder: string;
let db: Database;
let client: Client;
let safe: Client;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE items (id int PRIMARY KEY, name text, price numeric);
          INSERT INTO items SELECT i, 'item ' || i, i FROM generate_series(1, 30) i;
          CREATE FUNCTION long_one() RETURNS text LANGUAGE sql AS $$ SELECT '${'x'.repeat(300)}' || 'tail-of-function' $$;
          CREATE VIEW wide AS SELECT ${Array.from({ length: 20 }, (_, i) => `id + ${i} AS column_number_${i}`).join(', ')} FROM items;
          CREATE TABLE texts (id int PRIMARY KEY, body text); INSERT INTO texts VALUES (1, repeat('y', 50000))`,
  });
  client = await opened.beside(db, { kind: 'owner' });
  safe = await opened.beside(db, { kind: 'safe' });
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const sql = (text: string, more: object = {}): Promise<string> => said(client, 'sql', { sql: text, ...more });
/** The cells of the first row. */
const cells = (text: string): string[] =>
  text
    .split('\n')[2]
    .split(' | ')
    .map((cell) => cell.trimEnd());

describe('values that differ look different', () => {
  test('null, the empty text, blanks, and texts that spell them', async () => {
    const shown = cells(await sql(`SELECT NULL AS a, '' AS b, ' ' AS c, 'NULL' AS d, '''''' AS e, 'null' AS f, 'x ' AS g, 'x' AS h`));
    expect(shown).toEqual(['NULL', "''", "' '", "'NULL'", "''''''", 'null', "'x '", 'x']);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('line breaks, tabs, and backslashes before their letters', async () => {
    const shown = cells(await sql(String.raw`SELECT E'a\nb' AS a, 'a\nb' AS b, E'a\tb' AS c, E'a\rb' AS d, E'a\\\nb' AS e, 'a\d' AS f, 'a b' AS g, 'a\' AS h`));
    expect(shown).toEqual([
      String.raw`a\nb`,
      String.raw`a\\nb`,
      String.raw`a\tb`,
      String.raw`a\rb`,
      String.raw`a\\\nb`,
      String.raw`a\d`,
      'a b',
      String.raw`a\\`,
    ]);
  });

  test('two columns of one name', async () => {
    expect(await sql('SELECT 1 AS a, 2 AS a')).toMatch(/^a \| a_1\n-+\+-+\n1 \| 2$/m);
  });

  test('a field that a document lacks, and one that is null', async () => {
    await db.put({ table: 'docs', id: 'a', record: { x: null, y: 1 } });
    await db.put({ table: 'docs', id: 'b', record: { y: 2 } });
    const text = await said(client, 'find', { table: 'docs' });
    expect(text).toMatch(/^a {2}\| 0 {5}\| NULL \| 1$/m);
    expect(text).toMatch(/^b {2}\| 0 {5}\| {6}\| 2$/m);
  });

  test('line breaks in a diff are escaped once', async () => {
    await db.fork({ name: 'breaks' });
    await db.sql({ branch: 'breaks', sql: String.raw`UPDATE items SET name = E'a\nb' WHERE id = 1; INSERT INTO items VALUES (99, E'c\nd')` });
    const text = await said(client, 'diff', { branch: 'breaks' });
    expect(text).toContain(String.raw`name=a\nb`);
    expect(text).toContain(String.raw`{"id":99,"name":"c\nd","price":null}`);
    await db.discard({ branch: 'breaks' });
  });
});

describe('what is long', () => {
  test.each([
    ['a function', "SELECT pg_get_functiondef('long_one'::regproc)", 'tail-of-function'],
    ['a view', "SELECT pg_get_viewdef('wide'::regclass)", 'column_number_19'],
    ['a plan', `EXPLAIN SELECT id FROM items WHERE name = '${'p'.repeat(200)}tail-of-plan'`, 'tail-of-plan'],
    ['an aggregate', 'SELECT json_agg(items) FROM items', '"item 30"'],
  ])('%s arrives whole', async (_what, text, tail) => {
    const shown = await sql(text);
    expect(shown).toContain(tail);
    expect(shown).not.toContain('more:');
  });

  test('a reason of a policy arrives whole', async () => {
    const tables = Array.from({ length: 12 }, (_, i) => `a_table_with_a_long_name_${i}`);
    await db.sql({ sql: tables.map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY)`).join(';') });
    await db.set_merge_policy({ name: 'only', rules: { tables: ['items'] } });
    await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'only' });
    const ann = await opened.beside(db, { kind: 'agent', name: 'ann' });
    await said(ann, 'fork', { name: 'many' });
    await said(ann, 'sql', { branch: 'many', sql: tables.map((name) => `INSERT INTO ${name} VALUES (1)`).join(';') });
    const preview = await said(ann, 'merge_preview', { branch: 'many' });
    for (const name of tables.slice(0, 3)) expect(preview.split('\n').find((line) => line.includes('blocked') && line.includes('tables'))).toContain(name);
  });

  test('what is cut says how to get it, and that works', async () => {
    const cut = await sql('SELECT body FROM texts');
    const [, tokens] = /more: 1 cell is cut at \d+ characters; call again with max_tokens (\d+)/.exec(cut)!;
    expect(await sql('SELECT body FROM texts', { max_tokens: Number(tokens) })).toContain('y'.repeat(50_000));
    const got = await said(client, 'get', { table: 'texts', id: '1' });
    const [, more] = /more: .* call again with max_tokens (\d+)/.exec(got)!;
    expect(JSON.parse(await said(client, 'get', { table: 'texts', id: '1', max_tokens: Number(more) }))).toEqual({ id: 1, body: 'y'.repeat(50_000) });
  });

  test('max_tokens bounds every tool that has it', async () => {
    await db.fork({ name: 'big' });
    await db.sql({ branch: 'big', sql: "UPDATE items SET name = repeat('z', 2000)" });
    const calls: [string, Record<string, unknown>][] = [
      ['sql', { sql: "SELECT repeat('x', 1000) FROM generate_series(1, 100)" }],
      ['find', { table: 'items', branch: 'big', limit: 100 }],
      ['get', { table: 'texts', id: '1' }],
      ['diff', { branch: 'big', limit: 100 }],
      ['diff', { branch: 'big', as_sql: true, limit: 100 }],
      ['merge_preview', { branch: 'big', limit: 100 }],
      ['describe', {}],
      ['history', { limit: 1000 }],
      ['branches', {}],
    ];
    for (const [tool, args] of calls) {
      const short = await said(client, tool, { ...args, max_tokens: 500 });
      // Headings and the lines that say how to continue come on top.
      expect([tool, short.length < 2000 * 2.5], short).toEqual([tool, true]);
      if (!['branches', 'history'].includes(tool)) expect([tool, short]).toEqual([tool, expect.stringContaining('more:')]);
    }
  });
});

// contract: mcp.stdio.5, mcp.args, mcp.rule.7, fixed.6
describe('errors say what to do', () => {
  test.each<[string, string, Record<string, unknown>, RegExp]>([
    ['an unknown relation', 'sql', { sql: 'SELECT *\nFROM nowhere' }, /at character 15:\nLINE 2: FROM nowhere\n {13}\^\n.*describe/],
    ['an error of syntax', 'sql', { sql: 'SELECT 1 FROM items WHER id = 1' }, /at character \d+:\nLINE 1: SELECT/],
    ['SHOW TABLES', 'sql', { sql: 'SHOW TABLES' }, /Call describe/],
    ['a command of psql', 'sql', { sql: '\\d items' }, /Call describe/],
    ['DESCRIBE', 'sql', { sql: 'DESCRIBE items' }, /Call describe/],
    ['an unknown column', 'sql', { sql: 'SELECT nam FROM items' }, /at character 8/],
    ['a field that put does not have', 'put', { table: 'items', id: '1', data: { id: 1 } }, /no parameter `data`/],
    ['white space in a name', 'fork', { name: 'a b' }, /`name` must not be empty, and has no white space/],
    ['a key without a table', 'diff', { branch: 'big', after: 'items' }, /`after` must be `<table>\/<id>`/],
    ['an open transaction', 'sql', { sql: 'BEGIN; DELETE FROM items' }, /still open[^]*COMMIT[^]*25001/],
    ['a table that describe does not know', 'describe', { table: 'itms' }, /no table "itms"[^]*"items"/],
    ['an unknown table', 'find', { table: 'itms' }, /no table "itms"[^]*"items"/],
    ['an unknown field', 'find', { table: 'items', where: { nam: 'x' } }, /no field "nam"[^]*"name"/],
    ['a page beyond the bounds', 'find', { table: 'items', limit: 20_000 }, /tool sql/],
    ['an offset beyond them', 'find', { table: 'items', offset: 100_001 }, /tool sql/],
    ['a beam beyond them', 'find', { table: 'items', ef: 5000 }, /tool sql/],
    ['more events than are answered', 'history', { limit: 100_000 }, /tool sql/],
    ['ef without a vector', 'find', { table: 'items', ef: 10 }, /`ef` goes with `vector`/],
    ['both a value and its column', 'find', { table: 'items', where: { id: 'x' } }, /22P02/],
  ])('%s', async (_what, tool, args, says) => {
    expect(await refused(client, tool, args)).toMatch(says);
  });

  // contract: mcp.rule.1, mcp.rebase
  test('conflicts come in the words of the tool', async () => {
    await db.fork({ name: 'c' });
    await db.sql({ branch: 'c', sql: 'UPDATE items SET price = 100 WHERE id = 1' });
    await db.sql({ sql: 'UPDATE items SET price = 200 WHERE id = 1' });
    for (const tool of ['merge', 'rebase']) {
      const text = await refused(client, tool, { branch: 'c' });
      for (const word of ['resolve', 'by_columns', 'rows', 'merge_preview']) expect(text).toContain(word);
      expect(text).not.toMatch(/picks|`columns`/);
    }
  });
});

describe('safe mode', () => {
  // contract: mcp.rule.4
  test('says "call fork first" only where a fork helps', async () => {
    for (const [tool, args] of [
      ['put', { table: 'docs', id: 'z', record: {} }],
      ['delete', { table: 'docs', id: 'a' }],
      ['sql', { sql: 'UPDATE items SET price = 1' }],
      ['sql', { sql: 'CREATE TABLE t (id int)' }],
      ['checkpoint', { branch: 'main', name: 'c' }],
    ] as [string, Record<string, unknown>][])
      expect([tool, args, await refused(safe, tool, args)]).toEqual([tool, args, expect.stringContaining('Call fork first')]);
    for (const [tool, args] of [
      ['discard', { branch: 'main' }],
      ['discard', { branch: 'big' }],
      ['rebase', { branch: 'big' }],
      ['set_meta', { branch: 'main', meta: {} }],
      ['rollback', { branch: 'main', checkpoint: 'c' }],
      ['merge', { branch: 'big' }],
      ['restore', { branch: 'main', at: '-1s' }],
      ['review', { branch: 'many', verdict: 'approve' }],
      ['sql', { sql: 'CREATE ROLE r' }],
      ['sql', { sql: 'ALTER SYSTEM SET protect_main = on' }],
    ] as [string, Record<string, unknown>][])
      expect([tool, args, await refused(safe, tool, args)]).toEqual([tool, args, expect.not.stringContaining('Call fork first')]);
  });

  test('an error of syntax has its place there, too', async () => {
    expect(await refused(safe, 'sql', { sql: 'SELECT 1 FROM items WHER id = 1' })).toMatch(/at character \d+:\nLINE 1/);
    expect(await refused(safe, 'sql', { sql: '\\dt' })).toMatch(/Call describe/);
  });

  test('a world says which session forked it', async () => {
    await said(safe, 'fork', { name: 'mine', meta: { intent: 'try' } });
    const { meta } = await db.world({ branch: 'mine' });
    expect(meta).toEqual({ intent: 'try', forked_by: expect.stringMatching(/^safe mode [0-9a-f]{8} of test$/) });
    const other = await opened.beside(db, { kind: 'safe' });
    await said(other, 'fork', { name: 'theirs' });
    expect((await db.world({ branch: 'theirs' })).meta['forked_by']).not.toBe(meta['forked_by']);
    expect(await said(safe, 'branches')).toContain('forked_by');
    // Others are as they were.
    await said(client, 'fork', { name: 'owned' });
    expect((await db.world({ branch: 'owned' })).meta).toEqual({});
  });
});

describe('pages', () => {
  test('simulate: all worlds, the kept ones first', async () => {
    const call = { worlds: 30, script: 'SELECT 1', score: 'SELECT $1', keep: 2 };
    const first = await said(client, 'simulate', { ...call, prefix: 's' });
    expect(first.match(/^s_\d+ /gm)).toHaveLength(20);
    expect(first).toMatch(/\(20 of 30 rows\)\nmore: the kept worlds are there .* another `prefix`, keep 0, and offset 20/);
    const second = await said(client, 'simulate', { ...call, prefix: 'r', keep: 0, offset: 20 });
    expect(second.match(/^r_\d+ /gm)).toHaveLength(10);
    expect(second).not.toContain('more:');
    const scores = (text: string): string[] => [...text.matchAll(/^\w_(\d+) /gm)].map(([, index]) => index);
    expect(new Set([...scores(first), ...scores(second)]).size).toBe(30);
    expect((await said(client, 'simulate', { ...call, prefix: 'q', keep: 0, limit: 3 })).match(/^q_\d+ /gm)).toHaveLength(3);
  });

  test('merge_checks say when they were made', async () => {
    await db.set_merge_check({ name: 'c', query: 'SELECT 1 WHERE false' });
    expect(await said(client, 'merge_checks')).toMatch(/created\n[^]*SELECT 1 WHERE false +\| \d{4}-\d\d-\d\dT/);
  });
});
