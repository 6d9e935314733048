/** Messages at the edge of the protocol, over lines and over HTTP, and stdout, which carries messages only. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { MAIN, Opened } from './clients.ts';

let folder: string;
const opened = new Opened();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const call = (id: unknown, name: string, args: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

interface Exchange {
  sent: string | Buffer;
  /** Of the answer; null: none comes. Over HTTP also the status. */
  answer: object | null;
  status: number;
}
/** One message each, the same on both ways in. */
const EXCHANGES: [string, Exchange][] = [
  ['a request', { sent: PING, answer: { id: 1, result: {} }, status: 200 }],
  ['an id that is text', { sent: '{"jsonrpc":"2.0","id":"é","method":"ping"}', answer: { id: 'é', result: {} }, status: 200 }],
  ['id 0', { sent: '{"jsonrpc":"2.0","id":0,"method":"ping"}', answer: { id: 0, result: {} }, status: 200 }],
  ['a notification', { sent: '{"jsonrpc":"2.0","method":"notifications/initialized"}', answer: null, status: 202 }],
  ['an unknown notification', { sent: '{"jsonrpc":"2.0","method":"notifications/nothing"}', answer: null, status: 202 }],
  ['a request without id', { sent: '{"jsonrpc":"2.0","method":"tools/list"}', answer: null, status: 202 }],
  ["a client's response", { sent: '{"jsonrpc":"2.0","id":1,"result":{}}', answer: null, status: 202 }],
  ["a client's error", { sent: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', answer: null, status: 202 }],
  ['id null', { sent: '{"jsonrpc":"2.0","id":null,"method":"ping"}', answer: { id: null, error: { code: -32600 } }, status: 400 }],
  ['an id that is an object', { sent: '{"jsonrpc":"2.0","id":{},"method":"ping"}', answer: { id: null, error: { code: -32600 } }, status: 400 }],
  ['a batch', { sent: `[${PING}]`, answer: { id: null, error: { code: -32600 } }, status: 400 }],
  ['an empty batch', { sent: '[]', answer: { id: null, error: { code: -32600 } }, status: 400 }],
  ['not JSON', { sent: '{"jsonrpc"', answer: { id: null, error: { code: -32700 } }, status: 400 }],
  ['a number', { sent: '5', answer: { id: null, error: { code: -32600 } }, status: 400 }],
  ['not UTF-8', { sent: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pi\xffng"}', 'latin1'), answer: { id: null, error: { code: -32700 } }, status: 400 }],
  ['another version of JSON-RPC', { sent: '{"jsonrpc":"1.0","id":4,"method":"ping"}', answer: { id: 4, error: { code: -32600 } }, status: 400 }],
  ['an unknown method', { sent: '{"jsonrpc":"2.0","id":1,"method":"fly"}', answer: { id: 1, error: { code: -32601 } }, status: 200 }],
  ['resources', { sent: '{"jsonrpc":"2.0","id":1,"method":"resources/list"}', answer: { id: 1, error: { code: -32601 } }, status: 200 }],
  ['prompts', { sent: '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', answer: { id: 1, error: { code: -32601 } }, status: 200 }],
  [
    'a list with a cursor',
    { sent: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}', answer: { id: 1, result: { tools: expect.any(Array) } }, status: 200 },
  ],
  [
    'initialize with nothing said',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
      answer: { result: { protocolVersion: '2025-06-18', serverInfo: { name: 'svc', version: expect.any(String) } } },
      status: 200,
    },
  ],
  [
    'initialize without a version',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
      answer: { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } } },
      status: 200,
    },
  ],
  [
    'initialize with a version of its own',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      answer: { result: { protocolVersion: '2099-01-01', instructions: expect.stringContaining('describe') } },
      status: 200,
    },
  ],
  ['an unknown tool', { sent: call(1, 'fly', {}), answer: { id: 1, result: { isError: true } }, status: 200 }],
  ['a tool that fails', { sent: call(1, 'sql', { sql: 'SELEC' }), answer: { id: 1, result: { isError: true } }, status: 200 }],
  ...([[1], '{}', 5, true] as const).map((given): [string, Exchange] => [
    `arguments that are ${JSON.stringify(given)}`,
    {
      sent: call(1, 'branches', given),
      answer: { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('the arguments must be an object') }] } },
      status: 200,
    },
  ]),
  ['arguments that are null', { sent: call(1, 'branches', null), answer: { id: 1, result: { content: [{ type: 'text' }] } }, status: 200 }],
  [
    'no tool',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
      answer: { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('is not named') }] } },
      status: 200,
    },
  ],
  [
    'a version that is no text',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}',
      answer: { id: 1, error: { code: -32602, message: expect.stringContaining('protocolVersion is a string') } },
      status: 200,
    },
  ],
  [
    'no arguments',
    {
      sent: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"branches"}}',
      answer: { id: 1, result: { content: [{ type: 'text' }] } },
      status: 200,
    },
  ],
];

class Lines {
  readonly child: ChildProcessWithoutNullStreams;
  out = '';
  errors = '';
  readonly exited: Promise<number | null>;

  constructor(env: Record<string, string> = {}, ...args: string[]) {
    this.child = spawn(process.execPath, [MAIN, 'mcp', folder, ...args], { env: { ...process.env, ...env } });
    this.child.stdout.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.child.stdin.on('error', () => {});
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    opened.add(async () => {
      this.child.kill('SIGKILL');
      await this.exited;
    });
  }

  get answers(): { id?: unknown; error?: { code: number }; result?: unknown; method?: string }[] {
    return this.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: unknown });
  }

  say(...messages: (string | Buffer)[]): void {
    for (const message of messages) {
      this.child.stdin.write(message);
      this.child.stdin.write('\n');
    }
  }

  has(count: number): Promise<void> {
    return expect.poll(() => this.answers.length, { timeout: 30_000 }).toBe(count);
  }
}

// contract: mcp.stdio.2, mcp.stdio.3, mcp.stdio.4, error.mcp.1, error.mcp.2, version.4
test('over lines', async () => {
  const lines = new Lines();
  let expected = 0;
  for (const [name, { sent, answer }] of EXCHANGES) {
    lines.say(sent);
    // Behind what has no answer, the next one is the first to come.
    lines.say('{"jsonrpc":"2.0","id":"mark","method":"ping"}');
    expected += answer === null ? 1 : 2;
    await lines.has(expected);
    const since = lines.answers.slice(answer === null ? -1 : -2);
    const own = since.filter(({ id }) => id !== 'mark');
    if (answer === null) expect([name, own]).toEqual([name, []]);
    else expect(own[0], name).toMatchObject({ jsonrpc: '2.0', ...answer });
  }
  lines.child.stdin.end();
  expect(await lines.exited).toBe(0);
});

// contract: mcp.http.1, mcp.http.2, mcp.http.3, mcp.http.4, mcp.http.5, mcp.http.6, mcp.http.7, fixed.6, version.4
test('over HTTP', async () => {
  const db = await open(folder);
  const { token } = await db.create_agent({ name: 'ann', can: ['read'] });
  await db.close();
  const url = await opened.serve(folder);
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const post = (body: string | Buffer, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: body as never });
  for (const [name, { sent, answer, status }] of EXCHANGES) {
    const response = await post(sent);
    const text = await response.text();
    expect([name, response.status], text).toEqual([name, status]);
    expect([name, response.headers.get('mcp-session-id')]).toEqual([name, null]);
    if (answer === null) expect([name, text]).toEqual([name, '']);
    else expect(JSON.parse(text), name).toMatchObject(answer);
  }
  for (const accept of ['application/json', 'application/json, text/event-stream', '*/*', 'text/event-stream']) {
    const response = await post(PING, { Accept: accept });
    expect([accept, response.status, response.headers.get('content-type')]).toEqual([accept, 200, expect.stringContaining('application/json')]);
  }
  expect((await post(PING, { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await post('', {})).status).toBe(400);
  expect((await post(PING, { Origin: 'http://example.org' })).status).toBe(403);
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) expect([method, (await fetch(`${url}/mcp`, { method, headers })).status]).toEqual([method, 405]);
  // A message of 8 MB is taken, and one byte more is refused from its length, before the body is sent.
  const most = 8 * 1024 * 1024;
  expect((await post(PING.padEnd(most))).status).toBe(200);
  expect(await statusOf(`${url}/mcp`, { ...headers, 'Content-Length': String(most + 1) })).toBe(413);
  expect(await statusOf(`${url}/mcp`, { ...headers, 'Transfer-Encoding': 'chunked' })).toBe(411);
});

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const long = request(url, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      long.destroy();
    });
    long.once('error', reject);
    long.flushHeaders();
  });
}

describe('lines', () => {
  // contract: mcp.stdio.1, fixed.6
  test('may be as long as 8 MB, in pieces, and longer ones are refused without ending the session', async () => {
    const lines = new Lines();
    const most = 8 * 1024 * 1024;
    lines.say(PING.padEnd(most));
    await lines.has(1);
    lines.say(PING.padEnd(most + 1));
    await lines.has(2);
    for (const byte of Buffer.from(`\r\n  \n${PING}\r\n`)) {
      lines.child.stdin.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await lines.has(3);
    expect(lines.answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32600],
      [1, undefined],
    ]);
  });

  test('requests sent before the input ended are answered, directly and through the socket', async () => {
    const first = new Lines();
    first.say(PING);
    await first.has(1);
    for (const lines of [new Lines(), first]) {
      lines.out = '';
      lines.child.stdin.end(
        [
          call(1, 'fork', { name: `f${lines === first}` }),
          call(2, 'sql', { sql: 'SELECT count(*) FROM generate_series(1, 100000)' }),
          call(3, 'branches', {}),
        ].join('\n'),
      );
      expect(await lines.exited).toBe(0);
      expect(lines.answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    }
  });

  test('many at once are all answered', async () => {
    const lines = new Lines();
    const ids = Array.from({ length: 500 }, (_, i) => i + 1);
    lines.say(...ids.map((id) => call(id, 'sql', { sql: `SELECT ${id} AS n` })));
    await lines.has(500);
    expect(lines.answers.map(({ id }) => id as number).sort((a, b) => a - b)).toEqual(ids);
  });
});

describe('stdout holds protocol messages only', () => {
  const inject = (code: string): Record<string, string> => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });
  const NOISE = `setInterval(() => { console.log('noise'); console.info('noise'); process.stdout.write('noise'); process.emitWarning('noise'); }, 20).unref();`;

  // contract: mcp.stdio.1
  test('while libraries print and warn', async () => {
    const lines = new Lines(inject(`setTimeout(() => { ${NOISE} }, 300).unref();`));
    lines.say(PING);
    await lines.has(1);
    // As long as the noise lasts, some of it is lost.
    await expect.poll(() => lines.errors.includes('noise'), { timeout: 20_000 }).toBe(true);
    lines.say(call(2, 'branches', {}));
    await lines.has(2);
    expect(lines.out).not.toContain('noise');
    lines.child.stdin.end();
    expect(await lines.exited).toBe(0);
  });

  test.each([
    ['an uncaught exception', `setTimeout(() => { throw new Error('bang'); }, 1500);`],
    ['an unhandled rejection', `setTimeout(() => { Promise.reject(new Error('bang')); }, 1500);`],
  ])('also at %s, which ends the process with 1', async (_name, code) => {
    const lines = new Lines(inject(code));
    lines.say(PING, call(2, 'fork', { name: 'kept' }));
    expect(await lines.exited).toBe(1);
    expect(lines.errors).toContain('bang');
    expect(lines.answers.every(({ id }) => id === 1 || id === 2)).toBe(true);
    // What was acknowledged is there.
    if (lines.answers.some(({ id }) => id === 2)) {
      const db = await open(folder);
      expect((await db.branches()).branches.map(({ name }) => name)).toContain('kept');
      await db.close();
    }
  });

  test('and a client that stops reading ends it without a word', async () => {
    const lines = new Lines();
    lines.say(PING);
    await lines.has(1);
    lines.child.stdout.destroy();
    lines.say(call(2, 'branches', {}), call(3, 'branches', {}));
    expect(await lines.exited).toBe(0);
    expect(lines.errors).toBe('');
    const db = await open(folder);
    await db.close();
  });
});
