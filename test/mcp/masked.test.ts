/** Masked columns in sessions that serve models: every tool reads them masked or is refused, unless --unmask was given at start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import type { Greeting } from '../../src/socket/greeting.ts';
import { call, Opened, refused, said } from './clients.ts';

const SECRET = 'canary-7f3a';
let folder: string;
let db: Database;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE people (id int PRIMARY KEY, name text, code text); INSERT INTO people VALUES (1, 'Ann', '${SECRET}'), (2, 'Bob', '${SECRET}2');
          CREATE VIEW cards AS SELECT * FROM people;
          CREATE FUNCTION code_of(i int) RETURNS text LANGUAGE sql AS 'SELECT code FROM people WHERE id = i';
          SECURITY LABEL FOR anon ON COLUMN people.code IS 'MASKED WITH VALUE ''hidden''';
          CREATE ROLE trusted SUPERUSER;
          CREATE TABLE open (id int PRIMARY KEY, n int)`,
  });
  // A principal that sees masked columns has used the function before.
  await db.sql({ sql: 'SELECT code_of(1), (SELECT code FROM cards LIMIT 1)' });
  await db.create_agent({ name: 'boss', can: ['admin'] });
  for (const name of ['b', 'c']) {
    await db.fork({ name });
    await db.sql({ branch: name, sql: `UPDATE people SET code = '${SECRET}-${name}' WHERE id = 1; DELETE FROM people WHERE id = 2` });
  }
  await db.sql({ sql: `UPDATE people SET code = '${SECRET}-main' WHERE id = 1` });
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const WHO: [string, Greeting['as']][] = [
  ['safe mode', { kind: 'safe' }],
  ["the database's own user", { kind: 'owner' }],
  ['an agent that administers', { kind: 'agent', name: 'boss' }],
];

/** Arguments for which a tool would show rows. */
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ['describe', {}],
  ['describe', { table: 'people' }],
  ['find', { table: 'people' }],
  ['find', { table: 'people', where: { id: 1 } }],
  ['get', { table: 'people', id: '1' }],
  ['diff', { branch: 'b' }],
  ['diff', { branch: 'b', as_sql: true }],
  ['diff', { branch: 'b', count: true, readers: true }],
  ['diff', { branch: 'b', to: 'main' }],
  ['merge_preview', { branch: 'b' }],
  ['merge', { branch: 'b' }],
  ['rebase', { branch: 'b' }],
  ['history', {}],
  ['branches', {}],
  ['check_merge_policy', { branch: 'b', rules: { max_rows: 0 } }],
  ['reviews', {}],
  ...[
    'SELECT * FROM people',
    'SELECT code FROM cards',
    'SELECT code_of(1)',
    'SELECT people FROM people',
    "SELECT * FROM people AS OF '-1ms'",
    "SELECT * FROM people AS OF WORLD 'b'",
    'SELECT max(code), min(code), string_agg(code, $$,$$) FROM people',
    'WITH p AS (SELECT code c FROM people) SELECT * FROM p',
    'PREPARE q AS SELECT code FROM people; EXECUTE q',
    'DECLARE d CURSOR FOR SELECT code FROM people; FETCH ALL FROM d',
    'DIFF WORLD b',
    'DIFF WORLD b AS SQL',
    'MERGE WORLD b DRY RUN',
    'EXPLAIN ANALYZE SELECT * FROM people',
    'SECURITY LABEL FOR anon ON COLUMN people.code IS NULL; SELECT * FROM people',
    'SET ROLE trusted; SELECT * FROM people',
    'SET SESSION AUTHORIZATION trusted; SELECT * FROM people',
    'CREATE INDEX ON people ((code::int))',
    "BEGIN; INSERT INTO people VALUES (1, 'x', 'y') ON CONFLICT (id) DO UPDATE SET code = people.code || 'z' RETURNING code; ROLLBACK",
    'BEGIN; UPDATE people SET name = code RETURNING *; ROLLBACK',
    'BEGIN; DELETE FROM people RETURNING *; ROLLBACK',
    'BEGIN; CREATE TABLE copy AS SELECT * FROM people; SELECT * FROM copy; ROLLBACK',
  ].map((sql): [string, Record<string, unknown>] => ['sql', { sql }]),
];

describe.each(WHO)('%s', (_who, as) => {
  // contract: auth.mcp.10
  test.each(CALLS)('reads no masked value by %s %j', async (tool, args) => {
    const client = await opened.beside(db, as);
    const { text } = await call(client, tool, args);
    expect(text).not.toContain(SECRET);
  });

  // contract: mcp.rule.8
  test('is refused row tools on the table with a hint to use sql, and not on others', async () => {
    const client = await opened.beside(db, as);
    expect(await refused(client, 'find', { table: 'people' })).toMatch(/masked columns/);
    expect(await refused(client, 'get', { table: 'people', id: '1' })).toMatch(/SQL/);
    expect(await said(client, 'find', { table: 'open' })).toMatch(/^0 match/);
    expect(await said(client, 'sql', { sql: 'SELECT name, code FROM people WHERE id = 1' })).toContain('Ann  | hidden');
    expect(client.getInstructions()).toMatch(/read masked/);
  });

  // contract: mcp.rule.8
  test('sees through with --unmask', async () => {
    const client: Client = await opened.beside(db, as, { unmask: true });
    expect(client.getInstructions()).not.toMatch(/masked/);
    expect(await said(client, 'get', { table: 'people', id: '1' })).toContain(SECRET);
    expect(await said(client, 'describe', { table: 'people' })).toContain(SECRET);
    for (const sql of ['SELECT * FROM people', 'SELECT code_of(1)', 'SELECT code FROM cards']) expect(await said(client, 'sql', { sql })).toContain(SECRET);
    expect(await said(client, 'diff', { branch: 'b' })).toContain(SECRET);
  });
});

test('no tool that reads rows is left out of the table', () => {
  const other = [
    'put',
    'delete',
    'fork',
    'set_meta',
    'checkpoint',
    'rollback',
    'restore',
    'discard',
    'undo_merge',
    'check_reads',
    'review',
    'simulate',
    'replay',
  ];
  const rules = ['merge_policies', 'set_merge_policy', 'drop_merge_policy', 'merge_checks', 'set_merge_check', 'drop_merge_check'];
  const called = new Set(CALLS.map(([tool]) => tool));
  expect(TOOLS.map(({ name }) => name).filter((name) => !called.has(name) && !other.includes(name) && !rules.includes(name))).toEqual([]);
});

test('a person at the shell still sees what is there', async () => {
  expect((await db.get({ table: 'people', id: '1' })).row).toMatchObject({ code: `${SECRET}-main` });
});

test('over HTTP an agent is refused the row tools on such a table, too', async () => {
  const own = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  const database = await open(own);
  await database.sql({
    sql: `CREATE TABLE people (id int PRIMARY KEY, code text); INSERT INTO people VALUES (1, '${SECRET}');
          SECURITY LABEL FOR anon ON COLUMN people.code IS 'MASKED WITH VALUE ''hidden'''`,
  });
  const { token } = await database.create_agent({ name: 'helper', can: ['read', 'fork', 'write', 'write_main'] });
  await database.close();
  try {
    const client = await opened.http(await opened.serve(own), token);
    const tries: [string, Record<string, unknown>][] = [
      ['get', { table: 'people', id: '1' }],
      ['find', { table: 'people' }],
      ['put', { table: 'people', id: '1', record: { code: 'x' } }],
      ['delete', { table: 'people', id: '1' }],
    ];
    for (const [tool, args] of tries) expect(await refused(client, tool, args)).toMatch(/masked columns/);
    expect(await said(client, 'sql', { sql: 'SELECT code FROM people' })).toContain('hidden');
  } finally {
    await opened.close();
    rmSync(own, { recursive: true, force: true });
  }
});
