import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  test('describes everything', async () => {
    await script(String.raw`
      CREATE SCHEMA shop; CREATE TYPE shop.mood AS ENUM ('sad', 'ok'); CREATE SEQUENCE shop.numbers INCREMENT 5 MAXVALUE 100 CYCLE;
      CREATE TABLE shop.items (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner int NOT NULL REFERENCES users ON DELETE CASCADE, mood shop.mood DEFAULT 'ok',
        price numeric(8,2) CHECK (price > 0), twice numeric GENERATED ALWAYS AS (price * 2) STORED, UNIQUE (owner, price));
      COMMENT ON TABLE shop.items IS 'for sale'; COMMENT ON COLUMN shop.items.price IS 'in crowns';
      CREATE INDEX dear ON shop.items (price DESC, lower(owner::text)) WHERE price > 10;`);
    // With titles and what stands below.
    const whole = async (command: string): Promise<string> => (await script(command, '-A')).out;
    expect(await whole('\\d+ shop.items')).toBe(
      [
        'Table "shop.items"',
        'Column|Type|Collation|Nullable|Default|Storage|Compression|Stats target|Description',
        'id|bigint||not null|generated always as identity|plain|||',
        'owner|integer||not null||plain|||',
        "mood|shop.mood|||'ok'::shop.mood|plain|||",
        'price|numeric(8,2)||||main|||in crowns',
        'twice|numeric|||generated always as (price * 2::numeric) stored|main|||',
        'Indexes:',
        '    "items_pkey" PRIMARY KEY, btree (id)',
        '    "dear" btree (price DESC, lower(owner::text)) WHERE price > 10::numeric',
        '    "items_owner_price_key" UNIQUE CONSTRAINT, btree (owner, price)',
        'Check constraints:',
        '    "items_price_check" CHECK (price > 0::numeric)',
        'Foreign-key constraints:',
        '    "items_owner_fkey" FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE',
        'Access method: heap',
        '',
      ].join('\n'),
    );
    expect(await whole('\\d users')).toContain('TABLE "shop.items" CONSTRAINT "items_owner_fkey" FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE');
    expect(await whole('\\d+ old')).toContain('View definition:');
    expect(await plain('\\d shop.numbers')).toBe('bigint|1|1|100|5|yes|1\n');
    expect(await whole('\\d shop.dear')).toContain('btree, for table "shop.items", predicate (price > 10::numeric)');
    expect(await plain('\\ds shop.*')).toBe('shop|items_id_seq|sequence|svc\nshop|numbers|sequence|svc\n');
    expect(await plain('\\dT shop.*')).toBe('shop|shop.mood|\n');
    expect(await plain('\\dT+ shop.*')).toBe('shop|shop.mood|mood|4|sad\nok|svc||\n');
    expect(await plain('\\dt+ shop.*')).toMatch(/^shop\|items\|table\|svc\|permanent\|heap\|\d+ \w+\|for sale\n$/);
    expect(await plain('\\dn+')).toContain('shop|svc');
    expect(await plain('\\df pg_catalog.initcap')).toBe('pg_catalog|initcap|text|text|func\n');
    expect(await plain('\\du')).toContain('Superuser');
    expect(await plain('\\dp shop.items')).toMatch(/^shop\|items\|table\|/);
    expect(await plain('\\dx')).toContain('plpgsql|');
    expect(await plain('\\do+ pg_catalog.&&')).toContain('pg_catalog|&&|anyarray|anyarray|boolean|');
    expect(await plain('\\sv old')).toContain('CREATE OR REPLACE VIEW public.old AS');
  });

  test('answers every command that describes', async () => {
    const commands =
      `l l+ dt+ d d+ dn+ df df+ dv+ di+ ds+ du+ dg dT dT+ dp z dx dx+ dD dc dC dd ddp da da+ db db+ dA dA+ dAc dAf dAo dAp dE des deu dew det dF dF+
      dFd dFp dFt dl dL dL+ dm dO do drds dRp dRs dX dy dP dP+ dconfig`.split(/\s+/);
    // Without an end at the first error: there may be nothing to find.
    const { err } = await script(commands.map((command) => `\\${command}\n`).join(''), '-v', 'ON_ERROR_STOP=0');
    expect(err.split('\n').filter((line) => line !== '' && !line.startsWith('Did not find any '))).toEqual([]);
  });

  test('shows rows in other ways', async () => {
    expect(await plain("SELECT 1 AS a, 'x' AS b \\gset\n\\echo :a :b")).toBe('1 x\n');
    expect(await plain("SELECT 'SELECT ' || g FROM generate_series(1, 2) g \\gexec")).toBe('1\n2\n');
    expect((await script('SELECT id, name, 1 AS n FROM users ORDER BY id \\crosstabview id name n')).out).toContain(' id | Ann | Bob ');
    expect(await plain('\\x\nSELECT id FROM users ORDER BY id')).toBe('Expanded display is on.\nid|1\n\nid|2\n');
    // It is watched until an error ends it.
    const watched = await script('CREATE TABLE watched (a int);\nINSERT INTO watched SELECT count(*) FROM watched RETURNING 1 / (2 - a) \\watch 0.01', '-At');
    expect(watched.err).toContain('division by zero');
    expect(await plain('SELECT count(*) FROM watched')).toBe('2\n');
  });

  test('copies both ways', async () => {
    expect(await plain('CREATE TABLE c (a int, b text);\n\\copy c FROM STDIN CSV\n1,x\n2,"y,z"\n\\.\n\\copy c TO STDOUT')).toBe(
      'CREATE TABLE\nCOPY 2\n1\tx\n2\ty,z\n',
    );
  });

  // contract: auth.wire.1
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

  test('takes files as large objects, and gives them back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-psql-'));
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    writeFileSync(from, Buffer.alloc(300_000, 'bytes \0 '));
    expect(await plain(`\\lo_import ${from} 'some bytes'\n\\lo_export :LASTOID ${to}\n\\lo_list\n\\lo_unlink :LASTOID`)).toMatch(
      /^lo_import (\d+)\nlo_export\n\1\|\w+\|some bytes\nlo_unlink \1\n$/,
    );
    expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test('prints notifications', async () => {
    expect(await plain("LISTEN news; NOTIFY news, 'hello';")).toMatch(
      /Asynchronous notification "news" with payload "hello" received from server process with PID \d+\./,
    );
  });
});
