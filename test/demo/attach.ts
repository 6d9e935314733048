/**
 * Agents on a copy of a real Postgres: starts a private Postgres 15, attaches two of its tables, lets an agent change a fork, shows a
 * person what the merge would do in Postgres, merges, and undoes that.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';

const MAIN = new URL('../../bin/svc.js', import.meta.url).pathname;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (!PostgresServer.installed) {
  say('This demo needs Postgres 15: install it, or name the folder of its programs in SVC_POSTGRES_BIN.');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-attach-demo-'));
const postgres = await PostgresServer.start();
const url = `postgres://tester@127.0.0.1:${postgres.port}/postgres`;
const source = new pg.Client({ connectionString: url });
let server: ChildProcess | undefined;
try {
  await source.connect();
  await source.query(`CREATE TABLE customers (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, mail text UNIQUE, city text);
    CREATE TABLE orders (id serial PRIMARY KEY, customer int NOT NULL REFERENCES customers, total numeric(10,2) NOT NULL CHECK (total >= 0), changed timestamptz);
    CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.changed := now(); RETURN NEW; END';
    CREATE TRIGGER touched BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch();
    INSERT INTO customers (name, mail, city) SELECT 'Customer ' || i, 'c' || i || '@real.example', 'Oslo' FROM generate_series(1, 10000) AS i;
    INSERT INTO orders (customer, total) SELECT 1 + i % 10000, i % 100 FROM generate_series(1, 90000) AS i`);
  say(`\nA Postgres with 10,000 customers and 90,000 orders, at port ${postgres.port}\n`);

  const env = { ...process.env, SHOP_URL: url };
  const attach = spawn(process.execPath, [MAIN, 'attach', folder, '--tables', 'customers,orders', '--mask', 'customers.mail=email', '--url-env', 'SHOP_URL'], {
    env,
    stdio: 'inherit',
  });
  const begun = performance.now();
  if ((await new Promise((resolve) => attach.once('exit', resolve))) !== 0) throw new Error('attaching failed');
  say(`  attached in ${Math.round(performance.now() - begun)} ms, mail addresses masked\n`);

  server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off', '--attach-url-env', 'SHOP_URL'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const base = await new Promise<string>((resolve, reject) => {
    server!.stdout!.on('data', (chunk: Buffer) => {
      const found = /http:\/\/[^\s/]+/.exec(chunk.toString());
      if (found !== null) resolve(found[0]);
    });
    server!.once('exit', () => reject(new Error('the server did not start')));
  });
  const call = async (operation: string, body: object): Promise<any> => {
    const began = performance.now();
    const response = await fetch(`${base}/v1/${operation}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const reply = (await response.json()) as { error?: { message: string } };
    if (reply.error !== undefined) throw new Error(`${operation}: ${reply.error.message}`);
    say(`  ${operation.padEnd(12)} ${`${(performance.now() - began).toFixed(0)} ms`.padStart(8)}`);
    return reply;
  };

  say('An agent forks main and cleans up:');
  await call('fork', { name: 'clean-up' });
  await call('sql', { branch: 'clean-up', sql: 'UPDATE orders SET total = 0 WHERE id <= 500' });
  await call('sql', { branch: 'clean-up', sql: "INSERT INTO customers (name, mail, city) VALUES ('Made here', 'made@here.example', 'Rome')" });
  say(`  Postgres still has: ${await total()}\n`);

  say('A person reviews what Postgres would do:');
  const { postgres: tried } = await call('merge', { branch: 'clean-up', dry_run: true });
  say(`  ${JSON.stringify({ ...tried, rows: `${tried.rows.length} rows, made otherwise by triggers` })}\n`);

  say('… merges:');
  await call('merge', { branch: 'clean-up' });
  say(`  Postgres has: ${await total()}\n`);

  say('… and undoes it:');
  await call('undo_merge', { branch: 'clean-up' });
  say(`  Postgres has: ${await total()}\n`);
} finally {
  if (server !== undefined && server.exitCode === null) {
    const ended = new Promise((resolve) => server!.once('exit', resolve));
    server.kill();
    await ended;
  }
  await source.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function total(): Promise<string> {
  const { rows } = await source.query('SELECT (SELECT sum(total) FROM orders) AS total, (SELECT count(*) FROM customers) AS customers');
  return JSON.stringify(rows[0]);
}
