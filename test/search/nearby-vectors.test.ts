/** Vectors found by lists: how many of the nearest are found, with filters, in forks and in the past, and without vector instructions. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { candidates } from '../../src/search/list-search.ts';
import { triedLists } from '../../src/search/list-reads.ts';
import { KERNELS, NumberBlocks } from '../../src/search/number-blocks.ts';
import { PRODUCTS_A_STEP, buildLists, type ListMetric, type TriedLists } from '../../src/search/vector-lists.ts';
import { runSteps } from '../../src/base/run-steps.ts';
import type { VectorSegment } from '../../src/search/vector-segment.ts';
import { TestDatabase } from '../sql/session/open-database.ts';
import { seeded } from './seeded.ts';

type Vectors = readonly (readonly number[])[];

/** `spread`: how far vectors are from the center of their cluster, which is about 0.3 from the others in each dimension. */
function clustered(seed: number, count: number, dimensions: number, clusters: number, spread: number): Vectors {
  const next = seeded(seed);
  const centers = Array.from({ length: clusters }, () => Array.from({ length: dimensions }, () => next() - 0.5));
  return Array.from({ length: count }, (_, i) => centers[i % clusters].map((x) => Math.fround(x + (next() - 0.5) * spread)));
}

const product = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** Greater is nearer. */
const SCORES: Readonly<Record<ListMetric, (a: readonly number[], b: readonly number[]) => number>> = {
  ip: product,
  l2: (a, b) => -a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0),
  cosine: (a, b) => product(a, b) / Math.sqrt(product(a, a)),
};

function nearest(vectors: Vectors, query: readonly number[], count: number, score = product, counts: (i: number) => boolean = () => true): number[] {
  const scored = vectors.flatMap((vector, i) => (counts(i) ? [{ i, score: score(vector, query) }] : []));
  return scored
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, count)
    .map(({ i }) => i);
}

function listsOf(vectors: Vectors): TriedLists {
  const dimensions = vectors[0].length;
  const floats = NumberBlocks.floats(vectors.length, dimensions);
  vectors.forEach((vector, i) => floats.numbers(i).set(vector, floats.offset(i)));
  const segment = { floats, rows: new Uint32Array(vectors.length), dimensions } as unknown as VectorSegment;
  return runSteps(triedLists(runSteps(buildLists(segment)), segment));
}

function recall(lists: TriedLists, vectors: Vectors, queries: Vectors, metric: ListMetric): number {
  let found = 0;
  for (const vector of queries) {
    const given = new Set(runSteps(candidates(lists, { metric, vector, count: 100, beam: 0 }, () => false)));
    found += nearest(vectors, vector, 10, SCORES[metric]).filter((i) => given.has(i)).length;
  }
  return found / (10 * queries.length);
}

afterEach(() => {
  KERNELS.off = false;
});

test.each([
  ['in clusters', 0.6],
  ['without clusters', 6],
])('of vectors %s the nearest are among the candidates', (_, spread) => {
  const all = clustered(1, 8040, 40, 60, spread);
  const [vectors, queries] = [all.slice(0, 8000), all.slice(8000)];
  const lists = listsOf(vectors);
  for (const metric of ['ip', 'l2', 'cosine'] as const) expect(recall(lists, vectors, queries, metric), metric).toBeGreaterThanOrEqual(0.99);
  // What divides well is not read whole.
  if (spread < 1) expect(Math.max(...Object.values(lists.reads))).toBeLessThan(6000);
});

test('the index is built in steps that read few vectors each', () => {
  const vectors = clustered(4, 6000, 24, 60, 0.6);
  const floats = NumberBlocks.floats(vectors.length, 24);
  vectors.forEach((vector, i) => floats.numbers(i).set(vector, floats.offset(i)));
  let reads = 0;
  const counted: Pick<NumberBlocks<Float32Array>, 'numbers' | 'offset'> = {
    numbers: (i) => {
      reads++;
      return floats.numbers(i);
    },
    offset: (i) => floats.offset(i),
  };
  const segment = { floats: counted, rows: new Uint32Array(vectors.length), dimensions: 24 } as unknown as VectorSegment;
  let most = 0;
  let steps = 0;
  for (const build = buildLists(segment); ; steps++) {
    const before = reads;
    const { done } = build.next();
    most = Math.max(most, reads - before);
    if (done === true) break;
  }
  // Each vector is compared with 124 centers, and is read for this and for the distance from the nearest one.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual((2 * PRODUCTS_A_STEP) / (124 * 24));
  // Six rounds over a sample of 16 for each list, then once over all.
  expect(steps).toBeGreaterThan((2 * (6 * 16 * 124 + 6000)) / most);
});

test('candidates are the same without vector instructions', () => {
  const vectors = clustered(2, 5000, 33, 50, 0.6);
  const query = { metric: 'ip' as const, vector: vectors[17], count: 60, beam: 0 };
  const given = runSteps(candidates(listsOf(vectors), query, () => false));
  KERNELS.off = true;
  const plain = listsOf(vectors);
  expect(plain.bytes.kernelled).toBe(false);
  expect([...runSteps(candidates(plain, query, () => false))]).toEqual([...given]);
});

const ROWS = 24_000;
const DIMENSIONS = 16;
const vectors = clustered(3, ROWS + 20, DIMENSIONS, 100, 0.5);
const queries = vectors.slice(ROWS);
const text = (vector: readonly number[]): string => `[${vector.join(',')}]`;

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run('CREATE EXTENSION vector; CREATE TABLE points (id int PRIMARY KEY, n int, e vector(16)); CREATE INDEX ON points USING hnsw (e vector_ip_ops)');
  for (let at = 0; at < ROWS; at += 1000) {
    const values = vectors.slice(at, at + 1000).map((vector, i) => `(${at + i}, ${(at + i) % 1000}, '${text(vector)}')`);
    await own.run(`INSERT INTO points VALUES ${values.join(', ')}`);
  }
  for (;;) {
    await found(queries[0]);
    if (own.db.stats()['vector_lists_built'] === 1) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}, 240_000);
afterAll(() => own.close());

async function found(vector: readonly number[], branch = 'main', ef = 0, limit = 10): Promise<number[]> {
  const { hits, total } = await own.db.find({ branch, table: 'points', vector: [...vector], vector_field: 'e', limit, ef });
  expect(total).toBeGreaterThan(ROWS - 100);
  return hits.map(({ id }) => Number(id));
}

async function foundPart(by: (query: readonly number[]) => Promise<readonly number[]>, counts: (i: number) => boolean = () => true): Promise<number> {
  let same = 0;
  let all = 0;
  for (const query of queries) {
    const wanted = nearest(vectors.slice(0, ROWS), query, 10, product, counts);
    const given = new Set(await by(query));
    same += wanted.filter((i) => given.has(i)).length;
    all += wanted.length;
  }
  return same / all;
}

// contract: op.find.4
test('find gives 99 of 100 of the nearest rows, the best first, with their exact scores', async () => {
  expect(await foundPart((query) => found(query))).toBeGreaterThanOrEqual(0.99);
  expect(await foundPart((query) => found(query, 'main', 200))).toBeGreaterThanOrEqual(0.99);
  expect(await foundPart((query) => found(query, 'main', 1))).toBeGreaterThan(0.2);
  const { hits } = await own.db.find({ table: 'points', vector: [...queries[3]], vector_field: 'e', limit: 30, offset: 5 });
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ id }) => product(vectors[Number(id)], queries[3])).sort((a, b) => b - a));
});

test.each([1, 10, 100, 500])('a filter of %i in 1000 yields as many rows as there are, and the nearest', async (below) => {
  const sql = async (query: readonly number[]): Promise<number[]> => {
    const rows = await own.lines(`SELECT id FROM points WHERE n < ${below} ORDER BY e <#> '${text(query)}' LIMIT 10`);
    expect(rows).toHaveLength(10);
    return rows.map(Number);
  };
  expect(await foundPart(sql, (i) => i % 1000 < below)).toBeGreaterThanOrEqual(0.99);
  const { total, hits } = await own.db.find({ table: 'points', vector: [...queries[0]], vector_field: 'e', where: { n: below - 1 }, limit: 100 });
  expect([total, hits.length]).toEqual([ROWS / 1000, ROWS / 1000]);
});

const counted = async (sql: string): Promise<{ readonly distances: number; readonly rows: readonly string[] }> => {
  const before = own.db.stats()['vector_distances'];
  const rows = await own.lines(sql);
  return { distances: own.db.stats()['vector_distances'] - before, rows };
};

test.each([1, 10, 100, 500])('a filter of %i in 1000 costs no more distances than there are rows that pass, or the candidates of lists', async (below) => {
  const order = `ORDER BY e <#> '${text(queries[4])}' LIMIT 10`;
  const few = (below * ROWS) / 1000;
  const estimated = await counted(`SELECT id FROM points WHERE n < ${below} ${order}`);
  expect(estimated.rows).toHaveLength(10);
  expect(estimated.distances).toBeLessThanOrEqual(Math.min(few, 1000));
  // Nothing is known about this filter before it is evaluated: candidates come first, then the rows that pass.
  const unknown = await counted(`SELECT id FROM points WHERE n * 1 < ${below} ${order}`);
  expect(unknown.rows).toEqual(estimated.rows);
  expect(unknown.distances).toBeLessThanOrEqual(few + 1000);
});

test('a filter that few rows pass has each of them once, with those without a vector at the end, in forks as well', async () => {
  await own.db.fork({ name: 'bare' });
  await own.run('UPDATE points SET e = NULL WHERE id IN (3, 1003); DELETE FROM points WHERE id = 2003; UPDATE points SET n = 3 WHERE id = 77', 'bare');
  for (const branch of ['main', 'bare']) {
    const from = `FROM points WHERE n = 3 ORDER BY e <#> '${text(queries[5])}'`;
    const rows = await own.lines(`SELECT id ${from} LIMIT 40`, branch);
    expect(rows).toEqual(await own.lines(`SELECT id ${from}, id LIMIT 40`, branch));
    expect(rows).toHaveLength(24);
    expect(rows.slice(-2)).toEqual(branch === 'main' ? rows.slice(-2) : ['3', '1003']);
    const { total, hits } = await own.db.find({ branch, table: 'points', vector: [...queries[5]], vector_field: 'e', where: { n: 3 }, limit: 40 });
    expect([total, hits.length]).toEqual(branch === 'main' ? [24, 24] : [22, 22]);
    expect(hits.map(({ id }) => id)).toEqual(rows.slice(0, total));
  }
  const first = `WITH few AS MATERIALIZED (SELECT id, e FROM points WHERE n = 3) SELECT id FROM few ORDER BY e <#> '${text(queries[5])}' LIMIT 5`;
  expect(await own.lines(`SELECT id FROM (SELECT id, n + 1 AS m, e FROM points) p WHERE m = 4 ORDER BY e <#> '${text(queries[5])}' LIMIT 5`)).toEqual(
    await own.lines(first),
  );
  expect(await own.lines(`SELECT id FROM points WHERE n = 3 ORDER BY e <#> '${text(queries[5])}' LIMIT 5 FOR UPDATE`)).toEqual(await own.lines(first));
});

test('all rows come if all are taken, each once', async () => {
  const rows = await own.lines(`SELECT id FROM points WHERE n % 7 = 3 ORDER BY e <#> '${text(queries[1])}' LIMIT 3000`);
  expect(rows).toHaveLength(3000);
  const more = await own.lines(
    `SELECT count(*), count(DISTINCT id) FROM (SELECT id FROM points WHERE abs(n) < 900 AND n <> 5 ORDER BY e <#> '${text(queries[1])}' LIMIT 1000 OFFSET 300) x`,
  );
  expect(more).toEqual(['1000 1000']);
});

test('changed, new and deleted rows of a fork are found as they are, and so is the past', async () => {
  const query = queries[7];
  const before = await found(query);
  await own.db.fork({ name: 'moved' });
  const [now] = await own.lines('SELECT now()::text');
  const best = vectors.slice(0, ROWS).reduce((most, each) => Math.max(most, product(each, query)), 0);
  const far = query.map((x) => Math.fround((x * (best + 1)) / product(query, query)));
  await own.run(
    `INSERT INTO points VALUES (${ROWS}, 0, '${text(far)}'); DELETE FROM points WHERE id = ${before[0]}; UPDATE points SET e = NULL WHERE id = ${before[1]}`,
    'moved',
  );
  const after = await found(query, 'moved');
  expect(after[0]).toBe(ROWS);
  expect(after.slice(1, 9)).toEqual(before.slice(2));
  expect(await own.lines(`SELECT id FROM points ORDER BY e <#> '${text(query)}' LIMIT 9`, 'moved')).toEqual(after.slice(0, 9).map(String));
  expect(await found(query)).toEqual(before);
  expect(await found(query, `moved@${now}`)).toEqual(before);
});

test('a beam of pgvector is taken', async () => {
  const rows = await own.lines(`SET hnsw.ef_search = 1000; SELECT id FROM points ORDER BY e <#> '${text(queries[2])}' LIMIT 10`);
  expect(rows.map(Number)).toEqual(nearest(vectors.slice(0, ROWS), queries[2], 10));
});
