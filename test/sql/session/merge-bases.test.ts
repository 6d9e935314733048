/** The base of a merge is what both worlds last had in common: the fork, or the last merge or rebase between them, in either direction. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../suite/random.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
let at = 0;
beforeAll(async () => {
  t = await TestDatabase.open();
});
afterAll(() => t.close());

/** A world with a table, and as many forks of it. */
async function worlds(count: number): Promise<{ main: string; forks: string[] }> {
  const main = `m${++at}`;
  await t.run(`CREATE WORLD ${main}`);
  await t.run('CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)', main);
  const forks = Array.from({ length: count }, (_, i) => `${main}_${i}`);
  for (const fork of forks) await t.run(`CREATE WORLD ${fork} FROM ${main}`);
  return { main, forks };
}
const rows = (world: string): Promise<string[]> => t.lines('SELECT id, v FROM t ORDER BY id', world);
const merge = async (from: string, into: string, how = ''): Promise<number> =>
  Number((await t.rows(`MERGE WORLD ${from} INTO ${into} ${how}`)).map(({ merged }) => merged as string)[0]);

describe.each(['at once', 'after a restart', 'from the log alone'])('%s', (when) => {
  const meanwhile = async (): Promise<void> => {
    if (when !== 'at once') await t.reopen({ withoutCache: when === 'from the log alone' });
  };

  test('a second merge into a sibling brings back nothing that was deleted there', async () => {
    const { forks } = await worlds(2);
    const [a, b] = forks;
    await t.run('INSERT INTO t VALUES (4, 4), (5, 5)', a);
    expect(await merge(a, b)).toBe(2);
    await t.run('DELETE FROM t WHERE id > 3', b);
    await meanwhile();
    expect(await merge(a, b)).toBe(0);
    expect(await rows(b)).toEqual(['1 1', '2 2', '3 3']);
  });

  test('a row that the sibling put back stays, a value that it set back stays, a row that it alone edits is no conflict', async () => {
    const { forks } = await worlds(2);
    const [a, b] = forks;
    await t.run('DELETE FROM t WHERE id = 1; UPDATE t SET v = 20 WHERE id = 2; UPDATE t SET v = 30 WHERE id = 3', a);
    await merge(a, b);
    await t.run('INSERT INTO t VALUES (1, 1); UPDATE t SET v = 2 WHERE id = 2; UPDATE t SET v = 31 WHERE id = 3', b);
    await meanwhile();
    expect(await merge(a, b)).toBe(0);
    expect(await rows(b)).toEqual(['1 1', '2 2', '3 31']);
    // And back: what came since comes.
    expect(await merge(b, a)).toBe(3);
    expect(await rows(a)).toEqual(['1 1', '2 2', '3 31']);
    expect(await merge(a, b)).toBe(0);
  });

  test('the parent merged into a fork brings its changes and deletions, and conflicts with nothing that the fork left alone', async () => {
    const { main, forks } = await worlds(1);
    const [w] = forks;
    await t.run('UPDATE t SET v = 10 WHERE id = 1', w);
    await t.run('DELETE FROM t WHERE id = 2; UPDATE t SET v = 33 WHERE id = 3; INSERT INTO t VALUES (4, 4)', main);
    await meanwhile();
    expect(await merge(main, w)).toBe(3);
    expect(await rows(w)).toEqual(['1 10', '3 33', '4 4']);
    expect(await t.lines(`DIFF WORLD ${w} COUNT`)).toHaveLength(1);
    expect(await merge(main, w)).toBe(0);
    expect((await t.rows(`MERGE WORLD ${w}`))[0]).toMatchObject({ merged: 1 });
    expect(await rows(main)).toEqual(['1 10', '3 33', '4 4']);
  });

  test('so does its parent, two forks away', async () => {
    const { main, forks } = await worlds(1);
    const inner = `${forks[0]}_in`;
    await t.run(`CREATE WORLD ${inner} FROM ${forks[0]}`);
    await t.run('UPDATE t SET v = 10 WHERE id = 1', inner);
    await t.run('DELETE FROM t WHERE id = 2', main);
    await meanwhile();
    expect(await merge(main, inner)).toBe(1);
    expect(await merge(inner, main)).toBe(1);
    expect(await rows(inner)).toEqual(await rows(main));
  });

  test('after a rebase of both the siblings have the parent in common as it is now', async () => {
    const { main, forks } = await worlds(2);
    const [a, b] = forks;
    await t.run('UPDATE t SET v = 9 WHERE id = 1', main);
    for (const each of forks) await t.run(`REBASE WORLD ${each}`);
    await t.run('UPDATE t SET v = 1 WHERE id = 1', b);
    await t.run('UPDATE t SET v = 8 WHERE id = 2', a);
    await meanwhile();
    expect(await merge(a, b)).toBe(1);
    expect(await rows(b)).toEqual(['1 1', '2 8', '3 3']);
  });

  test('definitions that were merged and taken away again stay away', async () => {
    const { forks } = await worlds(2);
    const [a, b] = forks;
    await t.run('ALTER TABLE t ADD n int DEFAULT 5; CREATE VIEW v AS SELECT n FROM t; CREATE INDEX i ON t (v)', a);
    await merge(a, b);
    await t.run('DROP VIEW v; ALTER TABLE t DROP n; DROP INDEX i', b);
    await meanwhile();
    await merge(a, b);
    await t.refused('42703', 'SELECT n FROM t', { branch: b });
    await t.refused('42P01', 'SELECT * FROM v', { branch: b });
    expect(await t.lines(`SELECT count(*) FROM pg_class WHERE relname = 'i'`, b)).toEqual(['0']);
  });

  test('two that two others have both taken in are what those have in common', async () => {
    const { forks } = await worlds(4);
    const [a, b, c, d] = forks;
    await t.run('INSERT INTO t VALUES (10, 1)', a);
    await t.run('INSERT INTO t VALUES (20, 1)', b);
    for (const into of [c, d]) for (const from of [a, b]) expect(await merge(from, into)).toBe(1);
    await t.run('DELETE FROM t WHERE id >= 10', d);
    await meanwhile();
    expect(await merge(c, d)).toBe(0);
    expect(await rows(d)).toEqual(['1 1', '2 2', '3 3']);
    expect(await merge(d, c)).toBe(2);
    expect(await rows(c)).toEqual(await rows(d));
  });
});

test('a partial merge into a sibling resolves its rows between the two', async () => {
  const { forks } = await worlds(2);
  const [a, b] = forks;
  await t.run('UPDATE t SET v = v * 10', a);
  await t.run(`MERGE WORLD ${a} INTO ${b} KEYS ('t/1')`).catch(() => t.db.merge({ branch: a, into: b, only_keys: ['t/1'] }));
  await t.run('UPDATE t SET v = 1 WHERE id = 1', b);
  expect(await merge(a, b)).toBe(2);
  expect(await rows(b)).toEqual(['1 1', '2 20', '3 30']);
});

test.each([1, 2, 3, 4])('merging twice in a row brings nothing the second time, after any earlier merges: seed %s', async (seed) => {
  const random = new Random(seed);
  const { main, forks } = await worlds(3);
  const all = [main, ...forks];
  for (let step = 0; step < 40; step++) {
    const world = all[random.below(all.length)];
    const id = 1 + random.below(8);
    if (random.chance(0.3)) await t.run(`DELETE FROM t WHERE id = ${id}`, world);
    else await t.run(`INSERT INTO t VALUES (${id}, ${step}) ON CONFLICT (id) DO UPDATE SET v = ${step}`, world);
    if (!random.chance(0.4)) continue;
    const [from, into] = [all[random.below(all.length)], all[random.below(all.length)]];
    if (from === into) continue;
    await merge(from, into, `RESOLVE ${random.chance(0.5) ? 'OURS' : 'THEIRS'}`);
    const then = await rows(into);
    expect(await merge(from, into), `${from} into ${into} at step ${step}`).toBe(0);
    expect(await rows(into)).toEqual(then);
  }
});
