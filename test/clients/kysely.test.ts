import { type ColumnType, FileMigrationProvider, type Generated, Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { quiet } from './client-programs.ts';

interface Tables {
  person: { id: Generated<number>; name: string; age: number | null; tags: string[] | null; born: ColumnType<Date, string, string> | null };
  pet: { id: Generated<number>; owner: number; name: string; kind: 'cat' | 'dog' };
}

let served: Served;
let db: Kysely<Tables>;
beforeAll(async () => {
  served = await serve();
  const pool = new pg.Pool({ host: '127.0.0.1', port: served.port, user: 'me', database: 'main', max: 3 });
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: undefined }) });
});
afterAll(async () => {
  await db.destroy();
  await quiet(served);
});

test('defines a schema', async () => {
  await db.schema.createType('kind').asEnum(['cat', 'dog']).execute();
  await db.schema
    .createTable('person')
    .addColumn('id', 'serial', (c) => c.primaryKey())
    .addColumn('name', 'varchar(40)', (c) => c.notNull().unique())
    .addColumn('age', 'integer', (c) => c.check(sql`age >= 0`))
    .addColumn('tags', sql`text[]`)
    .addColumn('born', 'timestamptz', (c) => c.defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createTable('pet')
    .addColumn('id', 'bigserial', (c) => c.primaryKey())
    .addColumn('owner', 'integer', (c) => c.references('person.id').onDelete('cascade').notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', sql`kind`, (c) => c.notNull().defaultTo('cat'))
    .addUniqueConstraint('pet_owner_name', ['owner', 'name'])
    .execute();
  await db.schema.createIndex('pet_kind').on('pet').column('kind').where('kind', '=', 'dog').execute();
  await db.schema
    .createView('dogs')
    .as(db.selectFrom('pet').selectAll().where('kind', '=', 'dog'))
    .execute();
  await db.schema.alterTable('person').addColumn('note', 'text').execute();
  await db.schema.alterTable('person').renameColumn('note', 'remark').execute();
  await db.schema
    .alterTable('person')
    .alterColumn('remark', (c) => c.setDefault('none'))
    .execute();
  await db.schema.alterTable('person').dropColumn('remark').execute();
});

test('sees its schema', async () => {
  const tables = await db.introspection.getTables();
  expect(tables.map(({ name, isView }) => [name, isView])).toEqual([
    ['dogs', true],
    ['person', false],
    ['pet', false],
  ]);
  const person = tables.find(({ name }) => name === 'person')!;
  expect(person.columns.map((c) => [c.name, c.dataType, c.isNullable, c.isAutoIncrementing, c.hasDefaultValue])).toEqual([
    ['id', 'int4', false, true, true],
    ['name', 'varchar', false, false, false],
    ['age', 'int4', true, false, false],
    ['tags', '_text', true, false, false],
    ['born', 'timestamptz', true, false, true],
  ]);
  expect(tables.find(({ name }) => name === 'pet')!.columns.map((c) => [c.name, c.dataType])).toEqual([
    ['id', 'int8'],
    ['owner', 'int4'],
    ['name', 'text'],
    ['kind', 'kind'],
  ]);
  expect((await db.introspection.getSchemas()).map(({ name }) => name)).toContain('public');
});

test('inserts, updates, upserts', async () => {
  const ann = await db
    .insertInto('person')
    .values({ name: 'Ann', age: 30, tags: ['a', 'b'], born: '2000-01-02T00:00:00Z' })
    .returningAll()
    .executeTakeFirstOrThrow();
  expect(ann).toEqual({ id: 1, name: 'Ann', age: 30, tags: ['a', 'b'], born: new Date('2000-01-02T00:00:00Z') });
  await db
    .insertInto('person')
    .values([
      { name: 'Bob', age: null },
      { name: 'Cy', age: 5 },
    ])
    .execute();
  await db
    .insertInto('person')
    .values({ name: 'Ann', age: 31 })
    .onConflict((oc) => oc.column('name').doUpdateSet((eb) => ({ age: eb.ref('excluded.age') })))
    .execute();
  const updated = await db
    .updateTable('person')
    .set((eb) => ({ age: eb('age', '+', 1) }))
    .where('name', '=', 'Ann')
    .executeTakeFirst();
  expect(updated.numUpdatedRows).toBe(1n);
  await db
    .insertInto('pet')
    .values([
      { owner: ann.id, name: 'Rex', kind: 'dog' },
      { owner: ann.id, name: 'Tom', kind: 'cat' },
    ])
    .execute();
  await expect(db.insertInto('pet').values({ owner: 99, name: 'x', kind: 'cat' }).execute()).rejects.toMatchObject({ code: '23503' });
});

test('joins, nests, groups', async () => {
  const nested = await db
    .selectFrom('person as p')
    .select((eb) => [
      'p.name',
      jsonArrayFrom(eb.selectFrom('pet').select(['pet.name', 'pet.kind']).whereRef('pet.owner', '=', 'p.id').orderBy('pet.name')).as('pets'),
      jsonObjectFrom(eb.selectFrom('pet').select('pet.name').whereRef('pet.owner', '=', 'p.id').orderBy('pet.name').limit(1)).as('first'),
    ])
    .orderBy('p.name')
    .execute();
  expect(nested).toEqual([
    {
      name: 'Ann',
      pets: [
        { name: 'Rex', kind: 'dog' },
        { name: 'Tom', kind: 'cat' },
      ],
      first: { name: 'Rex' },
    },
    { name: 'Bob', pets: [], first: null },
    { name: 'Cy', pets: [], first: null },
  ]);
  const grouped = await db
    .with('aged', (q) => q.selectFrom('person').select(['id', 'age']).where('age', 'is not', null))
    .selectFrom('aged')
    .leftJoin('pet', 'pet.owner', 'aged.id')
    .select([
      'aged.age',
      (eb) => eb.fn.count<string>('pet.id').distinct().as('pets'),
      (eb) =>
        eb.fn
          .agg<number>('rank')
          .over((o) => o.orderBy('aged.age'))
          .as('place'),
    ])
    .groupBy('aged.age')
    .orderBy('aged.age')
    .execute();
  expect(grouped).toEqual([
    { age: 5, pets: '0', place: '1' },
    { age: 32, pets: '2', place: '2' },
  ]);
});

test('transactions', async () => {
  await expect(
    db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(async (tx) => {
        await tx.deleteFrom('pet').execute();
        throw new Error('no');
      }),
  ).rejects.toThrow('no');
  const controlled = await db.startTransaction().execute();
  await controlled.deleteFrom('pet').where('name', '=', 'Tom').execute();
  const saved = await controlled.savepoint('one').execute();
  await saved.deleteFrom('pet').execute();
  await (await saved.rollbackToSavepoint('one').execute()).commit().execute();
  expect(await db.selectFrom('pet').select('name').execute()).toEqual([{ name: 'Rex' }]);
});

test('migrates to the latest and back', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-migrations-'));
  const migration = (up: string, down: string): string =>
    `export const up = (db) => db.schema.${up}.execute();\nexport const down = (db) => db.schema.${down}.execute();\n`;
  writeFileSync(path.join(folder, '1_made.mjs'), migration(`createTable('made').addColumn('id', 'integer')`, `dropTable('made')`));
  writeFileSync(path.join(folder, '2_more.mjs'), migration(`alterTable('made').addColumn('b', 'text')`, `alterTable('made').dropColumn('b')`));
  const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder: folder }) });
  const up = await migrator.migrateToLatest();
  expect(up.error).toBeUndefined();
  expect(up.results!.map(({ status }) => status)).toEqual(['Success', 'Success']);
  expect((await migrator.migrateDown()).error).toBeUndefined();
  expect((await migrator.getMigrations()).map(({ executedAt }) => executedAt !== undefined)).toEqual([true, false]);
  rmSync(folder, { recursive: true });
});
