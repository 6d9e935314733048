/** SQL beside Postgres 15, SQLite and DuckDB over the same rows in one run. Answers must agree before anything is timed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '../../src/sql/parse/parse.ts';
import { execContext } from '../../src/sql/session/exec-context.ts';
import { ms, perSecond, type Report, times } from './report.ts';
import { DuckEngine, difference, type Engine, PostgresEngine, SqliteEngine, SvcEngine } from './sql-engines.ts';
import { Postgres } from './postgres.ts';
import { tpchQueries } from './tpch-queries.ts';

const ROWS = 1_000_000;
const SCALE = 0.1;
/** Code is compiled as it runs: what a server gives that has been up for a while comes after some thirty runs. */
const RUNS = 40;

const DDL = `CREATE TABLE big (id integer PRIMARY KEY, n integer NOT NULL, g integer NOT NULL, f double precision NOT NULL, s text NOT NULL);
CREATE TABLE small (id integer PRIMARY KEY, v integer NOT NULL)`;

/** The same rows everywhere; nothing but whole numbers is computed, so that texts and doubles agree. */
const FILL = (source: string): string => `INSERT INTO big SELECT i, (i * 1009) % 1000003, i % 1000, i * 0.25, 'city ' || ((i * 7) % 20) FROM ${source}`;
const SERIES: Record<string, (count: number) => string> = {
  svc: (count) => `generate_series(1, ${count}) AS t (i)`,
  'Postgres 15': (count) => `generate_series(1, ${count}) AS t (i)`,
  DuckDB: (count) => `range(1, ${count + 1}) AS t (i)`,
  SQLite: (count) => `(WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < ${count}) SELECT i FROM t)`,
};

const QUERIES: readonly [name: string, sql: string, goal: string][] = [
  ['filter + sum', 'SELECT sum(n), count(*) FROM big WHERE n < 500000', '≥ 5 ×'],
  ['group by int (1,000 groups)', 'SELECT g, count(*), sum(n) FROM big GROUP BY g ORDER BY g', '≥ 5 ×'],
  ['group by text (20 groups)', 'SELECT s, count(*), sum(n) FROM big GROUP BY s ORDER BY s', '≥ 5 ×'],
  ['top 10 by a column', 'SELECT id, n FROM big ORDER BY n DESC, id LIMIT 10', ''],
  ['join with 1,000 rows, sum', 'SELECT sum(small.v), count(*) FROM big JOIN small ON small.id = big.g', ''],
  ['self join by key, 1 M rows each', 'SELECT count(*), sum(b.g) FROM big a JOIN big b ON b.id = a.n', ''],
];

export async function benchSql(report: Report, folder: string, parts: { queries: boolean; tpch: boolean }): Promise<void> {
  const home = join(folder, 'sql');
  mkdirSync(home);
  if (!Postgres.installed) {
    report.section('SQL');
    report.row('Postgres 15', 'skipped', 'install the Debian package postgresql-15');
    return;
  }
  const postgres = await Postgres.start();
  try {
    if (parts.queries) await benchQueries(report, postgres, home);
    if (parts.tpch) await benchTpch(report, postgres, home);
  } finally {
    await postgres.stop();
  }
}

async function benchQueries(report: Report, postgres: Postgres, home: string): Promise<void> {
  report.section(
    'SQL over 1 M rows',
    `${ROWS.toLocaleString('en-US')} rows of (integer key, integer, integer, double, text). Best of ${RUNS} runs; a peer's figure is followed by svc's advantage over it.`,
  );
  const svc = await SvcEngine.open(join(home, 'svc'));
  const peers: Engine[] = [new PostgresEngine(postgres, 'sql', home), await SqliteEngine.open(home, 'sql.sqlite'), await DuckEngine.open(home, 'sql.duckdb')];
  const engines = [svc, ...peers];
  try {
    const inserted: Record<string, number> = {};
    for (const engine of engines) {
      for (const sql of DDL.split(';')) await engine.exec(sql);
      [inserted[engine.name]] =
        engine.name === 'SQLite' ? await once(() => engine.exec(FILL(SERIES.SQLite(ROWS)))) : await once(() => engine.exec(FILL(SERIES[engine.name](ROWS))));
      await engine.exec(`INSERT INTO small SELECT i - 1, i % 10 FROM ${SERIES[engine.name](1000)}`);
      await engine.analyze();
    }
    for (const [name, sql, goal] of QUERIES) await compare(report, name, sql, goal, svc, peers);
    for (const { name } of engines) report.row(`INSERT … SELECT, ${name}`, `${((inserted[name] * 1000) / ROWS).toFixed(2)} µs a row`);
    report.row('INSERT … SELECT, svc against Postgres 15', times(inserted['Postgres 15'] / inserted.svc));
    await benchPoints(report, svc, postgres, peers[1] as SqliteEngine);
    await benchInserts(report, svc, peers[1] as SqliteEngine);
  } finally {
    for (const engine of engines) await engine.close();
  }
}

async function compare(report: Report, name: string, sql: string, goal: string, svc: SvcEngine, peers: readonly Engine[]): Promise<void> {
  const expected = await peers[0].rows(sql);
  const wrong = difference(expected, await svc.rows(sql));
  if (wrong !== null) throw new Error(`${name}: ${wrong}`);
  const own = Math.min(...(await svc.time(sql, RUNS)));
  report.row(`${name}: svc`, ms(own));
  for (const peer of peers) {
    const other = difference(expected, await peer.rows(sql));
    if (other !== null) throw new Error(`${name}, ${peer.name}: ${other}`);
    const took = Math.min(...(await peer.time(sql, peer.name === 'SQLite' ? 1 : RUNS)));
    report.row(`${name}: ${peer.name}`, `${ms(took)} (${times(took / own)})`, peer.name === 'Postgres 15' ? goal : '');
  }
}

async function benchPoints(report: Report, { session }: SvcEngine, postgres: Postgres, { db }: SqliteEngine): Promise<void> {
  const COUNT = 30_000;
  const sql = 'SELECT n, s FROM big WHERE id = $1';
  session.startStatement();
  const prepared = session.prepare(parse(sql)[0] as Parameters<typeof session.prepare>[0], []);
  const key = (i: number): number => ((i * 7919) % ROWS) + 1;
  const inside = (): void => {
    for (let i = 0; i < COUNT; i++) {
      const cursor = prepared.executable.run(execContext(session, [key(i)], null));
      for (let batch = cursor.next(); batch !== null; batch = cursor.next());
    }
  };
  inside();
  const [engine] = await once(async () => inside());
  session.rollback();
  const through = async (): Promise<void> => {
    for (let i = 0; i < COUNT; i++) await session.run(sql, [key(i)]);
  };
  await through();
  const [run] = await once(through);
  const get = db.prepare('SELECT n, s FROM big WHERE id = ?');
  const sqlite = async (): Promise<void> => {
    for (let i = 0; i < COUNT; i++) get.get(key(i));
  };
  await sqlite();
  const [other] = await once(sqlite);
  const script = postgres.file('point.sql', `\\set id random(1, ${ROWS})\nSELECT n, s FROM big WHERE id = :id;\n`);
  const out = postgres.run('pgbench', [...postgres.at('sql').filter((arg) => arg !== '-d'), '-n', '-M', 'prepared', '-T', '2', '-f', script]);
  report.row('point query, plan kept, inside the engine', ms(engine / COUNT), '≤ 10 µs');
  report.row('point query through a session', ms(run / COUNT));
  report.row('point query, SQLite, statement kept', ms(other / COUNT));
  report.row('point query, Postgres 15, over its socket, prepared', ms(Number(/latency average = ([\d.]+) ms/.exec(out)![1])));
}

async function benchInserts(report: Report, { session }: SvcEngine, { db }: SqliteEngine): Promise<void> {
  const COUNT = 20_000;
  await session.run('CREATE TABLE fresh (id integer PRIMARY KEY, n integer, s text)');
  const [own] = await once(async () => {
    await session.run('BEGIN');
    for (let i = 0; i < COUNT; i++) await session.run('INSERT INTO fresh VALUES ($1, $2, $3)', [i, i, 'text']);
    await session.run('COMMIT');
  });
  db.exec('CREATE TABLE fresh (id integer PRIMARY KEY, n integer, s text)');
  const insert = db.prepare('INSERT INTO fresh VALUES (?, ?, ?)');
  const [other] = await once(async () => {
    db.exec('BEGIN');
    for (let i = 0; i < COUNT; i++) insert.run(i, i, 'text');
    db.exec('COMMIT');
  });
  report.row('one row a statement, one transaction: svc', perSecond((COUNT * 1000) / own));
  report.row('one row a statement, one transaction: SQLite', perSecond((COUNT * 1000) / other));
  const [update] = await once(() => session.run('UPDATE fresh SET n = n + 1'));
  const [removed] = await once(() => session.run('DELETE FROM fresh'));
  report.row('UPDATE of every row', `${((update * 1000) / COUNT).toFixed(2)} µs a row`);
  report.row('DELETE of every row', `${((removed * 1000) / COUNT).toFixed(2)} µs a row`);
}

async function benchTpch(report: Report, postgres: Postgres, home: string): Promise<void> {
  report.section(
    'TPC-H',
    `The 22 queries at SF ${SCALE}, after a first run, best of three; SQLite's are cancelled after three seconds. svc has a cache of 1 GB; all but DuckDB have an index on lineitem (l_partkey, l_suppkey) besides the keys. Ratios are the peer's time over svc's.`,
  );
  const svc = await SvcEngine.open(join(home, 'tpch'));
  const pg = new PostgresEngine(postgres, 'tpch', home);
  const duck = await DuckEngine.open(home, 'tpch.duckdb');
  const sqlite = await SqliteEngine.open(home, 'tpch.sqlite');
  sqlite.patienceMs = 3000;
  const engines: Engine[] = [svc, pg, duck, sqlite];
  try {
    for (const engine of engines) {
      const [took] = await once(() => engine.loadTpch(SCALE));
      // Postgres and SQLite run the subqueries of 17 and 20 row by row: without this they take minutes.
      if (engine !== duck) await engine.exec('CREATE INDEX lineitem_part ON lineitem (l_partkey, l_suppkey)');
      await engine.analyze();
      report.row(`load, ${engine.name}`, ms(took));
    }
    const ratios: Record<string, number[]> = { 'Postgres 15': [], DuckDB: [], SQLite: [], first: [] };
    let skipped = 0;
    for (const [i, sql] of tpchQueries(SCALE).entries()) {
      const expected = await pg.rows(sql);
      const [first, got] = await once(() => svc.rows(sql));
      const wrong = difference(expected, got);
      if (wrong !== null) throw new Error(`query ${i + 1}: ${wrong}`);
      const duckWrong = difference(expected, await duck.rows(sql));
      if (duckWrong !== null) throw new Error(`query ${i + 1}, DuckDB: ${duckWrong}`);
      const own = Math.min(...(await svc.time(sql, 3)));
      const theirs = Math.min(...(await pg.time(sql, 3)));
      const ducks = Math.min(...(await duck.time(sql, 3)));
      let lites = Number.NaN;
      try {
        const liteWrong = difference(expected, await sqlite.rows(sql));
        if (liteWrong !== null) throw new Error(`query ${i + 1}, SQLite: ${liteWrong}`);
        [lites] = await sqlite.time(sql, 1);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error;
        skipped++;
      }
      ratios['Postgres 15'].push(theirs / own);
      ratios.first.push(theirs / first);
      ratios.DuckDB.push(ducks / own);
      if (lites > 0) ratios.SQLite.push(lites / own);
      report.row(
        `query ${i + 1}: svc; Postgres, DuckDB, SQLite`,
        `${ms(own)}; ${times(theirs / own)}, ${times(ducks / own)}, ${lites > 0 ? times(lites / own) : '–'}`,
      );
    }
    report.row('geometric mean, svc against Postgres 15', times(geometricMean(ratios['Postgres 15'])), '≥ 1 ×');
    report.row('the same with a new plan, Postgres warm', times(geometricMean(ratios.first)));
    report.row('geometric mean, svc against DuckDB', times(geometricMean(ratios.DuckDB)));
    report.row(`geometric mean, svc against SQLite (${skipped} queries not counted)`, times(geometricMean(ratios.SQLite)));
  } finally {
    for (const engine of engines) await engine.close();
  }
}

const geometricMean = (values: readonly number[]): number => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

async function once<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
}
