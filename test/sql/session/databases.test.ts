/** CREATE DATABASE and DROP DATABASE: worlds without a parent, and forks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

describe('databases', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.open();
    await database.run("CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
  });
  afterAll(() => database.close());

  const refusals: readonly [sql: string, code: string, message: string][] = [
    ['CREATE DATABASE d OWNER nobody_x', '42704', 'role "nobody_x" does not exist'],
    ['CREATE DATABASE d BADOPT 1', '42601', 'option "badopt" not recognized'],
    ['CREATE DATABASE d TEMPLATE nothing', '3D000', 'template database "nothing" does not exist'],
    ['CREATE DATABASE d TEMPLATE template0 TEMPLATE template1', '42601', 'conflicting or redundant options'],
    ["CREATE DATABASE d ENCODING 'nope'", '42704', 'nope is not a valid encoding name'],
    ["CREATE DATABASE d ENCODING 'LATIN1'", '0A000', 'encoding "LATIN1" is not supported: databases are in UTF8'],
    ['CREATE DATABASE d TABLESPACE fast', '42704', 'tablespace "fast" does not exist'],
    ["CREATE DATABASE d STRATEGY 'bad'", '22023', 'invalid create database strategy "bad"'],
    ['CREATE DATABASE main', '42P04', 'database "main" already exists'],
    ['BEGIN; CREATE DATABASE d', '25001', 'CREATE DATABASE cannot run inside a transaction block'],
    ['SELECT 1; CREATE DATABASE d', '25001', 'CREATE DATABASE cannot run inside a transaction block'],
    ['DROP DATABASE nothing', '3D000', 'database "nothing" does not exist'],
    ['DROP DATABASE main', '55006', 'cannot drop the currently open database'],
  ];
  test.each(refusals)('%s is refused', async (sql, code, message) => {
    expect((await refused(code, database.db.sql({ sql }))).message).toBe(message);
  });

  test('one without a template is empty, has no parent, and is merged only by name', async () => {
    expect(await database.run("CREATE DATABASE fresh OWNER svc ENCODING 'UTF8' LC_COLLATE 'C' TEMPLATE template0 CONNECTION LIMIT -1")).toEqual([
      'CREATE DATABASE',
    ]);
    const { branches } = await database.db.commands.branches();
    expect(branches.find(({ name }) => name === 'fresh')).toMatchObject({ parent: null, depth: 0, version: 0, flagged: false });
    expect(await database.lines("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace", 'fresh')).toEqual(['0']);
    await database.refused('42P01', 'SELECT * FROM t', { branch: 'fresh' });
    await database.run('CREATE TABLE own (id int PRIMARY KEY); INSERT INTO own VALUES (7)', 'fresh');
    expect((await database.refused('22023', 'MERGE WORLD fresh')).message).toBe('world "fresh" has no parent');
    await database.refused('22023', 'DIFF WORLD fresh');
    await database.refused('42P01', 'SELECT * FROM own');
    await database.run('MERGE WORLD fresh INTO main');
    expect(await database.lines('SELECT id FROM own')).toEqual(['7']);
    expect(await database.lines('SELECT v FROM t ORDER BY id')).toEqual(['a', 'b']);
  });

  test('forks of it, its past and its history are those of any world', async () => {
    await database.run('CREATE DATABASE lone');
    await database.run('CREATE TABLE x (id int PRIMARY KEY, v int); INSERT INTO x VALUES (1, 1)', 'lone');
    const [{ world }] = [await database.db.commands.fork({ name: 'of-lone', from: 'lone' })];
    expect(world).toMatchObject({ parent: 'lone', depth: 1 });
    const { branches } = await database.db.commands.branches();
    const before = branches.find(({ name }) => name === 'lone')!.version;
    await database.run('UPDATE x SET v = 2', 'of-lone');
    await database.run('MERGE WORLD "of-lone"');
    expect(await database.lines('SELECT v FROM x', 'lone')).toEqual(['2']);
    expect(before).toBe(1);
    const { events } = await database.db.commands.history({ branch: 'lone' });
    expect(events.map(({ event }) => event)).toEqual(['merge', 'commit', 'create'].map((word, i) => (i === 1 ? events[1].event : word)));
    expect(await database.lines("SELECT v FROM x AS OF '-0s'", 'lone')).toEqual(['2']);
  });

  test('with TEMPLATE it is a fork', async () => {
    await database.run('CREATE DATABASE copy TEMPLATE main');
    expect((await database.db.commands.branches()).branches.find(({ name }) => name === 'copy')).toMatchObject({ parent: 'main', depth: 1 });
    expect(await database.lines('SELECT v FROM t ORDER BY id', 'copy')).toEqual(['a', 'b']);
    await database.run('DROP DATABASE copy WITH (FORCE)');
    await database.refused('3D000', 'SELECT 1 FROM t', { branch: 'copy' });
    expect(await database.run('DROP DATABASE IF EXISTS copy')).toEqual(['DROP DATABASE']);
  });

  test('it is there after a restart, and after the cache was rebuilt from the log', async () => {
    await database.run('CREATE DATABASE lasting');
    await database.run('CREATE TABLE y (id int PRIMARY KEY); INSERT INTO y VALUES (1), (2)', 'lasting');
    for (const withoutCache of [false, true]) {
      await database.reopen({ withoutCache });
      expect(await database.lines('SELECT count(*) FROM y', 'lasting')).toEqual(['2']);
      expect((await database.db.commands.world({ branch: 'lasting' })).parent).toBe(null);
      await database.refused('42P01', 'SELECT * FROM y');
    }
  });
});
