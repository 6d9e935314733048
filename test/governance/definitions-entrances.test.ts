/** What a branch changes of definitions, as HTTP and MCP show it: differences, dry runs, reviews, and the history of the merge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { Opened, said } from '../mcp/clients.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;
let model: Client;
const opened = new Opened();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-definitions-'));
  db = await open(folder);
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  base = await server.listen('127.0.0.1', 0);
  model = await opened.beside(db, { kind: 'owner' });
});
afterEach(async () => {
  await opened.close();
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

async function post(op: string, body: unknown): Promise<any> {
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const answer = (await response.json()) as any;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

const BEFORE = `CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT i, i FROM generate_series(1, 20) i;
  CREATE TABLE gone (a int PRIMARY KEY); INSERT INTO gone VALUES (1), (2); CREATE VIEW seen AS SELECT id FROM t;
  CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE DOMAIN d AS int; CREATE TYPE mood AS ENUM ('low', 'high')`;

/** Statement, what it changes with the texts before and after, and rows that read otherwise. */
const CASES: [statement: string, objects: [object: string, change: string, before: RegExp | null, after: RegExp | null][], rows: Record<string, number>][] = [
  [
    'ALTER TABLE t DROP v; ALTER TABLE t ADD v text',
    [
      ['column t.v', 'drop', /v integer/, null],
      ['column t.v', 'create', null, /v text/],
    ],
    { t: 20 },
  ],
  ['DROP TABLE gone', [['table gone', 'drop', /CREATE TABLE gone/, null]], { gone: 2 }],
  ['DROP VIEW seen', [['view seen', 'drop', /SELECT/i, null]], {}],
  ['CREATE OR REPLACE FUNCTION f(int) RETURNS int LANGUAGE sql AS $$SELECT 2$$', [['function f(integer)', 'alter', /SELECT 1/, /SELECT 2/]], {}],
  ['ALTER DOMAIN d ADD CHECK (VALUE > 0)', [], {}],
  ["ALTER TYPE mood RENAME VALUE 'low' TO 'down'", [['type mood', 'alter', /low/, /down/]], {}],
  ['CREATE TABLE empty (a int)', [['table empty', 'create', null, /CREATE TABLE empty/]], {}],
];

test.each(CASES)('%s', async (statement, objects, rows) => {
  await post('sql', { sql: BEFORE });
  await post('set_merge_policy', { name: 'none', rules: { max_rows: 0, max_deletes: 0, schema: false } });
  await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'none' });
  const ann = db.commandsOf(db.directory.byName('ann')!);
  await ann.fork({ name: 'w' });
  await post('sql', { branch: 'w', sql: statement });
  const total = Object.values(rows).reduce((a, b) => a + b, 0);
  const diff = await post('diff', { branch: 'w', count: true });
  expect(diff.tables).toEqual(rows);
  expect(diff.definitions.length).toBeGreaterThan(0);
  for (const [object, change, before, after] of objects) {
    const found = diff.definitions.find((each: any) => each.object === object && each.change === change);
    expect(found, `${change} ${object} of ${JSON.stringify(diff.definitions)}`).toBeDefined();
    for (const [text, wanted] of [
      [found.before, before],
      [found.after, after],
    ])
      if (wanted === null) expect(text).toBeNull();
      else expect(text).toMatch(wanted);
    expect(found.statement).not.toBe('');
  }
  const preview = await post('merge', { branch: 'w', dry_run: true });
  expect(preview.definitions).toEqual(diff.definitions);
  expect(preview.rows.filter(({ outcome }: any) => outcome !== 'keep')).toHaveLength(total);
  expect(await ann.merge({ branch: 'w' }).catch(({ code }) => code)).toBe('42501');
  const [review] = (await post('reviews', {})).reviews;
  expect(review.definitions).toEqual(diff.definitions);
  expect(Object.fromEntries(review.changes.map((each: any) => [each.table, each.deleted + each.updated + each.inserted]))).toEqual(rows);
  const texts = [await said(model, 'diff', { branch: 'w' }), await said(model, 'merge_preview', { branch: 'w' }), await said(model, 'reviews')];
  for (const { object } of diff.definitions) for (const text of texts) expect(text).toContain(object);
  expect(texts[0]).toContain(`${total} changed rows`);
  expect((await post('review', { branch: 'w', verdict: 'approve' })).merged).toBe(total);
  const [merge] = (await post('history', { branch: 'main', definitions: true, limit: 1 })).events;
  expect(merge).toMatchObject({ event: 'merge', rows: total, approval: { way: 'approved', policy: 'none' }, definitions: diff.definitions });
  expect((await post('history', { branch: 'main', limit: 1 })).events[0]).toMatchObject({ rows: total });
  const text = await said(model, 'history', { branch: 'main', definitions: true, limit: 1 });
  for (const { object } of diff.definitions) expect(text).toContain(object);
  const undone = await post('undo_merge', { branch: 'w' });
  expect(undone.undone).toBe(total);
  expect((await post('history', { branch: 'main', limit: 1 })).events[0]).toMatchObject({ event: 'undo merge', rows: total });
});

test('rebased counts rows that only a definition changes', async () => {
  await post('sql', { sql: BEFORE });
  await post('fork', { name: 'w' });
  await post('sql', { branch: 'w', sql: 'ALTER TABLE t DROP v; ALTER TABLE t ADD v text' });
  await post('sql', { sql: 'INSERT INTO gone VALUES (3)' });
  expect((await post('rebase', { branch: 'w' })).rebased).toBe(20);
  const [event] = (await post('history', { branch: 'w', limit: 1 })).events;
  expect(event).toMatchObject({ event: 'rebase', rows: 20, branch: { name: 'w' }, onto: { name: 'main' }, by: null });
});
