/** Connections that idle, break off or are cancelled, over the wire: what they had locked is free at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { bind, errorOf, execute, FLUSH, frame, parse, rows, SYNC, tags, WireClient } from '../../wire/wire-client.ts';

let served: Served;
let other: WireClient;
beforeAll(async () => {
  served = await serve();
  other = await WireClient.login(served.port);
  await other.query('CREATE TABLE n (id int PRIMARY KEY, v int)');
});
afterAll(async () => {
  expect(served.faults).toEqual([]);
  other.quit();
  await served.close();
});
beforeEach(async () => {
  await other.query('DELETE FROM n');
  await other.query('INSERT INTO n VALUES (1, 10), (2, 20)');
});

const value = async (): Promise<unknown> => rows(await other.query('SELECT v FROM n WHERE id = 1'))[0][0];

// contract: error.25P03
test('idle_in_transaction_session_timeout ends the connection and frees its rows', async () => {
  const idle = await WireClient.login(served.port);
  await idle.query("SET idle_in_transaction_session_timeout = '60ms'");
  await idle.query('BEGIN');
  await idle.query('UPDATE n SET v = 11 WHERE id = 1');
  const waited = await other.query('UPDATE n SET v = v + 1 WHERE id = 1');
  expect(tags(waited)).toEqual(['UPDATE 1']);
  const last = await idle.end();
  expect(errorOf(last)).toMatchObject({ S: 'FATAL', C: '25P03', M: 'terminating connection due to idle-in-transaction timeout' });
  expect(await value()).toBe('11');
});

test('idle_session_timeout ends the connection and frees its advisory locks', async () => {
  const idle = await WireClient.login(served.port);
  await idle.query('SELECT pg_advisory_lock(5)');
  await idle.query("SET idle_session_timeout = '60ms'");
  expect(rows(await other.query('SELECT pg_advisory_lock(5)'))).toEqual([['']]);
  expect(errorOf(await idle.end())).toMatchObject({ S: 'FATAL', C: '57P05', M: 'terminating connection due to idle-session timeout' });
  await other.query('SELECT pg_advisory_unlock_all()');
});

test('a connection that breaks off while it waits leaves the queue', async () => {
  const holder = await WireClient.login(served.port);
  await holder.query('BEGIN');
  await holder.query('UPDATE n SET v = 11 WHERE id = 1');
  const waiter = await WireClient.login(served.port);
  await waiter.query('BEGIN');
  await waiter.query('UPDATE n SET v = 0 WHERE id = 2');
  waiter.send(frame('Q', 'UPDATE n SET v = 0 WHERE id = 1'));
  while (rows(await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0);
  waiter.quit();
  expect(tags(await other.query('UPDATE n SET v = 21 WHERE id = 2'))).toEqual(['UPDATE 1']);
  expect(rows(await other.query('SELECT 1 FROM pg_locks WHERE NOT granted'))).toEqual([]);
  await holder.query('COMMIT');
  holder.quit();
  expect(await value()).toBe('11');
});

test('a waiting statement of the extended protocol gives its rows once', async () => {
  const holder = await WireClient.login(served.port);
  await holder.query('BEGIN');
  await holder.query('UPDATE n SET v = 11 WHERE id = 1');
  const client = await WireClient.login(served.port);
  client.send(
    parse('', 'UPDATE n SET v = v + $1 WHERE id < 3 RETURNING id, v'),
    bind('', '', ['5']),
    execute(''),
    parse('', 'SELECT id FROM n ORDER BY id FOR UPDATE'),
    bind('', '', []),
    execute('', 1),
    SYNC,
  );
  while (rows(await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0);
  await holder.query('COMMIT');
  const reply = await client.until('Z');
  expect(rows(reply)).toEqual([['1', '16'], ['2', '25'], ['1']]);
  expect(tags(reply)).toEqual(['UPDATE 2']);
  holder.quit();
  client.quit();
});

test('statements of a pipeline that wait for their Sync keep others from their rows', async () => {
  const client = await WireClient.login(served.port);
  client.send(parse('', 'UPDATE n SET v = 50 WHERE id = 1'), bind('', '', []), execute(''), FLUSH);
  await client.until('C');
  const waiting = other.query('UPDATE n SET v = v + 1 WHERE id = 1');
  const watch = await WireClient.login(served.port);
  while (rows(await watch.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0);
  client.send(SYNC);
  await client.until('Z');
  await waiting;
  expect(await value()).toBe('51');
  client.quit();
  watch.quit();
});

test('a portal that is read in parts keeps its snapshot', async () => {
  const client = await WireClient.login(served.port);
  await client.query('BEGIN');
  client.send(parse('', 'SELECT v FROM n ORDER BY id'), bind('p', '', []), execute('p', 1), FLUSH);
  await client.until('s');
  await other.query('UPDATE n SET v = v + 100');
  await client.query('UPDATE n SET v = 0 WHERE id = 2');
  client.send(execute('p', 1), SYNC);
  expect(rows(await client.until('Z'))).toEqual([['20']]);
  expect(rows(await client.query('SELECT v FROM n ORDER BY id'))).toEqual([['110'], ['0']]);
  await client.query('ROLLBACK');
  client.quit();
});

test('statement_timeout ends a wait and leaves nothing locked', async () => {
  const holder = await WireClient.login(served.port);
  await holder.query('BEGIN');
  await holder.query('UPDATE n SET v = 11 WHERE id = 1');
  const own = await WireClient.login(served.port);
  const pid = Number(rows(await own.query('SELECT pg_backend_pid()'))[0][0]);
  own.send(frame('Q', "SET statement_timeout = '50ms'"));
  await own.until('Z');
  own.send(frame('Q', 'UPDATE n SET v = 12 WHERE id = 1'));
  expect(errorOf(await own.until('Z'))).toMatchObject({ C: '57014', M: 'canceling statement due to statement timeout' });
  expect(rows(await other.query(`SELECT count(*) FROM pg_locks WHERE pid = ${pid}`))).toEqual([['0']]);
  await holder.query('ROLLBACK');
  holder.quit();
  own.quit();
});
