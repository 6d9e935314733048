/** ORDER BY a distance, LIMIT: the rows of a full sort, for every operator, with filters, NULLs, forks, the past and uncommitted rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shownRows, TestDatabase } from '../sql/session/open-database.ts';
import { seeded } from './seeded.ts';

const ROWS = 1500;
const DIMENSIONS = 5;
const next = seeded(5);
const vector = (): string => `[${Array.from({ length: DIMENSIONS }, () => Math.round((next() - 0.5) * 40) / 8).join(',')}]`;

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  const values = Array.from({ length: ROWS }, (_, i) => {
    const text = i % 50 === 0 ? 'NULL' : i % 97 === 0 ? "'[0,0,0,0,0]'" : `'${vector()}'`;
    return `(${i}, ${i % 10}, ${text}, ${text})`;
  });
  await own.run(
    'CREATE EXTENSION vector; CREATE TABLE items (id int PRIMARY KEY, n int, e vector(5), h halfvec(5)); CREATE INDEX near ON items USING hnsw (e vector_l2_ops)',
  );
  for (let i = 0; i < ROWS; i += 100) await own.run(`INSERT INTO items VALUES ${values.slice(i, i + 100).join(', ')}`);
});
afterAll(() => own.close());

async function plan(sql: string): Promise<string> {
  return (await own.lines(`EXPLAIN (COSTS OFF) ${sql}`)).join('\n');
}

/** A second key keeps the sort, which compares all rows. */
async function agrees(from: string, by: string, limit: string, branch?: string): Promise<string[]> {
  const rows = await own.lines(`SELECT id FROM ${from} ORDER BY ${by} LIMIT ${limit}`, branch);
  expect(rows).toEqual(await own.lines(`SELECT id FROM ${from} ORDER BY ${by}, id LIMIT ${limit}`, branch));
  return rows;
}

const cases = ['e', 'h'].flatMap((column) => ['<->', '<#>', '<=>', '<+>'].map((operator): [string, string] => [column, operator]));

test.each(cases)('rows by %s %s are those of a sort', async (column, operator) => {
  const type = column === 'e' ? 'vector' : 'halfvec';
  const by = `${column} ${operator} '[1,-2,0.5,2,-1]'::${type}`;
  expect(await plan(`SELECT id FROM items ORDER BY ${by} LIMIT 5`)).toContain('Ranked Scan');
  expect(await plan(`SELECT id FROM items ORDER BY ${by}, id LIMIT 5`)).not.toContain('Ranked Scan');
  expect(await agrees('items', by, '10')).toHaveLength(10);
  expect(await agrees('items', by, '7 OFFSET 300')).toHaveLength(7);
  expect(await agrees('items WHERE n = 3', by, '40')).toHaveLength(40);
  expect(await agrees('items WHERE n = 3 AND id < 30', by, '10')).toHaveLength(3);
  // All of them: those without a vector come last.
  expect(await agrees('items', by, String(ROWS + 1))).toHaveLength(ROWS);
  expect(await agrees('items', `'[0,0,0,0,1]'::${type} ${operator} ${column}`, '20')).toHaveLength(20);
});

test('a filter that few rows pass yields all of them', async () => {
  await own.run('CREATE TABLE rare (id int PRIMARY KEY, e vector(5), word text); INSERT INTO rare SELECT id, e, id::text FROM items');
  const few = "rare WHERE word LIKE '%99%' AND length(word) > 2";
  expect((await agrees(few, "e <-> '[0,1,0,1,0]'", '50')).length).toBe((await own.lines(`SELECT id FROM ${few}`)).length);
});

test('EXPLAIN names the index that was made for it', async () => {
  const text = await plan("SELECT id, e <-> '[1,2,3,4,5]' AS d FROM items WHERE n < 5 ORDER BY d LIMIT 3");
  expect(text).toContain('Ranked Scan using near on items');
  expect(text).toContain("Order By: (e <-> '[1,2,3,4,5]'::vector)");
  expect(text).toContain('Filter: (n < 5)');
  expect(await plan("SELECT id FROM items ORDER BY e <+> '[1,2,3,4,5]' LIMIT 3")).toContain('Ranked Scan by distance on items');
  expect(await plan("SELECT id FROM items ORDER BY e <-> '[1,2,3,4,5]' DESC LIMIT 3")).not.toContain('Ranked Scan');
  expect(await plan("SELECT id FROM items ORDER BY e <-> '[1,2,3,4,5]'")).not.toContain('Ranked Scan');
});

test('forks, the past and uncommitted rows are ranked as they are', async () => {
  const by = "e <-> '[9,9,9,9,9]'";
  const before = await own.lines(`SELECT id FROM items ORDER BY ${by} LIMIT 3`);
  await own.db.fork({ name: 'far' });
  const [now] = await own.lines('SELECT now()::text');
  await own.run("INSERT INTO items VALUES (9000, 1, '[9,9,9,9,9]', NULL); DELETE FROM items WHERE id = 7; UPDATE items SET e = NULL WHERE id = 8", 'far');
  expect((await agrees('items', by, '5', 'far'))[0]).toBe('9000');
  expect(await agrees('items', by, String(ROWS + 5), 'far')).toHaveLength(ROWS);
  expect(await own.lines(`SELECT id FROM items ORDER BY ${by} LIMIT 3`)).toEqual(before);
  expect(await own.lines(`SELECT id FROM items AS OF '${now}' ORDER BY ${by} LIMIT 3`, 'far')).toEqual(before);
  const session = own.db.session();
  await session.run("BEGIN; INSERT INTO items VALUES (9001, 1, '[9,9,9,9,8]', NULL)");
  expect((await shownRows(session, `SELECT id FROM items ORDER BY ${by} LIMIT 1`))[0]).toBe('9001');
  await session.run("UPDATE items SET e = '[0,0,0,0,0]' WHERE id = 9001");
  expect(await shownRows(session, `SELECT id FROM items ORDER BY ${by} LIMIT 3`)).toEqual(before);
  await session.run('ROLLBACK');
  session.close();
});

test('parameters, lateral joins, locks, policies and NULL', async () => {
  const by = "e <-> '[1,1,1,1,1]'";
  const first = await own.lines(`SELECT id FROM items ORDER BY ${by} LIMIT 2`);
  const given = await own.rows('SELECT id FROM items ORDER BY e <-> $1::vector LIMIT $2', { params: ['[1,1,1,1,1]', 2] });
  expect(given.map(({ id }) => String(id))).toEqual(first);
  const lateral = `SELECT q.n, i.id FROM (VALUES (1, '[1,1,1,1,1]'::vector(5)), (2, '[2,2,2,2,2]')) q (n, v), LATERAL (SELECT id FROM items ORDER BY e <-> q.v LIMIT 2) i ORDER BY 1`;
  expect((await own.lines(lateral)).slice(0, 2)).toEqual(first.map((id) => `1 ${id}`));
  expect(await own.lines(`SELECT id FROM items ORDER BY ${by} LIMIT 2 FOR UPDATE`)).toEqual(first);
  expect(await own.lines('SELECT id FROM items ORDER BY e <-> NULL::vector LIMIT 2')).toEqual(['0', '1']);
  await own.refused('22000', "SELECT id FROM items ORDER BY e <-> '[1,2]'::vector LIMIT 2");
  await own.run('CREATE ROLE seer; GRANT SELECT ON items TO seer; ALTER TABLE items ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON items USING (n = 4)');
  const session = own.db.session();
  await session.run('SET ROLE seer');
  expect(await shownRows(session, `SELECT id, n FROM items ORDER BY ${by} LIMIT 4`)).toEqual(
    (await own.lines(`SELECT id, n FROM items WHERE n = 4 ORDER BY ${by}, id LIMIT 4`)).map((row) => row.replace(' ', '|')),
  );
  session.close();
});

test('a vector of other dimensions is refused where a row has one, also if it came later, and needs no segment of its own', async () => {
  await own.run('CREATE TABLE later (id int PRIMARY KEY, e vector(3), h halfvec(3)); INSERT INTO later VALUES (1, NULL, NULL), (2, NULL, NULL)');
  const byTwo = (column: string): string => `SELECT id FROM later ORDER BY ${column} <-> '[1,2]' LIMIT 2`;
  for (const column of ['e', 'h']) expect(await own.lines(byTwo(column))).toEqual(['1', '2']);
  await own.run("INSERT INTO later VALUES (3, '[1,2,3]', '[1,2,3]')");
  expect((await own.refused('22000', byTwo('e'))).message).toBe('different vector dimensions 3 and 2');
  expect((await own.refused('22000', byTwo('h'))).message).toBe('different halfvec dimensions 3 and 2');
  await own.run('UPDATE later SET e = NULL, h = NULL WHERE id = 3');
  for (const column of ['e', 'h']) expect(await own.lines(byTwo(column))).toEqual(['1', '2']);
});
