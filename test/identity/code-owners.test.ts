/** Who owns what agents define, what their code may do below others' statements, and who owns it once a person has approved it. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createWireServer, type WireServer } from '../../src/wire/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { Identities } from './open-identities.ts';

let made: Identities;
let server: WireServer;
let port: number;
const open: pg.Client[] = [];

beforeAll(async () => {
  made = await Identities.open();
  const identity = new ServerIdentity({ token: null, adminToken: null, safe: false }, made.db.directory, new LoginThrottle(1e9));
  server = createWireServer({ session: (where) => made.db.session(where), logins: made.db.logins(identity), log: () => {} });
  port = await server.listen('127.0.0.1', 0);
  await made.agent({ name: 'ann' });
  await made.agent({ name: 'merger', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'] });
  await made.agent({ name: 'boss', can: ['admin'] });
  const svc = await client('svc', 'main');
  await svc.query(`CREATE TABLE stock (id int PRIMARY KEY, amount int); INSERT INTO stock VALUES (1, 10);
    CREATE FUNCTION promote(who text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('CREATE ROLE %I SUPERUSER', who); RETURN who; END $$;
    CREATE ROLE plain LOGIN PASSWORD 'plain-password'; GRANT ALL ON stock TO plain; GRANT CREATE ON SCHEMA public TO plain`);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.end();
});
afterAll(async () => {
  await server.close();
  await made.close();
});

async function client(user: string, database: string): Promise<pg.Client> {
  const password = made.tokens.get(user) ?? (user === 'plain' ? 'plain-password' : 'x');
  const connection = new pg.Client({ host: '127.0.0.1', port, user, password, database });
  connection.on('error', () => {});
  await connection.connect();
  open.push(connection);
  return connection;
}

async function value(connection: pg.Client, sql: string): Promise<unknown> {
  const { rows } = await connection.query({ text: sql, rowMode: 'array' });
  return (rows as unknown[][])[0]?.[0];
}

async function code(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
}

let forks = 0;
async function fork(agent: string): Promise<{ world: string; by: pg.Client; svc: pg.Client }> {
  const world = `w${++forks}`;
  await (await client(agent, 'main')).query(`CREATE WORLD ${world}`);
  return { world, by: await client(agent, world), svc: await client('svc', world) };
}

const ROLE = `EXECUTE 'CREATE ROLE evil' || floor(random() * 1e9)::text || ' SUPERUSER'`;
const OWNER = (name: string): string => `SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE proname = '${name}'`;

test('what an agent creates is its own, in psql too', async () => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE TABLE t (id int); CREATE VIEW v AS SELECT 1; CREATE SCHEMA s`);
  expect(await value(svc, OWNER('f'))).toBe('ann');
  expect(await value(svc, `SELECT string_agg(DISTINCT pg_get_userbyid(relowner), ',') FROM pg_class WHERE relname IN ('t', 'v')`)).toBe('ann');
  expect(await value(svc, `SELECT rolname FROM pg_roles r JOIN pg_namespace n ON n.nspowner = r.oid WHERE nspname = 's'`)).toBe('ann');
  expect(await value(svc, `SELECT rolsuper FROM pg_roles WHERE rolname = 'ann'`)).toBe(false);
  expect(await value(svc, `SELECT pg_get_userbyid(relowner) FROM pg_class WHERE relname = 'stock'`)).toBe('svc');
});

test.each(['', 'SECURITY DEFINER'])('a function of an agent changes nothing beyond its world, called by a person: %s', async (how) => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE FUNCTION boom() RETURNS int LANGUAGE plpgsql ${how} AS $$ BEGIN ${ROLE}; RETURN 1; END $$;
    CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql ${how} AS $$ BEGIN INSERT INTO stock VALUES (7, 7); RETURN current_setting('is_superuser') = 'on'; EXCEPTION WHEN invalid_text_representation THEN RETURN 0; END $$;
    ALTER TABLE stock RENAME TO real_stock; CREATE VIEW stock AS SELECT *, boom() AS b FROM real_stock`);
  expect(await code(svc.query('SELECT boom()'))).toBe('42501');
  expect(await code(svc.query('SELECT * FROM stock'))).toBe('42501');
  expect(await value(svc, `SELECT count(*) FROM pg_roles WHERE rolname LIKE 'evil%'`)).toBe('0');
});

test('code of an agent leaves the session that runs it alone', async () => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE VIEW sets AS SELECT set_config('search_path', 'evil', false);
    CREATE FUNCTION sets() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SET search_path = evil; END $$;
    CREATE FUNCTION temps() RETURNS void LANGUAGE plpgsql AS $$ BEGIN CREATE TEMP TABLE stock (id int); END $$;
    CREATE FUNCTION prepares() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'PREPARE p AS SELECT 1'; END $$`);
  for (const sql of ['SELECT * FROM sets', 'SELECT sets()', 'SELECT temps()', 'SELECT prepares()'])
    expect([sql, await code(svc.query(sql))]).toEqual([sql, '42501']);
  expect(await value(svc, 'SHOW search_path')).toBe('"$user", public');
  await by.query('SELECT sets(); RESET search_path; SELECT temps(); DROP TABLE pg_temp.stock');
});

test("a person's function that an agent's default, trigger, operator or view calls runs no higher than the agent", async () => {
  const { by, svc } = await fork('ann');
  await by
    .query(
      `ALTER TABLE stock ADD COLUMN who text DEFAULT promote('evil_default');
    CREATE FUNCTION calls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM promote('evil_trigger'); RETURN NEW; END $$`,
    )
    .catch(() => {});
  const second = await fork('ann');
  await second.by.query(`CREATE FUNCTION calls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM promote('evil_trigger'); RETURN NEW; END $$;
    CREATE TRIGGER calls BEFORE INSERT ON stock FOR EACH ROW EXECUTE FUNCTION calls()`);
  expect(await code(second.svc.query('INSERT INTO stock VALUES (5, 5)'))).toBe('42501');
  const third = await fork('ann');
  await third.by.query(`CREATE OPERATOR === (FUNCTION = promote, RIGHTARG = text); CREATE VIEW v AS SELECT promote('evil_view') AS p`);
  expect(await code(third.svc.query(`SELECT === 'evil_operator'::text`))).toBe('42501');
  expect(await code(third.svc.query('SELECT * FROM v'))).toBe('42501');
  const fourth = await fork('ann');
  await fourth.by.query(`ALTER TABLE stock ALTER COLUMN amount SET DEFAULT length(promote('evil_set_default'))`);
  expect(await code(fourth.svc.query('INSERT INTO stock (id) VALUES (9)'))).toBe('42501');
  expect(await value(svc, `SELECT count(*) FROM pg_roles WHERE rolname LIKE 'evil%'`)).toBe('0');
});

test("what an agent makes of a person's function runs no higher than the agent", async () => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE OR REPLACE FUNCTION promote(who text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN ${ROLE}; RETURN who; END $$`);
  expect(await value(svc, OWNER('promote'))).toBe('svc');
  expect(await code(svc.query(`SELECT promote('evil_replaced')`))).toBe('42501');
  const second = await fork('ann');
  await second.by.query('ALTER FUNCTION promote(text) SECURITY DEFINER');
  expect(await code(second.svc.query(`SELECT promote('evil_altered')`))).toBe('42501');
});

test('an agent gives nothing to another, and code of it that a person runs neither', async () => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE FUNCTION f() RETURNS void LANGUAGE sql AS ''; CREATE FUNCTION gives() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER FUNCTION f() OWNER TO svc; END $$;
    CREATE FUNCTION makes() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREATE FUNCTION made() RETURNS void LANGUAGE sql SECURITY DEFINER AS ''SELECT 1'''; END $$`);
  for (const sql of ['ALTER FUNCTION f() OWNER TO svc', 'CREATE SCHEMA x AUTHORIZATION svc', 'REASSIGN OWNED BY CURRENT_USER TO svc']) {
    expect([sql, await code(by.query(sql))]).toEqual([sql, '42501']);
  }
  expect(await code(svc.query('SELECT gives()'))).toBe('42501');
  await svc.query('SELECT makes()');
  expect(await value(svc, OWNER('made'))).toBe('ann');
  expect(await value(svc, OWNER('f'))).toBe('ann');
});

test('a merge by a person passes what the agent owned to that person, and it then runs as Postgres runs it', async () => {
  const { by, svc, world } = await fork('ann');
  await by.query(`CREATE FUNCTION later(who text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('CREATE ROLE %I', who); RETURN who; END $$;
    CREATE TABLE later_table (id int PRIMARY KEY); GRANT SELECT ON later_table TO plain`);
  await by.end();
  await svc.end();
  open.splice(open.indexOf(by), 1);
  open.splice(open.indexOf(svc), 1);
  const main = await client('svc', 'main');
  await main.query(`MERGE WORLD ${world}`);
  expect(await value(main, OWNER('later'))).toBe('svc');
  expect(await value(main, `SELECT relacl::text FROM pg_class WHERE relname = 'later_table'`)).toBe('{svc=arwdDxt/svc,plain=r/svc}');
  expect(await value(main, `SELECT later('made_later')`)).toBe('made_later');
  expect(await value(main, `SELECT count(*) FROM pg_roles WHERE rolname = 'ann'`)).toBe('0');
});

test('what an agent merges itself keeps the agent as owner in main', async () => {
  const { by, world } = await fork('merger');
  await by
    .query(
      `CREATE FUNCTION mine() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN ${ROLE}; RETURN 1; END $$;
    CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO notes VALUES (NEW.id); RETURN NEW; END $$;
    CREATE TABLE notes (id int); CREATE TRIGGER noted AFTER INSERT ON stock FOR EACH ROW EXECUTE FUNCTION noted(); MERGE WORLD ${world}`,
    )
    .catch(async () => {
      await by.query(`MERGE WORLD ${world}`);
    });
  const main = await client('svc', 'main');
  expect(await value(main, OWNER('mine'))).toBe('merger');
  for (const user of ['svc', 'plain', 'boss']) expect([user, await code((await client(user, 'main')).query('SELECT mine()'))]).toEqual([user, '42501']);
  // Its trigger works as long as it may change main.
  await main.query('INSERT INTO stock VALUES (20, 1)');
  expect(await value(main, 'SELECT count(*) FROM notes')).toBe('1');
  await main.query('ALTER AGENT merger CAN (read, fork)');
  expect(await code(main.query('INSERT INTO stock VALUES (21, 1)'))).toBe('42501');
  await main.query('ALTER FUNCTION noted() OWNER TO CURRENT_USER; ALTER TABLE stock OWNER TO CURRENT_USER; ALTER TABLE notes OWNER TO CURRENT_USER');
  await main.query('INSERT INTO stock VALUES (21, 1)');
  await main.query('ALTER FUNCTION mine() OWNER TO CURRENT_USER');
  expect(await value(main, 'SELECT mine()')).toBe(1);
  await main.query('DROP TRIGGER noted ON stock; DROP FUNCTION noted(); DROP TABLE notes');
});

test('only rewriting the code or becoming its owner makes one its author; other changes approve nothing', async () => {
  const main = await client('svc', 'main');
  await main.query(`ALTER AGENT merger CAN (read, fork, write_own, merge_own, write_main);
    CREATE TABLE goods (id int PRIMARY KEY, amount int); CREATE VIEW shown AS SELECT id, amount FROM goods;
    CREATE FUNCTION plain_fn() RETURNS int LANGUAGE sql AS 'SELECT 1'`);
  const { by, world } = await fork('merger');
  await by.query(`CREATE OR REPLACE FUNCTION plain_fn() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${ROLE}; RETURN 1; END $$;
    CREATE OR REPLACE VIEW shown AS SELECT id, length(set_config('search_path', 'evil', false)) AS amount FROM goods;
    CREATE FUNCTION its_own() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${ROLE}; RETURN 1; END $$`);
  await by.query(`MERGE WORLD ${world}`);
  const calls = ['SELECT plain_fn()', 'SELECT renamed_fn()', 'SELECT its_own()', 'SELECT * FROM shown'];
  await main.query('INSERT INTO goods VALUES (1, 1)');
  await main.query(
    'ALTER FUNCTION plain_fn() COST 10; ALTER FUNCTION its_own() STABLE; ALTER TABLE goods RENAME COLUMN id TO number; ALTER VIEW shown SET (security_barrier)',
  );
  expect(await code(main.query('SELECT plain_fn()'))).toBe('42501');
  await main.query('ALTER FUNCTION plain_fn() RENAME TO renamed_fn; ALTER FUNCTION its_own() OWNER TO CURRENT_USER; ALTER FUNCTION its_own() VOLATILE');
  expect(await Promise.all(calls.slice(1).map((sql) => code(main.query(sql))))).toEqual(['42501', 'done', '42501']);
  await main.query(`CREATE OR REPLACE FUNCTION renamed_fn() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREATE ROLE by_renamed'; RETURN 1; END $$;
    CREATE OR REPLACE VIEW shown AS SELECT number AS id, length(set_config('x.y', 'z', false)) AS amount FROM goods`);
  expect(await Promise.all(calls.slice(1).map((sql) => code(main.query(sql))))).toEqual(['done', 'done', 'done']);
  await main.query('DROP VIEW shown; DROP FUNCTION renamed_fn(); DROP FUNCTION its_own(); DROP TABLE goods; DROP ROLE by_renamed');
});

test('an agent’s own definition that a person rewrites belongs to the person', async () => {
  const { by, svc } = await fork('ann');
  await by.query(`CREATE FUNCTION hers() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE VIEW her_view AS SELECT 1 AS a`);
  await svc.query(`CREATE OR REPLACE FUNCTION hers() RETURNS int LANGUAGE sql AS 'SELECT 2'; CREATE OR REPLACE VIEW her_view AS SELECT 2 AS a`);
  expect(await value(svc, OWNER('hers'))).toBe('svc');
  expect(await value(svc, `SELECT pg_get_userbyid(relowner) FROM pg_class WHERE relname = 'her_view'`)).toBe('svc');
});

test("a person's own code acts beyond the world, another role's below a person's statement does not", async () => {
  const main = await client('svc', 'main');
  expect(await value(main, `SELECT promote('made_by_svc')`)).toBe('made_by_svc');
  await main.query(`DO $$ BEGIN EXECUTE 'CREATE ROLE made_by_do'; END $$`);
  await main.query(`DROP ROLE made_by_svc, made_by_do`);
  const plain = await client('plain', 'main');
  await plain.query(`CREATE FUNCTION trap() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER ROLE plain SUPERUSER; END $$`);
  expect(await code(main.query('SELECT trap()'))).toBe('42501');
  expect(await value(main, `SELECT rolsuper FROM pg_roles WHERE rolname = 'plain'`)).toBe(false);
  await plain.query('DROP FUNCTION trap()');
});

test('masked columns are masked to code of an agent that a person runs', async () => {
  const main = await client('svc', 'main');
  await main.query(`CREATE TABLE people (id int PRIMARY KEY, ssn text); INSERT INTO people VALUES (1, 'secret');
    SECURITY LABEL FOR anon ON COLUMN people.ssn IS 'MASKED WITH VALUE ''xxx'''`);
  const { by, svc } = await fork('ann');
  await by.query(`CREATE TABLE leak (was text); CREATE FUNCTION keep(s text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO leak VALUES (s); RETURN s; END $$;
    CREATE VIEW seen AS SELECT keep(ssn) AS s FROM people; CREATE VIEW seen2 WITH (security_invoker) AS SELECT keep(ssn) AS s FROM people;
    CREATE FUNCTION reads() RETURNS text LANGUAGE sql AS 'SELECT ssn FROM people';
    CREATE FUNCTION copies() RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO leak SELECT ssn FROM people; RETURN ''; END $$`);
  await svc.query('SELECT * FROM seen; SELECT * FROM seen2; SELECT copies()');
  expect(await value(svc, 'SELECT reads()')).toBe('xxx');
  expect(await value(svc, `SELECT string_agg(DISTINCT was, ',') FROM leak`)).toBe('xxx');
  expect(await value(svc, 'SELECT ssn FROM people')).toBe('secret');
});
