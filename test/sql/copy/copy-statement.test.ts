/** COPY as a statement of a session: options that need the table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { CopyStreams } from '../../../src/sql/session/copy.ts';
import { TestDatabase } from '../session/open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE t (id int PRIMARY KEY, a int DEFAULT 7, b text DEFAULT 'it''s', c timestamptz DEFAULT now(), d serial, e text);
    CREATE MATERIALIZED VIEW m AS SELECT 1 AS x`);
});
afterAll(() => t.close());

async function copyIn(sql: string, text: string): Promise<string> {
  const session = t.db.session({ branch: 'main' });
  const chunks: (Uint8Array | null)[] = [Buffer.from(text), null];
  session.streams = { input: () => ({ next: () => Promise.resolve(chunks.shift() ?? null) }) } as unknown as CopyStreams;
  try {
    return (await session.run(sql))[0].command;
  } finally {
    session.close();
  }
}

test('the option DEFAULT gives what the column says, row by row', async () => {
  expect(await copyIn(`COPY t (id, a, b, c, d) FROM STDIN (DEFAULT '\\D')`, '1\t\\D\t\\D\t\\D\t\\D\n2\t5\t\\N\t\\D\t\\D\n')).toBe('COPY 2');
  expect(await copyIn(`COPY t (id, a, b) FROM STDIN (FORMAT csv, DEFAULT '#')`, '3,#,"#"\n4,1,#\n')).toBe('COPY 2');
  expect(await t.lines(`SELECT id, a, b, c > now() - interval '1 minute' AS c, d FROM t ORDER BY id`)).toEqual([
    `1 7 it's true 1`,
    '2 5 null true 2',
    '3 7 # true 3',
    `4 1 it's true 4`,
  ]);
  const refused = await copyIn(`COPY t (id, e) FROM STDIN (DEFAULT '\\D')`, '9\t\\D\n').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SvcError);
  expect(refused).toMatchObject({ code: '22P04', message: 'unexpected default marker in COPY data', detail: 'Column "e" has no default value.' });
});

test('WHERE, HEADER MATCH and FORCE_NULL', async () => {
  await t.run('DELETE FROM t');
  expect(await copyIn(`COPY t (id, b) FROM STDIN (FORMAT csv, HEADER match, FORCE_NULL (b)) WHERE id > 1`, 'id,b\n1,x\n2,""\n3,y\n')).toBe('COPY 2');
  expect(await t.lines('SELECT id, b FROM t ORDER BY id')).toEqual(['2 null', '3 y']);
  await expect(copyIn('COPY t (id, b) FROM STDIN (FORMAT csv, HEADER match)', 'id,nope\n1,x\n')).rejects.toMatchObject({ code: '22P04' });
});

test('a materialized view is not copied to', async () => {
  await expect(copyIn('COPY m FROM STDIN', '1\n')).rejects.toMatchObject({ code: '42809', message: 'cannot copy to materialized view "m"' });
});

test('rows for a view go to its INSTEAD OF triggers; a view without any asks for rows and takes none', async () => {
  await t.run(`CREATE TABLE kept (a int, b text); CREATE VIEW shown AS SELECT * FROM kept; CREATE VIEW plain AS SELECT * FROM kept;
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF new.a < 0 THEN RETURN NULL; END IF; INSERT INTO kept VALUES (new.a, coalesce(new.b, 'none')); RETURN new; END $$;
    CREATE TRIGGER keep INSTEAD OF INSERT ON shown FOR EACH ROW EXECUTE FUNCTION keep()`);
  expect(await copyIn('COPY shown FROM STDIN', '1\tx\n-1\ty\n2\t\\N\n')).toBe('COPY 3');
  expect(await copyIn('COPY shown (a) FROM STDIN WHERE a > 3', '3\n4\n')).toBe('COPY 1');
  expect(await t.lines('SELECT * FROM kept ORDER BY a')).toEqual(['1 x', '2 none', '4 none']);
  const session = t.db.session({ branch: 'main' });
  let asked = 0;
  session.streams = { input: (columns: number) => ((asked = columns), { next: () => Promise.resolve(null) }) } as unknown as CopyStreams;
  await expect(session.run('COPY plain FROM STDIN')).rejects.toMatchObject({ code: '42809', message: 'cannot copy to view "plain"' });
  session.close();
  expect(asked).toBe(2);
});

test('a view with an INSTEAD OF trigger is copied to row by row', async () => {
  await t.run(`CREATE VIEW v AS SELECT 1 AS a, 'x'::text AS b;
    CREATE TABLE given (a int, b text);
    CREATE FUNCTION give() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF new.b = 'bad' THEN RAISE EXCEPTION 'bad row'; END IF;
      INSERT INTO given VALUES (new.*); RETURN new; END $$`);
  await expect(copyIn('COPY v FROM STDIN', '1\tx\n')).rejects.toMatchObject({ code: '42809', message: 'cannot copy to view "v"' });
  await t.run('CREATE TRIGGER give INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION give()');
  expect(await copyIn('COPY v FROM STDIN', '1\tx\n2\ty\n')).toBe('COPY 2');
  expect(await copyIn('COPY v (b) FROM STDIN (FORMAT csv)', 'z\n')).toBe('COPY 1');
  expect(await t.lines('SELECT * FROM given ORDER BY a')).toEqual(['1 x', '2 y', 'null z']);
  const refused = await copyIn('COPY v FROM STDIN', '3\tx\n4\tbad\n').catch((error: unknown) => error);
  expect((refused as SvcError).context?.where).toBe('PL/pgSQL function give() line 2 at RAISE\nCOPY v, line 2: "4\tbad"');
  expect(await t.lines('SELECT count(*) FROM given')).toEqual(['3']);
});

test('a refused row is named with its line, and with its text as far as Postgres has it', async () => {
  await t.run('CREATE TABLE n (a serial, b int NOT NULL, c text NOT NULL, CHECK (b < 100), UNIQUE (b))');
  const where = (text: string, columns = ' (b, c)'): Promise<unknown> =>
    copyIn(`COPY n${columns} FROM STDIN`, text).catch((error: unknown) => {
      const { code, data } = error as SvcError;
      return [code, data?.['where']];
    });
  expect(await where('1\tx\n2\t\\N\n')).toEqual(['23502', 'COPY n, line 2: "2\t\\N"']);
  expect(await where('1\tx\n200\tx\n')).toEqual(['23514', 'COPY n, line 2: "200\tx"']);
  expect(await where('1\tx\n1\ty\n')).toEqual(['23505', 'COPY n, line 2']);
  // Fields that are there are read before the row is found too short.
  expect(await where('x\n')).toEqual(['22P02', 'COPY n, line 1, column b: "x"']);
  expect(await where('1\n')).toEqual(['22P04', 'COPY n, line 1: "1"']);
  expect(await where('1\t2\tx\n1\t3\t\\N\n', '')).toEqual(['23502', 'COPY n, line 2: "1\t3\t\\N"']);
});

test('WHERE is checked before the client sends rows', async () => {
  const refused = async (condition: string): Promise<unknown> => {
    const error: unknown = await copyIn(`COPY n FROM STDIN WHERE ${condition}`, '').catch((each: unknown) => each);
    return (error as SvcError).message;
  };
  expect(await refused('a IN (SELECT 1)')).toBe('cannot use subquery in COPY FROM WHERE condition');
  expect(await refused('a = max(b)')).toBe('aggregate functions are not allowed in COPY FROM WHERE conditions');
  expect(await refused('a = generate_series(1, 2)')).toBe('set-returning functions are not allowed in COPY FROM WHERE conditions');
  expect(await refused('a')).toBe('argument of WHERE must be type boolean, not type integer');
  expect(await copyIn('COPY n (b, c) FROM STDIN WHERE n.b = 7', '7\tx\n8\tx\n')).toBe('COPY 1');
});

test.each(['', 'PARTITION BY RANGE (id)'])('rows that come in parts may point at rows of the same COPY that come later %s', async (partitioned) => {
  await t.run(`DROP TABLE IF EXISTS tree; CREATE TABLE tree (id int PRIMARY KEY, above int REFERENCES tree, note text) ${partitioned};
    ${partitioned === '' ? '' : 'CREATE TABLE low PARTITION OF tree FOR VALUES FROM (0) TO (1000); CREATE TABLE high PARTITION OF tree FOR VALUES FROM (1000) TO (100000);'}
    CREATE OR REPLACE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.note := 'noted'; RETURN new; END $$;
    CREATE TRIGGER noted BEFORE INSERT ON tree FOR EACH ROW EXECUTE FUNCTION noted()`);
  const rows = (from: number, to: number, above: (id: number) => number): string =>
    Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\t${above(from + i)}\n`).join('');
  expect(
    await copyIn(
      'COPY tree (id, above) FROM STDIN',
      rows(1, 3000, (id) => 3001 - id),
    ),
  ).toBe('COPY 3000');
  expect(await t.lines('SELECT count(*), min(note), max(above) FROM tree')).toEqual(['3000 noted 3000']);
  // The last one points at none; nothing of the COPY stays.
  await expect(
    copyIn(
      'COPY tree (id, above) FROM STDIN',
      rows(4001, 7000, (id) => id + 1),
    ),
  ).rejects.toMatchObject({
    code: '23503',
    detail: 'Key (above)=(7001) is not present in table "tree".',
  });
  expect(await t.lines('SELECT count(*) FROM tree')).toEqual(['3000']);
});

test('keys that wait for the commit wait for it over a COPY in parts, too', async () => {
  await t.run(`CREATE TABLE late (id int PRIMARY KEY, above int REFERENCES late DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER noted BEFORE UPDATE ON late FOR EACH ROW EXECUTE FUNCTION noted();
    CREATE TRIGGER after_each AFTER INSERT ON late FOR EACH ROW WHEN (new.id < 0) EXECUTE FUNCTION noted()`);
  const rows = Array.from({ length: 2500 }, (_, i) => `${i + 1}\t${i + 2}\n`).join('');
  await expect(copyIn('COPY late FROM STDIN', rows)).rejects.toMatchObject({ code: '23503', message: /violates foreign key constraint "late_above_fkey"/ });
  await t.run('ALTER TABLE late ALTER CONSTRAINT late_above_fkey DEFERRABLE INITIALLY DEFERRED');
  expect(await copyIn('COPY late FROM STDIN', `${rows}2501\t\\N\n`)).toBe('COPY 2501');
});
