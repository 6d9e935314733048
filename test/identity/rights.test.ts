/**
 * The rights matrix: every action by every identity over HTTP; rights-wire.test.ts does the same over the SQL port. The table
 * is rights-matrix.txt; `UPDATE=1` rewrites it, to be reviewed line by line.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { parse } from '../../src/sql/parse/parse.ts';
import { STATEMENTS } from '../../src/sql/session/statement-rights.ts';
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
  const reply = (await response.json()) as { error?: { code: string } | null };
  if (response.status === 401) return '401';
  if ((reply.error ?? null) === null) return null;
  expect(response.status === 403, `${op}: ${JSON.stringify(reply.error)}`).toBe(reply.error!.code === '42501');
  return reply.error!.code;
}

async function cell(action: Action, identity: StagedIdentity): Promise<string> {
  const staged = await stage.prepare(action, identity);
  const { op = 'sql', body, sql, branch } = staged.action;
  const found = await stage.outcome(() => called(identity, op, body ?? { sql, branch }));
  await stage.tidy(staged);
  return found;
}

// contract: agent.5, http.9, admin.1, auth.http.11, auth.wire.14, can.default, can.read, can.fork, can.write_own, can.write, can.write_main, can.merge_own, can.merge, can.restore, can.outbox, can.admin, can.surfaces, can.lists, identity.1, op.backup, op.verify, op.merge_outcomes, error.403, error.42501
test('every action by every identity gives what the table says', { timeout: 300_000 }, async () => {
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

test('every operation and every kind of statement is in the table', () => {
  expect(OPERATIONS.map(({ name }) => name).filter((name) => name !== 'sql' && !ACTIONS.some(({ op }) => op === name))).toEqual([]);
  const kinds = new Set<string>();
  const note = (statement: { type: string; statement?: unknown }): void => {
    kinds.add(statement.type);
    if (statement.statement !== undefined && typeof statement.statement === 'object') note(statement.statement as { type: string });
  };
  for (const { sql } of ACTIONS) if (sql !== undefined) for (const each of parse(sql.replaceAll(/\$(\w+)/g, 'n'))) note(each);
  const missing = Object.keys(STATEMENTS).filter((kind) => !kinds.has(kind) && STATEMENTS[kind as keyof typeof STATEMENTS][0] !== 'free');
  expect(missing.sort()).toEqual(NOT_TRIED.toSorted());
});

/** Kinds that are refused by name for every principal, that are in the table as calls, and COPY, which needs a connection. */
const NOT_TRIED: readonly string[] = [
  'ackOutbox',
  'commitPrepared',
  'copy',
  'createExtension',
  'do',
  'importForeignSchema',
  'prepareTransaction',
  'refreshCollation',
  'retryOutbox',
  'reviewWorld',
  'rollbackPrepared',
  'updateExtension',
];
