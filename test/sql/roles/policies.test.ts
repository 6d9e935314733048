/** Row security beside worlds: forks, merges, undos, the past, statements about worlds, rows by their keys, plans, COPY. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

let own: TestDatabase;
let ann: Principal;
beforeEach(async () => {
  own = await TestDatabase.open();
  await own.run(`CREATE ROLE ann LOGIN CREATEDB; CREATE ROLE bob LOGIN;
    CREATE TABLE t (id int PRIMARY KEY, owner text, n int); INSERT INTO t VALUES (1, 'ann', 1), (2, 'bob', 2), (3, 'ann', 3);
    GRANT ALL ON t TO ann, bob; ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON t USING (owner = current_user)`);
  ann = await role('ann');
});
afterEach(() => own.close());

const role = async (name: string): Promise<Principal> => ({
  kind: 'role',
  oid: Number((await own.lines(`SELECT oid FROM pg_roles WHERE rolname = '${name}'`))[0]),
  name,
  superuser: false,
  createdb: name === 'ann',
  connectionLimit: -1,
});
const rows = async (principal: Principal, sql: string, branch = 'main'): Promise<string[]> => {
  const { results } = await own.db.commandsOf(principal).sql({ sql, branch });
  return results[results.length - 1].rows.map((row) => Object.values(row).join('|'));
};
const IDS = 'SELECT id FROM t ORDER BY id';
const policies = (branch?: string): Promise<string[]> => own.lines('SELECT policyname, qual FROM pg_policies ORDER BY 1', branch);

describe('definitions', () => {
  test('policies fork with a world, and those of two branches merge', async () => {
    await own.db.fork({ name: 'w' });
    expect(await rows(ann, IDS, 'w')).toEqual(['1', '3']);
    await own.run('CREATE POLICY small ON t AS RESTRICTIVE USING (n < 3)', 'w');
    await own.run('CREATE POLICY odd ON t AS RESTRICTIVE USING (id % 2 = 1)');
    expect(await rows(ann, IDS)).toEqual(['1', '3']);
    expect(await rows(ann, IDS, 'w')).toEqual(['1']);
    await own.db.merge({ branch: 'w' });
    expect(await policies()).toHaveLength(3);
    expect(await rows(ann, IDS)).toEqual(['1']);
  });

  test('one policy changed on both sides is a conflict that names it', async () => {
    await own.db.fork({ name: 'w' });
    await own.run('ALTER POLICY mine ON t USING (true)', 'w');
    await own.run('ALTER POLICY mine ON t USING (false)');
    const { data } = await refused('SV409', own.db.merge({ branch: 'w' }));
    expect(JSON.stringify(data)).toContain('_svc_schema/policy:t.mine');
    await own.db.merge({ branch: 'w', resolve: 'ours' });
    expect(await rows(ann, IDS)).toEqual([]);
  });

  test('row security that one side switched off and the other forces is a conflict of its own', async () => {
    await own.db.fork({ name: 'w' });
    await own.run('ALTER TABLE t DISABLE ROW LEVEL SECURITY', 'w');
    await own.run('ALTER TABLE t FORCE ROW LEVEL SECURITY');
    const { data } = await refused('SV409', own.db.merge({ branch: 'w' }));
    expect(JSON.stringify(data)).toContain('_svc_schema/row%20security:t');
  });

  test('undoing a merge takes its policies back', async () => {
    await own.db.fork({ name: 'w' });
    await own.run('CREATE POLICY all_of_it ON t USING (true)', 'w');
    await own.db.merge({ branch: 'w' });
    expect(await rows(ann, IDS)).toEqual(['1', '2', '3']);
    await own.db.undo_merge({ branch: 'w' });
    expect(await rows(ann, IDS)).toEqual(['1', '3']);
  });

  test('a restore brings back what held then; the log alone gives the same', async () => {
    const { at } = await own.db.checkpoint({ name: 'before' });
    await own.run('DROP POLICY mine ON t; CREATE POLICY none ON t USING (false)');
    expect(await rows(ann, IDS)).toEqual([]);
    await own.db.restore({ at });
    expect(await rows(ann, IDS)).toEqual(['1', '3']);
    for (const withoutCache of [false, true]) {
      await own.reopen({ withoutCache });
      expect(await rows(ann, IDS)).toEqual(['1', '3']);
    }
  });

  test('a dropped table takes its policies along; one that is made again has none', async () => {
    await own.run('DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, owner text, n int); GRANT ALL ON t TO ann; INSERT INTO t VALUES (1, $$x$$, 1)');
    expect(await policies()).toEqual([]);
    expect(await rows(ann, IDS)).toEqual(['1']);
  });

  test('a diff lists them as definitions, and as SQL', async () => {
    await own.db.fork({ name: 'w' });
    await own.run('CREATE POLICY small ON t AS RESTRICTIVE FOR UPDATE TO bob USING (n < 3) WITH CHECK (n < 9); ALTER TABLE t FORCE ROW LEVEL SECURITY', 'w');
    const text = (await own.lines('DIFF WORLD w AS SQL')).join('\n');
    expect(text).toContain('CREATE POLICY small ON t AS RESTRICTIVE FOR UPDATE TO bob USING ((n < 3)) WITH CHECK ((n < 9));');
    expect(text).toContain('ALTER TABLE t FORCE ROW LEVEL SECURITY;');
  });

  test('document tables have policies, too', async () => {
    await own.db.put({ table: 'docs', id: 'a', record: { who: 'ann' } });
    await own.db.put({ table: 'docs', id: 'b', record: { who: 'bob' } });
    await own.run('GRANT SELECT ON docs TO ann; ALTER TABLE docs ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON docs USING (who = current_user)');
    expect(await rows(ann, 'SELECT id FROM docs')).toEqual(['a']);
  });
});

describe('whom they hold for', () => {
  test("neither the database's own user, nor agents, nor the guest: they read every world, and are no roles", async () => {
    await own.db.create_agent({ name: 'helper' });
    for (const principal of [{ kind: 'owner' } as const, GUEST, own.db.directory.byName('helper')!]) {
      expect(await rows(principal, IDS)).toEqual(['1', '2', '3']);
      expect(await own.db.commandsOf(principal).get({ table: 't', id: '2' })).toMatchObject({ row: { owner: 'bob' } });
    }
  });

  test('but a view of a role shows all readers what its owner may see', async () => {
    await own.run('CREATE POLICY few ON t TO ann USING (id <> 2); DROP POLICY mine ON t');
    await own.run('GRANT CREATE ON SCHEMA public TO ann; SET ROLE ann; CREATE VIEW v AS SELECT id FROM t; RESET ROLE; GRANT SELECT ON v TO bob');
    await own.db.create_agent({ name: 'helper' });
    for (const principal of [{ kind: 'owner' } as const, GUEST, own.db.directory.byName('helper')!, await role('bob')]) {
      expect(await rows(principal, 'SELECT id FROM v ORDER BY id')).toEqual(['1', '3']);
    }
  });

  test.each(['get', 'find', 'put', 'delete', 'batch', 'diff', 'merge'] as const)('a role has no way round by the operation %s', async (op) => {
    const commands = own.db.commandsOf(ann);
    await own.db.fork({ name: 'w' });
    const calls = {
      get: () => commands.get({ table: 't', id: '2' }),
      find: () => commands.find({ table: 't' }),
      put: () => commands.put({ table: 't', id: '2', record: { owner: 'ann' } }),
      delete: () => commands.delete({ table: 't', id: '2' }),
      batch: () => commands.batch({ rows: [{ table: 't', id: '2', record: null }] }),
      diff: () => commands.diff({ branch: 'w' }),
      merge: () => commands.merge({ branch: 'w' }),
    };
    await refused('42501', calls[op]());
  });

  test.each([
    'DIFF WORLD w',
    'DIFF WORLD w AS SQL',
    'MERGE WORLD w DRY RUN',
    'MERGE WORLD w',
    'REBASE WORLD w',
    "RESTORE WORLD main TO '-1s'",
    'UNDO MERGE w',
    'SHOW AUDIT',
    'SIMULATE 1 WORLDS AS s SCRIPT $$SELECT 1$$ SCORE $$SELECT 1$$',
    'CREATE MERGE CHECK c AS SELECT 1 WHERE false',
    'ALTER SYSTEM SET protect_main = on',
  ])('nor by the statement %s, as itself or by SET ROLE', async (sql) => {
    await own.db.fork({ name: 'w' });
    await own.run('UPDATE t SET n = 20 WHERE id = 2', 'w');
    await refused('42501', own.db.commandsOf(ann).sql({ sql }));
    const session = own.db.session();
    await session.run('SET ROLE ann');
    await refused('42501', session.run(sql));
    await session.run('RESET ROLE');
    session.close();
  });

  test('a fork that a role makes keeps the policies', async () => {
    expect(await rows(ann, `CREATE WORLD copied; USE WORLD copied; ${IDS}`)).toEqual(['1', '3']);
    await refused('42501', own.db.commandsOf(ann).sql({ branch: 'copied', sql: 'ALTER TABLE t DISABLE ROW LEVEL SECURITY' }));
  });
});

describe('other states', () => {
  test('reads of the past apply the policies of today and of then', async () => {
    await own.run('ALTER TABLE t DISABLE ROW LEVEL SECURITY');
    const { at: open } = await own.db.checkpoint({ name: 'open' });
    await own.run('ALTER TABLE t ENABLE ROW LEVEL SECURITY');
    const { at: closed } = await own.db.checkpoint({ name: 'closed' });
    expect(await rows(ann, `SELECT id FROM t AS OF '${open}' ORDER BY id`)).toEqual(['1', '3']);
    await own.run('ALTER TABLE t DISABLE ROW LEVEL SECURITY');
    expect(await rows(ann, IDS)).toEqual(['1', '2', '3']);
    expect(await rows(ann, `SELECT id FROM t AS OF '${closed}' ORDER BY id`)).toEqual(['1', '3']);
  });

  test('another world is read under its policies and those of the session', async () => {
    await own.db.fork({ name: 'w' });
    await own.run('ALTER TABLE t DISABLE ROW LEVEL SECURITY', 'w');
    expect(await rows(ann, "SELECT id FROM t AS OF WORLD 'w' ORDER BY id")).toEqual(['1', '3']);
    await own.run('ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY big ON t AS RESTRICTIVE USING (n > 1)', 'w');
    expect(await rows(ann, "SELECT id FROM t AS OF WORLD 'w' ORDER BY id")).toEqual(['3']);
    expect(await rows(ann, IDS)).toEqual(['1', '3']);
  });
});

describe('plans', () => {
  test('roles share none, and a change of rights or of policies counts from the next run', async () => {
    const session = own.db.session();
    const run = async (sql: string): Promise<string> => {
      const results = await session.run(sql);
      return results[results.length - 1].rows.map(([id]) => String(id)).join();
    };
    await run('PREPARE p AS SELECT id FROM t ORDER BY id');
    const seen: string[] = [];
    for (const who of ['ann', 'bob', 'ann', 'none', 'bob']) {
      await run(`SET ROLE ${who}`);
      seen.push(`${who} ${await run('EXECUTE p')} ${await run(IDS)}`);
    }
    expect(seen).toEqual(['ann 1,3 1,3', 'bob 2 2', 'ann 1,3 1,3', 'none 1,2,3 1,2,3', 'bob 2 2']);
    await own.run('CREATE POLICY team ON t TO ann USING (n = 2)');
    expect(await run('EXECUTE p')).toBe('2');
    await run('SET ROLE ann');
    expect(await run('EXECUTE p')).toBe('1,2,3');
    await own.run('ALTER ROLE bob BYPASSRLS');
    await run('SET ROLE bob');
    expect(await run('EXECUTE p')).toBe('1,2,3');
    await own.run('ALTER ROLE bob NOBYPASSRLS; GRANT ann TO bob');
    expect(await run('EXECUTE p')).toBe('2');
    session.close();
  });

  test("a view's owner who loses a role shows less at once, to superusers too", async () => {
    await own.run(`GRANT ann TO bob; CREATE POLICY team ON t TO ann USING (true); GRANT CREATE ON SCHEMA public TO bob;
      SET ROLE bob; CREATE VIEW v AS SELECT id FROM t; RESET ROLE`);
    const session = own.db.session();
    const count = async (): Promise<number> => (await session.run('SELECT id FROM v'))[0].rows.length;
    expect(await count()).toBe(3);
    await own.run('REVOKE ann FROM bob');
    expect(await count()).toBe(0);
    session.close();
  });

  test('a lookup by key uses the key, under the policy', async () => {
    const session = own.db.session({ principal: ann });
    const plan = (await session.run('EXPLAIN SELECT n FROM t WHERE id = 1'))[0].rows.map(([line]) => String(line)).join('\n');
    expect(plan).toMatch(/Index Scan|Index Cond/);
    expect(plan).toContain('CURRENT_USER');
    session.close();
  });
});

test('a function or an operator with the name of a leakproof one is evaluated after the policies', async () => {
  await own.run(`GRANT CREATE ON SCHEMA public TO ann; SET ROLE ann; CREATE FUNCTION int4eq(int, text) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT 1 / ($1 - 2) = 0';
    CREATE OPERATOR = (LEFTARG = int, RIGHTARG = text, FUNCTION = int4eq)`);
  expect(await rows(ann, "SELECT id FROM t WHERE int4eq(id, 'x') IS NOT NULL ORDER BY id")).toEqual(['1', '3']);
  expect(await rows(ann, "SELECT id FROM t WHERE (id = 'x'::text) IS NOT NULL ORDER BY id")).toEqual(['1', '3']);
});
