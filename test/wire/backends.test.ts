/** Who is connected, who may stop whom, and sleeping. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { type Served, serve } from './open-server.ts';

let served: Served;
const clients: pg.Client[] = [];

async function connect(user = 'ann', name?: string): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port: served.port, user, password: 'secret', database: 'main', application_name: name });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}
const rows = async (client: pg.Client, sql: string): Promise<unknown[][]> => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][];
const one = async (client: pg.Client, sql: string): Promise<unknown> => (await rows(client, sql))[0][0];
const until = async (look: () => Promise<boolean>): Promise<void> => {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 5));
};

beforeAll(async () => {
  served = await serve();
  const owner = await connect();
  await owner.query(
    "CREATE TABLE t (a int PRIMARY KEY); INSERT INTO t VALUES (1); CREATE ROLE bob LOGIN PASSWORD 'secret'; CREATE ROLE eve LOGIN PASSWORD 'secret'",
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  await served.close();
});

describe('pg_stat_activity', () => {
  test('shows each client, what it does and where it is', async () => {
    const idle = await connect('ann', 'a tool');
    const inside = await connect('ann', 'a worker');
    const failed = await connect();
    const pid = await one(inside, 'SELECT pg_backend_pid()');
    await idle.query('SELECT 5 AS five');
    await inside.query('BEGIN; UPDATE t SET a = 1');
    await failed.query('BEGIN');
    await expect(failed.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    const asking = await connect();
    const shown = await rows(
      asking,
      `SELECT application_name, state, query, host(client_addr), client_port > 0, xact_start IS NULL, query_start <= now(), backend_type
      FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query NOT LIKE 'CREATE%' ORDER BY backend_start`,
    );
    expect(shown).toEqual([
      ['a tool', 'idle', 'SELECT 5 AS five', '127.0.0.1', true, true, true, 'client backend'],
      ['a worker', 'idle in transaction', 'BEGIN; UPDATE t SET a = 1', '127.0.0.1', true, false, true, 'client backend'],
      ['', 'idle in transaction (aborted)', 'SELECT 1/0', '127.0.0.1', true, false, true, 'client backend'],
    ]);
    expect(await rows(asking, 'SELECT state, query LIKE $$SELECT state%$$, usename FROM pg_stat_activity WHERE pid = pg_backend_pid()')).toEqual([
      ['active', true, 'svc'],
    ]);
    expect(await rows(asking, 'SELECT host(inet_client_addr()), inet_server_port()')).toEqual([['127.0.0.1', served.port]]);
    const bob = await connect('bob');
    expect(await rows(bob, `SELECT query, state, client_addr FROM pg_stat_activity WHERE pid = ${pid}`)).toEqual([['<insufficient privilege>', null, null]]);
    for (const client of [idle, inside, failed]) await client.end();
    expect(await one(asking, 'SELECT count(*)::int FROM pg_stat_activity WHERE pid <> pg_backend_pid()')).toBe(2);
  });
});

describe('one session stops another', () => {
  test('its statement', async () => {
    const busy = await connect();
    const asking = await connect();
    const pid = await one(busy, 'SELECT pg_backend_pid()');
    const running = busy.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
    const refused = expect(running).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to user request' });
    await until(async () => (await one(asking, `SELECT state FROM pg_stat_activity WHERE pid = ${pid}`)) === 'active');
    expect(await one(asking, `SELECT pg_cancel_backend(${pid})`)).toBe(true);
    await refused;
    expect(await one(busy, 'SELECT 1')).toBe(1);
  });

  test('and its connection', async () => {
    const [idle, sleeping, asking] = [await connect(), await connect(), await connect()];
    for (const other of [idle, sleeping]) {
      const pid = await one(other, 'SELECT pg_backend_pid()');
      const gone = new Promise((resolve) => other.once('end', resolve));
      const asleep = other === sleeping ? expect(other.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57P01' }) : null;
      expect(await one(asking, `SELECT pg_terminate_backend(${pid})`)).toBe(true);
      await asleep;
      await gone;
      await until(async () => (await one(asking, `SELECT count(*)::int FROM pg_stat_activity WHERE pid = ${pid}`)) === 0);
    }
  });

  test('as far as it may', async () => {
    const [owner, bob, twin, eve] = [await connect(), await connect('bob'), await connect('bob'), await connect('eve')];
    const pidOf = (client: pg.Client): Promise<unknown> => one(client, 'SELECT pg_backend_pid()');
    await expect(eve.query(`SELECT pg_cancel_backend(${await pidOf(bob)})`)).rejects.toMatchObject({
      code: '42501',
      message: 'must be a member of the role whose query is being canceled or member of pg_signal_backend',
    });
    await expect(eve.query(`SELECT pg_terminate_backend(${await pidOf(owner)})`)).rejects.toMatchObject({
      code: '42501',
      message: 'must be a superuser to terminate superuser process',
    });
    expect(await one(twin, `SELECT pg_cancel_backend(${await pidOf(bob)})`)).toBe(true);
    const notices: string[] = [];
    owner.on('notice', ({ message }) => notices.push(message!));
    expect(await one(owner, 'SELECT pg_cancel_backend(1)')).toBe(false);
    expect(notices).toEqual(['PID 1 is not a PostgreSQL server process']);
  });
});

describe('pg_sleep', () => {
  const timed = async (client: pg.Client, sql: string): Promise<{ ms: number; rows: unknown[][] }> => {
    const begun = performance.now();
    const found = await client.query({ text: sql, rowMode: 'array' });
    const last = Array.isArray(found) ? found[found.length - 1] : found;
    return { rows: last.rows as unknown[][], ms: performance.now() - begun };
  };

  test.each([
    ['a call', 'SELECT pg_sleep(0.1), 5', 100, [['', 5]]],
    ['several in a statement', 'SELECT pg_sleep(0.05), pg_sleep(0.05)', 100, [['', '']]],
    ['one a row', 'SELECT i, pg_sleep(0.02) FROM generate_series(1, 5) i', 100, [1, 2, 3, 4, 5].map((i) => [i, ''])],
    ['an interval', "SELECT pg_sleep_for('100 milliseconds')", 100, [['']]],
    ['until a moment', "SELECT pg_sleep_until(clock_timestamp() + '0.1 s')", 0, [['']]],
    ['none', "SELECT pg_sleep(0), pg_sleep(-5), pg_sleep('NaN'), pg_sleep(NULL)", 0, [['', '', '', null]]],
    ['between statements', 'SELECT pg_sleep(0.05); SELECT pg_sleep(0.05); SELECT 1', 100, [[1]]],
    ['in DO', 'DO $$ BEGIN PERFORM pg_sleep(0.04); PERFORM pg_sleep(0.04); PERFORM pg_sleep(0.04); END $$', 120, []],
  ])('%s', async (_what, sql, least, expected) => {
    const client = await connect();
    const { ms, rows: found } = await timed(client, sql);
    expect(found).toEqual(expected);
    expect(ms).toBeGreaterThanOrEqual(least - 2);
    await client.end();
  });

  test('blocks no other session, and keeps what its transaction has written', async () => {
    const [asleep, awake] = [await connect(), await connect()];
    let done = false;
    const sleeping = asleep.query('BEGIN; INSERT INTO t VALUES (100); INSERT INTO t SELECT 101 FROM pg_sleep(1); COMMIT').then(() => (done = true));
    let count = 0;
    while (!done && count < 5) {
      expect(await one(awake, 'SELECT count(*)::int FROM t WHERE a >= 100')).toBe(0);
      count++;
    }
    expect(count).toBe(5);
    await sleeping;
    expect(await rows(awake, 'SELECT a FROM t WHERE a >= 100 ORDER BY a')).toEqual([[100], [101]]);
  });

  test('is ended by statement_timeout and by a cancel', async () => {
    const client = await connect();
    await client.query('SET statement_timeout = 50');
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to statement timeout' });
    await client.query('RESET statement_timeout');
    const pid = await one(client, 'SELECT pg_backend_pid()');
    const refused = expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to user request' });
    const asking = await connect();
    await until(async () => (await one(asking, `SELECT state FROM pg_stat_activity WHERE pid = ${pid}`)) === 'active');
    await asking.query(`SELECT pg_cancel_backend(${pid})`);
    await refused;
  });
});
