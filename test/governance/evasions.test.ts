/**
 * A merge check is not evaded by exchanging what its query reads: a branch that does fails for an agent without a policy, waits for a
 * person under one, and passes the check's meaning on to a person. What leaves the query's meaning alone passes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { type Governed, openGoverned, reasonsOf } from './open-governed.ts';

const SETUP = `
  CREATE TYPE grade AS ENUM ('good', 'bad');
  CREATE TABLE stock (id int PRIMARY KEY, amount int, kind grade DEFAULT 'good', size smallint DEFAULT 1, note text);
  CREATE TABLE limits (id int PRIMARY KEY, lowest int);
  CREATE TABLE other (id int PRIMARY KEY, text text);
  CREATE TABLE log (at int, amount int) PARTITION BY RANGE (at);
  CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (0) TO (100);
  CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM (100) TO (200);
  CREATE TABLE base (id int, amount int);
  CREATE TABLE derived (more text) INHERITS (base);
  CREATE SCHEMA archive;
  CREATE SCHEMA sales;
  CREATE TABLE sales.deals (id int PRIMARY KEY, amount int);
  CREATE VIEW low AS SELECT s.id FROM stock s, limits l WHERE s.amount < l.lowest;
  CREATE VIEW lower AS SELECT id FROM low;
  CREATE FUNCTION is_low(a int) RETURNS boolean LANGUAGE sql AS 'SELECT a < lowest FROM limits LIMIT 1';
  CREATE FUNCTION worst() RETURNS int LANGUAGE plpgsql STABLE AS 'DECLARE n int; BEGIN SELECT min(amount) INTO n FROM stock; RETURN n; END';
  CREATE FUNCTION less(a int, b int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT a < b';
  CREATE OPERATOR <<< (LEFTARG = int, RIGHTARG = int, FUNCTION = less);
  CREATE DOMAIN pieces AS int;
  CREATE MATERIALIZED VIEW totals AS SELECT sum(amount) AS total FROM stock;
  INSERT INTO stock (id, amount) SELECT i, 10 FROM generate_series(1, 9) i;
  INSERT INTO limits VALUES (1, 0);
  INSERT INTO log SELECT i, 1 FROM generate_series(1, 199) i;`;

const CHECKS: { [name: string]: { query: string; tables: string[] } } = {
  direct: { query: 'SELECT * FROM stock WHERE amount < 0', tables: ['stock'] },
  through_view: { query: 'SELECT * FROM lower', tables: ['stock'] },
  through_function: { query: 'SELECT id FROM stock WHERE is_low(amount)', tables: ['stock'] },
  through_plpgsql: { query: 'SELECT 1 WHERE worst() < 0', tables: ['stock'] },
  graded: { query: "SELECT id FROM stock WHERE kind = 'bad'", tables: ['stock'] },
  sized: { query: 'SELECT id FROM stock WHERE abs(size) < 1', tables: ['stock'] },
  by_operator: { query: 'SELECT id FROM stock WHERE amount <<< 0', tables: ['stock'] },
  qualified: { query: 'SELECT id FROM sales.deals WHERE amount < 0', tables: ['sales.deals'] },
  parts: { query: 'SELECT * FROM log WHERE amount < 0', tables: ['log'] },
  inherited: { query: 'SELECT * FROM base WHERE amount < 0', tables: ['base'] },
  drawn: { query: 'SELECT total FROM totals WHERE total < 0', tables: ['stock'] },
  named: { query: "SELECT * FROM pg_class WHERE oid = 'public.stock'::regclass AND relkind <> 'r'", tables: [] },
};

/** What each says: the check and the object that the refusal names. */
const EVASIONS: { name: string; sql: string; check: string; object: string }[] = [
  {
    name: 'rename of the table beside an empty one',
    sql: 'ALTER TABLE stock RENAME TO s2; CREATE TABLE stock (id int PRIMARY KEY, amount int, kind grade, size smallint, note text)',
    check: 'direct',
    object: 'table stock',
  },
  {
    name: 'rename of the table beside a view of its name',
    sql: 'ALTER TABLE stock RENAME TO s2; CREATE VIEW stock AS SELECT * FROM s2 WHERE amount >= 0',
    check: 'direct',
    object: 'table stock',
  },
  {
    name: 'the table moved to another schema beside an empty one',
    sql: 'ALTER TABLE stock SET SCHEMA archive; CREATE TABLE stock (id int PRIMARY KEY, amount int, kind grade, size smallint, note text)',
    check: 'direct',
    object: 'table stock',
  },
  {
    name: 'the schema renamed beside a new one',
    sql: 'ALTER SCHEMA sales RENAME TO was; CREATE SCHEMA sales; CREATE TABLE sales.deals (id int PRIMARY KEY, amount int)',
    check: 'qualified',
    object: 'table deals of schema sales',
  },
  {
    name: 'rename of the column beside a new one',
    sql: 'ALTER TABLE stock RENAME amount TO a2; ALTER TABLE stock ADD amount int',
    check: 'direct',
    object: 'column amount',
  },
  {
    name: 'two columns that change their names',
    sql: 'ALTER TABLE stock RENAME amount TO a2; ALTER TABLE stock RENAME id TO amount; ALTER TABLE stock RENAME a2 TO id',
    check: 'direct',
    object: 'column amount',
  },
  {
    name: 'the column dropped and added again',
    sql: 'ALTER TABLE stock DROP amount CASCADE; ALTER TABLE stock ADD amount int',
    check: 'direct',
    object: 'column amount',
  },
  {
    name: 'another type of the column',
    sql: 'DROP VIEW lower, low; DROP MATERIALIZED VIEW totals; ALTER TABLE stock ALTER amount TYPE bigint USING 5',
    check: 'direct',
    object: 'column amount',
  },
  {
    name: 'a table of the name in an earlier schema',
    sql: 'CREATE SCHEMA svc; CREATE TABLE svc.stock (id int, amount int)',
    check: 'direct',
    object: 'table stock of schema svc',
  },
  { name: 'a view replaced', sql: 'CREATE OR REPLACE VIEW low AS SELECT id FROM stock WHERE false', check: 'through_view', object: 'view low' },
  { name: 'a view over the view replaced', sql: 'CREATE OR REPLACE VIEW lower AS SELECT id FROM low WHERE false', check: 'through_view', object: 'view lower' },
  {
    name: 'a view dropped and made again',
    sql: 'DROP VIEW lower; CREATE VIEW lower AS SELECT id FROM stock WHERE false',
    check: 'through_view',
    object: 'view lower',
  },
  {
    name: 'a view renamed beside another',
    sql: 'ALTER VIEW low RENAME TO low_2; CREATE OR REPLACE VIEW lower AS SELECT id FROM stock WHERE false',
    check: 'through_view',
    object: 'view lower',
  },
  {
    name: 'a table that the view reads exchanged',
    sql: 'ALTER TABLE limits RENAME TO l2; CREATE TABLE limits (id int, lowest int); CREATE OR REPLACE VIEW low AS SELECT s.id FROM stock s, limits l WHERE s.amount < l.lowest',
    check: 'through_view',
    object: 'table limits',
  },
  {
    name: 'a function replaced',
    sql: "CREATE OR REPLACE FUNCTION is_low(a int) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
    check: 'through_function',
    object: 'function is_low',
  },
  {
    name: 'an overload that fits better',
    sql: "CREATE FUNCTION abs(a smallint, b int DEFAULT 0) RETURNS int LANGUAGE sql AS 'SELECT 9'",
    check: 'sized',
    object: 'function abs',
  },
  {
    name: 'the function in an earlier schema',
    sql: "CREATE SCHEMA svc; CREATE FUNCTION svc.is_low(a int) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
    check: 'through_function',
    object: 'function is_low',
  },
  {
    name: 'what a body in SQL reads exchanged',
    sql: 'ALTER TABLE limits RENAME TO l2; CREATE TABLE limits (id int, lowest int)',
    check: 'through_function',
    object: 'table limits',
  },
  {
    name: 'another search path of the function',
    sql: 'CREATE SCHEMA early; CREATE TABLE early.limits (id int, lowest int); ALTER FUNCTION is_low(int) SET search_path = early, public',
    check: 'through_function',
    object: 'function is_low',
  },
  {
    name: 'what a body in PL/pgSQL calls replaced',
    sql: "CREATE OR REPLACE FUNCTION worst() RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN 0; END'",
    check: 'through_plpgsql',
    object: 'function worst',
  },
  {
    name: 'the function of an operator replaced',
    sql: "CREATE OR REPLACE FUNCTION less(a int, b int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false'",
    check: 'by_operator',
    object: 'function less',
  },
  {
    name: 'another operator of the sign',
    sql: "CREATE FUNCTION never(a smallint, b int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false'; CREATE OPERATOR <<< (LEFTARG = smallint, RIGHTARG = int, FUNCTION = never)",
    check: 'by_operator',
    object: 'operator <<<',
  },
  {
    name: 'an operator of the system shadowed for other types',
    sql: "CREATE FUNCTION never(a numeric, b int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false'; CREATE OPERATOR < (LEFTARG = numeric, RIGHTARG = int, FUNCTION = never)",
    check: 'direct',
    object: 'operator <',
  },
  {
    name: 'a cast that is implicit',
    sql: "CREATE FUNCTION as_text(a grade) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'; CREATE CAST (grade AS int) WITH FUNCTION as_text(grade) AS IMPLICIT",
    check: 'graded',
    object: 'a cast',
  },
  {
    name: 'labels of an enum that change their names',
    sql: "ALTER TYPE grade RENAME VALUE 'bad' TO 'poor'; ALTER TYPE grade RENAME VALUE 'good' TO 'bad'",
    check: 'graded',
    object: 'label bad of type grade',
  },
  { name: 'a partition detached', sql: 'ALTER TABLE log DETACH PARTITION log_2', check: 'parts', object: 'table log_2' },
  { name: 'a child that inherits no more', sql: 'ALTER TABLE derived NO INHERIT base', check: 'inherited', object: 'table derived' },
  { name: 'row security switched on', sql: 'ALTER TABLE stock ENABLE ROW LEVEL SECURITY', check: 'direct', object: 'row security of table stock' },
  { name: 'a policy made', sql: 'CREATE POLICY hide ON stock USING (amount >= 0)', check: 'direct', object: 'policy hide of table stock' },
  {
    name: 'a materialized view of another query',
    sql: 'DROP MATERIALIZED VIEW totals; CREATE MATERIALIZED VIEW totals AS SELECT 0::bigint AS total',
    check: 'drawn',
    object: 'table totals',
  },
  {
    name: 'a table that a string names',
    sql: 'ALTER TABLE stock RENAME TO s2; CREATE TABLE stock (id int PRIMARY KEY, amount int, kind grade, size smallint, note text)',
    check: 'named',
    object: 'table stock',
  },
];

/** What does not change what any check reads. */
const HARMLESS: { name: string; sql: string }[] = [
  { name: 'rows', sql: 'UPDATE stock SET amount = 11 WHERE id = 1' },
  { name: 'a column more', sql: 'ALTER TABLE stock ADD weight int' },
  { name: 'a column that no check names', sql: 'ALTER TABLE stock DROP note' },
  { name: 'an index', sql: 'CREATE INDEX ON stock (amount)' },
  { name: 'a constraint', sql: 'ALTER TABLE stock ADD CHECK (amount > -100)' },
  { name: 'a new table', sql: 'CREATE TABLE shelf (id int PRIMARY KEY, name text)' },
  { name: 'a table of the name in a schema outside the search path', sql: 'CREATE TABLE archive.stock (id int)' },
  { name: 'a new view over the table', sql: 'CREATE VIEW cheap AS SELECT id FROM stock WHERE amount < 3' },
  { name: 'a label more', sql: "ALTER TYPE grade ADD VALUE 'fair'" },
  { name: 'a partition more', sql: 'CREATE TABLE log_3 PARTITION OF log FOR VALUES FROM (200) TO (300)' },
  { name: 'another table renamed', sql: 'ALTER TABLE other RENAME TO others' },
  { name: 'a default', sql: 'ALTER TABLE stock ALTER amount SET DEFAULT 3' },
  { name: 'a comment', sql: "COMMENT ON TABLE stock IS 'what there is'" },
];

let governed: Governed;
let number = 0;
beforeAll(async () => {
  governed = await openGoverned();
  const { db } = governed;
  await db.sql({ sql: SETUP });
  for (const [name, { query, tables }] of Object.entries(CHECKS)) await db.set_merge_check({ name, query, tables });
  await db.set_merge_policy({ name: 'free', rules: { schema: true, critical: true, overwrite: true } });
  await governed.agent('plain');
  await governed.agent('ruled', { policy: 'free' });
});
afterAll(() => governed.close());

describe('a merge that exchanges what a check reads', () => {
  test.each(EVASIONS)('$name', async ({ sql, check, object }) => {
    const { db } = governed;
    const plain = await governed.agent('plain');
    const ruled = await governed.agent('ruled');
    const one = `p${number++}`;
    await plain.fork({ name: one });
    await plain.sql({ branch: one, sql });
    const error = await plain.merge({ branch: one }).then(
      () => null,
      (thrown: unknown) => thrown as SvcError,
    );
    expect(error).toMatchObject({ code: '23514', status: 409 });
    expect(error!.message).toContain(`merge check "${check}": the merge exchanges what it reads: `);
    expect(error!.message).toContain(object);
    // The dry run names it, to who is stopped by it.
    const { blocked } = await plain.preview({ branch: one });
    expect(blocked.some(({ rule, message }) => rule === 'merge check' && message.includes(object))).toBe(true);
    await db.discard({ branch: one });

    const two = `r${number++}`;
    await ruled.fork({ name: two });
    await ruled.sql({ branch: two, sql });
    const reasons = await reasonsOf(ruled.merge({ branch: two }));
    expect(reasons.some(({ rule, message }) => rule === 'merge check' && message.includes(`"${check}"`) && message.includes(object))).toBe(true);
    await db.discard({ branch: two });
  });

  test('a person merges it, and the check then holds as it reads in the result', async () => {
    const plain = await governed.agent('plain');
    await plain.fork({ name: 'swap' });
    await plain.sql({
      branch: 'swap',
      sql: "CREATE OR REPLACE FUNCTION is_low(a int) RETURNS boolean LANGUAGE sql AS 'SELECT a < lowest - 1 FROM limits LIMIT 1'",
    });
    await expect(plain.merge({ branch: 'swap' })).rejects.toMatchObject({ code: '23514' });
    expect((await governed.db.preview({ branch: 'swap' })).blocked).toEqual([]);
    await expect(governed.db.merge({ branch: 'swap' })).resolves.toHaveProperty('merged');
    // From now on this is what the check means: the agent may merge again.
    await plain.fork({ name: 'after' });
    await plain.sql({ branch: 'after', sql: 'CREATE TABLE afterwards (id int PRIMARY KEY)' });
    await expect(plain.merge({ branch: 'after' })).resolves.toHaveProperty('merged');
  });

  test('inside its own worlds an agent may exchange what it likes, until it reaches main', async () => {
    const plain = await governed.agent('plain');
    await plain.fork({ name: 'outer' });
    await plain.fork({ name: 'inner', from: 'outer' });
    await plain.sql({ branch: 'inner', sql: 'CREATE OR REPLACE VIEW low AS SELECT id FROM stock WHERE false' });
    await expect(plain.merge({ branch: 'inner' })).resolves.toHaveProperty('merged');
    await expect(plain.merge({ branch: 'outer' })).rejects.toMatchObject({ code: '23514' });
    await plain.discard({ branch: 'outer' });
  });

  test('in parts it fails as in one', async () => {
    const plain = await governed.agent('plain');
    await plain.fork({ name: 'first' });
    await plain.sql({ branch: 'first', sql: 'ALTER TABLE sales.deals RENAME amount TO was; CREATE TABLE unrelated (id int PRIMARY KEY)' });
    await expect(plain.merge({ branch: 'first' })).rejects.toMatchObject({ code: '23514' });
    await expect(plain.merge({ branch: 'first', only_tables: ['sales.deals'] })).rejects.toMatchObject({ code: '23514' });
    await expect(plain.merge({ branch: 'first', only_tables: ['unrelated'] })).resolves.toHaveProperty('merged');
    await plain.discard({ branch: 'first' });
  });
});

describe('a merge that leaves what checks read alone', () => {
  test.each(HARMLESS)('$name', async ({ sql }) => {
    const plain = await governed.agent('plain');
    const branch = `h${number++}`;
    await plain.fork({ name: branch });
    await plain.sql({ branch, sql });
    await expect(plain.merge({ branch })).resolves.toHaveProperty('merged');
  });
});
