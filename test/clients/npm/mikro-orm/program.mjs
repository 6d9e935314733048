// Works with entities of MikroORM.
import { EntitySchema, LockMode, MikroORM, raw, sql } from '@mikro-orm/postgresql';

const Author = new EntitySchema({
  name: 'Author',
  properties: {
    id: { type: 'number', primary: true },
    email: { type: 'string', unique: true, length: 80 },
    name: { type: 'string', nullable: true },
    born: { type: 'date', nullable: true },
    tags: { type: 'string[]', array: true, nullable: true },
    meta: { type: 'json', nullable: true },
    balance: { type: 'decimal', precision: 10, scale: 2, default: 0 },
    version: { type: 'number', version: true },
    books: { kind: '1:m', entity: () => 'Book', mappedBy: 'author', orphanRemoval: true },
  },
});
const Book = new EntitySchema({
  name: 'Book',
  indexes: [{ properties: ['title', 'kind'] }],
  checks: [{ expression: 'price >= 0' }],
  properties: {
    id: { type: 'uuid', primary: true, defaultRaw: 'gen_random_uuid()' },
    title: { type: 'text' },
    kind: { enum: true, items: () => ['novel', 'poem'], default: 'novel', nativeEnumName: 'book_kind' },
    price: { type: 'integer', default: 1 },
    cover: { type: 'blob', nullable: true },
    created: { type: 'datetime', defaultRaw: 'now()', length: 3 },
    author: { kind: 'm:1', entity: () => 'Author', deleteRule: 'cascade' },
    labels: { kind: 'm:n', entity: () => 'Label', owner: true, fixedOrder: true },
    pages: { type: 'integer', generated: '(length(title)) stored', nullable: true },
  },
});
const Label = new EntitySchema({
  name: 'Label',
  properties: { name: { type: 'string', primary: true }, books: { kind: 'm:n', entity: () => 'Book', mappedBy: 'labels' } },
});

const say = (name, value) => console.log(name, JSON.stringify(value));
const orm = await MikroORM.init({
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  dbName: process.env.DATABASE,
  user: process.env.USER,
  entities: [Author, Book, Label],
  pool: { min: 0, max: 3 },
  ensureDatabase: false,
  discovery: { warnWhenNoEntities: false },
  logger: () => {},
});
const generator = orm.schema;
say('create', await generator.getCreateSchemaSQL({ wrap: false }));
await generator.createSchema();
say('no change', await generator.getUpdateSchemaSQL({ wrap: false }));
await orm.em.execute(
  "ALTER TABLE author DROP COLUMN name; ALTER TABLE author ADD COLUMN extra int; ALTER TABLE author ALTER COLUMN email TYPE varchar(200); DROP INDEX book_title_kind_index; ALTER TYPE book_kind ADD VALUE 'essay'",
);
say('changes', await generator.getUpdateSchemaSQL({ wrap: false }));
await generator.updateSchema();
say('no change is left', await generator.getUpdateSchemaSQL({ wrap: false }));
const em = orm.em.fork();
const ann = em.create('Author', {
  email: 'ann@x',
  name: 'Ann',
  born: '2000-01-02',
  tags: ['a', 'b,c'],
  meta: { a: [1, null], b: { c: 'x' } },
  balance: '12.50',
});
for (let i = 0; i < 5; i++)
  em.create('Book', { title: `Book ${i}`, price: i, author: ann, kind: i % 2 === 0 ? 'novel' : 'poem', cover: Buffer.from([0, i]), labels: [] });
await em.flush();
say('ann', [ann.id, ann.version, ann.books.length]);
const [news, art] = [em.create('Label', { name: 'news' }), em.create('Label', { name: 'art' })];
const first = ann.books.getItems().find(({ title }) => title === 'Book 1');
first.labels.add(news, art);
ann.balance = '20.25';
await em.flush();
say('version', ann.version);
em.clear();
const books = await em.find(
  'Book',
  { author: { email: 'ann@x' }, price: { $gte: 1 }, $or: [{ kind: 'poem' }, { title: { $ilike: '%4' } }] },
  { orderBy: { price: 'desc' }, populate: ['author', 'labels'], limit: 3 },
);
say(
  'find',
  books.map(({ title, price, kind, pages, cover, author, labels }) => ({
    title,
    price,
    kind,
    pages,
    cover: cover.toString('hex'),
    author: author.email,
    tags: author.tags,
    meta: author.meta,
    balance: author.balance,
    labels: labels.getItems().map(({ name }) => name),
  })),
);
say(
  'joined',
  (await em.find('Author', {}, { populate: ['books'], strategy: 'joined', orderBy: { books: { price: 'asc' } } })).map(({ books: own }) =>
    own.getItems().map(({ title }) => title),
  ),
);
say('count', [await em.count('Book', { kind: 'poem' }), ...(await em.findAndCount('Book', {}, { limit: 2, offset: 1, orderBy: { price: 1 } })).slice(1)]);
say('json', (await em.find('Author', { meta: { b: { c: 'x' } } })).length + (await em.find('Author', { tags: { $contains: ['a'] } })).length);
const page = await em.findByCursor('Book', {}, { first: 2, orderBy: { price: 'asc' } });
say('cursor', [
  page.totalCount,
  page.hasNextPage,
  (await em.findByCursor('Book', {}, { first: 2, after: page, orderBy: { price: 'asc' } })).items.map(({ price }) => price),
]);
say('upsert', [
  (await em.upsert('Author', { email: 'ann@x', name: 'Anne' })).name,
  (
    await em.upsertMany('Author', [
      { email: 'bob@x', name: 'Bob', version: 1 },
      { email: 'ann@x', name: 'Ann', version: 9 },
    ])
  ).map(({ email }) => email),
]);
say(
  'group',
  await em
    .createQueryBuilder('Book', 'b')
    .select(['b.kind', sql`sum(b.price)::int`.as('total')])
    .groupBy('b.kind')
    .having({ [raw('count(*)')]: { $gt: 1 } })
    .orderBy({ kind: 'asc' })
    .execute(),
);
say('update', await em.nativeUpdate('Book', { price: { $lt: 2 } }, { price: raw('price + 10') }));
say('delete', await em.nativeDelete('Book', { price: 3 }));
await em.transactional(async (tx) => {
  const locked = await tx.findOneOrFail('Author', { email: 'ann@x' }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  locked.name = 'locked';
});
await em
  .transactional(async (tx) => {
    tx.create('Label', { name: 'gone' });
    await tx.flush();
    throw new Error('enough');
  })
  .catch((error) => say('rolled back', error.message));
await em.begin();
await em
  .transactional(async (tx) => {
    tx.create('Label', { name: 'nested' });
    await tx.flush();
    throw new Error('inner');
  })
  .catch(() => {});
await em.commit();
say(
  'labels',
  (await em.fork().find('Label', {}, { orderBy: { name: 1 } })).map(({ name }) => name),
);
const refused = async (name, work) =>
  work().then(
    () => say(name, 'no error'),
    (error) => say(name, [error.constructor.name, error.code ?? null]),
  );
await refused('unique', () => em.fork().insert('Author', { email: 'ann@x', version: 1 }));
await refused('foreign key', () => em.fork().insert('Book', { title: 'x', author: 99 }));
await refused('not null', () => em.fork().insert('Book', { title: null, author: 1 }));
await refused('check', () => em.fork().insert('Book', { title: 'x', price: -1, author: 1 }));
await refused('enum', () => em.fork().insert('Book', { title: 'x', kind: 'song', author: 1 }));
const [one, two] = [em.fork(), em.fork()];
const [mine, theirs] = [await one.findOneOrFail('Author', { email: 'ann@x' }), await two.findOneOrFail('Author', { email: 'ann@x' })];
mine.name = 'mine';
theirs.name = 'theirs';
await one.flush();
await refused('optimistic lock', () => two.flush());
const author = await em.fork().findOneOrFail('Author', { email: 'bob@x' });
say('bob', { ...author, books: undefined, id: typeof author.id });
say('introspected', await orm.schema.getDropSchemaSQL({ wrap: false }));
await orm.schema.refreshDatabase({ createSchema: false });
say('after refresh', await em.fork().count('Author'));
await orm.schema.dropSchema({ dropMigrationsTable: true });
say('tables', (await orm.em.getConnection().execute(`SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`))[0].n);
await orm.close();
