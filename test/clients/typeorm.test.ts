import { DataSource, EntitySchema, In, type MigrationInterface, MoreThan, type QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { quiet } from './client-programs.ts';

interface User {
  id: number;
  name: string;
  role: 'admin' | 'user';
  tags: string[] | null;
  settings: Record<string, unknown>;
  born: Date;
  changed: Date;
  removed: Date | null;
  version: number;
  profile: Profile | null;
  posts: Post[];
}
interface Profile {
  id: string;
  text: string;
  user: User;
}
interface Post {
  id: string;
  title: string;
  price: string;
  author: User;
  topics: Topic[];
}
interface Topic {
  id: number;
  name: string;
  parent: Topic | null;
  children: Topic[];
  posts: Post[];
}

const UserEntity = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: Number, primary: true, generated: true },
    name: { type: 'varchar', length: 50, unique: true },
    role: { type: 'enum', enum: ['admin', 'user'], default: 'user' },
    tags: { type: 'text', array: true, nullable: true },
    settings: { type: 'jsonb', default: {} },
    born: { type: 'timestamptz', createDate: true },
    changed: { type: 'timestamptz', updateDate: true },
    removed: { type: 'timestamptz', deleteDate: true, nullable: true },
    version: { type: Number, version: true },
  },
  relations: {
    profile: { type: 'one-to-one', target: 'Profile', inverseSide: 'user' },
    posts: { type: 'one-to-many', target: 'Post', inverseSide: 'author' },
  },
  indices: [{ columns: ['role', 'name'] }],
});
const ProfileEntity = new EntitySchema<Profile>({
  name: 'Profile',
  columns: { id: { type: 'uuid', primary: true, generated: 'uuid' }, text: { type: 'text', comment: 'about' } },
  relations: { user: { type: 'one-to-one', target: 'User', inverseSide: 'profile', joinColumn: true, onDelete: 'CASCADE' } },
});
const PostEntity = new EntitySchema<Post>({
  name: 'Post',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    title: { type: 'text' },
    price: { type: 'numeric', precision: 10, scale: 2, default: 0 },
  },
  checks: [{ name: 'dear', expression: '"price" >= 0' }],
  relations: {
    author: { type: 'many-to-one', target: 'User', inverseSide: 'posts', nullable: false },
    topics: { type: 'many-to-many', target: 'Topic', inverseSide: 'posts', joinTable: true, cascade: true },
  },
});
const TopicEntity = new EntitySchema<Topic>({
  name: 'Topic',
  columns: { id: { type: Number, primary: true, generated: true }, name: { type: 'varchar' } },
  relations: {
    posts: { type: 'many-to-many', target: 'Post', inverseSide: 'topics' },
    parent: { type: 'many-to-one', target: 'Topic', inverseSide: 'children', nullable: true, treeParent: true },
    children: { type: 'one-to-many', target: 'Topic', inverseSide: 'parent', treeChildren: true },
  },
  trees: [{ type: 'materialized-path' }],
});

class AddNote1700000000000 implements MigrationInterface {
  readonly name = 'AddNote1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "post" ADD "note" text');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "post" DROP COLUMN "note"');
  }
}

let served: Served;
let source: DataSource;
const entities = [UserEntity, ProfileEntity, PostEntity, TopicEntity];
const open = (more: object = {}): DataSource =>
  new DataSource({
    type: 'postgres',
    host: '127.0.0.1',
    port: served.port,
    username: 'me',
    database: 'main',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    entities,
    migrations: [AddNote1700000000000],
    ...more,
  });
beforeAll(async () => {
  served = await serve();
  source = await open().initialize();
});
afterAll(async () => {
  await source.destroy();
  await quiet(served);
});

test('synchronizes, and finds nothing left to change', async () => {
  await source.synchronize();
  const left = await source.driver.createSchemaBuilder().log();
  expect(left.upQueries.map(({ query }) => query)).toEqual([]);
});

test('sees what another source changed', async () => {
  const changed = new EntitySchema<Post & { extra: string }>({
    ...PostEntity.options,
    columns: { ...PostEntity.options.columns, title: { type: 'varchar', length: 200, nullable: true }, extra: { type: 'text', nullable: true } },
  } as never);
  const other = await open({ entities: [UserEntity, ProfileEntity, changed, TopicEntity] }).initialize();
  await other.synchronize();
  expect((await other.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
  await other.destroy();
  const left = await source.driver.createSchemaBuilder().log();
  expect(left.upQueries.length).toBeGreaterThan(0);
  await source.synchronize();
  expect((await source.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
});

test('saves and loads relations', async () => {
  const users = source.getRepository(UserEntity);
  const [ann] = await users.save([{ name: 'Ann', role: 'admin', tags: ['a', 'b'], settings: { dark: true } }, { name: 'Bob' }]);
  expect(ann).toMatchObject({ id: 1, version: 1, role: 'admin' });
  await source.getRepository(ProfileEntity).save({ text: 'about Ann', user: ann });
  const posts = await source.getRepository(PostEntity).save([
    { title: 'First', author: ann, topics: [{ name: 'x' }, { name: 'y' }], price: '1.5' },
    { title: 'Second', author: ann, topics: [] },
  ] as never[]);
  expect(posts).toHaveLength(2);
  const found = await users.findOneOrFail({
    where: { name: 'Ann' },
    relations: { profile: true, posts: { topics: true } },
    order: { posts: { id: 'ASC', topics: { id: 'ASC' } } },
  });
  expect(found.profile!.text).toBe('about Ann');
  expect(found.posts.map(({ id, title, price, topics }) => [id, title, price, topics.map(({ name }) => name)])).toEqual([
    ['1', 'First', '1.50', ['x', 'y']],
    ['2', 'Second', '0.00', []],
  ]);
  ann.name = 'Anna';
  expect((await users.save(ann)).version).toBe(2);
  await users.softDelete({ name: 'Bob' });
  expect(await users.count()).toBe(1);
  expect(await users.count({ withDeleted: true })).toBe(2);
  await users.upsert({ name: 'Anna', tags: ['c'] }, ['name']);
  expect((await users.findOneByOrFail({ id: In([1]) })).tags).toEqual(['c']);
});

test('query builder', async () => {
  const rows = await source
    .createQueryBuilder(PostEntity, 'p')
    .innerJoin('p.author', 'u')
    .leftJoin('p.topics', 't')
    .select('u.name', 'name')
    .addSelect('count(DISTINCT t.id)', 'topics')
    .where('p.price >= :least', { least: 0 })
    .groupBy('u.name')
    .orderBy('u.name')
    .getRawMany();
  expect(rows).toEqual([{ name: 'Anna', topics: '2' }]);
  const [page, total] = await source
    .getRepository(PostEntity)
    .findAndCount({ relations: { topics: true }, order: { id: 'DESC' }, take: 1, where: { id: MoreThan('0') } });
  expect([page.map(({ title }) => title), total]).toEqual([['Second'], 2]);
  const updated = await source
    .createQueryBuilder()
    .update(PostEntity)
    .set({ price: () => 'price + 1' })
    .where('id = :id', { id: 1 })
    .returning(['price'])
    .execute();
  expect(updated.raw).toEqual([{ price: '2.50' }]);
  await expect(source.getRepository(PostEntity).insert({ title: 'x', author: { id: 1 }, price: '-1' } as never)).rejects.toMatchObject({
    code: '23514',
    constraint: 'dear',
  });
});

test('trees', async () => {
  const topics = source.getTreeRepository(TopicEntity);
  const root = await topics.save({ name: 'root' } as Topic);
  await topics.save({ name: 'leaf', parent: root } as Topic);
  expect((await topics.findDescendants(root)).map(({ name }) => name)).toEqual(['root', 'leaf']);
});

test('transactions', async () => {
  await expect(
    source.transaction('SERIALIZABLE', async (manager) => {
      await manager.delete(PostEntity, { id: '2' });
      await manager.transaction((inner) => inner.delete(PostEntity, { id: '1' })).catch(() => {});
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await source.getRepository(PostEntity).count()).toBe(2);
  const locked = await source.transaction((manager) => manager.findOne(PostEntity, { where: { id: '1' }, lock: { mode: 'pessimistic_write' } }));
  expect(locked!.title).toBe('First');
});

test('migrates', async () => {
  expect((await source.runMigrations()).map(({ name }) => name)).toEqual(['AddNote1700000000000']);
  await source.undoLastMigration();
  expect(await source.showMigrations()).toBe(true);
});

test('drops its schema', async () => {
  await source.dropDatabase();
  expect(await source.query("SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'")).toEqual([{ n: 0 }]);
  expect(await source.query("SELECT count(*)::int AS n FROM pg_type WHERE typtype = 'e' AND typnamespace = 'public'::regnamespace")).toEqual([{ n: 0 }]);
});
