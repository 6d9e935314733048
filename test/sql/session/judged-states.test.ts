/** Whatever makes a state out of two others: what is derived is that of the result, and what is promised holds in it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SvcError } from '../../../src/base/errors/svc-error.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

/** How what two worlds did comes together, and where it is seen. `flipped`: main does what the branch did in the case. */
const WAYS = [
  ['MERGE WORLD w', 'main'],
  ['MERGE WORLD w BY COLUMNS', 'main'],
  ['MERGE WORLD w RESOLVE OURS', 'main'],
  ['MERGE WORLD w RESOLVE THEIRS', 'main'],
  ['REBASE WORLD w', 'w'],
] as const;
const SIDES = [false, true];

interface Case {
  name: string;
  base: string;
  /** Definitions of one side, rows of the other. */
  defines: string;
  writes: string;
}
interface Derived extends Case {
  query: string;
  rows: string[];
}
interface Broken extends Case {
  /** Keys, SQLSTATE and constraint. */
  conflicts: [string, string, string?][];
}

async function apart({ base, defines, writes }: Case, flipped: boolean): Promise<void> {
  await t.run(base);
  await t.run('CREATE WORLD w');
  await t.run(flipped ? defines : writes);
  await t.run(flipped ? writes : defines, 'w');
}

function conflictsOf(error: SvcError): [string, string | undefined, string | undefined][] {
  const { conflicts } = error.data as { conflicts: { key: string; code?: string; constraint?: string }[] };
  return conflicts.map(({ key, code, constraint }): [string, string | undefined, string | undefined] => [key, code, constraint]).sort();
}

const T = 'CREATE TABLE t (id int PRIMARY KEY, x int); INSERT INTO t VALUES (1, 5)';

const DERIVED: Derived[] = [
  {
    name: 'a stored generated column, of new rows',
    base: T,
    defines: 'ALTER TABLE t ADD z int GENERATED ALWAYS AS (x * x) STORED',
    writes: 'INSERT INTO t VALUES (2, -1), (3, 3)',
    query: 'SELECT id, z FROM t ORDER BY id',
    rows: ['1 25', '2 1', '3 9'],
  },
  {
    name: 'the same NOT NULL and UNIQUE',
    base: T,
    defines: 'ALTER TABLE t ADD z int GENERATED ALWAYS AS (x * x) STORED NOT NULL UNIQUE',
    writes: 'INSERT INTO t VALUES (2, -1), (3, 3); UPDATE t SET x = 7 WHERE id = 1',
    query: 'SELECT id, z FROM t WHERE z IN (1, 9, 49) ORDER BY id',
    rows: ['1 49', '2 1', '3 9'],
  },
  {
    name: 'another expression of a generated column, and its index',
    base: 'CREATE TABLE t (id int PRIMARY KEY, x int, z int GENERATED ALWAYS AS (x + 1) STORED); INSERT INTO t VALUES (1, 5)',
    defines: 'ALTER TABLE t DROP z; ALTER TABLE t ADD y int GENERATED ALWAYS AS (x + 2) STORED; CREATE INDEX ON t (y)',
    writes: 'INSERT INTO t VALUES (2, 8); UPDATE t SET x = 6 WHERE id = 1',
    query: 'SELECT id, y FROM t WHERE y > 0 ORDER BY y',
    rows: ['1 8', '2 10'],
  },
  {
    name: 'a column with a default that is each row’s own',
    base: T,
    defines: "CREATE FUNCTION f() RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 4'; ALTER TABLE t ADD c int NOT NULL DEFAULT f()",
    writes: 'INSERT INTO t VALUES (2, 8)',
    query: 'SELECT id, c FROM t ORDER BY id',
    rows: ['1 4', '2 4'],
  },
  {
    name: 'an index over an expression',
    base: T,
    defines: 'CREATE INDEX ON t ((x * 10))',
    writes: 'INSERT INTO t VALUES (2, 8); UPDATE t SET x = 6 WHERE id = 1',
    query: 'SELECT id FROM t WHERE x * 10 IN (60, 80) ORDER BY x * 10',
    rows: ['1', '2'],
  },
];

describe('derived values are those of the result', () => {
  for (const each of DERIVED) {
    for (const [way, world] of WAYS) {
      for (const flipped of SIDES) {
        test(`${each.name}: ${way}${flipped ? ', flipped' : ''}`, async () => {
          await apart(each, flipped);
          await t.run(way);
          expect(await t.lines(each.query, world)).toEqual(each.rows);
          await t.reopen({ withoutCache: true });
          expect(await t.lines(each.query, world)).toEqual(each.rows);
        });
      }
    }
  }

  test('by a merge of the table alone', async () => {
    await apart(DERIVED[1], false);
    await t.run('MERGE WORLD w ONLY TABLES (t)');
    expect(await t.lines(DERIVED[1].query)).toEqual(DERIVED[1].rows);
  });

  for (const flipped of SIDES) {
    test(`a generated column is no conflict BY COLUMNS, and its dry run shows what is computed${flipped ? ', flipped' : ''}`, async () => {
      const S =
        'CREATE TABLE t (id int PRIMARY KEY, x int, y int, s int GENERATED ALWAYS AS (x + y) STORED); CREATE INDEX ON t ((x * y)); INSERT INTO t VALUES (1, 1, 1), (2, 5, 5)';
      await apart({ name: '', base: S, defines: 'UPDATE t SET x = 10 WHERE id = 1', writes: 'UPDATE t SET y = 20 WHERE id = 1' }, flipped);
      await t.refused('SV409', 'MERGE WORLD w');
      const preview = await t.db.preview({ branch: 'w', columns: true });
      expect(preview.rows.map(({ key, result }) => ({ key, result }))).toEqual([{ key: 't/1', result: { id: 1, x: 10, y: 20, s: 30 } }]);
      await t.run('MERGE WORLD w BY COLUMNS');
      expect(await t.lines('SELECT * FROM t ORDER BY id')).toEqual(['1 10 20 30', '2 5 5 10']);
      expect(await t.lines('SELECT id FROM t WHERE x * y = 200')).toEqual(['1']);
    });
  }
});

const D = 'CREATE DOMAIN d AS int; CREATE DOMAIN dd AS d; CREATE TABLE t (id int PRIMARY KEY, v d, w dd)';
const BROKEN: Broken[] = [
  {
    name: 'a CHECK of a domain',
    base: D,
    defines: 'ALTER DOMAIN d ADD CONSTRAINT pos CHECK (VALUE > 0)',
    writes: 'INSERT INTO t (id, v) VALUES (1, -5), (2, 5)',
    conflicts: [['t/1', '23514', 'pos']],
  },
  {
    name: 'a CHECK of a domain under a domain',
    base: D,
    defines: 'ALTER DOMAIN d ADD CONSTRAINT pos CHECK (VALUE > 0)',
    writes: 'INSERT INTO t (id, w) VALUES (1, -5), (2, 5)',
    conflicts: [['t/1', '23514', 'pos']],
  },
  {
    name: 'NOT NULL of a domain',
    base: 'CREATE DOMAIN d AS int; CREATE TABLE t (id int PRIMARY KEY, v d)',
    defines: 'ALTER DOMAIN d SET NOT NULL',
    writes: 'INSERT INTO t VALUES (1, NULL), (2, 5)',
    conflicts: [['t/1', '23502']],
  },
  {
    name: 'a CHECK of the table',
    base: T,
    defines: 'ALTER TABLE t ADD CONSTRAINT pos CHECK (x > 0)',
    writes: 'INSERT INTO t VALUES (2, -2); UPDATE t SET x = -1 WHERE id = 1',
    conflicts: [
      ['t/1', '23514', 'pos'],
      ['t/2', '23514', 'pos'],
    ],
  },
  { name: 'NOT NULL', base: T, defines: 'ALTER TABLE t ALTER x SET NOT NULL', writes: 'INSERT INTO t VALUES (2, NULL)', conflicts: [['t/2', '23502']] },
  {
    name: 'UNIQUE over a generated column',
    base: T,
    defines: 'ALTER TABLE t ADD z int GENERATED ALWAYS AS (x * x) STORED CONSTRAINT once UNIQUE',
    writes: 'INSERT INTO t VALUES (2, -5)',
    conflicts: [['t/2', '23505', 'once']],
  },
  {
    name: 'a generated column that cannot be computed',
    base: T,
    defines: 'ALTER TABLE t ADD z int GENERATED ALWAYS AS (10 / x) STORED',
    writes: 'INSERT INTO t VALUES (2, 0)',
    conflicts: [['t/2', '22012']],
  },
];

describe('nothing that is promised is broken', () => {
  for (const each of BROKEN) {
    for (const [way] of WAYS) {
      for (const flipped of SIDES) {
        test(`${each.name}: ${way}${flipped ? ', flipped' : ''}`, async () => {
          await apart(each, flipped);
          const error = await t.refused('SV409', way);
          expect(conflictsOf(error)).toEqual(each.conflicts.map(([key, code, constraint]) => [key, code, constraint]));
        });
      }
    }
  }

  test('each violation names the sides of the row and the constraint, and how to resolve it; a given row resolves it', async () => {
    await apart({ ...BROKEN[0], defines: BROKEN[0].writes, writes: BROKEN[0].defines }, false);
    const error = await t.refused('SV409', 'MERGE WORLD w');
    const [conflict] = (error.data as { conflicts: { explanation: string; theirs: unknown }[] }).conflicts;
    expect(conflict.explanation).toBe(
      'The merged rows would break a constraint: value for domain d violates check constraint "pos". ' +
        't/1 is as "w" has it, the constraint is of "main". Pick t/1 "ours", a row that fits, or null; or change it in "w".',
    );
    await t.db.merge({ branch: 'w', picks: { 't/1': { id: 1, v: 6, w: null } } });
    expect(await t.lines('SELECT id, v FROM t ORDER BY id')).toEqual(['1 6', '2 5']);
  });

  test('a table that one side made over a type that the other changed', async () => {
    await apart(
      {
        name: '',
        base: 'CREATE DOMAIN d AS int',
        defines: 'CREATE TABLE n (id int PRIMARY KEY, v d); INSERT INTO n VALUES (1, -1)',
        writes: 'ALTER DOMAIN d ADD CHECK (VALUE > 0)',
      },
      false,
    );
    expect(conflictsOf(await t.refused('SV409', 'MERGE WORLD w'))).toEqual([['n/1', '23514', 'd_check']]);
  });

  test('a NOT VALID constraint is not checked for existing rows', async () => {
    await t.run('CREATE DOMAIN d AS int; CREATE TABLE t (id int PRIMARY KEY, v d, x int); INSERT INTO t VALUES (1, -1, -1); CREATE WORLD w');
    await t.run('INSERT INTO t VALUES (2, -2, -2)');
    await t.run('ALTER DOMAIN d ADD CHECK (VALUE > 0) NOT VALID; ALTER TABLE t ADD y int GENERATED ALWAYS AS (x + 1) STORED', 'w');
    await t.run('MERGE WORLD w');
    expect(await t.lines('SELECT * FROM t ORDER BY id')).toEqual(['1 -1 -1 0', '2 -2 -2 -1']);
  });

  test('undoing a merge that dropped a constraint, once rows break it', async () => {
    for (const [i, [drop, make]] of [
      ['ALTER TABLE t DROP CONSTRAINT c', 'ALTER TABLE t ADD CONSTRAINT c CHECK (x > 0)'],
      ['ALTER DOMAIN d DROP CONSTRAINT c', 'ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0)'],
      ['ALTER TABLE t DROP CONSTRAINT c', 'ALTER TABLE t ADD CONSTRAINT c UNIQUE (u)'],
      ['ALTER TABLE t DROP CONSTRAINT c', 'ALTER TABLE t ADD CONSTRAINT c EXCLUDE USING gist (u WITH =)'],
      ['ALTER TABLE t DROP CONSTRAINT c', 'ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (u) REFERENCES t'],
      ['ALTER TABLE t ALTER n DROP NOT NULL', 'ALTER TABLE t ALTER n SET NOT NULL'],
    ].entries()) {
      await t.run(
        'DROP TABLE IF EXISTS t; DROP DOMAIN IF EXISTS d; CREATE EXTENSION IF NOT EXISTS btree_gist; CREATE DOMAIN d AS int; CREATE TABLE t (id int PRIMARY KEY, x int, v d, u int, n int)',
      );
      await t.run(`${make}; CREATE WORLD w${i}`);
      await t.run(drop, `w${i}`);
      await t.run(`MERGE WORLD w${i}`);
      await t.run('INSERT INTO t VALUES (1, -1, -1, 7, NULL), (2, -1, -1, 7, NULL)');
      const error = await t.refused(
        make.includes('UNIQUE')
          ? '23505'
          : make.includes('EXCLUDE')
            ? '23P01'
            : make.includes('FOREIGN')
              ? '23503'
              : make.includes('NOT NULL')
                ? '23502'
                : '23514',
        `UNDO MERGE w${i}`,
      );
      expect(error.message).toContain('cannot be undone');
    }
  });

  test('undoing a merge whose rows would come back against a constraint that was made since', async () => {
    await t.run('CREATE TABLE t (id int PRIMARY KEY, x int); INSERT INTO t VALUES (1, -1); CREATE WORLD w');
    await t.run('DELETE FROM t', 'w');
    await t.run('MERGE WORLD w');
    await t.run('ALTER TABLE t ADD CHECK (x > 0)');
    await t.refused('23514', 'UNDO MERGE w');
  });
});

test('a rule whose function needs a session is not checked again for unchanged rows', async () => {
  const t = await TestDatabase.open();
  await t.run(`CREATE TABLE base (id int PRIMARY KEY, v int); INSERT INTO base VALUES (1, 1), (2, 2); CREATE WORLD w`);
  await t.run(
    `CREATE FUNCTION positive(n int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN n > 0; END $$; ALTER TABLE base ADD CONSTRAINT above CHECK (positive(v))`,
    'w',
  );
  expect(await t.db.commands.merge({ branch: 'w' })).toMatchObject({ merged: 0 });
  await t.refused('23514', 'INSERT INTO base VALUES (3, -3)');
  await t.close();
});
