/** The shell in a real terminal: typing, completion, paging, resizing, interrupting, approving. Screens are kept as text. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { kept } from './screen.ts';
import { Tmux, tmux } from './tmux.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
const SVC = `${process.execPath} ${MAIN}`;
/** As a test of CI runs: what ink makes of it must not reach a person. */
const CI = { CI: 'true' };

describe.skipIf(tmux === null)('in a terminal', () => {
  let home: string;
  const terminals: Tmux[] = [];
  const servers: ChildProcess[] = [];

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'svc-terminal-'));
    const db = await open(join(home, 'db'));
    await db.sql({
      sql: `CREATE TABLE stock (id int PRIMARY KEY, name text, amount int); INSERT INTO stock SELECT i, 'thing ' || i, 10 FROM generate_series(1, 400) i;
            CREATE MERGE POLICY careful (max_rows = 2)`,
    });
    await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful' });
    const ann = db.commandsOf(db.directory.byName('ann')!);
    await ann.fork({ name: 'recount', meta: { intent: 'recount the shelf' } });
    await ann.sql({ branch: 'recount', sql: 'UPDATE stock SET amount = 7 WHERE id <= 3; DELETE FROM stock WHERE id = 400' });
    await expect(ann.merge({ branch: 'recount' })).rejects.toThrow(/max_rows/);
    await db.close();
  });
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.close();
    for (const server of servers.splice(0)) {
      server.kill('SIGTERM');
      await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  function terminal(options: { columns?: number; rows?: number; environment?: Record<string, string>; folder?: string; words?: string } = {}): Tmux {
    const { folder = 'db', words = '', environment = {}, ...rest } = options;
    const own = new Tmux(`${SVC} ${folder} ${words}`, { ...rest, folder: home, environment: { XDG_STATE_HOME: join(home, 'state'), ...CI, ...environment } });
    terminals.push(own);
    return own;
  }
  const leave = async (shell: Tmux): Promise<void> => {
    shell.keys('C-d');
    await shell.shows('exit code 0');
  };

  test('a first session: typing over lines, completion, history, worlds, a diff, a merge', async () => {
    const shell = terminal({ folder: 'first' });
    await shell.shows('main>');
    shell.line('CREATE TABLE items (id int PRIMARY KEY, name text);');
    await shell.shows('CREATE TABLE\nmain>');
    shell.line("INSERT INTO items VALUES (1, 'lamp;'),");
    await shell.shows('main-');
    shell.line("(2, 'desk');");
    await shell.shows('INSERT 0 2');
    shell.line('fork draft');
    await shell.shows('forked draft');
    shell.line('use dr\t');
    await shell.shows('draft>');
    shell.type('upd\t');
    await shell.shows('draft> update');
    shell.type('it\t');
    await shell.shows('update items');
    shell.line("set name = 'sofa' where id = 2;");
    await shell.shows('UPDATE 1');
    shell.line('diff');
    await shell.shows(/~ items\/2.*\ndraft>$/);
    await expect(shell.screen).toMatchFileSnapshot(kept('terminal-first'));
    shell.line('merge draft');
    await shell.shows('draft is gone: you are in main.\nmain>');
    shell.keys('Up', 'Up', 'Up');
    await shell.shows("main> update items set name = 'sofa' where id = 2;");
    shell.keys('C-u');
    shell.keys('C-r');
    shell.type('CREATE');
    await shell.shows('search: CREATE');
    await shell.shows('main> CREATE TABLE items');
    shell.keys('C-c', 'C-c');
    await leave(shell);
    // History is there in the next shell.
    const next = terminal({ folder: 'first' });
    await next.shows('main>');
    next.keys('Up');
    await next.shows('main> merge draft');
    next.keys('C-c');
    await leave(next);
  });

  test('long results are paged, follow the size of the terminal, and leave the screen as it was', async () => {
    const shell = terminal();
    await shell.shows('main>');
    shell.line('SELECT * FROM stock ORDER BY id;');
    await expect(await shell.shows('space next')).toMatchFileSnapshot(kept('terminal-pager'));
    shell.keys('Space');
    await shell.shows(' 22 | thing 22');
    shell.keys('G');
    await shell.shows('400 | thing 400');
    shell.resize(40, 12);
    await shell.shows(/–\d+ of 400/);
    for (const line of shell.screen.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect(shell.screen.split('\n').length).toBeLessThanOrEqual(12);
    shell.keys('q');
    await shell.shows('(400 rows)\nmain>');
    expect(shell.screen).not.toContain('thing');
    // Endless rows are not all waited for.
    shell.line('SELECT i FROM generate_series(1, 1000000000) i;');
    await shell.shows('space next');
    shell.keys('Space', 'Space', 'q');
    await shell.shows(/\(\d+\+ rows\)\nmain>/);
    await leave(shell);
  });

  test('a long session leaves nothing behind that Node warns of', async () => {
    const shell = terminal();
    await shell.shows('main>');
    for (let i = 100; i < 115; i++) {
      shell.line(`\\echo ${i}`);
      await shell.shows(`${i}\nmain>`);
    }
    expect(shell.scrollback).not.toContain('Warning');
    await leave(shell);
  });

  test('Ctrl-C ends a long query and keeps the shell; keys typed meanwhile are not lost', async () => {
    const shell = terminal();
    await shell.shows('main>');
    shell.line('SELECT count(*) FROM generate_series(1, 1e10);');
    await shell.shows('Ctrl-C stops it');
    shell.line('SELECT 41 + 1 AS answer;');
    shell.keys('C-c');
    await shell.shows('ERROR:  canceling statement due to user request (57014)');
    await shell.shows('42');
    await leave(shell);
  });

  test('a transaction shows in the prompt, a failed one as well; errors point at their place', async () => {
    const shell = terminal();
    await shell.shows('main>');
    shell.line('BEGIN;');
    await shell.shows('main*>');
    shell.line('SELECT nothing FROM stock;');
    expect(await shell.shows('main!>')).toContain('LINE 1: SELECT nothing FROM stock\n               ^');
    shell.line('ROLLBACK;');
    await shell.shows('ROLLBACK\nmain>');
    shell.line('wrlds');
    await shell.shows('Did you mean worlds?');
    shell.paste('SELECT 1 AS a;\nSELECT 2 AS b;\n');
    await shell.shows('SELECT 2 AS b;');
    expect(shell.screen).not.toContain('(1 row)');
    shell.keys('Enter');
    await shell.shows(/ b\n---\n 2\n\(1 row\)/);
    await leave(shell);
  });

  test('without colours, narrow: no colour is sent, nothing is wider than the terminal', async () => {
    const shell = terminal({ columns: 38, rows: 20, environment: { NO_COLOR: '1' } });
    await shell.shows('main>');
    shell.line("SELECT id, name, amount, repeat('long ', 20) AS note FROM stock WHERE id < 3;");
    await shell.shows('(2 rows)');
    shell.line('worlds');
    await shell.shows(/recount.*\nmain>$/);
    // oxlint-disable-next-line no-control-regex
    expect(shell.coloured).not.toMatch(/\x1b\[[0-9;]*3[0-7]m/);
    await expect(shell.screen.replaceAll(/(just now|\d+[smh] ago).*/g, 'AGO')).toMatchFileSnapshot(kept('terminal-narrow'));
    await leave(shell);
  });

  test('a terminal that takes lines only gets lines', async () => {
    const shell = terminal({ environment: { TERM: 'dumb' } });
    await shell.shows('main>');
    shell.line('SELECT 1/0;');
    await shell.shows('division by zero');
    shell.line('SELECT 7 AS seven;');
    await shell.shows('seven');
    await leave(shell);
  });

  test('through a server: the same, and after its end the folder is opened here', async () => {
    const server = spawn(process.execPath, [MAIN, 'serve', join(home, 'db'), '--listen', '127.0.0.1:0', '--pg', 'off'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    servers.push(server);
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const shell = terminal();
    await shell.shows('reached through its socket');
    await shell.shows('main>');
    shell.line('SELECT count(*) FROM generate_series(1, 1e10);');
    await shell.shows('Ctrl-C stops it');
    shell.keys('C-c');
    await shell.shows('canceling statement');
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
    shell.line('SELECT count(*) AS here FROM stock;');
    await shell.shows('400');
    expect(shell.screen).toContain('it is open here now');
    await leave(shell);
  });

  test('a held merge is reviewed and approved by keyboard', async () => {
    const shell = terminal();
    await shell.shows('1 merge waits for a person');
    await shell.shows('main>');
    shell.line('reviews');
    await shell.shows('enter look');
    shell.keys('Enter');
    const looked = await shell.shows('a approve');
    await expect(looked.replaceAll(/just now|\d+[smh] ago/g, 'AGO')).toMatchFileSnapshot(kept('terminal-review'));
    shell.resize(60, 16);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await shell.shows('a approve');
    shell.keys('a');
    await shell.shows('approved recount: 4 rows merged');
    shell.keys('q');
    await shell.shows('approved recount: 4 rows merged\nmain>');
    shell.line('SELECT count(*), sum(amount) FROM stock;');
    await shell.shows('3981');
    await leave(shell);
  });

  test('a signal closes the folder whole', async () => {
    const shell = terminal({ folder: 'signalled' });
    await shell.shows('main>');
    shell.line('CREATE TABLE t (a int);');
    await shell.shows('CREATE TABLE\nmain>');
    shell.line('SELECT pg_backend_pid();');
    await shell.shows('(1 row)');
    const { pid } = JSON.parse(readFileSync(join(home, 'signalled', 'svc.lock'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    await shell.shows('exit code 143');
    const db = await open(join(home, 'signalled'));
    expect((await db.branches()).branches[0].flagged).toBe(false);
    await db.close();
  });
});
