/** The history of a row, by the commands: which writes it lists, under which names, and where it ends. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryEvent, HistoryInput, Row } from '../../src/commands/contract.ts';
import { codeOf, type Governed, MERGER, openGoverned } from '../governance/open-governed.ts';

let governed: Governed;
beforeEach(async () => void (governed = await openGoverned()));
afterEach(() => governed.close());

async function sql(text: string, branch = 'main'): Promise<Row[]> {
  governed.clock.step();
  return (await governed.db.sql({ branch, sql: text })).results.at(-1)!.rows;
}

async function history(table: string, id: string, more: HistoryInput = {}): Promise<HistoryEvent[]> {
  return (await governed.db.history({ table, id, ...more })).events;
}

/** Event, world and what changed: `merge main v 1 -> 2`. */
function described({ event, world, before, after, columns }: HistoryEvent): string {
  const value = (row: Row | null | undefined, column: string): string => (row == null || !(column in row) ? '' : String(row[column]));
  return `${event} ${world} ${columns!.map((column) => `${column} ${value(before, column)}>${value(after, column)}`).join(', ')}`;
}

const TABLE = `CREATE TABLE t (id int PRIMARY KEY, v int, w text); INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b')`;

/** Steps as `world: statement`, and the history of row 1 of t (or of the given table) in main, newest first. */
const CASES: { name: string; steps: string[]; table?: string; id?: string; branch?: string; events: string[] }[] = [
  {
    name: 'writes of the world itself',
    steps: ['UPDATE t SET v = 5 WHERE id = 1', 'UPDATE t SET v = 9 WHERE id = 2', 'DELETE FROM t WHERE id = 1'],
    events: ['write main id 1>, v 5>, w a>', 'write main v 1>5', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a merge, with the writes of the branch beneath it',
    steps: ['w', 'w: UPDATE t SET v = 2 WHERE id = 1', "w: UPDATE t SET w = 'c' WHERE id = 1", 'MERGE WORLD w'],
    events: ['merge main v 1>2, w a>c', 'write w w a>c', 'write w v 1>2', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a merge that did not bring the row does not mention the branch',
    steps: ['w', 'w: UPDATE t SET v = 2', 'UPDATE t SET v = 3 WHERE id = 1', `MERGE WORLD w ROWS '{"t/1": "ours"}'`],
    events: ['write main v 1>3', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'merges of merges, and parts of a branch that stays',
    steps: [
      'w',
      'x < w',
      'x: UPDATE t SET v = 2 WHERE id = 1',
      'MERGE WORLD x',
      'MERGE WORLD w ONLY TABLES (t)',
      'w: UPDATE t SET v = 3 WHERE id = 1',
      'MERGE WORLD w',
    ],
    events: ['merge main v 2>3', 'write w v 2>3', 'merge part main v 1>2', 'merge w v 1>2', 'write x v 1>2', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'an undone merge',
    steps: ['w', 'w: DELETE FROM t WHERE id = 1', 'MERGE WORLD w', 'UNDO MERGE w'],
    events: ['undo merge main id >1, v >1, w >a', 'merge main id 1>, v 1>, w a>', 'write w id 1>, v 1>, w a>', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a restore',
    steps: ['CHECKPOINT c', 'UPDATE t SET v = 8', 'RESTORE WORLD main TO CHECKPOINT c'],
    events: ['restore main v 8>1', 'write main v 1>8', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'in a fork, inherited history continues in the parent, without later events',
    steps: ['UPDATE t SET v = 2 WHERE id = 1', 'w', 'UPDATE t SET v = 3 WHERE id = 1', 'w: UPDATE t SET v = 4 WHERE id = 1'],
    branch: 'w',
    events: ['write w v 2>4', 'write main v 1>2', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a rebase brings what the parent wrote meanwhile',
    steps: ['w', "w: UPDATE t SET w = 'c' WHERE id = 1", 'UPDATE t SET v = 3 WHERE id = 1', 'REBASE WORLD w BY COLUMNS'],
    branch: 'w',
    events: ['rebase w v 1>3', 'write main v 1>3', 'write w w a>c', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a renamed table and column, by the names of now',
    steps: ['UPDATE t SET v = 2 WHERE id = 1', 'ALTER TABLE t RENAME v TO u; ALTER TABLE t RENAME TO s', 'UPDATE s SET u = 3 WHERE id = 1'],
    table: 's',
    events: ['write main u 2>3', 'write main u 1>2', 'write main id >1, u >1, w >a'],
  },
  {
    name: 'a table that was dropped and made again is another table',
    steps: ['UPDATE t SET v = 2', 'DROP TABLE t', 'CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 7)'],
    events: ['write main id >1, v >7'],
  },
  {
    name: 'a truncated table',
    steps: ['TRUNCATE t', 'INSERT INTO t VALUES (1, 4)'],
    events: ['write main id >1, v >4, w >null', 'write main id 1>, v 1>, w a>', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'columns that come with a default, change their type and go',
    steps: [
      'ALTER TABLE t ADD d int DEFAULT 7',
      'UPDATE t SET d = 8 WHERE id = 1',
      "ALTER TABLE t ALTER v TYPE text USING v || '!'",
      'ALTER TABLE t DROP d',
      'ALTER TABLE t ADD e int',
    ],
    events: ['write main d 8>', 'write main v 1>1!', 'write main d 7>8', 'write main d >7', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a key of another type, by the id of now',
    steps: ['UPDATE t SET v = 2 WHERE id = 1', 'ALTER TABLE t ALTER id TYPE text', 'UPDATE t SET v = 3 WHERE id = $$1$$'],
    events: ['write main v 2>3', 'write main id 1>1', 'write main v 1>2', 'write main id >1, v >1, w >a'],
  },
  {
    name: 'a table that a branch made',
    steps: ['w', 'w: CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n VALUES (1, 1)', 'w: UPDATE n SET v = 2', 'MERGE WORLD w'],
    table: 'n',
    events: ['merge main id >1, v >2', 'write w v 1>2', 'write w id >1, v >1'],
  },
  {
    name: 'rows of many: loads, updates of all, deletes',
    steps: [
      'CREATE TABLE big (id int PRIMARY KEY, v int); INSERT INTO big SELECT i, i FROM generate_series(1, 5000) i',
      'UPDATE big SET v = v + 1',
      'DELETE FROM big',
    ],
    table: 'big',
    id: '4321',
    events: ['write main id 4321>, v 4322>', 'write main v 4321>4322', 'write main id >4321, v >4321'],
  },
  {
    name: 'a composite key, %-escaped',
    steps: ["CREATE TABLE k (a text, b int, v int, PRIMARY KEY (a, b)); INSERT INTO k VALUES ('x,y', 2, 1)", 'UPDATE k SET v = 2'],
    table: 'k',
    id: 'x%2Cy,2',
    events: ['write main v 1>2', 'write main a >x,y, b >2, v >1'],
  },
  {
    name: "the key ''",
    steps: ["CREATE TABLE e (k text PRIMARY KEY, v int); INSERT INTO e VALUES ('', 1)", 'UPDATE e SET v = 2'],
    table: 'e',
    id: '',
    events: ['write main v 1>2', 'write main k >, v >1'],
  },
  {
    name: 'a table of another schema',
    steps: ['CREATE SCHEMA s; CREATE TABLE s.t (id int PRIMARY KEY, v int); INSERT INTO s.t VALUES (1, 1)', 'UPDATE s.t SET v = 2'],
    table: 's.t',
    events: ['write main v 1>2', 'write main id >1, v >1'],
  },
];

test.each(CASES)('$name', async ({ steps, table = 't', id = '1', branch, events }) => {
  await sql(TABLE);
  for (const step of steps) {
    const fork = /^(\w+)(?: < (\w+))?$/.exec(step);
    const written = /^(\w+): (.*)$/s.exec(step);
    if (fork !== null) await governed.db.fork({ name: fork[1], ...(fork[2] === undefined ? {} : { from: fork[2] }) });
    else if (written !== null) await sql(written[2], written[1]);
    else await sql(step);
  }
  const whole = await history(table, id, { branch });
  // A statement that is a transaction of its own is a write or a commit.
  expect(whole.map(described).map((line) => line.replace(/^commit/, 'write'))).toEqual(events);
  const numbers = whole.map(({ id: event }) => Number(event.slice(1)));
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  // The same in pages of two.
  const paged: HistoryEvent[] = [];
  for (let before: string | undefined; ;) {
    const page = await governed.db.history({ table, id, branch, limit: 2, ...(before === undefined ? {} : { before }) });
    paged.push(...page.events);
    if (page.next === null) break;
    before = page.next;
  }
  expect(paged).toEqual(whole);
  // And after a restart.
  await governed.reopen();
  expect(await history(table, id, { branch })).toEqual(whole);
});

describe('what is said of an event', () => {
  test('who, both worlds, how it was approved, and by which event a write came', async () => {
    await sql(TABLE);
    await governed.db.set_merge_policy({ name: 'careful', rules: { max_rows: 0 } });
    const ann = await governed.agent('ann', { can: MERGER, policy: 'careful' });
    const world = (await ann.fork({ name: 'draft' })).world.id;
    await ann.sql({ branch: 'draft', sql: 'UPDATE t SET v = 9 WHERE id = 1' });
    await ann.merge({ branch: 'draft' }).catch(() => {});
    await governed.db.review({ branch: 'draft', verdict: 'approve' });
    const [merge, write] = await history('t', '1');
    expect(merge).toMatchObject({
      event: 'merge',
      world: 'main',
      change: 'update',
      before: { v: 1 },
      after: { v: 9 },
      branch: { name: 'draft', id: world },
      into: { name: 'main' },
      by: null,
      approval: { way: 'approved', policy: 'careful', by: null },
    });
    expect(write).toMatchObject({ world: 'draft', by: 'ann', via: merge.id, before: { v: 1 }, after: { v: 9 } });
    await governed.db.undo_merge({ branch: 'draft' });
    expect((await history('t', '1'))[0]).toMatchObject({ event: 'undo merge', undoes: merge.id, branch: { id: world }, into: { name: 'main' } });
    // Its state behind the event is read by its id.
    expect((await sql(`SELECT v FROM t AS OF '${merge.id}' WHERE id = 1`))[0]).toEqual({ v: 9 });
  });

  test('an agent that is undone', async () => {
    await sql(TABLE);
    const ann = await governed.agent('ann');
    await ann.sql({ sql: 'UPDATE t SET v = 9 WHERE id = 1' });
    await governed.db.undo_agent({ name: 'ann' });
    expect((await history('t', '1')).slice(0, 2).map((event) => [described(event), event.by])).toEqual([
      ['restore main v 9>1', null],
      ['write main v 1>9', 'ann'],
    ]);
  });

  test('documents: fields that come and go', async () => {
    const { db } = governed;
    await db.put({ table: 'users', id: 'ann', record: { city: 'Oslo' } });
    await db.put({ table: 'users', id: 'ann', record: { city: 'Rome', age: 3 } });
    await db.put({ table: 'users', id: 'ann', record: { age: 3 } });
    expect((await history('users', 'ann')).map(({ before, after, columns }) => [before, after, columns])).toEqual([
      [{ city: 'Rome' }, {}, ['city']],
      [{ city: 'Oslo' }, { city: 'Rome', age: 3 }, ['age', 'city']],
      [null, { city: 'Oslo' }, ['city']],
    ]);
  });

  test('a fork of the past shows what it undoes', async () => {
    await sql(TABLE);
    const { clock } = governed;
    clock.step();
    const at = clock.iso();
    clock.step();
    await sql('UPDATE t SET v = 2 WHERE id = 1');
    await governed.db.fork({ name: 'old', from: `main@${at}` });
    expect((await history('t', '1', { branch: 'old' })).map(described)[0]).toBe('fork old v 2>1');
  });

  test('between events and moments', async () => {
    await sql(TABLE);
    for (let v = 2; v <= 6; v++) await sql(`UPDATE t SET v = ${v} WHERE id = 1`);
    const all = await history('t', '1');
    expect(await history('t', '1', { before: all[1].id, after: all[4].id })).toEqual(all.slice(2, 4));
    expect(await history('t', '1', { before: all[1].at, after: all[4].at })).toEqual(all.slice(2, 4));
    expect((await history('t', '1', { branch: `main@${all[2].at}` })).map(({ id }) => id)).toEqual(all.slice(2).map(({ id }) => id));
    expect(await codeOf(history('t', '1', { before: 'x' }))).toBe('22007');
  });
});

test('an unknown table or row is an error as for get; a deleted row has a history', async () => {
  await sql(TABLE);
  expect(await codeOf(history('none', '1'))).toBe('02000');
  expect(await codeOf(history('t', '77'))).toBe('02000');
  expect(await codeOf(history('t', 'x'))).toBe('22P02');
  expect(await codeOf(governed.db.history({ table: 't' }))).toBe('22023');
  expect(await codeOf(history('t', '1', { branch: 'none' }))).toBe('3D000');
});

test('masked columns and roles: as get', async () => {
  await sql(`${TABLE}; SECURITY LABEL FOR anon ON COLUMN t.w IS 'MASKED WITH VALUE NULL'; ALTER TABLE t RENAME w TO hidden`);
  const ann = await governed.agent('ann');
  expect(await codeOf(ann.history({ table: 't', id: '1' }))).toBe('42501');
  expect((await history('t', '1')).at(-1)!.after).toMatchObject({ hidden: 'a' });
  await sql('CREATE ROLE clerk LOGIN; GRANT SELECT ON t TO clerk');
  const session = governed.db.session();
  await session.run('SET ROLE clerk');
  expect(await codeOf(session.run("SHOW HISTORY FOR ROW 't/1'"))).toBe('42501');
  expect(await codeOf(session.run('SHOW HISTORY'))).toBe('ok');
  session.close();
});
