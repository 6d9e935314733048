/** What lies under a view that is read AS OF another state is of that state: tables, views, policies, functions, definitions. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const head = (): number => t.db.stats()['log_sequence'];

/** What each query gives at a moment is what it gave then, however definitions and rows went on. */
async function sameThen(queries: readonly string[], later: string): Promise<void> {
  const seen = await Promise.all(queries.map((sql) => t.lines(sql.replaceAll(' @', ''))));
  const at = `AS OF '#${head()}'`;
  const world = `AS OF WORLD 'kept'`;
  await t.run('CREATE WORLD kept');
  await t.run(later);
  for (const [i, sql] of queries.entries()) {
    expect(await t.lines(sql.replaceAll(' @', ` ${at}`)), sql).toEqual(seen[i]);
    expect(await t.lines(sql.replaceAll(' @', ` ${world}`)), sql).toEqual(seen[i]);
  }
}

describe('a view AS OF', () => {
  test('over tables, views over views, materialized views, partitions, document tables', async () => {
    await t.run(`CREATE TABLE acct (id int PRIMARY KEY, bal int, owner text); INSERT INTO acct VALUES (1, 100, 'ann'), (2, 50, 'bob');
      CREATE VIEW tot AS SELECT sum(bal) AS s FROM acct; CREATE VIEW twice AS SELECT s * 2 AS d FROM tot;
      CREATE VIEW named AS WITH own AS (SELECT owner, bal FROM acct) SELECT o.owner, (SELECT count(*) FROM acct a WHERE a.bal >= o.bal) AS rank FROM own o;
      CREATE MATERIALIZED VIEW kept_tot AS SELECT s FROM tot; CREATE VIEW over_kept AS SELECT k.s AS a, t.s AS b FROM kept_tot k, tot t;
      CREATE TABLE parts (id int, day int) PARTITION BY RANGE (day); CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
      INSERT INTO parts VALUES (1, 5); CREATE VIEW all_parts AS SELECT * FROM parts ORDER BY id`);
    await sameThen(
      [
        'SELECT s FROM tot @',
        'SELECT d FROM twice @',
        'SELECT * FROM named @ ORDER BY 1',
        'SELECT * FROM over_kept @',
        'SELECT * FROM all_parts @',
        'SELECT s FROM kept_tot @',
        'SELECT x.s FROM tot @ AS x JOIN acct @ b ON b.id = 1',
        'SELECT (SELECT s FROM tot @) + 1',
      ],
      `UPDATE acct SET bal = bal * 5; INSERT INTO acct VALUES (3, 7, 'cy'); REFRESH MATERIALIZED VIEW kept_tot;
       CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20); INSERT INTO parts VALUES (2, 15); ALTER TABLE acct ADD note text;
       CREATE OR REPLACE VIEW tot AS SELECT -1::bigint AS s; ALTER TABLE acct RENAME COLUMN owner TO holder`,
    );
    // What is gone since reads as it was, too.
    await t.run('DROP VIEW named');
    const seen = await t.lines(`SELECT * FROM named AS OF WORLD 'kept' ORDER BY 1`);
    expect(seen).toEqual(['ann 1', 'bob 2']);
  });

  test('inlined SQL functions read that state, with their definitions at that time', async () => {
    await t.run(`CREATE TABLE rates (id int PRIMARY KEY, rate int); INSERT INTO rates VALUES (1, 10);
      CREATE FUNCTION rate() RETURNS int STABLE LANGUAGE sql AS 'SELECT rate FROM rates WHERE id = 1';
      CREATE FUNCTION all_rates() RETURNS SETOF rates STABLE LANGUAGE sql AS 'SELECT * FROM rates';
      CREATE FUNCTION label(n int) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN 'r' || n; END $$;
      CREATE FUNCTION rate_of(n int) RETURNS bigint LANGUAGE sql AS 'SELECT rate + rate() FROM rates WHERE id = n ORDER BY id';
      CREATE VIEW priced AS SELECT rate() AS r, (SELECT max(rate_of(id)) FROM rates) AS m; CREATE VIEW listed AS SELECT label(rate) AS l FROM all_rates()`);
    await sameThen(
      ['SELECT r, m FROM priced @', 'SELECT l FROM listed @'],
      `UPDATE rates SET rate = 99; CREATE OR REPLACE FUNCTION rate() RETURNS int STABLE LANGUAGE sql AS 'SELECT -rate FROM rates'`,
    );
  });

  test('a function that would read the present is refused, not answered wrongly', async () => {
    await t.run(`CREATE TABLE rates (id int PRIMARY KEY, rate int); INSERT INTO rates VALUES (1, 10);
      CREATE FUNCTION rate() RETURNS int STABLE LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT rates.rate FROM rates); END $$;
      CREATE VIEW priced AS SELECT rate() AS r; CREATE VIEW deeper AS SELECT r FROM priced WHERE r IN (SELECT rate())`);
    const at = head();
    await t.run('UPDATE rates SET rate = 99');
    await t.refused('0A000', `SELECT r FROM priced AS OF '#${at}'`);
    await t.refused('0A000', `SELECT r FROM deeper AS OF '#${at}'`);
  });

  test('AS OF inside a view counts from the state that the view is read in', async () => {
    await t.run('CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1)');
    const first = head();
    await t.run(`CREATE VIEW before AS SELECT count(*) AS c FROM n AS OF '#${first}'; INSERT INTO n VALUES (2); CREATE WORLD w`);
    await t.run('INSERT INTO n VALUES (3)', 'w');
    await t.run(`CREATE VIEW here AS SELECT count(*) AS c FROM n; CREATE VIEW there AS SELECT count(*) AS c FROM n AS OF WORLD 'w'`);
    const then = head();
    await t.run('INSERT INTO n VALUES (4), (5)');
    await t.run('INSERT INTO n VALUES (6)', 'w');
    expect(await t.lines(`SELECT a.c AS a, b.c AS b, c.c AS c FROM before AS OF '#${then}' a, here AS OF '#${then}' b, there AS OF '#${then}' c`)).toEqual([
      '1 2 3',
    ]);
    expect(await t.lines(`SELECT a.c AS a, b.c AS b, c.c AS c FROM before a, here b, there c`)).toEqual(['1 4 4']);
  });

  test('a time ago is one moment for all of a statement', async () => {
    await t.run('CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1); CREATE VIEW v AS SELECT count(*) AS c FROM n');
    await new Promise((resolve) => setTimeout(resolve, 80));
    await t.run('INSERT INTO n VALUES (2)');
    expect(await t.lines(`SELECT a.c AS a, b.c AS b FROM v AS OF '-60ms' a, v b`)).toEqual(['1 2']);
    expect(await t.lines(`SELECT count(DISTINCT c) FROM (SELECT (SELECT c FROM v AS OF '-30ms') AS c FROM generate_series(1, 3)) x`)).toEqual(['1']);
  });
});

describe('an expression behind AS OF', () => {
  let first: string;
  beforeEach(async () => {
    await t.run(
      `CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1); CREATE VIEW v AS SELECT count(*)::int AS c FROM n; CREATE TABLE marks (at timestamptz, name text)`,
    );
    first = (await t.rows('SELECT clock_timestamp() AS at'))[0]['at'] as string;
    await new Promise((resolve) => setTimeout(resolve, 60));
    await t.run(`INSERT INTO n VALUES (2), (3); INSERT INTO marks VALUES ('${first}', 'one'); CREATE WORLD w`);
    await t.run('DELETE FROM n WHERE id = 3');
  });

  test('is read once, wherever a table or view stands', async () => {
    const before = `clock_timestamp() - (clock_timestamp() - '${first}'::timestamptz)`;
    for (const [moment, count] of [
      [`'${first}'::timestamptz`, 1],
      [`timestamptz '${first}'`, 1],
      [`('${first}'::text)`, 1],
      [`'${first}'::timestamptz + interval '0 s'`, 1],
      [`(${before})`, 1],
      ['(SELECT max(at) FROM marks)', 1],
      [`(SELECT at FROM marks WHERE name = 'one')`, 1],
      ["(SELECT max(at) FROM marks AS OF WORLD ('w'))", 1],
      [`'#' || ${head()}`, 2],
      ['now()', 2],
      ['current_timestamp', 2],
      [`timezone('UTC', '${first}'::timestamptz) AT TIME ZONE 'UTC'`, 1],
    ] as const) {
      for (const table of ['n', 'v']) {
        const value = table === 'n' ? 'count(*)' : 'sum(c)';
        expect(await t.lines(`SELECT ${value} FROM ${table} AS OF ${moment}`), moment).toEqual([String(count)]);
        expect(await t.lines(`SELECT ${value} FROM ${table} AS OF ${moment} x WHERE true`), moment).toEqual([String(count)]);
        expect(await t.lines(`SELECT ${value} FROM ${table} AS x AS OF ${moment}, generate_series(1, 1) g`), moment).toEqual([String(count)]);
        expect(await t.lines(`SELECT ${value} FROM ${table} AS OF ${moment} AS x JOIN marks m ON true`), moment).toEqual([String(count)]);
      }
    }
    expect(await t.lines(`SELECT count(*) FROM n AS OF WORLD lower('W')`)).toEqual(['3']);
  });

  test('takes parameters, prepared by name, in functions and with other definitions than now', async () => {
    const count = async (sql: string, params: unknown[]): Promise<unknown> => (await t.db.sql({ sql, params: params as never })).results[0].rows[0];
    expect(await count('SELECT count(*) AS c FROM n AS OF $1', [first])).toEqual({ c: 1 });
    expect(await count('SELECT count(*) AS c, $2::int AS p FROM n AS OF $1::timestamptz WHERE id < $2', [first, 9])).toEqual({ c: 1, p: 9 });
    expect(await count('SELECT c FROM v AS OF WORLD $1', ['w'])).toEqual({ c: 3 });
    const prepared = 'PREPARE back(timestamptz) AS SELECT count(*) AS c FROM n AS OF $1';
    expect(await t.lines(`${prepared}; EXECUTE back('${first}')`)).toEqual(['1']);
    expect(await t.lines(`${prepared}; EXECUTE back(now())`)).toEqual(['2']);
    await t.run(`CREATE FUNCTION at(m timestamptz) RETURNS int LANGUAGE plpgsql AS $$ DECLARE c int; BEGIN SELECT count(*) INTO c FROM n AS OF m; RETURN c; END $$;
      CREATE FUNCTION at_sql(m timestamptz) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM n AS OF m'`);
    expect(await t.lines(`SELECT at('${first}'), at(now()) AS b, at_sql('${first}') AS c, at_sql(now()) AS d`)).toEqual(['1 2 1 2']);
    await t.run('ALTER TABLE n ADD name text');
    expect(await t.lines(`SELECT * FROM n AS OF '${first}'::timestamptz`)).toEqual(['1']);
  });

  test('is allowed in views, and refused where it has no meaning', async () => {
    await t.run(
      `CREATE VIEW earlier AS SELECT count(*)::int AS c FROM n AS OF (SELECT max(at) FROM marks); CREATE VIEW just AS SELECT count(*)::int AS c FROM n AS OF current_timestamp`,
    );
    expect(await t.lines('SELECT a.c AS a, b.c AS b FROM earlier a, just b')).toEqual(['1 2']);
    expect(await t.lines(`SELECT pg_get_viewdef('just'::regclass) LIKE '%AS OF%'`)).toEqual(['true']);
    await t.refused('42P01', 'SELECT * FROM marks m, n AS OF m.at');
    await t.refused('42804', 'SELECT * FROM n AS OF 5');
    await t.refused('22004', 'SELECT * FROM n AS OF NULL::timestamptz');
    await t.refused('22007', `SELECT * FROM n AS OF now() + interval '1 h'`);
    await t.refused('25006', 'DELETE FROM n AS OF now()');
    await t.refused('42601', 'SELECT 1 AS OF x FROM n');
    // Postgres's own: "of" is an alias.
    expect(await t.lines('SELECT of.a FROM n AS of (a) ORDER BY 1')).toEqual(['1', '2']);
    expect(await t.lines('SELECT 1 AS of FROM n AS of WHERE of.id = 1')).toEqual(['1']);
  });

  test('a time without a zone is of the session’s TimeZone, and a date that there is not is refused', async () => {
    const at = (await t.rows(`SELECT to_char('${first}'::timestamptz AT TIME ZONE 'Asia/Tokyo', 'YYYY-MM-DD HH24:MI:SS.US') AS at`))[0]['at'] as string;
    expect(await t.lines(`SET timezone = 'Asia/Tokyo'; SELECT count(*) FROM n AS OF '${at}'`)).toEqual(['1']);
    await t.refused('22008', `SELECT * FROM n AS OF '2026-02-30'`);
    await t.refused('22007', `SELECT * FROM n AS OF '2026-02-30T00:00:00Z'`);
  });
});
