/** What of roles and privileges belongs to the folder and what to a world; and what agents are kept from. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GUEST } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

let own: TestDatabase;
beforeEach(async () => {
  own = await TestDatabase.open();
  await own.run('CREATE TABLE t (a int PRIMARY KEY, b text); CREATE ROLE ann; CREATE ROLE bob');
});
afterEach(() => own.close());

const acl = async (branch?: string): Promise<string> => (await own.lines("SELECT relacl FROM pg_class WHERE relname = 't'", branch))[0];
const names = (branch?: string): Promise<string[]> =>
  own.lines("SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' AND rolname <> 'postgres' ORDER BY 1", branch);

test('privileges fork with a world, and grants of two branches merge', async () => {
  await own.run('GRANT SELECT ON t TO ann');
  await own.db.fork({ name: 'w' });
  await own.run('GRANT INSERT ON t TO bob; GRANT UPDATE (b) ON t TO bob', 'w');
  expect(await acl()).not.toContain('bob');
  await own.run('GRANT DELETE ON t TO PUBLIC');
  await own.db.merge({ branch: 'w' });
  expect(await acl()).toContain('ann=r/svc');
  expect(await acl()).toContain('bob=a/svc');
  expect(await acl()).toContain('=d/svc');
  expect(await own.lines("SELECT attacl FROM pg_attribute WHERE attrelid = 't'::regclass AND attname = 'b'")).toEqual(['["bob=w/svc"]']);
});

test('one grant changed on both sides is a conflict that names the table', async () => {
  await own.run('GRANT SELECT ON t TO ann');
  await own.db.fork({ name: 'w' });
  await own.run('GRANT INSERT ON t TO ann', 'w');
  await own.run('GRANT DELETE ON t TO ann');
  const { data } = await refused('SV409', own.db.merge({ branch: 'w' }));
  expect(JSON.stringify(data)).toContain('privileges');
});

test('roles belong to the folder: forks see new ones, a restore takes none back, and they outlive their cache', async () => {
  await own.db.fork({ name: 'w' });
  const { at } = await own.db.checkpoint({ name: 'before' });
  await own.run("CREATE ROLE cid LOGIN PASSWORD 'x' IN ROLE ann; DROP ROLE bob", 'w');
  await own.run('INSERT INTO t VALUES (1)');
  await own.db.restore({ at });
  expect(await own.lines('SELECT count(*) FROM t')).toEqual(['0']);
  const roles = await names();
  expect(roles).toEqual(['ann', 'cid', 'svc']);
  expect(await names('w')).toEqual(roles);
  expect(await names(`main@${at}`)).toEqual(roles);
  const before = await own.lines('SELECT oid, rolname, rolpassword FROM pg_authid ORDER BY oid');
  for (const withoutCache of [false, true]) {
    await own.reopen({ withoutCache });
    expect(await own.lines('SELECT oid, rolname, rolpassword FROM pg_authid ORDER BY oid')).toEqual(before);
    expect(await own.lines("SELECT pg_has_role('cid', 'ann', 'MEMBER')")).toEqual(['true']);
  }
});

test('the number of a dropped role is not given again, so a past world hands nothing to a new one', async () => {
  await own.run('GRANT SELECT ON t TO bob');
  const { at } = await own.db.checkpoint({ name: 'granted' });
  await own.run('REVOKE ALL ON t FROM bob; DROP ROLE bob');
  await own.reopen();
  await own.run('CREATE ROLE eve');
  await own.db.fork({ name: 'kept', from: `main@${at}` });
  expect(await own.lines("SELECT has_table_privilege('eve', 't', 'SELECT')", 'kept')).toEqual(['false']);
  expect(await acl('kept')).toMatch(/^\["svc=arwdDxt\/svc","\d+=r\/svc"\]$/);
});

test('column privileges of a role are reported per column', async () => {
  await own.run('CREATE TABLE two (a int, b int); GRANT SELECT (b), UPDATE (a, b) ON two TO bob; GRANT INSERT ON two TO bob');
  expect((await refused('2BP01', own.run('DROP ROLE bob'))).detail).toBe(
    'privileges for table two\nprivileges for column a of table two\nprivileges for column b of table two',
  );
  await own.run('DROP TABLE two');
});

test('a role is dropped when nothing depends on it in any open world', async () => {
  for (const name of ['granted', 'owning', 'plain', 'gone']) await own.db.fork({ name });
  await own.run('GRANT SELECT ON t TO bob', 'granted');
  await own.run('CREATE SCHEMA s; CREATE TABLE s.u (a int); ALTER TABLE s.u OWNER TO bob', 'owning');
  await own.run('GRANT SELECT ON t TO bob', 'gone');
  await own.db.discard({ branch: 'gone' });
  const { message, detail } = await refused('2BP01', own.run('DROP ROLE bob'));
  expect(message).toBe('role "bob" cannot be dropped because some objects depend on it');
  expect(detail?.split('\n').sort()).toEqual(['owner of table s.u in world owning', 'privileges for table t in world granted']);
  await own.run('REVOKE ALL ON t FROM bob', 'granted');
  expect((await refused('2BP01', own.run('DROP ROLE bob', 'granted'))).detail).toBe('owner of table s.u in world owning');
  await own.run('DROP OWNED BY bob', 'owning');
  await own.run('DROP ROLE bob');
  expect(await names('owning')).toEqual(['ann', 'svc']);
});

test('agents and the guest read no password of a role, nor through a view of their own', async () => {
  await own.run("CREATE USER dan PASSWORD 'secret'");
  const guest = own.db.commandsOf(GUEST);
  for (const sql of [
    'SELECT rolpassword FROM pg_authid',
    'SELECT * FROM pg_authid',
    'SELECT passwd FROM pg_shadow',
    'SELECT count(pg_shadow) FROM pg_shadow',
  ]) {
    await refused('42501', guest.sql({ sql }));
  }
  expect((await guest.sql({ sql: "SELECT rolname, rolcanlogin FROM pg_authid WHERE rolname = 'dan'" })).results[0].rows).toEqual([
    { rolname: 'dan', rolcanlogin: true },
  ]);
  expect((await guest.sql({ sql: "SELECT passwd FROM pg_user WHERE usename = 'dan'" })).results[0].rows).toEqual([{ passwd: '********' }]);
  await guest.fork({ name: 'mine' });
  await guest.sql({ branch: 'mine', sql: 'CREATE VIEW leak AS SELECT rolname, rolpassword FROM pg_authid' });
  await refused('42501', guest.sql({ branch: 'mine', sql: 'SELECT * FROM leak' }));
  await refused('42501', guest.sql({ sql: 'SET ROLE ann' }));
  await refused('42501', guest.sql({ sql: "SELECT set_config('role', 'svc', false)" }));
  await refused('42501', guest.sql({ sql: 'CREATE ROLE mallory' }));
});

test('a view has the privileges of its owner for every reader, the database’s own user too', async () => {
  await own.run('CREATE SCHEMA s AUTHORIZATION ann; GRANT SELECT ON t TO ann; SET ROLE ann; CREATE VIEW s.v AS SELECT * FROM public.t; RESET ROLE');
  expect(await own.lines('SELECT count(*) FROM s.v')).toEqual(['0']);
  await own.run('REVOKE SELECT ON t FROM ann');
  await own.refused('42501', 'SELECT count(*) FROM s.v');
});
