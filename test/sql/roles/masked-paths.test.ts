/** Masked values by every way round: what keeps copies of them, what is given them, what tells of them, and other states. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

const SETUP = `
  CREATE TABLE people (id int PRIMARY KEY, name text, mail text UNIQUE, pay int, note text NOT NULL, CHECK (note <> 'bad'));
  INSERT INTO people VALUES (1, 'Ann-secret', 'a@secret', 4242, 'a'), (2, 'Bob-secret', 'b@secret', 4343, 'b');
  CREATE TABLE child (id int PRIMARY KEY, mail text REFERENCES people (mail)); INSERT INTO child VALUES (1, 'a@secret');
  CREATE TABLE base (id int, name text); CREATE TABLE kid (extra int) INHERITS (base); INSERT INTO kid VALUES (1, 'kid-secret', 1);
  CREATE TABLE part (id int, name text) PARTITION BY RANGE (id);
  CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (0) TO (100); CREATE TABLE part2 PARTITION OF part FOR VALUES FROM (100) TO (200);
  INSERT INTO part VALUES (1, 'part-secret');
  CREATE TABLE lone (id int NOT NULL, name text); INSERT INTO lone VALUES (1, 'lone-secret');
  CREATE MATERIALIZED VIEW kept AS SELECT id, name, pay FROM people;
  CREATE MATERIALIZED VIEW plain AS SELECT id FROM child;
  CREATE VIEW shown AS SELECT * FROM people WHERE note <> 'none' WITH CHECK OPTION;
  CREATE TABLE audit (t text);
  CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES (OLD.name); RETURN NEW; END $$;
  CREATE TRIGGER tt BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION audited();
  CREATE FUNCTION okname(t text) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
  CREATE FUNCTION veil(t text) RETURNS text LANGUAGE sql AS $$ SELECT 'veiled' $$;
  ALTER TABLE people ADD CHECK (okname(name));
  CREATE TABLE "a/b" (id int PRIMARY KEY, name text); INSERT INTO "a/b" VALUES (1, 'slash-secret');
  CREATE TABLE hashed (id int PRIMARY KEY, name text); INSERT INTO hashed VALUES (1, 'hash-secret');
  CREATE TABLE ruled (id int PRIMARY KEY, name text, pay int); INSERT INTO ruled VALUES (1, 'rule-secret', 4242), (2, 'other-secret', 4343);
  CREATE RULE gone AS ON DELETE TO ruled DO ALSO INSERT INTO audit VALUES (OLD.name || OLD.pay), (OLD::text);
  CREATE RULE found AS ON UPDATE TO ruled WHERE OLD.name = 'rule-secret' DO ALSO INSERT INTO audit VALUES ('found ' || OLD.name || NEW.name || NEW.pay);
  CREATE VIEW through AS SELECT * FROM ruled;
  CREATE RULE up AS ON UPDATE TO through DO INSTEAD UPDATE ruled SET pay = NEW.pay WHERE id = OLD.id RETURNING ruled.*;
  SECURITY LABEL FOR anon ON COLUMN ruled.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN ruled.pay IS 'MASKED WITH VALUE 7';
  SECURITY LABEL FOR anon ON COLUMN "a/b".name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN hashed.name IS 'MASKED WITH FUNCTION veil(name)';
  SECURITY LABEL FOR anon ON COLUMN part.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN base.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN lone.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN late.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN people.mail IS 'MASKED WITH VALUE ''hidden''';
  SECURITY LABEL FOR anon ON COLUMN people.pay IS 'MASKED WITH VALUE NULL'`;

const FUNCTION = (body: string): string => `CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;

let own: TestDatabase;
let agent: Principal;
let past: string;
let n = 0;

beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run("CREATE TABLE late (id int PRIMARY KEY, name text); INSERT INTO late VALUES (1, 'late-secret')");
  past = `#${own.db.stats()['log_sequence']}`;
  await own.run(SETUP);
  await own.db.create_agent({ name: 'helper', can: ['read', 'fork', 'write_own', 'write', 'write_main', 'merge', 'restore'] });
  agent = own.db.directory.byName('helper')!;
});
afterAll(() => own.close());

/** All that the agent is told by these statements in a fork of its own, refusals and notices too. */
async function replies(sql: string, branch?: string): Promise<string> {
  const world = branch ?? `w${++n}`;
  if (branch === undefined) await own.db.fork({ name: world }, agent);
  const session = own.db.session({ branch: world, principal: agent });
  const out: unknown[] = [];
  const results: Awaited<ReturnType<typeof session.run>> = [];
  try {
    await session.run(sql, [], results);
  } catch (error) {
    const { code, message, detail, data } = error as { code: string; message: string; detail?: string; data?: unknown };
    out.push(code, message, detail, data);
  }
  for (const { rows, notices } of results) out.push(rows.flat().map(String), ...(notices ?? []).map(({ message }) => message));
  session.close();
  if (branch === undefined) await own.db.discard({ branch: world });
  return JSON.stringify(out);
}

describe('an agent does not learn', () => {
  test.each<[string, string, RegExp]>([
    ['by a materialized view', 'SELECT * FROM kept ORDER BY id', /hidden/],
    ['by the row that is not null', 'UPDATE people SET note = NULL WHERE id = 1', /23502.*Failing row contains \(id, note\) = \(1, null\)/],
    ['by the row of a check', "UPDATE people SET note = 'bad' WHERE id = 1", /23514.*Failing row contains \(id, note\)/],
    ['by the row of a check option', "UPDATE shown SET note = 'none' WHERE id = 1", /44000.*Failing row contains \(id, note\)/],
    ['by a key that is referenced', 'DELETE FROM people WHERE id = 1', /23503.*Key is still referenced/],
    ["by somebody else's trigger", 'UPDATE people SET note = note; SELECT * FROM audit', /hidden/],
    ['by a trigger and a temporary table', 'CREATE TEMP TABLE audit (t text); UPDATE people SET note = note; SELECT * FROM audit', /hidden/],
    [
      'by a trigger of its own',
      `${FUNCTION("RAISE NOTICE '% %', OLD, NEW; RETURN NEW;")}; CREATE TRIGGER z BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION own(); UPDATE people SET note = note`,
      /hidden/,
    ],
    [
      'by an AFTER trigger',
      `${FUNCTION("RAISE NOTICE '% %', OLD, NEW; RETURN NULL;")}; CREATE TRIGGER z AFTER UPDATE OR DELETE ON people FOR EACH ROW EXECUTE FUNCTION own(); UPDATE people SET note = note; DELETE FROM people WHERE id = 2`,
      /hidden.*hidden/,
    ],
    ['by a rule', 'DELETE FROM ruled; SELECT * FROM audit', /hidden7/],
    ['by the condition of a rule', "UPDATE ruled SET pay = 1 WHERE id = 1; SELECT 'seen ' || count(*) FROM audit", /seen 0/],
    ['by a rule of a view', 'UPDATE through SET id = id RETURNING *', /hidden/],
    [
      'by a rule of its own',
      'CREATE RULE z AS ON UPDATE TO people DO ALSO INSERT INTO audit VALUES (OLD.name || OLD.pay); UPDATE people SET note = note; SELECT * FROM audit',
      /42501.*it has masked columns/,
    ],
    [
      'by transition tables',
      `${FUNCTION("RAISE NOTICE '%', (SELECT string_agg(o::text || n::text, ' ') FROM o, n); RETURN NULL;")}; CREATE TRIGGER z AFTER UPDATE ON people REFERENCING OLD TABLE AS o NEW TABLE AS n EXECUTE FUNCTION own(); UPDATE people SET note = note`,
      /hidden/,
    ],
    [
      'by a row that goes to another partition',
      `${FUNCTION("RAISE NOTICE '%', NEW; RETURN NEW;")}; CREATE TRIGGER y BEFORE INSERT ON part2 FOR EACH ROW EXECUTE FUNCTION own(); CREATE TRIGGER z AFTER INSERT ON part2 FOR EACH ROW EXECUTE FUNCTION own(); UPDATE part SET id = 150`,
      /\(150,hidden\).*\(150,hidden\)/,
    ],
    [
      'by the condition of a trigger',
      `${FUNCTION('RETURN NEW;')}; CREATE TRIGGER z BEFORE UPDATE ON people FOR EACH ROW WHEN (OLD.pay > 1) EXECUTE FUNCTION own()`,
      /42501/,
    ],
    ['by a function of a check', "CREATE OR REPLACE FUNCTION okname(t text) RETURNS bool LANGUAGE sql AS 'SELECT true'", /42501/],
    ['by a function of a mask', 'CREATE OR REPLACE FUNCTION veil(t text) RETURNS text LANGUAGE sql AS $$ SELECT t $$', /42501/],
    ['by a function that stands before that of a mask', 'CREATE FUNCTION veil(t varchar) RETURNS text LANGUAGE sql AS $$ SELECT t::text $$', /42501/],
    [
      'by another function with that name',
      'CREATE FUNCTION other(t text) RETURNS text LANGUAGE sql AS $$ SELECT t $$; ALTER FUNCTION other(text) RENAME TO veil',
      /42501/,
    ],
    ['by a function of a mask in another schema', 'SET search_path = other, public; SELECT name FROM hashed', /veiled/],
    ['by a child', 'SELECT * FROM kid', /hidden/],
    ['by a partition', 'SELECT * FROM part1', /hidden/],
    ['by a table above', 'CREATE TABLE up (id int NOT NULL, name text); ALTER TABLE lone INHERIT up', /42501/],
    ['by a partition that is taken out', 'ALTER TABLE part DETACH PARTITION part1', /42501/],
    [
      'by a table that is put in',
      'CREATE TABLE top (id int NOT NULL, name text) PARTITION BY LIST (id); ALTER TABLE top ATTACH PARTITION lone DEFAULT',
      /42501/,
    ],
    ['by a foreign key', 'CREATE TABLE guesses (mail text REFERENCES people (mail))', /42501/],
    ['by another world', "DROP TABLE people CASCADE; SELECT * FROM people AS OF WORLD 'main'", /hidden/],
  ])('%s', async (_what, sql, expected) => {
    const text = await replies(sql);
    expect(text).not.toMatch(/secret|4242|4343/);
    expect(text).toMatch(expected);
  });

  test('by a past moment: what is masked today is masked there', async () => {
    for (const text of [await replies('SELECT * FROM late', `main@${past}`), await replies(`USE WORLD main@'${past}'; SELECT * FROM late`)]) {
      expect(text).not.toMatch(/secret/);
      expect(text).toMatch(/hidden/);
    }
    const commands = own.db.commandsOf(agent);
    await refused('42501', commands.get({ branch: `main@${past}`, table: 'late', id: '1' }));
    await refused('42501', commands.find({ branch: `main@${past}`, table: 'late' }));
    await refused('42501', commands.restore({ branch: 'main', at: past }));
    expect(await own.lines('SELECT name FROM late', `main@${past}`)).toEqual(['late-secret']);
  });

  test('by row operations on partitions and materialized views', async () => {
    const commands = own.db.commandsOf(agent);
    for (const table of ['part1', 'kid', 'kept', 'a/b']) await refused('42501', commands.find({ table }));
    expect((await commands.find({ table: 'plain' })).total).toBe(1);
  });

  test('by previews of merges, of tables with strange names and by what checks find', async () => {
    await own.db.fork({ name: 'mine' }, agent);
    const commands = own.db.commandsOf(agent);
    await commands.sql({ branch: 'mine', sql: `UPDATE "a/b" SET id = 5; UPDATE people SET note = 'odd'; REFRESH MATERIALIZED VIEW kept` });
    await own.db.set_merge_check({ name: 'odd', query: "SELECT * FROM people WHERE note = 'odd'" });
    await own.db.set_merge_check({ name: 'known', query: "SELECT id FROM people WHERE note = 'odd'" });
    const preview = JSON.stringify(await commands.preview({ branch: 'mine' }));
    const { message, data } = await refused('23514', commands.merge({ branch: 'mine' }));
    for (const text of [preview, message + JSON.stringify(data)]) {
      expect(text).not.toMatch(/secret|4242|4343/);
      expect(text).toContain('found 2 rows, over masked columns');
      expect(text.replaceAll('\\', '')).toContain('found {"id":1}, {"id":2}');
    }
    expect(JSON.stringify(await own.db.preview({ branch: 'mine' }))).toContain('Ann-secret');
    for (const name of ['odd', 'known']) await own.db.drop_merge_check({ name });
    await own.db.discard({ branch: 'mine' });
  });
});

test('triggers of a role that sees masked columns leave them unchanged', async () => {
  await own.db.fork({ name: 'kept' }, agent);
  await own.run('CREATE FUNCTION lowers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$', 'kept');
  await own.run('CREATE TRIGGER uu BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION lowers()', 'kept');
  await own.db.commandsOf(agent).sql({ branch: 'kept', sql: "UPDATE people SET note = 'n' WHERE id = 1; UPDATE people SET name = 'new' WHERE id = 2" });
  expect(await own.lines('SELECT name, mail, pay, note FROM people ORDER BY id', 'kept')).toEqual(['Ann-secret a@secret 4242 n', 'NEW b@secret 4343 b']);
  await own.db.discard({ branch: 'kept' });
});

test('a materialized view that is read as a view is still none that can be changed', async () => {
  await refused('42809', own.db.commandsOf(agent).sql({ sql: 'DELETE FROM kept' }));
  expect(await own.lines('SELECT name FROM kept ORDER BY id')).toEqual(['Ann-secret', 'Bob-secret']);
});

test('a model neither writes nor deletes whole rows of such tables', async () => {
  const commands = own.db.commandsOf({ kind: 'owner', sight: 'masked' });
  await refused('42501', commands.put({ table: 'lone', id: '1', record: {} }));
  await refused('42501', commands.delete({ table: 'late', id: '1' }));
  await refused('42501', commands.batch({ rows: [{ table: 'late', id: '1', record: null }] }));
});
