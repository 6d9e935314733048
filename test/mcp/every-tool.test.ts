/** Every tool by the official client, on every way in: stdin and stdout, the Unix socket of a running process, HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { call, Opened, UNSAFE } from './clients.ts';
import { EVERY_TOOL, seedForAll } from './every-tool.ts';

let folder: string;
let rex: string;
const opened = new Opened();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  const db = await open(folder);
  ({ rex } = await seedForAll(db));
  await db.close();
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

async function driveAll(client: Client): Promise<void> {
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  expect(new Set(listed)).toEqual(new Set(TOOLS.map(({ name }) => name)));
  const driven = new Set<string>();
  for (const { tool, args, says } of EVERY_TOOL) {
    if (!listed.includes(tool)) continue;
    const { text, failed } = await call(client, tool, args);
    expect([tool, failed, text]).toEqual([tool, false, expect.stringMatching(says)]);
    driven.add(tool);
  }
  expect(driven).toEqual(new Set(listed));
}

// contract: mcp.set_meta, mcp.branches, mcp.check_reads, mcp.undo_merge, mcp.restore, mcp.discard, mcp.simulate, mcp.replay, mcp.merge_policies, mcp.check_merge_policy, mcp.set_merge_policy, mcp.drop_merge_policy, mcp.reviews, mcp.review, mcp.merge_checks, mcp.set_merge_check, mcp.drop_merge_check, mcp.checkpoint, mcp.rollback
test('over stdin and stdout', async () => {
  await driveAll(await opened.stdio(folder, '--agent', 'rex'));
});

test('through the Unix socket of a server', async () => {
  await opened.serve(folder);
  await driveAll(await opened.stdio(folder, '--agent', 'rex'));
});

// contract: service.2
test('over HTTP', async () => {
  await driveAll(await opened.http(await opened.serve(folder), rex));
});

describe('in safe mode', () => {
  test.each(['stdio', 'http'])('over %s each tool works or is refused with words that help', async (way) => {
    const client = way === 'stdio' ? await opened.stdio(folder) : await opened.http(await opened.serve(folder, '--safe'));
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(new Set(listed)).toEqual(new Set(TOOLS.map(({ name }) => name).filter((name) => !UNSAFE.includes(name))));
    // No reviewer, and not the world's owner.
    const not = new Set([...UNSAFE, 'review']);
    for (const { tool, args, says } of EVERY_TOOL) {
      if (!listed.includes(tool) && !UNSAFE.includes(tool)) continue;
      const { text, failed } = await call(client, tool, args);
      if (not.has(tool)) expect([tool, failed, text]).toEqual([tool, true, expect.stringMatching(/safe mode|may not decide/)]);
      else expect([tool, failed, text]).toEqual([tool, false, expect.stringMatching(says)]);
    }
  });
});
