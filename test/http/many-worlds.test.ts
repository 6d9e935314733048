/** Lists of many worlds: page by page, by prefix, whole without holding others; and worlds that are gone, as an auditor asks for them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { OWNER } from '../../src/session/principal.ts';

const WORLDS = 3000;

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-worlds-'));
  db = await open(folder);
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  base = await server.listen('127.0.0.1', 0);
  for (let i = 0; i < WORLDS; i += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => db.fork({ name: `${(i + n) % 3 === 0 ? 'a_' : 'b'}${i + n}`, meta: { n: i + n, intent: 'über 100 %' } })),
    );
});

afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

interface Listed {
  branches: { name: string; id: string }[];
  next?: string | null;
}

async function call<Reply = Listed>(op: string, body: unknown): Promise<Reply & { status: number; error?: { code: string; message: string } }> {
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as Reply) };
}

const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

async function pages(input: object): Promise<string[]> {
  const out: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: Listed = await call('branches', { ...input, ...(after === undefined ? {} : { after }) });
    expect(page.next).not.toBe(undefined);
    out.push(...names(page.branches));
    after = page.next!;
  }
  return out;
}

test('consecutive pages of any size are the whole list, also when worlds end between them', async () => {
  const whole = names((await call('branches', {})).branches);
  expect(whole.length).toBe(WORLDS + 1);
  expect(whole[0]).toBe('main');
  for (const limit of [700, 1000, WORLDS, WORLDS + 1, WORLDS + 2]) expect(await pages({ limit })).toEqual(whole);
  await db.fork({ name: 'between' });
  const first = await call('branches', { limit: WORLDS + 1 });
  await db.fork({ name: 'later' });
  // The world that the page ended with may be gone, and its name taken by a younger one.
  const next = (await call('branches', { limit: WORLDS })).next!;
  expect(names((await call('branches', { after: next, limit: 10 })).branches)).toEqual([whole[WORLDS], 'between', 'later']);
  expect(first.next).not.toBeNull();
  await db.discard({ branch: 'between' });
  expect(names((await call('branches', { after: 'between' })).branches)).toEqual(['later']);
  await db.discard({ branch: 'later' });
});

test('a prefix, with pages and without', async () => {
  const wanted = names((await call('branches', {})).branches).filter((name) => name.startsWith('a_'));
  expect(names((await call('branches', { prefix: 'a_' })).branches)).toEqual(wanted);
  expect(await pages({ prefix: 'a_', limit: 300 })).toEqual(wanted);
  expect(await pages({ prefix: 'nobody', limit: 3 })).toEqual([]);
  expect(await call('branches', { prefix: 'a_', limit: 2 })).toMatchObject({ branches: [{ name: 'a_0' }, { name: 'a_3' }] });
});

test('what cannot be is refused', async () => {
  expect(await call('branches', { after: 'nowhere' })).toMatchObject({ status: 404, error: { code: '3D000' } });
  expect((await call('branches', { limit: 0 })).status).toBe(400);
  expect((await call('branches', { limit: 1.5 })).status).toBe(400);
  expect((await call('branches', { limitt: 1 })).status).toBe(400);
});

test('SHOW WORLDS with a pattern, a start and a limit', async () => {
  const show = async (rest: string): Promise<string[]> => {
    const { results } = (await db.sql({ sql: `SHOW WORLDS ${rest}` })) as unknown as { results: { rows: { name: string }[] }[] };
    return names(results[0].rows);
  };
  expect((await show('')).length).toBe(WORLDS + 1);
  expect(await show('LIMIT 3')).toEqual(['main', 'a_0', 'b1']);
  expect(await show("AFTER 'a_0' LIMIT 2")).toEqual(['b1', 'b2']);
  expect(await show('AFTER b1 LIMIT 1')).toEqual(['b2']);
  expect(await show("LIKE 'a\\_%' LIMIT 2")).toEqual(['a_0', 'a_3']);
  expect(await show("LIKE 'b2__9' AFTER 'b200' LIMIT 2")).toEqual(['b2009', 'b2029']);
  expect(await show("LIKE 'main'")).toEqual(['main']);
  await expect(db.sql({ sql: "SHOW WORLDS AFTER 'nowhere'" })).rejects.toMatchObject({ code: '3D000' });
  await expect(db.sql({ sql: 'SHOW WORLDS LIKE x' })).rejects.toMatchObject({ code: '42601' });
});

test('the tool for models continues after the last world that it showed', async () => {
  const { run } = TOOLS.find(({ name }) => name === 'branches') as Tool;
  const session = { principal: OWNER, commands: db.commands, safe: false };
  const call = { signal: new AbortController().signal, report: () => {} } as unknown as Parameters<typeof run>[2];
  const seen: string[] = [];
  for (let after: string | undefined, page = 0; page < 100; page++) {
    const text = await run(session, { prefix: 'a_', ...(after === undefined ? {} : { after }) }, call);
    seen.push(...[...text.matchAll(/^(a_\d+) /gm)].map((match) => match[1]));
    after = /more: call again with after (\S+)/.exec(text)?.[1];
    if (after === undefined) break;
  }
  expect(seen.length).toBe(WORLDS / 3);
  expect(new Set(seen).size).toBe(seen.length);
});

test('the whole list is made beside others, byte for byte what it would be at once', async () => {
  let turns = 0;
  let listing = true;
  const turn = (): void => {
    turns++;
    if (listing) setImmediate(turn);
  };
  setImmediate(turn);
  const reply = await db.branches();
  listing = false;
  // Others had the event loop again and again meanwhile; how often depends on the machine.
  expect(turns).toBeGreaterThan(3);
  expect(reply.branches.length).toBe(WORLDS + 1);
  const response = await fetch(`${base}/v1/branches`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  expect(await response.text()).toBe(JSON.stringify(reply));
});

test('a world that was merged or discarded still says what it was, and what it had changed', async () => {
  await db.put({ table: 't', id: 'a', record: { n: 1 } });
  await db.fork({ name: 'done', meta: { intent: 'raise', run: '7' } });
  await db.put({ branch: 'done', table: 't', id: 'a', record: { n: 2 } });
  await db.put({ branch: 'done', table: 't', id: 'b', record: { n: 3 } });
  const open = await call<{ name: string; id: string; version: number }>('world', { branch: 'done' });
  const { status: _status, ...diff } = await call<object>('diff', { branch: 'done' });
  await db.merge({ branch: 'done' });
  // Later changes are no part of it.
  await db.put({ table: 't', id: 'a', record: { n: 9 } });
  const gone = await call<{ ended: string }>('world', { branch: 'done' });
  expect(gone).toMatchObject({ status: 200, id: open.id, version: open.version, meta: { intent: 'raise', run: '7' }, state: 'merged', into: 'main' });
  expect(Date.parse(gone.ended)).toBeGreaterThan(Date.now() - 60_000);
  expect(await call('diff', { branch: 'done' })).toMatchObject(diff);
  expect(await call('diff', { branch: 'done', count: true })).toMatchObject({ total: 2, tables: { t: 2 } });
  expect((await call<{ sql: string[] }>('diff', { branch: 'done', sql: true })).sql.length).toBe(2);
  // By its id, too, once the name is another world's.
  await db.fork({ name: 'done' });
  expect(await call('diff', { branch: 'done' })).toMatchObject({ changes: [] });
  expect(await call('diff', { branch: open.id })).toMatchObject(diff);
  expect(await call('world', { branch: open.id })).toMatchObject({ state: 'merged' });
  expect(Object.hasOwn(await call('world', { branch: 'done' }), 'state')).toBe(false);

  await db.put({ branch: 'done', table: 't', id: 'c', record: { n: 4 } });
  await db.discard({ branch: 'done' });
  expect(await call('world', { branch: 'done' })).toMatchObject({ state: 'discarded' });
  expect(await call('diff', { branch: 'done' })).toMatchObject({ changes: [{ key: 't/c', before: null, after: { n: 4 } }] });
  // It is read only.
  expect((await call('set_meta', { branch: 'done', meta: { x: 1 } })).status).toBe(404);
  expect((await call('put', { branch: 'done', table: 't', id: 'c', record: {} })).status).toBe(404);
});

test('a partly merged and rebased world shows, once it is gone, what it had left', async () => {
  await db.fork({ name: 'parts' });
  for (const id of ['p', 'q']) await db.put({ branch: 'parts', table: 't', id, record: { n: 1 } });
  await db.merge({ branch: 'parts', only_keys: ['t/p'] });
  await db.rebase({ branch: 'parts' });
  const { status: _status, ...diff } = await call<object>('diff', { branch: 'parts' });
  await db.discard({ branch: 'parts' });
  expect(await call('diff', { branch: 'parts' })).toMatchObject(diff);
  expect(await call('diff', { branch: 'parts' })).toMatchObject({ changes: [{ key: 't/q' }] });
});
