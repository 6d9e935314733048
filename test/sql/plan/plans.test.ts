/**
 * How statements are carried out, read off their plans: what a plan must show and must not show. Each statement also
 * gives the rows that it gives with the indexes gone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { shownRows, TestDatabase } from '../session/open-database.ts';

interface Case {
  readonly sql: string;
  readonly expect: readonly string[];
  readonly not?: readonly string[];
}

const TABLES = `
CREATE TABLE item (id integer PRIMARY KEY, kind integer NOT NULL, name text, price numeric(10,2), made date, done boolean NOT NULL);
CREATE TABLE part (item bigint, number integer, note varchar(20), PRIMARY KEY (item, number));
CREATE TABLE kind (id integer PRIMARY KEY, title char(10) NOT NULL);
INSERT INTO item SELECT i, i % 40, 'name ' || (i * 7919) % 20000, (i % 977) * 0.25, date '2020-01-01' + i % 900, i % 500 <> 0 FROM generate_series(1, 20000) AS g (i);
INSERT INTO item VALUES (20001, 3, NULL, NULL, NULL, true);
INSERT INTO part SELECT i, n, 'note ' || i % 7 FROM generate_series(1, 5000) AS g (i), generate_series(1, 3) AS h (n);
INSERT INTO kind SELECT i, 'kind ' || i FROM generate_series(0, 39) AS g (i)`;
const INDEXES: Record<string, string> = {
  item_name: 'ON item (name)',
  item_lower: 'ON item (lower(name))',
  item_made: 'ON item (made DESC, id)',
  item_open: 'ON item (kind) WHERE NOT done',
  item_dear: 'ON item (price) WHERE price > 200',
  item_kind_made: 'ON item (kind, made)',
  part_note: 'ON part (note, number)',
};

const CASES: Record<string, readonly Case[]> = {
  'keys and indexes': [
    { sql: 'SELECT * FROM item WHERE id = 7', expect: ['Index Scan using item_pkey on item', 'Index Cond: (id = 7)'], not: ['Filter'] },
    { sql: 'SELECT * FROM item WHERE id BETWEEN 7 AND 9', expect: ['Index Cond: ((id >= 7) AND (id <= 9))'] },
    { sql: 'SELECT * FROM item WHERE id IN (3, 5, 99999)', expect: ['Index Cond: (id = ANY'] },
    { sql: 'SELECT * FROM item WHERE id = ANY (ARRAY[3, 5])', expect: ['Index Scan using item_pkey'] },
    { sql: "SELECT id FROM item WHERE name = 'name 77'", expect: ['Index Only Scan using item_name on item'] },
    { sql: "SELECT id FROM item WHERE name LIKE 'name 123%'", expect: ['Index Only Scan using item_name on item', 'Filter'] },
    { sql: "SELECT id FROM item WHERE name LIKE '%123'", expect: ['Seq Scan on item'] },
    { sql: "SELECT id FROM item WHERE name LIKE 'name%'", expect: ['Seq Scan on item'] },
    { sql: "SELECT id FROM item WHERE kind = 3 AND made = date '2020-02-03'", expect: ['Index Only Scan using item_kind_made', '(kind = 3) AND (made ='] },
    {
      sql: "SELECT id FROM item WHERE kind = 3 AND made > date '2022-06-10'",
      expect: ['Index Only Scan using item_kind_made', 'Index Cond: ((kind = 3) AND (made >'],
    },
    { sql: 'SELECT id FROM item WHERE kind > 3', expect: ['Seq Scan on item'] },
    { sql: 'SELECT * FROM part WHERE item = 12', expect: ['Index Scan using part_pkey', 'Index Cond: (item = 12)'] },
    { sql: 'SELECT * FROM part WHERE item = 12 AND number > 1', expect: ['Index Cond: ((item = 12) AND (number > 1))'] },
    { sql: 'SELECT * FROM part WHERE number = 2', expect: ['Seq Scan on part'] },
  ],
  'indexes over expressions': [
    { sql: "SELECT id FROM item WHERE lower(name) = 'name 77'", expect: ['Index Only Scan using item_lower on item'] },
    { sql: "SELECT id FROM item WHERE lower(name) IN ('name 77', 'name 78')", expect: ['Index Only Scan using item_lower on item'] },
    { sql: "SELECT id FROM item WHERE lower(name) LIKE 'name 123%'", expect: ['Index Scan using item_lower on item'] },
    { sql: "SELECT id FROM item WHERE upper(name) = 'NAME 77'", expect: ['Seq Scan on item'] },
    { sql: 'SELECT id, lower(name) FROM item ORDER BY lower(name) LIMIT 3', expect: ['Index Scan using item_lower'], not: ['Sort'] },
  ],
  'partial indexes': [
    { sql: 'SELECT id FROM item WHERE kind = 20 AND NOT done', expect: ['Index Scan using item_open on item'] },
    { sql: 'SELECT id FROM item WHERE kind = 20 AND done', expect: [], not: ['item_open'] },
    { sql: 'SELECT id FROM item WHERE price > 243.5', expect: ['Index Only Scan using item_dear on item'] },
    { sql: 'SELECT id FROM item WHERE price = 200.25', expect: ['Index Only Scan using item_dear on item'] },
    { sql: 'SELECT id FROM item WHERE price IN (200.25, 201)', expect: ['Index Only Scan using item_dear on item'] },
    { sql: 'SELECT id FROM item WHERE price > 199', expect: ['Seq Scan on item'] },
    { sql: 'SELECT id FROM item WHERE price = 0.25', expect: ['Seq Scan on item'] },
  ],
  orders: [
    { sql: 'SELECT id FROM item ORDER BY id', expect: [], not: ['Sort'] },
    { sql: 'SELECT id FROM item ORDER BY id DESC LIMIT 3', expect: ['Index Scan Backward using item_pkey'], not: ['Sort'] },
    { sql: 'SELECT id FROM item ORDER BY made DESC NULLS FIRST, id LIMIT 3', expect: ['Index Only Scan using item_made'], not: ['Sort'] },
    { sql: 'SELECT id FROM item ORDER BY made, id DESC LIMIT 3', expect: ['Index Only Scan Backward using item_made'], not: ['Sort'] },
    { sql: 'SELECT id FROM item ORDER BY made, id LIMIT 3', expect: ['Sort'] },
    { sql: 'SELECT id, made FROM item WHERE kind = 4 ORDER BY made, id LIMIT 3', expect: [] },
    { sql: 'SELECT made FROM item WHERE kind = 4 ORDER BY made LIMIT 3', expect: ['Index Only Scan using item_kind_made'], not: ['Sort'] },
    { sql: 'SELECT item, number FROM part WHERE item = 5 ORDER BY number DESC', expect: ['Index Scan Backward using part_pkey'], not: ['Sort'] },
  ],
  'first and last values': [
    { sql: 'SELECT min(id), max(id) FROM item', expect: ['Limit', 'Index Scan Backward using item_pkey'], not: ['Aggregate'] },
    { sql: 'SELECT max(made) FROM item', expect: ['item_made'], not: ['Aggregate'] },
    { sql: 'SELECT max(made) FROM item WHERE kind = 5', expect: ['item_kind_made'], not: ['Aggregate'] },
    { sql: 'SELECT min(made) FROM item WHERE kind = 500', expect: ['item_kind_made'], not: ['Aggregate'] },
    { sql: 'SELECT max(number) FROM part WHERE item = 9', expect: ['Index Scan Backward using part_pkey'], not: ['Aggregate'] },
    { sql: 'SELECT max(price) FROM item', expect: ['Aggregate'] },
    { sql: 'SELECT min(id), count(*) FROM item', expect: ['Aggregate'] },
    { sql: 'SELECT max(id) FROM item WHERE id < 0', expect: ['Index Scan Backward using item_pkey'] },
  ],
  'arms of an OR': [
    { sql: "SELECT id FROM item WHERE id = 5 OR name = 'name 77'", expect: ['BitmapOr', 'item_pkey', 'item_name'] },
    { sql: "SELECT id FROM item WHERE (id = 5 OR name = 'name 77' OR id BETWEEN 10 AND 12) AND kind < 30", expect: ['BitmapOr'] },
    { sql: 'SELECT id FROM item WHERE id = 5 OR price = 1', expect: ['Seq Scan on item'] },
  ],
  joins: [
    { sql: "SELECT count(*) FROM item JOIN part ON part.item = item.id WHERE item.name = 'name 77'", expect: ['Nested Loop', 'Index Scan using part_pkey'] },
    { sql: 'SELECT count(*) FROM item JOIN kind ON kind.id = item.kind', expect: ['Hash Join', 'Hash Cond: (item.kind = kind.id)'] },
    {
      sql: "SELECT count(*) FROM item, part, kind WHERE part.item = item.id AND item.kind = kind.id AND kind.title = 'kind 7' AND item.id < 50",
      expect: ['Index Scan using item_pkey on item', 'Index Scan using part_pkey on part'],
    },
    {
      sql: 'SELECT count(*) FROM item a, item b, part c WHERE a.id = b.id AND b.id = c.item AND c.item < 20 AND a.id < 20',
      expect: ['item_pkey'],
      not: ['Seq Scan on item'],
    },
    {
      sql: "SELECT count(*) FROM item, kind WHERE (item.kind = kind.id AND kind.title = 'kind 7' AND item.id < 100) OR (item.kind = kind.id AND kind.title = 'kind 8' AND item.id > 19900)",
      expect: ['item.kind = kind.id'],
      not: ['Join Filter: (((item.kind'],
    },
    {
      sql: 'SELECT item.id, part.note FROM item LEFT JOIN part ON part.item = item.id AND part.number = 2 WHERE item.id IN (5, 19000)',
      expect: ['Nested Loop Left Join', 'part_pkey'],
    },
    // The condition of the join above refuses the nulls of the one below.
    {
      sql: "SELECT count(*) FROM item LEFT JOIN part ON part.item = item.id, kind WHERE kind.id = part.number AND title = 'kind 2'",
      expect: ['Join'],
      not: ['Left Join'],
    },
    {
      sql: 'SELECT count(*) FROM kind LEFT JOIN (item LEFT JOIN part ON part.item = item.id) ON kind.id = part.number',
      expect: ['Left Join', 'Hash Join'],
    },
    {
      sql: 'SELECT count(*) FROM item LEFT JOIN part ON part.item = item.id, kind WHERE kind.id = coalesce(part.number, 3)',
      expect: ['Left Join'],
    },
    // How many rows a common table has is told by its definition.
    {
      sql: 'WITH k AS MATERIALIZED (SELECT id FROM item WHERE id > 5) SELECT count(*) FROM k JOIN part ON part.item = k.id AND part.number = 2',
      expect: ['Hash Join'],
      not: ['part_pkey'],
    },
  ],
  subqueries: [
    {
      sql: 'SELECT id FROM item WHERE id < 20 AND EXISTS (SELECT FROM part WHERE part.item = item.id AND number = 2)',
      expect: ['Semi Join', 'part_pkey'],
      not: ['SubPlan'],
    },
    { sql: 'SELECT count(*) FROM item WHERE NOT EXISTS (SELECT FROM part WHERE part.item = item.id)', expect: ['Anti Join'], not: ['SubPlan'] },
    // Beside other conditions it is looked up among the keys that its rows have.
    {
      sql: 'SELECT count(*) FROM item WHERE NOT done OR EXISTS (SELECT FROM part WHERE part.item = item.id AND part.number = 2)',
      expect: ['Left Join', 'Group Key: part.item'],
      not: ['SubPlan'],
    },
    { sql: 'SELECT id, NOT EXISTS (SELECT FROM part WHERE part.item = item.id) FROM item', expect: ['Left Join'], not: ['SubPlan'] },
    // Few different keys, each of which an index finds.
    { sql: 'SELECT id, NOT EXISTS (SELECT FROM part WHERE part.item = item.kind) FROM item WHERE id < 300', expect: ['SubPlan', 'part_pkey'] },
    { sql: 'SELECT count(*) FROM item WHERE id IN (SELECT item FROM part WHERE number = 2)', expect: ['Semi Join'], not: ['SubPlan'] },
    { sql: 'SELECT count(*) FROM item WHERE id = ANY (SELECT item FROM part)', expect: ['Semi Join'], not: ['SubPlan'] },
    { sql: 'SELECT count(*) FROM kind WHERE (SELECT count(*) FROM item WHERE item.kind = kind.id AND price = 1) > 0', expect: [] },
    {
      sql: 'SELECT count(*) FROM item a WHERE price > (SELECT avg(price) FROM item b WHERE b.price = a.price + 0 AND b.kind = a.kind)',
      expect: ['Group Key'],
      not: ['SubPlan'],
    },
    {
      sql: 'SELECT id FROM item WHERE id < 30 AND 2 <= (SELECT max(number) FROM part WHERE part.item = item.id)',
      expect: ['SubPlan', 'part_pkey'],
      not: ['Group Key'],
    },
    {
      sql: 'SELECT item.id, p.number FROM item, LATERAL (SELECT number FROM part WHERE part.item = item.id ORDER BY number DESC LIMIT 1) p WHERE item.id < 5',
      expect: ['Nested Loop', 'part_pkey'],
    },
    { sql: 'SELECT id FROM item WHERE id < 9 AND id <> ALL (SELECT item FROM part WHERE number = 7)', expect: [] },
  ],
};

let db: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  db = await TestDatabase.open();
  session = db.db.session();
  await session.run(TABLES);
  for (const [name, rest] of Object.entries(INDEXES)) await session.run(`CREATE INDEX ${name} ${rest}`);
}, 60_000);
afterAll(async () => {
  session.close();
  await db.close();
});

const rowsOf = (sql: string): Promise<string[]> => shownRows(session, sql);

describe.each(Object.entries(CASES))('%s', (_name, cases) => {
  test.each(cases.map((each) => [each.sql, each] as const))('%s', async (sql, each) => {
    const plan = (await rowsOf(`EXPLAIN (COSTS OFF) ${sql}`)).join('\n');
    for (const text of each.expect) expect(plan).toContain(text);
    for (const text of each.not ?? []) expect(plan).not.toContain(text);
  });
});

test('the same rows with and without indexes', async () => {
  const all = Object.values(CASES).flat();
  const answers = async (): Promise<string[][]> => {
    const out: string[][] = [];
    for (const { sql } of all) {
      const rows = await rowsOf(sql);
      out.push(/ORDER BY [^)]*$/.test(sql) ? rows : rows.sort());
    }
    return out;
  };
  const indexed = await answers();
  for (const name of Object.keys(INDEXES)) await session.run(`DROP INDEX ${name}`);
  const bare = await answers();
  all.forEach(({ sql }, i) => expect(indexed[i], sql).toEqual(bare[i]));
});
