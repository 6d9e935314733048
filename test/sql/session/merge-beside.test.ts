/**
 * Long merges beside other clients: they go on in slices, say how far they are, can be given up, and come out the same whatever the world
 * merged into does meanwhile.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

const ROWS = 30_000;

let db: TestDatabase;
beforeEach(async () => {
  db = await TestDatabase.open();
  await db.rows(`CREATE TABLE big (id int PRIMARY KEY, v int); INSERT INTO big SELECT n, n FROM generate_series(1, ${ROWS}) n`);
  await db.rows('CREATE TABLE other (id serial PRIMARY KEY, n int)');
  await db.rows('CREATE WORLD w');
  await db.rows('ALTER TABLE big ADD COLUMN g int GENERATED ALWAYS AS (v * 2) STORED; CREATE INDEX ON big (g)', { branch: 'w' });
  await db.rows('UPDATE big SET v = v + 1 WHERE id <= 500; ALTER TABLE big ADD CHECK (v > -1)');
});
afterEach(() => db.close());

/** Rows whose generated column is wrong, and those that the index finds. */
const looked = (): Promise<unknown[]> =>
  db.rows(`SELECT count(*) AS n, count(*) FILTER (WHERE g IS DISTINCT FROM v * 2) AS wrong, (SELECT count(*) FROM big WHERE g > 0) AS found FROM big`);

describe('a merge of a changed definition over many rows', () => {
  test('yields, and reports its progress', async () => {
    let done = false;
    const progress: [number, number][] = [];
    let turns = 0;
    const merging = db.db.merge({ branch: 'w' }, undefined, { onProgress: (at, of) => void progress.push([at, of]) }).finally(() => (done = true));
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(await merging).toEqual({ merged: ROWS });
    expect(turns).toBeGreaterThan(20);
    expect(progress.length).toBeGreaterThan(5);
    for (const [at, of] of progress) expect(at).toBeLessThanOrEqual(of);
    expect(progress.map(([at]) => at)).toEqual(progress.map(([at]) => at).sort((a, b) => a - b));
    expect(await looked()).toEqual([{ n: ROWS, wrong: 0, found: ROWS }]);
  });

  test.each([
    ['another table', 'INSERT INTO other (n) VALUES (1)'],
    ['the table', 'UPDATE big SET v = v + 1 WHERE id = 7'],
    ['its definition', 'COMMENT ON TABLE big IS $$large$$'],
  ])('comes out the same where the world writes %s all the time', async (_what, sql) => {
    let done = false;
    let writes = 0;
    const merging = db.db.merge({ branch: 'w' }).finally(() => (done = true));
    while (!done) {
      await db.rows(sql);
      writes++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await merging).toEqual({ merged: ROWS });
    expect(writes).toBeGreaterThan(1);
    expect(await looked()).toEqual([{ n: ROWS, wrong: 0, found: ROWS }]);
    const [{ n, high }] = (await db.rows('SELECT count(*) AS n, coalesce(max(id), 0) AS high FROM other')) as { n: number; high: number }[];
    expect(n).toBe(high);
    // From the log alone it is the same again, and so it is taken back.
    await db.reopen({ withoutCache: true });
    expect(await looked()).toEqual([{ n: ROWS, wrong: 0, found: ROWS }]);
    await db.db.verify();
    // A row that was written after it is in the way of undoing it.
    if (sql.startsWith('UPDATE')) return;
    await db.db.undo_merge({ branch: 'w' });
    expect(
      await db.rows("SELECT string_agg(column_name, ' ' ORDER BY ordinal_position) AS columns FROM information_schema.columns WHERE table_name = 'big'"),
    ).toEqual([{ columns: 'id v' }]);
  });

  /** Runs the statement on main until the work is done; how often. */
  async function beside(work: Promise<unknown>, sql: string): Promise<number> {
    let done = false;
    let writes = 0;
    const working = work.finally(() => (done = true));
    while (!done) {
      await db.rows(sql);
      writes++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await working;
    return writes;
  }

  test.each([
    ['another table', 'INSERT INTO other (n) VALUES (1)'],
    ['the table', 'UPDATE big SET v = v + 1 WHERE id = 7'],
  ])('is rebased while the world writes %s all the time', async (_what, sql) => {
    expect(await beside(db.db.rebase({ branch: 'w' }), sql)).toBeGreaterThan(1);
    expect(await db.rows('SELECT count(*) FILTER (WHERE g IS DISTINCT FROM v * 2) AS wrong FROM big', { branch: 'w' })).toEqual([{ wrong: 0 }]);
  });

  test('is undone while the world keeps writing another table', async () => {
    await db.db.merge({ branch: 'w' });
    const writes = await beside(db.db.undo_merge({ branch: 'w' }), 'INSERT INTO other (n) VALUES (1)');
    expect(writes).toBeGreaterThan(1);
    const rows = 'SELECT * FROM big WHERE id IN (7, 700) ORDER BY id';
    const taken = [
      { id: 7, v: 8 },
      { id: 700, v: 700 },
    ];
    expect(await db.rows(rows)).toEqual(taken);
    await db.reopen({ withoutCache: true });
    expect(await db.rows(rows)).toEqual(taken);
    expect(await db.rows('SELECT count(*) AS n FROM other')).toEqual([{ n: writes }]);
  });

  test('is cancelled by its signal, and leaves nothing', async () => {
    const abort = new AbortController();
    const merging = db.db.merge({ branch: 'w' }, undefined, { signal: abort.signal, onProgress: () => abort.abort(new Error('given up')) });
    await expect(merging).rejects.toThrow('given up');
    expect(await db.rows('SELECT count(*) AS n FROM big')).toEqual([{ n: ROWS }]);
    expect(await db.db.merge({ branch: 'w' })).toEqual({ merged: ROWS });
  });

  test('shows in a dry run what then comes', async () => {
    const { summary } = await db.db.preview({ branch: 'w' });
    expect(summary).toEqual([{ table: 'big', deleted: 0, updated: ROWS, inserted: 0 }]);
    expect(await db.db.merge({ branch: 'w' })).toEqual({ merged: ROWS });
  });
});
