/** Ranked search beside its peers, in one run: SQLite's FTS5, Postgres's ts_rank, hnswlib. */
import { join } from 'node:path';
import { type Database, open } from '../../src/database.ts';
import { LISTS_FROM } from '../../src/search/vector-lists.ts';
import { peerModule } from './peer-module.ts';
import { Postgres } from './postgres.ts';
import { ms, type Report, timed, times } from './report.ts';

export interface FindSizes {
  readonly documents: number;
  readonly vectors: number;
  readonly dimensions: number;
  readonly forks: number;
  readonly whereRows: number;
}

const QUERIES = 200;
const COMMITS = 1000;
const TERMS = 60_000;
const BATCH = 2000;

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** `part`: `docs`, `vectors` or `where` alone; null: all of them. */
export async function benchFind(report: Report, folder: string, sizes: FindSizes, part: string | null): Promise<void> {
  const { documents, vectors, dimensions } = sizes;
  report.section(
    'Find',
    `${documents.toLocaleString('en-US')} documents of 20 to 100 words (Zipf, ${TERMS} terms), ${QUERIES} searches of 1 to 4 words, 20 hits; ${vectors.toLocaleString('en-US')} vectors of ${dimensions} dimensions in 200 clusters.`,
  );
  const db = await open(join(folder, 'find'));
  try {
    if (part === null || part === 'docs') {
      const texts = new Texts(documents);
      const svc = await benchWords(report, db, texts, sizes);
      await benchFts5(report, folder, texts, svc);
      await benchTsRank(report, await startedPostgres(report), texts);
    }
    if (part === null || part === 'vectors') await benchVectors(report, db, sizes);
    if (part === null || part === 'where') await benchWhere(report, db, sizes.whereRows);
  } finally {
    await db.close();
  }
}

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  /** From 0, below 1 (Mulberry32). */
  next(): number {
    let t = (this.#state += 0x6d2b79f5);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
}

class Texts {
  readonly documents: readonly string[];
  readonly queries: readonly (readonly string[])[];

  constructor(count: number) {
    const random = new Random(1);
    const term = (): string => wordOf(Math.floor(TERMS ** random.next()));
    const words = (number: number): string[] => Array.from({ length: number }, term);
    this.documents = Array.from({ length: count }, () => words(20 + random.below(81)).join(' '));
    this.queries = Array.from({ length: QUERIES }, () => words(1 + random.below(4)));
  }
}

/** A word of consonants and vowels, which no stemmer and no list of stop words knows. */
function wordOf(number: number): string {
  let word = '';
  for (let rest = number + 400; rest > 0; rest = Math.floor(rest / 80)) word += 'bcdfghjklmnpqrtv'[rest % 16] + 'aiouy'[Math.floor((rest % 80) / 16)];
  return `${word}x`;
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length / 2)], p99: sorted[Math.floor(sorted.length * 0.99)] };
}

async function measured(count: number, work: (i: number) => unknown): Promise<Quantiles> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await work(i);
    all.push(performance.now() - begun);
  }
  return quantiles(all);
}

const shown = ({ p50, p99 }: Quantiles): string => `${ms(p50)} / ${ms(p99)}`;

async function benchWords(report: Report, db: Database, { documents, queries }: Texts, { forks }: FindSizes): Promise<Quantiles> {
  // The second one is never searched: what an index costs a put is measured beside it, in turns.
  for (const table of ['docs', 'unsearched']) {
    for (let at = 0; at < documents.length; at += BATCH) {
      await db.batch({ rows: documents.slice(at, at + BATCH).map((text, i) => ({ table, id: `d${at + i}`, record: { text } })) });
    }
  }
  const find = (i: number, branch = 'main'): Promise<unknown> => db.find({ branch, table: 'docs', text: queries[i % QUERIES].join(' '), limit: 20 });
  const put = (i: number, table = 'docs'): Promise<unknown> =>
    db.put({ table, id: `d${(i * 7919) % documents.length}`, record: { text: documents[i % documents.length] } });
  report.row('svc: the first search, which builds the segment', ms(await timed(1, () => find(0))));
  const main = await measured(QUERIES, (i) => find(i));
  report.row('svc: text, p50 / p99', shown(main));
  const then = new Date().toISOString();
  const puts: { searched: number[]; unsearched: number[] } = { searched: [], unsearched: [] };
  for (let i = 0; i < COMMITS; i++) {
    puts.unsearched.push(await timed(1, () => put(i, 'unsearched')));
    puts.searched.push(await timed(1, () => put(i)));
  }
  const [searched, unsearched] = [quantiles(puts.searched), quantiles(puts.unsearched)];
  report.row('svc: durable put into the searched table, p50 / p99', shown(searched), `${times(searched.p50 / unsearched.p50)} of one that no search has read`);
  await find(0);
  const later = await measured(QUERIES, (i) => find(i));
  report.row(`svc: text after ${COMMITS} commits, p50 / p99`, shown(later), `${times(later.p50 / main.p50)} of before`);
  await db.fork({ name: 'fresh' });
  report.row('svc: text in a fresh fork, p50 / p99', shown(await measured(QUERIES, (i) => find(i, 'fresh'))));
  report.row(`svc: text before these commits (main@…), p50 / p99`, shown(await measured(QUERIES, (i) => find(i, `main@${then}`))));
  const { arrayBuffers } = process.memoryUsage();
  for (let i = 0; i < forks; i++) await db.fork({ name: `f${i}` });
  const ofForks = await measured(QUERIES, (i) => find(i, `f${(i * 37) % forks}`));
  report.row(`svc: text in ${forks.toLocaleString('en-US')} forks, p50 / p99`, shown(ofForks));
  const grown = process.memoryUsage().arrayBuffers - arrayBuffers;
  report.row('svc: further memory of segments for these forks', `${Math.max(0, grown / 1024 / 1024).toFixed(1)} MiB`, 'outside of the JavaScript heap');
  return later;
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
  transaction(work: () => void): () => void;
  close(): void;
}

async function benchFts5(report: Report, folder: string, { documents, queries }: Texts, svc: Quantiles): Promise<void> {
  try {
    const Sqlite = (await peerModule('better-sqlite3')) as new (path: string) => Sqlite;
    const sqlite = new Sqlite(join(folder, 'find.sqlite'));
    sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE VIRTUAL TABLE docs USING fts5 (text, tokenize = 'porter')");
    const insert = sqlite.prepare('INSERT INTO docs (rowid, text) VALUES (?, ?)');
    sqlite.transaction(() => documents.forEach((text, i) => insert.run(i + 1, text)))();
    const select = sqlite.prepare('SELECT rowid, bm25(docs) FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 20');
    const found = await measured(QUERIES, (i) => select.all(queries[i].join(' OR ')));
    const update = sqlite.prepare('UPDATE docs SET text = ? WHERE rowid = ?');
    const putMs = await timed(200, (i) => update.run(documents[i], ((i * 7919) % documents.length) + 1));
    sqlite.close();
    report.row('SQLite FTS5: text, p50 / p99', shown(found), 'without a total');
    report.row('SQLite FTS5: durable update of one row', ms(putMs));
    report.row('svc against FTS5: text takes, p50', times(svc.p50 / found.p50));
  } catch (error) {
    report.row('SQLite FTS5', 'skipped', `better-sqlite3 cannot be used here: ${(error as Error).message.split('\n')[0]}`);
  }
}

async function startedPostgres(report: Report): Promise<Postgres | null> {
  if (Postgres.installed) return Postgres.start();
  report.row('Postgres 15', 'skipped', 'install the Debian package postgresql-15');
  return null;
}

async function benchTsRank(report: Report, postgres: Postgres | null, { documents, queries }: Texts): Promise<void> {
  if (postgres === null) return;
  try {
    const path = postgres.file('docs.tsv', documents.map((text, i) => `${i}\t${text}\n`).join(''));
    postgres.psql('CREATE TABLE docs (id int PRIMARY KEY, text text)');
    postgres.psql(`COPY docs FROM '${path}'`);
    postgres.psql("ALTER TABLE docs ADD COLUMN v tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED");
    postgres.psql('CREATE INDEX ON docs USING gin (v)');
    postgres.psql('VACUUM ANALYZE docs');
    const asked = `ARRAY[${queries.map((words) => `'${words.join(' | ')}'`).join(',')}]`;
    const out = postgres.psql(`CREATE FUNCTION searched() RETURNS SETOF float8 LANGUAGE plpgsql AS $$
      DECLARE q text; begun timestamptz;
      BEGIN
        FOREACH q IN ARRAY ${asked} LOOP
          begun := clock_timestamp();
          PERFORM id, ts_rank(v, to_tsquery('english', q)) AS r FROM docs WHERE v @@ to_tsquery('english', q) ORDER BY r DESC LIMIT 20;
          RETURN NEXT extract(epoch FROM clock_timestamp() - begun) * 1000;
        END LOOP;
      END $$;
      SELECT count(*) FROM searched();
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t), percentile_disc(0.99) WITHIN GROUP (ORDER BY t) FROM searched() t`);
    const [p50, p99] = out.trim().split('\n').at(-1)!.split('\t').map(Number);
    report.row('Postgres 15: ts_rank over GIN, p50 / p99, inside the server', shown({ p50, p99 }), 'without a total');
  } finally {
    await postgres.stop();
  }
}

interface Hnsw {
  initIndex(options: { maxElements: number; m: number; efConstruction: number }): void;
  addPoint(vector: number[], label: number): void;
  setEf(ef: number): void;
  searchKnn(vector: number[], count: number): { neighbors: number[] };
}

async function benchVectors(report: Report, db: Database, { vectors, dimensions }: FindSizes): Promise<void> {
  const random = new Random(2);
  const around = (center: readonly number[]): number[] => {
    const raw = center.map((x) => x + (random.next() - 0.5) * 0.6);
    const length = Math.hypot(...raw);
    return raw.map((x) => Math.fround(x / length));
  };
  const centers = Array.from({ length: 200 }, () => Array.from({ length: dimensions }, () => random.next() - 0.5));
  const all = Array.from({ length: vectors }, (_, i) => around(centers[i % 200]));
  const queries = Array.from({ length: QUERIES }, (_, i) => around(centers[(i * 7) % 200]));
  await db.sql({ sql: `CREATE EXTENSION IF NOT EXISTS vector; CREATE TABLE points (id int PRIMARY KEY, n int, e vector(${dimensions}))` });
  for (let at = 0; at < vectors; at += 100) {
    const rows = all
      .slice(at, at + 100)
      .map((vector, i) => ({ table: 'points', id: String(at + i), record: { n: (at + i) % 1000, e: `[${vector.join(',')}]` } }));
    await db.batch({ rows });
  }
  const find = async (i: number): Promise<number[]> => {
    const { hits } = await db.find({ table: 'points', vector: queries[i % QUERIES], vector_field: 'e', limit: 10 });
    return hits.map(({ id }) => Number(id));
  };
  report.row('svc: the first search by a vector, which builds the segment', ms(await timed(1, () => find(0))));
  // Without an index all vectors are compared.
  const exact = async (i: number): Promise<number[]> => {
    const { rows } = (await db.sql({ sql: 'SELECT id FROM points ORDER BY e <#> $1::vector LIMIT 10', params: [`[${queries[i].join(',')}]`] })).results[0];
    return rows.map((row) => Number(row['id']));
  };
  report.row('svc: nearest 10 in SQL without an index, exact, p50 / p99', shown(await measured(20, exact)));
  const cpu = process.cpuUsage();
  const begun = performance.now();
  while (db.stats()['vector_lists_built'] === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (vectors < LISTS_FROM) break;
  }
  const { user, system } = process.cpuUsage(cpu);
  report.row('svc: the approximate index is built, beside other work', ms(performance.now() - begun), `${ms((user + system) / 1000)} of processor time`);
  report.row('svc: vector, p50 / p99', shown(await measured(QUERIES, find)), 'the reply has the vectors of ten rows as text');
  let found = 0;
  for (let i = 0; i < 50; i++) {
    const wanted = new Set(await exact(i));
    found += (await find(i)).filter((id) => wanted.has(id)).length;
  }
  report.row('svc: recall@10', (found / 500).toFixed(3));
  await db.fork({ name: 'of_vectors' });
  const inFork = (i: number): Promise<unknown> =>
    db.find({ branch: 'of_vectors', table: 'points', vector: queries[i % QUERIES], vector_field: 'e', limit: 10 });
  report.row('svc: vector in a fresh fork, p50 / p99', shown(await measured(QUERIES, inFork)));
  await db.sql({ sql: 'CREATE INDEX ON points USING hnsw (e vector_ip_ops)' });
  for (const below of [1, 10, 100, 500, 1000]) {
    const sql = `SELECT id FROM points WHERE n < ${below} ORDER BY e <#> $1::vector LIMIT 10`;
    const found = await measured(20, (i) => db.sql({ sql, params: [`[${queries[i].join(',')}]`] }));
    report.row(`svc: nearest 10 of ${below / 10} % in SQL, p50 / p99`, shown(found));
  }
  try {
    const { HierarchicalNSW } = (await peerModule('hnswlib-node')) as { HierarchicalNSW: new (space: string, dimensions: number) => Hnsw };
    const index = new HierarchicalNSW('ip', dimensions);
    index.initIndex({ maxElements: vectors, m: 16, efConstruction: 100 });
    const started = performance.now();
    all.forEach((vector, i) => index.addPoint(vector, i));
    report.row('hnswlib: build', ms(performance.now() - started));
    index.setEf(64);
    report.row('hnswlib (M 16, ef 64): vector, p50 / p99', shown(await measured(QUERIES, (i) => index.searchKnn(queries[i], 10))));
    let same = 0;
    for (let i = 0; i < 50; i++) {
      const exact = new Set(await find(i));
      same += index.searchKnn(queries[i], 10).neighbors.filter((label) => exact.has(label)).length;
    }
    report.row('hnswlib: recall@10', (same / 500).toFixed(3));
  } catch (error) {
    report.row('hnswlib', 'skipped', `hnswlib-node cannot be used here: ${(error as Error).message.split('\n')[0]}`);
  }
}

async function benchWhere(report: Report, db: Database, rows: number): Promise<void> {
  await db.sql({ sql: `CREATE TABLE many (id int PRIMARY KEY, city int, name text)` });
  for (let at = 0; at < rows; at += 100_000) {
    await db.sql({ sql: `INSERT INTO many SELECT i, i % (${rows} / 10), 'n' || i FROM generate_series(${at}, ${Math.min(rows, at + 100_000) - 1}) i` });
  }
  await db.sql({ sql: 'CREATE INDEX ON many (city)' });
  const found = await measured(500, (i) => db.find({ table: 'many', where: { city: (i * 7919) % (rows / 10) } }));
  report.row(`svc: find where on an indexed field of ${rows.toLocaleString('en-US')} rows, p50 / p99`, shown(found), '10 hits each');
}
