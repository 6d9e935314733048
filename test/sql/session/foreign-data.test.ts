/** Foreign data in worlds: forks, differences, merges, undoing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GUEST, OWNER, type Principal } from '../../../src/session/principal.ts';
import { refused, TestDatabase } from './open-database.ts';
import { AGENT } from './test-agent.ts';

const SERVERS =
  'SELECT srvname, fdwname, srvtype, srvversion, srvoptions::text FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = srvfdw ORDER BY 1';
const WRAPPERS = 'SELECT fdwname, fdwvalidator::regproc::text, fdwoptions::text FROM pg_foreign_data_wrapper ORDER BY 1';
const MAPPINGS = 'SELECT srvname, usename, umoptions::text FROM pg_user_mappings ORDER BY 1, 2';
const TABLES = 'SELECT ftrelid::regclass::text, srvname, ftoptions::text FROM pg_foreign_table JOIN pg_foreign_server s ON s.oid = ftserver ORDER BY 1';
const COLUMNS = `SELECT attrelid::regclass::text, attname, attnotnull, attfdwoptions::text FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relkind = 'f' AND attnum > 0 AND NOT attisdropped ORDER BY 1, attnum`;
const ALL = [WRAPPERS, SERVERS, MAPPINGS, TABLES, COLUMNS];

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE FOREIGN DATA WRAPPER w OPTIONS (a '1');
    CREATE SERVER s TYPE 'x' VERSION '1' FOREIGN DATA WRAPPER w OPTIONS (host 'h');
    CREATE SERVER old FOREIGN DATA WRAPPER w;
    CREATE USER MAPPING FOR PUBLIC SERVER s OPTIONS (name 'n');
    CREATE USER MAPPING FOR PUBLIC SERVER old;
    CREATE FOREIGN TABLE far (id int OPTIONS (k '1'), name text) SERVER s OPTIONS (path '/a');
    CREATE FOREIGN TABLE gone (id int) SERVER old;
    CREATE TABLE parts (a int) PARTITION BY LIST (a)`);
});
afterEach(() => t.close());

const CHANGES = `
  ALTER FOREIGN DATA WRAPPER w VALIDATOR postgresql_fdw_validator;
  ALTER FOREIGN DATA WRAPPER w NO VALIDATOR OPTIONS (SET a '2', b 'it''s');
  ALTER SERVER s VERSION '2' OPTIONS (DROP host, "Port" '1');
  ALTER SERVER s RENAME TO server;
  DROP SERVER old CASCADE;
  CREATE FOREIGN DATA WRAPPER v VALIDATOR postgresql_fdw_validator;
  CREATE SERVER young FOREIGN DATA WRAPPER v OPTIONS (dbname 'd');
  ALTER USER MAPPING FOR PUBLIC SERVER server OPTIONS (SET name 'm');
  CREATE USER MAPPING FOR PUBLIC SERVER young OPTIONS (user 'u');
  ALTER FOREIGN TABLE far OPTIONS (SET path '/b', x 'y');
  ALTER FOREIGN TABLE far ALTER id OPTIONS (DROP k), ALTER name OPTIONS (z 'z');
  ALTER FOREIGN TABLE far ADD more date OPTIONS (q 'q') NOT NULL;
  CREATE FOREIGN TABLE fresh (id int CHECK (id > 0), t timestamp OPTIONS (o 'p') NOT NULL) SERVER server OPTIONS (path '/c');
  CREATE FOREIGN TABLE part1 PARTITION OF parts FOR VALUES IN (1) SERVER server`;

async function seen(branch?: string): Promise<string[][]> {
  const out: string[][] = [];
  for (const query of ALL) out.push(await t.lines(query, branch));
  return out;
}

test('a fork changes them, the parent has them as they were, a merge brings them, and undoing takes them back', async () => {
  const before = await seen();
  await t.run('CREATE WORLD draft');
  await t.run(CHANGES, 'draft');
  const after = await seen('draft');
  expect(after[1]).toEqual(['server w x 2 {Port=1}', 'young v null null {dbname=d}']);
  expect(after[3]).toEqual(['far server {path=/b,x=y}', 'fresh server {path=/c}', 'part1 server null']);
  expect(await seen()).toEqual(before);
  await t.run('MERGE WORLD draft');
  expect(await seen()).toEqual(after);
  await t.run('UNDO MERGE draft');
  expect(await seen()).toEqual(before);
  await t.reopen({ withoutCache: true });
  expect(await seen()).toEqual(before);
});

test('the statements of a difference make them again', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(CHANGES, 'draft');
  const script = (await t.rows('DIFF WORLD draft AS SQL')).map(({ sql }) => sql as string);
  await t.run('CREATE WORLD copy');
  await t.run(script.join('\n'), 'copy');
  expect(await seen('copy')).toEqual(await seen('draft'));
});

test('servers of what comes with them, beside others that were there', async () => {
  await t.run('CREATE FOREIGN DATA WRAPPER first; CREATE SERVER one FOREIGN DATA WRAPPER first');
  await t.run('CREATE WORLD more; CREATE WORLD copy');
  await t.run(
    `CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw; CREATE USER MAPPING FOR PUBLIC SERVER files; CREATE FOREIGN DATA WRAPPER later;
     CREATE SERVER two FOREIGN DATA WRAPPER later; DROP SERVER one; DROP FOREIGN DATA WRAPPER first; CREATE FOREIGN TABLE far2 (a int) SERVER two`,
    'more',
  );
  const seen = (branch: string): Promise<string[]> =>
    t.lines('SELECT srvname, fdwname FROM pg_foreign_server JOIN pg_foreign_data_wrapper w ON w.oid = srvfdw ORDER BY 1', branch);
  const script = async (from: string, to: string): Promise<string> => (await t.lines(`DIFF WORLD ${from} TO ${to} AS SQL`)).join('\n');
  await t.run(await script('copy', 'more'), 'copy');
  expect(await seen('copy')).toEqual(await seen('more'));
  await t.run(await script('copy', 'main'), 'copy');
  expect(await seen('copy')).toEqual(await seen('main'));
});

test('a foreign table has no rows that a row operation could change, and none of the past', async () => {
  await expect(t.db.put({ table: 'far', id: '1', record: { id: 1 } })).rejects.toMatchObject({ code: '0A000' });
  expect((await t.refused('0A000', "SELECT * FROM far AS OF '-0s'")).message).toBe('foreign table "far" has no past');
});

const SECRETS = ['sun', 'star', 'comet'];

test('passwords of user mappings are hidden from agents, the guest and models', async () => {
  await t.run("CREATE ROLE ann; CREATE USER MAPPING FOR ann SERVER s OPTIONS (password 'sun'); CREATE WORLD draft");
  await t.run("ALTER USER MAPPING FOR ann SERVER s OPTIONS (SET password 'star'); CREATE USER MAPPING FOR ann SERVER old OPTIONS (password 'comet')", 'draft');
  const replies = async (principal: Principal): Promise<string> => {
    const commands = t.db.commandsOf(principal);
    const queries = ['SELECT * FROM pg_user_mappings', 'SELECT * FROM information_schema.user_mapping_options', 'DIFF WORLD draft AS SQL'];
    const out: unknown[] = [];
    for (const sql of queries) out.push(...(await commands.sql({ sql })).results.at(-1)!.rows);
    out.push((await commands.diff({ branch: 'draft', sql: true })).sql);
    return JSON.stringify(out);
  };
  for (const secret of SECRETS) expect(await replies(OWNER)).toContain(secret);
  const others: Principal[] = [AGENT, GUEST, { ...OWNER, sight: 'masked' }];
  for (const principal of others) {
    const text = await replies(principal);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain('CREATE USER MAPPING FOR ann SERVER old;');
    expect(text).toContain('-- options of USER MAPPING FOR ann SERVER s are shown only to superusers and to its user');
    await refused('42501', t.db.commandsOf(principal).sql({ sql: 'SELECT umoptions FROM pg_user_mapping' }));
    await refused('42501', t.db.commandsOf(principal).sql({ sql: 'SELECT rolpassword FROM pg_authid' }));
  }
});
