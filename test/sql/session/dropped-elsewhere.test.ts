/** What one side drops, or an undoing takes away, and somebody has come to use, in whatever text: a conflict there, kept here. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from './open-database.ts';

const SETUP = `
  CREATE FUNCTION fn() RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION fi(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
  CREATE FUNCTION ip(int) RETURNS point LANGUAGE sql AS 'SELECT point(1, 2)';
  CREATE SEQUENCE sq;
  CREATE TYPE ty AS ENUM ('x');
  CREATE DOMAIN dm AS int;
  CREATE COLLATION co FROM "C";
  CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
  CREATE TEXT SEARCH CONFIGURATION tsc (COPY = simple);
  CREATE TABLE tu (i int, s int);
  CREATE VIEW vu AS SELECT 1 AS a, 2 AS b;
  CREATE SCHEMA sc;
`;
const FN = 'FUNCTION fn()';
const FI = 'FUNCTION fi(int)';
const OP = 'OPERATOR === (int, int)';

const CASES: [dropped: string, made: string][] = [
  [FN, 'CREATE TABLE d (i int DEFAULT fn())'],
  [FN, 'ALTER TABLE tu ALTER s SET DEFAULT fn()'],
  ['SEQUENCE sq', `CREATE TABLE d (i int DEFAULT nextval('sq'))`],
  ['TYPE ty', `CREATE TABLE d (i text DEFAULT 'x'::ty)`],
  ['TYPE ty', 'CREATE TABLE d (i ty[])'],
  ['DOMAIN dm', 'CREATE TABLE d (i int, CHECK (i::dm > 3))'],
  [FI, 'CREATE TABLE d (i int GENERATED ALWAYS AS (fi(3)) STORED)'],
  [FI, 'ALTER TABLE tu ADD CHECK (fi(i) > 0)'],
  ['COLLATION co', 'CREATE TABLE d (i text); CREATE INDEX ON d (i COLLATE co)'],
  ['COLLATION co', 'CREATE TABLE d (i text COLLATE co)'],
  [OP, 'CREATE TABLE d (i int, CHECK (i === 3))'],
  [FI, 'CREATE INDEX ON tu (fi(i))'],
  [FI, 'CREATE INDEX ON tu (i) WHERE fi(i) = 3'],
  [FN, 'CREATE VIEW d AS SELECT fn()'],
  [OP, 'CREATE VIEW d AS SELECT 1 === 2'],
  ['TYPE ty', `CREATE VIEW d AS SELECT 'x'::ty = 'x' AS a`],
  ['VIEW vu', 'CREATE VIEW d AS SELECT a FROM vu'],
  ['TABLE tu', 'CREATE VIEW d AS SELECT i FROM tu'],
  [FN, 'CREATE MATERIALIZED VIEW d AS SELECT fn()'],
  ['TABLE tu', 'CREATE MATERIALIZED VIEW d AS SELECT i FROM tu'],
  [FI, 'CREATE DOMAIN d AS int CHECK (fi(VALUE) = 1)'],
  [FI, 'CREATE DOMAIN d AS int DEFAULT fi(2)'],
  [FI, `CREATE FUNCTION d(int DEFAULT fi(2)) RETURNS int LANGUAGE sql AS 'SELECT 1'`],
  [FN, 'CREATE FUNCTION d() RETURNS int RETURN fn()'],
  ['TABLE tu', `CREATE FUNCTION d(tu) RETURNS int LANGUAGE sql AS 'SELECT 1'`],
  ['VIEW vu', `CREATE FUNCTION d(vu[]) RETURNS int LANGUAGE sql AS 'SELECT 1'`],
  ['TABLE tu', 'CREATE FUNCTION d() RETURNS bigint RETURN (SELECT count(*) FROM tu)'],
  [FI, 'CREATE POLICY d ON tu USING (fi(i) = 1)'],
  [FI, 'CREATE TRIGGER d BEFORE UPDATE ON tu FOR EACH ROW WHEN (fi(new.i) = 2) EXECUTE FUNCTION suppress_redundant_updates_trigger()'],
  [FN, 'CREATE RULE d AS ON INSERT TO tu DO ALSO SELECT fn()'],
  ['TEXT SEARCH CONFIGURATION tsc', `CREATE TABLE d (t text); CREATE INDEX ON d USING gin (to_tsvector('tsc', t))`],
  ['SCHEMA sc', 'CREATE TABLE sc.d (i int)'],
  ['SCHEMA sc', 'CREATE VIEW sc.d AS SELECT 1 AS a'],
  ['FUNCTION ip(int)', 'CREATE CAST (int AS point) WITH FUNCTION ip(int)'],
  [FI, 'CREATE STATISTICS d ON (fi(i)), s FROM tu'],
  [FI, 'CREATE TABLE d (i int, k int) PARTITION BY RANGE (fi(i))'],
  [FN, `CREATE AGGREGATE d (int) (SFUNC = int4pl, STYPE = int); CREATE VIEW d2 AS SELECT fn()`],
  ['COLUMN tu.s', 'CREATE VIEW d AS SELECT s FROM tu'],
  ['COLUMN tu.s', 'CREATE INDEX ON tu ((s + 1))'],
  ['COLUMN tu.s', 'ALTER TABLE tu ADD CHECK (s > 0)'],
  ['COLUMN tu.s', 'CREATE POLICY d ON tu USING (s = 1)'],
];

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
});
afterAll(() => t.close());

let at = 0;
const dropping = (what: string): string => (what.startsWith('COLUMN ') ? 'ALTER TABLE tu DROP COLUMN s' : `DROP ${what}`);

test.each(CASES.flatMap(([dropped, made]) => [[dropped, made, 'ours'] as const, [dropped, made, 'theirs'] as const]))(
  '%s against %s, dropped by %s',
  async (dropped, made, by) => {
    const [world, branch] = [`w${++at}`, `b${at}`];
    await t.run(`CREATE WORLD ${world}`);
    await t.run(SETUP, world);
    await t.run(`CREATE WORLD ${branch} FROM ${world}`);
    await t.run(dropping(dropped), by === 'ours' ? world : branch);
    await t.run(made, by === 'ours' ? branch : world);
    const before = (await t.lines(`DIFF WORLD main TO ${world} AS SQL`)).join();
    const error = await t.refused('SV409', `MERGE WORLD ${branch} INTO ${world}`);
    expect(error.message).toContain('changed both');
    expect((await t.lines(`DIFF WORLD main TO ${world} AS SQL`)).join()).toBe(before);
  },
);

test.each(CASES)('%s is in the way of undoing a merge where it is used since, and kept with SKIP CHANGED: %s', async (dropped, made) => {
  const world = `u${++at}`;
  await t.run(`CREATE WORLD ${world}; CREATE WORLD ${world}_b FROM ${world}`);
  await t.run(SETUP, `${world}_b`);
  await t.run(`MERGE WORLD ${world}_b INTO ${world}`);
  await t.run(made, world);
  await t.refused('2BP01', `UNDO MERGE ${world}_b`);
  await t.run(`UNDO MERGE ${world}_b SKIP CHANGED`);
  // What is used is there still, and can be named in statements that make it anew.
  const script = await t.lines(`DIFF WORLD main TO ${world} AS SQL`);
  await t.run(`CREATE WORLD ${world}_c FROM main`);
  await t.run(script.join('\n'), `${world}_c`);
  const what = dropped.startsWith('COLUMN') ? 'TABLE tu' : dropped;
  if (what === 'TABLE tu' && !made.includes('VIEW') && !made.includes('FUNCTION')) await t.run(`DROP ${what}`, world);
  else {
    await t.refused('2BP01', `DROP ${what}`, { branch: world });
    await t.run(`DROP ${what} CASCADE`, world);
  }
});

test('undoing a merge that dropped what others are called by now, or what needs what is gone, is refused', async () => {
  await t.run('CREATE WORLD w; CREATE WORLD f');
  const setup =
    'CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1); CREATE TABLE b (id int PRIMARY KEY REFERENCES a); INSERT INTO b VALUES (1); CREATE VIEW v AS SELECT 1 AS x';
  await t.run(setup, 'w');
  await t.run('CREATE WORLD b FROM w');
  await t.run('DROP TABLE b; DROP VIEW v', 'b');
  await t.run('MERGE WORLD b INTO w');
  await t.run('CREATE VIEW other AS SELECT 2 AS y; ALTER VIEW other RENAME TO v', 'w');
  const taken = await t.refused('42710', 'UNDO MERGE b');
  expect(taken.message).toBe('cannot be undone: there is another view v by now');
  await t.run('ALTER VIEW v RENAME TO v2; ALTER TABLE a RENAME TO c; DROP TABLE c', 'w');
  const gone = await t.refused('2BP01', 'UNDO MERGE b');
  expect(gone.message).toBe('cannot be undone: constraint b_id_fkey needs the table that it points at, which was dropped since');
  expect(await t.lines('SELECT y FROM v2', 'w')).toEqual(['2']);
});

test.each([
  ['ours', 'OURS', false],
  ['ours', 'THEIRS', true],
  ['theirs', 'OURS', true],
  ['theirs', 'THEIRS', false],
] as const)('a primary key that a view groups by, dropped by %s, conflicts; %s stands', async (by, resolve, isThere) => {
  const [world, branch] = [`w${++at}`, `b${at}`];
  await t.run(`CREATE WORLD ${world}`);
  await t.run('CREATE TABLE kt (i int PRIMARY KEY, s int); INSERT INTO kt VALUES (1, 2)', world);
  await t.run(`CREATE WORLD ${branch} FROM ${world}`);
  await t.run('ALTER TABLE kt DROP CONSTRAINT kt_pkey', by === 'ours' ? world : branch);
  await t.run('CREATE VIEW d AS SELECT i, s, count(*) FROM kt GROUP BY i', by === 'ours' ? branch : world);
  const error = await t.refused('SV409', `MERGE WORLD ${branch} INTO ${world}`);
  const { conflicts } = error.data as { conflicts: { explanation: string }[] };
  expect(conflicts.map(({ explanation }) => explanation)).toEqual([expect.stringContaining('another primary key')]);
  await t.run(`MERGE WORLD ${branch} INTO ${world} RESOLVE ${resolve}`);
  if (isThere) expect(await t.lines('SELECT * FROM d', world)).toEqual(['1 2 1']);
  else await t.refused('42P01', 'SELECT * FROM d', { branch: world });
  expect(await t.lines('SELECT * FROM kt', world)).toEqual(['1 2']);
  expect(await t.lines(`SELECT count(*) FROM pg_constraint WHERE conname = 'kt_pkey'`, world)).toEqual([isThere ? '1' : '0']);
});

test.each([
  ...CASES,
  ['COLUMN tu.s', 'CREATE TRIGGER d BEFORE INSERT ON tu FOR EACH ROW WHEN (new.s = 1) EXECUTE FUNCTION suppress_redundant_updates_trigger()'],
])('%s is dropped by a merge beside an open transaction: %s', async (dropped, made) => {
  const [world, branch] = [`w${++at}`, `b${at}`];
  await t.run(`CREATE WORLD ${world}`);
  await t.run(SETUP, world);
  await t.run(`CREATE WORLD ${branch} FROM ${world}`);
  await t.run(dropping(dropped), branch);
  const session = t.db.session({ branch: world, principal: OWNER });
  await session.run('BEGIN');
  await session.run(made);
  await t.run(`MERGE WORLD ${branch}`);
  const now = (await t.lines(`DIFF WORLD main TO ${world} AS SQL`)).join();
  await refused('40001', session.run('COMMIT'));
  expect((await t.lines(`DIFF WORLD main TO ${world} AS SQL`)).join()).toBe(now);
});

test.each([
  ['DROP VIEW vu', 'CREATE VIEW d AS SELECT a FROM vu'],
  ['CREATE VIEW d AS SELECT 1 AS one', 'CREATE TABLE d (i int)'],
  ['CREATE TABLE d () INHERITS (tu)', 'ALTER TABLE tu ADD more int'],
])('an open transaction does %s beside a merge that does %s', async (here, there) => {
  const [world, branch] = [`w${++at}`, `b${at}`];
  await t.run(`CREATE WORLD ${world}`);
  await t.run(SETUP, world);
  await t.run(`CREATE WORLD ${branch} FROM ${world}`);
  await t.run(there, branch);
  const session = t.db.session({ branch: world, principal: OWNER });
  await session.run('BEGIN');
  await session.run(here);
  await t.run(`MERGE WORLD ${branch}`);
  await refused('40001', session.run('COMMIT'));
});

// What hangs on a table is no part of it: a merge of the table alone does not bring that it went.
test.each([
  ['DROP TABLE t CASCADE', ['1 x', '2 y'], [], []],
  ['DROP TABLE t CASCADE; CREATE TABLE t (id int, v text); INSERT INTO t VALUES (9, $$new$$)', ['1 x', '2 y'], ['9 new'], ['v', 'vv']],
  ['ALTER TABLE t DROP v CASCADE', ['1 x', '2 y'], ['1', '2'], []],
])('a table alone is merged after %s', async (change, ours, theirs, views) => {
  for (const [winner, rows] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    const [parent, branch] = [`w${++at}`, `b${at}`];
    await t.run(`CREATE DATABASE ${parent}`);
    await t.run(
      `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE TABLE u (t int REFERENCES t); INSERT INTO u VALUES (1);
       CREATE VIEW v AS SELECT id, v FROM t; CREATE VIEW vv AS SELECT count(*) AS n FROM v`,
      parent,
    );
    await t.run(`CREATE WORLD ${branch} FROM ${parent}`);
    await t.run(change, branch);
    await t.refused('SV409', `MERGE WORLD ${branch} ONLY TABLES (t)`);
    await t.run(`MERGE WORLD ${branch} ONLY TABLES (t) RESOLVE ${winner}`);
    const has = winner === 'ours' ? ['v', 'vv'] : views;
    expect(await t.lines(`SELECT relname FROM pg_class WHERE relkind = 'v' AND oid > 16000 ORDER BY 1`, parent)).toEqual(has);
    const there = await t.lines(`SELECT 1 FROM pg_class WHERE relname = 't'`, parent);
    expect(there.length === 0 ? [] : await t.lines('SELECT * FROM t ORDER BY id', parent)).toEqual(rows);
    if (winner === 'ours') expect(await t.lines('SELECT n FROM vv', parent)).toEqual(['2']);
  }
});
