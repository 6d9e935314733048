/** Attaching: schemas in the manner of well-known samples are equal on both sides, and what cannot be attached is named. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseMask } from '../../src/attach/masks.ts';
import type { SvcError } from '../../src/database.ts';
import { FILMS, MUSIC } from './schemas.ts';
import { rowsOf, Source } from './source.ts';

if (!Source.installed) console.warn('test/attach is skipped: it needs Postgres 15 (test/postgres-bin.ts)');

describe.runIf(Source.installed)('attach', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start();
  }, 60_000);

  afterAll(() => source?.stop());

  test.each([
    ['films', FILMS, 'public', ['film', 'film_actor', 'language', 'staff', 'store']],
    ['music', MUSIC, 'Shop', ['"Shop"."Artist"', '"Shop"."Album"', '"Shop"."Invoice"', '"Shop"."Line"']],
  ])('tables of %s have the same rows on both sides', async (_name, script, schema, tables) => {
    const { url, sql } = await source.database(script);
    const attached = await source.attached(url, { schema });
    for (const table of tables) {
      const [key] = await rowsOf(
        sql,
        `SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indisprimary AND i.indrelid = '${table}'::regclass`,
      );
      const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY ${key}`;
      await sql.query('SET TimeZone = UTC');
      const here = await attached.rows(query);
      expect(here.length, table).toBeGreaterThan(1);
      expect(here, table).toEqual(await rowsOf(sql, query));
    }
  });

  // contract: fixed.13
  test('everything that cannot be attached is named at once, before anything is copied', async () => {
    const { url } = await source.database(`
      CREATE TABLE nokey (a int); CREATE TABLE made (id int PRIMARY KEY, d int GENERATED ALWAYS AS (id * 2) STORED); CREATE TABLE guarded (id int PRIMARY KEY); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
      CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT; CREATE TABLE base (id int PRIMARY KEY); CREATE TABLE heir (PRIMARY KEY (id)) INHERITS (base);
      CREATE TYPE pair AS (a int, b int); CREATE TABLE composite (id int PRIMARY KEY, p pair[]); CREATE TABLE late (id int PRIMARY KEY DEFERRABLE); CREATE TABLE fine (id int PRIMARY KEY);
      CREATE FUNCTION own() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE TABLE calls (id int PRIMARY KEY DEFAULT own())`);
    const attached = await source.attached(url, { tables: ['fine'] });
    const again = (schema: { tables?: string[]; schema?: string }) =>
      attached.db.postgres.attach({ masks: [], ...schema }, { kind: 'owner' }).then(
        () => null,
        (error: unknown) => error as SvcError,
      );
    const error = await again({ schema: 'public' });
    expect(error!.code).toBe('0A000');
    expect(error!.data!['reasons']).toEqual([
      'public.base: other tables inherit from it',
      'public.composite: column p is of type public.pair[], which is composite',
      'public.guarded: it has row-level security',
      'public.heir: it inherits from another table',
      'public.late: its primary key is deferrable',
      'public.made: column d is generated',
      'public.nokey: it has no primary key',
      'public.part: it is a partition',
      'public.parts: it is partitioned',
    ]);
    expect((await again({ tables: ['calls', 'fine'] }))!.data!['reasons']).toEqual([
      expect.stringMatching(/^table public.calls: function public.own\(\) does not exist/),
      'table public.fine: relation "fine" already exists',
    ]);
    expect((await again({ tables: ['fine', 'gone', 's.gone'] }))!).toMatchObject({ code: '42P01', message: expect.stringContaining('gone, s.gone') });
    expect((await attached.db.attachment({})).tables.map(({ table }) => table)).toEqual(['fine']);
  });

  test('masked columns never reach the folder, and are not written back', async () => {
    const { url, sql } = await source.database(
      `CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL, mail text NOT NULL, ssn text, pay numeric); INSERT INTO people VALUES (1, 'Ann', 'ann@real.org', '111-22-3333', 5000), (2, 'Bo', 'bo@real.org', NULL, 6000)`,
    );
    const masks = ['people.mail=email', 'people.ssn', 'people.pay=0', 'people.name=(left(value, 1))'].map(parseMask);
    const attached = await source.attached(url, { tables: ['people'], masks });
    expect(await attached.rows(`SELECT id, name, mail LIKE 'user-%@example.com', ssn, pay FROM people ORDER BY id`)).toEqual([
      '1|A|true|null|0',
      '2|B|true|null|0',
    ]);
    await attached.db.fork({ name: 'w' });
    await using session = attached.db.session({ branch: 'w' });
    await session.run(`INSERT INTO people VALUES (3, 'Cy', 'c', 's', 1); DELETE FROM people WHERE id = 2`);
    await attached.db.merge({ branch: 'w' });
    expect(await rowsOf(sql, 'SELECT * FROM people ORDER BY id')).toEqual(['1|Ann|ann@real.org|111-22-3333|5000', '3|Cy|c|s|1']);
    await attached.db.fork({ name: 'v' });
    await using other = attached.db.session({ branch: 'v' });
    await other.run('UPDATE people SET pay = 1 WHERE id = 1');
    await expect(attached.db.merge({ branch: 'v' })).rejects.toMatchObject({ code: '0A000', message: expect.stringContaining('column pay') });
    const reasons = await attached.db.postgres
      .attach({ tables: ['people'], masks: ['people.id', 'people.x', 'other.x'].map(parseMask) }, { kind: 'owner' })
      .catch((error: SvcError) => error.data!['reasons']);
    expect(reasons).toHaveLength(3);
  });

  test('the address is in no file of the folder', async () => {
    const { name } = await source.database('CREATE TABLE t (id int PRIMARY KEY)');
    const attached = await source.attached(`postgres://tester:sesame-4711@127.0.0.1:${source.port}/${name}`, { tables: ['t'] });
    await attached.db.fork({ name: 'w' });
    await attached.db.put({ branch: 'w', table: 't', id: '1', record: {} });
    await attached.db.merge({ branch: 'w' });
    await attached.db.flush();
    const files = readdirSync(attached.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes('sesame-4711'), file.name).toBe(false);
  });
});
