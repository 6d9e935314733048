/** Locks seen from sessions of one database, and from those who write without any. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CopyStreams } from '../../../src/sql/session/copy.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

let t: TestDatabase;
let a: SqlSession;
let b: SqlSession;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n SELECT g, g * 10 FROM generate_series(1, 5) g');
  a = t.db.session();
  b = t.db.session();
  // Sessions of one process: told apart by numbers of their own.
  a.system.backendPid = 101;
  b.system.backendPid = 102;
});
afterEach(async () => {
  a.close();
  b.close();
  await t.close();
});

async function values(session: SqlSession, sql: string): Promise<unknown[]> {
  return (await session.run(sql)).at(-1)!.rows.map((row) => (row.length === 1 ? row[0] : row.map(String).join(' ')));
}

/** Whether the call is answered while everything else stands still. */
async function waits(call: Promise<unknown>): Promise<boolean> {
  const state = { done: false };
  const settled = call.then(
    () => (state.done = true),
    () => (state.done = true),
  );
  for (let i = 0; i < 20 && !state.done; i++) await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 5))]);
  return !state.done;
}

describe('writers of rows without SQL', () => {
  test('a put waits for the transaction that has changed the row, others do not', async () => {
    await a.run('BEGIN; UPDATE n SET v = 11 WHERE id = 1');
    const put = t.db.put({ table: 'n', id: '1', record: { v: 1000 } });
    expect(await waits(put)).toBe(true);
    await t.db.put({ table: 'n', id: '2', record: { v: 2000 } });
    await a.run('UPDATE n SET v = v + 1 WHERE id IN (1, 2); COMMIT');
    await put;
    expect(await values(b, 'SELECT v FROM n WHERE id < 3 ORDER BY id')).toEqual([1000, 2001]);
  });

  test('documents are locked by their ids', async () => {
    await t.db.put({ table: 'doc', id: 'x', record: { n: 1 } });
    await a.run("BEGIN; UPDATE doc SET n = n + 1 WHERE id = 'x'");
    const put = t.db.batch({
      rows: [
        { table: 'doc', id: 'y', record: { n: 5 } },
        { table: 'doc', id: 'x', record: null },
      ],
    });
    expect(await waits(put)).toBe(true);
    await a.run('COMMIT');
    expect((await put).count).toBe(2);
    expect(await values(b, 'SELECT id FROM doc')).toEqual(['y']);
  });

  test('a put of a unique value whose deletion is uncommitted waits for the outcome', async () => {
    await t.run('CREATE TABLE u (id int PRIMARY KEY, e text UNIQUE); INSERT INTO u VALUES (1, $$x$$)');
    await a.run('BEGIN; DELETE FROM u');
    const put = t.db.put({ table: 'u', id: '2', record: { e: 'x' } });
    expect(await waits(put)).toBe(true);
    await a.run('COMMIT');
    await put;
    expect(await values(b, 'SELECT id, e FROM u')).toEqual(['2 x']);
  });

  test('a put does not point at a row that is about to go', async () => {
    await t.run('CREATE TABLE c (id int PRIMARY KEY, n int REFERENCES n)');
    await a.run('BEGIN; DELETE FROM n WHERE id = 5');
    const put = t.db.put({ table: 'c', id: '1', record: { n: 5 } });
    expect(await waits(put)).toBe(true);
    await a.run('COMMIT');
    await refused('23503', put);
  });

  test('who has waited is served before those who came later', async () => {
    await a.run('BEGIN; UPDATE n SET v = 0 WHERE id = 1');
    const puts = [1, 2, 3].map((v) => t.db.put({ table: 'n', id: '1', record: { v } }));
    expect(await waits(Promise.race(puts))).toBe(true);
    await a.run('COMMIT');
    await Promise.all(puts);
    expect(await values(b, 'SELECT v FROM n WHERE id = 1')).toEqual([3]);
  });
});

describe('merges and the like do not wait: the transaction finds out', () => {
  test('a merge that changes a locked row', async () => {
    await t.run('CREATE WORLD w');
    await t.run('UPDATE n SET v = 77 WHERE id = 1', 'w');
    await a.run('BEGIN; UPDATE n SET v = 11 WHERE id = 1');
    await b.run('BEGIN; UPDATE n SET v = 22 WHERE id = 2');
    await t.run('MERGE WORLD w');
    await refused('40001', a.run('SELECT 1 FROM n'));
    await a.run('ROLLBACK');
    await b.run('COMMIT');
    expect(await values(a, 'SELECT v FROM n WHERE id < 3 ORDER BY id')).toEqual([77, 22]);
  });

  test('a merge that brings a row which points at one that is about to go', async () => {
    await t.run('CREATE TABLE c (id int PRIMARY KEY, n int REFERENCES n); CREATE WORLD w');
    await t.run('INSERT INTO c VALUES (1, 5)', 'w');
    await a.run('BEGIN; DELETE FROM n WHERE id = 5');
    await t.run('MERGE WORLD w');
    await refused('40001', a.run('COMMIT'));
    expect(await values(b, 'SELECT c.id, n.id FROM c JOIN n ON n.id = c.n')).toEqual(['1 5']);
  });

  test('a merge that takes a unique value', async () => {
    await t.run('CREATE TABLE u (id int PRIMARY KEY, e text UNIQUE); CREATE WORLD w');
    await t.run('INSERT INTO u VALUES (1, $$x$$)', 'w');
    await a.run('BEGIN; INSERT INTO u VALUES (2, $$x$$)');
    await t.run('MERGE WORLD w');
    await refused('40001', a.run('COMMIT'));
    expect(await values(b, 'SELECT id FROM u')).toEqual([1]);
  });

  test('a merge that redefines a table that was written', async () => {
    await t.run('CREATE WORLD w');
    await t.run('ALTER TABLE n ADD COLUMN w int DEFAULT 3', 'w');
    await a.run('BEGIN; UPDATE n SET v = 0 WHERE id = 4');
    await t.run('MERGE WORLD w');
    await refused('40001', a.run('COMMIT'));
    expect(await values(b, 'SELECT v, w FROM n WHERE id = 4')).toEqual(['40 3']);
  });

  test('a restore', async () => {
    await t.run('CHECKPOINT before');
    await t.run('UPDATE n SET v = 1 WHERE id = 3');
    await a.run('BEGIN; UPDATE n SET v = v + 1 WHERE id = 3');
    await t.run('RESTORE WORLD main TO CHECKPOINT before');
    await refused('40001', a.run('COMMIT'));
    expect(await values(b, 'SELECT v FROM n WHERE id = 3')).toEqual([30]);
  });
});

describe('what statements see', () => {
  test('a transaction that wrote much sees what others commit, and keeps its own', async () => {
    await t.run('CREATE TABLE many (id int PRIMARY KEY, v int); CREATE INDEX ON many (v); INSERT INTO many SELECT g, 0 FROM generate_series(1, 3000) g');
    await a.run('BEGIN; UPDATE many SET v = 1 WHERE id % 3 = 0');
    for (let i = 0; i < 4; i++) {
      await b.run(`UPDATE many SET v = 2 WHERE id % 3 = 1 AND id % 4 = ${i}`);
      await b.run(`INSERT INTO many VALUES (${4000 + i}, 2)`);
      await a.run(`UPDATE many SET v = v + 1 WHERE id = ${3 * (i + 1)}`);
      expect(await values(a, 'SELECT count(*) FROM many WHERE v = 1')).toEqual([1000 - i - 1]);
      expect(await values(a, `SELECT count(*) FROM many WHERE id >= 4000`)).toEqual([i + 1]);
    }
    await a.run('SAVEPOINT s; DELETE FROM many WHERE v = 1');
    await b.run('DELETE FROM many WHERE id > 4000');
    await a.run('ROLLBACK TO s');
    await b.run('INSERT INTO many VALUES (5000, 5)');
    await a.run('COMMIT');
    expect(await values(b, 'SELECT v, count(*) FROM many GROUP BY v ORDER BY v')).toEqual(['0 1000', '1 996', '2 1005', '5 1']);
  });

  test('a long statement beside short ones counts each of them', async () => {
    await t.run('CREATE TABLE big (id int PRIMARY KEY, v int); INSERT INTO big SELECT g, 0 FROM generate_series(1, 60000) g');
    const long = a.run('UPDATE big SET v = v + 1');
    let short = 0;
    const others = (async () => {
      for (let i = 1; i <= 30; i++) {
        await b.run(`UPDATE big SET v = v + 1 WHERE id = ${i * 7}`);
        short++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all([long, others]);
    expect(short).toBe(30);
    expect(await values(b, 'SELECT sum(v) FROM big')).toEqual([60030]);
  });

  test('a repeatable read stays at its first statement, not at BEGIN', async () => {
    await a.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await b.run('UPDATE n SET v = 1 WHERE id = 1');
    expect(await values(a, 'SELECT v FROM n WHERE id = 1')).toEqual([1]);
    await b.run('UPDATE n SET v = 2 WHERE id = 1');
    expect(await values(a, 'SELECT v FROM n WHERE id = 1')).toEqual([1]);
    await a.run('UPDATE n SET v = 9 WHERE id = 2; COMMIT');
    expect(await values(b, 'SELECT v FROM n WHERE id < 3 ORDER BY id')).toEqual([2, 9]);
  });

  test('a serializable transaction that only reads is never refused, a lookup by key hinders no other key', async () => {
    await a.run('BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT sum(v) FROM n');
    await b.run('UPDATE n SET v = 1 WHERE id = 1');
    await a.run('COMMIT');
    await a.run('BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT v FROM n WHERE id = 2; UPDATE n SET v = v + 1 WHERE id = 3');
    await b.run('UPDATE n SET v = 5 WHERE id = 1');
    await a.run('COMMIT');
    await a.run('BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT v FROM n WHERE id = 2; UPDATE n SET v = v + 1 WHERE id = 3');
    await b.run('UPDATE n SET v = 5 WHERE id = 2');
    await refused('40001', a.run('COMMIT'));
    await a.run('SET default_transaction_isolation = serializable');
    await a.run('BEGIN; SELECT v FROM n WHERE v > 1000; INSERT INTO n VALUES (9, 9)');
    await b.run('INSERT INTO n VALUES (10, 2000)');
    await refused('40001', a.run('COMMIT'));
  });

  test('rows without a key and values of sequences never collide', async () => {
    await t.run('CREATE TABLE log (x int); CREATE TABLE s (id serial PRIMARY KEY, x int)');
    await a.run('BEGIN; INSERT INTO log VALUES (1); INSERT INTO s (x) VALUES (1)');
    await b.run('BEGIN; INSERT INTO log VALUES (2); INSERT INTO s (x) VALUES (2)');
    await b.run('COMMIT');
    await a.run('INSERT INTO log VALUES (3); INSERT INTO s (x) VALUES (3); COMMIT');
    expect(await values(b, 'SELECT x FROM log ORDER BY x')).toEqual([1, 2, 3]);
    expect(await values(b, 'SELECT id, x FROM s ORDER BY id')).toEqual(['1 1', '2 2', '3 3']);
  });

  test('two transactions define things side by side, and one name once', async () => {
    await a.run('BEGIN; CREATE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)');
    await b.run('BEGIN; CREATE TABLE two (id int PRIMARY KEY); INSERT INTO two VALUES (2)');
    await a.run('COMMIT');
    const second = b.run('CREATE TABLE one (id int)');
    await refused('42P07', second);
    await b.run('ROLLBACK; BEGIN; CREATE TABLE three (id int)');
    const waiting = a.run('CREATE TABLE three (id text)');
    expect(await waits(waiting)).toBe(true);
    await b.run('COMMIT');
    await refused('42P07', waiting);
  });
});

describe('waiting', () => {
  test('a deadlock reports which process waits for which', async () => {
    await a.run('BEGIN; UPDATE n SET v = 0 WHERE id = 1');
    await b.run('BEGIN; UPDATE n SET v = 0 WHERE id = 2');
    const waiting = a.run('UPDATE n SET v = 0 WHERE id = 2');
    expect(await waits(waiting)).toBe(true);
    const error = await refused('40P01', b.run('UPDATE n SET v = 0 WHERE id = 1'));
    expect(error.detail).toMatch(
      /^Process 102 waits for ShareLock on transaction \d+; blocked by process 101\.\nProcess 101 waits for ShareLock on transaction \d+; blocked by process 102\.$/,
    );
    await waiting;
    await a.run('COMMIT');
  });

  test('pg_locks and pg_blocking_pids show it', async () => {
    await a.run('BEGIN; UPDATE n SET v = 0 WHERE id = 1');
    const waiting = b.run('UPDATE n SET v = 5 WHERE id = 1');
    expect(await waits(waiting)).toBe(true);
    const locks = 'SELECT locktype, relation::regclass::text, mode, pid, granted FROM pg_locks ORDER BY pid, locktype, granted';
    expect(await values(a, locks)).toEqual([
      'relation n RowExclusiveLock 101 true',
      'transactionid null ExclusiveLock 101 true',
      'virtualxid null ExclusiveLock 101 true',
      'relation n RowExclusiveLock 102 true',
      'transactionid null ShareLock 102 false',
      'transactionid null ExclusiveLock 102 true',
      'virtualxid null ExclusiveLock 102 true',
    ]);
    expect(await values(a, 'SELECT pg_blocking_pids(102)::text, pg_blocking_pids(101)::text')).toEqual(['{101} {}']);
    await a.run('COMMIT');
    await waiting;
    expect(await values(a, 'SELECT count(*) FROM pg_locks')).toEqual([0]);
  });

  test('statement_timeout, lock_timeout and cancel end a wait, and the transaction can go back to a savepoint', async () => {
    await a.run('BEGIN; UPDATE n SET v = 0 WHERE id = 1');
    await b.run('BEGIN; SAVEPOINT s; SET LOCAL lock_timeout = 20');
    const late = await refused('55P03', b.run('UPDATE n SET v = 5 WHERE id = 1'));
    expect(late.message).toBe('canceling statement due to lock timeout');
    await b.run('ROLLBACK TO s; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 20');
    const over = await refused('57014', b.run('UPDATE n SET v = 5 WHERE id = 1'));
    expect(over.message).toBe('canceling statement due to statement timeout');
    await b.run('ROLLBACK TO s; SET LOCAL statement_timeout = 0');
    const cancelled = b.run('UPDATE n SET v = 5 WHERE id = 1');
    expect(await waits(cancelled)).toBe(true);
    b.cancel();
    await refused('57014', cancelled);
    await b.run('ROLLBACK TO s; UPDATE n SET v = 7 WHERE id = 2; COMMIT');
    await a.run('COMMIT');
    expect(await values(a, 'SELECT v FROM n WHERE id < 3 ORDER BY id')).toEqual([0, 7]);
  });

  test('a session that closes releases the sessions that wait for it', async () => {
    const gone = t.db.session();
    await gone.run('BEGIN; UPDATE n SET v = 0 WHERE id = 1; SELECT pg_advisory_lock(1)');
    const waiting = Promise.all([a.run('UPDATE n SET v = 5 WHERE id = 1'), b.run('SELECT pg_advisory_lock(1)')]);
    expect(await waits(waiting)).toBe(true);
    gone.close();
    await waiting;
    expect(await values(a, 'SELECT v FROM n WHERE id = 1')).toEqual([5]);
  });

  test('a lock for each row of a statement that has to wait is taken once', async () => {
    await a.run('SELECT pg_advisory_lock(2)');
    const waiting = b.run('SELECT pg_advisory_lock(g) FROM generate_series(1, 3) g');
    expect(await waits(waiting)).toBe(true);
    expect(await values(a, 'SELECT pg_try_advisory_lock(1)')).toEqual([false]);
    await a.run('SELECT pg_advisory_unlock(2)');
    await waiting;
    expect(await values(b, 'SELECT pg_advisory_unlock(g) FROM generate_series(1, 3) g')).toEqual([true, true, true]);
    expect(await values(b, 'SELECT pg_advisory_unlock(1)')).toEqual([false]);
    expect(await values(a, 'SELECT pg_try_advisory_lock(g) FROM generate_series(1, 3) g')).toEqual([true, true, true]);
  });

  test('very many rows lock their table', async () => {
    await t.run('CREATE TABLE wide (id int PRIMARY KEY); INSERT INTO wide SELECT g FROM generate_series(1, 60000) g');
    await a.run('BEGIN; DELETE FROM wide');
    const insert = b.run('INSERT INTO wide VALUES (7)');
    expect(await waits(insert)).toBe(true);
    expect(await values(a, "SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' AND locktype = 'relation'")).toEqual([1]);
    await a.run('COMMIT');
    await insert;
    expect(await values(a, 'SELECT id FROM wide')).toEqual([7]);
  });
});

describe('FOR UPDATE', () => {
  const REFUSED: readonly (readonly [code: string, sql: string, message: string])[] = [
    ['0A000', 'SELECT v FROM n GROUP BY v FOR UPDATE', 'FOR UPDATE is not allowed with GROUP BY clause'],
    ['0A000', 'SELECT DISTINCT v FROM n FOR SHARE', 'FOR SHARE is not allowed with DISTINCT clause'],
    ['0A000', 'SELECT sum(v) FROM n FOR NO KEY UPDATE', 'FOR NO KEY UPDATE is not allowed with aggregate functions'],
    ['0A000', 'SELECT 1 UNION SELECT 2 FOR UPDATE', 'FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT'],
    ['0A000', 'SELECT * FROM n a LEFT JOIN n b USING (id) FOR KEY SHARE', 'FOR KEY SHARE cannot be applied to the nullable side of an outer join'],
    ['42P01', 'SELECT * FROM n FOR UPDATE OF m', 'relation "m" in FOR UPDATE clause not found in FROM clause'],
    ['42P01', 'SELECT * FROM n m FOR UPDATE OF n', 'relation "n" in FOR UPDATE clause not found in FROM clause'],
    ['0A000', 'SELECT * FROM generate_series(1, 2) g FOR UPDATE OF g', 'FOR UPDATE cannot be applied to a function'],
    ['0A000', 'WITH w AS (SELECT * FROM n) SELECT * FROM w FOR UPDATE OF w', 'FOR UPDATE cannot be applied to a WITH query'],
  ];
  for (const [code, sql, message] of REFUSED) {
    test(`is refused: ${sql}`, async () => {
      expect((await refused(code, a.run(sql))).message).toBe(message);
    });
  }

  const LOCKS: readonly (readonly [sql: string, locked: readonly number[]])[] = [
    ['SELECT * FROM n WHERE id = 2 FOR UPDATE', [2]],
    ['SELECT v FROM n ORDER BY v DESC LIMIT 2 FOR UPDATE', [4, 5]],
    ['SELECT v FROM n ORDER BY id OFFSET 3 FOR UPDATE', [1, 2, 3, 4, 5]],
    ['SELECT * FROM (SELECT * FROM n WHERE id < 3) s FOR UPDATE', [1, 2]],
    ['SELECT * FROM view FOR UPDATE', [5]],
    ['WITH w AS (SELECT id FROM n WHERE id = 3 FOR UPDATE) SELECT * FROM w', [3]],
    ['SELECT (SELECT v FROM n WHERE id = 4 FOR UPDATE)', [4]],
    ['SELECT a.id FROM n a JOIN n b ON b.id = a.id + 1 WHERE a.id = 1 FOR UPDATE', [1, 2]],
    ['SELECT a.id FROM n a JOIN n b ON b.id = a.id + 1 WHERE a.id = 1 FOR UPDATE OF b', [2]],
    ['SELECT * FROM n a LEFT JOIN n b ON b.id = a.id + 100 WHERE a.id = 1 FOR UPDATE OF a', [1]],
    ['SELECT * FROM n, generate_series(1, 2) WHERE id = 1 FOR UPDATE', [1]],
    ['WITH w AS (SELECT 1 AS x) SELECT * FROM n, w WHERE id = x FOR UPDATE', [1]],
    ['SELECT count(*) FROM (SELECT 1 FROM n WHERE id > 3 FOR UPDATE) s', [4, 5]],
  ];
  for (const [sql, locked] of LOCKS) {
    test(`locks ${locked.join(', ')}: ${sql}`, async () => {
      await t.run('CREATE VIEW view AS SELECT v AS w FROM n WHERE id = 5');
      await a.run(`BEGIN; ${sql}`);
      const free = await values(b, 'SELECT id FROM n ORDER BY id FOR UPDATE SKIP LOCKED');
      expect([1, 2, 3, 4, 5].filter((id) => !free.includes(id))).toEqual(locked);
    });
  }

  test('a read-only transaction and a past state lock nothing', async () => {
    const error = await refused('25006', a.run('BEGIN READ ONLY; SELECT * FROM n FOR UPDATE'));
    expect(error.message).toBe('cannot execute SELECT FOR UPDATE in a read-only transaction');
  });
});

test('ROLLBACK TO reverts later LISTEN and NOTIFY', async () => {
  const heard: string[] = [];
  a.listener = { notified: ({ channel, payload }) => void heard.push(`${channel} ${payload}`) };
  await a.run('LISTEN kept');
  await a.run('BEGIN; LISTEN early; SAVEPOINT s; LISTEN late; NOTIFY kept, $$no$$; ROLLBACK TO s; NOTIFY kept, $$yes$$; COMMIT');
  await b.run('NOTIFY early, $$2$$; NOTIFY late, $$3$$');
  expect(heard).toEqual(['kept yes', 'early 2']);
});

describe('COPY FROM', () => {
  /** As a client sends it: whole, then its end. */
  function copy(session: SqlSession, sql: string, text: string): Promise<string> {
    const chunks: (Uint8Array | null)[] = [Buffer.from(text), null];
    session.streams = { input: () => ({ next: () => Promise.resolve(chunks.shift() ?? null) }) } as unknown as CopyStreams;
    return session.run(sql).then((results) => results[0].command);
  }

  test.each(['COPY n FROM STDIN', 'COPY n FROM STDIN WHERE id > 0', 'COPY n (v, id) FROM STDIN'])(
    '%s waits for a key whose deletion is uncommitted',
    async (sql) => {
      const text = sql.includes('(v, id)') ? '60\t6\n33\t3\n70\t7\n' : '6\t60\n3\t33\n7\t70\n';
      await a.run('BEGIN; DELETE FROM n WHERE id = 3');
      const copied = copy(b, sql, text);
      expect(await waits(copied)).toBe(true);
      await a.run('COMMIT');
      expect(await copied).toBe('COPY 3');
      expect(await values(a, 'SELECT id, v FROM n WHERE id IN (3, 6, 7) ORDER BY id')).toEqual(['3 33', '6 60', '7 70']);
    },
  );

  test('a key that was kept after all is refused, and nothing is left', async () => {
    await a.run('BEGIN; DELETE FROM n WHERE id = 3');
    const copied = copy(b, 'COPY n FROM STDIN', '6\t60\n3\t33\n7\t70\n');
    expect(await waits(copied)).toBe(true);
    await a.run('ROLLBACK');
    await refused('23505', copied);
    expect(await values(a, 'SELECT count(*) FROM n')).toEqual([5]);
  });

  test('keys of unique indexes are waited for too', async () => {
    await a.run('CREATE UNIQUE INDEX ON n (v)');
    await a.run('BEGIN; UPDATE n SET v = 31 WHERE id = 3');
    const copied = copy(b, 'COPY n FROM STDIN', '6\t60\n7\t30\n8\t80\n');
    expect(await waits(copied)).toBe(true);
    await a.run('COMMIT');
    expect(await copied).toBe('COPY 3');
    expect(await values(a, 'SELECT id FROM n WHERE v = 30')).toEqual([7]);
  });
});
