/** Rows have at most 1664 columns, and tables 1600, wherever they are made: what the protocol cannot count is refused, not sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { bind, errorOf, execute, parse, SYNC, types, WireClient } from './wire-client.ts';

const items = (count: number, item: (i: number) => string = (i) => `${i} AS c${i}`): string => Array.from({ length: count }, (_, i) => item(i)).join();
const LIST = 'target lists can have at most 1664 entries';
const TABLE = 'tables can have at most 1600 columns';

const REFUSED: readonly (readonly [sql: string, message: string])[] = [
  [`SELECT ${items(1665)}`, LIST],
  [`SELECT ${items(40_000)}`, LIST],
  [`SELECT c1 FROM (SELECT ${items(1665)}) q`, LIST],
  [`WITH q AS (SELECT ${items(1665)}) SELECT c1 FROM q`, LIST],
  [`SELECT ${items(1665)} UNION ALL SELECT ${items(1665)}`, LIST],
  [`SELECT * FROM (SELECT ${items(1000)}) a, (SELECT ${items(1000)}) b`, LIST],
  [`SELECT a.*, b.* FROM (SELECT ${items(1000)}) a JOIN (SELECT ${items(1000)}) b ON true`, LIST],
  [`SELECT 1 FROM narrow ORDER BY ${items(1665, (i) => `a + ${i}`)}`, LIST],
  [`SELECT 1 FROM narrow GROUP BY ${items(1665, (i) => `a + ${i}`)}`, LIST],
  [`VALUES (${items(1665, String)})`, LIST],
  [`SELECT EXISTS (SELECT ${items(1665)})`, LIST],
  [`INSERT INTO narrow VALUES (1, 2) RETURNING ${items(1665)}`, LIST],
  [`UPDATE narrow SET a = 1 RETURNING ${items(1665)}`, LIST],
  [`DELETE FROM narrow RETURNING ${items(1665)}`, LIST],
  [`PREPARE wide AS SELECT ${items(1665)}`, LIST],
  [`DECLARE wide CURSOR WITH HOLD FOR SELECT ${items(1665)}`, LIST],
  [`COPY (SELECT ${items(1665)}) TO STDOUT`, LIST],
  [`CREATE MATERIALIZED VIEW wide AS SELECT ${items(1665)}`, LIST],
  [`CREATE FUNCTION wide() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT ${items(1665)}; END`, LIST],
  [`SELECT ROW(${items(1665, String)})`, 'ROW expressions can have at most 1664 entries'],
  [`SELECT * FROM ROWS FROM (${items(1665, (i) => `abs(${i})`)})`, 'functions in FROM can return at most 1664 columns'],
  [`SELECT * FROM json_to_record('{}') AS x (${items(1601, (i) => `c${i} int`)})`, 'column definition lists can have at most 1600 entries'],
  [`CREATE VIEW wide AS SELECT ${items(1601)}`, TABLE],
  [`CREATE TABLE wide AS SELECT ${items(1601)}`, TABLE],
  [`SELECT ${items(1601)} INTO wide`, TABLE],
  [`CREATE TABLE wide (${items(1601, (i) => `c${i} int`)})`, TABLE],
  [`CREATE TYPE wide AS (${items(1601, (i) => `c${i} int`)})`, TABLE],
];

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
  client = await WireClient.login(served.port);
  client.patience = 60_000;
  await client.query('CREATE TABLE narrow (a int, b int)');
});
afterAll(async () => {
  client.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

test.each(REFUSED.map(([sql, message]) => [sql.slice(0, 60), sql, message] as const))('%s… is refused', async (_, sql, message) => {
  expect(errorOf(await client.query(sql))).toMatchObject({ C: '54011', M: message });
});

test('what the extended protocol asks for is refused when it is parsed', async () => {
  const reply = await client.run(parse('', `SELECT ${items(1665)}`), bind('', '', []), execute(''), SYNC);
  expect(reply.map(({ type }) => type).join('')).toBe('EZ');
  expect(errorOf(reply)).toMatchObject({ C: '54011', M: LIST });
});

test('the widest result is sent whole', async () => {
  const reply = await client.query(`SELECT ${items(1664)}`);
  expect(reply.map(({ type }) => type).join('')).toBe('TDCZ');
  expect(reply[0].body.readInt16BE(0)).toBe(1664);
  expect(reply[1].body.readInt16BE(0)).toBe(1664);
});

test('wider joins may be read in part, and the widest type takes no attribute more', async () => {
  expect(types(await client.query(`SELECT a.c1 FROM (SELECT ${items(1000)}) a, (SELECT ${items(1000)}) b`))).toBe('TDCZ');
  expect(types(await client.query(`CREATE TYPE widest AS (${items(1600, (i) => `c${i} int`)})`))).toBe('CZ');
  expect(errorOf(await client.query('ALTER TYPE widest ADD ATTRIBUTE more int'))).toMatchObject({ C: '54011', M: TABLE });
});
