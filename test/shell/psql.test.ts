/** What people who know psql expect: \copy, COPY and pasted rows, \i, \o, \watch, \e, notifications, search in the pager. On both links. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { Tmux, tmux } from './tmux.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');

let home: string;
const terminals: Tmux[] = [];
let server: ChildProcess | null = null;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-psql-'));
  const db = await open(join(home, 'db'));
  await db.sql({ sql: 'CREATE TABLE t (id int PRIMARY KEY, name text); CREATE TABLE other (id int)' });
  await db.close();
});
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.close();
});
afterAll(async () => {
  if (server !== null) {
    server.kill('SIGTERM');
    await new Promise((resolve) => server!.once('exit', resolve));
  }
  rmSync(home, { recursive: true, force: true });
});

function svc(words: readonly string[], input: string | Buffer = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'db', ...words], { cwd: home, env: { ...process.env, XDG_STATE_HOME: join(home, 'state') } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function shell(environment: Record<string, string> = {}): Tmux {
  const own = new Tmux(`${process.execPath} ${MAIN} db`, {
    columns: 90,
    folder: home,
    environment: { XDG_STATE_HOME: join(home, 'state'), CI: 'true', ...environment },
  });
  terminals.push(own);
  return own;
}

describe.each(['folder', 'socket'])('over the %s', (link) => {
  beforeAll(async () => {
    if (link === 'folder') return;
    server = spawn(process.execPath, [MAIN, 'serve', join(home, 'db'), '--listen', '127.0.0.1:0', '--pg', 'off'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => server!.stdout!.once('data', resolve));
  }, 60_000);

  test('a piped dump: rows stand between statements, and come out as they went in', async () => {
    const rows = '1\tbolt\n2\t\\N\n3\ttab\\there\n4\tnaïve ✓\n';
    const dump = `\\restrict k3y\nTRUNCATE t;\nCOPY t (id, name) FROM stdin;\n${rows}\\.\n\nCOPY other FROM STDIN;\n\\.\nSELECT count(*) FROM t;\n\\unrestrict k3y\nCOPY t TO STDOUT;\n`;
    const ran = await svc([], dump);
    expect(ran).toEqual({ code: 0, out: `TRUNCATE TABLE\nCOPY 4\nCOPY 0\n count\n-------\n     4\n(1 row)\n${rows}`, err: '' });
    // One statement reads all of stdin, byte by byte; binary goes out and in.
    expect(await svc(['COPY t FROM STDIN (FORMAT csv)'], '5,"a, b"\r\n6,\r\n')).toMatchObject({ code: 0, out: 'COPY 2\n' });
    expect((await svc(['COPY (SELECT id, name FROM t WHERE id > 4 ORDER BY id) TO STDOUT (FORMAT csv, HEADER)'])).out).toBe('id,name\n5,"a, b"\n6,\n');
  });

  test('an error in a row stops a script, and says where', async () => {
    const ran = await svc([], 'COPY other FROM STDIN;\n1\nx\n\\.\nSELECT 2 AS never;\n');
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('invalid input syntax for type integer: "x" (22P02)');
    expect(ran.err).toContain('COPY other, line 2, column id: "x"');
  });

  test('\\copy to and from files and programs', async () => {
    const path = join(home, `copy of ${link}.csv`);
    const out = await svc(
      [],
      `TRUNCATE t;\nINSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 50000) i;\n\\copy (SELECT * FROM t ORDER BY id) TO '${path}' WITH (FORMAT csv, HEADER)\n`,
    );
    expect(out).toMatchObject({ code: 0, err: '' });
    expect(out.out.endsWith('COPY 50000\n')).toBe(true);
    const written = readFileSync(path, 'utf8').split('\n');
    expect([written.length, written[0], written[1], written[50_000]]).toEqual([50_002, 'id,name', '1,n1', '50000,n50000']);
    const back = await svc(
      [],
      `TRUNCATE t;\n\\copy t FROM '${path}' CSV HEADER\n\\copy t(id) FROM PROGRAM 'seq 60001 60003'\nSELECT count(*), max(id) FROM t;\n\\copy (SELECT id FROM t WHERE id > 60000 ORDER BY 1) to program 'tac > ${home}/turned'\n\\copy (SELECT 1, 'x') TO stdout\n`,
    );
    expect(back).toEqual({
      code: 0,
      out: 'TRUNCATE TABLE\nCOPY 50000\nCOPY 3\n count |   max\n-------+-------\n 50003 | 60003\n(1 row)\nCOPY 3\n1\tx\n',
      err: '',
    });
    expect(readFileSync(join(home, 'turned'), 'utf8')).toBe('60003\n60002\n60001\n');
    expect(await svc(['\\copy t FROM nowhere.csv'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nowhere.csv: No such file or directory') as string,
    });
    expect(await svc(["\\copy t FROM PROGRAM 'exit 3'"])).toMatchObject({ code: 1, err: expect.stringContaining('exit code 3') as string });
    expect((await svc(['\\copy t'])).err).toContain('\\copy wants FROM or TO');
  });

  test('\\i runs files within files, up to the first error; \\o writes to a file; \\g, \\gx and \\watch repeat', async () => {
    writeFileSync(join(home, 'inner.sql'), 'COPY other FROM STDIN;\n7\n\\.\nSELECT 1/0;\n\\echo never\n');
    writeFileSync(join(home, 'outer.sql'), '\\echo outer\n\\i inner.sql\n\\echo never\n');
    const ran = await svc([], 'TRUNCATE other;\n\\i outer.sql\n\\echo never\n');
    expect(ran).toMatchObject({ code: 1, out: 'TRUNCATE TABLE\nouter\nCOPY 1\n' });
    expect(ran.err).toContain('division by zero');
    expect((await svc(['\\i outer.sq'])).err).toContain('outer.sq: No such file or directory');
    const results = await svc(
      [],
      '\\o results.txt\nSELECT 1 AS one;\nCOPY (SELECT 2) TO STDOUT;\n\\o\nSELECT 3 AS three \\gx\nSELECT 4 AS four \\watch i=0 c=2\n',
    );
    expect(results).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(home, 'results.txt'), 'utf8')).toBe(' one\n-----\n   1\n(1 row)\n2\n');
    expect(results.out).toMatch(/^-\[ 1 \][^]*three \| 3[^]*\(every 0s\)\n\n four\n------\n {4}4\n\(1 row\)\n\n[^]*\(every 0s\)\n\n four\n/);
    expect((await svc(['\\watch'])).err).toContain('no SQL has run yet');
  });

  test('notifications come after statements', async () => {
    const { out } = await svc([], "LISTEN news;\nNOTIFY news, 'first';\nBEGIN;\nNOTIFY news;\nSELECT 1 AS one;\nCOMMIT;\nUNLISTEN news;\nNOTIFY news;\n");
    expect(out.replaceAll(/PID \d+/g, 'PID n')).toBe(
      'LISTEN\nNOTIFY\nAsynchronous notification "news" with payload "first" received from server process with PID n.\nBEGIN\nNOTIFY\n one\n-----\n   1\n(1 row)\nCOMMIT\nAsynchronous notification "news" received from server process with PID n.\nUNLISTEN\nNOTIFY\n',
    );
  });

  test.skipIf(tmux === null)('at a terminal: rows are typed and pasted, Ctrl-C gives them up, a waiting prompt shows what is notified', async () => {
    const it = shell();
    await it.shows('main>');
    it.line('TRUNCATE t; COPY t FROM STDIN;');
    await it.shows('End with a backslash and a period on a line by itself, or an EOF signal.\n>>');
    it.line('1\tone');
    await it.shows('>> 1→one\n>>');
    it.paste('2\ttwo\n3\tthree');
    await it.shows('>> 3→three');
    it.line('');
    it.line('\\.');
    await it.shows('COPY 3\nmain>');
    // All of it in one paste.
    it.paste('COPY t FROM STDIN;\n4\tfour\n\\.\nSELECT sum(id), max(name) FROM t;\n');
    it.line('');
    await it.shows('COPY 1\n sum | max\n-----+-----\n  10 | two\n(1 row)\nmain>');
    it.line('COPY t FROM STDIN;');
    await it.shows(/EOF signal\.\n>>$/);
    it.line('9\tnine');
    it.keys('C-c');
    await it.shows('COPY from stdin failed: canceled by user (57014)');
    it.line('LISTEN news;');
    await it.shows('LISTEN\nmain>');
    it.type('SELECT 41');
    await svc(["NOTIFY news, 'from elsewhere'"]);
    await it.shows(/Asynchronous notification "news" with payload "from elsewhere" received from server proc\n?ess with PID \d+\.\nmain> SELECT 41$/);
    it.line(' + 1 AS answer;');
    await it.shows(/main> SELECT 41 \+ 1 AS answer;\n answer\n-+\n +42\n/);
    it.line('SELECT count(*) AS n FROM t \\watch 1');
    await it.shows(/every 1s[^]*every 1s/);
    it.keys('C-c');
    await it.shows(/\(1 row\)\n\nmain>$/);
    it.keys('C-d');
    await it.shows('exit code 0');
  });

  test.skipIf(tmux === null)('at a terminal: \\e, and search in the pager', async () => {
    const it = shell({ EDITOR: 'sed -i s/41/42/' });
    await it.shows('main>');
    it.line('SELECT 41 AS answer;');
    await it.shows('answer\n--------\n     41');
    it.line('\\e');
    await it.shows('answer\n--------\n     42');
    it.line("SELECT i, 'thing ' || i AS name FROM generate_series(1001, 6000) i;");
    await it.shows('/ search');
    it.type('/thing 5321\r');
    await it.shows('5321 | thing 5321');
    it.type('?THING\r');
    await it.shows('THING is not found above');
    it.type('/ing 1099$\r');
    await it.shows('is not found below');
    it.type('N');
    await it.shows('1099 | thing 1099\n');
    it.type('/099$\r');
    await it.shows('2099 | thing 2099');
    it.type('n');
    await it.shows('3099 | thing 3099');
    it.type('N');
    await it.shows('2099 | thing 2099');
    it.type('/');
    await it.shows(/\n\/▏$/);
    it.keys('BSpace');
    it.type('q');
    await it.shows(/\(\d+\+? rows\)\nmain>$/);
    it.keys('C-d');
    await it.shows('exit code 0');
  });
});
