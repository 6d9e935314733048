/**
 * Random statements, forks, merges, restores and undos over typed tables with indexes of every sort. After each
 * step the indexes of the world hold exactly what its rows make, unique and foreign keys hold, and at the end the
 * same comes out of the log alone.
 */
import { afterAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { alterTable } from '../../../src/sql/schema/alter-table.ts';
import { dropNamed } from '../../../src/sql/schema/drop.ts';
import { truncate } from '../../../src/sql/schema/other-objects.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { OpenSchema } from './open-schema.ts';
import { INT4, INT8, NUMERIC, TEXT } from './test-types.ts';
import { column, primaryKey, references, unique } from './test-world.ts';

const STEPS = Number(process.env['SVC_SCHEMA_STEPS'] ?? 120);
const SEEDS = Number(process.env['SVC_SCHEMA_SEEDS'] ?? 6);
const FIRST = Number(process.env['SVC_SCHEMA_FIRST_SEED'] ?? 1);
/** What a random step may be refused with. */
const REFUSALS = new Set(['23502', '23503', '23505', '23514', 'SV409', '55000', '40001', '2BP01', '42703', '42P07', '42701', '22023', '0A000', '42704']);

const opened: OpenSchema[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});

function randomOf(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function checkKeys(db: OpenSchema, world: string): void {
  const parents = db.schema(world).table('public', 'parents');
  const children = db.schema(world).table('public', 'children');
  if (children === null) return;
  const names = db
    .rows(world, 'children')
    .map((row) => row[2])
    .filter((value) => value !== null);
  if (children.indexes.some(({ constraint }) => constraint === 'children_tag_key')) expect(new Set(names).size).toBe(names.length);
  if (parents === null || children.foreignKeys.length === 0) return;
  const ids = new Set(db.rows(world, 'parents').map(([id]) => id));
  for (const [, parent] of db.rows(world, 'children')) if (parent !== null) expect(ids.has(parent), `${world} has a child of ${String(parent)}`).toBe(true);
}

async function run(seed: number): Promise<void> {
  const random = randomOf(seed);
  const db = await OpenSchema.make();
  opened.push(db);
  db.create('main', 'parents', [column('id', INT4), column('n', INT8), column('d', NUMERIC)], [primaryKey('id')]);
  db.create(
    'main',
    'children',
    [column('id', INT4), column('parent', INT4), column('tag', TEXT)],
    [
      primaryKey('id'),
      unique('tag'),
      references(['parent'], 'parents', { onDelete: (['no action', 'cascade', 'set null'] as const)[seed % 3], onUpdate: 'cascade' }),
    ],
  );
  db.create('main', 'logs', [column('line', TEXT), column('n', INT4)]);
  db.index('main', 'parents', 'n');
  db.index('main', 'parents', 'd');
  db.index('main', 'children', 'parent');
  db.index('main', 'logs', 'n', { where: 'n !== null && n % 2 === 0' });
  const worlds = ['main'];
  const merged: string[] = [];
  let forks = 0;
  const value = (): Value => (random(8) === 0 ? null : random(40));
  const tag = (): Value => (random(4) === 0 ? null : `t${random(60)}`);
  for (let step = 0; step < STEPS; step++) {
    const world = worlds[random(worlds.length)];
    const action = random(24);
    try {
      if (action < 12) {
        db.write(world, (writes, schema) => {
          for (let n = random(6) + 1; n > 0; n--) {
            const name = ['parents', 'children', 'logs'][random(3)];
            const table = schema.table('public', name);
            if (table === null) continue;
            const writer = writes.writer(table);
            const extra = table.columns.slice(name === 'logs' ? 2 : 3).map(() => 'x');
            const row: Value[] =
              name === 'parents'
                ? [random(40), random(5) === 0 ? 9007199254740993n + BigInt(random(9)) : value(), random(3) === 0 ? null : new Numeric(random(1000), random(3))]
                : name === 'children'
                  ? [random(60), random(3) === 0 ? null : random(40), tag()]
                  : [`l${random(9)}`, value()];
            if (table.columns.length !== row.length + extra.length) continue;
            row.push(...extra);
            if (name === 'logs') {
              writer.insert(row);
              continue;
            }
            const key = writer.conflict(row, 'key');
            if (key === null) writer.insert(row);
            else if (random(3) === 0) writer.delete(key);
            else if (random(4) === 0) writer.update(key, [0], [random(60)]);
            else writer.update(key, [1, 2], row.slice(1, 3));
          }
        });
      } else if (action < 14 && worlds.length < 5) {
        const name = `w${++forks}`;
        await db.commands.fork({ name, from: world });
        worlds.push(name);
      } else if (action < 18 && world !== 'main') {
        const options = [{}, { resolve: 'theirs' as const }, { resolve: 'ours' as const }, { columns: true, resolve: 'theirs' as const }, { into: 'main' }][
          random(5)
        ];
        await db.commands.merge({ branch: world, ...options });
        if (!('into' in options)) {
          worlds.splice(worlds.indexOf(world), 1);
          merged.push(world);
        }
      } else if (action === 18 && world !== 'main') await db.commands.rebase({ branch: world, resolve: 'theirs' });
      else if (action === 19) {
        const back = Math.max(db.world(world).number, db.world(world).lastWrite - random(20));
        await db.commands.restore({ branch: world, at: `#${back}` });
      } else if (action === 20 && merged.length > 0) await db.commands.undo_merge({ branch: merged[merged.length - 1], skip_changed: true });
      else if (action === 21) {
        const table = db.schema(world).table('public', ['parents', 'children', 'logs'][random(3)]);
        if (table !== null) {
          db.ddl(world, (ddl) =>
            alterTable(ddl, table.number, [
              random(2) === 0
                ? { kind: 'add column', column: column(`c${random(3)}`, TEXT), constraints: [], ifNotExists: false, fill: { value: 'f' } }
                : { kind: 'drop column', column: `c${random(3)}`, ifExists: false, cascade: false },
            ]),
          );
        }
      } else if (action === 22) {
        const table = db.schema(world).table('public', 'logs');
        if (table !== null) db.ddl(world, (ddl) => truncate(ddl, [table.number], { cascade: false, restartIdentity: false }));
      } else if (action === 23 && random(3) === 0) {
        if (db.schema(world).table('public', 'logs') !== null)
          db.ddl(world, (ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'logs' }], false, false));
        else db.create(world, 'logs', [column('line', TEXT), column('n', INT4)]);
      }
    } catch (error) {
      if (!(error instanceof SvcError) || !REFUSALS.has(error.code))
        throw new Error(`seed ${seed}, step ${step}, action ${action} in ${world}`, { cause: error });
    }
    for (const each of [world, 'main']) {
      if (!worlds.includes(each)) continue;
      db.checkIndexes(each);
      checkKeys(db, each);
    }
  }
  const states = new Map(
    worlds.map((world) => [
      world,
      ['parents', 'children', 'logs'].map((name) => (db.schema(world).table('public', name) === null ? null : db.rows(world, name))),
    ]),
  );
  expect(await db.differencesOfBase()).toEqual([]);
  await db.reopen();
  for (const [world, state] of states) {
    db.checkIndexes(world);
    expect(['parents', 'children', 'logs'].map((name) => (db.schema(world).table('public', name) === null ? null : db.rows(world, name)))).toEqual(state);
  }
}

for (let seed = FIRST; seed < FIRST + SEEDS; seed++) test(`seed ${seed}`, () => run(seed), 60_000);
