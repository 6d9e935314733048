// Works with a database by Prisma's client over its pg adapter, and prints what came out.
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient, Prisma } from './generated/index.js';
import { connection, content, push } from './schema-engine.mjs';

const plain = (value) =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' ? `${each}n` : each instanceof Uint8Array ? `bytes ${Buffer.from(each).toString('hex')}` : each,
  );
const say = (name, value) => console.log(name, plain(value));
async function refused(name, work) {
  try {
    await work();
    say(name, 'no error');
  } catch (error) {
    say(name, { code: error.code ?? null, kind: error.constructor.name, meta: error.meta ?? null, message: error.message.trim().split('\n').at(-1) });
  }
}

await push(content);
const db = new PrismaClient({ adapter: new PrismaPg(connection) });
say(
  'create',
  await db.user.create({
    data: { email: 'ann@x', name: 'Ann', tags: ['a', 'b'], balance: '12.50', meta: { a: [1, null, 'x'] }, seen: '2026-01-02T03:04:05.678Z' },
  }),
);
say(
  'createMany',
  await db.user.createMany({
    data: [{ email: 'bob@x', role: 'WRITER', seen: new Date(0) }, { email: 'ann@x' }, { email: 'cy@x', seen: new Date(1e12) }],
    skipDuplicates: true,
  }),
);
say('createManyAndReturn', await db.label.createManyAndReturn({ data: [{ name: 'news' }, { name: 'art' }] }));
say(
  'nested create',
  await db.post.create({
    data: {
      title: 'One',
      raw: new Uint8Array([0, 255, 10]),
      author: { connect: { email: 'ann@x' } },
      labels: {
        connectOrCreate: [
          { where: { name: 'news' }, create: { name: 'news' } },
          { where: { name: 'new' }, create: { name: 'new' } },
        ],
      },
    },
    include: { labels: { orderBy: { name: 'asc' } }, author: { select: { email: true, tags: true } } },
  }),
);
say(
  'update',
  await db.user.update({
    where: { email: 'ann@x' },
    data: { balance: { increment: 2.25 }, tags: { push: 'c' }, profile: { create: { bio: 'B' } } },
    include: { profile: true },
  }),
);
say('updateMany', await db.user.updateMany({ where: { role: 'READER' }, data: { balance: { multiply: 2 } } }));
say(
  'updateManyAndReturn',
  (
    await db.user.updateManyAndReturn({
      where: { email: { endsWith: '@x' } },
      data: { name: { set: 'N' } },
      select: { email: true, name: true, balance: true },
    })
  ).sort((a, b) => a.email.localeCompare(b.email)),
);
const upsert = (views) => db.post.upsert({ where: { id: 1n }, create: { title: 'never', authorId: 1 }, update: { views: { increment: views } } });
say('upsert that updates', await upsert(3));
say('upsert that updates again', await upsert(4));
say('native upsert, inserted', await db.label.upsert({ where: { name: 'z' }, create: { name: 'z' }, update: {} }));
say(
  'native upsert, found',
  await db.user.upsert({ where: { email: 'bob@x' }, create: { email: 'bob@x' }, update: { name: 'Bobby', balance: { decrement: 1 } } }),
);
say('native upsert by two columns', [
  await db.seat.upsert({ where: { row_number: { row: 1, number: 2 } }, create: { row: 1, number: 2 }, update: { holder: null } }),
  await db.seat.upsert({
    where: { row_number: { row: 1, number: 2 } },
    create: { row: 1, number: 2 },
    update: { holder: '6f1c9b0e-6f3a-4d0e-9f0a-0d3c8d2b8a11' },
  }),
]);
say(
  'many posts',
  await db.post.createMany({
    data: Array.from({ length: 20 }, (_, i) => ({ title: `T${i}`, views: i % 5, shown: i % 2 === 0, authorId: (i % 2) + 1, parentId: i > 3 ? 1n : null })),
  }),
);
say(
  'findMany',
  await db.post.findMany({
    where: { shown: true, views: { gte: 2, lt: 5 }, author: { is: { email: { contains: 'ANN', mode: 'insensitive' } } } },
    orderBy: [{ views: 'desc' }, { id: 'asc' }],
    select: { id: true, title: true, views: true },
  }),
);
say('cursor', await db.post.findMany({ cursor: { id: 5n }, skip: 1, take: 3, orderBy: { id: 'asc' }, select: { id: true } }));
say('cursor backwards', await db.post.findMany({ cursor: { id: 15n }, take: -3, orderBy: { id: 'asc' }, select: { id: true } }));
say(
  'some and none',
  await db.user.findMany({
    where: { posts: { some: { views: { gt: 3 } }, none: { title: 'nope' } } },
    orderBy: { id: 'asc' },
    include: { _count: { select: { posts: { where: { shown: true } } } } },
  }),
);
say('every', await db.user.count({ where: { posts: { every: { shown: false } } } }));
say('relation order', await db.user.findMany({ orderBy: { posts: { _count: 'desc' } }, select: { email: true } }));
say(
  'include deep',
  await db.user.findUnique({
    where: { id: 1 },
    include: {
      profile: true,
      posts: {
        where: { parentId: null },
        orderBy: { id: 'asc' },
        take: 2,
        include: {
          replies: { orderBy: { id: 'desc' }, take: 2, select: { id: true, parent: { select: { title: true } } } },
          labels: { orderBy: { name: 'desc' } },
        },
      },
    },
  }),
);
say('json path', await db.user.findMany({ where: { meta: { path: ['a', '0'], equals: 1 } }, select: { id: true, meta: true } }));
say('json null', [
  await db.user.count({ where: { meta: { equals: Prisma.DbNull } } }),
  await db.user.count({ where: { meta: { equals: Prisma.JsonNull } } }),
  await db.user.count({ where: { meta: { path: ['a'], array_contains: ['x'] } } }),
]);
say('arrays', [
  await db.user.count({ where: { tags: { has: 'a' } } }),
  await db.user.count({ where: { tags: { hasEvery: ['a', 'c'] } } }),
  await db.user.count({ where: { tags: { hasSome: ['q', 'b'] } } }),
  await db.user.count({ where: { tags: { isEmpty: true } } }),
]);
say('bytes and decimals', [
  await db.post.count({ where: { raw: new Uint8Array([0, 255, 10]) } }),
  await db.user.findMany({ where: { balance: { in: ['29.50', 0] } }, orderBy: { id: 'asc' }, select: { balance: true } }),
]);
say(
  'aggregate',
  await db.post.aggregate({ _avg: { views: true }, _sum: { views: true }, _min: { title: true }, _max: { id: true }, _count: { _all: true, raw: true } }),
);
say(
  'groupBy',
  await db.post.groupBy({
    by: ['authorId', 'shown'],
    _sum: { views: true },
    _count: true,
    having: { views: { _sum: { gt: 5 } } },
    orderBy: [{ authorId: 'asc' }, { shown: 'asc' }],
  }),
);
say('distinct', await db.post.findMany({ distinct: ['views'], orderBy: { views: 'asc' }, select: { views: true } }));
say('or and not', await db.post.count({ where: { OR: [{ title: { startsWith: 'T1' } }, { views: 0 }], NOT: { shown: true } } }));
say('in many', await db.post.count({ where: { id: { in: Array.from({ length: 300 }, (_, i) => BigInt(i)) } } }));
say('dates', await db.user.findMany({ where: { seen: { lt: new Date(1e12), gte: '1970-01-01T00:00:00Z' } }, select: { email: true, seen: true } }));
say(
  'disconnect and set',
  await db.post.update({
    where: { id: 1n },
    data: { labels: { disconnect: { name: 'new' }, connect: [{ name: 'z' }, { name: 'art' }] } },
    select: { labels: { orderBy: { name: 'asc' } } },
  }),
);
say('set', await db.post.update({ where: { id: 1n }, data: { labels: { set: [{ name: 'z' }] } }, select: { labels: true } }));
say('batch', await db.$transaction([db.label.create({ data: { name: 'b1' } }), db.label.count(), db.label.delete({ where: { name: 'b1' } })]));
say(
  'interactive',
  await db.$transaction(
    async (tx) => {
      await tx.user.update({ where: { id: 1 }, data: { balance: { decrement: 10 } } });
      await tx.user.update({ where: { id: 2 }, data: { balance: { increment: 10 } } });
      return tx.user.findMany({ orderBy: { id: 'asc' }, select: { balance: true } });
    },
    { isolationLevel: 'Serializable' },
  ),
);
await refused('rolled back', () =>
  db.$transaction(async (tx) => {
    await tx.label.create({ data: { name: 'gone' } });
    throw new Error('enough');
  }),
);
say('nothing is left', await db.label.findUnique({ where: { name: 'gone' } }));
await refused('unique', () => db.user.create({ data: { email: 'ann@x' } }));
await refused('foreign key', () => db.post.create({ data: { title: 'x', authorId: 99 } }));
await refused('restrict', () => db.user.delete({ where: { id: 1 } }));
await refused('not there', () => db.user.update({ where: { id: 99 }, data: { name: 'x' } }));
await refused('too long', () => db.post.create({ data: { title: 'x'.repeat(81), authorId: 1 } }));
await refused('overflow', () => db.post.update({ where: { id: 1n }, data: { views: { increment: 2147483647 } } }));
await refused('numeric overflow', () => db.user.update({ where: { id: 1 }, data: { balance: '123456789.01' } }));
await refused('raw', () => db.$queryRaw`SELECT * FROM nowhere`);
await refused('raw division', () => db.$queryRaw`SELECT 1 / ${0}::int`);
await refused('findUniqueOrThrow', () => db.label.findUniqueOrThrow({ where: { name: 'no' } }));
say(
  'queryRaw',
  await db.$queryRaw`SELECT ${1}::int AS i, ${'x'} AS t, ${[1, 2]}::int[] AS a, now() > ${new Date(0)} AS later, 1.50::numeric AS n, '{"b": 1}'::jsonb AS j, '\\x00ff'::bytea AS y, 9007199254740993 AS big, '12:34:56'::time AS tm, date '2026-01-02' AS d, ARRAY['q', null] AS s, 'WRITER'::"Role" AS r, 'infinity'::float8 AS f`,
);
say('queryRaw in', await db.$queryRaw`SELECT id FROM "Post" WHERE views IN (${Prisma.join([1, 2])}) ORDER BY id LIMIT ${3}`);
say('executeRaw', await db.$executeRaw`UPDATE "Post" SET views = views + ${1} WHERE shown`);
say('delete', await db.seat.delete({ where: { row_number: { row: 1, number: 2 } } }));
say('deleteMany', await db.post.deleteMany({ where: { parentId: { not: null } } }));
say('cascade', [await db.user.delete({ where: { email: 'cy@x' }, select: { email: true } }), await db.profile.count()]);
await db.$disconnect();
process.exit(0);
