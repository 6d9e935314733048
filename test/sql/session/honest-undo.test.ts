/**
 * Undoing takes back exactly what was done, or refuses and names what is in the way, or (SKIP CHANGED) leaves that alone: of rows and of
 * definitions that were used since. Each case runs as the undo of a merge and as the undo of an agent.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from './open-database.ts';

interface Case {
  name: string;
  setup: string;
  did: string;
  since: string;
  query: string;
  /** Rows after the undo, or why it is refused: SQLSTATE and what the error names. */
  undo: string[] | [code: string, named: string | RegExp][];
  /** Rows after SKIP CHANGED, where that differs. */
  skip: string[];
}

const T = 'CREATE TABLE t (id int PRIMARY KEY, x int, y text); INSERT INTO t VALUES (1, 5, $$a$$)';
const ALL = 'SELECT * FROM t ORDER BY id';

const CASES: Case[] = [
  {
    name: 'a type made wider, a value that the old one does not take',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x int)',
    did: 'ALTER TABLE t ALTER x TYPE bigint',
    since: 'INSERT INTO t VALUES (1, 5), (2, 9000000000)',
    query: ALL,
    undo: [['22003', 't/2']],
    skip: ['1 5', '2 9000000000'],
  },
  {
    name: 'a type made wider, values that both take',
    setup: T,
    did: 'ALTER TABLE t ALTER x TYPE bigint',
    since: `INSERT INTO t VALUES (2, 7, 'b'), (3, NULL, 'c'); UPDATE t SET y = 'later' WHERE id = 1`,
    query: `SELECT id, x, y, pg_typeof(x) FROM t ORDER BY id`,
    undo: ['1 5 later integer', '2 7 b integer', '3 null c integer'],
    skip: ['1 5 later integer', '2 7 b integer', '3 null c integer'],
  },
  {
    name: 'a type and a value, the row changed since',
    setup: T,
    did: 'ALTER TABLE t ALTER x TYPE bigint; UPDATE t SET x = 6',
    since: `UPDATE t SET y = 'later'`,
    query: `SELECT id, x, y, pg_typeof(x) FROM t`,
    undo: [['40001', 't/1']],
    skip: ['1 6 later integer'],
  },
  {
    name: 'a renamed column that a view reads, which another view reads that was changed since',
    setup: `CREATE TABLE t (id int PRIMARY KEY, x int); CREATE TABLE u (id int PRIMARY KEY, ref int, g int);
      CREATE VIEW v AS SELECT id, x FROM t; CREATE VIEW vv AS SELECT v.id, u.g FROM v JOIN u ON u.ref = v.id;
      INSERT INTO t VALUES (1, 5); INSERT INTO u VALUES (1, 1, 7)`,
    did: 'ALTER TABLE t RENAME COLUMN id TO w',
    since: 'ALTER TABLE u RENAME COLUMN ref TO w',
    query: 'SELECT v.id, v.x, vv.g FROM v JOIN vv ON v.id = vv.id',
    undo: [['2BP01', 'view vv']],
    skip: ['1 5 7'],
  },
  {
    name: 'a generated column that is new, rows written since',
    setup: T,
    did: 'ALTER TABLE t ADD COLUMN z int GENERATED ALWAYS AS (x * 2) STORED',
    since: `INSERT INTO t VALUES (2, 7, 'b'); UPDATE t SET x = 6 WHERE id = 1`,
    query: ALL,
    undo: ['1 6 a', '2 7 b'],
    skip: ['1 6 a', '2 7 b'],
  },
  {
    name: 'a text made longer',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x varchar(10))',
    did: 'ALTER TABLE t ALTER x TYPE text',
    since: `INSERT INTO t VALUES (1, 'ok')`,
    query: ALL,
    undo: ['1 ok'],
    skip: ['1 ok'],
  },
  {
    name: 'a text made longer, and one that is too long by then',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x varchar(3))',
    did: 'ALTER TABLE t ALTER x TYPE text',
    since: `INSERT INTO t VALUES (1, 'too long')`,
    query: ALL,
    undo: [['22001', 't/1']],
    skip: ['1 too long'],
  },
  {
    name: 'a type made narrower',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x bigint); INSERT INTO t VALUES (1, 5)',
    did: 'ALTER TABLE t ALTER x TYPE int',
    since: 'INSERT INTO t VALUES (2, 6)',
    query: 'SELECT id, x, pg_typeof(x) FROM t ORDER BY id',
    undo: ['1 5 bigint', '2 6 bigint'],
    skip: ['1 5 bigint', '2 6 bigint'],
  },
  {
    name: 'a number made exact, and one that would be rounded',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x int)',
    did: 'ALTER TABLE t ALTER x TYPE numeric',
    since: 'INSERT INTO t VALUES (1, 5.5)',
    query: ALL,
    undo: [['22P02', 't/1']],
    skip: ['1 5.5'],
  },
  {
    name: 'a dropped primary key, two rows of one key',
    setup: T,
    did: 'ALTER TABLE t DROP CONSTRAINT t_pkey',
    since: `INSERT INTO t VALUES (2, 1, 'b'), (2, 2, 'b')`,
    query: 'SELECT id, x FROM t ORDER BY id, x',
    undo: [['55000', 'table t']],
    skip: ['1 5', '2 1', '2 2'],
  },
  {
    name: 'an added primary key, rows written since',
    setup: 'CREATE TABLE t (id int NOT NULL, x int); INSERT INTO t VALUES (1, 5)',
    did: 'ALTER TABLE t ADD PRIMARY KEY (id)',
    since: 'INSERT INTO t VALUES (2, 6); UPDATE t SET x = 9 WHERE id = 1',
    query: ALL,
    undo: [['55000', 'table t']],
    skip: ['1 9', '2 6'],
  },
  {
    name: 'an added column, values in it',
    setup: T,
    did: 'ALTER TABLE t ADD d text',
    since: `UPDATE t SET d = 'used'`,
    query: ALL,
    undo: [['2BP01', 'column d']],
    skip: ['1 5 a used'],
  },
  {
    name: 'an added column, rows without a value in it',
    setup: T,
    did: 'ALTER TABLE t ADD d text',
    since: `INSERT INTO t VALUES (2, 6, 'b')`,
    query: ALL,
    undo: ['1 5 a', '2 6 b'],
    skip: ['1 5 a', '2 6 b'],
  },
  {
    name: 'an added column that was renamed since',
    setup: T,
    did: 'ALTER TABLE t ADD d text',
    since: 'ALTER TABLE t RENAME d TO e',
    query: ALL,
    undo: [['40001', 'column e']],
    skip: ['1 5 a null'],
  },
  {
    name: 'an added column beside another one that was added since',
    setup: T,
    did: 'ALTER TABLE t ADD d text',
    since: 'ALTER TABLE t ADD e int DEFAULT 3',
    query: ALL,
    undo: ['1 5 a 3'],
    skip: ['1 5 a 3'],
  },
  {
    name: 'a changed type beside a column that was added since',
    setup: T,
    did: 'ALTER TABLE t ALTER x TYPE bigint',
    since: 'ALTER TABLE t ADD e int DEFAULT 3',
    query: 'SELECT *, pg_typeof(x) FROM t',
    undo: ['1 5 a 3 integer'],
    skip: ['1 5 a 3 integer'],
  },
  {
    name: 'a dropped column',
    setup: T,
    did: 'ALTER TABLE t DROP y',
    since: 'INSERT INTO t VALUES (2, 6)',
    query: 'SELECT id, x, y FROM t ORDER BY id',
    undo: ['1 5 a', '2 6 null'],
    skip: ['1 5 a', '2 6 null'],
  },
  {
    name: 'a dropped column that took no NULL',
    setup: `CREATE TABLE t (id int PRIMARY KEY, x int, y text NOT NULL); INSERT INTO t VALUES (1, 5, 'a')`,
    did: 'ALTER TABLE t DROP y',
    since: 'INSERT INTO t VALUES (2, 6)',
    query: ALL,
    undo: [['23502', 't/2']],
    skip: ['1 5', '2 6'],
  },
  {
    name: 'DROP NOT NULL',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x int NOT NULL)',
    did: 'ALTER TABLE t ALTER x DROP NOT NULL',
    since: 'INSERT INTO t VALUES (1, NULL)',
    query: ALL,
    undo: [['23502', 't/1']],
    skip: ['1 null'],
  },
  {
    name: 'a value where there was NULL, and SET NOT NULL',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x int); INSERT INTO t VALUES (1, NULL), (2, 1)',
    did: 'UPDATE t SET x = 7',
    since: 'ALTER TABLE t ALTER x SET NOT NULL',
    query: ALL,
    undo: [['23502', 't/1']],
    skip: ['1 7', '2 1'],
  },
  ...(
    [
      ['a unique constraint', 'UNIQUE (x)', '23505'],
      ['a check', 'CHECK (x < 10)', '23514'],
      ['a foreign key', 'FOREIGN KEY (x) REFERENCES r', '23503'],
      ['an exclusion constraint', 'EXCLUDE USING gist (int4range(x, x, $$[]$$) WITH &&)', '23P01'],
    ] as const
  ).map(([name, constraint, code]) => ({
    name: `${name} that was dropped, and a row that breaks it`,
    setup: `CREATE TABLE r (id int PRIMARY KEY); INSERT INTO r VALUES (5); CREATE TABLE t (id int PRIMARY KEY, x int, CONSTRAINT c ${constraint}); INSERT INTO t VALUES (1, 5)`,
    did: 'ALTER TABLE t DROP CONSTRAINT c',
    since: `INSERT INTO t VALUES (2, ${code === '23505' || code === '23P01' ? 5 : 50})`,
    query: ALL,
    undo: [[code, /t\//]] as [string, RegExp][],
    skip: ['1 5', code === '23505' || code === '23P01' ? '2 5' : '2 50'],
  })),
  {
    name: 'a unique index that was dropped',
    setup: `${T}; CREATE UNIQUE INDEX u ON t (x)`,
    did: 'DROP INDEX u',
    since: `INSERT INTO t VALUES (2, 5, 'b')`,
    query: 'SELECT id, x FROM t ORDER BY id',
    undo: [['23505', /t\//]],
    skip: ['1 5', '2 5'],
  },
  {
    name: 'a condition of a domain',
    setup: 'CREATE DOMAIN d AS int CONSTRAINT low CHECK (VALUE < 10); CREATE TABLE t (id int PRIMARY KEY, x d)',
    did: 'ALTER DOMAIN d DROP CONSTRAINT low',
    since: 'INSERT INTO t VALUES (1, 50)',
    query: ALL,
    undo: [['23514', 't/1']],
    skip: ['1 50'],
  },
  {
    name: 'a condition of a domain that all values meet',
    setup: 'CREATE DOMAIN d AS int CONSTRAINT low CHECK (VALUE < 10); CREATE TABLE t (id int PRIMARY KEY, x d)',
    did: 'ALTER DOMAIN d DROP CONSTRAINT low',
    since: 'INSERT INTO t VALUES (1, 5)',
    query: ALL,
    undo: ['1 5'],
    skip: ['1 5'],
  },
  {
    name: 'NOT NULL of a domain',
    setup: 'CREATE DOMAIN d AS int NOT NULL; CREATE TABLE t (id int PRIMARY KEY, x d)',
    did: 'ALTER DOMAIN d DROP NOT NULL',
    since: 'INSERT INTO t VALUES (1, NULL)',
    query: ALL,
    undo: [['23502', 't/1']],
    skip: ['1 null'],
  },
  {
    name: 'a label of an enum',
    setup: `CREATE TYPE e AS ENUM ('a'); CREATE TABLE t (id int PRIMARY KEY, x e)`,
    did: `ALTER TYPE e ADD VALUE 'b'`,
    since: `INSERT INTO t VALUES (1, 'b')`,
    query: ALL,
    undo: [['22P02', 't/1']],
    skip: ['1 b'],
  },
  {
    name: 'a label of an enum, in an array',
    setup: `CREATE TYPE e AS ENUM ('a'); CREATE TABLE t (id int PRIMARY KEY, x e[])`,
    did: `ALTER TYPE e ADD VALUE 'b'`,
    since: `INSERT INTO t VALUES (1, '{a,b}')`,
    query: 'SELECT id, x::text FROM t',
    undo: [['22P02', 't/1']],
    skip: ['1 {a,b}'],
  },
  {
    name: 'a label of an enum that no row has',
    setup: `CREATE TYPE e AS ENUM ('a'); CREATE TABLE t (id int PRIMARY KEY, x e)`,
    did: `ALTER TYPE e ADD VALUE 'b'`,
    since: `INSERT INTO t VALUES (1, 'a')`,
    query: 'SELECT t.*, enum_range(NULL::e)::text FROM t',
    undo: ['1 a {a}'],
    skip: ['1 a {a}'],
  },
  {
    name: 'DROP EXPRESSION',
    setup: 'CREATE TABLE t (id int PRIMARY KEY, x int, s int GENERATED ALWAYS AS (x * 2) STORED); INSERT INTO t VALUES (1, 5)',
    did: 'ALTER TABLE t ALTER s DROP EXPRESSION',
    since: 'INSERT INTO t VALUES (2, 6, 999)',
    query: ALL,
    undo: [['55000', 't/2']],
    skip: ['1 5 10', '2 6 999'],
  },
  {
    name: 'a default, changed again since',
    setup: T,
    did: 'ALTER TABLE t ALTER x SET DEFAULT 1',
    since: 'ALTER TABLE t ALTER x SET DEFAULT 2; INSERT INTO t (id) VALUES (2)',
    query: 'SELECT id, x FROM t ORDER BY id',
    undo: [['40001', 'column x']],
    skip: ['1 5', '2 2'],
  },
  {
    name: 'a default, and a row that took it',
    setup: T,
    did: 'ALTER TABLE t ALTER x SET DEFAULT 1',
    since: 'INSERT INTO t (id) VALUES (2)',
    query: 'SELECT id, x FROM t ORDER BY id',
    undo: ['1 5', '2 1'],
    skip: ['1 5', '2 1'],
  },
  {
    name: 'an emptied table, written to since',
    setup: T,
    did: 'TRUNCATE t',
    since: `INSERT INTO t VALUES (2, 6, 'b')`,
    query: ALL,
    undo: ['1 5 a', '2 6 b'],
    skip: ['1 5 a', '2 6 b'],
  },
  {
    name: 'a dropped table, another of its name since',
    setup: T,
    did: 'DROP TABLE t',
    since: 'CREATE TABLE t (id int PRIMARY KEY, z int); INSERT INTO t VALUES (1, 2)',
    query: ALL,
    undo: [['40001', 'table t']],
    skip: ['1 2'],
  },
  {
    name: 'a new table, written to since',
    setup: T,
    did: 'CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1), (2); UPDATE t SET x = 6',
    since: 'INSERT INTO n VALUES (3)',
    query: 'SELECT string_agg(id::text, $$,$$ ORDER BY id), (SELECT x FROM t) FROM n',
    undo: [['2BP01', 'table n']],
    skip: ['1,2,3 5'],
  },
  {
    name: 'a new table, changed since',
    setup: T,
    did: 'CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1)',
    since: 'ALTER TABLE n ADD COLUMN z int DEFAULT 4',
    query: 'SELECT * FROM n',
    undo: [['2BP01', 'table n']],
    skip: ['1 4'],
  },
  {
    name: 'a new table that another one points at since',
    setup: T,
    did: 'CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1)',
    since: 'CREATE TABLE m (id int PRIMARY KEY, n int REFERENCES n)',
    query: 'SELECT * FROM n',
    undo: [['2BP01', 'table n']],
    skip: ['1'],
  },
  {
    name: 'a new function that a view calls since',
    setup: T,
    did: 'CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql IMMUTABLE RETURN a + 1; UPDATE t SET x = 6',
    since: 'CREATE VIEW v AS SELECT f(id) AS n, x FROM t',
    query: 'SELECT * FROM v',
    undo: [['2BP01', 'function f']],
    skip: ['2 5'],
  },
  {
    name: 'a new column that a view reads since',
    setup: T,
    did: 'ALTER TABLE t ADD COLUMN z int',
    since: 'CREATE VIEW v AS SELECT id, z FROM t',
    query: 'SELECT * FROM v',
    undo: [['2BP01', 'column z of table t']],
    skip: ['1 null'],
  },
  {
    name: 'a new type that a table is made of since',
    setup: T,
    did: `CREATE TYPE mood AS ENUM ('sad', 'ok')`,
    since: `CREATE TABLE m (id int PRIMARY KEY, mood mood); INSERT INTO m VALUES (1, 'ok')`,
    query: 'SELECT * FROM m',
    undo: [['2BP01', 'type mood']],
    skip: ['1 ok'],
  },
  {
    name: 'a new schema in which a table stands since',
    setup: T,
    did: 'CREATE SCHEMA s',
    since: 'CREATE TABLE s.m (id int PRIMARY KEY); INSERT INTO s.m VALUES (1)',
    query: 'SELECT * FROM s.m',
    undo: [['2BP01', 'schema s']],
    skip: ['1'],
  },
  {
    name: 'a renamed table that a view reads since',
    setup: T,
    did: 'ALTER TABLE t RENAME TO t2',
    since: 'CREATE VIEW v AS SELECT id FROM t2',
    query: 'SELECT * FROM v',
    undo: [['2BP01', 'table t2']],
    skip: ['1'],
  },
  {
    name: 'a deleted row, one of its unique value since',
    setup: `CREATE TABLE t (id int PRIMARY KEY, x int UNIQUE); INSERT INTO t VALUES (1, 5)`,
    did: 'DELETE FROM t',
    since: 'INSERT INTO t VALUES (2, 5)',
    query: ALL,
    undo: [['23505', /t\//]],
    skip: ['2 5'],
  },
  {
    name: 'an inserted row that others point at since',
    setup: 'CREATE TABLE r (id int PRIMARY KEY); CREATE TABLE t (id int PRIMARY KEY, x int REFERENCES r)',
    did: 'INSERT INTO r VALUES (5)',
    since: 'INSERT INTO t VALUES (1, 5)',
    query: 'SELECT t.id, t.x, r.id AS r FROM t JOIN r ON r.id = t.x',
    undo: [['23503', 'r/5']],
    skip: ['1 5 5'],
  },
];

let t: TestDatabase;
let at = 0;
beforeAll(async () => {
  t = await TestDatabase.open();
});
afterAll(() => t.close());

interface Done {
  world: string;
  undo(more?: string): string;
}

async function merged(each: Case): Promise<Done> {
  const world = `w${++at}`;
  await t.run(`CREATE WORLD ${world}`);
  await t.run(each.setup, world);
  await t.run(`CREATE WORLD ${world}_b FROM ${world}`);
  await t.run(each.did, `${world}_b`);
  await t.run(`CREATE WORLD ${world}_before FROM ${world}`);
  await t.run(`MERGE WORLD ${world}_b INTO ${world}`);
  return { world, undo: (more = '') => `UNDO MERGE ${world}_b ${more}` };
}

async function byAgent(each: Case): Promise<Done> {
  const world = `a${++at}`;
  const { token } = await t.db.create_agent({ name: world, can: ['admin'] });
  const { agent } = t.db.directory.byToken(token)!;
  const principal: Principal = { kind: 'agent', agent };
  await t.run(`CREATE WORLD ${world}`);
  await t.run(each.setup, world);
  await t.run(`CREATE WORLD ${world}_before FROM ${world}`);
  await t.db.commandsOf(principal).sql({ sql: each.did, branch: world });
  return { world, undo: (more = '') => `UNDO AGENT ${world} ${more}` };
}

describe.each([
  ['a merge', merged],
  ['an agent', byAgent],
] as const)('the undo of %s', (what, doing) => {
  const run = async (sql: string, world: string): Promise<unknown> => (what === 'a merge' ? t.run(sql) : t.run(sql, world));

  test.each(CASES)('$name: nothing since', async (each) => {
    const { world, undo } = await doing(each);
    await run(undo(), world);
    expect(await t.lines(`DIFF WORLD ${world}_before TO ${world} AS SQL`)).toEqual([]);
    expect(await t.db.diff({ branch: `${world}_before`, to: world, count: true })).toMatchObject({ total: 0 });
  });

  test.each(CASES)('$name', async (each) => {
    const { world, undo } = await doing(each);
    await t.run(each.since, world);
    if (typeof each.undo[0] === 'string') {
      await run(undo(), world);
      expect(await t.lines(each.query, world)).toEqual(each.undo);
      return;
    }
    const before = each.did.includes('DROP y') ? [] : await t.lines(each.query, world);
    const [code, named] = each.undo[0];
    const call = t.db.sql({ sql: undo(), ...(what === 'a merge' ? {} : { branch: world }) });
    const error = await refused(code, call);
    expect(error.message).toMatch(named);
    if (before.length > 0) expect(await t.lines(each.query, world)).toEqual(before);
    await run(undo('SKIP CHANGED'), world);
    expect(await t.lines(each.query, world)).toEqual(each.skip);
    // It is whole: it can be made anew by its statements.
    await t.run(`CREATE WORLD ${world}_c FROM ${world}_before`);
    const script = await t.lines(`DIFF WORLD ${world}_before TO ${world} AS SQL`);
    for (const statement of script) await t.run(statement, `${world}_c`);
  });
});
