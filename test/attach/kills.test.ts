/**
 * svc, its Postgres backend or the whole of Postgres is killed at any moment of a merge: after a restart both sides have it, or neither. Every other kill
 * comes at a step, that is, as soon as Postgres shows the step's statement; the others come at random times.
 * `ATTACH_KILLS=1000` runs more rounds than the few of each test run, `ATTACH_SEED` others.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN } from '../mcp/clients.ts';
import { Random } from '../suite/random.ts';
import { rowsOf, Source } from './source.ts';

const ROUNDS = Number(process.env['ATTACH_KILLS'] ?? 12);
const SEED = Number(process.env['ATTACH_SEED'] ?? 1);
const SCRIPT = `CREATE SCHEMA apart; CREATE TABLE apart.others (n int); CREATE TABLE parents (id int PRIMARY KEY, v int NOT NULL); CREATE TABLE children (id int PRIMARY KEY, parent int NOT NULL REFERENCES parents, v text);
  INSERT INTO parents SELECT i, 0 FROM generate_series(1, 50) AS i; INSERT INTO children SELECT i, i, 'v' FROM generate_series(1, 50) AS i`;

/** What the statements of a merge's steps have in them, in their order. Around the last two a merge is committed on one side alone. */
const STEPS = [
  'BEGIN',
  'array_nulls',
  'pg_control_system',
  'attgenerated',
  'pg_amop',
  'FOR UPDATE OF',
  'LEFT JOIN ONLY',
  'WITH p0 AS',
  'SET CONSTRAINTS ALL IMMEDIATE',
  'pg_current_wal_flush_lsn',
  'COMMIT',
] as const;
const VICTIMS = ['server', 'backend', 'postgres'] as const;

class Server {
  /** Transactions of earlier processes that ended at a start, by their fate in Postgres. */
  readonly resolved = { committed: 0, aborted: 0 };
  readonly #folder: string;
  readonly #url: string;
  #process: ChildProcess | null = null;
  #base = '';

  constructor(folder: string, url: string) {
    this.#folder = folder;
    this.#url = url;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, 'serve', this.#folder, '--listen', '127.0.0.1:0', '--pg', 'off'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SVC_ATTACH_URL: this.#url },
    });
    this.#process = child;
    this.#base = await new Promise((resolve, reject) => {
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
        for (const [, not] of chunk.toString().matchAll(/transaction \d+ of Postgres was (not )?committed/g))
          this.resolved[not === undefined ? 'committed' : 'aborted']++;
        const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text);
        if (found !== null) resolve(found[1]);
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async post(operation: string, body: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.#base}/v1/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  async rows(sql: string): Promise<string[]> {
    const { status, body } = await this.post('sql', { sql });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results.at(-1).rows.map((row: object) => Object.values(row).map(String).join('|'));
  }
}

describe.runIf(Source.installed)('kills', () => {
  let source: Source;
  let folder: string;
  let server: Server;
  let sql: pg.Client;
  let name: string;

  beforeAll(async () => {
    source = await Source.start();
    folder = mkdtempSync(join(tmpdir(), 'svc-kills-'));
    const database = await source.database(SCRIPT);
    ({ sql, name } = database);
    const attach = spawn(process.execPath, [MAIN, 'attach', join(folder, 'data'), '--schema', 'public', '--url-env', 'SHOP_URL'], {
      env: { ...process.env, SHOP_URL: database.url },
      stdio: 'ignore',
    });
    expect(await new Promise((resolve) => attach.once('exit', resolve))).toBe(0);
    server = new Server(join(folder, 'data'), database.url);
    await server.start();
  }, 120_000);

  afterAll(async () => {
    await server?.kill('SIGTERM');
    await source?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  // contract: command.6
  test(
    'no merge is half done after kills of either side',
    async () => {
      const random = new Random(SEED);
      /** Of a merge without a kill. */
      let typicalMs = 100;
      const outcomes = { both: 0, neither: 0, acknowledged: 0, atSteps: 0, server: 0, backend: 0, postgres: 0 };
      for (let round = 1; round <= ROUNDS; round++) {
        const branch = `w${round}`;
        expect((await server.post('fork', { name: branch })).status).toBe(200);
        const script = `UPDATE parents SET v = ${round}; INSERT INTO parents VALUES (${1000 + round}, ${round}); UPDATE children SET parent = ${1000 + round}, v = '${round}' WHERE id <= 25; DELETE FROM parents WHERE id = ${999 + round}`;
        expect((await server.post('sql', { branch, sql: script })).status).toBe(200);
        const before = await rowsOf(sql, 'SELECT max(id) FROM parents');
        const begunMs = performance.now();
        let isOver = false;
        const merged = server
          .post('merge', { branch })
          .then(
            (reply) => reply,
            () => null,
          )
          .finally(() => (isOver = true));
        const kills = round % 12 === 0 ? 'none' : VICTIMS[round % 3];
        if (kills === 'none') {
          expect((await merged)?.status).toBe(200);
          typicalMs = 0.7 * typicalMs + 0.3 * (performance.now() - begunMs);
        } else {
          if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, random.below(Math.ceil(typicalMs * 1.3))));
          else if (await reached(sql, random.of(random.chance(0.5) ? STEPS.slice(-2) : STEPS), () => isOver)) outcomes.atSteps++;
          outcomes[kills]++;
        }
        if (kills === 'server') await server.kill();
        if (kills === 'backend') await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc'`);
        if (kills === 'postgres') {
          await source.server.crash();
          await source.server.restart();
          sql = await source.client(name);
          // Another transaction must not be taken for the one of the merge.
          for (let i = 0; i < 3; i++) await sql.query('INSERT INTO apart.others VALUES (1)');
        }
        const reply = await merged;
        if (kills === 'server') await server.start();
        // Until Postgres has said what became of it.
        for (let tries = 0; ; tries++) {
          const { pending } = (await server.post('attachment', {})).body;
          if (pending === null) break;
          if (tries > 200) throw new Error(`round ${round} of seed ${SEED}, ${kills} killed: ${JSON.stringify(pending)}`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        // The transaction of a killed server may end later than its process.
        const after = await lastKey(sql);
        for (const table of ['parents', 'children']) {
          const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY id`;
          expect(await server.rows(query), `round ${round} of seed ${SEED}, ${kills} killed: ${table}`).toEqual(await rowsOf(sql, query));
        }
        const isDone = after !== before[0];
        if (reply?.status === 200) {
          expect(isDone, `round ${round}: an acknowledged merge is lost`).toBe(true);
          outcomes.acknowledged++;
        }
        outcomes[isDone ? 'both' : 'neither']++;
        // A merge that did not happen can be made.
        if (!isDone) {
          const { status, body } = await server.post('merge', { branch, confirm: true });
          expect(status, JSON.stringify(body)).toBe(200);
        }
      }
      console.log(`${ROUNDS} rounds of seed ${SEED}: ${JSON.stringify({ ...outcomes, resolved: server.resolved })}, a merge takes ${Math.round(typicalMs)} ms`);
    },
    60_000 + ROUNDS * 20_000,
  );
});

/** Whether Postgres has come to a statement of the step before the merge is over. */
async function reached(sql: pg.Client, step: string, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const [found] = await rowsOf(sql, `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'svc' AND query ~ '${step}'`);
    if (found !== '0') return true;
  }
  return false;
}

/** The largest key of parents, once no transaction of svc runs. */
async function lastKey(sql: pg.Client): Promise<string> {
  for (;;) {
    const [running] = await rowsOf(sql, `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'svc' AND xact_start IS NOT NULL`);
    if (running === '0') return (await rowsOf(sql, 'SELECT max(id) FROM parents'))[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
