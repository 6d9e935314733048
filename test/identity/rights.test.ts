/**
 * Who may what: every action by every identity, through calls, and statements both in calls and in a session as a connection
 * has it. The table is rights-matrix.txt; `UPDATE=1` writes it anew, to be read line by line.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { type Action, ACTIONS } from './rights-actions.ts';
import { MATRIX, matrixText, RightsStage, type StagedIdentity } from './rights-stage.ts';

let stage: RightsStage;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  stage = await RightsStage.open();
  server = createHttpServer({ commandsOf: (principal) => stage.db.commandsOf(principal), identity: stage.identity, version: 'test' });
  base = await server.listen('127.0.0.1', 0);
});

afterAll(async () => {
  await server.close();
  await stage.close();
});

async function called({ token }: StagedIdentity, op: string, body: unknown): Promise<string | null> {
  const response = await fetch(`${base}/v1/${op}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as { error?: { code: string } };
  if (response.status === 401) return '401';
  if (reply.error === undefined) return null;
  expect(response.status === 403, `${op}: ${JSON.stringify(reply.error)}`).toBe(reply.error.code === '42501');
  return reply.error.code;
}

async function inSession({ principal }: StagedIdentity, sql: string, branch: string): Promise<string | null> {
  const session = stage.db.session({ branch, principal });
  try {
    await session.run(sql);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    session.close();
  }
}

async function cell(action: Action, identity: StagedIdentity): Promise<string> {
  const ways: ((ready: Action) => Promise<string | null>)[] =
    action.sql === undefined
      ? [(ready) => called(identity, ready.op!, ready.body)]
      : [(ready) => called(identity, 'sql', { sql: ready.sql, branch: ready.branch }), (ready) => inSession(identity, ready.sql!, ready.branch!)];
  const results = new Set<string>();
  for (const way of ways) {
    const staged = await stage.prepare(action, identity);
    results.add(await stage.outcome(() => way(staged.action)));
    await stage.tidy(staged);
  }
  // The disabled agent is not let in by calls; its open session is refused.
  return [...results].join('/');
}

test('every action by every identity gives what the table says', { timeout: 120_000 }, async () => {
  const rows: { name: string; cells: string[] }[] = [];
  for (const action of ACTIONS) {
    const cells: string[] = [];
    for (const identity of stage.identities) cells.push(await cell(action, identity));
    rows.push({ name: action.name, cells });
  }
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  const text = matrixText(
    stage.identities.map(({ name }) => name),
    rows,
  );
  if (process.env['UPDATE'] === '1' || !existsSync(MATRIX)) writeFileSync(MATRIX, text);
  expect(text).toBe(readFileSync(MATRIX, 'utf8'));
});
