/** Commands that take long, in a real terminal: how far they are, and Ctrl-C. In the process that has the folder open, and through its socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { Tmux, tmux } from './tmux.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
/** A simulation of minutes. */
const ENDLESS = `simulate 200000 long --script "INSERT INTO notes SELECT i FROM generate_series(1, 400) i" --score "SELECT count(*) FROM notes" --keep 5 --threads 1`;
/** A check that looks for minutes at what a merge makes. */
const SLOW_CHECK = 'SELECT 1 FROM generate_series(1, 1e10) g, notes WHERE g < 0 AND notes.a = 1';

let home: string;
const terminals: Tmux[] = [];
const servers: ChildProcess[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-stopping-'));
  const db = await open(join(home, 'db'));
  await db.sql({ sql: 'CREATE TABLE notes (a int); CREATE TABLE many (id int PRIMARY KEY, n int)' });
  await db.sql({ sql: 'INSERT INTO many SELECT i, i FROM generate_series(1, 300000) i' });
  await db.fork({ name: 'draft' });
  await db.sql({ branch: 'draft', sql: 'INSERT INTO notes VALUES (1)' });
  await db.set_merge_check({ name: 'slow', query: SLOW_CHECK, tables: ['notes'], timeout_ms: 600_000 });
  await db.close();
}, 60_000);
afterEach(async () => {
  for (const terminal of terminals.splice(0)) terminal.close();
  for (const server of servers.splice(0)) {
    server.kill('SIGTERM');
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function serve(): Promise<void> {
  const server = spawn(process.execPath, [MAIN, 'serve', join(home, 'db'), '--listen', '127.0.0.1:0', '--pg', 'off'], { stdio: ['ignore', 'pipe', 'ignore'] });
  servers.push(server);
  await new Promise((resolve) => server.stdout.once('data', resolve));
}

function shell(words = ''): Tmux {
  const own = new Tmux(`${process.execPath} ${MAIN} db ${words}`, {
    columns: 100,
    folder: home,
    environment: { XDG_STATE_HOME: join(home, 'state'), CI: 'true' },
  });
  terminals.push(own);
  return own;
}

describe.skipIf(tmux === null).each(['folder', 'socket'])('a shell over the %s', (link) => {
  test('simulate shows how many worlds have run, and Ctrl-C leaves nothing of it', async () => {
    if (link === 'socket') await serve();
    const it = shell();
    await it.shows('main>');
    it.line(ENDLESS);
    const first = await it.shows(/simulate [\d,]+ of 200,000 worlds \(\d+ %\) … Ctrl-C stops it/);
    const ran = (screen: string): number => Number(/simulate ([\d,]+) of/.exec(screen)![1].replaceAll(',', ''));
    const before = ran(first);
    for (let tries = 0; ran(it.screen) === before; tries++) {
      if (tries > 200) throw new Error(`it stays at ${before} worlds`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    it.keys('C-c');
    await it.shows('ERROR:  canceling statement due to user request (57014)');
    it.line('SELECT count(*) AS rows FROM notes;');
    await it.shows(/rows\n-+\n +0\n/);
    it.line('worlds');
    expect(await it.shows(/draft.*\nmain>$/)).not.toContain('long_');
    // As a statement, too.
    it.line("SIMULATE 200000 WORLDS AS long SCRIPT 'INSERT INTO notes SELECT i FROM generate_series(1, 400) i' SCORE 'SELECT 1' KEEP 1 THREADS 1;");
    await it.shows(/running \d+ % … Ctrl-C stops it/);
    it.keys('C-c');
    await it.shows(/canceling statement due to user request \(57014\)[^]*canceling statement due to user request \(57014\)/);
  });

  test('Ctrl-C stops a merge in its checks: nothing is merged', async () => {
    if (link === 'socket') await serve();
    const it = shell();
    await it.shows('main>');
    it.line('merge draft');
    await it.shows('merge … Ctrl-C stops it');
    it.keys('C-c');
    await it.shows('ERROR:  canceling statement due to user request (57014)');
    it.line('SELECT count(*) AS rows FROM notes;');
    await it.shows(/rows\n-+\n +0\n/);
    it.line('diff draft --count');
    await it.shows('draft  1 row: 1 inserted');
  });

  test('one command at a terminal shows it as well, and its exit code is 1 after Ctrl-C', async () => {
    if (link === 'socket') await serve();
    const it = shell(ENDLESS);
    await it.shows(/simulate [\d,]+ of 200,000 worlds/);
    it.keys('C-c');
    await it.shows('canceling statement due to user request');
    await it.shows('exit code 1');
  });
});

describe('through the socket, line by line', () => {
  test('progress is reported on request, a cancel line ends the call, and so does closing the connection', async () => {
    await serve();
    const talk = (): { send(line: object): void; next(): Promise<Record<string, any>>; end(): void } => {
      const socket = connect(join(home, 'db', 'svc.sock'));
      const lines: Record<string, any>[] = [];
      const waiting: ((line: Record<string, any>) => void)[] = [];
      let rest = '';
      socket.on('data', (chunk) => {
        const parts = (rest + chunk.toString()).split('\n');
        rest = parts.pop()!;
        for (const part of parts) {
          const line = JSON.parse(part) as Record<string, any>;
          const taker = waiting.shift();
          if (taker === undefined) lines.push(line);
          else taker(line);
        }
      });
      return {
        send: (line) => void socket.write(`${JSON.stringify(line)}\n`),
        next: () => new Promise((resolve) => (lines.length > 0 ? resolve(lines.shift()!) : void waiting.push(resolve))),
        end: () => void socket.destroy(),
      };
    };
    const input = { worlds: 100_000, prefix: 'far', script: 'INSERT INTO notes SELECT i FROM generate_series(1, 400) i', score: 'SELECT 1', threads: 1 };
    for (const entrance of ['operations', 'shell']) {
      const one = talk();
      one.send({ entrance, as: { kind: 'owner' } });
      expect(await one.next()).toEqual({ ok: true });
      one.send({ id: 7, op: 'simulate', input, progress: true });
      const { id, progress } = await one.next();
      expect({ id, total: progress.total }).toEqual({ id: 7, total: 100_000 });
      expect((await one.next()).progress.done).toBeGreaterThan(progress.done);
      one.send({ id: 7, op: 'cancel' });
      let last = await one.next();
      while ('progress' in last) last = await one.next();
      expect(last).toMatchObject({ id: 7, error: { code: '57014' } });
      // The prefix is taken as long as a run lives: the next one is refused until the one that hung up has gone.
      one.send({ id: 8, op: 'simulate', input, progress: true });
      await one.next();
      one.end();
      const two = talk();
      two.send({ entrance, as: { kind: 'owner' } });
      await two.next();
      for (let tries = 0; ; tries++) {
        two.send({ id: 9, op: 'simulate', input: { ...input, worlds: 1, keep: 0 } });
        const reply = await two.next();
        if (reply['result'] !== undefined) break;
        expect(reply['error']).toMatchObject({ code: '42P04', message: 'a simulation with the prefix "far" is running' });
        if (tries > 100) throw new Error('the run continues without its client');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      two.send({ id: 10, op: 'branches', input: {} });
      expect(((await two.next())['result'] as { branches: { name: string }[] }).branches.map(({ name }) => name).toSorted()).toEqual(['draft', 'main']);
      two.end();
    }
  });
});

describe('cancelled by a signal', () => {
  test('a backup leaves no folder, verify and diffs raise 57014, and the database continues', async () => {
    const db = await open(join(home, 'db'));
    try {
      await db.fork({ name: 'other' });
      await db.sql({ branch: 'other', sql: 'UPDATE many SET n = n + 1' });
      for (const [what, run] of [
        ['backup', (control) => db.commands.backup({ to: join(home, 'copy') }, control)],
        ['verify', (control) => db.commands.verify(undefined, control)],
        ['diff', (control) => db.commands.diff({ branch: 'other', count: true }, control)],
        ['diff of rows', (control) => db.commands.diff({ branch: 'other' }, control)],
        ['merge', (control) => db.commands.merge({ branch: 'other' }, control)],
      ] as [string, (control: { signal: AbortSignal }) => Promise<unknown>][]) {
        const abort = new AbortController();
        const running = run({ signal: abort.signal });
        abort.abort(new Error(`given up: ${what}`));
        await expect(running, what).rejects.toThrow(`given up: ${what}`);
      }
      expect(existsSync(join(home, 'copy'))).toBe(false);
      // In the middle of its work, as far as this machine is not done before.
      const abort = new AbortController();
      const copying = db.commands.backup({ to: join(home, 'copy') }, { signal: abort.signal }).then(
        () => 'done',
        (error: Error) => error.message,
      );
      setTimeout(() => abort.abort(new Error('given up later')), 1);
      const outcome = await copying;
      expect(['done', 'given up later']).toContain(outcome);
      expect(existsSync(join(home, 'copy'))).toBe(outcome === 'done');
      const { total } = await db.diff({ branch: 'other', count: true });
      expect(total).toBe(300_000);
      // A walk in slices gives what one in a turn does, while others write.
      const slow = db.commands.diff({ branch: 'other', count: true }, { signal: new AbortController().signal });
      await new Promise((resolve) => setImmediate(resolve));
      await db.sql({ branch: 'other', sql: 'UPDATE many SET n = 0 WHERE id > 299000; DELETE FROM many WHERE id <= 1000' });
      expect((await slow).tables).toEqual({ many: 300_000 });
      await db.discard({ branch: 'other' });
    } finally {
      await db.close();
    }
  });
});
