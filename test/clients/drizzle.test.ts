import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { count, eq, gt, relations, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  pgView,
  serial,
  text,
  timestamp,
  unique,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { quiet } from './client-programs.ts';

const mood = pgEnum('mood', ['sad', 'ok']);
const users = pgTable(
  'users',
  {
    id: serial('id').primaryKey(),
    name: varchar('name', { length: 40 }).notNull().unique(),
    mood: mood('mood').default('ok'),
    tags: text('tags').array(),
    meta: jsonb('meta').$type<{ a: number }>().default({ a: 1 }),
    key: uuid('key').defaultRandom(),
    seen: timestamp('seen', { withTimezone: true }).defaultNow(),
    score: numeric('score', { precision: 8, scale: 2 }),
  },
  (t) => [check('scored', sql`${t.score} >= 0`)],
);
const posts = pgTable(
  'posts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    author: integer('author')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    shown: boolean('shown').default(false),
    long: integer('long').generatedAlwaysAs(sql`length(title)`),
  },
  (t) => [index('posts_author').on(t.author, t.title.desc()), unique('titled').on(t.author, t.title)],
);
const shown = pgView('shown', { id: bigint('id', { mode: 'number' }), title: text('title') }).as(sql`SELECT id, title FROM posts WHERE shown`);
const usersRelations = relations(users, ({ many }) => ({ posts: many(posts) }));
const postsRelations = relations(posts, ({ one }) => ({ writer: one(users, { fields: [posts.author], references: [users.id] }) }));
const schema = { users, posts, usersRelations, postsRelations };

/** The same schema as drizzle-kit reads it from a file. */
const SCHEMA_FILE = `
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, numeric, pgEnum, pgTable, pgView, serial, text, timestamp, unique, uuid, varchar } from 'drizzle-orm/pg-core';
export const mood = pgEnum('mood', ['sad', 'ok']);
export const users = pgTable('users', {
  id: serial('id').primaryKey(), name: varchar('name', { length: 40 }).notNull().unique(), mood: mood('mood').default('ok'), tags: text('tags').array(),
  meta: jsonb('meta').default({ a: 1 }), key: uuid('key').defaultRandom(), seen: timestamp('seen', { withTimezone: true }).defaultNow(), score: numeric('score', { precision: 8, scale: 2 }),
}, (t) => [check('scored', sql\`\${t.score} >= 0\`)]);
export const posts = pgTable('posts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(), author: integer('author').notNull().references(() => users.id, { onDelete: 'cascade' }),
  title: text('title').notNull(), shown: boolean('shown').default(false), long: integer('long').generatedAlwaysAs(sql\`length(title)\`),
}, (t) => [index('posts_author').on(t.author, t.title.desc()), unique('titled').on(t.author, t.title)]);
export const shown = pgView('shown', { id: bigint('id', { mode: 'number' }), title: text('title') }).as(sql\`SELECT id, title FROM posts WHERE shown\`);
`;

let served: Served;
let pool: pg.Pool;
let db: NodePgDatabase<typeof schema>;
let folder: string;
beforeAll(async () => {
  served = await serve();
  pool = new pg.Pool({ host: '127.0.0.1', port: served.port, user: 'me', database: 'main', max: 2 });
  db = drizzle(pool, { schema });
  folder = mkdtempSync(join(tmpdir(), 'svc-drizzle-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'schema.ts'), SCHEMA_FILE);
});
afterAll(async () => {
  await pool.end();
  await quiet(served);
  rmSync(folder, { recursive: true });
});

const run = promisify(execFile);
/** drizzle-kit in the folder; what it printed, without colours and spinners. */
async function kit(command: string, ...args: string[]): Promise<string> {
  const config = `export default { dialect: 'postgresql', schema: './schema.ts', out: './out', dbCredentials: { url: 'postgres://me@127.0.0.1:${served.port}/main?sslmode=disable' } };`;
  writeFileSync(join(folder, 'drizzle.config.ts'), config);
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'node_modules/drizzle-kit/bin.cjs'), command, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', TEST: '' },
    timeout: 50_000,
  });
  // eslint-disable-next-line no-control-regex
  return (stdout + stderr).replaceAll(/\u001b\[[0-9;]*[a-zA-Z]/g, '');
}

test('drizzle-kit generates, and the migrator applies', async () => {
  expect(await kit('generate')).toContain('Your SQL migration file');
  await migrate(db, { migrationsFolder: join(folder, 'out') });
  await migrate(db, { migrationsFolder: join(folder, 'out') });
  expect((await db.execute(sql`SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations`)).rows).toEqual([{ n: 1 }]);
});

test('drizzle-kit push finds nothing to change, then changes', async () => {
  expect(await kit('push', '--force')).toContain('No changes detected');
  const file = join(folder, 'schema.ts');
  writeFileSync(
    file,
    SCHEMA_FILE.replace("title: text('title').notNull(),", "title: text('title').notNull(), note: varchar('note', { length: 9 }).default('x'),"),
  );
  expect(await kit('push', '--force')).toContain('Changes applied');
  expect((await db.execute(sql`SELECT note FROM posts`)).fields.map(({ name }) => name)).toEqual(['note']);
  writeFileSync(file, SCHEMA_FILE);
  await kit('push', '--force');
  await expect(db.execute(sql`SELECT note FROM posts`)).rejects.toMatchObject({ cause: { code: '42703' } });
});

test('drizzle-kit reads the schema back', async () => {
  await kit('introspect');
  const found = readFileSync(join(folder, 'out', 'schema.ts'), 'utf8');
  for (const part of [
    `export const mood = pgEnum("mood", ['sad', 'ok'])`,
    `id: serial().primaryKey().notNull()`,
    `name: varchar({ length: 40 }).notNull()`,
    `mood: mood().default('ok')`,
    `tags: text().array()`,
    `meta: jsonb().default({"a":1})`,
    `key: uuid().defaultRandom()`,
    `seen: timestamp({ withTimezone: true, mode: 'string' }).defaultNow()`,
    `score: numeric({ precision: 8, scale:  2 })`,
    `unique("users_name_unique").on(table.name)`,
    'check("scored", sql`score >= (0)::numeric`)',
    `id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(`,
    'long: integer().generatedAlwaysAs(sql`length(title)`)',
    `foreignColumns: [users.id],`,
    `.onDelete("cascade")`,
    `unique("titled").on(table.author, table.title)`,
    `index("posts_author").using("btree", table.author.asc().nullsLast().op(`,
    'export const shown = pgView("shown"',
  ]) {
    expect(found).toContain(part);
  }
  expect(readdirSync(join(folder, 'out', 'meta'))).toContain('_journal.json');
});

test('inserts and selects', async () => {
  const [ann] = await db
    .insert(users)
    .values({ name: 'Ann', tags: ['a', 'b'], score: '1.5' })
    .returning({ id: users.id, mood: users.mood, meta: users.meta, score: users.score, tags: users.tags });
  expect(ann).toEqual({ id: 1, mood: 'ok', meta: { a: 1 }, score: '1.50', tags: ['a', 'b'] });
  await db
    .insert(users)
    .values([{ name: 'Bob' }, { name: 'Ann', mood: 'sad' }])
    .onConflictDoUpdate({ target: users.name, set: { mood: sql`excluded.mood` } });
  await db.insert(posts).values([
    { author: 1, title: 'One', shown: true },
    { author: 1, title: 'Three' },
  ]);
  expect(await db.select().from(shown)).toEqual([{ id: 1, title: 'One' }]);
  const by = db.$with('by').as(
    db
      .select({ author: posts.author, n: count().as('n') })
      .from(posts)
      .groupBy(posts.author),
  );
  expect(
    await db.with(by).select({ name: users.name, n: by.n, mood: users.mood }).from(users).leftJoin(by, eq(by.author, users.id)).orderBy(users.name),
  ).toEqual([
    { name: 'Ann', n: 2, mood: 'sad' },
    { name: 'Bob', n: null, mood: 'ok' },
  ]);
  expect(await db.$count(posts, gt(posts.long, 3))).toBe(1);
});

test('relational queries', async () => {
  const found = await db.query.users.findMany({
    columns: { name: true },
    with: { posts: { columns: { title: true }, where: eq(posts.shown, false), with: { writer: { columns: { name: true } } } } },
    orderBy: users.name,
  });
  expect(found).toEqual([
    { name: 'Ann', posts: [{ title: 'Three', writer: { name: 'Ann' } }] },
    { name: 'Bob', posts: [] },
  ]);
});

test('transactions and prepared queries', async () => {
  await db.transaction(
    async (tx) => {
      await tx.delete(posts).where(eq(posts.title, 'Three'));
      await tx
        .transaction(async (inner) => {
          await inner.delete(users);
          inner.rollback();
        })
        .catch(() => {});
    },
    { isolationLevel: 'repeatable read' },
  );
  const byName = db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.name, sql.placeholder('name')))
    .prepare('by_name');
  expect(await byName.execute({ name: 'Ann' })).toEqual([{ id: 1 }]);
  expect(await byName.execute({ name: 'nobody' })).toEqual([]);
  expect(await db.select({ title: posts.title }).from(posts)).toEqual([{ title: 'One' }]);
});
