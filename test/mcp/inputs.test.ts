/** Wrong calls are answered with what is wrong and how to fix it; replies are bounded and say how to continue. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { TEXT_MAX } from '../../src/operations/text/table.ts';
import { call, Opened, refused, said } from './clients.ts';

let folder: string;
let db: Database;
let client: Client;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
  await db.sql({ sql: 'CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items SELECT i, repeat($$x$$, 50) FROM generate_series(1, 3000) i' });
  client = await opened.beside(db, { kind: 'owner' });
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

// contract: mcp.args, mcp.merge
describe('what is wrong is named, with what was probably meant', () => {
  test.each<[tool: string, args: Record<string, unknown>, says: RegExp]>([
    ['get', { table: 'items', id: '1', bransh: 'main' }, /there is no parameter `bransh`\nDid you mean `branch`\?/],
    ['diff', { branch: 'x', asSql: true }, /no parameter `asSql`\nDid you mean `as_sql`\?/],
    ['find', { table: 'items', lmit: 3 }, /Did you mean `limit`\?/],
    ['find', { table: 'items', vectorField: 'v' }, /Did you mean `vector_field`\?/],
    ['merge', { branch: 'x', onlyTable: ['a'] }, /Did you mean `only_tables`\?/],
    ['branches', { colour: 'red' }, /no parameter `colour`\nParameters: limit, after, prefix, at, offset, max_tokens\./],
    ['get', { table: 'items', id: '1', __proto__x: 1 }, /no parameter `__proto__x`/],
    ['get', { table: 'items' }, /`id` is missing\nParameters: table, id, branch, max_tokens\./],
    ['get', { table: 'it ems', id: '1' }, /`table`/],
    ['get', { table: '', id: '1' }, /`table`/],
    ['get', { table: 'items', id: 1 }, /`id` must be string/],
    ['put', { table: 'items', id: '1', record: 'x' }, /`record`/],
    ['put', { table: 'items', id: '1', record: null }, /`record`/],
    ['merge', { branch: 'x', resolve: 'mine' }, /`resolve` must be one of "fail", "ours", "theirs"\n/],
    ['review', { branch: 'x', verdict: 'maybe' }, /`verdict` must be one of "approve", "reject", "pass"\n/],
    ['merge', { branch: 'x', rows: { 'items/1': 5 } }, /`rows\.items\/1` must be one of "ours", "theirs", "delete", object, null\n/],
    ['merge', { branch: 'x', only_tables: [] }, /`only_tables`/],
    ['diff', { branch: 'x', limit: -1 }, /`limit`/],
    ['diff', { branch: 'x', limit: 1.5 }, /`limit`/],
    ['find', { table: 'items', vector: [1, 2] }, /`vector` and `vector_field` go together/],
    ['set_merge_policy', { name: 'a b', rules: {} }, /`name`/],
    ['discribe', {}, /there is no tool "discribe"\nDid you mean describe\?/],
    ['mergePreview', {}, /Did you mean merge_preview\?/],
    ['fly', {}, /there is no tool "fly"\ntools\/list names them/],
  ])('%s %j', async (tool, args, says) => {
    expect(await refused(client, tool, args)).toMatch(says);
  });
});

describe('replies are bounded and say how to continue', () => {
  const rowsOf = (text: string): string[] => text.split('\n').filter((line) => /^\d+ +\|/.test(line));

  test('find: pages by offset make up the whole', async () => {
    const seen: string[] = [];
    let offset: number | undefined = 0;
    for (let pages = 0; offset !== undefined && pages < 100; pages++) {
      const text: string = await said(client, 'find', { table: 'items', limit: 1000, offset });
      expect(text.length).toBeLessThan(TEXT_MAX * 1.2);
      seen.push(...rowsOf(text).map((line) => line.split(' ')[0]));
      const next: RegExpExecArray | null = /more: call again with offset (\d+)/.exec(text);
      offset = next === null ? undefined : Number(next[1]);
    }
    expect(seen).toHaveLength(3000);
    expect(new Set(seen).size).toBe(3000);
  });

  test('sql: says how many there are and how to get the next', async () => {
    const text = await said(client, 'sql', { sql: 'SELECT id, name FROM items ORDER BY id' });
    expect(text).toMatch(/\(200 of 3000 rows\)\nmore: add LIMIT and OFFSET 200/);
    const wide = await said(client, 'sql', { sql: `SELECT ${Array.from({ length: 1500 }, (_, i) => `${i} AS column_${i}`).join(', ')}` });
    expect(wide).toMatch(/more: \d+ more columns \(column_\d+, .*\); name them in the SELECT/);
    const long = await said(client, 'sql', { sql: "SELECT repeat('y', 100000) AS y" });
    expect(long.length).toBeLessThan(TEXT_MAX * 1.1);
    expect(long).toMatch(/more: 1 cell is cut at \d+ characters; call again with max_tokens \d+, or read parts of them: substr/);
    const many = await said(client, 'sql', { sql: 'SELECT id, name FROM items LIMIT 200;'.repeat(20) });
    expect(many.length).toBeLessThan(TEXT_MAX * 2);
    expect(many).toMatch(/more: the results of \d+ statements/);
  });

  test('a character of two halves is not cut in two', async () => {
    const text = await said(client, 'sql', { sql: "SELECT repeat('😀', 20000) AS face" });
    expect(text).toContain('😀…');
    expect(text.isWellFormed()).toBe(true);
  });

  // contract: mcp.diff, mcp.merge_preview
  test('diff: by after; as SQL by offset', async () => {
    await db.fork({ name: 'big' });
    await db.sql({ branch: 'big', sql: 'UPDATE items SET name = $$z$$ WHERE id <= 45' });
    const keys: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 10; pages++) {
      const text = await said(client, 'diff', { branch: 'big', ...(after === undefined ? {} : { after }) });
      keys.push(...[...text.matchAll(/^items\/(\d+)/gm)].map(([, key]) => key));
      after = /call again with after "([^"]+)"/.exec(text)?.[1];
      if (after === undefined) break;
    }
    expect(new Set(keys).size).toBe(45);
    expect(keys).toHaveLength(45);
    expect(await said(client, 'diff', { branch: 'big', as_sql: true, limit: 10, offset: 40 })).toMatch(/\(5 of 45 statements\)$/);
    expect(await said(client, 'diff', { branch: 'big', as_sql: true })).toMatch(/more: call again with offset 20$/);
    const page = await said(client, 'merge_preview', { branch: 'big', offset: 40 });
    expect(page).toContain('(5 rows)');
    expect(await said(client, 'merge_preview', { branch: 'big', limit: 5 })).toMatch(/\(5 of 45 rows\)\nmore: call again with offset 5/);
  });

  test('history: before the event where a page ended', async () => {
    await db.fork({ name: 'eventful' });
    for (let i = 0; i < 25; i++) await db.put({ branch: 'eventful', table: 'notes', id: String(i), record: { i } });
    const found: string[] = [];
    let before: string | undefined;
    for (let pages = 0; pages < 20; pages++) {
      const text = await said(client, 'history', { branch: 'eventful', limit: 7, ...(before === undefined ? {} : { before }) });
      found.push(...[...text.matchAll(/^#\d+ +\| \d{4}-\S+ +\| (\S+)/gm)].map(([line]) => line));
      before = /call again with before "([^"]+)"/.exec(text)?.[1];
      if (before === undefined) break;
    }
    expect(found.filter((line) => line.endsWith('write'))).toHaveLength(25);
    expect(new Set(found).size).toBe(found.length);
  });

  test('worlds: by after, with a prefix or without; tables, reviews and rules: by offset', async () => {
    for (let i = 0; i < 230; i++) await db.fork({ name: `w${i}` });
    for (const narrowed of [{}, { prefix: 'w' }, { limit: 50 }]) {
      const names: string[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 10; pages++) {
        const text = await said(client, 'branches', { ...narrowed, ...(after === undefined ? {} : { after }) });
        names.push(...[...text.matchAll(/^(w\d+) /gm)].map(([, name]) => name));
        after = /more: call again with after (\S+)/.exec(text)?.[1];
        if (after === undefined) break;
      }
      expect(names).toEqual(Array.from({ length: 230 }, (_, i) => `w${i}`));
    }
    await db.sql({ sql: Array.from({ length: 50 }, (_, i) => `CREATE TABLE t${i} (id int PRIMARY KEY, a text, b text)`).join(';') });
    const tables = new Set<string>();
    let offset = 0;
    for (let pages = 0; pages < 20; pages++) {
      const text = await said(client, 'describe', { offset });
      for (const [, name] of text.matchAll(/^(\w+): \d+ rows/gm)) tables.add(name);
      const more = /or with offset (\d+)/.exec(text);
      if (more === null) break;
      offset = Number(more[1]);
    }
    expect(tables.size).toBe(51);
    for (let i = 0; i < 300; i++)
      await db.set_merge_policy({ name: `policy_${i}`, rules: { max_rows: i, tables: ['items', 'notes'], review_columns: ['items.name'] } });
    const policies = await said(client, 'merge_policies');
    const from = Number(/more: call again with offset (\d+)/.exec(policies)![1]);
    expect(await said(client, 'merge_policies', { offset: from })).toMatch(/\(\d+ rows\)$/);
  });

  test('a row that is too large is cut, and says so', async () => {
    await db.put({ table: 'notes', id: 'long', record: { text: 'w'.repeat(100_000) } });
    const text = await said(client, 'get', { table: 'notes', id: 'long' });
    expect(text.length).toBeLessThan(TEXT_MAX + 300);
    expect(text).toMatch(/more: \d+ of \d+ characters are shown; call again with max_tokens \d+, or read parts with sql/);
    expect((await call(client, 'describe', { table: 'notes' })).text.length).toBeLessThan(2000);
  });
});
