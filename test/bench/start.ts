/** Time until a process has answered: one statement by the command, and a server's first answers over both ports. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { open } from '../../src/database.ts';
import { ms, type Report, timed } from './report.ts';

const MAIN = resolve(import.meta.dirname, '../../bin/svc.js');
const ROWS = 1_000_000;
const RUNS = 7;

export async function benchStart(report: Report, folder: string): Promise<void> {
  report.section('Start', `Wall time of whole processes, median of ${RUNS}, over a folder of ${ROWS.toLocaleString('en-US')} rows after a clean stop.`);
  const path = join(folder, 'start');
  const db = await open(path);
  await db.sql({ sql: `CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT i, 'name ' || i FROM generate_series(1, ${ROWS}) i` });
  await db.close();
  const run = (...words: string[]): void => void execFileSync(process.execPath, words, { stdio: 'ignore' });
  report.row('`node -e 0`, the floor', ms(await timed(RUNS, () => run('-e', '0'))));
  report.row('`svc --version`', ms(await timed(RUNS, () => run(MAIN, '--version'))));
  report.row('`svc <folder> "SELECT 1"`', ms(await timed(RUNS, () => run(MAIN, path, 'SELECT 1'))), '≤ 350 ms');
  let stop: () => Promise<void> = async () => {};
  const ready: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    ready.push(
      await timed(1, async () => {
        stop = await serve(path);
      }),
    );
    await stop();
  }
  report.row('`svc serve` until `GET /v1/health` and a connection to the SQL port are answered', ms(ready.toSorted((a, b) => a - b)[RUNS >> 1]), '≤ 500 ms');
}

async function serve(path: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [MAIN, 'serve', path, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (/psql -h \S+ -p \d+/.test(text)) break;
  }
  child.stdout.resume();
  const url = /listening on (\S+)/.exec(text)![1];
  await fetch(`${url}/v1/health`);
  const client = new pg.Client({ host: '127.0.0.1', port: Number(/ -p (\d+)/.exec(text)![1]), database: 'main', user: 'svc' });
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}
