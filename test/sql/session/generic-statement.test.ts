/** Texts that go by one plan with their literals as parameters do what they would do by themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { OWNER } from '../../../src/session/principal.ts';
import { findGeneric, noteShape, valuesOf } from '../../../src/sql/session/generic-statement.ts';
import { isQuery } from '../../../src/sql/session/prepare.ts';
import type { StatementResult } from '../../../src/sql/session/results.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { shapeOf } from '../../../src/sql/parse/text-shape.ts';
import { parseSlt } from '../../slt/parse-slt.ts';
import { TestDatabase } from './open-database.ts';

const FOLDER = join(import.meta.dirname, '../slt');
/** What gives something else each time, whoever asks. */
const RESTLESS =
  /nextval|setval|currval|lastval|random|uuid|now\(|clock|current_|localtime|timeofday|serial|pg_|txid|lo_crea|lo_from|'now'|statement_timestamp|transaction_timestamp|^insert.*returning/is;
/** Which rows a LIMIT keeps, and in which order an aggregate meets its rows, is the plan's matter. */
const OPEN = /limit|fetch first|offset|tablesample|array_agg|string_agg|json|first_value|last_value|nth_value|row_number|distinct on/i;

interface Outcome {
  readonly result: string;
  readonly error: string | null;
}

function told(session: SqlSession, { command, columns, rows }: StatementResult): string {
  const types = columns?.map(({ name, type, typmod, table, attnum }) => [name, type.oid, typmod, table, attnum].join()) ?? [];
  const lines = rows.map((row) => row.map((value, i) => (value === null ? 'null' : columns![i].type.format(value, session.env))).join('|')).sort();
  return [command, ...types, ...lines].join('\n');
}

/** In a transaction of its own, which leaves nothing behind. */
async function outcome(session: SqlSession, run: () => Promise<StatementResult>): Promise<Outcome> {
  await session.run('BEGIN');
  try {
    session.startStatement();
    return { result: told(session, await session.withLockRetry(run)), error: null };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { result: '', error: `${error.code} ${error.message}` };
  } finally {
    await session.run('ROLLBACK');
  }
}

const ownOutcome = (session: SqlSession, text: string): Promise<Outcome> => outcome(session, async () => (await session.run(text)).at(-1)!);

/** The text by the plan of its shape, whatever that plan is; null where it goes its own way. */
async function genericOutcome(session: SqlSession, text: string): Promise<Outcome | null> {
  const found = findGeneric(session.host, text);
  if (found === null) return null;
  let own = false;
  const out = await outcome(session, () => {
    const plan = found.generic.plan(session, () => true);
    const values = plan === null ? null : found.generic.values(session, plan, { text, shape: found.shape });
    own = values === null;
    return own ? Promise.reject(new SvcError('XX000', 'its own way')) : session.execute(plan!.prepared, values!);
  });
  return own ? null : out;
}

/** Other texts of the same shape. */
function others(text: string): string[] {
  const { starts, ends } = shapeOf(text)!;
  const strings = starts.flatMap((start, i) => (text[start] === "'" ? [text.slice(start, ends[i])] : []));
  const made = (change: (literal: string, i: number) => string): string => {
    let out = '';
    let at = 0;
    starts.forEach((start, i) => {
      out += text.slice(at, start) + change(text.slice(start, ends[i]), i);
      at = ends[i];
    });
    return out + text.slice(at);
  };
  const number = (literal: string, to: number): string => (/^\d{1,8}$/.test(literal) ? String(Number(literal) + to) : literal);
  return [
    made((literal, i) => (literal.startsWith("'") ? strings[(i + 1) % strings.length] : literal.includes('.') ? `${literal}5` : '0')),
    made((literal) => (literal.startsWith("'") ? `'${literal.slice(1, -1)}x'` : number(literal, 1000))),
  ];
}

describe('every query of the SQL suite, by a plan with its literals as parameters', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.slt'));
  let compared = 0;
  let mutants = 0;
  test.each(files)('%s', { timeout: 60_000 }, async (name) => {
    const database = await TestDatabase.open();
    const session = database.db.session({ branch: 'main', principal: OWNER });
    try {
      for (const record of parseSlt(readFileSync(join(FOLDER, name), 'utf8'), 'own').records) {
        if (!('sql' in record)) continue;
        const { sql } = record;
        const statements = parsed(session, sql);
        const compares =
          // Such texts are written anew before their shape is looked at.
          session.settings.get('standard_conforming_strings') === 'on' &&
          session.transaction === null &&
          statements?.length === 1 &&
          isQuery(statements[0]) &&
          !RESTLESS.test(sql) &&
          !OPEN.test(sql) &&
          shapeOf(sql) !== null;
        if (compares) {
          noteShape(session.host, sql, statements);
          noteShape(session.host, sql, statements);
          const generic = await genericOutcome(session, sql);
          if (generic !== null) {
            compared++;
            expect({ sql, ...generic }).toEqual({ sql, ...(await ownOutcome(session, sql)) });
            // With another step a recursion may have no end.
            for (const other of /recursive/i.test(sql) ? [] : others(sql)) {
              const byPlan = await genericOutcome(session, other);
              if (byPlan === null) continue;
              mutants++;
              expect({ sql: other, ...byPlan }).toEqual({ sql: other, ...(await ownOutcome(session, other)) });
            }
          }
        }
        await session.run(sql).catch((error: unknown) => {
          if (!(error instanceof SvcError)) throw error;
        });
      }
    } finally {
      session.close();
      await database.close();
    }
  });
  // What compares nothing could not fail.
  afterAll(() => {
    expect(compared).toBeGreaterThan(500);
    expect(mutants).toBeGreaterThan(500);
  });
});

function parsed(session: SqlSession, sql: string): ReturnType<SqlSession['parse']> | null {
  try {
    return session.parse(sql);
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

describe('which texts share a plan', () => {
  let database: TestDatabase;
  let session: SqlSession;
  beforeAll(async () => {
    database = await TestDatabase.open();
    session = database.db.session({ branch: 'main', principal: OWNER });
    await session.run(
      'CREATE TABLE t (id int PRIMARY KEY, v varchar(4), n numeric(5,1), d date, at timestamptz, big int8 UNIQUE, j jsonb); CREATE TABLE free (a int, b text); CREATE INDEX ON t (d);' +
        "CREATE TABLE parted (k text, id int, v int, PRIMARY KEY (k, id)) PARTITION BY LIST (k); CREATE TABLE parted_a PARTITION OF parted FOR VALUES IN ('a');" +
        "CREATE TABLE parted_b PARTITION OF parted FOR VALUES IN ('b');" +
        "INSERT INTO t (id, big, d) SELECT i, i, '2020-01-01'::date + i FROM generate_series(100, 2000) AS i",
    );
  });
  afterAll(async () => {
    session.close();
    await database.close();
  });

  const cases: readonly [text: string, shares: boolean][] = [
    ['SELECT v FROM t WHERE id = 7', true],
    ["SELECT v FROM t WHERE id = '7'", true],
    ['SELECT v FROM t WHERE id = -7', true],
    ['SELECT v FROM t WHERE big = 10000000000', true],
    ["SELECT 1, 'a', 2.5, date '2020-01-01' FROM t WHERE id = 1 LIMIT 1", true],
    ["UPDATE t SET v = 'abc', n = 1.25, d = '2020-01-02' WHERE id = 3", true],
    ["INSERT INTO t VALUES (1, 'abc', 1, '2020-01-01', '2020-01-01 00:00+00', 4, '{}')", true],
    ["INSERT INTO free VALUES (1, 'abc')", true],
    ['DELETE FROM t WHERE id = 1', true],
    ['SELECT * FROM t WHERE id = 1 FOR UPDATE', true],
    // Rows side by side in the order of the key, those of a value that few have, and joins of what is found so.
    ['SELECT v FROM t WHERE id > 7', true],
    ['SELECT v FROM t WHERE id BETWEEN 7 AND 20 ORDER BY n LIMIT 3', true],
    ['SELECT v FROM t WHERE id IN (1, 2, 3)', true],
    ['SELECT v FROM t WHERE id = 1 OR id = 2', true],
    ["SELECT count(*) FROM t WHERE d = '2020-01-01'", true],
    ['SELECT x.v, y.v FROM t x JOIN t y ON y.big = x.id WHERE x.id = 1', true],
    ['SELECT EXISTS (SELECT FROM t WHERE big = 5), (SELECT max(v) FROM t WHERE id = 7)', true],
    ["SELECT v FROM parted WHERE k = 'a' AND id = 3", true],
    [
      'MERGE INTO t USING (VALUES (5, 7)) s(id, x) ON t.id = s.id WHEN MATCHED THEN UPDATE SET big = s.x WHEN NOT MATCHED THEN INSERT (id, big) VALUES (s.id, s.x)',
      true,
    ],
    // Another plan may be the better one for another literal.
    ['SELECT v FROM t WHERE n = 7', false],
    ["SELECT v FROM t WHERE d > '2020-01-01'", false],
    ['SELECT x.v, y.v FROM t x JOIN t y ON y.big = x.id WHERE x.id > 100', false],
    ['SELECT EXISTS (SELECT FROM t WHERE n = 5)', false],
    ['SELECT a FROM t JOIN free ON a = id WHERE id = 1', false],
    ['SELECT count(*) FROM generate_series(1, 3)', false],
    // Nothing in it can be a parameter.
    ["SELECT v FROM t WHERE id = $$7$$::int AND v = E'a'", false],
    ['SELECT v FROM t', false],
  ];
  test.each(cases)('%s: %s', (text, shares) => {
    noteShape(session.host, text, session.parse(text));
    noteShape(session.host, text, session.parse(text));
    session.startStatement();
    const found = findGeneric(session.host, text);
    expect(found !== null && valuesOf(session, found) !== null).toBe(shares);
    session.rollback();
  });

  test('a literal keeps its type, its place and its errors', async () => {
    const steps: readonly [sql: string, outcome: string][] = [
      ["INSERT INTO t (id, v) VALUES (10, 'a')", 'INSERT 0 1'],
      ["INSERT INTO t (id, v) VALUES (11, 'b')", 'INSERT 0 1'],
      ["INSERT INTO t (id, v) VALUES (12, 'c')", 'INSERT 0 1'],
      ["INSERT INTO t (id, v) VALUES (13, 'too long')", '22001 value too long for type character varying(4)'],
      ["INSERT INTO t (id, v) VALUES (12, 'd')", '23505 duplicate key value violates unique constraint "t_pkey"'],
      ["INSERT INTO t (id, v) VALUES (2147483648, 'd')", '22003 integer out of range'],
      ["SELECT v FROM t WHERE id = '10'", 'a'],
      ["SELECT v FROM t WHERE id = '11'", 'b'],
      ["SELECT v FROM t WHERE id = ' 12 '", 'c'],
      ["SELECT v FROM t WHERE id = 'x'", '22P02 invalid input syntax for type integer: "x" at 28'],
      ['SELECT v FROM t WHERE id = 10 ORDER BY 1', 'a'],
      ['SELECT v FROM t WHERE id = 11 ORDER BY 1', 'b'],
      ['SELECT v FROM t WHERE id = 12 ORDER BY 1', 'c'],
      ['SELECT v FROM t WHERE id = 12 ORDER BY 2', '42P10 ORDER BY position 2 is not in select list at 40'],
      ["SELECT 'a''b' FROM t WHERE id = 10", "a'b"],
      ["SELECT 'a' FROM t WHERE id = 10", 'a'],
      ["SELECT '' FROM t WHERE id = 10", ''],
      ['SELECT -5 FROM t WHERE id = 10', '-5'],
      ['SELECT -6 FROM t WHERE id = 10', '-6'],
      ['SELECT -2147483648 FROM t WHERE id = 10', '-2147483648'],
      ['SELECT pg_typeof(-2147483648) FROM t WHERE id = 10', 'integer'],
      ['SELECT pg_typeof(2147483648) FROM t WHERE id = 10', 'bigint'],
      ['SELECT pg_typeof(1) FROM t WHERE id = 10', 'integer'],
      ['SELECT 1.50 FROM t WHERE id = 10', '1.50'],
      ['SELECT 2.500 FROM t WHERE id = 10', '2.500'],
      ['SELECT -.5 FROM t WHERE id = 10', '-0.5'],
      ['SELECT 10 / 4 FROM t WHERE id = 10', '2'],
      ['SELECT 11 / 4 FROM t WHERE id = 10', '2'],
      ['SELECT 11 / 0 FROM t WHERE id = 10', '22012 division by zero'],
      ['SELECT 10 / 5 FROM t WHERE id = -1', ''],
      ['SELECT 10 / 0 FROM t WHERE id = -1', '22012 division by zero'],
      ["SELECT 'a' || 'b' FROM t WHERE id = 10", 'ab'],
      ["SELECT 'c' || 'd' FROM t WHERE id = 10", 'cd'],
    ];
    for (const [sql, expected] of steps) {
      const got = await session.run(sql).then(
        ([{ command, columns, rows }]) =>
          columns === null ? command : rows.map((row) => row.map((value, i) => columns[i].type.format(value!, session.env)).join('|')).join('\n'),
        (error: SvcError) => `${error.code} ${error.message}${error.position === undefined ? '' : ` at ${error.position}`}`,
      );
      expect({ sql, got }).toEqual({ sql, got: expected });
    }
  });

  test('statements of a list use the plans of their shapes', async () => {
    const insert = (id: number, v: string): string => `INSERT INTO t (v, id) VALUES ('${v}', ${id})`;
    const ask = (id: string): string => `SELECT  v FROM t WHERE id = ${id}`;
    const list = [insert(50, 'a'), insert(51, 'b'), ask('50'), insert(52, 'c'), ask('51'), ask('52')];
    const results = await session.run(list.join(';\n'));
    expect(results.map(({ command, rows }) => rows[0]?.[0] ?? command)).toEqual(['INSERT 0 1', 'INSERT 0 1', 'a', 'INSERT 0 1', 'b', 'c']);
    for (const text of [insert(60, 'z'), ask('60')]) expect(findGeneric(session.host, text)).not.toBeNull();
    // What is wrong is said of the place in the whole text, and nothing of it stays.
    const wrong = [insert(53, 'd'), ask("'x'")].join(';\n');
    await expect(session.run(wrong)).rejects.toMatchObject({ code: '22P02', position: wrong.indexOf("'x'") + 1 });
    await expect(session.run([ask('50'), insert(53, 'too long')].join(';'))).rejects.toMatchObject({ code: '22001' });
    await expect(session.run([insert(53, 'd'), insert(50, 'd')].join(';'))).rejects.toMatchObject({ code: '23505' });
    expect((await session.run(ask('53')))[0].rows).toEqual([]);
  });

  test('a definition, a setting and another role make other plans', async () => {
    const ask = async (sql: string): Promise<string> => {
      const [{ columns, rows }] = await session.run(sql);
      return rows.map((row) => row.map((value, i) => columns![i].type.format(value!, session.env)).join('|')).join('\n');
    };
    await session.run('CREATE TABLE changing (id int PRIMARY KEY, a int); INSERT INTO changing VALUES (1, 10), (2, 20), (3, 30)');
    for (const id of [1, 2, 3]) expect(await ask(`SELECT * FROM changing WHERE id = ${id}`)).toBe(`${id}|${id}0`);
    await session.run("ALTER TABLE changing ADD COLUMN b text DEFAULT 'new'");
    for (const id of [1, 2, 3]) expect(await ask(`SELECT * FROM changing WHERE id = ${id}`)).toBe(`${id}|${id}0|new`);
    for (const time of ['10', '11', '12'])
      expect(await ask(`SELECT timestamptz '2020-01-01 ${time}:00+00' FROM changing WHERE id = 1`)).toBe(`2020-01-01 ${time}:00:00+00`);
    await session.run("SET timezone = 'Asia/Tokyo'");
    expect(await ask(`SELECT timestamptz '2020-01-01 10:00+00' FROM changing WHERE id = 1`)).toBe('2020-01-01 19:00:00+09');
    await session.run('RESET timezone');
    await session.run("CREATE SCHEMA other; CREATE TABLE other.changing (id int PRIMARY KEY, z text); INSERT INTO other.changing VALUES (1, 'other')");
    await session.run('SET search_path = other');
    expect(await ask('SELECT * FROM changing WHERE id = 1')).toBe('1|other');
    await session.run('RESET search_path; DROP TABLE changing');
    await expect(session.run('SELECT * FROM changing WHERE id = 4')).rejects.toMatchObject({ code: '42P01' });
  });
});
