/** The inspector's command line, one process a call: it lists the tools and calls every one over HTTP, and some over stdin and stdout, where a call is two processes. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { MAIN, Opened } from './clients.ts';
import { EVERY_TOOL, seedForAll } from './every-tool.ts';

const FOLDER = process.env['SVC_INSPECTOR'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc-inspector');
/** Behind its wrapper, which starts this as a process of its own. */
const CLI = join(FOLDER, 'node_modules/@modelcontextprotocol/inspector/cli/build/index.js');
const here = existsSync(CLI);
if (!here) process.stderr.write('SKIPPED: @modelcontextprotocol/inspector is not installed (.ci/inspector); its command line drives no tool\n');

let folder: string;
let token: string;
const opened = new Opened();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  const db = await open(folder);
  ({ rex: token } = await seedForAll(db));
  await db.close();
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What it prints: the result as JSON. */
function inspect(target: readonly string[], ...args: string[]): Promise<{ tools?: { name: string }[]; content?: { text: string }[]; isError?: boolean }> {
  return new Promise((resolve, reject) => {
    // It looks for its package.json beside the working directory.
    execFile(process.execPath, [CLI, ...target, ...args], { cwd: dirname(CLI), timeout: 60_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout) as { tools: { name: string }[] });
    });
  });
}

/** It reads each value as JSON first: a text `1` would be a number. */
function toolArgs(args: Record<string, unknown>): string[] {
  return Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${JSON.stringify(value)}`]);
}

async function drive(target: readonly string[], calls = EVERY_TOOL): Promise<void> {
  const { tools = [] } = await inspect(target, '--method', 'tools/list');
  expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(TOOLS.map(({ name }) => name)));
  for (const { tool, args, says } of calls) {
    if (!TOOLS.some(({ name }) => name === tool)) continue;
    const { content = [], isError } = await inspect(target, '--method', 'tools/call', '--tool-name', tool, ...toolArgs(args));
    expect([tool, isError ?? false, content[0]?.text]).toEqual([tool, false, expect.stringMatching(says)]);
  }
}

test.skipIf(!here)('over stdin and stdout', { timeout: 600_000 }, async () => {
  // A server has the folder, so each call finds what the ones before it did.
  await opened.serve(folder);
  await drive([process.execPath, MAIN, 'mcp', folder, '--agent', 'rex'], EVERY_TOOL.slice(0, 8));
});

test.skipIf(!here)('over HTTP', { timeout: 600_000 }, async () => {
  const url = await opened.serve(folder);
  await drive([`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]);
});
