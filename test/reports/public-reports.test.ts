/**
 * Public bug reports of databases for agents, MCP servers and servers that speak Postgres's protocol, played against this one. Each names
 * its project and number; the inputs are our own.
 */
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/commands/contract.ts';
import { Opened } from '../mcp/clients.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { bind, describe as described, execute, parse, SYNC, WireClient } from '../wire/wire-client.ts';

let served: Served;
const opened = new Opened();
const connection = (): { host: string; port: number; user: string; database: string } => ({
  host: '127.0.0.1',
  port: served.port,
  user: 'u',
  database: 'main',
});

beforeAll(async () => {
  served = await serve();
});
afterAll(async () => {
  await opened.close();
  await served.close();
});

const sql = (text: string, branch = 'main'): Promise<unknown> => served.database.sql({ sql: text, branch });

interface Side {
  readonly setUp: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Both sides change; what the merge of theirs says. */
async function merged(
  name: string,
  { setUp, ours, theirs }: Side,
  columns = true,
): Promise<{ code?: string; message: string; conflicts: readonly Record<string, Json>[] }> {
  await sql(setUp);
  await served.database.fork({ name });
  await sql(ours);
  await sql(theirs, name);
  const error = (await served.database.merge({ branch: name, columns }).then(
    () => new Error('merged'),
    (refusal: unknown) => refusal as Error,
  )) as Error & { code?: string; conflicts?: readonly Record<string, Json>[] };
  return { code: error.code, message: error.message, conflicts: error.conflicts ?? [] };
}

describe('merges', () => {
  test('dolthub/dolt 6329: a row that breaks two unique keys names both', async () => {
    const { conflicts } = await merged('d6329', {
      setUp: 'CREATE TABLE d6329 (pk int PRIMARY KEY, a int UNIQUE, b int UNIQUE)',
      ours: 'INSERT INTO d6329 VALUES (1, 2, 3)',
      theirs: 'INSERT INTO d6329 VALUES (2, 2, 3)',
    });
    expect(JSON.stringify(conflicts)).toContain('d6329_a_key');
    expect(JSON.stringify(conflicts)).toContain('d6329_b_key');
    expect((await served.database.find({ table: 'd6329' })).total).toBe(1);
  });

  test('dolthub/dolt 2596: a check made on one side meets the rows of the other', async () => {
    const refusal = await merged('d2596', {
      setUp: 'CREATE TABLE d2596 (pk int PRIMARY KEY)',
      ours: 'INSERT INTO d2596 VALUES (100)',
      theirs: 'ALTER TABLE d2596 ADD CONSTRAINT small CHECK (pk < 100); INSERT INTO d2596 VALUES (1)',
    });
    expect(refusal.message).not.toBe('merged');
    expect(JSON.stringify(refusal.conflicts)).toContain('small');
  });

  test('dolthub/dolt 3462: two columns of one row, changed on two sides, break a check together', async () => {
    const refusal = await merged('d3462', {
      setUp: 'CREATE TABLE d3462 (pk int PRIMARY KEY, a int, b int, CONSTRAINT differ CHECK (a <> b)); INSERT INTO d3462 VALUES (1, 2, 3)',
      ours: 'UPDATE d3462 SET b = 4',
      theirs: 'UPDATE d3462 SET a = 4',
    });
    expect(JSON.stringify(refusal.conflicts)).toContain('differ');
    expect((await served.database.get({ table: 'd3462', id: '1' })).row).toEqual({ pk: 1, a: 2, b: 4 });
  });

  test('dolthub/dolt 1773: a row deleted here and referenced there', async () => {
    const refusal = await merged('d1773', {
      setUp: 'CREATE TABLE human (id int PRIMARY KEY); CREATE TABLE animal (id int PRIMARY KEY, owner int REFERENCES human); INSERT INTO human VALUES (1), (2)',
      ours: 'DELETE FROM human WHERE id = 1',
      theirs: 'INSERT INTO animal VALUES (1, 1)',
    });
    expect(JSON.stringify(refusal.conflicts)).toContain('animal_owner_fkey');
    expect((await served.database.find({ table: 'animal' })).total).toBe(0);
  });

  test('dolthub/dolt 5729: an argument that a merge does not have is refused, not ignored', async () => {
    await served.database.fork({ name: 'd5729' });
    await expect(served.database.merge({ branch: 'd5729', brnach: 'other' } as never)).rejects.toMatchObject({ code: '22023' });
    expect((await served.database.branches({})).branches.map(({ name }) => name)).toContain('d5729');
  });
});

describe("Postgres's protocol", () => {
  test('dolthub/doltgresql 2362, 2347, 2348, 2360: binary results of counts, decimals, enums and jsonb', async () => {
    await sql(
      `CREATE TYPE mood2362 AS ENUM ('glad'); CREATE TABLE d2362 (n numeric(8,2), m mood2362, j jsonb, c int); INSERT INTO d2362 VALUES (12.50, 'glad', '{"a": 1}', 1)`,
    );
    const wire = await WireClient.login(served.port);
    const cells = async (text: string, values: readonly string[]): Promise<Buffer[]> => {
      write(wire, parse('', text), bind('', '', values, [1]), execute(''), SYNC);
      const row = (await wire.until('Z')).find(({ type }) => type === 'D')!;
      return cellsOf(row.body);
    };
    expect((await cells('SELECT count(*) FROM d2362 WHERE c = $1', ['7']))[0]).toEqual(Buffer.alloc(8));
    expect((await cells('SELECT count(*) FROM d2362 WHERE c = $1', ['1']))[0].readBigInt64BE()).toBe(1n);
    const [n, m, j] = await cells('SELECT n, m, j FROM d2362', []);
    // Digits of base 10,000: 12 and 5,000, weight 0, positive, scale 2.
    expect(n.toString('hex')).toBe('0002000000000002000c1388');
    expect(m.toString()).toBe('glad');
    expect(j.toString('latin1')).toBe('\x01{"a": 1}');
    wire.socket.destroy();
  });

  test('dolthub/doltgresql 2216: a long result is described once', async () => {
    const wire = await WireClient.login(served.port);
    write(wire, query('SELECT i FROM generate_series(1, 20000) i'));
    const types = (await wire.until('Z')).map(({ type }) => type);
    expect([types.filter((type) => type === 'T').length, types.filter((type) => type === 'D').length]).toEqual([1, 20_000]);
    wire.socket.destroy();
  });

  test('dolthub/doltgresql 240: SET is answered by its tag alone', async () => {
    const wire = await WireClient.login(served.port);
    write(wire, query('SET extra_float_digits = 3'));
    expect((await wire.until('Z')).map(({ type }) => type)).toEqual(['C', 'Z']);
    wire.socket.destroy();
  });

  test('electric-sql/pglite 958: after a failed Parse, ReadyForQuery comes with Sync alone', async () => {
    const wire = await WireClient.login(served.port);
    write(wire, parse('', 'SELEC 1'), described('S', ''));
    write(wire, SYNC, query('SELECT 1'));
    const first = await wire.until('Z');
    expect(first.map(({ type }) => type)).toEqual(['E', 'Z']);
    expect((await wire.until('Z')).map(({ type }) => type)).toEqual(['T', 'D', 'C', 'Z']);
    wire.socket.destroy();
  });

  test('electric-sql/pglite 1046, 977: unnamed statements of two connections do not meet', async () => {
    const pool = new Pool({ ...connection(), max: 8 });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => pool.query(i % 2 === 0 ? 'SELECT $1::int AS v' : 'SELECT $1::text AS v', [i])));
    expect(answers.map(({ rows }) => Number((rows as { v: unknown }[])[0].v))).toEqual(Array.from({ length: 200 }, (_, i) => i));
    await pool.end();
  });

  test('electric-sql/pglite 223: a parameter of no known type is a text', async () => {
    const client = new Client(connection());
    await client.connect();
    expect((await client.query({ name: 's', text: 'select $1', values: ['hello'] })).rows).toEqual([{ '?column?': 'hello' }]);
    await client.end();
  });

  test('pgdogdev/pgdog 677: an empty search_path is one', async () => {
    const client = new Client(connection());
    await client.connect();
    await client.query("SELECT pg_catalog.set_config('search_path', '', false)");
    expect((await client.query('SHOW search_path')).rows).toEqual([{ search_path: '' }]);
    await expect(client.query('SELECT * FROM d2362')).rejects.toMatchObject({ code: '42P01' });
    await client.end();
  });
});

describe('tools for models', () => {
  test('cuongtl1992/mcp-dbs 4: every array in a schema says what its items are', async () => {
    const client = await opened.beside(served.database, { kind: 'owner' });
    const { tools } = await client.listTools();
    const bare: string[] = [];
    const walk = (name: string, schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, items } = schema as { type?: unknown; items?: unknown };
      if (type === 'array' && items === undefined) bare.push(name);
      for (const [key, value] of Object.entries(schema)) walk(`${name}.${key}`, value);
    };
    for (const { name, inputSchema } of tools) walk(name, inputSchema);
    expect(bare).toEqual([]);
  });

  test.each([
    "SELECT 'ok' AS test",
    "SELECT 'ok' = 'ok'",
    'SELECT $dbx$ok$dbx$ AS test',
    "SELECT 'ok'",
    "SELECT '文字; -- no comment' AS test",
    'SELECT 1 AS "a""b"',
  ])('t8y2/dbx 5678: %s is run as it is written', async (text) => {
    const client = await opened.beside(served.database, { kind: 'owner' });
    const answer = (await client.callTool({ name: 'sql', arguments: { sql: text } })) as { isError?: boolean; content: { text: string }[] };
    expect(answer.isError ?? false, answer.content[0].text).toBe(false);
    expect(answer.content[0].text).toMatch(/ok|t\b|true|no comment|a"b/);
  });
});

function write(wire: WireClient, ...messages: readonly Buffer[]): void {
  wire.socket.write(Buffer.concat(messages));
}

function query(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q', 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The values of a DataRow. */
function cellsOf(body: Buffer): Buffer[] {
  const out: Buffer[] = [];
  for (let i = 0, at = 2; i < body.readInt16BE(0); i++) {
    const length = body.readInt32BE(at);
    out.push(body.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return out;
}
