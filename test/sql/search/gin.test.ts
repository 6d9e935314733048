/** Indexes with an entry for each lexeme, element or key: they give the rows that a look at every row gives, in every world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestDatabase } from '../session/open-database.ts';

const CONDITIONS = [
  `tv @@ 'apple'`,
  `tv @@ 'apple & pear'`,
  `tv @@ 'apple | plum'`,
  `tv @@ 'apple <-> pear'`,
  `tv @@ 'ap:*'`,
  `tv @@ 'apple:A'`,
  `tv @@ '!apple'`,
  `tv @@ 'plum & !apple'`,
  `tv @@ 'nowhere'`,
  `tv @@ ''`,
  `'pear & fig' @@ tv`,
  `to_tsvector('simple', words) @@ to_tsquery('simple', 'fig & w7')`,
  `tags @> '{3}'`,
  `tags @> '{3,5}'`,
  `tags @> '{}'`,
  `tags @> '{null}'`,
  `tags && '{3,100}'`,
  `tags && '{}'`,
  `tags <@ '{1,2,3,4}'`,
  `tags = '{3}'`,
  `tags = '{}'`,
  `'{4}' <@ tags`,
  `data @> '{"a": 3}'`,
  `data @> '{"list": ["x2"]}'`,
  `data @> '{}'`,
  `data @> '"bare"'`,
  `data ? 'b'`,
  `data ? 'x2'`,
  `data ?| '{b,c}'`,
  `data ?& '{a,list}'`,
  `'{"a": 3}' <@ data`,
  `tags @> '{3}' AND data ? 'b'`,
  `tags @> (SELECT array[3])`,
];

const FILL = `INSERT INTO item SELECT i,
    CASE WHEN i % 11 = 0 THEN NULL ELSE (ARRAY['apple pear','pear apple','plum','fig w7','apricot plum fig','grape'])[i % 6 + 1] || ' w' || i % 40 END,
    CASE i % 9 WHEN 0 THEN '{}' WHEN 1 THEN NULL WHEN 2 THEN ARRAY[i % 7, NULL] ELSE ARRAY[i % 7, i % 13, i % 200] END,
    CASE i % 8 WHEN 0 THEN NULL WHEN 1 THEN '"bare"' WHEN 2 THEN '["b", "x2"]'
      ELSE jsonb_build_object('a', i % 30, 'list', jsonb_build_array('x' || i % 50, i), (ARRAY['b','c','d'])[i % 3 + 1], null) END
  FROM generate_series(RANGE) i`;

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  const columns = `id int PRIMARY KEY, words text, tags int[], data jsonb,
    tv tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', coalesce(words, '')), CASE WHEN id % 2 = 0 THEN 'A'::"char" ELSE 'B' END)) STORED`;
  await t.run(`CREATE TABLE item (${columns}); CREATE INDEX item_tv ON item USING gin (tv)`);
  await t.run(FILL.replace('RANGE', '1, 700'));
  // Over the rows that are there, and one over two columns.
  await t.run(`CREATE INDEX item_words ON item USING gin (to_tsvector('simple', words));
    CREATE INDEX item_both ON item USING gin (tags, data); CREATE INDEX item_some ON item USING gin (data jsonb_path_ops) WHERE id > 700`);
  await t.run(FILL.replace('RANGE', '701, 1200'));
}, 60_000);
afterAll(() => t.close());

/** Rows by the indexes, and by conditions that hide the columns from them. */
async function compare(branch?: string): Promise<void> {
  for (const condition of CONDITIONS) {
    const hidden = condition.replace(/\b(tv|tags|data)\b/g, '(SELECT $1)').replace(`to_tsvector('simple', words)`, `to_tsvector('simple', words || '')`);
    const [by] = await t.lines(`SELECT count(*), sum(id) FROM item WHERE ${condition}`, branch);
    const [all] = await t.lines(`SELECT count(*), sum(id) FROM item WHERE ${hidden}`, branch);
    expect.soft(by, `${branch ?? 'main'}: ${condition}`).toBe(all);
  }
}

describe('rows of an index are those of the table', { timeout: 60_000 }, () => {
  test('as they were put in', () => compare());

  test('after updates and deletes', async () => {
    await t.run(`UPDATE item SET words = 'plum w1', tags = tags || 3 WHERE id % 10 = 0; UPDATE item SET data = NULL WHERE id % 17 = 0;
      UPDATE item SET id = id + 10000 WHERE id % 19 = 0; DELETE FROM item WHERE id % 7 = 0`);
    await compare();
  });

  test('in a branch, and after its merge', async () => {
    await t.run('CREATE WORLD b');
    await t.run(`UPDATE item SET words = 'apple pear fig', tags = '{3,5}' WHERE id BETWEEN 100 AND 160; DELETE FROM item WHERE id BETWEEN 200 AND 230`, 'b');
    await t.run(`UPDATE item SET data = '{"a": 3, "b": 1}' WHERE id BETWEEN 300 AND 350; INSERT INTO item VALUES (9001, 'apple', '{3}', '{"a": 3}')`);
    await compare('b');
    await compare();
    await t.run('MERGE WORLD b');
    await compare();
  });

  test('after rebuilding from the log alone', async () => {
    await t.reopen({ withoutCache: true });
    await compare();
  });
});

test.each([
  [`tv @@ 'apple & w3'`, 'item_tv'],
  [`to_tsvector('simple', words) @@ 'w39'`, 'item_words'],
  [`tags @> '{150}'`, 'item_both'],
  [`data @> '{"list": ["x49"]}'`, 'item_both'],
  [`data @> '{"a": 29}' AND id > 800`, 'item_(?:both|some)'],
])('%s goes by %s', async (condition, index) => {
  const plan = (await t.lines(`EXPLAIN SELECT * FROM item WHERE ${condition}`)).join('\n');
  expect(plan).toMatch(new RegExp(`Bitmap Index Scan on ${index}`));
});

test('what nearly all rows have is no reason to use an index', async () => {
  expect((await t.lines(`EXPLAIN SELECT * FROM item WHERE tags @> '{}'`)).join('\n')).toContain('Seq Scan');
});

test.each([
  ['CREATE INDEX ON item USING gin (id)', '42704', 'data type integer has no default operator class for access method "gin"'],
  ['CREATE UNIQUE INDEX ON item USING gin (tags)', '0A000', 'access method "gin" does not support unique indexes'],
  ['CREATE INDEX ON item USING gin (tags DESC)', '0A000', 'access method "gin" does not support ASC/DESC options'],
  ['CREATE INDEX ON item USING gin (tags) INCLUDE (id)', '0A000', 'access method "gin" does not support included columns'],
  ['CREATE INDEX ON item USING hash (id, words)', '0A000', 'access method "hash" does not support multicolumn indexes'],
  ['CREATE INDEX ON item USING gin (data text_ops)', '42704', 'operator class "text_ops" does not exist for access method "gin"'],
  ['CREATE INDEX ON item USING gin (tags jsonb_ops)', '42804', 'operator class "jsonb_ops" does not accept data type integer[]'],
  ['CREATE INDEX ON item USING nope (id)', '42704', 'access method "nope" does not exist'],
])('%s is refused', async (sql, code, message) => {
  expect((await t.refused(code as '0A000', sql)).message).toBe(message);
});

test('indexes of other methods are recorded, shown and dropped', async () => {
  await t.run('CREATE INDEX g ON item USING gist (tv); CREATE INDEX b ON item USING brin (id); CREATE INDEX h ON item USING hash (words)');
  const methods = `SELECT relname, amname FROM pg_class JOIN pg_am ON pg_am.oid = relam WHERE relname IN ('g', 'b', 'h', 'item_tv') ORDER BY 1`;
  expect(await t.lines(methods)).toEqual(['b brin', 'g gist', 'h hash', 'item_tv gin']);
  expect(await t.lines(`SELECT pg_get_indexdef('g'::regclass)`)).toEqual(['CREATE INDEX g ON public.item USING gist (tv)']);
  await t.run(`INSERT INTO item VALUES (20000, 'apple', NULL, NULL); DROP INDEX g, b, h`);
  expect(await t.lines(methods)).toEqual(['item_tv gin']);
});
