/** Ranked search under row security and masks: what a reader may not see is in no hit, score, total or snippet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, shownRows, TestDatabase } from '../sql/session/open-database.ts';
import { AGENT } from '../sql/session/test-agent.ts';
import { seeded } from './seeded.ts';

const WORDS = ['red', 'lamp', 'oak', 'desk', 'chair', 'glass', 'iron', 'shade'];

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  const next = seeded(11);
  const text = (): string => Array.from({ length: 1 + Math.floor(next() * 9) }, () => WORDS[Math.floor(next() ** 2 * WORDS.length)]).join(' ');
  const values = Array.from({ length: 400 }, (_, i) => `(${i}, 'r${i % 3}', '${text()}', '${text()}')`);
  await own.run(`CREATE TABLE papers (id int PRIMARY KEY, owner text, body text, secret text);
    INSERT INTO papers VALUES ${values.join(', ')};
    CREATE ROLE r0; CREATE ROLE r1; CREATE ROLE outsider;
    ALTER TABLE papers ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON papers USING (owner = current_user);
    GRANT SELECT ON papers TO r0, r1, outsider`);
});
afterAll(() => own.close());

async function as(role: string, sql: string): Promise<string[]> {
  const session = own.db.session();
  try {
    await session.run(`SET ROLE ${role}`);
    return await shownRows(session, sql);
  } finally {
    session.close();
  }
}

/** The same rows in a table of their own, searched by who sees all of it. */
async function alone(where: string, sql: string): Promise<string[]> {
  await own.db.fork({ name: 'alone' });
  await own.run(`CREATE TABLE copy (id int PRIMARY KEY, owner text, body text, secret text); INSERT INTO copy SELECT * FROM papers WHERE ${where}`, 'alone');
  const session = own.db.session({ branch: 'alone' });
  const rows = await shownRows(session, sql.replaceAll('papers', 'copy'));
  session.close();
  await own.db.discard({ branch: 'alone' });
  return rows;
}

test.each(['red lamp', 'iron', 'sha*', '"red lamp"', 'oak "lamp red" gl*'])('scores of %s are those of a table of the seen rows, to the bit', async (text) => {
  const sql = `SELECT id, score FROM bm25(papers, '${text}')`;
  const wanted = await alone("owner = 'r1'", sql);
  expect(wanted.length).toBeGreaterThan(3);
  // The segment is of the state itself, then of an earlier one.
  expect(await as('r1', sql)).toEqual(wanted);
  await own.run("UPDATE papers SET body = body || ' lamp iron' WHERE id % 7 = 0; DELETE FROM papers WHERE id % 29 = 3");
  expect(await as('r1', sql)).toEqual(await alone("owner = 'r1'", sql));
});

test('a limit counts the seen rows alone', async () => {
  const session = own.db.session();
  const all = await shownRows(session, "SELECT id FROM bm25(papers, 'red', 10)");
  session.close();
  expect(all).toHaveLength(10);
  const some = await as('r0', "SELECT id, owner FROM bm25(papers, 'red', 10)");
  expect(some).toHaveLength(10);
  expect(some.every((row) => row.endsWith('|r0'))).toBe(true);
  expect(await as('outsider', "SELECT id FROM bm25(papers, 'red')")).toEqual([]);
});

test('privileges are those of the searched columns', async () => {
  await own.run('CREATE ROLE part; GRANT SELECT (id, owner, body) ON papers TO part');
  await expect(as('part', "SELECT id FROM bm25(papers, 'red')")).rejects.toMatchObject({ code: '42501' });
  await own.run('CREATE INDEX bodies ON papers USING bm25 (body)');
  expect(await as('part', "SELECT id FROM bm25(papers, 'red')")).toEqual([]);
  await own.run('DROP INDEX bodies');
});

test('masked columns are not searched and read masked; find leaves them out', async () => {
  await own.run(`CREATE TABLE people (id int PRIMARY KEY, name text, note text, e float8[]);
    INSERT INTO people VALUES (1, 'Ann', 'likes lamps', '{1,0}'), (2, 'Bob', 'knows Ann', '{0,1}');
    SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH VALUE ''hidden''';
    GRANT SELECT ON people TO r0`);
  expect(await as('r0', "SELECT id, name FROM bm25(people, 'ann')")).toEqual(['2|hidden']);
  expect(await as('r0', "SELECT id FROM bm25(people, 'hidden')")).toEqual([]);
  const commands = own.db.commandsOf(AGENT);
  const found = await commands.find({ table: 'people', text: 'ann', snippets: true });
  expect(found).toMatchObject({ total: 1, hits: [{ id: '2', row: { id: 2, note: 'knows Ann' }, snippets: { note: 'knows **Ann**' } }] });
  expect(found.hits[0].row).not.toHaveProperty('name');
  expect((await own.db.find({ table: 'people', text: 'ann' })).total).toBe(2);
  expect((await commands.find({ table: 'people', vector: [1, 0], vector_field: 'e', text: 'ann' })).hits.map(({ row }) => Object.keys(row))).toEqual([
    ['id', 'note', 'e'],
    ['id', 'note', 'e'],
  ]);
  await refused('42501', commands.find({ table: 'people', text: 'ann', where: { name: 'Ann' } }));
  await refused('42501', commands.find({ table: 'people' }));
  await own.run("SECURITY LABEL FOR anon ON COLUMN people.note IS 'MASKED WITH VALUE NULL'");
  await expect(as('r0', "SELECT id FROM bm25(people, 'ann')")).rejects.toMatchObject({ code: '42P10' });
  expect(await commands.find({ table: 'people', text: 'ann' })).toMatchObject({ total: 0, hits: [] });
});
