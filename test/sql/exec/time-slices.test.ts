/** What a query answers does not depend on the moments at which others are let in. */
import { afterAll, expect, test } from 'vitest';
import { openSvc } from '../../slt/svc-target.ts';
import { withUnsteadyClock } from '../differential/unsteady-clock.ts';

const svc = await openSvc();
afterAll(() => svc.close());

const QUERIES = [
  'SELECT x.id, x.d, z.id FROM t x LEFT JOIN LATERAL (SELECT x.d AS e FROM t y ORDER BY 1) y ON y.e > 5 CROSS JOIN t z',
  'SELECT x.id, y.e, (SELECT max(z.d) FROM t z WHERE z.id < x.id) FROM t x LEFT JOIN LATERAL (SELECT y.d AS e FROM t y WHERE y.id <> x.id ORDER BY 1 LIMIT 3) y ON true',
  'SELECT x.id FROM t x WHERE x.d < ALL (SELECT y.d + x.id FROM t y WHERE EXISTS (SELECT 1 FROM t z WHERE z.id > y.id AND z.d <> x.d))',
  'SELECT x.id, z.id FROM t x, LATERAL (SELECT y.id FROM t y WHERE y.d = x.d OR y.id = x.id) y, LATERAL (SELECT w.id FROM t w WHERE w.id > y.id ORDER BY w.d, w.id LIMIT 2) z',
  'SELECT x.id, (SELECT count(*) FROM t y WHERE y.d > x.d) AS n FROM t x WHERE (SELECT count(*) FROM t y WHERE y.d > x.d) IN (SELECT z.id FROM t z WHERE z.id <> x.id)',
];

test('rows of loops inside of loops stay together wherever a slice ends', async () => {
  await svc.run('CREATE TABLE t (id int PRIMARY KEY, d int); INSERT INTO t SELECT g, CASE WHEN g % 3 > 0 THEN g * 7 % 11 END FROM generate_series(1, 13) g');
  for (const sql of QUERIES) {
    const rows = async (): Promise<string[]> => (await svc.run(sql))[0].rows.map(String).sort();
    const expected = await rows();
    for (let seed = 1; seed <= 40; seed++) expect(await withUnsteadyClock(seed, rows), `seed ${seed}: ${sql}`).toEqual(expected);
  }
});
