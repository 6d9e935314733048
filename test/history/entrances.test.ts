/** History through the entrances of a separate server process: HTTP, the SQL port, MCP and the shell. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, Opened, refused, said } from '../mcp/clients.ts';

const ROWS = 25_000;
let folder: string;
let server: ChildProcess;
let base: string;
let sql: pg.Client;
let model: Client;
let token: string;
const opened = new Opened();

async function post(op: string, body: unknown, bearer?: string): Promise<{ status: number; body: any }> {
  const headers = { 'Content-Type': 'application/json', ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) };
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

async function done(op: string, body: unknown, bearer?: string): Promise<any> {
  const answer = await post(op, body, bearer);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function shell(...words: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [MAIN, join(folder, 'data'), ...words])).stdout;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-history-'));
  server = spawn(process.execPath, [MAIN, 'serve', join(folder, 'data'), '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const http = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text);
      const wire = /psql -h \S+ -p (\d+)/.exec(text);
      if (http === null || wire === null) return;
      base = http[1];
      resolve(Number(wire[1]));
    };
    server.stdout!.on('data', read);
    server.stderr!.on('data', read);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  sql = new pg.Client({ host: '127.0.0.1', port, user: 'person', database: 'main' });
  await sql.connect();
  await sql.query(`CREATE TABLE items (id int PRIMARY KEY, qty int, note text); INSERT INTO items VALUES (7, 1, 'new');
    CREATE TABLE pairs (a text, b int, v int, PRIMARY KEY (a, b)); INSERT INTO pairs VALUES ('x', 1, 1); CREATE TABLE blank (k text PRIMARY KEY, v int); INSERT INTO blank VALUES ('', 1);
    CREATE SCHEMA s; CREATE TABLE s.t (id int PRIMARY KEY); INSERT INTO s.t VALUES (1)`);
  await done('set_merge_policy', { name: 'careful', rules: { max_rows: 0 } });
  token = (await done('create_agent', { name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main', 'write'], policy: 'careful' })).token;
  await done('fork', { name: 'draft' }, token);
  await done('sql', { branch: 'draft', sql: 'UPDATE items SET qty = 5 WHERE id = 7' }, token);
  await post('merge', { branch: 'draft' }, token);
  await done('review', { branch: 'draft', verdict: 'approve' });
  model = await opened.http(base, token);
}, 60_000);
afterAll(async () => {
  await opened.close();
  await sql.end();
  server.kill('SIGTERM');
  await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
  rmSync(folder, { recursive: true, force: true });
});

describe('who changed this row, when, from what to what, in which world, by which merge, approved by whom', () => {
  test('HTTP', async () => {
    const { events, next, since } = await done('history', { table: 'items', id: '7' });
    expect(events).toMatchObject([
      {
        world: 'main',
        event: 'merge',
        change: 'update',
        before: { qty: 1 },
        after: { qty: 5 },
        columns: ['qty'],
        branch: { name: 'draft' },
        into: { name: 'main' },
        by: null,
        approval: { way: 'approved', policy: 'careful', by: null },
      },
      { world: 'draft', event: 'write', change: 'update', before: { qty: 1 }, after: { qty: 5 }, by: 'ann', via: events[0].id },
      { world: 'main', change: 'insert', before: null, after: { id: 7, qty: 1, note: 'new' } },
    ]);
    expect({ next, since }).toEqual({ next: null, since: null });
    expect((await done('history', { table: 'pairs', id: 'x,1' })).events).toHaveLength(1);
    expect((await done('history', { table: 'blank', id: '' })).events).toHaveLength(1);
    expect((await done('history', { table: 's.t', id: '1' })).events).toHaveLength(1);
    expect((await post('history', { table: 'items', id: '8' })).status).toBe(404);
    expect((await post('history', { table: 'nothing', id: '8' })).status).toBe(404);
    expect((await post('history', { table: 'items' })).status).toBe(400);
  });

  test('the SQL port', async () => {
    const { rows, fields } = await sql.query("SHOW HISTORY FOR ROW 'items/7'");
    expect(fields.map(({ name }) => name).slice(0, 8)).toEqual(['at', 'world', 'event', 'change', 'before', 'after', 'columns', 'by']);
    expect(rows.map(({ world, event, change, before, after, by }) => [world, event, change, before, after, by])).toEqual([
      ['main', 'merge', 'update', { qty: 1 }, { qty: 5 }, null],
      ['draft', 'write', 'update', { qty: 1 }, { qty: 5 }, 'ann'],
      ['main', expect.stringMatching(/write|commit/), 'insert', null, { id: 7, qty: 1, note: 'new' }, null],
    ]);
    expect(rows[0].approval).toEqual({ way: 'approved', policy: 'careful', by: null });
    expect(rows[1].via).toBe(rows[0].id);
    for (const key of ["'blank/'", "'pairs/x,1'", "'s.t/1'"])
      expect((await sql.query(`SHOW HISTORY FOR ROW ${key} IN WORLD main LIMIT 5`)).rows).toHaveLength(1);
    expect((await sql.query(`SHOW HISTORY FOR ROW 'items/7' OF WORLD main BEFORE '${rows[0].id}'`)).rows).toHaveLength(2);
    await expect(sql.query("SHOW HISTORY FOR ROW 'items/8'")).rejects.toMatchObject({ code: '02000' });
    await expect(sql.query("SHOW HISTORY FOR ROW 'items'")).rejects.toMatchObject({ code: '22023' });
    // Prepared: what is described is what comes.
    expect((await sql.query({ name: 'h', text: "SHOW HISTORY FOR ROW 'items/7'" })).rows).toHaveLength(3);
    expect(Object.keys((await sql.query({ name: 'w', text: 'SHOW HISTORY LIMIT 1' })).rows[0])).toContain('approval');
  });

  test('MCP', async () => {
    const text = await said(model, 'history', { table: 'items', id: '7' });
    expect(text).toMatch(
      /in main: update by a person \(merge: draft \(\w+\) into main \(\w+\) by a person, approved by a person under policy careful\)\n {2}qty: 1 -> 5/,
    );
    expect(text).toMatch(/in draft: update by ann \(write, came by #\d+\)\n {2}qty: 1 -> 5/);
    expect(text).toContain('note: (none) -> "new"');
    expect(await said(model, 'history', { table: 'items', id: '7', limit: 1 })).toMatch(/more: call again with before "#\d+"$/);
    expect(await refused(model, 'history', { table: 'items', id: '8' })).toContain('there is no row');
    expect(await said(model, 'history', { table: 'blank', id: '' })).toContain('insert');
  });

  // contract: command.3
  test('the shell', async () => {
    const text = await shell('history', 'items/7');
    expect(text).toMatch(/main: update \(merge\) draft \(\w+\) into main by a person approved by a person/);
    expect(text).toMatch(/draft: update \(write\) by ann, came by #\d+/);
    expect(text).toContain('qty: 1 → 5');
    expect(await shell('history', 'main', 'table', 'pairs', 'id', 'x,1')).toContain('(1 event)');
    expect(await shell('history', '--limit', '1')).toMatch(/more: --before '#\d+'/);
  });
});

test(`pages of ${ROWS} events have each once, on every entrance`, async () => {
  await done('fork', { name: 'busy' }, token);
  const session = new pg.Client({ host: '127.0.0.1', port: sql.port, user: 'ann', password: token, database: 'busy' });
  await session.connect();
  await session.query('SET synchronous_commit = off; CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n VALUES (1, 0)');
  await session.query(`DO $$ BEGIN FOR i IN 1..${ROWS} LOOP UPDATE n SET v = i WHERE id = 1; COMMIT; END LOOP; END $$`);
  await session.end();
  const pages = async (page: (before: string | undefined) => Promise<{ ids: string[]; next: string | null | undefined }>): Promise<string[]> => {
    const ids: string[] = [];
    for (let before: string | undefined; ;) {
      const { ids: found, next } = await page(before);
      ids.push(...found);
      if (next === null || next === undefined) break;
      before = next;
    }
    expect(new Set(ids).size).toBe(ids.length);
    return ids;
  };
  const over = (op: string, input: object): Promise<string[]> =>
    pages(async (before) => {
      const { events, next } = await done(op, { ...input, limit: 3000, ...(before === undefined ? {} : { before }) });
      return { ids: events.map(({ id }: { id: string }) => id), next };
    });
  const history = await over('history', { branch: 'busy' });
  expect(history.length).toBeGreaterThan(ROWS);
  expect((await over('audit', { agent: 'ann' })).length).toBeGreaterThan(ROWS);
  expect((await over('history', { branch: 'busy', table: 'n', id: '1' })).length).toBe(ROWS + 1);
  const byStatement = await pages(async (before) => {
    const { rows } = await sql.query(`SHOW HISTORY FOR WORLD busy LIMIT 9999${before === undefined ? '' : ` BEFORE '${before}'`}`);
    return { ids: rows.map(({ id }) => id as string), next: rows.at(-1)?.id as string | undefined };
  });
  expect(byStatement).toEqual(history);
  expect((await sql.query(`SHOW AUDIT FOR AGENT ann LIMIT 10 BEFORE '${history[100]}' AFTER '${history[105]}'`)).rows).toHaveLength(4);
  const byModel = await pages(async (before) => {
    const text = await said(model, 'history', { branch: 'busy', limit: 1000, ...(before === undefined ? {} : { before }) });
    return { ids: [...text.matchAll(/^(#\d+) /gm)].map(([, id]) => id), next: /before "(#\d+)"/.exec(text)?.[1] };
  });
  expect(byModel).toEqual(history);
  const moment = (await done('history', { branch: 'busy', before: history[200], limit: 1 })).events[0].at as string;
  for (const { at } of (await done('history', { branch: 'busy', after: moment })).events) expect(at > moment).toBe(true);
}, 240_000);
