/** What releases after 15 brought and svc has too: the same answers as a newer Postgres gives. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import { openSvc } from '../../slt/svc-target.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';

let postgres: Target;
let svc: Target;

beforeAll(async () => {
  postgres = await PGliteTarget.open();
  svc = await openSvc();
  for (const target of [postgres, svc]) {
    await target.reset();
    await target.run("CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
  }
}, 60_000);

afterAll(async () => {
  await svc.close();
  await postgres.close();
});

test.each([
  `SELECT JSON_OBJECT('a': 1, 'b': NULL), JSON_OBJECT('a': 1, 'b': NULL ABSENT ON NULL), JSON_ARRAY(1, 'a', NULL), JSON_ARRAY(1, NULL NULL ON NULL), JSON_ARRAY(SELECT g FROM generate_series(1, 3) g)`,
  `SELECT JSON_OBJECTAGG(k: v), JSON_OBJECTAGG(k: v RETURNING jsonb), JSON_OBJECTAGG(k: v ABSENT ON NULL) FROM (VALUES ('a', 1), ('b', NULL)) t(k, v)`,
  `SELECT JSON_ARRAYAGG(v ORDER BY v DESC) FROM (VALUES (1), (2)) t(v)`,
  `SELECT JSON('{"a": 1}'), JSON_SCALAR(1.5), JSON_SERIALIZE('{"a": 1}' RETURNING text), JSON_SCALAR('x'), JSON_SCALAR(true), JSON_SCALAR(NULL)`,
  `SELECT '{"a":1}'::jsonb IS JSON`,
  `SELECT '{"a":1}' IS JSON, '[1]' IS JSON ARRAY, '1' IS JSON SCALAR, '{"a":1,"a":2}' IS JSON OBJECT WITH UNIQUE KEYS, 'x' IS NOT JSON, NULL IS JSON`,
  `SELECT JSON_OBJECT('a': 1, 'a': 2 WITH UNIQUE KEYS)`,
  `SELECT JSON_OBJECT(NULL: 1)`,
  `SELECT 1 IS JSON`,
  `SELECT JSON('{"a": 1, "a": 2}' WITH UNIQUE KEYS)`,
  `SELECT JSON('{')`,
  `SELECT JSON_OBJECT('a': '[1]' FORMAT JSON, 'd': DATE '2024-01-01', 'j': '{"x": 1}'::jsonb RETURNING jsonb), JSON_ARRAY(ARRAY[1, 2], row(1, 'b')), JSON_OBJECT(), JSON_ARRAY(), JSON_ARRAY(RETURNING jsonb)`,
  `SELECT JSON_ARRAY(1, 2 RETURNING text), JSON_ARRAYAGG(x), JSON_ARRAYAGG(x NULL ON NULL), JSON_ARRAYAGG(x RETURNING jsonb) FILTER (WHERE x > 1) FROM (VALUES (1), (NULL), (2)) v(x)`,
  `UPDATE t SET v = v || '!' WHERE id = 1 RETURNING old.v, new.v, v, id`,
  `INSERT INTO t VALUES (3, 'c') RETURNING old.id, new.id, *`,
  `DELETE FROM t WHERE id = 3 RETURNING WITH (OLD AS o, NEW AS n) o.v, n.v, o.id`,
  `MERGE INTO t USING (VALUES (1), (7)) AS s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 'm' WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'new') RETURNING merge_action(), t.*, s.id`,
  `MERGE INTO t USING (VALUES (1)) AS s(id) ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE RETURNING merge_action(), t.id, s.id`,
  `MERGE INTO t USING (VALUES (5)) AS s(id) ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = s.id`,
  `SELECT * FROM t ORDER BY id`,
])('%s', async (sql) => {
  expect(await answer(svc, sql)).toEqual(await answer(postgres, sql));
});

async function answer(target: Target, sql: string): Promise<unknown> {
  try {
    const [{ columns, rows }] = await target.run(sql);
    return { columns, rows };
  } catch (error) {
    if (error instanceof SqlFailure) return error.code;
    throw error;
  }
}
