/** Values pass through a session of MCP, and HTTP, as they were written: integers beyond 2^53, decimals of any size, odd names, empty keys. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseExactJson } from '../../src/base/exact-json.ts';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { MAIN, Opened } from './clients.ts';

let folder: string;
/** Arguments as JSON text: a client of JavaScript could not send them. */
type Call = (tool: string, args: string) => Promise<{ text: string; failed: boolean }>;

class Stdio {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (message: { result: { content: { text: string }[]; isError?: boolean } }) => void>();
  #id = 0;
  #rest = '';

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [MAIN, 'mcp', folder, ...args]);
    this.#child.stdout.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString()).split('\n');
      this.#rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as { id: number };
        this.#waiting.get(message.id)?.(message as never);
      }
    });
  }

  readonly call: Call = async (tool, args) => {
    const id = ++this.#id;
    const answered = new Promise<{ result: { content: { text: string }[]; isError?: boolean } }>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}\n`);
    const { result } = await answered;
    return { text: result.content[0].text, failed: result.isError === true };
  };

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await ended;
  }
}

const TABLES = `CREATE TABLE n (id bigint PRIMARY KEY, price numeric, j jsonb);
  INSERT INTO n VALUES (9007199254740992, 7.50, '{"a": 1.50}'), (9007199254740993, 1.10, '{"a": 9007199254740993}');
  CREATE TABLE ek (k text PRIMARY KEY, v int); INSERT INTO ek VALUES ('', 1), ('a', 2);
  CREATE TABLE odd (id int PRIMARY KEY, "constructor" text, "toString" text, "__proto__" text); INSERT INTO odd VALUES (1, 'c', 't', 'p')`;

describe.each(['stdio', 'HTTP'])('over %s', (way) => {
  let call: Call;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
    if (way === 'stdio') {
      const session = new Stdio('--allow-merge');
      call = session.call;
      close = () => session.close();
    } else {
      const db = await open(folder);
      const { token } = await db.create_agent({ name: 'a', can: ['admin'] });
      await db.close();
      const opened = new Opened();
      const url = await opened.serve(folder);
      call = async (tool, args) => {
        const response = await fetch(`${url}/mcp`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
        });
        const { result } = (await response.json()) as { result: { content: { text: string }[]; isError?: boolean } };
        return { text: result.content[0].text, failed: result.isError === true };
      };
      close = () => opened.close();
    }
    await said('sql', JSON.stringify({ sql: TABLES }));
  });
  afterAll(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const said = async (tool: string, args: string): Promise<string> => {
    const { text, failed } = await call(tool, args);
    expect(failed, text).toBe(false);
    return text;
  };
  const refused = async (tool: string, args: string): Promise<string> => {
    const { text, failed } = await call(tool, args);
    expect(failed, text).toBe(true);
    return text;
  };

  test('sql: a parameter is the number that was written', async () => {
    expect(await said('sql', '{"sql":"SELECT id FROM n WHERE id = $1","params":[9007199254740993]}')).toContain('9007199254740993');
    expect(
      await said(
        'sql',
        '{"sql":"SELECT $1::numeric AS n, $2::text AS t, $3::jsonb AS j, $4::int AS i, $5::numeric[] AS a","params":[1.50,123456789012345678901234567890.10,{"a":9007199254740993.10},5.0,[1.50,12345678901234567890]]}',
      ),
    ).toContain('1.50 | 123456789012345678901234567890.10 | {"a":9007199254740993.10} | 5 | ');
    await said('sql', '{"sql":"DELETE FROM n WHERE id = $1","params":[9007199254740994]}');
    expect(await said('sql', '{"sql":"SELECT count(*) AS n FROM n"}')).toMatch(/^2 *$/m);
  });

  test('documents: put, get, find, sql, diff and merge show the same digits', async () => {
    const record =
      '{"big":9007199254740993,"dec":0.12345678901234567890123,"half":1.50,"mid":12345678.123456789012,"in":{"x":[12345678901234567890,1.10]},"large":1e300}';
    await said('put', `{"table":"docs","id":"a","record":${record}}`);
    const digits = ['9007199254740993', '0.12345678901234567890123', '12345678.123456789012', '[12345678901234567890,1.10]', '1.5'];
    for (const text of [
      await said('get', '{"table":"docs","id":"a"}'),
      await said('find', '{"table":"docs"}'),
      await said('sql', '{"sql":"SELECT * FROM docs"}'),
    ])
      for (const each of digits) expect(text).toContain(each);
    expect(await said('find', '{"table":"docs","where":{"big":9007199254740993}}')).toMatch(/^1 match/);
    expect(await said('find', '{"table":"docs","where":{"big":9007199254740992}}')).toMatch(/^0 match/);
    expect(await said('find', '{"table":"docs","where":{"half":1.50,"in":{"x":[12345678901234567890,1.1]}}}')).toMatch(/^1 match/);
    await said('fork', '{"name":"d"}');
    await said('put', `{"branch":"d","table":"docs","id":"a","record":${record.replace('40993', '40995')}}`);
    const diff = await said('diff', '{"branch":"d"}');
    expect(diff).toMatch(/big=9007199254740993 +\| big=9007199254740995/);
    // The rest is unchanged.
    expect(diff).not.toContain('dec=');
    expect((await said('merge_preview', '{"branch":"d"}')).match(/9007199254740995/g)).toHaveLength(2);
    await said('merge', '{"branch":"d"}');
    expect(await said('get', '{"table":"docs","id":"a"}')).toContain('9007199254740995');
    await said('fork', '{"name":"p"}');
    await said('put', '{"branch":"p","table":"docs","id":"a","record":{"big":1}}');
    await said('put', '{"table":"docs","id":"a","record":{"big":2}}');
    await said('merge', '{"branch":"p","rows":{"docs/a":{"big":9007199254740997}}}');
    expect(await said('get', '{"table":"docs","id":"a"}')).toContain('9007199254740997');
  });

  test('typed columns take and give them', async () => {
    await said('put', '{"table":"n","id":"7","record":{"id":7,"price":123456789012345678901234567890.120,"j":{"q":1.10}}}');
    const text = await said('get', '{"table":"n","id":"7"}');
    expect(text).toContain('"123456789012345678901234567890.120"');
    expect(text).toContain('{"q":1.10}');
    await said('put', '{"table":"n","id":"8","record":{"id":8.0,"price":2e1}}');
    expect(await said('get', '{"table":"n","id":"8"}')).toContain('"20"');
  });

  test.each([
    ['{"price":7.5}', 1],
    ['{"price":7.50}', 1],
    ['{"price":"7.5"}', 1],
    ['{"price":7.51}', 0],
    ['{"id":9007199254740993}', 1],
    ['{"id":"9007199254740993"}', 1],
    ['{"j":{"a":1.5}}', 1],
    ['{"j":{"a":9007199254740993}}', 1],
    ['{"j":{"a":9007199254740992}}', 0],
  ])('find where %s matches by value: %i', async (where, count) => {
    expect(await said('find', `{"table":"n","where":${where}}`)).toMatch(new RegExp(`^${count} match`));
  });

  test('a number where none of that size is kept is refused, not rounded', async () => {
    expect(await refused('merge', '{"branch":"x","version":9007199254740993}')).toMatch(/version.*9007199254740993/);
    expect(await refused('set_meta', '{"branch":"main","meta":{"n":{"m":9007199254740993}}}')).toMatch(/meta\.n\.m.*9007199254740993/);
    expect(await refused('put', '{"table":"docs","id":"z","record":12345678901234567890}')).toMatch(/record/);
    expect(await refused('find', '{"table":"n","where":12345678901234567890}')).toMatch(/where/);
    expect(await refused('put', '{"table":"docs","id":"z","record":{"n":1e999999}}')).toMatch(/overflows/);
    expect(await refused('get', '{"table":"n","id":9007199254740993}')).toMatch(/`id` must be string/);
    // Others are as before.
    expect(await said('find', '{"table":"n","limit":5.0}')).toMatch(/match/);
  });

  test('fields named as parts of every object are fields', async () => {
    expect(await said('find', '{"table":"odd","where":{"constructor":"c","toString":"t","__proto__":"p"}}')).toMatch(/^1 match[^]*c +\| t +\| p/);
    await said('put', '{"table":"od","id":"a","record":{"constructor":1,"toString":"x","__proto__":{"a":1}}}');
    expect(JSON.parse(await said('get', '{"table":"od","id":"a"}'))).toEqual(JSON.parse('{"constructor":1,"toString":"x","__proto__":{"a":1}}'));
    expect(await said('find', '{"table":"od","where":{"__proto__":{"a":1}}}')).toMatch(/^1 match/);
    await said('fork', '{"name":"o"}');
    await said('put', '{"branch":"o","table":"od","id":"a","record":{"constructor":2,"toString":"y","__proto__":{"a":2}}}');
    expect(await said('diff', '{"branch":"o"}')).toMatch(/__proto__=\{"a":1\} constructor=1 toString=x/);
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(await refused('find', `{"table":"docs","where":{"${name}":1}}`)).toMatch(new RegExp(`no field "${name}"`));
  });

  test('a row with the key \'\' is addressed as "table/"', async () => {
    await said('fork', '{"name":"e"}');
    await said('sql', '{"branch":"e","sql":"UPDATE ek SET v = v + 1"}');
    const first = await said('diff', '{"branch":"e","limit":1}');
    expect(first).toContain('call again with after "ek/"');
    const second = await said('diff', '{"branch":"e","after":"ek/"}');
    expect(second).toMatch(/^ek\/a /m);
    expect(second).not.toMatch(/^ek\/ /m);
    expect(await said('merge', '{"branch":"e","only_keys":["ek/"]}')).toMatch(/merged 1 changes/);
    expect(await said('merge_preview', '{"branch":"e","rows":{"ek/a":"ours","ek/":"ours"}}').catch(String)).not.toMatch(/row's key/);
  });
});

describe('HTTP operations', () => {
  let db: Database;
  let server: HttpServer;
  let base: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
    db = await open(folder);
    server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
    base = await server.listen('127.0.0.1', 0);
    await db.sql({ sql: TABLES });
  });
  afterAll(async () => {
    await server.close();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const post = async (op: string, body: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return { status: response.status, text: await response.text() };
  };

  test('keep numbers as they were written', async () => {
    expect((await post('put', '{"table":"d","id":"a","record":{"n":9007199254740993,"m":[1.50,12345678.123456789012]}}')).status).toBe(200);
    expect((await post('get', '{"table":"d","id":"a"}')).text).toContain('"row":{"n":9007199254740993,"m":[1.50,12345678.123456789012]}');
    expect((await post('batch', '{"rows":[{"table":"d","id":"b","record":{"n":-12345678901234567890}}]}')).status).toBe(200);
    expect((await post('find', '{"table":"d","where":{"n":-12345678901234567890}}')).text).toContain('"total":1');
    expect((await post('sql', '{"sql":"SELECT id FROM n WHERE id = $1","params":[9007199254740993]}')).text).toContain('9007199254740993');
    expect(await post('find', '{"table":"n","limit":9007199254740993}')).toMatchObject({ status: 400, text: expect.stringContaining('22003') });
  });

  test('a merge that is held and approved is what was given', async () => {
    await db.set_merge_policy({ name: 'few', rules: { max_rows: 0 } });
    const { agent } = await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'few' });
    const ann = db.commandsOf(db.directory.byName(agent.name)!);
    await db.put({ table: 'held', id: 'a', record: { n: 1 } });
    await ann.fork({ name: 'asked' });
    await ann.put({ branch: 'asked', table: 'held', id: 'a', record: { n: 2 } });
    await db.put({ table: 'held', id: 'a', record: { n: 3 } });
    const picks = parseExactJson('{"held/a":{"n":12345678901234567890,"m":[1.50]}}') as never;
    await expect(ann.merge({ branch: 'asked', picks })).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('waits for') as string });
    // The same again is the same request.
    await expect(ann.merge({ branch: 'asked', rows: picks })).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('waits for') as string });
    expect((await db.reviews()).reviews).toHaveLength(1);
    await db.review({ branch: 'asked', verdict: 'approve' });
    expect((await post('get', '{"table":"held","id":"a"}')).text).toContain('"row":{"n":12345678901234567890,"m":[1.50]}');
  });

  test('take the names of the tools as well, and not both', async () => {
    await db.fork({ name: 'f' });
    await db.sql({ branch: 'f', sql: 'UPDATE ek SET v = 8' });
    await db.sql({ sql: 'UPDATE ek SET v = 9' });
    expect((await post('merge', '{"branch":"f","by_columns":true,"dry_run":true}')).text).toContain('"outcome":"conflict"');
    expect(await post('merge', '{"branch":"f","by_columns":true,"columns":true}')).toMatchObject({ status: 400, text: expect.stringContaining('22023') });
    expect(await post('diff', '{"branch":"f","as_sql":true}')).toMatchObject({ status: 200, text: expect.stringContaining('UPDATE') });
    expect((await post('merge', '{"branch":"f","rows":{"ek/":"ours","ek/a":"delete"}}')).status).toBe(200);
    expect((await db.find({ table: 'ek' })).hits.map(({ id, row }) => [id, row['v']])).toEqual([['', 9]]);
    await db.fork({ name: 'g' });
    await expect(db.rebase({ branch: 'g', by_columns: true, columns: false })).rejects.toMatchObject({ code: '22023' });
    expect(await db.rebase({ branch: 'g', by_columns: true, rows: {} })).toMatchObject({ rebased: 0 });
  });

  test('two columns of one name keep both values', async () => {
    const { results } = await db.sql({ sql: 'SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a' });
    expect(results[0]).toMatchObject({ columns: ['a', 'a_2', 'a_1', 'a_3'], rows: [{ a: 1, a_2: 2, a_1: 3, a_3: 4 }] });
  });

  test('a transaction that is open at the end of the call is refused', async () => {
    for (const sql of ["BEGIN; INSERT INTO ek VALUES ('q', 1)", 'BEGIN', 'START TRANSACTION; SELECT 1', "INSERT INTO ek VALUES ('r', 1); COMMIT; BEGIN"])
      expect(await post('sql', JSON.stringify({ sql })), sql).toMatchObject({ status: 400, text: expect.stringContaining('25001') });
    expect((await db.find({ table: 'ek', where: { k: 'q' } })).total).toBe(0);
    expect((await post('sql', JSON.stringify({ sql: "BEGIN; INSERT INTO ek VALUES ('q', 1); COMMIT" }))).status).toBe(200);
  });

  test('find names what it does not know', async () => {
    expect(await post('find', '{"table":"ekk"}')).toMatchObject({ status: 400, text: expect.stringMatching(/42P01.*Did you mean \\"ek\\"/) });
    expect(await post('find', '{"table":"ek","where":{"vv":1}}')).toMatchObject({ status: 400, text: expect.stringMatching(/42703.*Did you mean \\"v\\"/) });
    expect(await post('find', '{"table":"ekk","text":"x"}')).toMatchObject({ status: 400, text: expect.stringContaining('42P01') });
    expect(await post('find', '{"table":"ek","ef":5}')).toMatchObject({ text: expect.stringContaining('22023') });
  });
});
