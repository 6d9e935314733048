/**
 * The inspector's command line lists the tools and calls every one over HTTP, and some over stdin and stdout, where each call starts a server. It is
 * one process for many command lines: to load it for each took a minute of a core.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
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

/** Runs it once for each list of arguments, and prints for each a line: what it had printed, as JSON, and how it had ended. It ends its process itself. */
const MANY = `
  import { createInterface } from 'node:readline';
  const write = process.stdout.write.bind(process.stdout);
  let printed = '';
  let ended;
  process.stdout.write = (text, ...rest) => {
    printed += text;
    rest.find((each) => typeof each === 'function')?.();
    return true;
  };
  process.exit = (code) => ended(code);
  let count = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    printed = '';
    process.removeAllListeners('uncaughtException');
    process.argv = [process.argv[0], process.env.INSPECTOR, ...JSON.parse(line)];
    const end = new Promise((resolve) => { ended = resolve; });
    await import(process.env.INSPECTOR + '?' + count++);
    const code = await end;
    write(JSON.stringify({ printed, code }) + '\\n');
  }
  process.kill(process.pid);`;

interface Printed {
  readonly tools?: { name: string }[];
  readonly content?: { text: string }[];
  readonly isError?: boolean;
}

class Inspector {
  readonly #child;
  readonly #lines;
  #said = '';

  constructor() {
    // It looks for its package.json beside the working directory.
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', MANY], {
      cwd: dirname(CLI),
      env: { ...process.env, INSPECTOR: pathToFileURL(CLI).href },
    });
    this.#child.stderr.on('data', (text) => (this.#said += String(text)));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** What it prints: the result as JSON. */
  async run(...args: string[]): Promise<Printed> {
    this.#child.stdin.write(`${JSON.stringify(args)}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`it has ended: ${this.#said}`);
    const { printed, code } = JSON.parse(line.value) as { printed: string; code: number };
    if (code !== 0) throw new Error(`${args.join(' ')} ends with ${code}: ${printed}\n${this.#said}`);
    return JSON.parse(printed) as Printed;
  }

  close(): void {
    this.#child.kill();
  }
}

/** It reads each value as JSON first: a text `1` would be a number. */
function toolArgs(args: Record<string, unknown>): string[] {
  return Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${JSON.stringify(value)}`]);
}

async function drive(target: readonly string[], calls = EVERY_TOOL): Promise<void> {
  const inspector = new Inspector();
  onTestFinished(() => inspector.close());
  const { tools = [] } = await inspector.run(...target, '--method', 'tools/list');
  expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(TOOLS.map(({ name }) => name)));
  for (const { tool, args, says } of calls) {
    if (!TOOLS.some(({ name }) => name === tool)) continue;
    const { content = [], isError } = await inspector.run(...target, '--method', 'tools/call', '--tool-name', tool, ...toolArgs(args));
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
