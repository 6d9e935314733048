/** COPY from and to files of the server: who may, and what is said where it fails. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { TestDatabase } from '../session/open-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
const input = join(folder, 'input.csv');
const output = join(folder, 'output.csv');
let t: TestDatabase;

beforeAll(async () => {
  t = await TestDatabase.open();
  writeFileSync(input, '1,one\n2,two\n');
  await t.run(`CREATE TABLE t (a int PRIMARY KEY, b text); CREATE ROLE reader; CREATE ROLE writer; CREATE ROLE neither;
    GRANT pg_read_server_files TO reader; GRANT pg_write_server_files TO writer; GRANT ALL ON t TO reader, writer, neither`);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true });
});

const FROM = `COPY t FROM '${input}' (FORMAT csv)`;
const TO = `COPY t TO '${output}' (FORMAT csv)`;
/** As `role` does it; 'tag' or 'code message'. */
async function outcome(sql: string, role: string | null = null, principal?: Principal): Promise<string> {
  const session = t.db.session({ branch: 'main', ...(principal === undefined ? {} : { principal }) });
  try {
    if (role !== null) await session.run(`SET ROLE ${role}`);
    return (await session.run(sql))[0].command;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  } finally {
    session.close();
  }
}

// contract: identity.4
test('off unless the operator allows it, for the own user too', async () => {
  for (const sql of [FROM, TO, "COPY t FROM PROGRAM 'ls'"]) expect(await outcome(sql)).toBe('42501 COPY to or from a file of the server is not allowed');
});

// contract: identity.4
test('the own user and roles of the two privileges, each in its direction; never agents and the guest', async () => {
  vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1');
  expect(await outcome(FROM)).toBe('COPY 2');
  expect(await outcome(TO)).toBe('COPY 2');
  expect(readFileSync(output, 'utf8')).toBe('1,one\n2,two\n');
  await t.run('DELETE FROM t');
  expect(await outcome(FROM, 'reader')).toBe('COPY 2');
  expect(await outcome(TO, 'reader')).toBe('42501 must be superuser or have privileges of the pg_write_server_files role to COPY to a file');
  expect(await outcome(TO, 'writer')).toBe('COPY 2');
  expect(await outcome(FROM, 'writer')).toBe('42501 must be superuser or have privileges of the pg_read_server_files role to COPY from a file');
  expect(await outcome(FROM, 'neither')).toMatch(/^42501 must be superuser/);
  await t.db.create_agent({ name: 'boss', can: ['admin'] });
  for (const principal of [GUEST, t.db.directory.byName('boss')!]) {
    for (const sql of [FROM, TO, "COPY t TO PROGRAM 'cat'", `PREPARE p AS SELECT 1; ${FROM}`]) expect(await outcome(sql, null, principal)).toMatch(/^42501 /);
  }
  expect(await outcome("COPY t TO PROGRAM 'cat'")).toBe('0A000 COPY to or from an external program is not supported');
});

test('privileges on the table come before the file is touched', async () => {
  vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1');
  writeFileSync(output, 'as it was');
  await t.run('REVOKE ALL ON t FROM reader, writer');
  expect(await outcome(TO, 'writer')).toBe('42501 permission denied for table t');
  expect(await outcome(FROM, 'reader')).toBe('42501 permission denied for table t');
  expect(readFileSync(output, 'utf8')).toBe('as it was');
});

test('files that cannot be opened are named', async () => {
  vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1');
  expect(await outcome(`COPY t FROM '${folder}/none'`)).toBe(`58P01 could not open file "${folder}/none" for reading: No such file or directory`);
  expect(await outcome(`COPY t TO '${folder}/none/x'`)).toBe(`58P01 could not open file "${folder}/none/x" for writing: No such file or directory`);
  expect(await outcome(`COPY t FROM '${folder}'`)).toBe(`42809 "${folder}" is a directory`);
  expect(await outcome(`COPY t TO 'relative'`)).toBe('42602 relative path not allowed for COPY to file');
});

test('a large table goes to a file and comes back, in each format', async () => {
  vi.stubEnv('SVC_ALLOW_SERVER_COPY', '1');
  await t.run("DELETE FROM t; INSERT INTO t SELECT n, repeat('x', n % 50) FROM generate_series(1, 20000) n");
  for (const format of ['text', 'csv', 'binary']) {
    const path = join(folder, format);
    expect(await outcome(`COPY t TO '${path}' (FORMAT ${format})`)).toBe('COPY 20000');
    await t.run('CREATE TABLE back (a int PRIMARY KEY, b text)');
    expect(await outcome(`COPY back FROM '${path}' (FORMAT ${format})`)).toBe('COPY 20000');
    expect(await t.lines('SELECT count(*) FROM (SELECT * FROM t EXCEPT SELECT * FROM back) d')).toEqual(['0']);
    await t.run('DROP TABLE back');
  }
});
