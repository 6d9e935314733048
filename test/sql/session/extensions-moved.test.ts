/** An extension that goes to another schema, or goes, in a difference as statements. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE EXTENSION ltree;
    CREATE TABLE x (id int PRIMARY KEY, q lquery DEFAULT 'a.*', l ltree[]);
    CREATE VIEW v AS SELECT q ~ 'a'::ltree AS y FROM x;
    CREATE WORLD w`);
});
afterEach(() => t.close());

const script = async (from: string, to: string): Promise<string> => (await t.lines(`DIFF WORLD ${from} TO ${to} AS SQL`)).join('\n');

/** The statements do what they say: afterwards nothing is left of the difference. */
async function proves(from: string, to: string): Promise<string> {
  const statements = await script(from, to);
  const copy = `${to}_of_${from}`;
  await t.run(`CREATE WORLD ${copy} FROM ${from}`);
  await t.run(statements, copy);
  expect(await script(copy, to)).toBe('');
  return statements;
}

test('moves it, without a word about defaults of its types', async () => {
  await t.run('CREATE SCHEMA s; ALTER EXTENSION ltree SET SCHEMA s; ALTER TABLE x ADD COLUMN n int', 'w');
  expect(await proves('main', 'w')).not.toMatch('DEFAULT');
  expect(await proves('w', 'main')).toBe('ALTER EXTENSION ltree SET SCHEMA public;\nALTER TABLE x DROP COLUMN n;\nDROP SCHEMA s;');
});

test('drops its dependents first, and creates it before them', async () => {
  await t.run('DROP EXTENSION ltree CASCADE', 'w');
  expect(await proves('main', 'w')).toMatch(/DROP COLUMN l;\n(.*\n)*DROP EXTENSION ltree;$/);
  const back = await script('w', 'main');
  expect(back).toMatch(/^CREATE EXTENSION ltree;/);
  await t.run(back, 'w');
  expect(await t.lines(`SELECT column_name FROM information_schema.columns WHERE table_name = 'x'`, 'w')).toEqual(['id', 'q', 'l']);
});
