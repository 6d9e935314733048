/**
 * Statements of many kinds over one table of wide rows, svc and Postgres 15 side by side, each a process of its own: not what either is best
 * at, but where one of them is slow. A query's figure is the least of some runs; a change runs once.
 */
import { join } from 'node:path';
import { WireClient } from '../wire/wire-client.ts';
import { Postgres } from './postgres.ts';
import { ms, times, type Report } from './report.ts';
import { Served } from './served.ts';

const RUNS = 3;

const SETUP = [
  `CREATE TABLE d (id int PRIMARY KEY, name text, region text, price numeric(10,2))`,
  `INSERT INTO d SELECT g, 'dim '||g, (ARRAY['north','south','east','west'])[1+g%4], (g*37%10000)/100.0 FROM generate_series(1,10000) g`,
  `CREATE TABLE f (id int PRIMARY KEY, d_id int, ts timestamptz, qty int, amount numeric(12,2), val float8, tag text, note text, j jsonb, arr int[], b bool, n numeric)`,
  `INSERT INTO f SELECT g, 1+(g::bigint*7919)%10000, '2024-01-01'::timestamptz + g*interval '37 seconds', g%97, (g::bigint*31%100000)/100.0, sin(g), 'tag'||g%1000, 'some note text number '||g||' with words', jsonb_build_object('a',g%50,'b','x'||g%7,'c',jsonb_build_array(g%3,g%5)), ARRAY[g%10,g%20,g%30], g%3=0, g*1.5 FROM generate_series(1,300000) g`,
  `CREATE INDEX f_d ON f(d_id)`,
  // A table with constraints of each kind, and one in partitions.
  `CREATE TABLE t (id serial PRIMARY KEY, d_id int REFERENCES d, code text UNIQUE, qty int CHECK (qty >= 0), amount numeric(12,2) DEFAULT 0, note text, ts timestamptz DEFAULT now(), tags text[], j jsonb)`,
  `CREATE INDEX ON t (d_id)`,
  `CREATE TABLE audit (id int, was int, is_now int)`,
  `CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO audit VALUES (NEW.id, OLD.qty, NEW.qty); RETURN NULL; END'`,
  `CREATE TABLE m (id int, day date, v numeric) PARTITION BY RANGE (day)`,
  `CREATE TABLE m_1 PARTITION OF m FOR VALUES FROM ('2024-01-01') TO ('2024-02-01')`,
  `CREATE TABLE m_2 PARTITION OF m FOR VALUES FROM ('2024-02-01') TO ('2024-03-01')`,
  `ANALYZE`,
];

const QUERIES = [
  `SELECT count(*) FROM f WHERE note LIKE '%number 123%'`,
  `SELECT count(*) FROM f WHERE note ~ 'ber 1[0-9]+3 '`,
  `SELECT count(*) FROM f WHERE note ILIKE '%NUMBER 77%'`,
  `SELECT count(DISTINCT tag), count(DISTINCT d_id), count(DISTINCT qty) FROM f`,
  `SELECT tag, count(*), sum(amount), avg(val) FROM f GROUP BY tag ORDER BY 2 DESC LIMIT 10`,
  `SELECT date_trunc('month', ts), sum(amount) FROM f GROUP BY 1 ORDER BY 1`,
  `SELECT extract(dow FROM ts), count(*) FROM f GROUP BY 1`,
  `SELECT to_char(ts,'YYYY-MM-DD'), count(*) FROM f GROUP BY 1 ORDER BY 1 LIMIT 5`,
  `SELECT region, sum(qty*price) FROM f JOIN d ON d.id=d_id GROUP BY region`,
  `SELECT d_id, sum(amount) s FROM f GROUP BY d_id HAVING sum(amount)>10000 ORDER BY s DESC LIMIT 10`,
  `SELECT sum(n), avg(n), max(n) FROM f`,
  `SELECT sum(amount*qty) FROM f`,
  `SELECT id, row_number() OVER (PARTITION BY d_id ORDER BY ts DESC) r FROM f ORDER BY r, id LIMIT 10`,
  `SELECT sum(x) FROM (SELECT sum(qty) OVER (PARTITION BY tag ORDER BY id ROWS BETWEEN 5 PRECEDING AND CURRENT ROW) x FROM f) s`,
  `SELECT sum(x) FROM (SELECT lag(qty) OVER (ORDER BY id) x FROM f) s`,
  `SELECT count(*) FROM (SELECT rank() OVER (PARTITION BY qty ORDER BY val) FROM f) s`,
  `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY val) FROM f`,
  `SELECT tag, percentile_disc(0.9) WITHIN GROUP (ORDER BY qty) FROM f GROUP BY tag ORDER BY 1 LIMIT 3`,
  `SELECT length(string_agg(tag, ',' ORDER BY id)) FROM f`,
  `SELECT array_length(array_agg(id ORDER BY val),1) FROM f`,
  `SELECT j->>'b', count(*) FROM f GROUP BY 1`,
  `SELECT count(*) FROM f WHERE j @> '{"a":7}'`,
  `SELECT sum((j->>'a')::int) FROM f`,
  `SELECT sum((j->'c'->>0)::int) FROM f WHERE j ? 'c'`,
  `SELECT count(*) FROM f WHERE 7 = ANY(arr)`,
  `SELECT sum(u) FROM f, unnest(arr) u`,
  `SELECT count(*) FROM f WHERE arr @> ARRAY[3,13]`,
  `SELECT count(*) FROM f WHERE d_id IN (SELECT id FROM d WHERE region='east' AND price>50)`,
  `SELECT count(*) FROM d WHERE NOT EXISTS (SELECT 1 FROM f WHERE d_id=d.id AND qty=96)`,
  `SELECT count(*) FROM f a WHERE val > (SELECT avg(val) FROM f b WHERE b.d_id=a.d_id)`,
  `SELECT count(*) FROM f a JOIN f b ON a.d_id=b.d_id AND a.qty=b.qty AND a.id<b.id`,
  `SELECT count(*) FROM (SELECT d_id FROM f UNION SELECT id FROM d) s`,
  `SELECT count(*) FROM (SELECT tag FROM f EXCEPT SELECT 'tag'||g FROM generate_series(1,500) g) s`,
  `SELECT DISTINCT ON (d_id) d_id, id, ts FROM f ORDER BY d_id, ts DESC LIMIT 10`,
  `SELECT * FROM f ORDER BY note DESC LIMIT 10`,
  `SELECT count(*) FROM (SELECT * FROM f ORDER BY tag, val OFFSET 0) s`,
  `WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM r WHERE i<200000) SELECT sum(i) FROM r`,
  `SELECT sum(i::bigint*i) FROM generate_series(1,1000000) i`,
  `SELECT count(*) FROM generate_series(1,1000) a, generate_series(1,1000) b WHERE (a*b)%7=0`,
  `SELECT md5(string_agg(md5(note), '')) FROM f WHERE id < 50000`,
  `SELECT count(*) FROM f WHERE upper(tag) = 'TAG77' OR substr(note, 6, 4) = 'zzzz'`,
  `SELECT split_part(note,' ',5), count(*) FROM f GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
  `SELECT count(regexp_replace(note,'[0-9]+','N')) FROM f`,
  `SELECT sum(CASE WHEN b THEN qty WHEN qty>50 THEN -1 ELSE 0 END), count(*) FILTER (WHERE b) FROM f`,
  `SELECT count(*) FROM f WHERE ts BETWEEN '2024-03-01' AND '2024-03-15' AND b`,
  `SELECT region, GROUPING(region), qty%5, count(*) FROM f JOIN d ON d.id=d_id GROUP BY CUBE(region, qty%5)`,
  `SELECT count(*) FROM f LEFT JOIN d ON d.id=f.qty*200 WHERE d.id IS NULL`,
  `SELECT sum(sqrt(abs(val))+ln(id)+power(qty,2)) FROM f`,
  `SELECT stddev(val), variance(amount), corr(val,qty) FROM f`,
  `SELECT count(*) FROM f WHERE ts::date = '2024-02-02'`,
  `SELECT json_agg(t) IS NOT NULL FROM (SELECT id, tag, amount FROM f LIMIT 50000) t`,
  `SELECT count(*) FROM f WHERE id IN (SELECT (random()*300000)::int FROM generate_series(1,50000))`,
  `SELECT max(length(repeat(tag, 5))) FROM f`,
  `SELECT count(*) FROM f WHERE to_tsvector('simple', note) @@ to_tsquery('simple','number & words') AND id < 20000`,
  `SELECT mode() WITHIN GROUP (ORDER BY tag) FROM f`,
  `SELECT d.name, x.id FROM d CROSS JOIN LATERAL (SELECT id FROM f WHERE d_id=d.id ORDER BY ts DESC LIMIT 1) x ORDER BY d.id LIMIT 5`,
  `SELECT count(*) FROM d CROSS JOIN LATERAL (SELECT id FROM f WHERE d_id=d.id ORDER BY ts DESC LIMIT 1) x`,
  `SELECT count(*) FROM f WHERE tag = 'tag500'`,
  `SELECT tag, max(ts) FROM f WHERE tag < 'tag2' GROUP BY tag ORDER BY 1 LIMIT 3`,
];

const CHANGES = [
  `UPDATE f SET qty = qty + 1 WHERE id % 10 = 0`,
  `UPDATE f SET note = note || '!' WHERE id % 10 = 0`,
  `DELETE FROM f WHERE id % 50 = 0`,
  `INSERT INTO f (id, d_id, tag) SELECT g, g%1000, 'new' FROM generate_series(1000001,1050000) g`,
  `UPDATE f SET amount = d.price FROM d WHERE d.id = f.d_id AND d.region='west'`,
  `CREATE INDEX f_tag ON f(tag)`,
  `CREATE INDEX f_ts ON f(ts, qty)`,
  `CREATE TABLE f2 AS SELECT * FROM f WHERE b`,
  `MERGE INTO f2 USING d ON f2.id = d.id WHEN MATCHED THEN UPDATE SET qty = 0 WHEN NOT MATCHED THEN INSERT (id, tag) VALUES (d.id, d.name)`,
  `DROP TABLE f2`,
  `INSERT INTO t (d_id, code, qty, amount, note, tags, j) SELECT 1+g%10000, 'code'||g, g%100, g*1.25, 'note '||g, ARRAY['a','b'||g%10], jsonb_build_object('k',g) FROM generate_series(1,50000) g`,
  `UPDATE t SET qty = qty + 1 WHERE id % 3 = 0`,
  `UPDATE t SET d_id = 1 + (d_id + 7) % 10000 WHERE id % 5 = 0`,
  `UPDATE t SET code = code || 'x' WHERE id % 5 = 1`,
  `WITH x AS (UPDATE t SET amount = amount * 1.1 WHERE id % 4 = 0 RETURNING amount) SELECT sum(amount) FROM x`,
  `INSERT INTO t (id, d_id, code, qty) SELECT g*4, 1+g%10000, 'other'||g, 5 FROM generate_series(1,20000) g ON CONFLICT (id) DO UPDATE SET qty = excluded.qty + t.qty`,
  `DELETE FROM t WHERE id % 3 = 2`,
  `CREATE TRIGGER audited AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION audited()`,
  `UPDATE t SET qty = qty + 1 WHERE id % 4 = 1`,
  `DELETE FROM audit`,
  `DO 'BEGIN FOR i IN 1..20000 LOOP INSERT INTO audit VALUES (i, i, i); END LOOP; END'`,
  `ALTER TABLE f ALTER COLUMN qty TYPE bigint`,
  `INSERT INTO m SELECT g, '2024-01-01'::date + g%59, g FROM generate_series(1,50000) g`,
  `UPDATE m SET v = v + 1 WHERE id % 3 = 0`,
  `UPDATE m SET day = day + 1 WHERE day < '2024-02-20' AND id % 7 = 0`,
  `DELETE FROM m WHERE id % 5 = 0`,
];

export async function benchVariety(report: Report, folder: string): Promise<void> {
  if (!Postgres.installed) {
    process.stdout.write('SKIPPED: PostgreSQL 15 is not installed\n');
    return;
  }
  const postgres = await Postgres.start({ tcp: true });
  const served = await Served.start(join(folder, 'variety'));
  try {
    const theirs = await WireClient.login(postgres.port, { user: 'bench', database: 'postgres' });
    const ours = await WireClient.login(served.port, { user: 'svc', database: 'main' });
    const figures = new Map<string, { svc: number; postgres: number }>();
    for (const [client, which] of [
      [theirs, 'postgres'],
      [ours, 'svc'],
    ] as const) {
      client.patience = 120_000;
      for (const sql of SETUP) await took(client, sql);
      for (const [list, runs] of [
        [QUERIES, RUNS],
        [CHANGES, 1],
      ] as const) {
        for (const sql of list) {
          const figure = figures.get(sql) ?? { svc: Infinity, postgres: Infinity };
          figures.set(sql, figure);
          for (let run = 0; run < runs; run++) figure[which] = Math.min(figure[which], await took(client, sql));
        }
      }
      client.quit();
    }
    const all = [...figures].map(([sql, { svc, postgres: peer }]) => ({ sql, svc, peer, share: svc / peer })).sort((a, b) => b.share - a.share);
    report.section('Statements of many kinds over 300,000 wide rows', `Least of ${RUNS} runs; changes once. svc's time, and its share of Postgres 15's.`);
    for (const { sql, svc, share } of all) report.row(sql.replaceAll('|', '\\|').slice(0, 110), `${ms(svc)}, ${times(share)}`);
    report.row('slower than Postgres 15', `${all.filter(({ share }) => share > 1).length} of ${all.length}`);
    report.row('geometric mean of the shares', times(Math.exp(all.reduce((sum, { share }) => sum + Math.log(share), 0) / all.length)));
  } finally {
    await served.stop();
    await postgres.stop();
  }
}

/** Milliseconds until the statement is answered whole; an error ends the run. */
async function took(client: WireClient, sql: string): Promise<number> {
  const begun = performance.now();
  const messages = await client.query(sql);
  const ended = performance.now();
  const error = messages.find(({ type }) => type === 'E');
  if (error !== undefined) throw new Error(`${sql}: ${error.body.toString('utf8')}`);
  messages.length = 0;
  client.messages.length = 0;
  return ended - begun;
}
