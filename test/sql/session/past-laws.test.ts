/**
 * The past is what was there: states of a world at all its moments, kept when they were the present, against `world@#sequence`, over segments of
 * the undo log of any length, with definitions, merges, rebases and reopenings in between.
 */
import { afterEach, expect, test } from 'vitest';
import { render } from '../differential/piece.ts';
import { randomDefinition } from '../differential/random-definition.ts';
import { schemaPieces, wideSchema } from '../differential/random-schema.ts';
import { WIDE_TYPES } from '../differential/random-type.ts';
import { randomWrite } from '../differential/random-write.ts';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';
import { outcomeOf, stateOf } from './world-state.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 6);
const FIRST = Number(process.env['SEED'] ?? 1);
const STEPS = 30;

let t: TestDatabase;
afterEach(() => t.close());

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST + i);
const head = (): number => t.db.stats()['log_sequence'] as number;

test.each(seeds)('seed %i', async (seed) => {
  const random = new Seeded(seed);
  const tables = wideSchema(random);
  t = await TestDatabase.open({ checkpointLogBytes: random.pick([200, 1000, 5000]), checkpointRest: 0 });
  const done = (sql: string, branch = 'main'): Promise<string> => outcomeOf(t, sql, branch);
  for (const piece of schemaPieces(tables, true)) await done(render(piece));
  await t.run('CREATE WORLD side');
  const said: string[] = [];
  const moments: { moment: string; state: string[] }[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const sql = random.chance(0.15) ? randomDefinition(random, tables, step) : render(randomWrite(random, tables, WIDE_TYPES).piece);
    const branch = random.chance(0.3) ? 'side' : 'main';
    said.push(`${branch}: ${sql}  -- ${await done(sql, branch)}`);
    if (random.chance(0.1)) said.push(`-- ${await done('REBASE WORLD side')}`);
    if (random.chance(0.1)) said.push(`-- ${await done('MERGE WORLD side; CREATE WORLD side')}`);
    if (random.chance(0.1)) await t.reopen({ withoutCache: random.chance(0.3) });
    for (const world of ['main', 'side']) moments.push({ moment: `${world}@#${head()}`, state: await stateOf(t, world) });
  }
  const script = said.join(';\n');
  for (let left = moments.length; left > 0; left--) {
    const [{ moment, state }] = moments.splice(random.between(0, left - 1), 1);
    if (moment.startsWith('side') && (await outcomeOf(t, 'SELECT 1', moment)).includes('22023')) continue;
    expect(await stateOf(t, moment), `${moment}\n${script}`).toEqual(state);
    if (random.chance(0.05)) await t.reopen();
  }
});

test('indexes of the past are those of its rows', async () => {
  const random = new Seeded(1);
  t = await TestDatabase.open({ checkpointLogBytes: 4000, checkpointRest: 0 });
  await t.run(
    'CREATE TABLE t (id int PRIMARY KEY, v int, note text); CREATE INDEX ON t (v); INSERT INTO t SELECT i, i % 50, repeat(chr(97 + i % 26), 20) FROM generate_series(1, 5000) i',
  );
  const rows = new Map(Array.from({ length: 5000 }, (_, i) => [i + 1, (i + 1) % 50]));
  const moments: { at: number; rows: Map<number, number> }[] = [];
  for (let step = 0; step < 60; step++) {
    const statements: string[] = [];
    for (let each = 0; each < 12; each++) {
      const id = random.between(1, random.chance(0.5) ? 100 : 6000);
      const v = random.between(0, 60);
      if (!rows.has(id)) statements.push(`INSERT INTO t VALUES (${id}, ${v}, 'new ${id}')`);
      else if (random.chance(0.4)) statements.push(`DELETE FROM t WHERE id = ${id}`);
      else statements.push(`UPDATE t SET v = ${v}, note = note || '.' WHERE id = ${id}`);
      if (statements.at(-1)!.startsWith('DELETE')) rows.delete(id);
      else rows.set(id, v);
    }
    await t.run(statements.join(';'));
    moments.push({ at: head(), rows: new Map(rows) });
  }
  const plan = await t.lines('EXPLAIN SELECT id FROM t WHERE v = 7', `main@#${moments[3].at}`);
  expect(plan.join('\n')).toMatch(/Index (Only )?Scan/);
  for (let left = moments.length; left > 0; left--) {
    const [{ at, rows: then }] = moments.splice(random.between(0, left - 1), 1);
    const branch = `main@#${at}`;
    for (const v of [0, 7, 33, 51, 60]) {
      const ids = [...then].filter((row) => row[1] === v).map(([id]) => String(id));
      expect(await t.lines(`SELECT id FROM t WHERE v = ${v} ORDER BY id`, branch)).toEqual(ids.sort((a, b) => Number(a) - Number(b)));
    }
    expect(await t.lines('SELECT count(*) AS n, sum(id) AS ids, sum(v) AS vs FROM t', branch)).toEqual([
      [then.size, [...then.keys()].reduce((a, b) => a + b), [...then.values()].reduce((a, b) => a + b)].join(' '),
    ]);
    expect(await t.lines('SELECT id FROM t ORDER BY id OFFSET 2000 LIMIT 3', branch)).toEqual(
      [...then.keys()]
        .sort((a, b) => a - b)
        .slice(2000, 2003)
        .map(String),
    );
  }
}, 60_000);
