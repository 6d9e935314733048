/** A merge into an attached Postgres by each entrance: its dry run says what Postgres would do, conflicts show Postgres's row, picks decide, and Postgres has it then. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, MAIN, Opened, refused, said } from '../mcp/clients.ts';
import { type Attached, rowsOf, Source } from './source.ts';

const SCRIPT = `CREATE TABLE users (id int PRIMARY KEY, name text NOT NULL); CREATE TABLE notes (id int PRIMARY KEY REFERENCES users);
  INSERT INTO users VALUES (1, 'ann'), (2, 'bob'), (3, 'cy'); INSERT INTO notes VALUES (3);
  CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name := upper(NEW.name); RETURN NEW; END'; CREATE TRIGGER shout BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION shout()`;

describe.runIf(Source.installed)('entrances', () => {
  let source: Source;
  let attached: Attached;
  let sql: pg.Client;
  let server: ChildProcess;
  let port = 0;
  const opened = new Opened();

  beforeAll(async () => {
    source = await Source.start();
    const made = await source.database(SCRIPT);
    sql = made.sql;
    attached = await source.attached(made.url, { tables: ['users'] });
    await attached.db.close();
    server = spawn(process.execPath, [MAIN, 'serve', attached.folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SVC_ATTACH_URL: made.url },
    });
    await new Promise<void>((resolve, reject) => {
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
        const wire = /psql -h \S+ -p (\d+)/.exec(text);
        if (wire === null) return;
        port = Number(wire[1]);
        resolve();
      };
      server.stdout!.on('data', read);
      server.stderr!.on('data', read);
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
  }, 120_000);

  afterAll(async () => {
    await opened.close();
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('exit', resolve));
    }
    await source?.stop();
  });

  async function wire(database: string): Promise<pg.Client> {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'svc', database });
    client.on('error', () => {});
    await client.connect();
    opened.add(() => client.end());
    return client;
  }

  /** A world with user 1 renamed and user 2 renamed; in Postgres user 2 is another one by then. */
  async function world(name: string): Promise<pg.Client> {
    const main = await wire('main');
    await main.query(`CREATE WORLD ${name}`);
    const client = await wire(name);
    await client.query(`UPDATE users SET name = '${name} a' WHERE id = 1`);
    await client.query(`UPDATE users SET name = '${name} b' WHERE id = 2`);
    await sql.query(
      `ALTER TABLE users DISABLE TRIGGER shout; UPDATE users SET name = 'theirs of ${name}' WHERE id = 2; ALTER TABLE users ENABLE TRIGGER shout`,
    );
    return main;
  }

  const users = (): Promise<string[]> => rowsOf(sql, 'SELECT id, name FROM users WHERE id < 3 ORDER BY id');

  function svc(...words: string[]): Promise<{ code: number; out: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [MAIN, attached.folder, ...words], (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr });
      });
    });
  }

  test('SQL', async () => {
    const main = await world('one');
    const { rows } = await main.query('MERGE WORLD one DRY RUN');
    const said = rows.slice(2).map(({ key, outcome, detail, ours }) => [key, outcome, detail, ours]);
    expect(said).toEqual([
      ['postgres', 'accepted', expect.stringMatching(/^Postgres at 127\.0\.0\.1:\d+\/d1 would take the merge/), null],
      ['postgres', 'summary', 'users: 0 deleted, 2 updated, 0 inserted', null],
      ['postgres', 'trigger', 'trigger shout of users fires on update', null],
      ['users/2', 'postgres', 'changed in Postgres since it was read', { id: 2, name: 'theirs of one' }],
    ]);
    const error = (await main.query('MERGE WORLD one').catch((failed: unknown) => failed)) as pg.DatabaseError;
    expect([error.code, error.detail]).toEqual(['SV409', expect.stringContaining('theirs of one')]);
    expect(await users()).toEqual(['1|ann', '2|theirs of one']);
    expect((await main.query('MERGE WORLD one DRY RUN')).rows.find(({ key, outcome }) => key === 'users/2' && outcome === 'conflict')!.ours).toEqual({
      id: 2,
      name: 'theirs of one',
    });
    await main.query(`MERGE WORLD one ROWS '{"users/2": "theirs"}'`);
    expect(await users()).toEqual(['1|ONE A', '2|ONE B']);
    expect((await main.query('SELECT name FROM users WHERE id < 3 ORDER BY id')).rows.map(({ name }) => name)).toEqual(['ONE A', 'ONE B']);
    await main.query('CREATE WORLD wrong');
    await (await wire('wrong')).query('DELETE FROM users WHERE id = 3');
    const blocked = (await main.query('MERGE WORLD wrong DRY RUN')).rows.find(({ key }) => key === 'postgres')!;
    expect([blocked.outcome, blocked.detail]).toEqual(['blocked', expect.stringMatching(/would not take the merge .*: 23503 .*notes_id_fkey/)]);
  }, 60_000);

  test('MCP', async () => {
    await world('two');
    const client = await opened.stdio(attached.folder, '--allow-merge');
    const text = await said(client, 'merge_preview', { branch: 'two' });
    expect(text).toMatch(/Postgres at 127\.0\.0\.1:\d+\/d1 would take the merge/);
    expect(text).toContain('trigger shout of users fires on update');
    expect(text).toContain("1 row changed in Postgres since they were read: merge takes Postgres's row as ours");
    expect(text).toMatch(/users \| 2 .*changed in Postgres since it was read: .*theirs of two/);
    expect(await refused(client, 'merge', { branch: 'two' })).toContain('theirs of two');
    expect((await call(client, 'merge', { branch: 'two', rows: { 'users/2': 'theirs' } })).failed).toBe(false);
    expect(await users()).toEqual(['1|TWO A', '2|TWO B']);
  }, 60_000);

  test('the shell', async () => {
    await world('three');
    const dry = await svc('merge', 'three', '--dry-run');
    expect(dry.out).toMatch(/Postgres at 127\.0\.0\.1:\d+\/d1 would take the merge/);
    expect(dry.out).toContain('trigger shout of users fires on update');
    expect(dry.out).toMatch(/! users\/2 +changed in Postgres since it was read .*theirs of three/);
    const conflict = await svc('merge', 'three');
    expect([conflict.code, conflict.out]).toEqual([expect.any(Number), expect.stringContaining('theirs of three')]);
    expect(conflict.code).not.toBe(0);
    expect((await svc('merge', 'three', 'users/2=theirs')).code).toBe(0);
    expect(await users()).toEqual(['1|THREE A', '2|THREE B']);
  }, 60_000);
});
