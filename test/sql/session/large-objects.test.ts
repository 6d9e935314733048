/** Large objects in worlds: forked, compared, merged, undone, read in the past and after a restart, by agents and side by side. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const PAGE = 2048;
const text = (oid: number, branch?: string): Promise<string[]> => t.lines(`SELECT convert_from(lo_get(${oid}), 'UTF8')`, branch);
/** An object with pages of one letter each. */
const make = (oid: number, letters: string): Promise<unknown> =>
  t.run(`SELECT lo_from_bytea(${oid}, convert_to(${[...letters].map((letter) => `repeat('${letter}', ${PAGE})`).join(' || ')}, 'UTF8'))`);
/** The first letter of each page. */
const letters = async (oid: number, branch?: string): Promise<string> =>
  (await t.lines(`SELECT convert_from(substr(data, 1, 1), 'UTF8') FROM pg_largeobject WHERE loid = ${oid} ORDER BY pageno`, branch)).join('');

describe('worlds', () => {
  test('a fork has the objects of its parent, and neither sees what the other writes', async () => {
    await make(900, 'ab');
    await t.run('CREATE WORLD draft');
    await t.run(`SELECT lo_put(900, ${PAGE}, 'X'); SELECT lo_from_bytea(901, 'new')`, 'draft');
    await t.run(`SELECT lo_put(900, 0, 'Y')`);
    expect([await letters(900), await letters(900, 'draft')]).toEqual(['Yb', 'aX']);
    expect(await text(901, 'draft')).toEqual(['new']);
    await t.refused('42704', 'SELECT lo_get(901)');
  });

  test('a difference reports pages and objects as rows', async () => {
    await make(900, 'a');
    await t.run('CREATE WORLD draft');
    await t.run(`SELECT lo_put(900, 0, 'b'); SELECT lo_create(901)`, 'draft');
    expect((await t.rows('DIFF WORLD draft')).map(({ key, change, columns }) => [key, change, columns])).toEqual([
      ['pg_catalog.large_object/901', 'insert', ['lomacl', 'lomowner', 'oid']],
      ['pg_catalog.large_object_page/900,0', 'update', ['data']],
    ]);
    expect(await t.lines('DIFF WORLD draft AS SQL')).toEqual([
      `SELECT pg_catalog.lo_create('901');`,
      expect.stringMatching(/^SELECT pg_catalog\.lo_put\('900', 0, '\\x62(61){2047}'\);$/),
    ]);
  });

  test('a merge takes pages separately; a page that both wrote is a conflict', async () => {
    await make(900, 'abc');
    await t.run('CREATE WORLD draft; CREATE WORLD other');
    await t.run(`SELECT lo_put(900, 0, 'A')`, 'draft');
    await t.run(`SELECT lo_put(900, 0, 'Z'), lo_put(900, ${2 * PAGE}, 'C')`, 'other');
    await t.run(`SELECT lo_put(900, ${PAGE}, 'B')`);
    await t.run('MERGE WORLD draft');
    expect(await letters(900)).toBe('ABc');
    const refusal = await t.refused('SV409', 'MERGE WORLD other');
    expect(JSON.stringify(refusal.data)).toContain('pg_catalog.large_object_page/900,0');
    await t.run('MERGE WORLD other RESOLVE THEIRS');
    expect(await letters(900)).toBe('ZBC');
  });

  test('a page that is written to an object that the other side has unlinked is a conflict', async () => {
    await make(900, 'a');
    await t.run('CREATE WORLD draft');
    await t.run(`SELECT lo_put(900, ${PAGE}, 'b')`, 'draft');
    await t.run('SELECT lo_unlink(900)');
    const refusal = await t.refused('SV409', 'MERGE WORLD draft');
    expect(JSON.stringify(refusal.data)).toContain('23503');
  });

  test('both sides make their first objects, none of them of the same number', async () => {
    await t.run('CREATE WORLD draft');
    const [here] = await t.lines(`SELECT lo_from_bytea(0, 'here')`);
    const [there] = await t.lines(`SELECT lo_from_bytea(0, 'there')`, 'draft');
    await t.reopen({ withoutCache: true });
    const [later] = await t.lines(`SELECT lo_from_bytea(0, 'later')`, 'draft');
    const [after] = await t.lines(`SELECT lo_from_bytea(0, 'after')`);
    expect(new Set([here, there, later, after]).size).toBe(4);
    await t.run('MERGE WORLD draft');
    expect(await t.lines(`SELECT convert_from(lo_get(oid), 'UTF8') FROM pg_largeobject_metadata ORDER BY 1`)).toEqual(['after', 'here', 'later', 'there']);
  });

  test('an object of a chosen number far above the others does not move those that are given', async () => {
    await t.run('SELECT lo_create(4294967295), lo_create(300000000)');
    const [next] = await t.lines('SELECT lo_create(0)');
    expect(Number(next)).toBeLessThan(20_000);
    await t.run('CREATE TABLE plain (id int PRIMARY KEY)');
    expect(Number((await t.lines(`SELECT 'plain'::regclass::oid`))[0])).toBeLessThan(20_000);
  });

  test('a part of the first objects is merged: the rest follows, and comes back', async () => {
    await t.run('CREATE WORLD draft');
    await t.run(`SELECT lo_from_bytea(900, 'abc')`, 'draft');
    await t.refused('SV409', `MERGE WORLD draft ONLY TABLES (pg_catalog.large_object_page)`);
    await t.run(`MERGE WORLD draft ONLY TABLES (pg_catalog.large_object)`);
    expect(await text(900)).toEqual(['']);
    await t.run(`SELECT lo_from_bytea(901, 'here')`);
    expect(await text(901)).toEqual(['here']);
    await t.run('MERGE WORLD draft');
    expect(await text(900)).toEqual(['abc']);
    await t.run('UNDO MERGE draft; SELECT lo_put(900, 0, $$new$$)');
    expect([await text(900), await text(901)]).toEqual([['new'], ['here']]);
  });

  test('a merge is undone; a rollback, a restore and the past have what was there', async () => {
    await make(900, 'ab');
    const [then] = await t.lines('SELECT clock_timestamp()');
    await t.run('CREATE WORLD draft');
    await t.run(`SELECT lo_put(900, 0, 'X'); SELECT lo_create(901)`, 'draft');
    const [merge] = await t.rows('MERGE WORLD draft');
    expect(await letters(900)).toBe('Xb');
    expect(await letters(900, `main@${then}`)).toBe('ab');
    expect(await t.lines(`SELECT count(*) FROM pg_largeobject_metadata AS OF '${then}'`)).toEqual(['1']);
    expect(await t.lines(`SELECT convert_from(substr(data, 1, 1), 'UTF8') FROM pg_largeobject AS OF '${then}' ORDER BY pageno`)).toEqual(['a', 'b']);
    await t.refused('25006', `SELECT lo_put(900, 0, 'x')`, { branch: `main@${then}` });
    await t.refused('25006', 'SELECT lo_create(0)', { branch: `main@${then}` });
    await t.refused('25006', 'SELECT lo_open(900, 131072)', { branch: `main@${then}` });
    expect(merge).toBeDefined();
    await t.run('UNDO MERGE draft');
    expect(await letters(900)).toBe('ab');
    await t.refused('42704', 'SELECT lo_get(901)');
  });

  test('without its page cache a folder has the same objects', async () => {
    await make(900, 'abc');
    await t.run(`COMMENT ON LARGE OBJECT 900 IS 'letters'; SELECT lo_put(900, ${500_000 * PAGE}, 'd')`);
    await t.reopen({ withoutCache: true });
    expect(await letters(900)).toBe('abcd');
    expect(await t.lines(`SELECT obj_description(900, 'pg_largeobject')`)).toEqual(['letters']);
  });
});

describe('a session', () => {
  const session = (): SqlSession => t.db.session();

  test('reads what was there when it opened an object to read it', async () => {
    await make(900, 'a');
    const reader = session();
    await reader.run('BEGIN');
    await reader.run('SELECT lo_open(900, 262144), lo_open(900, 393216)');
    await t.run(`SELECT lo_put(900, 0, 'b')`);
    const [{ rows }] = await reader.run(`SELECT convert_from(loread(0, 1), 'UTF8'), convert_from(loread(1, 1), 'UTF8')`);
    expect(rows).toEqual([['a', 'b']]);
    await reader.run('ROLLBACK');
    reader.close();
  });

  test('waits for who writes the same page, and for who unlinks the object', async () => {
    await make(900, 'ab');
    const [one, other] = [session(), session()];
    await one.run('BEGIN');
    await one.run(`SELECT lo_put(900, 0, 'X')`);
    const waiting = other.run(`SELECT lo_put(900, 1, 'Y')`);
    await one.run(`SELECT lo_put(900, ${PAGE}, 'Z')`);
    await one.run('COMMIT');
    await waiting;
    expect(await t.lines(`SELECT convert_from(lo_get(900, 0, 3), 'UTF8')`)).toEqual(['XYa']);
    await one.run('BEGIN');
    await one.run('SELECT lo_unlink(900)');
    const refused = expect(other.run(`SELECT lo_put(900, ${5 * PAGE}, 'Y')`)).rejects.toMatchObject({ code: '42704' });
    await one.run('COMMIT');
    await refused;
    expect(await t.lines('SELECT count(*) FROM pg_largeobject')).toEqual(['0']);
    one.close();
    other.close();
  });

  test('has no descriptors of a statement that runs again', async () => {
    await make(900, 'ab');
    const [one, other] = [session(), session()];
    await one.run('BEGIN');
    await one.run(`SELECT lo_put(900, 0, 'X')`);
    await other.run('BEGIN');
    const waiting = other.run(`SELECT lo_open(900, 131072), lowrite(0, 'YY'), lo_tell(0)`);
    await one.run('COMMIT');
    const [{ rows }] = await waiting;
    expect(rows).toEqual([[0, 2, 2]]);
    await other.run('COMMIT');
    one.close();
    other.close();
  });
});

test('an agent writes objects of its own worlds alone', async () => {
  await make(900, 'a');
  await t.db.create_agent({ name: 'clerk' });
  const clerk = t.db.commandsOf(t.db.directory.byName('clerk')!);
  await clerk.sql({ sql: 'CREATE WORLD hers' });
  await clerk.sql({ sql: `SELECT lo_put(900, 0, 'h'), lo_create(0)`, branch: 'hers' });
  for (const sql of [`SELECT lo_put(900, 0, 'h')`, 'SELECT lo_create(0)', 'SELECT lo_unlink(900)', 'SELECT lo_open(900, 131072)']) {
    await expect(clerk.sql({ sql })).rejects.toMatchObject({ code: '42501' });
  }
  await expect(clerk.sql({ sql: `SELECT lo_import('/etc/passwd')`, branch: 'hers' })).rejects.toMatchObject({ code: '42501' });
  expect([await letters(900), await letters(900, 'hers')]).toEqual(['a', 'h']);
});

test('reads of the past show a role no object that it may not read today', async () => {
  await make(900, 'a');
  await t.run('CREATE ROLE ann; GRANT SELECT ON LARGE OBJECT 900 TO ann');
  const [then] = await t.lines('SELECT clock_timestamp()');
  const at = `main@${then}`;
  expect(await t.lines('SET ROLE ann; SELECT length(lo_get(900))', at)).toEqual([String(PAGE)]);
  await t.run('REVOKE SELECT ON LARGE OBJECT 900 FROM ann');
  await t.refused('42501', 'SET ROLE ann; SELECT length(lo_get(900))', { branch: at });
});

test('rows of large objects are not written as rows', async () => {
  await make(900, 'a');
  await expect(t.db.put({ table: 'pg_catalog.large_object_page', id: '900,0', record: {} })).rejects.toMatchObject({ code: '42501' });
  await t.refused('42501', 'DELETE FROM pg_largeobject');
  await t.refused('42501', 'UPDATE pg_largeobject_metadata SET oid = 1');
  expect(await t.lines(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)).toEqual([]);
});
