/**
 * The other side of the matrix of agents' code: what a person's own code may, whose an agent's is, and what becomes of it when a person
 * merges it. See code-matrix.test.ts for what must not get through.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MatrixStage } from './matrix-stage.ts';

let stage: MatrixStage;
let mallory: pg.Client;

beforeAll(async () => {
  stage = await MatrixStage.open();
  mallory = await stage.connect('mallory');
});

afterAll(async () => {
  await mallory.end();
  await stage.close();
});

async function roles(like: string): Promise<string[]> {
  return (await stage.owner.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname LIKE $1 ORDER BY 1', [like])).rows.map(
    ({ rolname }) => rolname,
  );
}

async function code(client: pg.Client, sql: string): Promise<string> {
  return client.query(sql).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
}

async function as<T>(user: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await stage.connect(user, database);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An agent's world with `sql` said in it. */
async function forked(world: string, sql: string): Promise<void> {
  await mallory.query(`CREATE WORLD ${world}`);
  await as('mallory', world, (client) => client.query(sql));
}

const CREATES = (role: string): string => `LANGUAGE plpgsql AS $$ BEGIN CREATE ROLE ${role}; RETURN 1; END $$`;

test("the owner's own code acts beyond the world for the owner: DO, functions, nested, definer, view, default, trigger", async () => {
  await stage.owner.query("DO $$ BEGIN CREATE ROLE own_do; ALTER ROLE own_do CREATEDB; ALTER ROLE own_do SET work_mem = '8MB'; END $$");
  await stage.owner.query(`CREATE FUNCTION own_f() RETURNS int ${CREATES('own_function')}; SELECT own_f()`);
  await stage.owner.query(`CREATE FUNCTION own_g() RETURNS int SECURITY DEFINER ${CREATES('own_definer')};
    CREATE FUNCTION own_h() RETURNS int LANGUAGE sql AS 'SELECT own_g()'; SELECT own_h()`);
  await stage.owner.query(`CREATE FUNCTION own_v() RETURNS int ${CREATES('own_view')}; CREATE VIEW own_view AS SELECT own_v() AS n; SELECT * FROM own_view`);
  await stage.owner.query(
    `CREATE FUNCTION own_d() RETURNS int ${CREATES('own_default')}; CREATE TABLE own_t (id int, v int DEFAULT own_d()); INSERT INTO own_t (id) VALUES (1)`,
  );
  await stage.owner.query(`CREATE FUNCTION own_tr() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN CREATE ROLE own_trigger; RETURN new; END $$;
    CREATE TRIGGER a BEFORE UPDATE ON own_t FOR EACH ROW EXECUTE FUNCTION own_tr(); UPDATE own_t SET id = 2`);
  await stage.owner.query(
    "CREATE PROCEDURE own_p() LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREATE ROLE own_procedure'; GRANT own_do TO own_procedure; END $$; CALL own_p()",
  );
  expect(await roles('own\\_%')).toEqual(['own_default', 'own_definer', 'own_do', 'own_function', 'own_procedure', 'own_trigger', 'own_view']);
});

test("the owner's own code changes the owner's session", async () => {
  await as('svc', 'main', async (client) => {
    await client.query(`CREATE FUNCTION own_set() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('search_path', 'pg_catalog, public', false); SET extra_float_digits = 2; CREATE TEMP TABLE own_temp (id int); END $$`);
    await client.query('SELECT own_set()');
    expect((await client.query('SHOW search_path')).rows).toEqual([{ search_path: 'pg_catalog, public' }]);
    expect((await client.query('SHOW extra_float_digits')).rows).toEqual([{ extra_float_digits: '2' }]);
    expect((await client.query('SELECT * FROM own_temp')).rows).toEqual([]);
  });
});

test('a role: SECURITY DEFINER gives it the rights of the owner inside the world, and none beyond it', async () => {
  await stage.owner.query(`CREATE TABLE closed (id int); REVOKE ALL ON closed FROM public;
    CREATE FUNCTION opens() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO closed VALUES (1); SELECT count(*) FROM closed';
    CREATE FUNCTION opens_roles() RETURNS int SECURITY DEFINER ${CREATES('beyond_by_definer')};
    CREATE VIEW closed_view AS SELECT * FROM closed; GRANT SELECT ON closed_view TO public`);
  await as('plain', 'main', async (client) => {
    expect(await code(client, 'INSERT INTO closed VALUES (1)')).toBe('42501');
    expect((await client.query('SELECT opens() AS n')).rows).toEqual([{ n: '1' }]);
    expect((await client.query('SELECT * FROM closed_view')).rows).toEqual([{ id: 1 }]);
    expect(await code(client, 'SELECT opens_roles()')).toBe('42501');
  });
  expect(await roles('beyond\\_%')).toEqual([]);
});

test("a role's own code runs as the role, and as the role that defined it where it says so", async () => {
  await as('plain', 'main', async (client) => {
    await client.query(
      "CREATE FUNCTION whose() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT current_user::text'; CREATE TABLE of_plain (id int); SELECT whose()",
    );
    expect((await client.query('SELECT whose()')).rows).toEqual([{ whose: 'plain' }]);
  });
  expect((await stage.owner.query('SELECT whose()')).rows).toEqual([{ whose: 'plain' }]);
  await as('boss', 'main', async (client) => {
    await client.query(`CREATE FUNCTION of_boss() RETURNS int ${CREATES('made_by_boss')}; SELECT of_boss()`);
  });
  expect(await roles('made\\_by\\_boss')).toEqual(['made_by_boss']);
});

const OBJECTS = `CREATE SCHEMA y; CREATE TABLE y.t (id int PRIMARY KEY); CREATE VIEW y.v AS SELECT 1 AS n; CREATE SEQUENCE y.s; CREATE TYPE y.e AS ENUM ('a');
  CREATE FUNCTION y.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; CREATE MATERIALIZED VIEW y.m AS SELECT 1 AS n;
  CREATE OR REPLACE FUNCTION public.inner_() RETURNS int LANGUAGE sql AS 'SELECT 1'`;
const OWNERS = `SELECT DISTINCT who FROM (
  SELECT pg_get_userbyid(nspowner) AS who FROM pg_namespace WHERE nspname = 'y'
  UNION ALL SELECT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = to_regnamespace('y')
  UNION ALL SELECT pg_get_userbyid(typowner) FROM pg_type WHERE typnamespace = to_regnamespace('y')
  UNION ALL SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = to_regnamespace('y')) AS o ORDER BY 1`;
const REPLACED = "SELECT pg_get_userbyid(proowner) AS who FROM pg_proc WHERE proname = 'inner_'";

test('what an agent creates is its own, also in forks of its fork and after its own merge; what it replaces keeps its owner', async () => {
  await forked('owned', OBJECTS);
  await as('svc', 'owned', async (client) => {
    expect((await client.query(OWNERS)).rows).toEqual([{ who: 'mallory' }]);
    expect((await client.query(REPLACED)).rows).toEqual([{ who: 'svc' }]);
  });
  await stage.owner.query('CREATE WORLD owned_below FROM owned');
  await as('svc', 'owned_below', async (client) => expect((await client.query(OWNERS)).rows).toEqual([{ who: 'mallory' }]));
  await as('merger', 'main', async (client) => {
    await client.query('CREATE WORLD merged_by_itself; USE WORLD merged_by_itself');
    await client.query(OBJECTS);
    await client.query('USE WORLD main; MERGE WORLD merged_by_itself');
  });
  expect((await stage.owner.query(OWNERS)).rows).toEqual([{ who: 'merger' }]);
  await stage.owner.query('DROP SCHEMA y CASCADE');
});

test('an agent cannot give what it owns to another, nor take over what another owns', async () => {
  await forked(
    'gives',
    "CREATE SCHEMA z; CREATE TABLE z.t (id int); CREATE VIEW z.v AS SELECT 1 AS n; CREATE SEQUENCE z.s; CREATE TYPE z.e AS ENUM ('a'); CREATE FUNCTION z.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  );
  await as('mallory', 'gives', async (client) => {
    for (const sql of [
      'ALTER TABLE z.t OWNER TO svc',
      'ALTER VIEW z.v OWNER TO svc',
      'ALTER SEQUENCE z.s OWNER TO svc',
      'ALTER TYPE z.e OWNER TO svc',
      'ALTER FUNCTION z.f() OWNER TO svc',
      'ALTER SCHEMA z OWNER TO svc',
      'ALTER FUNCTION z.f() OWNER TO plain',
      'REASSIGN OWNED BY mallory TO svc',
      'REASSIGN OWNED BY CURRENT_USER TO svc',
      'CREATE SCHEMA given AUTHORIZATION svc',
      'SET ROLE svc',
      'SET ROLE boss',
      'SET SESSION AUTHORIZATION svc',
    ])
      expect([sql, await code(client, sql)]).toEqual([sql, '42501']);
  });
});

test('what a person has merged is that person’s: it works for the person, and still not for others', async () => {
  await forked(
    'approved',
    `CREATE FUNCTION public.approved() RETURNS int SECURITY DEFINER ${CREATES('by_approved_code')}; GRANT ALL ON FUNCTION public.approved() TO public`,
  );
  await as('svc', 'approved', async (client) => expect(await code(client, 'SELECT public.approved()')).toBe('42501'));
  await stage.owner.query('MERGE WORLD approved');
  expect((await stage.owner.query("SELECT pg_get_userbyid(proowner) AS who FROM pg_proc WHERE proname = 'approved'")).rows).toEqual([{ who: 'svc' }]);
  await as('plain', 'main', async (client) => expect(await code(client, 'SELECT public.approved()')).toBe('42501'));
  await as('chief', 'main', async (client) => expect(await code(client, 'SELECT public.approved()')).toBe('42501'));
  expect(await roles('by\\_approved%')).toEqual([]);
  await stage.owner.query('SELECT public.approved()');
  expect(await roles('by\\_approved%')).toEqual(['by_approved_code']);
});

test('code of the guest and of a safe session of MCP is held as an agent’s', async () => {
  const safe = await stage.safeModel();
  await safe('fork', { name: 'by_safe_mode' });
  await safe('sql', {
    branch: 'by_safe_mode',
    sql: `CREATE FUNCTION public.safe_f() RETURNS int SECURITY DEFINER ${CREATES('by_safe_code')}; CREATE VIEW public.safe_v AS SELECT safe_f() AS n`,
  });
  const guest = await stage.connectGuest();
  await guest.query('CREATE WORLD by_guest');
  await guest.query('USE WORLD by_guest');
  await guest.query(
    `CREATE FUNCTION public.safe_f() RETURNS int SECURITY DEFINER ${CREATES('by_safe_code')}; CREATE VIEW public.safe_v AS SELECT safe_f() AS n`,
  );
  await guest.end();
  for (const world of ['by_safe_mode', 'by_guest'])
    for (const user of ['svc', 'boss', 'plain', 'chief'])
      await as(user, world, async (client) => {
        for (const sql of ['SELECT safe_f()', 'SELECT * FROM safe_v']) expect([world, user, await code(client, sql)]).toEqual([world, user, '42501']);
      });
  expect(await roles('by\\_safe%')).toEqual([]);
});
