/** `xmin`: the transaction that wrote a row, rising, the same for every reader, in every world and at every moment. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from '../session/open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)');
});
afterEach(() => t.close());

/** xmin of each row, in order of ids. */
async function versions(from = 't', branch = 'main'): Promise<number[]> {
  return (await t.lines(`SELECT xmin FROM ${from} ORDER BY id`, branch)).map(Number);
}

test('a row that was changed and changed back has a later version', async () => {
  const [first, second] = await versions();
  expect(first).toBe(second);
  await t.run('UPDATE t SET v = 5 WHERE id = 1');
  const [changed] = await versions();
  await t.run('UPDATE t SET v = 0 WHERE id = 1');
  const [back, other] = await versions();
  expect(changed).toBeGreaterThan(first);
  expect(back).toBeGreaterThan(changed);
  expect(other).toBe(second);
});

test('what a write returns is what is read later', async () => {
  for (const sql of [
    'INSERT INTO t VALUES (4, 1) RETURNING xmin',
    'UPDATE t SET v = v + 1 WHERE id = 4 RETURNING xmin',
    'UPDATE t SET v = v WHERE id = 4 RETURNING xmin',
    'INSERT INTO t VALUES (4, 9) ON CONFLICT (id) DO UPDATE SET v = excluded.v RETURNING xmin',
    'MERGE INTO t USING (VALUES (4)) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 100 RETURNING xmin',
  ]) {
    const [returned] = await t.lines(sql);
    expect(await t.lines('SELECT xmin FROM t WHERE id = 4'), sql).toEqual([returned]);
  }
});

test('a version that is still there lets an update pass, an older one does not', async () => {
  const [version] = await t.lines('SELECT xmin FROM t WHERE id = 1');
  expect(await t.lines(`UPDATE t SET v = 1 WHERE id = 1 AND xmin = '${version}' RETURNING v`)).toEqual(['1']);
  expect(await t.lines(`UPDATE t SET v = 2 WHERE id = 1 AND xmin = '${version}' RETURNING v`)).toEqual([]);
});

test('changes since a version are those with a later one', async () => {
  const [last] = await t.lines('SELECT max(xmin::text::bigint) FROM t');
  await t.run('UPDATE t SET v = 7 WHERE id = 2');
  await t.run('INSERT INTO t VALUES (9, 9)');
  expect(await t.lines(`SELECT id FROM t WHERE xmin::text::bigint > ${last} ORDER BY id`)).toEqual(['2', '9']);
  expect(await t.lines('SELECT max(age(xmin)) < 100, min(age(xmin)) >= 0 FROM t')).toEqual(['true true']);
});

test('a transaction sees its number in the rows that it wrote, and others see it afterwards', async () => {
  const [before] = await versions();
  const { results } = await t.db.sql({
    sql: 'BEGIN; UPDATE t SET v = 1 WHERE id = 1; SELECT xmin::text = pg_current_xact_id()::text AS own, xmin FROM t WHERE id = 1; COMMIT',
  });
  const [own, number] = Object.values(results[2].rows![0]).map(String);
  expect(own).toBe('true');
  const [after, other] = await versions();
  expect(after).toBe(Number(number));
  expect(other).toBe(before);
});

test('forks keep the versions of their parent, merges give new ones, the past has those of then', async () => {
  const before = await versions();
  await t.run('UPDATE t SET v = 1 WHERE id = 3');
  const moment = (await t.db.history({ limit: 1 })).events[0].id;
  const then = await versions();
  await t.db.fork({ name: 'f' });
  expect(await versions('t', 'f')).toEqual(then);
  await t.run('UPDATE t SET v = 2 WHERE id = 2', 'f');
  await t.run('UPDATE t SET v = 3 WHERE id = 1');
  const ours = await versions();
  const theirs = await versions('t', 'f');
  expect(theirs[0]).toBe(before[0]);
  expect(theirs[1]).toBeGreaterThan(before[1]);
  await t.db.merge({ branch: 'f' });
  const merged = await versions();
  expect([merged[0], merged[2]]).toEqual([ours[0], ours[2]]);
  expect(merged[1]).toBeGreaterThan(theirs[1]);
  expect(await versions(`t AS OF '${moment}'`)).toEqual(then);
  expect(await versions('t', `main@${moment}`)).toEqual(then);
});

test('a rebase gives versions to the rows that it brings', async () => {
  await t.db.fork({ name: 'f' });
  await t.run('UPDATE t SET v = 2 WHERE id = 2', 'f');
  await t.run('UPDATE t SET v = 3 WHERE id = 1');
  const before = await versions('t', 'f');
  await t.db.rebase({ branch: 'f' });
  const after = await versions('t', 'f');
  expect(after[0]).toBeGreaterThan(before[0]);
  expect(after.slice(1)).toEqual(before.slice(1));
});

test('a restart changes no version, of many records as of few', async () => {
  for (let i = 0; i < 700; i++) await t.db.put({ table: 'other', id: String(i), record: { i } });
  await t.run('UPDATE t SET v = 1 WHERE id = 1 RETURNING xmin');
  const before = await versions();
  await t.reopen();
  expect(await versions()).toEqual(before);
});

test('partitions, tables without keys and keys of text', async () => {
  await t.run(`
    CREATE TABLE p (id text PRIMARY KEY, v int) PARTITION BY LIST (id);
    CREATE TABLE p1 PARTITION OF p FOR VALUES IN ('a', 'b');
    CREATE TABLE p2 PARTITION OF p DEFAULT;
    CREATE TABLE k (id int, v int);
    INSERT INTO p VALUES ('a', 0), ('z', 0);
    INSERT INTO k VALUES (1, 0), (2, 0);
  `);
  for (const [table, first] of [
    ['p', `'a'`],
    ['k', '1'],
  ]) {
    const before = await versions(table);
    const [returned] = await t.lines(`UPDATE ${table} SET v = 1 WHERE id = ${first} RETURNING xmin`);
    const after = await versions(table);
    expect(after).toEqual([Number(returned), before[1]]);
    expect(after[0]).toBeGreaterThan(before[0]);
  }
  expect(await versions('p1')).toEqual([(await versions('p'))[0]]);
});

test('a number that a transaction was given is that of no other, and what became of it is known', async () => {
  const numbers = new Set<string>();
  const seen: string[] = [];
  for (let i = 0; i < 5; i++) {
    seen.push(...(await t.lines(`UPDATE t SET v = ${i + 10} WHERE id = 1 RETURNING xmin`)));
    await t.run(`UPDATE t SET v = ${i + 10} WHERE id = 2`);
    seen.push(String((await versions())[1]));
  }
  for (const each of seen) numbers.add(each);
  expect(numbers.size).toBe(10);
  expect(seen.map(Number)).toEqual(seen.map(Number).sort((a, b) => a - b));
  const { results } = await t.db.sql({ sql: 'BEGIN; SELECT pg_current_xact_id() AS id; ROLLBACK' });
  const rolledBack = results[1].rows![0].id;
  expect(await t.lines(`SELECT pg_xact_status('${rolledBack}'), pg_xact_status('${seen[0]}')`)).toEqual(['aborted committed']);
});
