/** Clients that behave unusually: half-closed, silent, greedy, in bulk. The server answers what is due and keeps its memory. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectionsWithin, openFileLimit } from '../../src/storage/open-file-limit.ts';
import { type Served, serve } from './open-server.ts';
import {
  bind,
  close,
  describe as describeMessage,
  errorOf,
  execute,
  FLUSH,
  frame,
  int32,
  parse,
  rows,
  status,
  SYNC,
  tags,
  types,
  WireClient,
} from './wire-client.ts';

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
  const setup = await WireClient.login(served.port);
  await setup.query('CREATE TABLE t (id int PRIMARY KEY, v text)');
  setup.quit();
});
afterAll(async () => {
  await served.close();
  expect(served.faults).toEqual([]);
});
beforeEach(async () => {
  client = await WireClient.login(served.port);
});
afterEach(() => client.quit());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; !(await check()); i++) {
    if (i > 100) throw new Error('it never came to be');
    await pause(20);
  }
}

describe('a client that closes its side', () => {
  test('gets the answer of its query, and then the end', async () => {
    client.socket.write(frame('Q', 'SELECT count(*) FROM generate_series(1, 300000)'));
    client.socket.end();
    const messages = await client.end();
    expect(types(messages).replace(/S/g, '')).toBe('TDCZ');
    expect(rows(messages)).toEqual([['300000']]);
  });

  test('gets the answers of all that it sent', async () => {
    const messages = Array.from({ length: 3000 }, (_, i) => [parse('', `SELECT ${i}`), bind('', '', []), execute(''), SYNC]).flat();
    client.socket.write(Buffer.concat(messages));
    client.socket.end();
    const replies = await client.end();
    expect(rows(replies).map(([value]) => Number(value))).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });

  test('leaves its transaction undone', async () => {
    client.socket.write(Buffer.concat([frame('Q', 'BEGIN'), frame('Q', "INSERT INTO t VALUES (1, 'x')")]));
    client.socket.end();
    expect(tags(await client.end())).toEqual(['BEGIN', 'INSERT 0 1']);
    const other = await WireClient.login(served.port);
    expect(rows(await other.query('SELECT count(*) FROM t'))).toEqual([['0']]);
    other.quit();
  });

  test('ends its COPY, which is undone', async () => {
    client.send(frame('Q', 'COPY t FROM STDIN'));
    await client.until('G');
    client.socket.write(frame('d', Buffer.from('1\tx\n2\ty\n')));
    client.socket.end();
    expect(errorOf(await client.end())['C']).toBe('08006');
    const other = await WireClient.login(served.port);
    expect(rows(await other.query('SELECT count(*) FROM t'))).toEqual([['0']]);
    other.quit();
  });

  test('and is gone altogether cancels its query', async () => {
    const { connections } = served.server;
    client.send(frame('Q', 'SELECT count(*) FROM generate_series(1, 1000000000)'));
    await pause(30);
    client.quit();
    await eventually(() => served.server.connections === connections - 1);
  });
});

describe('after an error in an extended query', () => {
  test('simple queries and function calls are skipped up to Sync, too', async () => {
    client.send(parse('', 'SELECT nothing'), frame('Q', 'SELECT 1'), frame('F', int32(1)), frame('d', Buffer.from('x')), FLUSH, close('S', 'x'), SYNC);
    expect(types(await client.until('Z'))).toBe('EZ');
    expect(rows(await client.query('SELECT 2'))).toEqual([['2']]);
  });

  test('Terminate ends the connection, and an unknown message does', async () => {
    client.send(parse('', 'SELECT nothing'), frame('X'));
    await client.end();
    const other = await WireClient.login(served.port);
    other.send(parse('', 'SELECT nothing'), frame('y'));
    const messages = await other.end();
    expect(types(messages)).toBe('EE');
  });
});

describe('many messages at once', () => {
  test('thousands of statements in one write are answered in order', async () => {
    const count = 5000;
    client.send(...Array.from({ length: count }, (_, i) => Buffer.concat([parse('', 'SELECT $1::int + 1'), bind('', '', [String(i)]), execute('')])), SYNC);
    const messages = await client.until('Z');
    expect(rows(messages).map(([value]) => Number(value))).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  test('an error among them undoes those before it up to the last Sync', async () => {
    const insert = (id: number): Buffer => Buffer.concat([parse('', `INSERT INTO t VALUES (${id}, 'p')`), bind('', '', []), execute('')]);
    client.send(insert(10), insert(11), SYNC, insert(12), insert(11), insert(13), SYNC, insert(14), SYNC);
    expect(status(await client.until('Z'))).toBe('I');
    expect(errorOf(await client.until('Z'))['C']).toBe('23505');
    expect(types(await client.until('Z'))).toBe('12CZ');
    expect(rows(await client.query('SELECT id FROM t ORDER BY id'))).toEqual([['10'], ['11'], ['14']]);
    await client.query('TRUNCATE t');
  });

  test('unread replies do not pile up', async () => {
    const columns = Array.from({ length: 400 }, (_, i) => `${i} AS a_rather_long_name_of_column_${i}`).join(', ');
    await client.run(parse('wide', `SELECT ${columns}`), SYNC);
    client.socket.pause();
    const before = process.memoryUsage().rss;
    // Each of ten bytes is answered by twenty thousand.
    const asks = Buffer.concat(Array.from({ length: 20_000 }, () => describeMessage('S', 'wide')));
    client.send(asks, SYNC);
    await pause(700);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });
});

describe('a client that does not read a gigabyte', () => {
  const QUERY = "SELECT repeat('x', 1000), g FROM generate_series(1, 1000000) g";
  const copy = "COPY (SELECT repeat('x', 1000), g FROM generate_series(1, 1000000) g) TO STDOUT";
  test.each([
    ['of a simple query', [frame('Q', QUERY)]],
    ['of an extended query', [parse('', QUERY), bind('', '', []), describeMessage('P', ''), execute(''), SYNC]],
    ['of values in binary', [parse('', QUERY), bind('', '', [], [1]), execute(''), SYNC]],
    ['of COPY', [frame('Q', copy)]],
    ['of a hundred queries', Array.from({ length: 100 }, () => frame('Q', "SELECT repeat('x', 60000), g FROM generate_series(1, 170) g"))],
  ])('%s makes it wait, not memory grow', async (_, messages) => {
    client.socket.pause();
    const before = process.memoryUsage().rss;
    client.send(...messages);
    let most = 0;
    for (let i = 0; i < 8; i++) {
      await pause(100);
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(most).toBeLessThan(120e6);
    // Others are served meanwhile, and the world can be written.
    const other = await WireClient.login(served.port);
    expect(rows(await other.query('SELECT 1'))).toEqual([['1']]);
    other.quit();
    const { connections } = served.server;
    client.quit();
    await eventually(() => served.server.connections < connections);
  });
});

test('connections are as many as the open-file limit holds', () => {
  expect(openFileLimit()).toBeGreaterThan(0);
  expect(connectionsWithin(null, 1000, 2)).toBe(1000);
  expect(connectionsWithin(1_048_576, 1000, 2)).toBe(1000);
  expect(connectionsWithin(1024, 1000, 2)).toBe(384);
  expect(connectionsWithin(64, 1000, 2)).toBe(8);
  expect(connectionsWithin(1, 1000, 2)).toBe(1);
});
