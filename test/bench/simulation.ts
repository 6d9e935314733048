import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { Postgres } from './postgres.ts';
import type { Report } from './report.ts';

const ROWS = 100_000;
const WORLDS = 4000;
const MANY = 100_000;

const TABLES = `CREATE TABLE items (id int PRIMARY KEY, price numeric(10,2), qty int, grp int); CREATE INDEX ON items (grp);
  CREATE TABLE sums (k text PRIMARY KEY, v float8); INSERT INTO sums VALUES ('a', 0);
  INSERT INTO items SELECT i, (i % 1000) / 10.0, i % 50, i % 100 FROM generate_series(1, ${ROWS}) i`;

/** Five statements by key. `index` and `seed` are the texts for $1 and $2. */
function script(index: string, seed: string): string[] {
  return [
    `UPDATE items SET qty = qty - 1 WHERE id = 1 + (${index} * 97) % 100000`,
    `INSERT INTO sums VALUES ('x', random())`,
    `UPDATE items SET price = price * 1.1 WHERE id = 1 + (${seed} % 100000)`,
    `DELETE FROM items WHERE id = 100000 - (${index} % 1000)`,
    `UPDATE sums SET v = v + random() WHERE k = 'a'`,
  ];
}
const SCORE = `SELECT v FROM sums WHERE k = 'a'`;

/** Worlds a second, what kept ones cost, and the same script in Postgres, each world a transaction rolled back. */
export async function benchSimulation(report: Report, folder: string): Promise<void> {
  const db = await open(join(folder, 'simulation'));
  await db.sql({ sql: TABLES });
  await db.flush();
  report.section('Simulation', `Five statements by key over ${ROWS.toLocaleString('en-US')} rows, and a score; medians of five runs of ${WORLDS} worlds.`);
  const text = script('$1', '$2').join(';\n');
  const run = async (threads: number, worlds: number, of: string, keep: number | 'all' = 0): Promise<{ perSecond: number; cpuMs: number }> => {
    const cpu = process.cpuUsage();
    const { timings } = await db.simulate({ worlds, prefix: `w${threads}`, script: of, score: of === '' ? 'SELECT 1' : SCORE, keep, threads, seed: 1 });
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: (worlds * 1000) / timings.run_ms, cpuMs: (user + system) / 1000 / worlds };
  };
  const median = async (threads: number, of: string): Promise<{ perSecond: number; cpuMs: number }> => {
    const runs = [];
    for (let i = 0; i < 5; i++) runs.push(await run(threads, WORLDS, of));
    return runs.sort((a, b) => a.perSecond - b.perSecond)[2];
  };
  const figure = (found: { perSecond: number; cpuMs: number }): string =>
    `${Math.round(found.perSecond).toLocaleString('en-US')} a second, ${(found.cpuMs * 1000).toFixed(0)} µs of processor time each`;
  // Threads start, and code is compiled.
  await run(2, WORLDS, text);
  for (const threads of [1, 2]) {
    report.row(`worlds without a script, ${threads} thread${threads === 1 ? '' : 's'}`, figure(await median(threads, '')), '≥ 10,000 a second');
    report.row(`worlds, ${threads} thread${threads === 1 ? '' : 's'}`, figure(await median(threads, text)), '≥ 2,000 a second');
  }
  const before = process.memoryUsage.rss();
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20);
  await run(2, MANY, text);
  clearInterval(watch);
  report.row(`memory, ${MANY.toLocaleString('en-US')} worlds, none kept`, `${Math.round((highest - before) / 1048576)} MB more at most`, 'bounded');
  const log = db.stats()['log_bytes'];
  const begun = performance.now();
  const kept = await db.simulate({ worlds: WORLDS, prefix: 'kept', script: text, score: SCORE, seed: 2 });
  report.row(`${WORLDS} worlds, all kept`, `${(((performance.now() - begun) * 1000) / WORLDS).toFixed(0)} µs each`);
  report.row('log of a kept world, its six changed rows included', `${Math.round((db.stats()['log_bytes'] - log) / WORLDS)} bytes`, '≤ 1 KB and its rows');
  const replayBegun = performance.now();
  for (let i = 0; i < 100; i++) await db.replay({ world: kept.worlds[i].world });
  report.row('replay', `${((performance.now() - replayBegun) / 100).toFixed(1)} ms`);
  await db.close();
  if (Postgres.installed) await peer(report);
}

/** One client with a transaction a world, rolled back. */
async function peer(report: Report): Promise<void> {
  const postgres = await Postgres.start();
  try {
    postgres.psql(TABLES);
    postgres.psql('ANALYZE');
    const worlds = 1000;
    const text = Array.from({ length: worlds }, (_, i) => ['BEGIN', ...script(String(i), String(i * 7919)), SCORE, 'ROLLBACK'].join(';')).join(';');
    const begun = performance.now();
    postgres.script(text);
    report.row(
      'Postgres 15: the same script, a transaction rolled back each',
      `${Math.round((worlds * 1000) / (performance.now() - begun)).toLocaleString('en-US')} a second`,
    );
  } finally {
    await postgres.stop();
  }
}
