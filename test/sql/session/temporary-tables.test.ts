/** Temporary tables are a session's own: nobody else sees them, and nothing of them is in the log or in a fork. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE base (id int PRIMARY KEY, v text)');
});
afterEach(() => t.close());

const head = (): number => t.db.stats()['log_sequence'];

test('writes to temporary tables make no event, and survive other writers', async () => {
  const session = t.db.session();
  await session.run('CREATE TEMP TABLE mine (id serial PRIMARY KEY, v text UNIQUE)');
  const before = head();
  await session.run(`INSERT INTO mine (v) VALUES ('a'), ('b')`);
  await session.run(`UPDATE mine SET v = v || '!' WHERE id = 1`);
  expect(head()).toBe(before);
  await t.run(`INSERT INTO base VALUES (1, 'other'); CREATE TABLE made_meanwhile (x int)`);
  expect((await session.run('SELECT m.v, b.v FROM mine m, base b ORDER BY m.id'))[0].rows).toEqual([
    ['a!', 'other'],
    ['b', 'other'],
  ]);
  await session.run(`INSERT INTO base SELECT id + 10, v FROM mine`);
  expect(await t.lines('SELECT id, v FROM base ORDER BY id')).toEqual(['1 other', '11 a!', '12 b']);
  await t.refused('42P01', 'SELECT * FROM mine');
  await t.refused('42P01', 'SELECT * FROM pg_temp.mine');
  expect(await t.lines(`SELECT count(*) FROM pg_class WHERE relname = 'mine'`)).toEqual(['0']);
  session.close();
});

test('a commit beside them holds the rows of the world alone; forks and a rebuild know nothing of them', async () => {
  const session = t.db.session();
  await session.run(`BEGIN; CREATE TEMP TABLE mine (x int); INSERT INTO mine VALUES (7); INSERT INTO base VALUES (2, 'both'); COMMIT`);
  expect((await t.db.history({ limit: 1 })).events[0]).toMatchObject({ rows: 1 });
  await t.run('CREATE WORLD w');
  await t.refused('42P01', 'SELECT * FROM mine', { branch: 'w' });
  expect((await t.db.diff({ branch: 'w' })).changes).toEqual([]);
  expect((await session.run('SELECT x FROM mine'))[0].rows).toEqual([[7]]);
  await session.run('USE WORLD w');
  expect((await session.run('SELECT x FROM mine'))[0].rows).toEqual([[7]]);
  session.close();
  await t.reopen({ withoutCache: true });
  await t.refused('42P01', 'SELECT * FROM mine');
  expect(await t.lines('SELECT * FROM base')).toEqual(['2 both']);
  expect(await t.lines(`SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'pg_temp%'`)).toEqual(['0']);
});

test('two sessions have a table of one name each, and lose it with the session', async () => {
  const [one, two] = [t.db.session(), t.db.session()];
  await one.run('CREATE TEMP TABLE same (x int); INSERT INTO same VALUES (1)');
  await two.run('CREATE TEMP TABLE same (y text); INSERT INTO same VALUES (2)');
  expect((await one.run('SELECT x FROM same'))[0].rows).toEqual([[1]]);
  expect((await two.run('SELECT y FROM same'))[0].rows).toEqual([['2']]);
  one.close();
  two.close();
  const three = t.db.session();
  await expect(three.run('SELECT * FROM same')).rejects.toMatchObject({ code: '42P01' });
  three.close();
});

test('nothing of a world is made of what ends with a session, and DISCARD TEMP takes it all', async () => {
  const session = t.db.session();
  await session.run('CREATE TEMP TABLE mine (x int); CREATE TEMP SEQUENCE numbers');
  for (const text of [
    'CREATE FUNCTION f(v mine) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE TABLE kept (v mine)',
    'CREATE TABLE kept (v mine[])',
    `CREATE TABLE kept (v int DEFAULT nextval('numbers'))`,
    'ALTER TABLE base ADD COLUMN w mine',
    'CREATE VIEW kept AS SELECT NULL::mine AS v',
  ]) {
    await expect(session.run(text), text).rejects.toMatchObject({ code: '0A000' });
  }
  await session.run('CREATE TEMP TABLE other (v mine); CREATE TEMP VIEW shown AS SELECT * FROM mine; CREATE TABLE kept (v int)');
  await session.run('DISCARD TEMP');
  expect((await session.run(`SELECT relname FROM pg_class WHERE relname IN ('mine', 'other', 'shown', 'numbers')`))[0].rows).toEqual([]);
  await session.run('CREATE TEMP TABLE mine (y text)');
  session.close();
  expect(await t.lines('SELECT count(*) FROM kept')).toEqual(['0']);
});

test('in a world without a type of theirs they are gone, as where another session drops it', async () => {
  const names = `SELECT relname FROM pg_class WHERE relname LIKE 'mine%' ORDER BY 1`;
  const session = t.db.session();
  await session.run('CREATE WORLD apart; USE WORLD apart; CREATE TYPE pt AS (x int)');
  await session.run('CREATE TEMP TABLE mine (p pt); CREATE TEMP TABLE mine_too (v int PRIMARY KEY); CREATE TEMP VIEW mine_seen AS SELECT p FROM mine');
  await session.run(`INSERT INTO mine VALUES ('(1)'); INSERT INTO mine_too VALUES (7)`);
  expect((await session.run('SELECT p FROM mine_seen'))[0].rows).toHaveLength(1);
  await session.run('USE WORLD main');
  expect((await session.run('SELECT v FROM mine_too'))[0].rows).toEqual([[7]]);
  expect((await session.run(names))[0].rows).toEqual([['mine_too'], ['mine_too_pkey']]);
  await session.run(`CREATE TYPE own AS ENUM ('a'); CREATE TEMP TABLE mine (e own); INSERT INTO mine VALUES ('a')`);
  await t.run('DROP TYPE own');
  expect((await session.run(names))[0].rows).toEqual([['mine_too'], ['mine_too_pkey']]);
  await session.run('CREATE TEMP TABLE mine (x int); DISCARD ALL');
  expect((await session.run(names))[0].rows).toEqual([]);
  session.close();
});
