/** CREATE INDEX … USING hnsw and ivfflat as pgvector takes them: kept as definitions, in catalogs, forks and merges; results stay exact. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';

let db: Database;
let folder: string;

const rows = async (sql: string, branch = 'main'): Promise<readonly Record<string, unknown>[]> => (await db.sql({ sql, branch })).results.at(-1)!.rows!;
const refused = (sql: string, code: string): Promise<void> => expect(db.sql({ sql }), sql).rejects.toMatchObject({ code });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-vector-'));
  db = await open(folder);
  await db.sql({ sql: 'CREATE TABLE plain (e text)' });
  await refused('CREATE INDEX ON plain USING hnsw (e)', '42704');
  await db.sql({
    sql: `CREATE EXTENSION vector; CREATE TABLE items (id bigserial PRIMARY KEY, e vector(3), b bit(3), n int);
      INSERT INTO items (e, b) VALUES ('[1,2,3]', '101'), ('[4,5,6]', '111'), ('[3,1,2]', '000')`,
  });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test.each([
  'CREATE INDEX h1 ON items USING hnsw (e vector_l2_ops)',
  'CREATE INDEX h2 ON items USING hnsw (e vector_ip_ops)',
  "CREATE INDEX h3 ON items USING hnsw (e vector_cosine_ops) WITH (m='16', ef_construction='64')",
  'CREATE INDEX CONCURRENTLY h4 ON items USING hnsw (e vector_l1_ops) WHERE n IS NULL',
  'CREATE INDEX h5 ON items USING hnsw (b bit_hamming_ops)',
  'CREATE INDEX h6 ON items USING hnsw ((e + e) vector_l2_ops)',
  'CREATE INDEX i1 ON items USING ivfflat (e)',
  "CREATE INDEX i2 ON items USING ivfflat (e vector_cosine_ops) WITH (lists='100')",
])('%s', async (sql) => {
  await db.sql({ sql });
  const name = /INDEX (?:CONCURRENTLY )?(\w+)/.exec(sql)![1];
  const [{ indexdef }] = await rows(`SELECT indexdef FROM pg_indexes WHERE indexname = '${name}'`);
  const text = String(indexdef);
  // What the catalog says makes the same index again.
  await db.sql({ sql: `DROP INDEX ${name}; ${text}` });
  expect(await rows(`SELECT indexdef FROM pg_indexes WHERE indexname = '${name}'`)).toEqual([{ indexdef: text }]);
  expect(await rows(`SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE relname = '${name}'`)).toEqual([
    { amname: sql.includes('hnsw') ? 'hnsw' : 'ivfflat' },
  ]);
});

test.each([
  ['CREATE INDEX ON items USING hnsw (e)', '42704'],
  ['CREATE INDEX ON items USING hnsw (n vector_l2_ops)', '42804'],
  ['CREATE INDEX ON items USING hnsw (e no_such_ops)', '42704'],
  ['CREATE INDEX ON items USING hnsw (e vector_l2_ops) WITH (m = 1)', '22023'],
  ['CREATE INDEX ON items USING hnsw (e vector_l2_ops) WITH (lists = 1)', '22023'],
  ['CREATE UNIQUE INDEX ON items USING hnsw (e vector_l2_ops)', '0A000'],
  ['CREATE INDEX ON items USING hnsw (e vector_l2_ops, b bit_hamming_ops)', '0A000'],
  ['CREATE INDEX ON items USING ivfflat (e vector_l1_ops)', '42704'],
])('%s is refused', refused);

test('the nearest rows are the same with and without an index, in a fork too', async () => {
  const nearest = "SELECT id FROM items ORDER BY e <-> '[3,1,2]' LIMIT 2";
  expect(await rows(nearest)).toEqual([{ id: 3 }, { id: 1 }]);
  await db.fork({ name: 'near' });
  await db.sql({ branch: 'near', sql: "SET hnsw.ef_search = 100; INSERT INTO items (e) VALUES ('[3,1,2.1]'); DROP INDEX h1" });
  expect(await rows(nearest, 'near')).toEqual([{ id: 3 }, { id: 4 }]);
  await db.merge({ branch: 'near' });
  expect(await rows("SELECT count(*) FROM pg_indexes WHERE indexname = 'h1'")).toEqual([{ count: 0 }]);
});

test('distances of bit strings', async () => {
  expect(await rows("SELECT '101'::bit(3) <~> '110'::bit(3) AS h, '101'::bit(3) <%> '111'::bit(3) AS j, jaccard_distance('00', '00') AS none")).toEqual([
    { h: 2, j: 1 - 2 / 3, none: 1 },
  ]);
  await refused("SELECT '1'::bit(1) <~> '11'::bit(2)", '22000');
});

test('the extension is not dropped under an index', async () => {
  await refused('DROP EXTENSION vector', '2BP01');
  await db.sql({ sql: 'CREATE TABLE kept (e bit(3)); CREATE INDEX kept_index ON kept USING hnsw (e bit_jaccard_ops)' });
  await db.sql({ sql: 'DROP TABLE items' });
  await refused('DROP EXTENSION vector', '2BP01');
  await db.sql({ sql: 'DROP EXTENSION vector CASCADE' });
  expect(await rows("SELECT count(*) FROM pg_indexes WHERE indexname = 'kept_index'")).toEqual([{ count: 0 }]);
});
