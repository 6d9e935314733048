import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { quiet } from './client-programs.ts';

let served: Served;
let db: Knex;

/** Migrations from memory, as knex takes them of a source. */
const MIGRATIONS: Record<string, Knex.Migration> = {
  '1_authors': {
    up: async (k) => {
      await k.schema.createTable('authors', (t) => {
        t.increments('id');
        t.string('name', 60).notNullable().unique();
        t.enum('mood', ['sad', 'ok'], { useNative: true, enumName: 'mood' }).defaultTo('ok');
        t.enu('rank', ['a', 'b']).defaultTo('a');
        t.jsonb('meta').defaultTo('{}');
        t.decimal('score', 8, 2);
        t.uuid('key').defaultTo(k.fn.uuid());
        t.timestamps(true, true);
        t.comment('who writes');
      });
    },
    down: async (k) => {
      await k.schema.dropTable('authors');
      await k.raw('DROP TYPE mood');
    },
  },
  '2_books': {
    up: (k) =>
      k.schema.createTable('books', (t) => {
        t.bigIncrements('id');
        t.integer('author').unsigned().notNullable().references('id').inTable('authors').onDelete('CASCADE');
        t.text('title').notNullable();
        t.specificType('tags', 'text[]');
        t.boolean('sold').defaultTo(false);
        t.date('printed');
        t.index(['author', 'title'], 'books_by_author');
        t.unique(['title'], { predicate: k.whereNotNull('printed') });
        t.check('?? <> ?', ['title', ''], 'titled');
      }),
    down: (k) => k.schema.dropTable('books'),
  },
  '3_changed': {
    up: async (k) => {
      await k.schema.alterTable('books', (t) => {
        t.string('isbn', 13).nullable();
        t.renameColumn('sold', 'gone');
        t.text('title').nullable().alter();
        t.dropIndex(['author', 'title'], 'books_by_author');
        t.dropChecks(['titled']);
      });
      await k.schema.createView('authored', (v) => {
        v.columns(['name', 'title']);
        v.as(k('books as b').join('authors as a', 'a.id', 'b.author').select('a.name', 'b.title'));
      });
    },
    down: async (k) => {
      await k.schema.dropView('authored');
      await k.schema.alterTable('books', (t) => {
        t.dropColumn('isbn');
        t.renameColumn('gone', 'sold');
        t.setNullable('title');
      });
    },
  },
};
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(MIGRATIONS)),
  getMigrationName: (name) => name,
  getMigration: (name) => Promise.resolve(MIGRATIONS[name]),
};

beforeAll(async () => {
  served = await serve();
  db = knex({
    client: 'pg',
    connection: { host: '127.0.0.1', port: served.port, user: 'me', database: 'main' },
    pool: { min: 0, max: 3 },
    searchPath: ['public'],
    migrations: { migrationSource },
  });
});
afterAll(async () => {
  await db.destroy();
  await quiet(served);
});

test('migrates, back and again', async () => {
  expect((await db.migrate.latest())[1]).toEqual(['1_authors', '2_books', '3_changed']);
  expect(await db.migrate.currentVersion()).toBe('3');
  expect((await db.migrate.rollback(undefined, true))[1]).toEqual(['3_changed', '2_books', '1_authors']);
  expect(await db.schema.hasTable('books')).toBe(false);
  expect((await db.migrate.latest())[1]).toHaveLength(3);
  expect(((await db.migrate.list())[0] as { name: string }[]).map(({ name }) => name)).toEqual(['1_authors', '2_books', '3_changed']);
});

test('sees its schema', async () => {
  expect(await db.schema.hasTable('books')).toBe(true);
  expect(await db.schema.hasColumn('books', 'gone')).toBe(true);
  expect(await db('authors').columnInfo()).toMatchObject({
    id: { type: 'integer', nullable: false, defaultValue: "nextval('authors_id_seq'::regclass)" },
    name: { type: 'character varying', maxLength: 60, nullable: false },
    mood: { type: 'USER-DEFINED', defaultValue: "'ok'::mood" },
    meta: { type: 'jsonb', defaultValue: "'{}'::jsonb" },
    score: { type: 'numeric' },
    created_at: { type: 'timestamp with time zone', nullable: false, defaultValue: 'CURRENT_TIMESTAMP' },
  });
});

test('inserts, reads, updates, deletes', async () => {
  const [ann] = await db('authors')
    .insert({ name: 'Ann', meta: JSON.stringify({ a: [1] }), score: 1.5 })
    .returning(['id', 'name', 'mood', 'rank', 'meta', 'score']);
  expect(ann).toEqual({ id: 1, name: 'Ann', mood: 'ok', rank: 'a', meta: { a: [1] }, score: '1.50' });
  await db('authors')
    .insert([{ name: 'Bob' }, { name: 'Ann' }])
    .onConflict('name')
    .merge({ score: 2 });
  await db('books').insert([
    { author: 1, title: 'One', tags: ['x', 'y'], printed: '2020-01-02' },
    { author: 1, title: 'Two', tags: null },
    { author: 2, title: 'Three' },
  ]);
  expect(await db('authored').orderBy('title')).toEqual([
    { name: 'Ann', title: 'One' },
    { name: 'Bob', title: 'Three' },
    { name: 'Ann', title: 'Two' },
  ]);
  expect(
    await db('books')
      .whereIn('author', db('authors').select('id').where('name', 'like', 'A%'))
      .count('* as n'),
  ).toEqual([{ n: '2' }]);
  expect(
    await db('authors')
      .whereJsonSupersetOf('meta', { a: [1] })
      .pluck('name'),
  ).toEqual(['Ann']);
  expect(await db('books').update({ gone: true }).where({ author: 1 })).toBe(2);
  expect(await db('books').increment('author', 0).whereNull('printed')).toBe(2);
  expect(await db('books').where({ title: 'Two' }).del()).toBe(1);
  await expect(db('books').insert({ author: 9, title: 'x' })).rejects.toMatchObject({ code: '23503' });
  await expect(db('authors').insert({ name: 'Cy', rank: 'z' })).rejects.toMatchObject({ code: '23514', constraint: 'authors_rank_check' });
});

test('jsonb by paths', async () => {
  const [{ id }] = await db('authors')
    .where({ name: 'Ann' })
    .update({ meta: { a: { b: 5 } } })
    .returning('id');
  expect(await db('authors').whereJsonPath('meta', '$.a.b', '>', 3).pluck('id')).toEqual([id]);
  expect(await db('authors').whereJsonPath('meta', '$.a.b', '<', 3).pluck('id')).toEqual([]);
  expect(await db('authors').whereJsonSupersetOf('meta', { a: {} }).jsonExtract('meta', '$.a.b', 'v')).toEqual([{ v: 5 }]);
  expect(await db('authors').where({ id }).jsonSet('meta', '$.a.c', '7', 'v')).toEqual([{ v: { a: { b: 5, c: 7 } } }]);
});

test('transactions, nested', async () => {
  await db.transaction(async (tx) => {
    await tx('authors').insert({ name: 'Dee' });
    await tx
      .transaction(async (inner) => {
        await inner('authors').insert({ name: 'Eve' });
        throw new Error('no');
      })
      .catch(() => {});
    expect(await tx('authors').where({ name: 'Dee' }).forUpdate().pluck('name')).toEqual(['Dee']);
  });
  expect(await db('authors').orderBy('id').pluck('name')).toEqual(['Ann', 'Bob', 'Dee']);
});

test('locks its migrations', async () => {
  await db.migrate.forceFreeMigrationsLock();
  expect(await db('knex_migrations_lock').select('is_locked')).toEqual([{ is_locked: 0 }]);
});

test('streams', async () => {
  const seen: number[] = [];
  for await (const row of db('authors').select('id').orderBy('id').stream() as AsyncIterable<{ id: number }>) seen.push(row.id);
  expect(seen).toHaveLength(3);
});
