/** Rows hold ids of labels: renaming one touches no row, in whichever world rows come from. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { open } from '../../../src/database.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TYPE e AS ENUM ('a', 'b', 'c'); CREATE DOMAIN d AS e; CREATE TYPE r AS RANGE (SUBTYPE = e); CREATE TYPE p AS (f e, n int);
    CREATE TABLE t (id int PRIMARY KEY, v e, vs e[], dv d, rs r, pv p, ps p[], ms r_multirange);
    CREATE INDEX ON t (v); CREATE TABLE k (v e PRIMARY KEY, n int); CREATE TABLE g (vs e[]); CREATE INDEX ON g USING gin (vs)`);
});
afterEach(() => t.close());

const row = (id: number, label: string): string =>
  `INSERT INTO t VALUES (${id}, '${label}', '{${label},c}', '${label}', '[${label},c]', '(${label},1)', array['(${label},2)']::p[], '{[${label},c]}');
   INSERT INTO k VALUES ('${label}', ${id})`;
const all = (world?: string): Promise<string[]> => t.lines('SELECT id, v, vs::text, dv, rs::text, pv::text, ps::text, ms::text FROM t ORDER BY id', world);
const shown = (id: number, label: string): string => `${id} ${label} {${label},c} ${label} [${label},c] (${label},1) {"(${label},2)"} {[${label},c]}`;

test('a renamed label is found under its new name alone, wherever it lies, also after a restart', async () => {
  await t.run(row(1, 'a'));
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'aa'");
  await t.run(row(2, 'b'));
  for (const withoutCache of [null, false, true]) {
    if (withoutCache !== null) await t.reopen({ withoutCache });
    expect(await all()).toEqual([shown(1, 'aa'), shown(2, 'b')]);
    for (const where of ["v = 'aa'", "dv = 'aa'", "'aa' = ANY (vs)", "rs @> 'aa'::e", "(pv).f = 'aa'", "v < 'b'", "ms @> 'aa'::e", "v::text = 'aa'"])
      expect([where, await t.lines(`SELECT id FROM t WHERE ${where} AND id = 1`)]).toEqual([where, ['1']]);
    expect(await t.lines("SELECT n FROM k WHERE v = 'aa'")).toEqual(['1']);
    expect(await t.lines('SELECT v, n FROM k ORDER BY v')).toEqual(['aa 1', 'b 2']);
    await t.refused('22P02', "SELECT id FROM t WHERE v = 'a'");
  }
});

test('a label of a name that another had is another label', async () => {
  await t.run(row(1, 'a'));
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'aa'; ALTER TYPE e ADD VALUE 'a' BEFORE 'aa'");
  await t.run(row(2, 'a'));
  expect(await all()).toEqual([shown(1, 'aa'), shown(2, 'a')]);
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'x'; ALTER TYPE e RENAME VALUE 'aa' TO 'a'; ALTER TYPE e RENAME VALUE 'x' TO 'aa'");
  expect(await all()).toEqual([shown(1, 'a'), shown(2, 'aa')]);
  expect(await t.lines('SELECT v FROM k ORDER BY v')).toEqual(['aa', 'a']);
});

test('a column that was added with a label as its default shows the new name', async () => {
  await t.run(row(1, 'a'));
  await t.run("ALTER TABLE t ADD w e DEFAULT 'a'; ALTER TYPE e RENAME VALUE 'a' TO 'aa'; INSERT INTO t (id) VALUES (2)");
  expect(await t.lines('SELECT id, w FROM t ORDER BY id')).toEqual(['1 aa', '2 aa']);
  expect(await t.lines("SELECT count(*) FROM t WHERE w = 'aa'")).toEqual(['2']);
});

const RENAMED = [
  { name: 'of main', main: "ALTER TYPE e RENAME VALUE 'a' TO 'aa'", branch: row(1, 'a') },
  { name: 'of the branch', main: row(1, 'a'), branch: "ALTER TYPE e RENAME VALUE 'a' TO 'aa'" },
];
for (const { name, main, branch } of RENAMED) {
  for (const [how, world] of [
    ['MERGE WORLD w', 'main'],
    ['MERGE WORLD w BY COLUMNS', 'main'],
    ['MERGE WORLD w RESOLVE OURS', 'main'],
    ['MERGE WORLD w RESOLVE THEIRS', 'main'],
    ['REBASE WORLD w', 'w'],
  ]) {
    test(`rows of the other side follow a rename ${name}: ${how}`, async () => {
      await t.run('CREATE WORLD w');
      await t.run(main);
      await t.run(branch, 'w');
      await t.run(how);
      expect(await all(world)).toEqual([shown(1, 'aa')]);
      expect(await t.lines("SELECT id FROM t WHERE v = 'aa'", world)).toEqual(['1']);
      expect(await t.lines("SELECT n FROM k WHERE v = 'aa'", world)).toEqual(['1']);
    });
  }
}

test('undoing a merge that renamed a label brings its name back, for rows written since too', async () => {
  await t.run(row(1, 'a'));
  await t.run('CREATE WORLD w');
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'aa'", 'w');
  await t.run('MERGE WORLD w');
  await t.run("INSERT INTO t (id, v) VALUES (2, 'aa')");
  await t.run('UNDO MERGE w');
  expect(await t.lines("SELECT id, v FROM t WHERE v = 'a' ORDER BY id")).toEqual(['1 a', '2 a']);
});

test('two labels that both sides renamed to one name: each side as it is taken', async () => {
  await t.run("INSERT INTO t (id, v) VALUES (1, 'a'), (2, 'b'); CREATE WORLD w");
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'x'");
  await t.run("ALTER TYPE e RENAME VALUE 'b' TO 'x'; INSERT INTO t (id, v) VALUES (3, 'x')", 'w');
  await t.refused('SV409', 'MERGE WORLD w');
  await t.run('CREATE WORLD v FROM main');
  await t.run('MERGE WORLD w RESOLVE OURS');
  expect(await t.lines('SELECT id, v FROM t ORDER BY id')).toEqual(['1 x', '2 b', '3 b']);
  expect(await t.lines('SELECT enum_range(NULL::e)::text')).toEqual(['{x,b,c}']);
});

test('the same with THEIRS', async () => {
  await t.run("INSERT INTO t (id, v) VALUES (1, 'a'), (2, 'b'); CREATE WORLD w");
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'x'");
  await t.run("ALTER TYPE e RENAME VALUE 'b' TO 'x'; INSERT INTO t (id, v) VALUES (3, 'x')", 'w');
  await t.run('MERGE WORLD w RESOLVE THEIRS');
  expect(await t.lines('SELECT id, v FROM t ORDER BY id')).toEqual(['1 a', '2 x', '3 x']);
});

test('both sides rename and add labels: all of it is there', async () => {
  await t.run('CREATE WORLD w');
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'aa'; ALTER TYPE e ADD VALUE 'd'");
  await t.run("ALTER TYPE e RENAME VALUE 'b' TO 'bb'; ALTER TYPE e ADD VALUE 'first' BEFORE 'a'", 'w');
  await t.run('MERGE WORLD w');
  expect(await t.lines('SELECT enum_range(NULL::e)::text')).toEqual(['{first,aa,bb,c,d}']);
});

test('a row without its label, by a partial merge, is a conflict with SQLSTATE and key', async () => {
  await t.run('CREATE WORLD w');
  await t.run("ALTER TYPE e ADD VALUE 'new'", 'w');
  await t.run("INSERT INTO t (id, v) VALUES (7, 'new'); INSERT INTO t (id, vs) VALUES (8, '{a,new}'); INSERT INTO t (id, pv) VALUES (9, '(new,1)')", 'w');
  const error = await t.refused('SV409', 'MERGE WORLD w ONLY TABLES (t)');
  const { conflicts } = error.data as { conflicts: { key: string; code: string; explanation: string }[] };
  expect(conflicts.map(({ key, code }) => [key, code])).toEqual([
    ['t/7', '22P02'],
    ['t/8', '22P02'],
    ['t/9', '22P02'],
  ]);
  await t.run('MERGE WORLD w');
  expect(await t.lines('SELECT id FROM t ORDER BY id')).toEqual(['7', '8', '9']);
});

test('a transaction that is open while a merge renames its label', async () => {
  await t.run('CREATE WORLD w');
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'aa'", 'w');
  const session = t.db.session();
  try {
    await session.run("BEGIN; INSERT INTO t (id, v) VALUES (1, 'a')");
    await t.run('MERGE WORLD w');
    await session.run('COMMIT');
  } finally {
    session.close();
  }
  expect(await t.lines("SELECT id FROM t WHERE v = 'aa'")).toEqual(['1']);
});

test('a folder whose rows held texts of labels is opened, and its labels renamed from then on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-labels-'));
  cpSync(new URL('../../../fixtures/folders/enum-texts', import.meta.url).pathname, folder, { recursive: true });
  const db = await open(folder);
  const lines = async (sql: string): Promise<string[]> =>
    (await db.sql({ sql })).results.at(-1)!.rows!.map((each) => Object.values(each).map(String).join(' '));
  try {
    expect(await lines('SELECT id, v, vs::text, pv::text FROM t ORDER BY id')).toEqual(['1 aa {aa,c} (aa,1)', '2 b {b} (b,2)']);
    await lines("ALTER TYPE e RENAME VALUE 'b' TO 'bb'; ALTER TYPE e ADD VALUE 'b'; MERGE WORLD w");
    expect(await lines('SELECT id, v, vs::text, pv::text FROM t ORDER BY v, id')).toEqual(['1 aa {aa,c} (aa,1)', '2 bb {bb} (bb,2)', '3 bb {bb,c} (bb,3)']);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
});

test('partitions that labels bound follow a renaming; a hash does not', async () => {
  await t.run(`
    CREATE TABLE l (v e, x int) PARTITION BY LIST (v); CREATE TABLE l1 PARTITION OF l FOR VALUES IN ('a'); CREATE TABLE l2 PARTITION OF l FOR VALUES IN ('b', 'c');
    CREATE TABLE s (v e, x int) PARTITION BY RANGE (v); CREATE TABLE s1 PARTITION OF s FOR VALUES FROM ('a') TO ('b');
    CREATE TABLE s2 PARTITION OF s FOR VALUES FROM ('b') TO (MAXVALUE);
    INSERT INTO l VALUES ('a', 1), ('b', 2), ('c', 3); INSERT INTO s SELECT * FROM l`);
  await t.run('CREATE WORLD w');
  await t.run("INSERT INTO l VALUES ('a', 4), ('b', 5)", 'w');
  await t.run("ALTER TYPE e RENAME VALUE 'a' TO 'zz'; ALTER TYPE e RENAME VALUE 'b' TO 'a'");
  await t.run('MERGE WORLD w');
  for (const withoutCache of [null, true]) {
    if (withoutCache !== null) await t.reopen({ withoutCache });
    expect(await t.lines('SELECT tableoid::regclass::text, v, x FROM l ORDER BY x')).toEqual(['l1 zz 1', 'l2 a 2', 'l2 c 3', 'l1 zz 4', 'l2 a 5']);
    expect(await t.lines("SELECT x FROM l WHERE v = 'a' ORDER BY x")).toEqual(['2', '5']);
    expect(await t.lines("SELECT tableoid::regclass::text, x FROM s WHERE v >= 'a' ORDER BY x")).toEqual(['s2 2', 's2 3']);
    expect(await t.lines('SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class WHERE relispartition ORDER BY 1')).toEqual([
      "l1 FOR VALUES IN ('zz')",
      "l2 FOR VALUES IN ('a', 'c')",
      "s1 FOR VALUES FROM ('zz') TO ('a')",
      "s2 FOR VALUES FROM ('a') TO (MAXVALUE)",
    ]);
  }
  await t.run('CREATE TABLE h (v e) PARTITION BY HASH (v)');
  await t.refused('0A000', "ALTER TYPE e RENAME VALUE 'c' TO 'cc'");
});
