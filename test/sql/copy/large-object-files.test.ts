/** lo_import and lo_export: who may, what is read and written, what is said where it fails. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { TestDatabase } from '../session/open-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-large-'));
const input = join(folder, 'input.bin');
const output = join(folder, 'output.bin');
const bytes = Buffer.from(Uint8Array.from({ length: 700_001 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
let t: TestDatabase;

beforeAll(async () => {
  t = await TestDatabase.open();
  writeFileSync(input, bytes);
  await t.run(`CREATE ROLE reader; CREATE ROLE writer; CREATE ROLE neither;
    GRANT pg_read_server_files TO reader; GRANT pg_write_server_files TO writer; SELECT lo_from_bytea(70, 'seventy'); GRANT SELECT ON LARGE OBJECT 70 TO PUBLIC`);
});
beforeEach(() => void vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1'));
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true });
});

const IMPORT = `SELECT lo_import('${input}') > 0`;
const EXPORT = `SELECT lo_export(70, '${output}')`;

/** As `role` does it: the value, or 'code message'. */
async function outcome(sql: string, role: string | null = null, principal?: Principal): Promise<unknown> {
  const session = t.db.session({ branch: 'main', ...(principal === undefined ? {} : { principal }) });
  try {
    if (role !== null) await session.run(`SET ROLE ${role}`);
    return (await session.run(sql)).at(-1)!.rows[0]?.[0];
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  } finally {
    session.close();
  }
}

test('off unless the operator allows it, for the own user too', async () => {
  vi.unstubAllEnvs();
  expect(await outcome(IMPORT)).toBe('42501 lo_import to or from a file of the server is not allowed');
  expect(await outcome(EXPORT)).toBe('42501 lo_export to or from a file of the server is not allowed');
});

// contract: identity.4
test('the own user and roles of the two privileges, each in its direction; never agents and the guest', async () => {
  expect(await outcome(IMPORT)).toBe(true);
  expect(await outcome(IMPORT, 'reader')).toBe(true);
  expect(await outcome(EXPORT, 'reader')).toBe('42501 permission denied for function lo_export');
  expect(await outcome(EXPORT, 'writer')).toBe(1);
  expect(readFileSync(output, 'utf8')).toBe('seventy');
  expect(await outcome(IMPORT, 'writer')).toBe('42501 permission denied for function lo_import');
  expect(await outcome(IMPORT, 'neither')).toBe('42501 permission denied for function lo_import');
  await t.db.create_agent({ name: 'boss', can: ['admin'] });
  for (const principal of [GUEST, t.db.directory.byName('boss')!]) {
    for (const sql of [IMPORT, EXPORT, `DO $$ BEGIN PERFORM lo_export(70, '${output}'); END $$`])
      expect(await outcome(sql, null, principal)).toMatch(/^42501 /);
  }
});

test('what goes in comes out, in one statement and in a function, beside other writes', async () => {
  expect(await outcome(`SELECT lo_import('${input}', 71)`)).toBe(71);
  expect(await outcome(`SELECT lo_export(71, '${output}')`)).toBe(1);
  expect(readFileSync(output).equals(bytes)).toBe(true);
  expect(await outcome(`SELECT count(DISTINCT lo_import('${input}'))::int FROM generate_series(1, 3)`)).toBe(3);
  await t.run(`CREATE TABLE log (a int);
    CREATE FUNCTION both_ways() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO log VALUES (1);
      PERFORM lo_import('${input}', 72);
      PERFORM lo_put(72, 0, 'changed');
      RETURN lo_export(72, '${output}');
    END $$`);
  expect(await outcome('SELECT both_ways()')).toBe(1);
  expect(readFileSync(output, 'latin1').slice(0, 7)).toBe('changed');
  expect(await t.lines('SELECT count(*) FROM log')).toEqual(['1']);
});

test('a file that is exported twice in a statement is what it was last', async () => {
  await outcome(`SELECT lo_export(70, '${output}'), lo_put(70, 0, 'S'), lo_export(70, '${output}')`);
  expect(readFileSync(output, 'utf8')).toBe('Seventy');
});

test('files that are not there, folders, relative names, and more than is held at once', async () => {
  const missing = join(folder, 'missing', 'a');
  expect(await outcome(`SELECT lo_import('${missing}')`)).toBe(`58P01 could not open server file "${missing}": No such file or directory`);
  expect(await outcome(`SELECT lo_import('${folder}')`)).toBe(`42809 could not read server file "${folder}": Is a directory`);
  expect(await outcome(`SELECT lo_export(70, '${missing}')`)).toBe(`58P01 could not create server file "${missing}": No such file or directory`);
  expect(await outcome(`SELECT lo_export(70, 'relative')`)).toBe('42602 relative path not allowed for lo_export to file');
  expect(await outcome(`SELECT lo_export(69, '${output}')`)).toBe('42704 large object 69 does not exist');
  expect(await outcome(`SELECT lo_import('${input}', 70)`)).toMatch(/^23505 /);
  expect(await outcome(`BEGIN READ ONLY; SELECT lo_import('${input}')`)).toBe('25006 cannot execute lo_import() in a read-only transaction');
  const sparse = join(folder, 'sparse.bin');
  writeFileSync(sparse, '');
  truncateSync(sparse, 65 * 1024 * 1024);
  expect(await outcome(`SELECT lo_import('${sparse}')`)).toBe(`54000 server file "${sparse}" is too large to be imported at once`);
});
