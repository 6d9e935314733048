/**
 * Laws of worlds over random schemas of every kind, writes and definitions: what is done in a fork and merged is what is done there directly;
 * undoing and restoring give back what was; a replay of the log and the past give the same.
 */
import { afterEach, expect, test } from 'vitest';
import { render } from '../differential/piece.ts';
import { randomDefinition } from '../differential/random-definition.ts';
import { randomObject } from '../differential/random-object.ts';
import { randomSchema, schemaPieces, schemaStatements, type Table, wideSchema } from '../differential/random-schema.ts';
import { randomTriggers } from '../differential/random-trigger.ts';
import { WIDE_TYPES } from '../differential/random-type.ts';
import { randomWrite } from '../differential/random-write.ts';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';
import { type Ask, outcomeOf, stateOf } from './world-state.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 8);
const FIRST = Number(process.env['SEED'] ?? 1);

let t: TestDatabase;
afterEach(() => t.close());

const done = (sql: string, branch = 'main'): Promise<string> => outcomeOf(t, sql, branch);

async function begin(seed: number): Promise<{ random: Seeded; tables: Table[] }> {
  const random = new Seeded(seed);
  const tables = wideSchema(random);
  t = await TestDatabase.open();
  for (const piece of [...schemaPieces(tables, true), ...(random.chance(0.5) ? randomTriggers(random, tables) : [])]) await done(render(piece));
  return { random, tables };
}

const state = (branch: string, sequences = false, ask?: Ask): Promise<string[]> => stateOf(t, branch, { sequences, ...(ask === undefined ? {} : { ask }) });

/** What a statement that failed drew from sequences goes into a world with the next commit that draws from them. */
async function draw(...branches: readonly string[]): Promise<void> {
  const all = "DO $$ DECLARE each regclass; BEGIN FOR each IN SELECT oid FROM pg_class WHERE relkind = 'S' LOOP PERFORM nextval(each); END LOOP; END $$";
  for (const branch of branches) await t.run(all, branch);
}

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST + i);

test.each(seeds)('seed %i', async (seed) => {
  const { random, tables } = await begin(seed);
  // One session looks on through all of it, and keeps what it has made ready.
  const onlooker = t.db.session();
  const looked = (): Promise<string[]> => state('main', false, async (sql) => (await onlooker.run(sql)).at(-1)!.rows.map(([value]) => String(value)));
  const before = await state('main');
  expect(await looked()).toEqual(before);
  const began = t.db.stats()['log_sequence'] as number;
  await t.run('CREATE WORLD direct; CREATE WORLD branch');
  const said: string[] = [];
  for (let at = 1; at <= 14; at++) {
    const sql = random.chance(0.35)
      ? random.chance(0.5)
        ? randomDefinition(random, tables, at)
        : randomObject(random, tables, at)
      : render(randomWrite(random, tables, WIDE_TYPES).piece);
    const told = await done(sql, 'direct');
    expect(await done(sql, 'branch'), sql).toBe(told);
    said.push(`${sql}  -- ${told}`);
  }
  const script = said.join(';\n');
  await draw('direct', 'branch');
  const after = await state('direct', true);
  expect(await state('branch', true), script).toEqual(after);
  expect(await state('main'), script).toEqual(before);

  await t.run('MERGE WORLD branch');
  expect(await state('main', true), `merged:\n${script}`).toEqual(after);
  expect(await looked(), `merged, looked at:\n${script}`).toEqual(await state('main'));
  const merged = t.db.stats()['log_sequence'] as number;
  await t.run('UNDO MERGE branch');
  expect(await state('main'), `undone:\n${script}`).toEqual(before);
  expect(await looked(), `undone, looked at:\n${script}`).toEqual(before);
  await t.run(`RESTORE WORLD main TO '#${merged}'`);
  expect(await state('main'), `restored to the merge:\n${script}`).toEqual(await state('direct'));
  await t.run(`RESTORE WORLD main TO '#${began}'`);
  expect(await state('main'), `restored to the beginning:\n${script}`).toEqual(before);
  expect(await looked(), `restored, looked at:\n${script}`).toEqual(before);
  onlooker.close();
  expect(await state(`main@#${merged}`), `the past:\n${script}`).toEqual(await state('direct'));

  await t.reopen({ withoutCache: true });
  expect(await state('main'), `replayed:\n${script}`).toEqual(before);
  expect(await state('direct', true), `replayed, direct:\n${script}`).toEqual(after);
  expect(await state(`main@#${merged}`), `replayed, the past:\n${script}`).toEqual(await state('direct'));
});

test.each(seeds)('seed %i: two sides that change tables of their own', async (seed) => {
  const random = new Seeded(seed + 10_000);
  let tables = randomSchema(random);
  while (tables.length < 2) tables = randomSchema(random);
  t = await TestDatabase.open();
  for (const sql of schemaStatements(tables)) await done(sql);
  await t.run('CREATE WORLD branch; CREATE WORLD other; CREATE WORLD direct');
  const said: string[] = [];
  for (let at = 1; at <= 16; at++) {
    const ours = random.chance(0.5);
    const own = [tables[ours ? 0 : 1]];
    const sql = random.chance(0.4) ? randomDefinition(random, own, at) : render(randomWrite(random, own, WIDE_TYPES).piece);
    const told = await done(sql, 'direct');
    for (const branch of ours ? ['main'] : ['branch', 'other']) expect(await done(sql, branch), sql).toBe(told);
    said.push(`${ours ? 'main' : 'branch'}: ${sql}  -- ${told}`);
  }
  const script = said.join(';\n');
  await draw('direct', 'main', 'branch', 'other');
  const after = await state('direct', true);
  await t.run('REBASE WORLD other');
  expect(await state('other', true), `rebased:\n${script}`).toEqual(after);
  await t.run('MERGE WORLD branch');
  expect(await state('main', true), `merged:\n${script}`).toEqual(after);
  await t.reopen({ withoutCache: true });
  expect(await state('main', true), `replayed:\n${script}`).toEqual(after);
  expect(await state('other', true), `replayed, rebased:\n${script}`).toEqual(after);
});
