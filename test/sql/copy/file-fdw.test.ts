/** Foreign tables of file_fdw: files as COPY reads them, who may, and what changes between two scans. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { TestDatabase } from '../session/open-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-foreign-'));
let t: TestDatabase;

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw; CREATE ROLE reader; CREATE ROLE maker;
    GRANT pg_read_server_files TO maker; GRANT USAGE ON FOREIGN SERVER files TO maker, reader; GRANT CREATE ON SCHEMA public TO maker, reader`);
});
beforeEach(() => vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1'));
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true });
});

async function outcome(sql: string, role: string | null = null, principal?: Principal): Promise<string> {
  const session = t.db.session({ branch: 'main', ...(principal === undefined ? {} : { principal }) });
  try {
    if (role !== null) await session.run(`SET ROLE ${role}`);
    return (await session.run(sql)).at(-1)!.command;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  } finally {
    session.close();
  }
}

test('text and csv with the options of COPY, and of columns', async () => {
  const csv = file('a.csv', 'id;name;note\n1;"a;b";\n2;\'q\';NULL\n3;;x\n');
  await t.run(`CREATE FOREIGN TABLE a (id int, name text OPTIONS (force_not_null 'true'), note text) SERVER files
    OPTIONS (filename '${csv}', format 'csv', header 'match', delimiter ';', null 'NULL')`);
  expect(await t.lines('SELECT id, name, note, note IS NULL FROM a')).toEqual(['1 a;b  false', "2 'q' null true", '3  x false']);
  file('a.csv', "id;name;note\n2;'q;''';\n3;;x\n");
  await t.run("ALTER FOREIGN TABLE a OPTIONS (SET null '', quote '''')");
  expect(await t.lines('SELECT name, note IS NULL FROM a')).toEqual(["q;' true", ' false']);
  await t.run('ALTER FOREIGN TABLE a RENAME note TO other');
  expect(await outcome('SELECT * FROM a')).toBe('22P04 column name mismatch in header line field 3: got "note", expected "other"');
  const text = file('b.txt', 'x\\ty\t1\n\\N\t2\n');
  await t.run(`CREATE FOREIGN TABLE b (t text, n numeric(4,1)) SERVER files OPTIONS (filename '${text}')`);
  expect(await t.lines('SELECT t, n FROM b')).toEqual(['x\ty 1.0', 'null 2.0']);
  const latin = file('c.txt', Buffer.from([0xe9, 10]));
  await t.run(`CREATE FOREIGN TABLE c (t text) SERVER files OPTIONS (filename '${latin}', encoding 'latin1')`);
  expect(await t.lines('SELECT * FROM c')).toEqual(['é']);
  await t.run('ALTER FOREIGN TABLE c OPTIONS (DROP encoding)');
  expect(await outcome('SELECT * FROM c')).toBe('22021 invalid byte sequence for encoding "UTF8": 0xe9');
});

test('each scan reads the file as it is then: prepared statements, views, joins, subqueries, partitions', async () => {
  const path = file('grows.csv', '1,10\n2,20\n');
  await t.run(`CREATE FOREIGN TABLE grows (k int NOT NULL, v int) SERVER files OPTIONS (filename '${path}', format 'csv');
    CREATE TABLE own (k int PRIMARY KEY, w text); INSERT INTO own VALUES (1, 'one'), (3, 'three'); CREATE VIEW over AS SELECT sum(v) FROM grows;
    CREATE TABLE parts (k int, v int) PARTITION BY RANGE (k); CREATE TABLE high PARTITION OF parts FOR VALUES FROM (100) TO (200);
    INSERT INTO parts VALUES (100, 1);
    CREATE FOREIGN TABLE low PARTITION OF parts FOR VALUES FROM (0) TO (100) SERVER files OPTIONS (filename '${path}', format 'csv')`);
  const session = t.db.session({ branch: 'main' });
  const ask = async (sql: string): Promise<unknown[][]> => (await session.run(sql)).at(-1)!.rows as unknown as unknown[][];
  await session.run('PREPARE p(int) AS SELECT count(*) FROM grows WHERE k > $1');
  await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const counts: unknown[] = [];
  for (let n = 3; n < 9; n++) {
    counts.push(JSON.stringify(await ask('EXECUTE p(0)')));
    appendFileSync(path, `${n},${n}0\n`);
  }
  await session.run('COMMIT');
  session.close();
  expect(counts.map((text) => /\d+/.exec(text as string)![0])).toEqual(['2', '3', '4', '5', '6', '7']);
  expect(await t.lines('SELECT * FROM over')).toEqual(['360']);
  expect(await t.lines('SELECT o.w, g.v FROM own o LEFT JOIN grows g USING (k) ORDER BY 1')).toEqual(['one 10', 'three 30']);
  expect(await t.lines('SELECT w FROM own WHERE k IN (SELECT k FROM grows WHERE v > 10)')).toEqual(['three']);
  expect(await t.lines('SELECT g.k, (SELECT w FROM own WHERE own.k = g.k) FROM grows g ORDER BY k DESC LIMIT 1')).toEqual(['8 null']);
  expect(await t.lines('SELECT a.k FROM grows a JOIN grows b ON b.k = a.k + 7')).toEqual(['1']);
  expect(await t.lines('SELECT v % 20 AS m, count(*), max(k) FROM grows GROUP BY 1 ORDER BY 1')).toEqual(['0 4 8', '10 4 7']);
  expect(await t.lines('SELECT tableoid::regclass, count(*), sum(v) FROM parts GROUP BY 1 ORDER BY 2')).toEqual(['high 1 1', 'low 8 360']);
  expect(await t.lines('SELECT k FROM parts WHERE k = 100 FOR UPDATE')).toEqual(['100']);
  expect(await t.lines('SELECT k FROM parts WHERE k = 3 FOR UPDATE')).toEqual(['3']);
  expect(await t.lines('SELECT k, ctid FROM grows WHERE k = 3 FOR UPDATE')).toEqual(['3 (4294967295,0)']);
  expect(await outcome('UPDATE parts SET v = 0 WHERE k = 100')).toBe('UPDATE 1');
  expect(await outcome('UPDATE parts SET v = 0')).toBe('0A000 cannot update foreign table "low"');
  expect(await outcome('INSERT INTO parts VALUES (5, 5)')).toBe('0A000 cannot insert into foreign table "low"');
  expect(await outcome('INSERT INTO parts VALUES (150, 5)')).toBe('INSERT 0 1');
  expect(await t.lines('EXPLAIN (COSTS off) SELECT k FROM grows WHERE v > 1')).toEqual([
    'Foreign Scan on grows',
    '  Filter: (v > 1)',
    `  Foreign File: ${path}`,
  ]);
  await t.run('CREATE MATERIALIZED VIEW kept AS SELECT * FROM grows; CREATE TABLE taken AS SELECT * FROM grows');
  writeFileSync(path, '');
  expect(await t.lines('SELECT (SELECT count(*) FROM grows) AS a, (SELECT count(*) FROM kept) AS b, (SELECT count(*) FROM taken) AS c')).toEqual(['0 8 8']);
  rmSync(path);
  expect(await outcome('SELECT * FROM grows')).toBe(`58P01 could not open file "${path}" for reading: No such file or directory`);
});

test("the file's texts are parsed with the types of the columns that are read", async () => {
  const path = file('bad.csv', '1,x,5\n2,y,500\n3\n');
  await t.run(`CREATE DOMAIN small AS int CHECK (VALUE < 100);
    CREATE FOREIGN TABLE bad (a int, b text, c small) SERVER files OPTIONS (filename '${path}', format 'csv')`);
  const error = await t.refused('23514', 'SELECT * FROM bad');
  expect(error.data?.['where']).toBe('COPY bad, line 2, column c: "500"');
  expect((await t.refused('22P04', 'SELECT a FROM bad')).message).toBe('missing data for column "b"');
  expect(await t.lines('SELECT a FROM bad LIMIT 1')).toEqual(['1']);
  await t.run('ALTER FOREIGN TABLE bad ADD d int GENERATED ALWAYS AS (a + 1) STORED');
  expect(await t.lines('SELECT a, d FROM bad LIMIT 1')).toEqual(['1 null']);
});

test('the scan of a long file yields and can be cancelled', async () => {
  const line = `${'x'.repeat(90)},1\n`;
  const path = file('long.csv', line.repeat(400_000));
  await t.run(`CREATE FOREIGN TABLE long (t text, n int) SERVER files OPTIONS (filename '${path}', format 'csv')`);
  let longest = 0;
  let last = performance.now();
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  expect(await t.lines('SELECT count(*), sum(n), max(length(t)) FROM long')).toEqual(['400000 400000 90']);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(longest).toBeLessThan(500);
  const session = t.db.session({ branch: 'main' });
  await session.run("SET statement_timeout = '30ms'");
  await expect(session.run('SELECT count(*) FROM long a JOIN long b ON a.t = b.t')).rejects.toMatchObject({ code: '57014' });
  session.close();
});

// contract: identity.4
test('off unless the operator allows it; never for agents and the guest', async () => {
  const path = file('secret.csv', '1\n');
  await t.run(`CREATE FOREIGN TABLE secret (a int) SERVER files OPTIONS (filename '${path}'); CREATE VIEW through AS SELECT * FROM secret;
    CREATE FUNCTION opened() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT a FROM secret'; GRANT SELECT ON secret, through TO reader`);
  await t.db.create_agent({ name: 'boss', can: ['admin'] });
  for (const principal of [GUEST, t.db.directory.byName('boss')!]) {
    for (const sql of [
      'SELECT * FROM secret',
      'SELECT * FROM through',
      'SELECT opened()',
      'COPY (SELECT * FROM secret) TO STDOUT',
      `CREATE FOREIGN TABLE mine (a int) SERVER files OPTIONS (filename '${path}')`,
      `ALTER FOREIGN TABLE secret OPTIONS (SET filename '/etc/passwd')`,
    ])
      expect(await outcome(sql, null, principal)).toMatch(/^(42501|0A000) /);
  }
  expect(await t.lines('SELECT opened()')).toEqual(['1']);
  const of = 'foreign table "secret" is not read by simulations and merge checks: its rows are of no world';
  await t.db.set_merge_check({ name: 'peeks', query: 'SELECT * FROM secret' });
  await t.run('CREATE TABLE changed (a int); CREATE WORLD draft');
  await t.run('INSERT INTO changed VALUES (1)', 'draft');
  const merged = await t.db.merge({ branch: 'draft' }).then(
    (reply) => JSON.stringify(reply),
    (error: Error) => error.message,
  );
  expect(merged).toContain(of);
  await t.run('DROP MERGE CHECK peeks');
  const [simulated] = await t.rows('SIMULATE 2 WORLDS AS seen SCRIPT $$SELECT 1$$ SCORE $$SELECT count(*) FROM secret$$');
  expect(simulated['error']).toBe(of);
  vi.stubEnv('SVC_ALLOW_SERVER_COPY', '');
  for (const sql of ['SELECT * FROM secret', 'SELECT * FROM through', 'SELECT opened()'])
    expect(await outcome(sql)).toBe('42501 reading a foreign table of the server’s files is not allowed');
});

test('who names a file and who reads it needs pg_read_server_files, who reads it SELECT on the table, too', async () => {
  const path = file('shared.csv', '7\n');
  const create = (name: string): string => `CREATE FOREIGN TABLE ${name} (a int) SERVER files OPTIONS (filename '${path}')`;
  expect(await outcome(create('refused'), 'reader')).toBe(
    '42501 only superuser or a member of the pg_read_server_files role may specify the filename option of a file_fdw foreign table',
  );
  expect(await outcome(create('shared'), 'maker')).toBe('CREATE FOREIGN TABLE');
  expect(await outcome('SELECT * FROM shared', 'reader')).toBe('42501 permission denied for foreign table shared');
  expect(await outcome('GRANT SELECT ON shared TO reader; SELECT * FROM shared', 'maker')).toBe('SELECT 1');
  await t.run(`CREATE VIEW over_shared AS SELECT * FROM shared; CREATE VIEW over_that AS SELECT * FROM over_shared WHERE a > 0;
    CREATE MATERIALIZED VIEW of_shared AS SELECT * FROM shared;
    CREATE FUNCTION in_sql() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM shared';
    CREATE FUNCTION in_plpgsql() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT a FROM shared); END $$;
    CREATE FUNCTION lent() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN RETURN (SELECT a FROM shared); END $$;
    CREATE TABLE plain (a int); GRANT ALL ON over_shared, over_that, of_shared, plain TO reader`);
  const reads = [
    'SELECT * FROM shared',
    'SELECT count(*) FROM shared',
    'SELECT * FROM over_shared',
    'SELECT * FROM over_that',
    'SELECT * FROM in_sql()',
    'SELECT in_plpgsql()',
    'SELECT 1 WHERE EXISTS (SELECT FROM shared)',
    'WITH s AS MATERIALIZED (SELECT * FROM shared) TABLE s',
    'INSERT INTO plain SELECT * FROM over_shared',
    'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM shared; FETCH 1 FROM c',
    'DO $$ BEGIN PERFORM * FROM shared; END $$',
    'CREATE TEMP TABLE copied AS SELECT * FROM shared',
    'EXPLAIN ANALYZE SELECT * FROM shared',
  ];
  for (const sql of reads) expect(await outcome(sql, 'reader')).toMatch(/^42501 permission denied for foreign table shared: it reads a file of the server/);
  for (const sql of ['SELECT * FROM of_shared', 'EXPLAIN SELECT * FROM shared']) expect(await outcome(sql, 'reader')).not.toMatch(/^42501/);
  for (const sql of [...reads, 'SELECT lent()']) expect(await outcome(sql, null, GUEST)).toMatch(/^42501|^0A000|^25006/);
  // Files are beyond the world: code lends nobody its owner's right to them, and uses nobody's but its owner's.
  const ofOthers = /^42501 permission denied: a file of the server acts beyond the world and is called in code of "svc"$/;
  expect(await outcome('SELECT lent()', 'reader')).toMatch(ofOthers);
  expect(await outcome('SELECT lent()')).toBe('SELECT 1');
  await t.run('GRANT pg_read_server_files TO reader');
  // An SQL function of one query stands in the statement as its text.
  for (const sql of reads.slice(0, 8)) {
    expect([sql, await outcome(sql, 'reader')]).toEqual([sql, expect.stringMatching(sql === 'SELECT in_plpgsql()' ? ofOthers : /^SELECT \d/)]);
  }
  await t.run('ALTER FUNCTION in_plpgsql() OWNER TO reader');
  expect(await outcome('SELECT in_plpgsql()', 'reader')).toBe('SELECT 1');
  await t.run('REVOKE pg_read_server_files FROM reader');
  await t.run('ALTER FOREIGN TABLE shared OWNER TO reader');
  expect(await outcome("ALTER FOREIGN TABLE shared OPTIONS (SET filename '/etc/passwd')", 'reader')).toMatch(/^42501 only superuser/);
  expect(await outcome("ALTER FOREIGN TABLE shared OPTIONS (format 'csv')", 'reader')).toMatch(/^42501 only superuser/);
});

test('what is no plain file, no option or no place is refused', async () => {
  const create = (options: string): string => `CREATE FOREIGN TABLE wrong (a int) SERVER files OPTIONS (${options})`;
  expect(await outcome(create("program 'ls'"))).toBe('0A000 foreign tables over an external program are not supported');
  expect(await outcome(create("filename 'x', nope '1'"))).toBe('HV00D invalid option "nope"');
  expect(await outcome(create("format 'csv'"))).toBe('HV002 either filename or program is required for file_fdw foreign tables');
  expect(await outcome(create("filename 'x', quote '.'"))).toBe('0A000 COPY quote available only in CSV mode');
  await t.run(`CREATE FOREIGN TABLE odd (a int) SERVER files OPTIONS (filename '${folder}')`);
  expect(await outcome('SELECT * FROM odd')).toBe(`42809 "${folder}" is a directory`);
  await t.run("ALTER FOREIGN TABLE odd OPTIONS (SET filename '/dev/zero')");
  expect(await outcome('SELECT * FROM odd')).toBe('42809 "/dev/zero" is not a plain file');
  expect(await outcome('DROP EXTENSION file_fdw')).toBe('2BP01 cannot drop extension file_fdw because other objects depend on it');
  expect(await outcome('DROP FOREIGN DATA WRAPPER file_fdw')).toBe('2BP01 cannot drop foreign-data wrapper file_fdw because extension file_fdw requires it');
});
