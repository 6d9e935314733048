import { afterAll, afterEach, beforeAll, beforeEach, describe as group, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import {
  bind,
  close,
  describe,
  errorOf,
  execute,
  FLUSH,
  fields,
  frame,
  int16,
  int32,
  parse,
  rows,
  startup,
  status,
  SYNC,
  tags,
  types,
  WireClient,
} from './wire-client.ts';

let served: Served;
let client: WireClient;
let n = 0;
/** A table of its own for each test. */
let table: string;

beforeAll(async () => {
  served = await serve({ copyIdleMs: 300 });
});
afterAll(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});
beforeEach(async () => {
  client = await WireClient.login(served.port);
  table = `t${++n}`;
  await client.query(`CREATE TABLE ${table} (a int PRIMARY KEY, b text)`);
});
afterEach(() => client.quit());

group('simple queries', () => {
  test('columns name the table and column that they come from, as in Postgres', async () => {
    await client.query(`INSERT INTO ${table} VALUES (1, 'x')`);
    const [[oid]] = rows(await client.query(`SELECT '${table}'::regclass::oid`));
    const origins = async (sql: string): Promise<string> => {
      const description = (await client.query(sql)).find(({ type }) => type === 'T')!.body;
      const out: string[] = [];
      for (let at = 2, left = description.readInt16BE(0); left > 0; left--) {
        at = description.indexOf(0, at) + 1;
        const from = String(description.readUInt32BE(at));
        out.push(from === '0' ? '-' : from === oid ? String(description.readInt16BE(at + 4)) : '?');
        at += 18;
      }
      return out.join(' ');
    };
    for (const [sql, expected] of [
      [`INSERT INTO ${table} VALUES (2, 'y') RETURNING b, a, a + 1`, '2 1 -'],
      [`INSERT INTO ${table} VALUES (2, 'y') ON CONFLICT (a) DO UPDATE SET b = excluded.b RETURNING *`, '1 2'],
      [`UPDATE ${table} SET b = 'z' RETURNING ${table}.b, a`, '2 1'],
      [`MERGE INTO ${table} USING (VALUES (2)) s (i) ON a = i WHEN MATCHED THEN UPDATE SET b = 'm' RETURNING b, i`, '2 -'],
      [`DELETE FROM ${table} WHERE a = 2 RETURNING *`, '1 2'],
      [`WITH x AS (SELECT b, a FROM ${table}) SELECT a, b FROM x`, '1 2'],
      [`WITH x AS (INSERT INTO ${table} VALUES (3, 'y') RETURNING *) SELECT * FROM x`, '1 2'],
      [`WITH RECURSIVE x AS (SELECT a FROM ${table} UNION ALL SELECT a + 1 FROM x WHERE a < 0) SELECT a FROM x`, '-'],
      [`SELECT s.b FROM (SELECT * FROM ${table}) s`, '2'],
      [`SELECT b, count(*) FROM ${table} GROUP BY b`, '2 -'],
      [`SELECT a FROM ${table} UNION SELECT a FROM ${table}`, '-'],
      [`SELECT a FROM ${table} x FULL JOIN ${table} y USING (a)`, '-'],
    ]) {
      expect(await origins(sql), sql).toBe(expected);
    }
  });

  test('several statements are one transaction', async () => {
    const messages = await client.query(`INSERT INTO ${table} VALUES (1, 'x'); SELECT a, b FROM ${table}; SELECT 1/0; SELECT 2`);
    expect(types(messages)).toMatch(/^CTDCT?EZ$/);
    expect(tags(messages)).toEqual(['INSERT 0 1', 'SELECT 1']);
    expect(errorOf(messages)['C']).toBe('22012');
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
  });

  test('what fails when it is committed has no tag', async () => {
    await client.query(`CREATE TABLE ${table}_ref (a int REFERENCES ${table} DEFERRABLE INITIALLY DEFERRED)`);
    client.send(frame('Q', `COPY ${table}_ref FROM STDIN`));
    await client.until('G');
    expect(types(await client.run(frame('d', Buffer.from('7\n')), frame('c')))).toBe('EZ');
    expect(types(await client.query(`INSERT INTO ${table}_ref VALUES (7)`))).toBe('EZ');
    const list = await client.query(`SELECT 1; INSERT INTO ${table}_ref VALUES (7)`);
    expect(tags(list)).toEqual(['SELECT 1']);
    expect(errorOf(list)['C']).toBe('23503');
    // A message of a trigger that fires at the commit stays.
    await client.query(`
      CREATE FUNCTION ${table}_says() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'late'; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER a AFTER INSERT ON ${table}_ref DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${table}_says()`);
    const late = await client.query(`SELECT 1; INSERT INTO ${table}_ref VALUES (7)`);
    expect(tags(late)).toEqual(['SELECT 1']);
    expect(types(late)).toMatch(/^TDCN?E?Z$/);
    expect(errorOf(late)['C']).toBe('23503');
  });

  test('an error of syntax stops the list before its first statement', async () => {
    expect(types(await client.query(`INSERT INTO ${table} VALUES (1, 'x'); SELEC 1`))).toBe('EZ');
  });

  test('there are no parameters', async () => {
    expect(errorOf(await client.query('SELECT 1 + $1'))).toMatchObject({ C: '42P02', M: 'there is no parameter $1', P: '12' });
  });

  test('an empty text has an answer of its own', async () => {
    expect(types(await client.query(''))).toBe('IZ');
    expect(types(await client.query(' ; -- nothing\n'))).toBe('IZ');
  });

  test('states: idle, in a transaction, failed', async () => {
    expect(status(await client.query('BEGIN'))).toBe('T');
    expect(status(await client.query('SELECT 1'))).toBe('T');
    expect(status(await client.query('SELECT 1/0'))).toBe('E');
    const refused = await client.query('SELECT 1');
    expect(errorOf(refused)['C']).toBe('25P02');
    expect(status(refused)).toBe('E');
    const ended = await client.query('COMMIT');
    expect(tags(ended)).toEqual(['ROLLBACK']);
    expect(status(ended)).toBe('I');
  });

  test('notices come before the tag', async () => {
    const messages = await client.query('DROP TABLE IF EXISTS nothing');
    expect(types(messages)).toBe('NCZ');
    expect(fields(messages[0])).toMatchObject({ S: 'NOTICE', C: '00000', M: 'table "nothing" does not exist, skipping' });
    await client.query("SET client_min_messages = 'warning'");
    expect(types(await client.query('DROP TABLE IF EXISTS nothing'))).toBe('CZ');
    expect(types(await client.query('COMMIT'))).toBe('NCZ');
  });

  test('an error names its constraint', async () => {
    await client.query(`INSERT INTO ${table} VALUES (1, 'x')`);
    expect(errorOf(await client.query(`INSERT INTO ${table} VALUES (1, 'y')`))).toMatchObject({
      S: 'ERROR',
      C: '23505',
      D: 'Key (a)=(1) already exists.',
      s: 'public',
      t: table,
      n: `${table}_pkey`,
    });
  });

  test('changed settings are reported', async () => {
    const messages = await client.query("SET timezone = 'Europe/Oslo'");
    expect(types(messages)).toBe('CSZ');
    expect(messages[1].body.toString()).toBe('TimeZone\0Europe/Oslo\0');
    const rolledBack = await client.query("BEGIN; SET application_name = 'me'; ROLLBACK");
    expect(types(rolledBack)).toBe('CCCZ');
  });

  test('bytes that are no UTF-8 are refused', async () => {
    const messages = await client.run(frame('Q', Buffer.from("SELECT '\xff'\0", 'latin1')));
    expect(errorOf(messages)['C']).toBe('22021');
  });
});

group('extended queries', () => {
  test('a description names table and attribute of plain columns', async () => {
    const [described] = await client.query(`SELECT b, a + 1 AS c, x.a FROM ${table} x ORDER BY 1 LIMIT 1`);
    const [[oid]] = rows(await client.query(`SELECT '${table}'::regclass::oid`));
    const found: [number, number, number][] = [];
    const { body } = described;
    for (let at = 2; at < body.length; at += 18) {
      at = body.indexOf(0, at) + 1;
      found.push([body.readUInt32BE(at), body.readInt16BE(at + 4), body.readUInt32BE(at + 6)]);
    }
    expect(found).toEqual([
      [Number(oid), 2, 25],
      [0, 0, 23],
      [Number(oid), 1, 23],
    ]);
  });

  test('parse, describe, bind, execute', async () => {
    await client.query(`INSERT INTO ${table} VALUES (1, 'one'), (2, 'two')`);
    const messages = await client.run(
      parse('s', `SELECT b, a FROM ${table} WHERE a = $1`),
      describe('S', 's'),
      bind('', 's', ['2']),
      describe('P', ''),
      execute(''),
      SYNC,
    );
    expect(types(messages)).toBe('1tT2TDCZ');
    expect(messages[1].body.readInt16BE(0)).toBe(1);
    expect(messages[1].body.readInt32BE(2)).toBe(23);
    expect(rows(messages)).toEqual([['two', '2']]);
    expect(tags(messages)).toEqual(['SELECT 1']);
  });

  test('a row limit suspends the portal', async () => {
    const messages = await client.run(
      parse('', 'SELECT generate_series(1, 5)'),
      bind('p', '', []),
      execute('p', 2),
      execute('p', 2),
      execute('p', 2),
      execute('p', 2),
      SYNC,
    );
    expect(types(messages)).toBe('12DDsDDsDCCZ');
    expect(tags(messages)).toEqual(['SELECT 1', 'SELECT 0']);
  });

  test('a portal keeps what it saw while others write', async () => {
    await client.query(`INSERT INTO ${table} SELECT g, 'old' FROM generate_series(1, 3000) g`);
    await client.query('BEGIN');
    const first = client.run(parse('', `SELECT b FROM ${table}`), bind('p', '', []), execute('p', 10), SYNC);
    expect(types(await first)).toBe(`12${'D'.repeat(10)}sZ`);
    const other = await WireClient.login(served.port);
    await other.query(`UPDATE ${table} SET b = 'new'`);
    const rest = await client.run(execute('p'), SYNC);
    expect(rows(rest).length).toBe(2990);
    expect(new Set(rows(rest).map(([b]) => b))).toEqual(new Set(['old']));
    await client.query('COMMIT');
    expect(errorOf(await client.run(execute('p'), SYNC))['C']).toBe('34000');
    other.quit();
  });

  test('what a limited INSERT … RETURNING does not give is inserted all the same', async () => {
    const messages = await client.run(
      parse('', `INSERT INTO ${table} SELECT g FROM generate_series(1, 5) g RETURNING a`),
      bind('', '', []),
      execute('', 2),
      SYNC,
    );
    expect(types(messages)).toBe('12DDsZ');
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['5']]);
  });

  test('after an error everything up to Sync is skipped, and what came before is undone', async () => {
    const messages = await client.run(
      parse('', `INSERT INTO ${table} VALUES (1, 'x')`),
      bind('', '', []),
      execute(''),
      parse('', 'SELECT 1 / g FROM generate_series(0, 0) g'),
      bind('', '', []),
      execute(''),
      parse('', `INSERT INTO ${table} VALUES (2, 'x')`),
      bind('', '', []),
      execute(''),
      SYNC,
    );
    expect(types(messages)).toBe('12C12EZ');
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
  });

  test('parameters in binary, results in binary', async () => {
    const eight = Buffer.alloc(8);
    eight.writeDoubleBE(2.5);
    const messages = await client.run(
      parse('', 'SELECT $1 + 1, $2 * 2, $3 || $4, $5', 23, 701, 25, 25, 17),
      bind('', '', [int32(41), eight, Buffer.from('a'), 'b', Buffer.from([0, 255])], [1]),
      execute(''),
      SYNC,
    );
    expect(types(messages)).toBe('12DCZ');
    const { body } = messages[2];
    expect(body.subarray(0, 10)).toEqual(Buffer.concat([int16(4), int32(4), int32(42)]));
    expect(body.readDoubleBE(14)).toBe(5);
    expect(body.toString('latin1', 22)).toBe(`\0\0\0\u0002ab\0\0\0\u0002\0\u00ff`);
  });

  test('nulls go both ways', async () => {
    expect(rows(await client.run(parse('', 'SELECT $1::int IS NULL, $1::int'), bind('', '', [null]), execute(''), SYNC))).toEqual([['t', null]]);
  });

  test.each([
    ['an unknown statement', [bind('', 'none', [])], '26000'],
    ['an unknown portal', [execute('none')], '34000'],
    ['too few parameters', [parse('', 'SELECT $1::int'), bind('', '', [])], '08P01'],
    ['two statements', [parse('', 'SELECT 1; SELECT 2')], '42601'],
    ['a statement twice', [parse('twice', 'SELECT 1'), parse('twice', 'SELECT 1')], '42P05'],
    ['a portal twice', [parse('', 'SELECT 1'), bind('p', '', []), bind('p', '', [])], '42P03'],
    ['a value that is none', [parse('', 'SELECT $1::int'), bind('', '', ['x'])], '22P02'],
    ['binary of the wrong length', [parse('', 'SELECT $1::int'), bind('', '', [Buffer.from([1, 2])])], '08P01'],
    ['an unknown type', [parse('', 'SELECT $1', 99999)], '42704'],
    ['a describe of nothing', [frame('D', Buffer.from('X'), '')], '08P01'],
    ['a body that ends early', [frame('B', '')], '08P01'],
    ['a body with extra bytes', [frame('C', Buffer.from('S'), 'x', 5)], '08P01'],
  ])('%s is refused, and the connection continues', async (_what, messages, code) => {
    expect(errorOf(await client.run(...messages, SYNC))).toMatchObject({ S: 'ERROR', C: code });
    expect(types(await client.query('SELECT 1'))).toBe('TDCZ');
  });

  test('statements that are no queries', async () => {
    const run = async (sql: string): Promise<string> => types(await client.run(parse('', sql), bind('', '', []), describe('P', ''), execute(''), SYNC));
    expect(await run('SHOW timezone')).toBe('12TDCZ');
    expect(await run('BEGIN')).toBe('12nCZ');
    expect(await run(`INSERT INTO ${table} VALUES (1, 'x')`)).toBe('12nCZ');
    expect(await run('COMMIT')).toBe('12nCZ');
    expect(await run('SHOW WORLDS')).toBe('12TDCZ');
    expect(await run('')).toBe('12nIZ');
    expect(await run('PREPARE q AS SELECT 7')).toBe('12nCZ');
    expect(await run('EXECUTE q')).toBe('12TDCZ');
    expect(types(await client.run(bind('', 'q', []), execute(''), close('S', 'q'), SYNC))).toBe('2DC3Z');
    expect(errorOf(await client.query('EXECUTE q'))['C']).toBe('26000');
  });

  test('a prepared statement follows its table, unless its columns change', async () => {
    await client.run(parse('all', `SELECT * FROM ${table}`), parse('one', `SELECT a FROM ${table}`), SYNC);
    await client.query(`ALTER TABLE ${table} ADD COLUMN c int`);
    expect(errorOf(await client.run(bind('', 'all', []), execute(''), SYNC))).toMatchObject({ C: '0A000', M: 'cached plan must not change result type' });
    expect(types(await client.run(bind('', 'one', []), execute(''), SYNC))).toBe('2CZ');
  });

  test('Flush sends what is written before Sync', async () => {
    client.send(parse('', 'SELECT 1'), FLUSH);
    expect(types(await client.until('1'))).toBe('1');
    client.send(bind('', '', []), execute(''), FLUSH);
    expect(types(await client.until('C'))).toBe('2DC');
    expect(types(await client.run(SYNC))).toBe('Z');
  });

  test('the function call protocol knows functions by their numbers', async () => {
    expect(errorOf(await client.run(frame('F', Buffer.alloc(10))))).toMatchObject({ C: '42883', M: 'function with OID 0 does not exist' });
  });

  test('an unknown message ends the connection', async () => {
    client.send(frame('!'));
    expect(errorOf(await client.end())).toMatchObject({ S: 'FATAL', C: '08P01' });
  });
});

group('messages', () => {
  test('come in pieces of any size', async () => {
    const conversation = Buffer.concat([
      frame('Q', `INSERT INTO ${table} VALUES (1, 'ünï'); SELECT * FROM ${table}`),
      parse('s', `SELECT b FROM ${table} WHERE a = $1`),
      bind('', 's', ['1']),
      describe('P', ''),
      execute(''),
      SYNC,
      frame('Q', `DELETE FROM ${table}`),
    ]);
    const whole = async (send: (bytes: Buffer) => Promise<void>): Promise<string> => {
      const own = await WireClient.login(served.port);
      await send.call(own, conversation);
      const messages = [...(await own.until('Z')), ...(await own.until('Z')), ...(await own.until('Z'))];
      own.quit();
      return messages.map(({ type, body }) => type + body.toString('hex')).join();
    };
    const expected = await whole(async function (this: WireClient, bytes) {
      this.send(bytes);
    } as (bytes: Buffer) => Promise<void>);
    expect(expected).toContain(Buffer.from('ünï').toString('hex'));
    for (const size of [1, 2, 3, 7, 50]) {
      const split = await whole(async function (this: WireClient, bytes: Buffer) {
        for (let at = 0; at < bytes.length; at += size) {
          this.socket.write(bytes.subarray(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } as (bytes: Buffer) => Promise<void>);
      expect(split).toBe(expected);
    }
  });

  // contract: fixed.3, error.54000
  test('past 64 MB are dropped and answered 54000', async () => {
    const size = 64 * 1024 * 1024 + 10;
    const head = Buffer.alloc(5);
    head.write('Q');
    head.writeInt32BE(size + 4, 1);
    client.send(head);
    const piece = Buffer.alloc(1024 * 1024, 32);
    for (let left = size; left > 0; left -= piece.length) client.socket.write(piece.subarray(0, Math.min(left, piece.length)));
    const messages = await client.until('Z');
    expect(errorOf(messages)['C']).toBe('54000');
    expect(types(await client.query('SELECT 1'))).toBe('TDCZ');
  });

  // contract: fixed.3, error.08P01
  test('past 1 GB end the connection', async () => {
    const head = Buffer.alloc(5);
    head.write('Q');
    head.writeInt32BE(0x7fffffff, 1);
    client.send(head);
    expect(errorOf(await client.end())).toMatchObject({ S: 'FATAL', C: '08P01' });
  });
});

group('COPY', () => {
  const data = (chunk: string): Buffer => frame('d', Buffer.from(chunk));

  test('in and out, as text and csv', async () => {
    client.send(frame('Q', `COPY ${table} FROM STDIN`));
    expect(types(await client.until('G'))).toBe('G');
    // Lines may be cut anywhere.
    expect(tags(await client.run(data('1\ton'), data('e\n2\t\\N\n'), data('3\ttab\\there'), frame('c')))).toEqual(['COPY 3']);
    const out = await client.query(`COPY ${table} TO STDOUT`);
    expect(types(out)).toBe('HdddcCZ');
    expect(out.filter(({ type }) => type === 'd').map(({ body }) => body.toString())).toEqual(['1\tone\n', '2\t\\N\n', '3\ttab\\there\n']);
    const csv = await client.query(`COPY (SELECT b, a FROM ${table} WHERE a <> 2) TO STDOUT (FORMAT csv, HEADER)`);
    expect(
      csv
        .filter(({ type }) => type === 'd')
        .map(({ body }) => body.toString())
        .join(''),
    ).toBe('b,a\none,1\ntab\there,3\n');
  });

  test('binary goes out and in again', async () => {
    await client.query(`INSERT INTO ${table} VALUES (1, 'one'), (2, NULL)`);
    const out = await client.query(`COPY ${table} TO STDOUT (FORMAT binary)`);
    const bytes = Buffer.concat(out.filter(({ type }) => type === 'd').map(({ body }) => body));
    await client.query(`DELETE FROM ${table}`);
    client.send(frame('Q', `COPY ${table} FROM STDIN (FORMAT binary)`));
    await client.until('G');
    expect(tags(await client.run(frame('d', bytes), frame('c')))).toEqual(['COPY 2']);
    expect(rows(await client.query(`SELECT * FROM ${table} ORDER BY a`))).toEqual([
      ['1', 'one'],
      ['2', null],
    ]);
  });

  test('a failure undoes it, and what still comes is ignored', async () => {
    client.send(frame('Q', `COPY ${table} FROM STDIN`));
    await client.until('G');
    const failed = await client.run(data('1\tx\nnone\ty\n'), data('3\tz\n'), frame('c'));
    expect(errorOf(failed)).toMatchObject({ C: '22P02', W: `COPY ${table}, line 2, column a: "none"` });
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
    client.send(frame('Q', `COPY ${table} FROM STDIN`));
    await client.until('G');
    expect(errorOf(await client.run(data('1\tx\n'), frame('f', 'enough')))).toMatchObject({ C: '57014', M: 'COPY from stdin failed: enough' });
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
  });

  test('defaults, checks and lists of columns hold', async () => {
    await client.query(
      `CREATE TABLE c${table} (id int GENERATED ALWAYS AS IDENTITY, v int CHECK (v > 0), d text DEFAULT 'none', w int GENERATED ALWAYS AS (v * 2) STORED)`,
    );
    client.send(frame('Q', `COPY c${table} (v) FROM STDIN`));
    await client.until('G');
    expect(tags(await client.run(data('1\n2\n'), frame('c')))).toEqual(['COPY 2']);
    expect(rows(await client.query(`SELECT * FROM c${table} ORDER BY id`))).toEqual([
      ['1', '1', 'none', '2'],
      ['2', '2', 'none', '4'],
    ]);
    client.send(frame('Q', `COPY c${table} (v) FROM STDIN`));
    await client.until('G');
    expect(errorOf(await client.run(data('3\n0\n'), frame('c')))['C']).toBe('23514');
  });

  test('by the extended protocol', async () => {
    client.send(parse('', `COPY ${table} FROM STDIN`), bind('', '', []), describe('P', ''), execute(''), SYNC);
    expect(types(await client.until('G'))).toBe('12nG');
    const done = await client.run(data('7\tx\n'), frame('c'), SYNC);
    expect(types(done)).toBe('CZ');
    expect(types(await client.run(parse('', `COPY ${table} TO STDOUT`), bind('', '', []), execute(''), SYNC))).toBe('12HdcCZ');
  });

  test('is cancelled while it waits for data', async () => {
    const own = await WireClient.open(served.port);
    own.socket.write(startup({ user: 'ann', database: 'main' }));
    const key = (await own.until('Z')).find(({ type }) => type === 'K')!.body;
    own.send(frame('Q', `COPY ${table} FROM STDIN`));
    await own.until('G');
    const cancel = await WireClient.open(served.port);
    cancel.socket.write(Buffer.concat([int32(16), int32(80877102), key]));
    expect(errorOf(await own.until('Z'))['C']).toBe('57014');
    own.quit();
  });

  // contract: limit.SVC_COPY_IDLE
  test('a client that sends nothing is dropped', async () => {
    client.send(frame('Q', `COPY ${table} FROM STDIN`), data('1\tx\n'));
    expect(errorOf(await client.end())).toMatchObject({ S: 'FATAL', C: '57P05' });
    const other = await WireClient.login(served.port);
    expect(rows(await other.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
    other.quit();
  });
});

group('notifications', () => {
  const notified = (message: { body: Buffer }): string => message.body.toString('utf8', 4);

  test('come at commit, within the world, outside of transactions', async () => {
    const other = await WireClient.login(served.port);
    await client.query('LISTEN news');
    const listening = await client.query('SELECT pg_listening_channels()');
    expect(listening.filter(({ type }) => type === 'D').map(({ body }) => body.toString('utf8', 6))).toEqual(['news']);
    const own = await client.query("NOTIFY news, 'self'");
    expect(types(own)).toBe('CAZ');
    await other.query("BEGIN; NOTIFY news, 'lost'; ROLLBACK");
    await other.query("BEGIN; NOTIFY news, 'one'; NOTIFY news, 'one'; SELECT pg_notify('news', 'two'); NOTIFY other");
    await client.query('BEGIN');
    await other.query('COMMIT');
    expect(types(await client.query('SELECT 1'))).toBe('TDCZ');
    const ended = await client.query('COMMIT');
    expect(ended.filter(({ type }) => type === 'A').map(notified)).toEqual(['news\0one\0', 'news\0two\0']);
    await other.query("NOTIFY news, 'three'");
    expect(notified((await client.until('A'))[0])).toBe('news\0three\0');
    await client.query('CREATE WORLD elsewhere');
    const away = await WireClient.login(served.port, { database: 'elsewhere' });
    await away.query("NOTIFY news, 'away'");
    await client.query('UNLISTEN *');
    await other.query("NOTIFY news, 'late'");
    expect(types(await client.query('SELECT 1'))).toBe('TDCZ');
    other.quit();
    away.quit();
  });
});

group('sessions beside one another', () => {
  test('READ COMMITTED sees what others committed, REPEATABLE READ does not, and neither sees uncommitted changes', async () => {
    const other = await WireClient.login(served.port);
    const count = async (): Promise<string | null> => rows(await client.query(`SELECT count(*) FROM ${table}`))[0][0];
    await other.query('BEGIN');
    await other.query(`INSERT INTO ${table} VALUES (1, 'x')`);
    await client.query('BEGIN');
    expect(await count()).toBe('0');
    await other.query('COMMIT');
    expect(await count()).toBe('1');
    await client.query('COMMIT');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(await count()).toBe('1');
    await other.query(`INSERT INTO ${table} VALUES (2, 'x')`);
    expect(await count()).toBe('1');
    await client.query('COMMIT');
    expect(await count()).toBe('2');
    other.quit();
  });

  test('two that change other rows of one table both commit', async () => {
    const other = await WireClient.login(served.port);
    await client.query('BEGIN');
    await client.query(`INSERT INTO ${table} VALUES (1, 'mine')`);
    await other.query(`INSERT INTO ${table} VALUES (2, 'theirs')`);
    expect(rows(await client.query(`SELECT a FROM ${table} ORDER BY a`))).toEqual([['1'], ['2']]);
    const committed = await client.query('COMMIT');
    expect(tags(committed)).toEqual(['COMMIT']);
    expect(status(committed)).toBe('I');
    expect(rows(await other.query(`SELECT a FROM ${table} ORDER BY a`))).toEqual([['1'], ['2']]);
    other.quit();
  });

  test('long writes beside short ones are run again until they fit', async () => {
    const other = await WireClient.login(served.port);
    const long = client.query(`INSERT INTO ${table} SELECT g, repeat('x', 20) FROM generate_series(1, 40000) g`);
    for (let i = 0; i < 5; i++) expect(tags(await other.query(`INSERT INTO ${table} VALUES (${-i - 1}, 'short')`))).toEqual(['INSERT 0 1']);
    expect(tags(await long)).toEqual(['INSERT 0 40000']);
    expect(rows(await other.query(`SELECT count(*) FROM ${table}`))).toEqual([['40005']]);
    other.quit();
  });

  test('a long statement does not keep others waiting, and is cancelled by its key', async () => {
    const own = await WireClient.open(served.port);
    own.socket.write(startup({ user: 'ann', database: 'main' }));
    const key = (await own.until('Z')).find(({ type }) => type === 'K')!.body;
    const long = own.query('SELECT count(*) FROM generate_series(1, 100000000) a');
    const begun = performance.now();
    for (let i = 0; i < 5; i++) await client.query('SELECT 1');
    expect(performance.now() - begun).toBeLessThan(2000);
    const wrong = await WireClient.open(served.port);
    wrong.socket.write(Buffer.concat([int32(16), int32(80877102), key.subarray(0, 4), Buffer.from([1, 2, 3, 4])]));
    expect(await wrong.end()).toEqual([]);
    const cancel = await WireClient.open(served.port);
    cancel.socket.write(Buffer.concat([int32(16), int32(80877102), key]));
    expect(await cancel.end()).toEqual([]);
    expect(errorOf(await long)).toMatchObject({ C: '57014', M: 'canceling statement due to user request' });
    expect(types(await own.query('SELECT 1'))).toBe('TDCZ');
    own.quit();
  });

  // contract: error.57014
  test('statement_timeout cancels', async () => {
    await client.query("SET statement_timeout = '50ms'");
    expect(errorOf(await client.query('SELECT count(*) FROM generate_series(1, 100000000) a'))).toMatchObject({
      C: '57014',
      M: 'canceling statement due to statement timeout',
    });
  });

  test('a client that does not read holds its statement, not memory', async () => {
    const slow = await WireClient.login(served.port);
    slow.socket.pause();
    slow.send(frame('Q', "SELECT repeat('x', 1000) FROM generate_series(1, 100000)"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = process.memoryUsage();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = process.memoryUsage();
    // The result has 100 MB; what waits at either end of the socket is some of it at most.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * 1024 * 1024);
    expect(types(await client.query('SELECT 1'))).toBe('TDCZ');
    let count = 0;
    slow.socket.resume();
    for (;;) {
      const messages = await slow.until(slow.messages.some(({ type }) => type === 'Z') ? 'Z' : 'D');
      count += messages.filter(({ type }) => type === 'D').length;
      if (messages.at(-1)!.type === 'Z') break;
    }
    expect(count).toBe(100_000);
    slow.quit();
  });

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const gone = await WireClient.login(served.port);
    await gone.query('BEGIN');
    await gone.query(`INSERT INTO ${table} VALUES (1, 'x')`);
    gone.send(frame('Q', 'SELECT count(*) FROM generate_series(1, 100000000) a'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const { connections } = served.server;
    gone.quit();
    for (let i = 0; i < 100 && served.server.connections >= connections; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(served.server.connections).toBe(connections - 1);
    expect(rows(await client.query(`SELECT count(*) FROM ${table}`))).toEqual([['0']]);
  });

  // contract: error.57P05, error.25P03
  test('idle sessions are ended when they ask for it', async () => {
    const idle = await WireClient.login(served.port);
    await idle.query("SET idle_session_timeout = '60ms'");
    expect(errorOf(await idle.end())).toMatchObject({ S: 'FATAL', C: '57P05' });
    const inside = await WireClient.login(served.port, { options: '-c idle_in_transaction_session_timeout=60ms' });
    await new Promise((resolve) => setTimeout(resolve, 120));
    await inside.query('BEGIN');
    expect(errorOf(await inside.end())).toMatchObject({ S: 'FATAL', C: '25P03' });
  });
});

test('a server that closes says so, and stops what runs', async () => {
  const own = await serve();
  const idle = await WireClient.login(own.port);
  const busy = await WireClient.login(own.port);
  busy.send(frame('Q', 'SELECT count(*) FROM generate_series(1, 100000000) a'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const begun = performance.now();
  await own.close();
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(errorOf(await idle.end())).toMatchObject({ S: 'FATAL', C: '57P01' });
  const ended = await busy.end();
  expect(ended.filter(({ type }) => type === 'E').map((message) => fields(message)['C'])).toContain('57P01');
});
