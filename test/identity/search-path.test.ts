/** What roles may not by turning what others have defined against them: search paths, and moments at which they might still. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../src/session/principal.ts';
import { refused, TestDatabase } from '../sql/session/open-database.ts';

let own: TestDatabase;
let mallory: Principal;
let past: string;

beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run(`CREATE ROLE mallory LOGIN; CREATE SCHEMA mal AUTHORIZATION mallory;
    CREATE TABLE secret (id int PRIMARY KEY, v text); INSERT INTO secret VALUES (1, 'hers'), (2, 'theirs'); GRANT SELECT ON secret TO mallory`);
  past = `main@#${own.db.stats()['log_sequence']}`;
  await own.run(`REVOKE SELECT ON secret FROM mallory;
    CREATE FUNCTION may_see(t text) RETURNS bool LANGUAGE sql AS $$ SELECT t = 'hers' $$;
    CREATE VIEW seen AS SELECT * FROM secret WHERE may_see(v) AND lower(v::varchar) = 'hers';
    CREATE TABLE guarded (id int, v text CHECK (may_see(v)), d text DEFAULT lower('DEF')); INSERT INTO guarded VALUES (1, 'hers');
    CREATE POLICY p ON guarded USING (may_see(v)); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
    GRANT SELECT, UPDATE ON seen TO mallory; GRANT SELECT, INSERT, UPDATE ON guarded TO mallory`);
  const [{ oid }] = await own.rows("SELECT oid::int4 FROM pg_roles WHERE rolname = 'mallory'");
  mallory = { kind: 'role', oid: Number(oid), name: 'mallory', superuser: false, createdb: false, connectionLimit: -1 };
});
afterAll(() => own.close());

async function rows(sql: string, branch = 'main'): Promise<unknown[][]> {
  const session = own.db.session({ branch, principal: mallory });
  try {
    return (await session.run(sql)).at(-1)!.rows as unknown[][];
  } finally {
    session.close();
  }
}

test('views, policies, checks and defaults keep their meaning under any search path', async () => {
  await rows(`CREATE FUNCTION mal.may_see(t text) RETURNS bool LANGUAGE sql AS 'SELECT true';
    CREATE FUNCTION mal.lower(t varchar) RETURNS text LANGUAGE sql AS $$ SELECT 'hers' $$;
    CREATE FUNCTION mal.lower(t text) RETURNS text LANGUAGE sql AS $$ SELECT 'hers' $$;
    CREATE FUNCTION mal.equal(a text, b text) RETURNS bool LANGUAGE sql AS 'SELECT true';
    CREATE OPERATOR mal.= (LEFTARG = text, RIGHTARG = text, FUNCTION = mal.equal)`);
  for (const path of ['public', 'mal, public', 'mal, pg_catalog, public']) {
    expect(await rows(`SET search_path = ${path}; SELECT id FROM seen`), path).toEqual([[1]]);
    expect(await rows(`SET search_path = ${path}; SELECT id, d FROM guarded`), path).toEqual([[1, 'def']]);
    await refused('42501', rows(`SET search_path = ${path}; INSERT INTO guarded VALUES (3, 'theirs')`));
    expect(await rows(`SET search_path = ${path}; UPDATE seen SET v = v WHERE id = 2 RETURNING id`), path).toEqual([]);
  }
});

test('a moment at which a privilege was held gives nothing that is not allowed today', async () => {
  await refused('42501', rows('SELECT * FROM secret'));
  await refused('42501', rows('SELECT * FROM secret', past));
  await refused('42501', rows(`USE WORLD ${past.replace('@', "@'")}'; SELECT * FROM secret`));
  expect(await own.lines('SELECT count(*) FROM secret', past)).toEqual(['2']);
});
