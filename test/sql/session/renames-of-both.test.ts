/** Both sides give one name, and texts of one side over what the other calls otherwise. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const COLLISIONS: { name: string; base: string; main: string; branch: string; look: string; ours: string[]; theirs: string[] }[] = [
  {
    name: 'tables, with their rows',
    base: 'CREATE TABLE a (i int PRIMARY KEY); CREATE TABLE b (i int PRIMARY KEY); INSERT INTO a VALUES (1); INSERT INTO b VALUES (2)',
    main: 'ALTER TABLE a RENAME TO f',
    branch: 'ALTER TABLE b RENAME TO f',
    look: `SELECT relname, (xpath('//i/text()', query_to_xml('SELECT i FROM ' || relname, true, true, '')))[1] FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    ours: ['b 2', 'f 1'],
    theirs: ['a 1', 'f 2'],
  },
  {
    name: 'columns',
    base: 'CREATE TABLE t (x int, y int, z int GENERATED ALWAYS AS (x - y) STORED, CHECK (x < y)); INSERT INTO t VALUES (1, 2)',
    main: 'ALTER TABLE t RENAME x TO f',
    branch: 'ALTER TABLE t RENAME y TO f',
    look: `SELECT to_jsonb(t)::text FROM t`,
    ours: ['{"f": 1, "y": 2, "z": -1}'],
    theirs: ['{"f": 2, "x": 1, "z": -1}'],
  },
  {
    name: 'views',
    base: 'CREATE VIEW a AS SELECT 1 AS x; CREATE VIEW b AS SELECT 2 AS x',
    main: 'ALTER VIEW a RENAME TO f',
    branch: 'ALTER VIEW b RENAME TO f',
    look: `SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1`,
    ours: ['b  SELECT 2 AS x;', 'f  SELECT 1 AS x;'],
    theirs: ['a  SELECT 1 AS x;', 'f  SELECT 2 AS x;'],
  },
  {
    name: 'sequences, each as far as it is',
    base: `CREATE SEQUENCE a START 10; CREATE SEQUENCE b START 20`,
    main: 'ALTER SEQUENCE a RENAME TO f',
    branch: 'ALTER SEQUENCE b RENAME TO f',
    look: `SELECT sequencename, start_value FROM pg_sequences ORDER BY 1`,
    ours: ['b 20', 'f 10'],
    theirs: ['a 10', 'f 20'],
  },
  {
    name: 'indexes',
    base: 'CREATE TABLE t (x int, y int); CREATE INDEX a ON t (x); CREATE INDEX b ON t (y)',
    main: 'ALTER INDEX a RENAME TO f',
    branch: 'ALTER INDEX b RENAME TO f',
    look: `SELECT indexname, right(indexdef, 3) FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    ours: ['b (y)', 'f (x)'],
    theirs: ['a (x)', 'f (y)'],
  },
  {
    name: 'unique constraints',
    base: 'CREATE TABLE t (x int, y int, CONSTRAINT a UNIQUE (x), CONSTRAINT b UNIQUE (y))',
    main: 'ALTER TABLE t RENAME CONSTRAINT a TO f',
    branch: 'ALTER TABLE t RENAME CONSTRAINT b TO f',
    look: `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'u' ORDER BY 1`,
    ours: ['b UNIQUE (y)', 'f UNIQUE (x)'],
    theirs: ['a UNIQUE (x)', 'f UNIQUE (y)'],
  },
  {
    name: 'checks',
    base: 'CREATE TABLE t (x int, y int, CONSTRAINT a CHECK (x > 1), CONSTRAINT b CHECK (y > 2))',
    main: 'ALTER TABLE t RENAME CONSTRAINT a TO f',
    branch: 'ALTER TABLE t RENAME CONSTRAINT b TO f',
    look: `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c' ORDER BY 1`,
    ours: ['b CHECK ((y > 2))', 'f CHECK ((x > 1))'],
    theirs: ['a CHECK ((x > 1))', 'f CHECK ((y > 2))'],
  },
  {
    name: 'types, of columns that hold them',
    base: `CREATE TYPE a AS ENUM ('1'); CREATE TYPE b AS ENUM ('2'); CREATE TABLE t (x a, y b); INSERT INTO t VALUES ('1', '2')`,
    main: 'ALTER TYPE a RENAME TO f',
    branch: 'ALTER TYPE b RENAME TO f',
    look: `SELECT pg_typeof(x) AS a, x, pg_typeof(y) AS b, y FROM t`,
    ours: ['f 1 b 2'],
    theirs: ['a 1 f 2'],
  },
  {
    name: 'functions',
    base: `CREATE FUNCTION a() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE FUNCTION b() RETURNS int LANGUAGE sql AS 'SELECT 2'`,
    main: 'ALTER FUNCTION a RENAME TO f',
    branch: 'ALTER FUNCTION b RENAME TO f',
    look: `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    ours: ['b SELECT 2', 'f SELECT 1'],
    theirs: ['a SELECT 1', 'f SELECT 2'],
  },
];
describe('one name for two', () => {
  for (const { name, base, main, branch, look, ours, theirs } of COLLISIONS) {
    const apart = async (): Promise<void> => {
      await t.run(`${base}; CREATE WORLD w`);
      await t.run(main);
      await t.run(branch, 'w');
      await t.refused('SV409', 'MERGE WORLD w');
    };
    test(`${name}: OURS leaves main alone`, async () => {
      await apart();
      await t.run('MERGE WORLD w RESOLVE OURS');
      expect(await t.lines(look)).toEqual(ours);
      await t.reopen({ withoutCache: true });
      expect(await t.lines(look)).toEqual(ours);
    });
    test(`${name}: THEIRS is the branch's`, async () => {
      await apart();
      await t.run('MERGE WORLD w RESOLVE THEIRS');
      expect(await t.lines(look)).toEqual(theirs);
    });
    test(`${name}: a rebase of the branch, each way`, async () => {
      await apart();
      await t.refused('SV409', 'REBASE WORLD w');
      await t.run('REBASE WORLD w RESOLVE OURS');
      expect([ours, theirs]).toContainEqual(await t.lines(look, 'w'));
    });
  }
});

const BASE = `
  CREATE TABLE t (id int PRIMARY KEY, x int, y int); INSERT INTO t VALUES (1, 7, 8); CREATE VIEW u AS SELECT x AS ux, id FROM t;
  CREATE TYPE e AS ENUM ('a'); CREATE FUNCTION fn() RETURNS int LANGUAGE sql AS 'SELECT 3'; CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN new.y = 99; RETURN new; END'`;
const FOLLOWING: [name: string, made: string, renamed: string, look: string, rows: string[]][] = [
  ['a view over a column', 'CREATE VIEW v AS SELECT x, id FROM t WHERE x > 0', 'ALTER TABLE t RENAME x TO xx', 'SELECT * FROM v', ['7 1']],
  [
    'a view over two that change places',
    'CREATE VIEW v AS SELECT x, y FROM t',
    'ALTER TABLE t RENAME x TO z; ALTER TABLE t RENAME y TO x; ALTER TABLE t RENAME z TO y',
    'SELECT x, y FROM v',
    ['7 8'],
  ],
  ['a view over a table', 'CREATE VIEW v AS SELECT x, id FROM t', 'ALTER TABLE t RENAME TO tt', 'SELECT * FROM v', ['7 1']],
  [
    'a view over both',
    'CREATE VIEW v AS SELECT t.x FROM t JOIN t o USING (id)',
    'ALTER TABLE t RENAME TO tt; ALTER TABLE tt RENAME x TO xx',
    'SELECT * FROM v',
    ['7'],
  ],
  ['a view over a view', 'CREATE VIEW v AS SELECT ux FROM u', 'ALTER VIEW u RENAME TO uu; ALTER VIEW uu RENAME ux TO uux', 'SELECT * FROM v', ['7']],
  ['a view over a schema', 'CREATE VIEW v AS SELECT x FROM t', 'CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s', 'SELECT * FROM v', ['7']],
  ['a view over a type', `CREATE VIEW v AS SELECT 'a'::e AS c`, 'ALTER TYPE e RENAME TO ee', 'SELECT c, pg_typeof(c) FROM v', ['a ee']],
  ['a view over a function', 'CREATE VIEW v AS SELECT fn() AS c', 'ALTER FUNCTION fn RENAME TO gn', 'SELECT * FROM v', ['3']],
  [
    'a default over a function',
    'CREATE TABLE n (c int DEFAULT fn(), d int)',
    'ALTER FUNCTION fn RENAME TO gn',
    'INSERT INTO n (d) VALUES (1) RETURNING c',
    ['3'],
  ],
  [
    'a materialized view',
    'CREATE MATERIALIZED VIEW v AS SELECT x FROM t',
    'ALTER TABLE t RENAME x TO xx',
    'REFRESH MATERIALIZED VIEW v; SELECT * FROM v',
    ['7'],
  ],
  ['a function with a body', 'CREATE FUNCTION g() RETURNS bigint BEGIN ATOMIC SELECT sum(x) FROM t; END', 'ALTER TABLE t RENAME x TO xx', 'SELECT g()', ['7']],
  [
    'a rule',
    'CREATE TABLE n (i int); CREATE RULE r AS ON INSERT TO n DO ALSO UPDATE t SET x = x + new.i',
    'ALTER TABLE t RENAME x TO xx',
    'INSERT INTO n VALUES (5); SELECT xx FROM t',
    ['12'],
  ],
  [
    'a trigger',
    'CREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW WHEN (new.x > old.x) EXECUTE FUNCTION tf()',
    'ALTER TABLE t RENAME x TO xx',
    'UPDATE t SET xx = 100; SELECT y FROM t',
    ['99'],
  ],
  ['a policy', 'CREATE POLICY p ON t USING (x > 0)', 'ALTER TABLE t RENAME x TO xx', 'SELECT pg_get_expr(polqual, polrelid) FROM pg_policy', ['(xx > 0)']],
  [
    'a check',
    'ALTER TABLE t ADD CONSTRAINT c CHECK (x > 0)',
    'ALTER TABLE t RENAME x TO xx',
    `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'c'`,
    ['CHECK ((xx > 0))'],
  ],
];

describe('texts follow what the other side renamed', () => {
  for (const [name, made, renamed, look, rows] of FOLLOWING) {
    for (const [way, world] of [
      ['MERGE WORLD w', 'main'],
      ['MERGE WORLD w RESOLVE THEIRS', 'main'],
      ['REBASE WORLD w', 'w'],
    ]) {
      for (const flipped of [false, true]) {
        test(`${name}: ${way}${flipped ? ', flipped' : ''}`, async () => {
          await t.run(`${BASE}; CREATE WORLD w`);
          await t.run(flipped ? renamed : made);
          await t.run(flipped ? made : renamed, 'w');
          await t.run(way);
          expect(await t.lines(look, world)).toEqual(rows);
        });
      }
    }
  }

  test('what a text needs and the other side dropped is reported nevertheless', async () => {
    await t.run(`${BASE}; CREATE WORLD w`);
    await t.run('CREATE VIEW v AS SELECT x, y FROM t');
    await t.run('ALTER TABLE t RENAME x TO xx; ALTER TABLE t DROP y', 'w');
    const error = await t.refused('SV409', 'MERGE WORLD w');
    expect((error.data as { conflicts: { key: string; explanation: string }[] }).conflicts[0]).toMatchObject({
      key: '_svc_schema/view:v',
      explanation: 'view v of "main" needs column y, which "w" dropped.',
    });
  });
});

describe('a partition that one side detached, with what the other gave its parent', () => {
  const PARENT =
    'ALTER TABLE p ADD z int DEFAULT 1; ALTER TABLE p ADD CONSTRAINT small CHECK (x < 9); CREATE INDEX by_x ON p (x); ALTER TABLE p ADD UNIQUE (id, x)';
  const DETACH = 'ALTER TABLE p DETACH PARTITION p_b';
  for (const [main, branch] of [
    [DETACH, PARENT],
    [PARENT, DETACH],
  ]) {
    test(`${branch === DETACH ? 'the branch' : 'main'} detached it`, async () => {
      const t = await TestDatabase.open();
      await t.run(`CREATE TABLE p (id int PRIMARY KEY, x int) PARTITION BY RANGE (id); CREATE TABLE p_a PARTITION OF p FOR VALUES FROM (0) TO (5);
        CREATE TABLE p_b PARTITION OF p FOR VALUES FROM (5) TO (9); INSERT INTO p VALUES (1, 1), (6, 6); CREATE WORLD w`);
      await t.run(main);
      await t.run(branch, 'w');
      await t.run('MERGE WORLD w');
      expect(await t.lines('SELECT id, z FROM p_b')).toEqual(['6 1']);
      expect(
        await t.lines(`SELECT attname, attinhcount, attislocal FROM pg_attribute WHERE attrelid = 'p_b'::regclass AND attnum > 0 ORDER BY attnum`),
      ).toEqual(['id 0 true', 'x 0 true', 'z 0 true']);
      expect(await t.lines(`SELECT conname, coninhcount, conislocal FROM pg_constraint WHERE conrelid = 'p_b'::regclass AND contype = 'c'`)).toEqual([
        'small 0 true',
      ]);
      expect(await t.lines(`SELECT count(*) FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid WHERE x.indrelid = 'p_b'::regclass`)).toEqual([
        '0',
      ]);
      expect(await t.lines(`SELECT attinhcount, attislocal FROM pg_attribute WHERE attrelid = 'p_a'::regclass AND attname = 'z'`)).toEqual(['1 false']);
      await t.close();
    });
  }
});
