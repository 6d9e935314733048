/** A portal that Bind made and a cursor that DECLARE made are one thing: each can be described, run on and closed as the other. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { bind, close, describe, errorOf, execute, parse, rows, SYNC, tags, types, WireClient } from './wire-client.ts';

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());
beforeEach(async () => {
  client = await WireClient.login(served.port);
  await client.query('BEGIN');
});
afterEach(() => client.quit());

test('DECLARE takes parameters and reports their types', async () => {
  const made = await client.run(
    parse('', 'DECLARE c CURSOR FOR SELECT g FROM generate_series(1, 9) g WHERE g > $1'),
    describe('S', ''),
    bind('', '', ['3']),
    execute(''),
    SYNC,
  );
  expect(types(made)).toBe('1tn2CZ');
  const parameters = made.find(({ type }) => type === 't')!.body;
  expect([parameters.readInt16BE(0), parameters.readInt32BE(2)]).toEqual([1, 23]);
  expect(rows(await client.query('FETCH 2 FROM c'))).toEqual([['4'], ['5']]);
});

test('a cursor is described, run on and closed as a portal', async () => {
  await client.query('DECLARE c CURSOR FOR SELECT g AS a FROM generate_series(1, 5) g');
  expect(types(await client.run(describe('P', 'c'), SYNC))).toBe('TZ');
  const first = await client.run(execute('c', 2), SYNC);
  expect(types(first)).toBe('DDsZ');
  expect(rows(first)).toEqual([['1'], ['2']]);
  expect(rows(await client.query('FETCH 1 FROM c'))).toEqual([['3']]);
  const rest = await client.run(execute('c'), SYNC);
  expect(rows(rest)).toEqual([['4'], ['5']]);
  expect(tags(rest)).toEqual(['SELECT 2']);
  await client.run(close('P', 'c'), SYNC);
  expect(errorOf(await client.query('FETCH 1 FROM c'))['C']).toBe('34000');
});

test('FETCH from a binary cursor gives binary values where the client names no format', async () => {
  await client.query("DECLARE c BINARY CURSOR FOR SELECT 258 AS a, 'x'::text AS b");
  const got = await client.query('FETCH 1 FROM c');
  const described = got.find(({ type }) => type === 'T')!.body;
  expect([described.readInt16BE(2 + 2 + 16), described.readInt16BE(described.length - 2)]).toEqual([1, 1]);
  expect(got.find(({ type }) => type === 'D')!.body.toString('hex')).toBe(['0002', '00000004', '00000102', '00000001', '78'].join(''));
  await client.query('MOVE BACKWARD ALL IN c');
  const asText = await client.run(parse('', 'FETCH 1 FROM c'), bind('', '', []), execute(''), SYNC);
  expect(rows(asText)).toEqual([['258', 'x']]);
});

test('FETCH and MOVE continue a portal, and Execute after them', async () => {
  await client.run(parse('', 'SELECT g FROM generate_series(1, 9) g'), bind('p', '', []), execute('p', 2), SYNC);
  expect(tags(await client.query('MOVE 3 IN p'))).toEqual(['MOVE 3']);
  expect(rows(await client.query('FETCH 1 FROM p'))).toEqual([['6']]);
  expect(rows(await client.run(execute('p', 2), SYNC))).toEqual([['7'], ['8']]);
  expect(errorOf(await client.query('FETCH BACKWARD 1 FROM p'))['C']).toBe('55000');
});

test('EXPLAIN takes parameters', async () => {
  const plan = await client.run(parse('', 'EXPLAIN ANALYZE SELECT $1::int'), bind('', '', ['3']), execute(''), SYNC);
  expect(types(plan)).toMatch(/^12D+CZ$/);
});

test('a portal computes no more rows than the client wants', async () => {
  await client.query('CREATE TABLE n AS SELECT g AS a FROM generate_series(1, 300) g; CREATE SEQUENCE s');
  const forms = [
    'SELECT 1/(i - 150) FROM generate_series(1, 300) i',
    'SELECT 1/(a - 150) FROM n',
    'SELECT 1/(a - 150) FROM n WHERE a > 0',
    'SELECT 1/(a - 150) FROM (SELECT a FROM n ORDER BY a) s',
    'SELECT 1/(a - 150) FROM n UNION ALL SELECT 1',
    'SELECT q FROM (SELECT 1/(a - 150) AS q FROM n) s',
    'SELECT 1/(v - 150) FROM unnest(array(SELECT a FROM n ORDER BY a)) v',
    'WITH w AS (SELECT a FROM n ORDER BY a) SELECT 1/(a - 150) FROM w',
  ];
  for (const sql of forms) {
    await client.query('SAVEPOINT before');
    const first = await client.run(parse('', sql), bind('p', '', []), execute('p', 100), SYNC);
    expect(types(first).includes('E') ? errorOf(first) : {}, sql).toEqual({});
    expect(rows(first).length, sql).toBe(100);
    expect(rows(await client.run(execute('p', 40), SYNC)).length, sql).toBe(40);
    const last = await client.run(execute('p'), SYNC);
    expect(rows(last).length, sql).toBeLessThanOrEqual(9);
    expect(errorOf(last)['C'], sql).toBe('22012');
    await client.query('ROLLBACK TO before');
  }
  expect(rows(await client.run(parse('', "SELECT nextval('s') FROM n"), bind('p', '', []), execute('p', 100), SYNC)).at(-1)).toEqual(['100']);
  expect(rows(await client.query("SELECT nextval('s')"))).toEqual([['101']]);
  expect(rows(await client.run(execute('p', 2), SYNC))).toEqual([['102'], ['103']]);
});

test('a portal ends with the savepoint after which it was bound', async () => {
  await client.run(parse('', 'SELECT g FROM generate_series(1, 5) g'), bind('outer', '', []), execute('outer', 1), SYNC);
  await client.query('SAVEPOINT a');
  await client.run(parse('', 'SELECT g FROM generate_series(1, 5) g'), bind('inner', '', []), execute('inner', 1), SYNC);
  await client.query('ROLLBACK TO a');
  expect(rows(await client.run(execute('outer', 1), SYNC))).toEqual([['2']]);
  expect(types(await client.run(parse('', 'SELECT 1'), bind('inner', '', []), SYNC))).toBe('12Z');
  await client.query('RELEASE a; SAVEPOINT b; ROLLBACK TO b');
  expect(errorOf(await client.run(execute('inner'), SYNC))['C']).toBe('34000');
});
