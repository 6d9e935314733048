/** `svc <folder> …` as a process: one command, piped statements, exit codes, JSON, the folder open in a server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { RELEASE } from '../../src/release.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');

let home: string;
let folder: string;
const servers: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-line-'));
  folder = join(home, 'db');
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill('SIGTERM');
    await new Promise((resolve) => (server.exitCode === null && server.signalCode === null ? server.once('exit', resolve) : resolve(null)));
  }
  rmSync(home, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function svc(words: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: home, env: { ...process.env, XDG_STATE_HOME: join(home, 'state') } });
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

async function seed(): Promise<void> {
  const db = await open(folder);
  await db.sql({ sql: "CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items VALUES (1, 'bolt'), (2, NULL)" });
  await db.fork({ name: 'draft' });
  await db.sql({ branch: 'draft', sql: "UPDATE items SET name = 'nut' WHERE id = 2; DELETE FROM items WHERE id = 1" });
  await db.close();
}

async function serve(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off'], { stdio: ['ignore', 'pipe', 'ignore'] });
  servers.push(server);
  await new Promise((resolve) => server.stdout.once('data', resolve));
  return server;
}

describe('one command', () => {
  // contract: command.3
  test('makes a new folder, runs SQL, and says so in its exit code', async () => {
    const made = await svc([folder, 'SELECT 1 AS n, NULL AS x']);
    expect(made).toEqual({ code: 0, out: ' n | x\n---+------\n 1 | NULL\n(1 row)\n', err: `svc: made a new database in ${folder}\n` });
    const failed = await svc([folder, 'SELECT * FORM x']);
    expect(failed).toEqual({ code: 1, out: '', err: 'ERROR:  syntax error at or near "FORM" (42601)\nLINE 1: SELECT * FORM x\n                 ^\n' });
  });

  // contract: command.4
  test('merges a world', async () => {
    await seed();
    expect(await svc([folder, 'diff', 'draft'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^draft {2}2 rows: 1 deleted, 1 updated\n[^]*\n- items\/1 .*\n~ items\/2 .*\n$/) as string,
    });
    expect(await svc([folder, 'merge', 'draft'])).toEqual({ code: 0, out: 'merged draft: 2 rows\n', err: '' });
    expect(await svc([folder, 'merge', 'draft'])).toMatchObject({ code: 1, out: '' });
  });

  test('answers machines with the reply of the operation, or of SQL, or the error', async () => {
    await seed();
    const worlds = await svc([folder, '--json', 'worlds']);
    expect((JSON.parse(worlds.out) as { branches: { name: string }[] }).branches.map(({ name }) => name)).toEqual(['main', 'draft']);
    const rows = await svc([folder, '--json', '-b', 'draft', 'SELECT id, name, 12345678901234567890 AS big FROM items']);
    expect(rows.out).toContain('"rows":[{"id":2,"name":"nut","big":"12345678901234567890"}]');
    const failed = await svc(['--json', folder, 'SELECT 1/0']);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toMatchObject({ error: { code: '22012', message: 'division by zero' } });
  });

  test.each<[string[], RegExp]>([
    [['db', 'wrlds'], /no command "wrlds"\nDid you mean worlds\?/],
    [['db', 'merge'], /merge wants branch/],
    [['db', 'merge', 'draft', '--resolv', 'ours'], /Did you mean --resolve\?/],
    [['serv', './db'], /Did you mean svc serve\?/],
    [['--jsn', 'db'], /unknown option --jsn/],
    [['db', '--jsn', 'worlds'], /no option --jsn/],
    [['serve'], /missing required argument/],
    [['taken'], /holds other files/],
    [['file'], /is a file/],
    [[], /Usage/],
  ])('%j is a usage error', async (words, message) => {
    mkdirSync(join(home, 'taken'));
    writeFileSync(join(home, 'taken', 'letter.txt'), 'Dear …');
    writeFileSync(join(home, 'file'), '');
    const { code, out, err } = await svc(words);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(out).toBe('');
    if (words[0] !== 'db') expect(existsSync(folder)).toBe(false);
  });

  test.each<[string[], RegExp]>([
    [['studio'], /missing required argument 'folder'/],
    [['studio', './db', '--listen', 'nonsense'], /not an address to listen on/],
    [['attach', './db'], /--tables/],
    [['attach', './db', '--tables', 'items'], /SVC_ATTACH_URL/],
    [['backup', 'worlds'], /no folder "backup"\nThe folder comes first: svc <folder> backup/],
    [['merge'], /The folder comes first/],
    [['worlds', './db'], /The folder comes first/],
    [['srve'], /Did you mean svc serve\?/],
    [['frobnicate', './db'], /no command "\.\/db"/],
    [['frobnicate', '../db'], /no command "\.\.\/db"/],
    [['frobnicate', '/db/x'], /no command "\/db\/x"/],
    [['new', 'selct', '1'], /Did you mean select\?/],
    [['new', 'merge', 'draft'], /no world "draft"/],
    [['new', '-b', 'nowhere', 'SELECT 1'], /no world "nowhere"/],
    [['new', 'SELECT 1/0'], /division by zero/],
    [['new', 'help', 'nothing'], /no command "nothing"/],
    [['help', 'mrege'], /Did you mean help merge\?/],
    [['mcp', 'new', '--agent', 'x'], /agent "x" does not exist/],
    [['mcp', 'new', '-b', 'nowhere'], /no world "nowhere"/],
    [['serve', 'new', '--token', 'short'], /shorter than 24/],
    [['serve', 'new', '--listen', 'nonsense'], /./],
    [['verify', 'new'], /no folder/],
  ])('%j is refused and leaves no folder', async (words, message) => {
    const { code, out, err } = await svc(words);
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(readdirSync(home).filter((name) => name !== 'state')).toEqual([]);
  });

  test('a script that fails at once, and an empty one, leave no folder', async () => {
    expect((await svc(['new'], 'SELECT 1/0;')).code).toBe(1);
    expect((await svc(['new'], '')).code).toBe(0);
    expect(existsSync(join(home, 'new'))).toBe(false);
    expect((await svc(['new'], 'CREATE TABLE t (); SELECT 1/0;')).code).toBe(1);
    expect(existsSync(join(home, 'new'))).toBe(true);
  });

  test.each([
    ['serve', 'taken', '--listen', '127.0.0.1:0', '--pg', 'off'],
    ['mcp', 'taken'],
    ['taken', 'SELECT 1'],
  ])('%s %s: files of others are left as they are', async (...words) => {
    for (const [inside, name] of [
      ['', 'letter.txt'],
      ['cache', 'thumbnail.png'],
      ['log', 'app.log'],
    ]) {
      const taken = join(home, 'taken');
      mkdirSync(join(taken, inside), { recursive: true });
      writeFileSync(join(taken, inside, name), 'Dear …');
      const { code, err } = await svc(words);
      expect(err).toContain(`holds other files (${join(inside, name)})`);
      expect(code).not.toBe(0);
      expect(readdirSync(taken, { recursive: true })).toEqual(inside === '' ? [name] : [inside, join(inside, name)]);
      rmSync(taken, { recursive: true });
    }
  });

  test('a backup is a command and a statement, each as it is written in the other', async () => {
    await seed();
    const copies = ['one', 'two', 'three', 'four', 'five'].map((name) => join(home, name));
    const wrote = /files +\| [0-9]+|files \| bytes/;
    expect((await svc([folder, 'backup', copies[0]])).out).toMatch(wrote);
    expect((await svc([folder, 'backup', 'to', copies[1]])).out).toMatch(wrote);
    expect((await svc([folder, `BACKUP TO '${copies[2]}';`])).out).toMatch(wrote);
    expect((await svc([folder, `BACKUP TO '${copies[3]}'`])).out).toMatch(wrote);
    expect((await svc([folder], `BACKUP TO '${copies[4]}';\nSELECT 1;`)).out).toMatch(wrote);
    // Where the command runs, though another process may write it.
    expect((await svc([folder, 'backup', 'six'])).out).toMatch(wrote);
    copies.push(join(home, 'six'));
    for (const copy of copies) expect((await svc([copy, 'SELECT count(*) FROM items'])).out).toContain('2');
  });

  test('says its version, and helps', async () => {
    expect(await svc(['--version'])).toEqual({ code: 0, out: `${RELEASE}\n`, err: '' });
    expect((await svc(['--help'])).out).toContain('svc ./data "SELECT 1"');
    expect((await svc([folder, '--help'])).out).toContain('merge WORLD');
    expect(await svc([folder, 'help', 'merge'])).toMatchObject({ code: 0, out: expect.stringContaining('--only_tables') as string });
    expect(existsSync(join(folder, 'log'))).toBe(true);
    expect(await svc(['help', 'merge'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--only_tables') as string });
    expect((await svc(['help', 'serve'])).out).toContain('--listen');
  });
});

describe('values', () => {
  const NAMES = ['constructor', 'toString', '__proto__', 'into'];

  test('fields may have the names that every object has', async () => {
    const record = (value: number): string => `{${NAMES.map((name) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`;
    await svc([folder, 'put', 'docs', 'a', record(1)]);
    await svc([folder, 'put', 'docs', 'b', '{"plain": true}']);
    await svc([folder, 'put', 'docs', 'constructor', '{"plain": false}']);
    const found = await svc([folder, 'find', 'docs']);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('(3 of 3 rows)');
    expect(found.out).not.toContain('[native code]');
    for (const name of NAMES) {
      expect((await svc([folder, 'find', 'docs', `${name}=1`])).out).toContain('(1 of 1 rows)');
    }
    expect((await svc([folder, 'get', 'docs', 'constructor'])).out).toBe(' plain | false\n');
    await svc([folder, 'fork', 'draft']);
    await svc([folder, '-b', 'draft', 'put', 'docs', 'a', '{"plain": 2}']);
    await svc([folder, '-b', 'draft', 'put', 'docs', 'b', record(2)]);
    const diff = await svc([folder, 'diff', 'draft']);
    expect(diff).toMatchObject({ code: 0, err: '' });
    for (const name of NAMES) {
      expect(diff.out).toMatch(new RegExp(`^ +${name} +-1 → \\+absent$`, 'm'));
      expect(diff.out).toMatch(new RegExp(`^ +${name} +-absent → \\+2$`, 'm'));
    }
    expect(await svc([folder, 'merge', 'draft', '--dry-run'])).toMatchObject({ code: 0, err: '' });
    // Another row on both sides: conflicts are shown.
    await svc([folder, 'put', 'docs', 'a', record(3)]);
    expect(await svc([folder, 'merge', 'draft'])).toMatchObject({ code: 1, err: expect.stringContaining('docs/a') as string });
    expect(await svc([folder, 'merge', 'draft', `docs/a=${record(4)}`])).toMatchObject({ code: 0 });
    expect((await svc([folder, 'get', 'docs', 'a'])).out).toMatch(/ __proto__ +\| 4\n/);
  });

  test('numbers of any size come out as they went in', async () => {
    const numbers = {
      small: '9007199254740993',
      negative: '-9223372036854775808',
      large: '123456789012345678901234567890',
      decimal: '0.12345678901234567890123',
    };
    const record = (texts: object): string =>
      `{${Object.entries(texts)
        .map(([name, text]) => `"${name}": ${String(text)}`)
        .join(', ')}, "list": [${Object.values(texts).join(', ')}]}`;
    await svc([folder, 'put', 'docs', 'a', record(numbers)]);
    for (const words of [
      ['get', 'docs', 'a'],
      ['find', 'docs'],
      ['find', 'docs', `small=${numbers.small}`],
      ['--json', 'get', 'docs', 'a'],
      ['--json', 'find', 'docs'],
      ['SELECT * FROM docs'],
      ['--json', 'SELECT * FROM docs'],
    ]) {
      const { out } = await svc([folder, ...words]);
      for (const text of Object.values(numbers)) expect(out, words.join(' ')).toContain(text);
      expect(out).not.toMatch(/[0-9]e\+?[0-9]/);
    }
    expect((await svc([folder, 'find', 'docs', 'small=9007199254740992'])).out).toContain('(0 of 0 rows)');
    await svc([folder, 'fork', 'draft']);
    await svc([folder, '-b', 'draft', 'put', 'docs', 'a', record({ ...numbers, large: '123456789012345678901234567891' })]);
    const diff = (await svc([folder, 'diff', 'draft'])).out;
    expect(diff).toContain('123456789012345678901234567890');
    expect(diff).toContain('123456789012345678901234567891');
    // Typed columns take the same, with their scale.
    await svc([folder, 'CREATE TABLE exact (id text PRIMARY KEY, b bigint, n numeric)']);
    await svc([folder, 'put', 'exact', 'a', '{"b": 9223372036854775807, "n": 123456789012345678901234567890.10}']);
    const exact = (await svc([folder, 'get', 'exact', 'a'])).out;
    expect(exact).toContain('9223372036854775807');
    expect(exact).toContain('123456789012345678901234567890.10');
    // A decimal with a zero behind it is a double like any other.
    await svc([folder, 'put', 'prices', 'a', '{"price": 1.50, "count": 1e3}']);
    expect((await svc([folder, 'SELECT pg_typeof(price) AS p, pg_typeof(count) AS c, price, count FROM prices'])).out).toContain(
      ' double precision | bigint |   1.5 |  1000',
    );
    expect((await svc([folder, 'find', 'prices', 'price=1.50'])).out).toContain('(1 of 1 rows)');
  });
});

describe('piped', () => {
  test('statements run in order, in one session, and stop at the first error', async () => {
    await seed();
    const { code, out, err } = await svc(
      [folder],
      `BEGIN; INSERT INTO items VALUES (3, $$a;\nb$$);\nCOMMIT;\nuse draft\nSELECT count(*) FROM items;\nSET search_path = public; SHOW search_path;\nSELECT 1/0;\nDROP TABLE items;`,
    );
    expect(out).toBe('BEGIN\nINSERT 0 1\nCOMMIT\nnow in draft\n count\n-------\n     1\n(1 row)\nSET\n search_path\n-------------\n public\n(1 row)\n');
    expect(err).toBe('ERROR:  division by zero (22012)\n');
    expect(code).toBe(1);
    expect((await svc([folder, 'SELECT name FROM items WHERE id = 3'])).out).toContain('a;↵b');
  });

  test('a last statement needs no semicolon', async () => {
    expect(await svc([folder], 'SELECT 1 AS n')).toMatchObject({ code: 0, out: ' n\n---\n 1\n(1 row)\n' });
  });

  test('rows go out as they come, all of them, and uncut', async () => {
    const { out } = await svc([folder, "SELECT i, repeat('x', 300) AS x FROM generate_series(1, 3000) i"]);
    expect(out.split('\n').length).toBe(3000 + 4);
    expect(out).toContain('x'.repeat(300));
    expect(out.endsWith('(3000 rows)\n')).toBe(true);
  });

  test('no escape of data or of our own reaches the reader', async () => {
    const { out } = await svc([folder], `SELECT E'\\x1b[2J' AS x; worlds\nhelp\n`);
    expect(out).toContain('\\x1b[2J');
    expect(out).not.toContain('\x1b');
  });
});

describe('where a server has the folder open', () => {
  // contract: service.7
  test('commands and sessions reach it, as the database’s own user', async () => {
    await seed();
    await serve();
    const { code, out, err } = await svc([folder], 'BEGIN;\nUPDATE items SET name = name WHERE id = 1;\nROLLBACK;\nmerge draft\nSELECT * FORM x;');
    expect(out).toBe('BEGIN\nUPDATE 1\nROLLBACK\nmerged draft: 2 rows\n');
    expect(err).toContain('LINE 1: SELECT * FORM x\n                 ^');
    expect(code).toBe(1);
    expect(await svc([folder, '-b', 'nowhere', 'SELECT 1'])).toMatchObject({ code: 1, err: expect.stringContaining('nowhere') as string });
    expect((await svc([folder, 'SELECT count(*) FROM generate_series(1, 20000)'])).out).toContain('20000');
  });

  test.each(['DELETE FROM items WHERE id = 2;\n', 'COMMIT;\n', 'put items 9 \'{"name": "x"}\'\n'])(
    'a transaction that ended with the server is refused, and %j is not run without it',
    async (after) => {
      await seed();
      const server = await serve();
      const shell = spawn(process.execPath, [MAIN, folder], { cwd: home });
      servers.push(shell);
      let err = '';
      let out = '';
      shell.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      shell.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      shell.stdin.write('BEGIN;\nDELETE FROM items WHERE id = 1;\n');
      await expect.poll(() => out, { timeout: 20_000 }).toContain('DELETE 1');
      server.kill('SIGKILL');
      await new Promise((resolve) => server.once('exit', resolve));
      shell.stdin.end(`${after}SELECT 1;\n`);
      expect(await new Promise((resolve) => shell.once('exit', resolve))).toBe(1);
      expect(err).toContain('the transaction is gone');
      expect((await svc([folder, 'SELECT count(*) AS n FROM items'])).out).toBe(' n\n---\n 2\n(1 row)\n');
    },
  );

  test('a shell has the folder open for others, too', async () => {
    await seed();
    const shell = spawn(process.execPath, [MAIN, folder], { cwd: home });
    servers.push(shell);
    shell.stdin.write('SELECT 1 AS first;\n');
    await new Promise((resolve) => shell.stdout.once('data', resolve));
    expect(await svc([folder, 'SELECT 2 AS second'])).toMatchObject({ code: 0, out: expect.stringContaining('second') as string });
    shell.stdin.end();
    expect(await new Promise((resolve) => shell.once('exit', resolve))).toBe(0);
    expect(await svc([folder, 'SELECT 3'])).toMatchObject({ code: 0 });
  });

  test('an interrupt ends the statement, not the server', async () => {
    await seed();
    await serve();
    const long = spawn(process.execPath, [MAIN, folder, 'SELECT count(*) FROM generate_series(1, 1e10)']);
    servers.push(long);
    let err = '';
    long.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // By now it runs, or is about to: it is interrupted until it ends.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    long.kill('SIGINT');
    expect(await new Promise((resolve) => long.once('exit', resolve))).not.toBe(0);
    expect(err).toContain('canceling statement due to user request');
    expect(await svc([folder, 'SELECT 1'])).toMatchObject({ code: 0 });
  });
});
