/** Masked columns: who sees what, in which statements, through which entrances; and that labels belong to a world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from '../session/open-database.ts';
import { AGENT } from '../session/test-agent.ts';

const SETUP = `
  CREATE TABLE people (id int PRIMARY KEY, name text, mail text, born date, pay numeric(8,2), note text);
  INSERT INTO people VALUES (1, 'Ann', 'ann@example.org', '1980-01-02', 1000.50, 'a'), (2, 'Bob', 'bob@test.net', '1990-03-04', 2000, 'b');
  CREATE VIEW cards AS SELECT id, upper(name) AS name, mail FROM people;
  CREATE TABLE orders (id int PRIMARY KEY, person int);
  INSERT INTO orders VALUES (10, 1), (11, NULL);
  SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN people.mail IS 'MASKED WITH FUNCTION anon.partial_email(mail)';
  SECURITY LABEL FOR anon ON COLUMN people.born IS 'MASKED WITH FUNCTION pg_catalog.date_trunc(''year'', born)';
  SECURITY LABEL FOR anon ON COLUMN people.pay IS 'MASKED WITH VALUE NULL';
  CREATE ROLE reader; CREATE ROLE trusted; GRANT unmask TO trusted;
  GRANT SELECT, INSERT, UPDATE, DELETE ON people, cards, orders TO reader, trusted`;

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run(SETUP);
});
afterAll(() => own.close());

/** Rows as texts, of the last statement that gives some. */
async function as(principal: Principal, sql: string): Promise<string[]> {
  const { results } = await own.db.commandsOf(principal).sql({ sql });
  return (results.findLast(({ columns }) => columns.length > 0)?.rows ?? []).map((row) => Object.values(row).join('|'));
}
async function rowsAs(role: string, sql: string): Promise<string[]> {
  const session = own.db.session();
  try {
    await session.run(`SET ROLE ${role}`);
    const results = await session.run(`BEGIN; ${sql}`);
    await session.run('ROLLBACK');
    const { columns, rows } = results.at(-1)!;
    return rows.map((row) => row.map((value, i) => (value === null ? '∅' : columns![i].type.format(value, session.env))).join('|'));
  } finally {
    session.close();
  }
}

describe('reads by who does not see through', () => {
  test.each<[string, string, string[]]>([
    [
      'columns',
      'SELECT name, mail, born, pay, note FROM people ORDER BY id',
      ['hidden|an******@ex******.org|1980-01-01|∅|a', 'hidden|bo******@te******.net|1990-01-01|∅|b'],
    ],
    ['stars', 'SELECT * FROM people WHERE id = 1', ['1|hidden|an******@ex******.org|1980-01-01|∅|a']],
    ['whole rows', 'SELECT people FROM people WHERE id = 1', ['(1,hidden,an******@ex******.org,1980-01-01,,a)']],
    ['conditions', "SELECT id FROM people WHERE name = 'Ann'", []],
    ['conditions on masks', "SELECT id FROM people WHERE name = 'hidden' ORDER BY 1", ['1', '2']],
    ['order and groups', 'SELECT name, count(*) FROM people GROUP BY name ORDER BY name', ['hidden|2']],
    ['aggregates', 'SELECT max(name), sum(pay), min(born) FROM people', ['hidden|∅|1980-01-01']],
    ['joins', 'SELECT o.id, p.name FROM orders o LEFT JOIN people p ON p.id = o.person ORDER BY 1', ['10|hidden', '11|∅']],
    ['joins by masked columns', 'SELECT a.id, b.id FROM people a JOIN people b USING (name) ORDER BY 1, 2', ['1|1', '1|2', '2|1', '2|2']],
    ['views', 'SELECT * FROM cards ORDER BY id', ['1|HIDDEN|an******@ex******.org', '2|HIDDEN|bo******@te******.net']],
    ['subqueries', 'SELECT (SELECT name FROM people WHERE id = o.person) FROM orders o ORDER BY id', ['hidden', '∅']],
    ['WITH', 'WITH p AS (SELECT name FROM people) SELECT DISTINCT name FROM p', ['hidden']],
    ['RETURNING of an INSERT', "INSERT INTO people (id, name, mail) VALUES (3, 'Cid', 'cid@x.y') RETURNING id, name, mail", ['3|hidden|ci******@x.******.y']],
    ['RETURNING of an UPDATE', "UPDATE people SET note = 'c' WHERE id = 1 RETURNING name, note", ['hidden|c']],
    ['RETURNING of a DELETE', 'DELETE FROM people WHERE id = 2 RETURNING *', ['2|hidden|bo******@te******.net|1990-01-01|∅|b']],
    ['conditions of an UPDATE', "UPDATE people SET note = 'c' WHERE name = 'Ann' RETURNING id", []],
    ['values of an UPDATE', 'UPDATE people SET note = name WHERE id = 1 RETURNING note', ['hidden']],
    ['INSERT … SELECT', 'INSERT INTO people (id, note) SELECT id + 10, name FROM people RETURNING note', ['hidden', 'hidden']],
    ['ON CONFLICT', "INSERT INTO people (id, note) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET note = people.name RETURNING note", ['hidden']],
    ['MERGE', 'MERGE INTO people p USING orders o ON o.person = p.id WHEN MATCHED THEN UPDATE SET note = p.name', []],
    ['samples', 'SELECT name FROM people TABLESAMPLE BERNOULLI (100) LIMIT 1', ['hidden']],
    ['AS OF', "SELECT name FROM people AS OF WORLD 'main' WHERE id = 1", ['hidden']],
  ])('%s', async (_what, sql, rows) => {
    expect(await rowsAs('reader', sql)).toEqual(rows);
  });

  test('MERGE writes what it reads: the mask', async () => {
    const session = own.db.session();
    await session.run('SET ROLE reader; BEGIN');
    await session.run('MERGE INTO people p USING orders o ON o.person = p.id WHEN MATCHED THEN UPDATE SET note = p.name');
    await session.run('SET LOCAL ROLE none');
    expect((await session.run('SELECT note FROM people WHERE id = 1')).at(-1)!.rows).toEqual([['hidden']]);
    session.close();
  });

  // contract: auth.mcp.10
  test('agents and the guest read masks, as roles do; the database’s own user and members of unmask see through', async () => {
    const sql = 'SELECT name, pay FROM people WHERE id = 1';
    expect(await as(AGENT, sql)).toEqual(['hidden|']);
    expect(await as(GUEST, sql)).toEqual(['hidden|']);
    expect(await rowsAs('trusted', sql)).toEqual(['Ann|1000.50']);
    expect(await own.lines(sql)).toEqual(['Ann 1000.50']);
  });

  test('a plan made for one reader is not the other’s', async () => {
    const session = own.db.session();
    const names = async (): Promise<unknown> => (await session.run('SELECT name FROM people WHERE id = 1')).at(-1)!.rows[0][0];
    const seen: unknown[] = [];
    for (const role of ['none', 'reader', 'trusted', 'reader', 'none']) {
      await session.run(`SET ROLE ${role}`);
      seen.push(await names());
    }
    expect(seen).toEqual(['Ann', 'hidden', 'Ann', 'hidden', 'Ann']);
    await session.run('SET ROLE reader');
    await own.run('GRANT unmask TO reader');
    expect(await names()).toBe('Ann');
    await own.run('REVOKE unmask FROM reader');
    expect(await names()).toBe('hidden');
    session.close();
  });

  test('constraints and indexes see what is there', async () => {
    await own.run('CREATE UNIQUE INDEX people_mail ON people (mail)');
    expect((await rowsAs('reader', "SELECT id FROM people WHERE mail = 'ann@example.org'")).length).toBe(0);
    const session = own.db.session();
    await session.run('SET ROLE reader');
    await refused('23505', session.run("INSERT INTO people (id, mail) VALUES (9, 'ann@example.org')"));
    session.close();
  });
});

describe('row operations', () => {
  test.each<[string, Principal]>([
    ['an agent', AGENT],
    ['the guest', GUEST],
  ])('are refused to %s on tables with masked columns', async (_who, principal) => {
    const commands = own.db.commandsOf(principal);
    await refused('42501', commands.get({ table: 'people', id: '1' }));
    await refused('42501', commands.find({ table: 'people' }));
    expect((await commands.get({ table: 'orders', id: '10' })).row).toMatchObject({ person: 1 });
  });

  test('a column that was restored is reported with its values, except to such a principal', async () => {
    await own.db.fork({ name: 'lost' });
    await own.run('ALTER TABLE people DROP COLUMN name CASCADE', 'lost');
    const { sql } = await own.db.diff({ branch: 'lost', to: 'main', sql: true });
    expect(sql!.join('\n')).toContain("UPDATE people SET name = 'Ann' WHERE id = 1;");
    expect((await own.db.diff({ branch: 'lost', to: 'main', sql: true, deletes: true })).sql!.join('\n')).not.toContain('UPDATE people');
    await refused('42501', own.db.commandsOf(AGENT).diff({ branch: 'lost', to: 'main', sql: true }));
    await own.db.discard({ branch: 'lost' });
  });

  test('a table of which only index keys differ is reported by its statements', async () => {
    await own.db.fork({ name: 'indexed' });
    await own.run("CREATE INDEX words ON people USING gin (to_tsvector('simple', name))", 'indexed');
    const { sql } = await own.db.commandsOf(AGENT).diff({ branch: 'indexed', sql: true });
    expect(sql).toEqual(["CREATE INDEX words ON people USING gin (to_tsvector('simple'::regconfig, name));"]);
    await own.db.discard({ branch: 'indexed' });
  });

  test('a diff and a merge report no masked values to such a principal', async () => {
    await own.db.fork({ name: 'branch' });
    await own.run("UPDATE people SET name = 'Anna', note = 'theirs' WHERE id = 1; INSERT INTO orders VALUES (12, 2)", 'branch');
    const commands = own.db.commandsOf(AGENT);
    await refused('42501', commands.diff({ branch: 'branch' }));
    await refused('42501', commands.diff({ branch: 'branch', sql: true }));
    expect((await commands.diff({ branch: 'branch', count: true })).tables).toEqual({ people: 1, orders: 1 });
    const { rows } = await commands.preview({ branch: 'branch' });
    const person = rows.find(({ key }) => key === 'people/1')!;
    expect(person.result).toMatchObject({ note: 'theirs' });
    expect(JSON.stringify(person)).not.toMatch(/Ann|1000/);
    await own.run("UPDATE people SET name = 'Annie', note = 'ours' WHERE id = 1");
    const error = await refused('SV409', commands.merge({ branch: 'branch' }));
    expect(JSON.stringify([error.data, error.message])).not.toMatch(/Ann/);
    expect((await own.db.diff({ branch: 'branch' })).changes).toHaveLength(2);
    await own.run("UPDATE people SET name = 'Ann', note = 'a' WHERE id = 1");
    await own.db.discard({ branch: 'branch' });
  });
});

describe('statements that would copy or reveal a masked value', () => {
  test.each([
    'ALTER TABLE people ALTER COLUMN note TYPE text USING name',
    'ALTER TABLE people ADD COLUMN copied text GENERATED ALWAYS AS (name) STORED',
    "ALTER TABLE people ADD CHECK (name <> 'Ann')",
    'ALTER TABLE people ADD UNIQUE (name)',
    'CREATE UNIQUE INDEX ON people ((left(name, 0)))',
  ])('%s is refused', async (sql) => {
    await own.db.fork({ name: 'work' });
    try {
      await refused('42501', own.db.commandsOf(AGENT).sql({ branch: 'work', sql }));
      await own.db.commandsOf(AGENT).sql({ branch: 'work', sql: 'ALTER TABLE people ADD COLUMN more int, ALTER COLUMN note SET DEFAULT 1' });
      if (!sql.includes('CHECK') && !sql.includes('INDEX')) await own.run(sql, 'work');
    } finally {
      await own.db.discard({ branch: 'work' });
    }
  });

  test('a moment before the mask shows the mask of now', async () => {
    await own.run("CREATE TABLE late (id int PRIMARY KEY, secret text); INSERT INTO late VALUES (1, 'told'); GRANT SELECT ON late TO reader");
    const { at } = await own.db.checkpoint({ name: 'before' });
    await own.run("SECURITY LABEL FOR anon ON COLUMN late.secret IS 'MASKED WITH VALUE ''x'''");
    const sql = `SELECT secret FROM late AS OF '${at}'`;
    expect(await rowsAs('reader', sql)).toEqual(['x']);
    expect(await as(AGENT, sql)).toEqual(['x']);
    expect(await own.lines(sql)).toEqual(['told']);
  });
});

describe('labels', () => {
  test.each<[string, string, string]>([
    ['22023', 'another provider', "SECURITY LABEL FOR selinux ON COLUMN people.name IS 'x'"],
    ['22023', 'no mask', "SECURITY LABEL FOR anon ON COLUMN people.name IS 'secret'"],
    ['42703', 'an unknown column', "SECURITY LABEL FOR anon ON COLUMN people.nothing IS 'MASKED WITH VALUE NULL'"],
    ['42703', 'a mask over an unknown column', "SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH FUNCTION pg_catalog.upper(nothing)'"],
    ['42883', 'an unknown function', "SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH FUNCTION anon.fake_name()'"],
    ['42804', 'a value of another type', "SECURITY LABEL FOR anon ON COLUMN people.born IS 'MASKED WITH VALUE 1'"],
    ['42601', 'more than an expression', "SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH VALUE 1; DROP TABLE people'"],
    ['0A000', 'a table', "SECURITY LABEL FOR anon ON TABLE people IS 'MASKED'"],
  ])('%s: %s', async (code, _what, sql) => {
    await own.refused(code, sql);
  });

  test('belong to a world: a fork changes its own, and a merge brings them', async () => {
    await own.db.fork({ name: 'open' });
    await own.run('SECURITY LABEL FOR anon ON COLUMN people.name IS NULL', 'open');
    const name = async (branch: string): Promise<unknown> =>
      (await own.db.commandsOf(GUEST).sql({ branch, sql: 'SELECT name FROM people WHERE id = 1' })).results[0].rows[0]['name'];
    expect([await name('main'), await name('open')]).toEqual(['hidden', 'Ann']);
    await own.db.merge({ branch: 'open' });
    expect(await name('main')).toBe('Ann');
    expect(await own.lines("SELECT objname, label FROM pg_seclabels WHERE objname LIKE 'people%' ORDER BY 1")).toEqual([
      "people.born MASKED WITH FUNCTION pg_catalog.date_trunc('year', born)",
      'people.mail MASKED WITH FUNCTION anon.partial_email(mail)',
      'people.pay MASKED WITH VALUE NULL',
    ]);
    await own.run('ALTER TABLE people DROP COLUMN pay');
    expect(await own.lines("SELECT count(*) FROM pg_seclabels WHERE objname LIKE 'people%'")).toEqual(['2']);
  });
});
