/** Joins that look rows up in the hashes of system relations, against the same joins by scans; and which plans they have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onlyText } from '../../../src/sql/plan/rules/virtual-lookup.ts';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import { TestDatabase } from '../session/open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  const tables = Array.from({ length: 30 }, (_, i) => `CREATE TABLE t${i} (id int PRIMARY KEY, c${i} text, d int${i > 0 ? ` REFERENCES t${i - 1}` : ''})`);
  await t.run([...tables, `COMMENT ON TABLE t3 IS 'third'`, 'CREATE VIEW v AS SELECT id FROM t1'].join(';'));
});
afterAll(() => t.close());

const OWN = `c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`;

/** `by`: the condition that a hash answers; in `hidden` it stands so that none does. */
const CASES: Record<
  string,
  { readonly sql: (by: string) => string; readonly by: string; readonly hidden: string; readonly node: string; readonly never?: string }
> = {
  inner: {
    sql: (by) => `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON ${by} WHERE ${OWN} AND a.attnum > 0 ORDER BY 1, 2`,
    by: 'a.attrelid = c.oid',
    hidden: 'a.attrelid::text = c.oid::text',
    node: 'Index Scan on pg_attribute',
  },
  left: {
    sql: (by) => `SELECT c.relname, d.description FROM pg_class c LEFT JOIN pg_description d ON ${by} AND d.objsubid = 0 WHERE ${OWN} ORDER BY 1`,
    by: 'd.objoid = c.oid',
    hidden: 'd.objoid::text = c.oid::text',
    node: 'Index Scan on pg_description',
  },
  'a left join that waits for the inner ones': {
    sql: (by) =>
      `SELECT c.relname, d.description, n.nspname FROM pg_class c LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0 JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${by} ORDER BY 1`,
    by: `c.relname IN ('t3', 't4') AND n.nspname = 'public'`,
    hidden: `c.relname::text || '' IN ('t3', 't4') AND n.nspname::text || '' = 'public'`,
    node: 'Index Scan on pg_class',
  },
  exists: {
    sql: (by) => `SELECT c.relname FROM pg_class c WHERE ${OWN} AND EXISTS (SELECT 1 FROM pg_constraint k WHERE ${by} AND k.contype = 'f') ORDER BY 1`,
    by: 'k.conrelid = c.oid',
    hidden: 'k.conrelid::text = c.oid::text',
    node: 'pg_constraint',
  },
  'not exists': {
    sql: (by) => `SELECT c.relname FROM pg_class c WHERE ${OWN} AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE ${by} AND k.contype = 'f') ORDER BY 1`,
    by: 'k.conrelid = c.oid',
    hidden: 'k.conrelid::text = c.oid::text',
    node: 'pg_constraint',
  },
  'a subquery in the list': {
    sql: (by) => `SELECT c.relname, (SELECT count(*) FROM pg_attribute a WHERE ${by} AND a.attnum > 0) FROM pg_class c WHERE ${OWN} ORDER BY 1`,
    by: 'a.attrelid = c.oid',
    hidden: 'a.attrelid::text = c.oid::text',
    node: 'pg_attribute',
  },
  'a lateral join of derived rows, which only their join equates with the outer row': {
    sql: (by) =>
      `SELECT c.relname, x.n FROM pg_class c LEFT JOIN LATERAL (SELECT count(*) AS n FROM pg_attribute a
         JOIN (SELECT attrelid, attnum FROM pg_attribute CROSS JOIN (SELECT current_setting('server_version_num')::int > 0) AS v(later)) AS d ON d.attrelid = a.attrelid AND d.attnum = a.attnum
         WHERE ${by}) x ON true WHERE ${OWN} ORDER BY 1`,
    by: 'a.attrelid = c.oid',
    hidden: 'a.attrelid::text = c.oid::text',
    node: 'Index Scan on pg_attribute',
    never: 'Seq Scan on pg_attribute',
  },
  lateral: {
    sql: (by) =>
      `SELECT c.relname, x.attname FROM pg_class c CROSS JOIN LATERAL (SELECT a.attname FROM pg_attribute a WHERE ${by} AND a.attnum > 0 ORDER BY a.attnum DESC LIMIT 1) x WHERE ${OWN} ORDER BY 1`,
    by: 'a.attrelid = c.oid',
    hidden: 'a.attrelid::text = c.oid::text',
    node: 'Index Scan on pg_attribute',
  },
  'an array': {
    sql: (by) => `SELECT attname FROM pg_attribute WHERE ${by} AND attnum > 0 ORDER BY 1`,
    by: `attrelid = ANY (ARRAY['t3'::regclass, 't4'::regclass, 't3'::regclass]::oid[])`,
    hidden: `attrelid::text = ANY (ARRAY['t3'::regclass::oid::text, 't4'::regclass::oid::text])`,
    node: 'Index Scan on pg_attribute',
  },
  'a regular expression of one name': {
    sql: (by) => `SELECT relname FROM pg_class WHERE ${by} ORDER BY 1`,
    by: `relname OPERATOR(pg_catalog.~) '^(t3)$' COLLATE pg_catalog.default`,
    hidden: `relname ~ '^(t3|t3)$'`,
    node: 'Index Scan on pg_class',
  },
  'a value from a subquery': {
    sql: (by) => `SELECT c.relname, a.attname FROM pg_class c LEFT JOIN pg_attribute a ON ${by} AND a.attname = 'd' WHERE ${OWN} ORDER BY 1`,
    by: 'a.attrelid = (SELECT o.oid FROM pg_class o WHERE o.relname = c.relname AND o.relnamespace = c.relnamespace)',
    hidden: 'a.attrelid::text = c.oid::text',
    node: 'Index Scan on pg_attribute',
  },
};

test.each(Object.entries(CASES))('%s', async (_, { sql, by, hidden, node, never }) => {
  const found = await t.lines(sql(by));
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(await t.lines(sql(hidden)));
  const plan = (await t.lines(`EXPLAIN ${sql(by)}`)).join('\n');
  expect(plan).toContain(node);
  if (never !== undefined) expect(plan).not.toContain(never);
});

test('a pattern is one text where nothing else matches it', () => {
  const text = (pattern: string): string | null => {
    const args = [{ kind: 'column' }, { kind: 'constant', value: pattern }];
    return (onlyText({ kind: 'call', proc: 'textregexeq', args } as unknown as Bound) as { value: string } | null)?.value ?? null;
  };
  for (const [pattern, only] of [
    ['^(abc)$', 'abc'],
    ['^abc$', 'abc'],
    [String.raw`^(a\.b_c\$)$`, 'a.b_c$'],
    ['^(ü-1 x)$', 'ü-1 x'],
    ['^(a.c)$', null],
    ['^(a|b)$', null],
    ['^(ab*)$', null],
    ['abc$', null],
    ['^abc', null],
    [String.raw`^(\d)$`, null],
    ['^(a[b]c)$', null],
  ] as const) {
    expect(text(pattern), pattern).toBe(only);
  }
});
