/** The types halfvec and sparsevec, as pgvector has them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDatabase } from '../session/open-database.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run('CREATE EXTENSION vector');
});
afterAll(() => own.close());

test.each<[string, unknown]>([
  ["'[1, 2.5,-3e1]'::halfvec", '[1,2.5,-30]'],
  ["'[0.1]'::halfvec", '[0.099975586]'],
  ["'[65504]'::halfvec(1)", '[65504]'],
  ["'[6e-8]'::halfvec", '[5.9604645e-08]'],
  ["'{1:1.5,3:2}/5'::sparsevec", '{1:1.5,3:2}/5'],
  ["' { 3 : 2 , 1 : 0, 2:-1 } / 5 '::sparsevec(5)", '{2:-1,3:2}/5'],
  ["'{}/3'::sparsevec", '{}/3'],
  ["'[1,0,2]'::vector::sparsevec", '{1:1,3:2}/3'],
  ["'{1:1,3:2}/3'::sparsevec::vector", '[1,0,2]'],
  ["'{1:1,3:2}/3'::sparsevec::halfvec(3)", '[1,0,2]'],
  ["'[1,0.1]'::vector::halfvec", '[1,0.099975586]'],
  ["'[1,2]'::halfvec::vector(2)", '[1,2]'],
  ["'[1,0]'::halfvec::sparsevec", '{1:1}/2'],
  ["ARRAY[1,0,2.5]::halfvec || '[3]'::halfvec", '[1,0,2.5,3]'],
  ['ARRAY[1,0,2]::sparsevec', '{1:1,3:2}/3'],
  ["'[1,2]'::halfvec::real[]", [1, 2]],
  ["'[1,2,3]'::halfvec <-> '[3,2,1]'", Math.sqrt(8)],
  ["'[1,2]'::halfvec <#> '[3,4]'", -11],
  ["'[1,0]'::halfvec <=> '[0,1]'", 1],
  ["'[1,2]'::halfvec <+> '[3,5]'", 5],
  ["'{1:1,2:2,3:3}/3'::sparsevec <-> '{1:3,2:2,3:1}/3'", Math.sqrt(8)],
  ["'{1:1,2:2}/9'::sparsevec <#> '{2:4,9:1}/9'", -8],
  ["'{1:1}/2'::sparsevec <=> '{2:1}/2'", 1],
  ["'{1:1,2:2}/4'::sparsevec <+> '{2:5,4:-1}/4'", 5],
  ["l2_norm('{1:3,2:4}/5'::sparsevec)", 5],
  ["l2_normalize('{1:3,2:4}/5'::sparsevec)", '{1:0.6,2:0.8}/5'],
  ["l2_norm('[3,4]'::halfvec)", 5],
  ["'[1,2]'::halfvec + '[3,4]'::halfvec * '[2,2]'", '[7,10]'],
  ["subvector('[1,2,3]'::halfvec, 2, 2)", '[2,3]'],
  ["binary_quantize('[1,0,-2]'::halfvec)", '100'],
  ["vector_dims('[1,2]'::halfvec)", 2],
  ["'[1,2]'::halfvec < '[1,3]'", true],
  ["'{1:-1}/2'::sparsevec < '{}/2'", true],
  ["'{}/2'::sparsevec < '{2:1}/2'", true],
  ["pg_typeof('[1]'::halfvec(1))::text || format_type('sparsevec'::regtype, 7)", 'halfvecsparsevec(7)'],
])('%s', async (sql, value) => {
  const [row] = await own.rows(`SELECT ${sql} AS v`);
  expect(row.v).toEqual(value);
});

test.each([
  ["'[1,2]'::halfvec(3)", '22000', /expected 3 dimensions, not 2/],
  ["'[70000]'::halfvec", '22003', /"70000" is out of range for type halfvec/],
  ["'[70000]'::vector::halfvec", '22003', /out of range for type halfvec/],
  ["'[1]'::halfvec <-> '[1,2]'", '22000', /different halfvec dimensions 1 and 2/],
  ["'[60000]'::halfvec + '[60000]'", '22003', /overflow/],
  ["'1'::halfvec", '22P02', /invalid input syntax for type halfvec: "1"/],
  ["'{1:1}/2'::sparsevec(3)", '22000', /expected 3 dimensions, not 2/],
  ["'{3:1}/2'::sparsevec", '22000', /index out of bounds/],
  ["'{0:1}/2'::sparsevec", '22000', /index out of bounds/],
  ["'{1:1,1:2}/2'::sparsevec", '22000', /must not contain duplicates/],
  ["'[1]'::sparsevec", '22P02', /invalid input syntax for type sparsevec: "\[1\]"/],
  ["'{1:nan}/2'::sparsevec", '22000', /NaN not allowed in sparsevec/],
  ["'{}/0'::sparsevec", '22000', /at least 1 dimension/],
  ["'{1:1}/1'::sparsevec <-> '{1:1}/2'", '22000', /different sparsevec dimensions 1 and 2/],
  ['NULL::halfvec(16001)', '22023', /dimensions for type halfvec cannot exceed 16000/],
])('%s is refused', async (sql, code, message) => {
  expect((await own.refused(code, `SELECT ${sql}`)).message).toMatch(message);
});

test('columns of both are kept, ordered, indexed, grouped and dumped', async () => {
  await own.run(`CREATE TABLE v (id int PRIMARY KEY, h halfvec(2), s sparsevec(4));
    INSERT INTO v VALUES (1, '[1,0.1]', '{1:1}/4'), (2, '[-1,2]', '{2:-1}/4'), (3, '[-1,2]', '{}/4'), (4, NULL, NULL);
    CREATE INDEX v_h ON v (h); CREATE INDEX v_s ON v (s);
    CREATE INDEX h1 ON v USING hnsw (h halfvec_l2_ops); CREATE INDEX h2 ON v USING hnsw (s sparsevec_cosine_ops); CREATE INDEX h3 ON v USING ivfflat (h halfvec_ip_ops)`);
  expect(await own.lines('SELECT id, h, s FROM v ORDER BY h, s')).toEqual(['2 [-1,2] {2:-1}/4', '3 [-1,2] {}/4', '1 [1,0.099975586] {1:1}/4', '4 null null']);
  expect(await own.lines('SELECT id FROM v ORDER BY s')).toEqual(['2', '3', '1', '4']);
  expect(await own.lines("SELECT id FROM v WHERE s < '{}/4' UNION ALL SELECT id FROM v WHERE h = '[1,0.1]'")).toEqual(['2', '1']);
  expect(await own.lines('SELECT h, count(*) FROM v GROUP BY h ORDER BY 1')).toEqual(['[-1,2] 2', '[1,0.099975586] 1', 'null 1']);
  expect(await own.lines('SELECT sum(h), avg(h) FROM v WHERE id < 4')).toEqual(['[-1,4.1015625] [-0.33325195,1.3662109]']);
  expect(await own.lines("SELECT id FROM v ORDER BY h <-> '[1,0]' LIMIT 1")).toEqual(['1']);
  expect(await own.lines("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'v'::regclass AND attnum > 1")).toEqual([
    'halfvec(2)',
    'sparsevec(4)',
  ]);
  await own.reopen({ withoutCache: true });
  expect(await own.lines('SELECT id, h, s FROM v ORDER BY id')).toEqual(['1 [1,0.099975586] {1:1}/4', '2 [-1,2] {2:-1}/4', '3 [-1,2] {}/4', '4 null null']);
  await own.refused('2BP01', 'DROP EXTENSION vector');
});

test('settings of pgvector have its defaults and bounds', async () => {
  expect(await own.lines('SHOW hnsw.ef_search')).toEqual(['40']);
  expect(await own.lines('SHOW ivfflat.probes')).toEqual(['1']);
  expect(await own.lines('SET hnsw.ef_search = 100; SHOW hnsw.ef_search')).toEqual(['100']);
  await own.refused('22023', 'SET hnsw.ef_search = 0');
  await own.refused('22023', "SET hnsw.iterative_scan = 'maybe'");
  expect(await own.lines("SET hnsw.iterative_scan = 'strict_order'; SHOW hnsw.iterative_scan")).toEqual(['strict_order']);
});
