/** The tools of MCP by name, with the parameters that each takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { Opened } from '../mcp/clients.ts';

let folder: string;
let db: Database;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  db = await open(folder);
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Parameters; those with `!` may be required. */
const TOOLS: Readonly<Record<string, string>> = {
  describe: 'table branch',
  find: 'table! where text vector vector_field limit offset ef branch',
  sql: 'sql! params branch',
  get: 'table! id! branch',
  put: 'table! id! record! branch',
  delete: 'table! id! branch',
  fork: 'name! from meta',
  set_meta: 'branch! meta!',
  branches: '',
  diff: 'branch! to as_sql readers limit offset count after',
  history: 'branch! limit',
  restore: 'branch! at!',
  merge: 'branch! into only_tables only_keys by_columns rows resolve confirm version target confirm_deletes',
  merge_preview: 'branch! into only_tables only_keys by_columns resolve rows limit offset version',
  rebase: 'branch! by_columns rows resolve version',
  check_reads: 'branch!',
  undo_merge: 'branch! skip_changed dry_run',
  checkpoint: 'branch! name!',
  rollback: 'branch! checkpoint!',
  discard: 'branch! cascade',
  simulate: 'worlds! prefix! script! score! from keep order seed threads',
  replay: 'world! as',
  merge_policies: '',
  check_merge_policy: 'branch! name rules',
  set_merge_policy: 'name! rules! agents',
  drop_merge_policy: 'name! release_agents',
  reviews: '',
  review: 'branch! verdict! reason',
  merge_checks: '',
  set_merge_check: 'name! query! tables timeout_ms',
  drop_merge_check: 'name!',
};

// contract: mcp.tools, mcp.args, mcp.describe, mcp.find, mcp.sql, mcp.get, mcp.put, mcp.delete, mcp.fork, mcp.set_meta, mcp.branches, mcp.diff
// contract: mcp.history, mcp.restore, mcp.merge, mcp.merge_preview, mcp.rebase, mcp.check_reads, mcp.undo_merge, mcp.checkpoint, mcp.rollback
// contract: mcp.discard, mcp.simulate, mcp.replay, mcp.merge_policies, mcp.check_merge_policy, mcp.set_merge_policy, mcp.drop_merge_policy
// contract: mcp.reviews, mcp.review, mcp.merge_checks, mcp.set_merge_check, mcp.drop_merge_check
test('each tool takes its parameters, and no more of them are required', async () => {
  const { tools } = await (await opened.beside(db, { kind: 'owner' })).listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(TOOLS).toSorted());
  for (const { name, inputSchema } of tools) {
    const words = TOOLS[name].split(' ').filter((word) => word !== '');
    const known = Object.keys(inputSchema.properties ?? {});
    expect([name, words.map((word) => word.replace('!', '')).filter((word) => !known.includes(word))]).toEqual([name, []]);
    const required = words.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1));
    const asked = inputSchema.required ?? [];
    expect([name, asked.filter((word) => !required.includes(word))]).toEqual([name, []]);
    // A branch may be left out where the tool takes `main`.
    expect([name, required.filter((word) => word !== 'branch' && !asked.includes(word))]).toEqual([name, []]);
  }
  const safe = (await (await opened.beside(db, { kind: 'safe' })).listTools()).tools.map(({ name }) => name);
  expect(Object.keys(TOOLS).filter((name) => !safe.includes(name))).toEqual(['restore', 'merge', 'undo_merge']);
});
