/** Drafts of safe mode for a person: statements that do what the tool would, with the same checks, for any names and values. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { parse } from '../../src/sql/parse/parse.ts';
import { Opened, refused, said } from './clients.ts';

let folder: string;
let db: Database;
let client: Client;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE items (id int PRIMARY KEY, stock int); CREATE TABLE "odd; name" (id int PRIMARY KEY); CREATE TABLE people (id int PRIMARY KEY, code text);
          INSERT INTO people VALUES (1, 'canary-9d1e'); SECURITY LABEL FOR anon ON COLUMN people.code IS 'MASKED WITH VALUE NULL';
          CREATE TABLE "a""b;c" (id int PRIMARY KEY); CREATE TABLE "it's;" (id int PRIMARY KEY); CREATE SCHEMA s; CREATE TABLE s.t (id int PRIMARY KEY);
          CREATE FUNCTION grab() RETURNS int LANGUAGE sql AS 'DELETE FROM items RETURNING 1'`,
  });
  await db.set_merge_policy({ name: 'there', rules: { max_rows: 5 } });
  await db.set_merge_policy({ name: 'used', rules: {} });
  await db.set_merge_check({ name: 'there', query: 'SELECT 1 WHERE false' });
  await db.create_agent({ name: 'Ann-1', policy: 'used' });
  client = await opened.beside(db, { kind: 'safe' });
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const draftOf = (text: string): string => {
  const [first, ...rest] = text.split('\n');
  expect(first).toBe('Nothing was changed. Ask a person to run:');
  return rest.join('\n');
};

describe('are refused as the tool would refuse', () => {
  test.each<[tool: string, args: Record<string, unknown>, message: RegExp]>([
    ['set_merge_check', { name: 'c', query: 'select 1; drop table items' }, /one SELECT/],
    ['set_merge_check', { name: 'c', query: 'drop table items' }, /one SELECT|syntax/],
    ['set_merge_check', { name: 'c', query: 'select 1) x; drop table items; select (1' }, /syntax|one SELECT/],
    ['set_merge_check', { name: 'c', query: 'select * from nowhere' }, /nowhere/],
    ['set_merge_check', { name: 'c', query: 'select grab()' }, /changes nothing/],
    ['set_merge_check', { name: 'c', query: 'select 1', timeout_ms: 700_000 }, /600000/],
    ['set_merge_check', { name: 'c; drop table items', query: 'select 1' }, /name/],
    ['set_merge_policy', { name: 'p', rules: { nothing: 1 } }, /no rule/],
    ['set_merge_policy', { name: 'p', rules: { max_rows: '1); DROP TABLE items; --' } }, /max_rows/],
    ['set_merge_policy', { name: 'p', rules: { max_rows: { a: 1 } } }, /max_rows/],
    ['set_merge_policy', { name: 'p', rules: { 'max_rows = 1); DROP TABLE items; --': 1 } }, /no rule/],
    ['set_merge_policy', { name: 'p', rules: {}, agents: ['nobody'] }, /no agent/],
    ['set_merge_policy', { name: 'p', rules: {}, agents: ['x;drop'] }, /no agent/],
    ['drop_merge_policy', { name: 'nothing' }, /no merge policy/],
    ['drop_merge_policy', { name: 'used' }, /Ann-1/],
    ['drop_merge_check', { name: 'nothing' }, /no merge check/],
  ])('%s %j', async (tool, args, message) => {
    const text = await refused(client, tool, args);
    expect(text).toMatch(message);
    expect(text).not.toContain('Ask a person to run');
  });

  test('no error of the query reveals masked values', async () => {
    expect(await refused(client, 'set_merge_check', { name: 'c', query: 'select code::int from people' }).catch(() => '')).not.toContain('canary');
  });
});

// contract: mcp.set_merge_policy, mcp.drop_merge_policy, mcp.set_merge_check, mcp.drop_merge_check
describe('run as drafted', () => {
  test.each<[tool: string, args: Record<string, unknown>, sql: string, types: string[]]>([
    [
      'set_merge_check',
      { name: 'no-neg', query: 'select id from items where stock < 0;' },
      'CREATE MERGE CHECK "no-neg" AS select id from items where stock < 0;',
      ['createMergeCheck'],
    ],
    [
      'set_merge_check',
      { name: 'Check', query: 'select 1 -- all', tables: ['items', 'a"b;c', 's.t'], timeout_ms: 50 },
      'CREATE MERGE CHECK "Check" ON (items, "a""b;c", s.t) TIMEOUT 50 AS select 1 -- all\n;',
      ['createMergeCheck'],
    ],
    [
      'set_merge_check',
      { name: 'there', query: "select ';' where false" },
      "CREATE OR REPLACE MERGE CHECK there AS select ';' where false;",
      ['createMergeCheck'],
    ],
    ['set_merge_check', { name: 'q', query: 'select id from "odd; name"' }, 'CREATE MERGE CHECK q AS select id from "odd; name";', ['createMergeCheck']],
    [
      'set_merge_policy',
      { name: 'p-1', rules: { max_rows: 5, tables: ["it's;", 'items'], max_age: '1h', schema: true }, agents: ['Ann-1'] },
      `CREATE MERGE POLICY "p-1" (max_rows = 5, tables = ('it''s;', 'items'), max_age = '1h', schema = true);\nALTER AGENT "Ann-1" POLICY "p-1";`,
      ['createMergePolicy', 'alterAgent'],
    ],
    ['set_merge_policy', { name: 'there', rules: { max_rows: null } }, 'ALTER MERGE POLICY there (max_rows = null);', ['alterMergePolicy']],
    ['drop_merge_policy', { name: 'used', release_agents: true }, 'DROP MERGE POLICY used RELEASE AGENTS;', ['dropMergePolicy']],
    ['drop_merge_check', { name: 'there' }, 'DROP MERGE CHECK there;', ['dropMergeCheck']],
  ])('%s %j', async (tool, args, sql, types) => {
    const drafted = draftOf(await said(client, tool, args));
    expect(drafted).toBe(sql);
    expect(parse(drafted).map(({ type }) => type)).toEqual(types);
    expect((await db.merge_policies()).policies.map(({ name, max_rows }) => [name, max_rows])).toEqual([
      ['there', 5],
      ['used', null],
    ]);
    expect((await db.merge_checks()).checks.map(({ name, query }) => [name, query])).toEqual([['there', 'SELECT 1 WHERE false']]);
  });

  test('run as they are, by a person', async () => {
    const own = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
    const other = await open(own);
    try {
      await other.sql({ sql: `CREATE TABLE items (id int PRIMARY KEY, stock int); CREATE TABLE "it's;" (id int PRIMARY KEY)` });
      await other.create_agent({ name: 'Ann-1' });
      const safe = await opened.beside(other, { kind: 'safe' });
      const calls: [string, Record<string, unknown>][] = [
        ['set_merge_check', { name: 'no-neg', query: 'select id from items where stock < 0 -- below', tables: ['items'], timeout_ms: 50 }],
        ['set_merge_check', { name: 'no-neg', query: 'select id from items where stock < 1' }],
        ['set_merge_policy', { name: 'P-1', rules: { max_rows: 5, tables: ["it's;", 'items'], max_age: '1h', reviewer: null }, agents: ['Ann-1'] }],
        ['set_merge_policy', { name: 'P-1', rules: { schema: true } }],
      ];
      for (const [tool, args] of calls) await other.sql({ sql: draftOf(await said(safe, tool, args)) });
      expect((await other.merge_checks()).checks).toMatchObject([{ name: 'no-neg', query: 'select id from items where stock < 1', tables: [] }]);
      expect((await other.merge_policies()).policies).toMatchObject([{ name: 'P-1', max_rows: 5, tables: ["it's;", 'items'], max_age: '1h', schema: true }]);
      expect((await other.agents()).agents).toMatchObject([{ name: 'Ann-1', policy: 'P-1' }]);
      await other.sql({ sql: draftOf(await said(safe, 'drop_merge_policy', { name: 'P-1', release_agents: true })) });
      await other.sql({ sql: draftOf(await said(safe, 'drop_merge_check', { name: 'no-neg' })) });
      expect([(await other.merge_checks()).checks, (await other.merge_policies()).policies]).toEqual([[], []]);
    } finally {
      await other.close();
      rmSync(own, { recursive: true, force: true });
    }
  });
});
