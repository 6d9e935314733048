/** Safe mode: every forbidden thing on every path. Nothing outside the worlds that the session forked may have changed at the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { Opened, refused, said } from './clients.ts';

let folder: string;
let db: Database;
let client: Client;
const opened = new Opened();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE items (id int PRIMARY KEY, stock int); INSERT INTO items VALUES (1, 5), (2, 7); CREATE SEQUENCE numbers;
          CREATE FUNCTION grab(i int) RETURNS int LANGUAGE sql AS 'UPDATE items SET stock = 0 WHERE id = i RETURNING stock';
          CREATE FUNCTION outer_grab(i int) RETURNS int LANGUAGE sql AS 'SELECT grab(i)';
          CREATE VIEW low AS SELECT * FROM items WHERE stock < 6`,
  });
  await db.put({ table: 'notes', id: 'a', record: { n: 1 } });
  // Worlds of others: of the database's own user, of another session, of an agent, of the guest.
  await db.fork({ name: 'owned' });
  const other = await opened.beside(db, { kind: 'safe' });
  await said(other, 'fork', { name: 'other' });
  await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own'] });
  await db.commandsOf(db.directory.byName('ann')!).fork({ name: 'anns' });
  await db.commandsOf({ kind: 'guest' }).fork({ name: 'guests' });
  await db.checkpoint({ branch: 'other', name: 'c' });
  client = await opened.beside(db, { kind: 'safe' });
  await said(client, 'fork', { name: 'mine' });
});
afterEach(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const OTHERS = ['main', 'owned', 'other', 'anns', 'guests'];

/** Everything that must stay as it is. */
async function state(): Promise<unknown> {
  const out: unknown[] = [];
  for (const branch of OTHERS) {
    out.push(
      await db.sql({
        branch,
        sql: 'SELECT * FROM items ORDER BY id; SELECT * FROM notes; SELECT last_value, is_called FROM numbers; SELECT relname FROM pg_class ORDER BY 1',
      }),
    );
  }
  const { branches } = await db.branches();
  out.push(branches.filter(({ name }) => OTHERS.includes(name)).map(({ active: _active, ...world }) => world));
  out.push(await db.settings({}), (await db.agents()).agents, await db.merge_policies(), await db.merge_checks(), await db.readers());
  return out;
}

/** Tools that change a world, aimed at one that is not the session's. */
const AIMED: [string, (branch: string) => Record<string, unknown>][] = [
  ['put', (branch) => ({ branch, table: 'notes', id: 'b', record: { n: 2 } })],
  ['put', (branch) => ({ branch, table: 'fresh', id: 'b', record: { n: 2 } })],
  ['delete', (branch) => ({ branch, table: 'notes', id: 'a' })],
  ['set_meta', (branch) => ({ branch, meta: { x: 1 } })],
  ['checkpoint', (branch) => ({ branch, name: 'k' })],
  ['rollback', (branch) => ({ branch, checkpoint: 'c' })],
  ['rebase', (branch) => ({ branch })],
  ['discard', (branch) => ({ branch })],
  ['discard', (branch) => ({ branch, cascade: true })],
  ['merge', (branch) => ({ branch })],
  ['merge', () => ({ branch: 'mine' })],
  ['merge', (branch) => ({ branch: 'mine', into: branch })],
  ['restore', (branch) => ({ branch, at: '-1s' })],
  ['undo_merge', (branch) => ({ branch })],
  ['review', (branch) => ({ branch, verdict: 'approve' })],
];
/** Statements that change rows or definitions. */
const WRITES = [
  'UPDATE items SET stock = 0',
  "INSERT INTO notes (id) VALUES ('z')",
  'DELETE FROM items',
  'TRUNCATE items',
  'MERGE INTO items i USING (SELECT 1 AS id) s ON i.id = s.id WHEN MATCHED THEN DELETE',
  'WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone',
  'UPDATE low SET stock = 1',
  'SELECT grab(1)',
  'SELECT outer_grab(1)',
  'SELECT stock FROM items WHERE grab(id) = 0',
  "SELECT nextval('numbers')",
  "SELECT setval('numbers', 100)",
  'PREPARE w AS UPDATE items SET stock = 0; EXECUTE w',
  'PREPARE w AS SELECT grab(1); EXECUTE w',
  'EXPLAIN ANALYZE UPDATE items SET stock = 0',
  'EXPLAIN ANALYZE SELECT grab(1)',
  'BEGIN; UPDATE items SET stock = 0; COMMIT',
  'CREATE TABLE t (id int)',
  'CREATE TABLE t AS SELECT * FROM items',
  'SELECT * INTO t FROM items',
  'DROP TABLE items CASCADE',
  'ALTER TABLE items ADD COLUMN x int',
  'CREATE INDEX ON items (stock)',
  'CREATE VIEW v AS SELECT 1',
  "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "COMMENT ON TABLE items IS 'x'",
  'SELECT * FROM items FOR UPDATE',
  'GRANT SELECT ON items TO PUBLIC',
];
/** What no branch is given for: worlds, settings, agents, roles, rules, server files. */
const WORLD_STATEMENTS = [
  'CREATE WORLD x',
  'FORK WORLD x',
  'CREATE DATABASE x',
  'DROP DATABASE owned',
  'USE WORLD owned',
  'DROP WORLD owned',
  'DROP WORLD mine',
  'DROP WORLD other CASCADE',
  "ALTER WORLD owned SET META '{}'",
  'ALTER WORLD owned PIN',
  'ALTER WORLD mine SET TTL 1000',
  'MERGE WORLD mine',
  'MERGE WORLD other INTO owned',
  'REBASE WORLD other',
  "RESTORE WORLD owned TO '-1m'",
  'RESTORE WORLD other TO CHECKPOINT c',
  'CHECKPOINT k ON WORLD owned',
  'UNDO MERGE mine',
  'UNDO AGENT ann',
  'ALTER SYSTEM SET protect_main = on',
  'ALTER SYSTEM RESET protect_main',
  'CREATE AGENT evil CAN (admin)',
  'ALTER AGENT ann CAN (admin)',
  'DROP AGENT ann',
  'CREATE MERGE POLICY p (max_rows = 1)',
  'DROP MERGE POLICY p',
  'CREATE MERGE CHECK k AS SELECT 1',
  'CREATE READER r ON items (stock)',
  'REVIEW WORLD owned APPROVE',
  'CLAIM OUTBOX',
  "ACK OUTBOX '1'",
  'SIMULATE 2 WORLDS AS s SCRIPT $$UPDATE items SET stock = 0$$ SCORE $$SELECT 1$$',
  'CREATE ROLE r SUPERUSER',
  'GRANT unmask TO PUBLIC',
  "SECURITY LABEL FOR anon ON COLUMN items.stock IS 'MASKED WITH VALUE 0'",
  'SET ROLE someone',
  'SET SESSION AUTHORIZATION someone',
  'CHECKPOINT',
  "COPY items TO '/tmp/out'",
  "COPY items FROM '/etc/passwd'",
  "COPY items FROM PROGRAM 'id'",
  'SELECT * FROM _svc_agents',
  "BACKUP TO '/tmp/svc-backup'",
];

test('no tool changes a world that the session did not fork', async () => {
  const before = await state();
  for (const [tool, args] of AIMED) {
    for (const branch of OTHERS) expect([tool, branch, await refused(client, tool, args(branch))]).toEqual([tool, branch, expect.stringMatching(/\(\w{5}\)$/)]);
  }
  expect(await state()).toEqual(before);
});

describe('sql', () => {
  // contract: mcp.rule.4, mcp.sql, identity.1
  test('writes in no world but its own, by no statement', async () => {
    const before = await state();
    for (const branch of OTHERS) {
      for (const sql of WRITES) {
        const text = await refused(client, 'sql', { branch, sql });
        expect([branch, sql, text]).toEqual([branch, sql, expect.stringMatching(/42501/)]);
        expect([branch, sql, text]).toEqual([branch, sql, expect.stringMatching(/[Ff]ork/)]);
      }
    }
    expect(await state()).toEqual(before);
    // In its own they are not refused for want of a right.
    for (const sql of WRITES) {
      await said(client, 'fork', { name: 'scratch', from: 'mine' });
      expect([sql, (await client.callTool({ name: 'sql', arguments: { branch: 'scratch', sql } })).isError ?? false]).toEqual([sql, false]);
      await said(client, 'discard', { branch: 'scratch' });
    }
  });

  // contract: mcp.rule.5
  test('holds no statement about worlds, settings, agents, rules or files, on any branch', async () => {
    const before = await state();
    for (const branch of ['main', 'other', 'mine']) {
      for (const sql of WORLD_STATEMENTS) {
        // Alone, and behind one that is harmless.
        for (const text of [sql, `SELECT 1; ${sql}`])
          expect([branch, text, await refused(client, 'sql', { branch, sql: text })]).toEqual([branch, text, expect.stringMatching(/42501|42601/)]);
      }
    }
    expect(await state()).toEqual(before);
    expect((await db.branches()).branches.map(({ name }) => name).sort()).toEqual([...OTHERS, 'mine'].sort());
  });

  // contract: mcp.rule.5, auth.mcp.1
  test('reads all there is', async () => {
    await said(client, 'sql', { branch: 'mine', sql: 'UPDATE items SET stock = 1 WHERE id = 1' });
    for (const sql of [
      'SHOW WORLDS',
      'SHOW WORLD',
      'DIFF WORLD mine',
      'DIFF WORLD mine COUNT',
      'MERGE WORLD mine DRY RUN',
      "SELECT * FROM items AS OF '-1ms'",
      "SELECT * FROM items AS OF WORLD 'other'",
      'SHOW HISTORY',
      'SHOW AGENTS',
      'SHOW MERGE POLICIES',
      'SHOW REVIEWS',
      'EXPLAIN SELECT * FROM items',
      'SELECT count(*) FROM pg_class',
    ]) {
      await said(client, 'sql', { sql });
    }
    for (const branch of OTHERS) expect(await said(client, 'get', { branch, table: 'notes', id: 'a' })).toContain('"n": 1');
  });
});

// contract: mcp.rule.6, mcp.discard
test('cascade: a tree with a world of another owner is left whole', async () => {
  await said(client, 'fork', { name: 'child', from: 'mine' });
  await db.fork({ name: 'grandchild', from: 'child' });
  expect(await refused(client, 'discard', { branch: 'mine', cascade: true })).toMatch(/may not/);
  expect((await db.branches()).branches.map(({ name }) => name)).toEqual(expect.arrayContaining(['mine', 'child', 'grandchild']));
  await db.discard({ branch: 'grandchild' });
  expect(await said(client, 'discard', { branch: 'mine', cascade: true })).toMatch(/child/);
});

test('a later world of the same name with another owner is not the session’s', async () => {
  await said(client, 'discard', { branch: 'mine' });
  await db.fork({ name: 'mine' });
  expect(await refused(client, 'put', { branch: 'mine', table: 'notes', id: 'b', record: {} })).toMatch(/fork/);
});

test('a fork of another session’s world may be changed, that world not', async () => {
  await said(client, 'fork', { name: 'copy', from: 'other' });
  await said(client, 'put', { branch: 'copy', table: 'notes', id: 'b', record: { n: 2 } });
  expect(await refused(client, 'merge', { branch: 'copy' })).toMatch(/safe mode/);
  expect(await refused(client, 'put', { branch: 'other', table: 'notes', id: 'b', record: {} })).toMatch(/fork/);
});
