import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { program, type Ran, run } from './client-programs.ts';

const psql = program('psql');

describe.skipIf(psql === null)('psql', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
    await script(
      'CREATE TABLE users (id int PRIMARY KEY, name text NOT NULL, born date); CREATE INDEX users_name ON users (name); CREATE VIEW old AS SELECT * FROM users;',
    );
    await script(`INSERT INTO users VALUES (1, 'Ann', '1980-02-03'), (2, 'Bob', NULL)`);
  });
  afterAll(() => served.close());

  const script = (input: string, ...more: string[]): Promise<Ran> =>
    run(psql!, ['-X', '-h', '127.0.0.1', '-p', String(served.port), '-U', 'me', '-d', 'main', '-v', 'ON_ERROR_STOP=1', ...more], input);
  const plain = async (input: string): Promise<string> => {
    const { code, out, err } = await script(input, '-At');
    expect(err).toBe('');
    expect(code).toBe(0);
    return out;
  };

  test('prints a table', async () => {
    expect((await script('SELECT * FROM users ORDER BY id')).out).toBe(
      ' id | name |    born    \n----+------+------------\n  1 | Ann  | 1980-02-03\n  2 | Bob  | \n(2 rows)\n\n',
    );
    expect((await script('\\x\nSELECT 1 AS a')).out).toBe('Expanded display is on.\n-[ RECORD 1 ]\na | 1\n\n');
  });

  test('lists worlds, tables, columns', async () => {
    expect(await plain('\\l')).toMatch(/^main\|/m);
    expect(await plain('\\dt')).toBe('public|users|table|svc\n');
    expect(await plain('\\dv')).toBe('public|old|view|svc\n');
    expect(await plain('\\di')).toBe('public|users_name|index|svc|users\npublic|users_pkey|index|svc|users\n');
    const { out } = await script('\\d users');
    expect(out).toContain('Table "public.users"');
    expect(out).toContain('"users_pkey" PRIMARY KEY, btree (id)');
    expect(out).toContain('"users_name" btree (name)');
    expect(await plain('\\dn')).toBe('public|pg_database_owner\n');
    expect(await plain('\\conninfo')).toContain('database "main"');
  });

  test('copies both ways', async () => {
    expect(await plain('CREATE TABLE c (a int, b text);\n\\copy c FROM STDIN CSV\n1,x\n2,"y,z"\n\\.\n\\copy c TO STDOUT')).toBe(
      'CREATE TABLE\nCOPY 2\n1\tx\n2\ty,z\n',
    );
  });

  test('moves between worlds', async () => {
    expect(
      await plain("CREATE WORLD draft;\n\\c draft\nINSERT INTO users VALUES (3, 'Cy');\nSELECT count(*) FROM users;\n\\c main\nSELECT count(*) FROM users;"),
    ).toMatch(/You are now connected to database "draft".*\nINSERT 0 1\n3\nYou are now connected to database "main".*\n2\n$/s);
  });

  test('merges a world', async () => {
    expect(
      await plain(
        'CREATE WORLD w2;\n\\c w2\nCREATE TABLE made (a int);\nINSERT INTO made VALUES (1), (2);\n\\c main\nMERGE WORLD w2 DRY RUN;\nMERGE WORLD w2;',
      ),
    ).toMatch(/\n\d+\|$/m);
    expect(await plain('SELECT count(*) FROM made')).toBe('2\n');
  });

  test('shows errors where they are', async () => {
    const { code, err } = await script('SELECT *\nFROM userz');
    expect(code).toBe(3);
    expect(err).toContain('ERROR:  relation "userz" does not exist\nLINE 2: FROM userz\n             ^');
  });

  test('describes without running, and fetches in pieces', async () => {
    expect(await plain('SELECT id, name FROM users \\gdesc')).toBe('id|integer\nname|text\n');
    expect(await plain('\\set FETCH_COUNT 2\nSELECT generate_series(1, 5);')).toBe('1\n2\n3\n4\n5\n');
  });

  test('tells of what was listened to', async () => {
    expect(await plain("LISTEN news; NOTIFY news, 'hello';")).toMatch(
      /Asynchronous notification "news" with payload "hello" received from server process with PID \d+\./,
    );
  });
});
