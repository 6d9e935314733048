/** What a difference, a dry run and a review show of definitions, and how rows count that only a definition changes. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { MergePreview, Row } from '../../src/commands/contract.ts';
import { Random } from '../suite/random.ts';
import { type Governed, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
beforeEach(async () => void (governed = await openGoverned()));
afterEach(() => governed.close());

async function sql(text: string, branch = 'main'): Promise<Row[]> {
  return (await governed.db.sql({ branch, sql: text })).results.at(-1)!.rows;
}

async function refused(work: Promise<unknown>): Promise<SvcError> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

const TABLE = `CREATE TABLE t (id int PRIMARY KEY, v int, w text); INSERT INTO t SELECT i, i, 'x' FROM generate_series(1, 20) i;
  CREATE TABLE gone (a int PRIMARY KEY); INSERT INTO gone VALUES (1), (2); CREATE VIEW seen AS SELECT id, w FROM t;`;

/** Statement of the branch, what it changes, and how many rows of which table read otherwise. */
const CASES: [statement: string, objects: [string, string][], rows: Record<string, number>][] = [
  [
    'ALTER TABLE t DROP v; ALTER TABLE t ADD v text',
    [
      ['column t.v', 'drop'],
      ['column t.v', 'create'],
    ],
    { t: 20 },
  ],
  ['ALTER TABLE t DROP v', [['column t.v', 'drop']], { t: 20 }],
  ['ALTER TABLE t ADD d int DEFAULT 7', [['column t.d', 'create']], { t: 20 }],
  ['ALTER TABLE t ADD d int', [['column t.d', 'create']], {}],
  ['ALTER TABLE t ALTER v TYPE text USING v || $$!$$', [['column t.v', 'alter']], { t: 20 }],
  ['ALTER TABLE t RENAME v TO u', [['column t.u', 'alter']], {}],
  ['ALTER TABLE t ALTER v SET NOT NULL', [['column t.v', 'alter']], {}],
  ['ALTER TABLE gone RENAME TO here', [['table here', 'alter']], {}],
  ['DROP TABLE gone', [['table gone', 'drop']], { gone: 2 }],
  ['CREATE TABLE empty (a int)', [['table empty', 'create']], {}],
  ['CREATE VIEW also AS SELECT id FROM t', [['view also', 'create']], {}],
  ['DROP VIEW seen', [['view seen', 'drop']], {}],
  ['CREATE INDEX by_v ON t (v)', [['index by_v', 'create']], {}],
  ['ALTER TABLE t ADD CONSTRAINT positive CHECK (v > 0)', [['constraint positive on t', 'create']], {}],
  ["CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'", [['function f(integer)', 'create']], {}],
  ['CREATE TRIGGER same BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()', [['trigger same on t', 'create']], {}],
  ["CREATE TYPE mood AS ENUM ('a')", [['type mood', 'create']], {}],
  ["COMMENT ON COLUMN t.v IS 'x'", [['comment on column t.v', 'create']], {}],
  ['CREATE SEQUENCE numbers', [['sequence numbers', 'create']], {}],
  ['CREATE PUBLICATION p FOR TABLE t', [['publication p', 'create']], {}],
];

test.each(CASES)('%s is shown everywhere, and merges as it was shown', async (statement, objects, rows) => {
  const { db } = governed;
  await sql(TABLE);
  await db.fork({ name: 'w' });
  await sql(statement, 'w');
  const shown = (list: { object: string; change: string }[] | undefined): [string, string][] => (list ?? []).map(({ object, change }) => [object, change]);
  const diff = await db.diff({ branch: 'w' });
  expect(shown(diff.definitions)).toEqual(expect.arrayContaining(objects));
  for (const { statement: made } of diff.definitions!) expect(made).not.toBe('');
  const counted = await db.diff({ branch: 'w', count: true });
  expect(counted.tables).toEqual(rows);
  expect(counted.definitions).toEqual(diff.definitions);
  const preview = await db.preview({ branch: 'w' });
  expect(shown(preview.definitions)).toEqual(shown(diff.definitions));
  const total = Object.values(rows).reduce((a, b) => a + b, 0);
  expect(preview.rows.filter(({ outcome }) => outcome !== 'keep')).toHaveLength(total);
  expect(diff.changes).toHaveLength(total);
  for (const command of ['DIFF WORLD w', 'MERGE WORLD w DRY RUN']) {
    const keys = (await sql(command)).map(({ key }) => key);
    for (const [object] of objects) expect(keys).toContain(`definition/${object}`);
  }
  // What was added or dropped is no error to merge; its count is what was shown.
  expect((await db.merge({ branch: 'w' })).merged).toBe(total);
});

test('paging of a diff continues through rows that only a definition changes', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.fork({ name: 'w' });
  await sql('ALTER TABLE t DROP v; UPDATE t SET w = $$y$$ WHERE id = 3; DELETE FROM t WHERE id = 5; INSERT INTO t VALUES (0, $$n$$)', 'w');
  const keys: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await db.diff({ branch: 'w', limit: 3, ...(after === undefined ? {} : { after }) });
    keys.push(...page.changes!.map(({ key }) => key));
    after = page.next!;
  }
  expect(keys).toEqual(Array.from({ length: 21 }, (_, i) => `t/${i}`));
  expect((await db.diff({ branch: 'w', count: true })).summary).toEqual([{ table: 't', deleted: 1, updated: 19, inserted: 1 }]);
});

test('an agent that may change five rows does not blank twenty by a definition', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.set_merge_policy({ name: 'few', rules: { max_rows: 5, max_deletes: 1, schema: true } });
  const ann = await governed.agent('ann', { policy: 'few' });
  const held: [string, string[]][] = [
    ['ALTER TABLE t DROP v; ALTER TABLE t ADD v text', ['max_rows']],
    ['ALTER TABLE t DROP v', ['max_rows']],
    ['ALTER TABLE t ADD d int DEFAULT 7', ['max_rows']],
    ['DROP TABLE gone', ['max_deletes']],
    ['ALTER TABLE t ADD d int', []],
  ];
  for (const [i, [statement, rules]] of held.entries()) {
    await ann.fork({ name: `w${i}` });
    await sql(statement, `w${i}`);
    if (rules.length === 0) expect((await ann.merge({ branch: `w${i}` })).merged).toBe(0);
    else expect((await reasonsOf(ann.merge({ branch: `w${i}` }))).map(({ rule }) => rule)).toEqual(rules);
  }
  const { reviews } = await db.reviews();
  expect(reviews[0].definitions!.map(({ object }) => object)).toEqual(['column t.v', 'column t.v']);
  expect(reviews[0].changes).toEqual([{ table: 't', deleted: 0, updated: 20, inserted: 0 }]);
});

test('rows of a preview have the shape of the result', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.fork({ name: 'w' });
  await sql('UPDATE t SET w = $$y$$ WHERE id = 1; DELETE FROM t WHERE id = 2', 'w');
  await sql('ALTER TABLE t DROP v; ALTER TABLE t ADD d int DEFAULT 7');
  const { rows } = await db.preview({ branch: 'w' });
  expect(rows.map(({ base, ours, theirs, result }) => [base, ours, theirs, result])).toEqual([
    [{ id: 2, w: 'x', d: 7 }, { id: 2, w: 'x', d: 7 }, null, null],
    [
      { id: 1, w: 'x', d: 7 },
      { id: 1, w: 'x', d: 7 },
      { id: 1, w: 'y', d: 7 },
      { id: 1, w: 'y', d: 7 },
    ],
  ]);
  await db.fork({ name: 'typed' });
  await sql('ALTER TABLE t ALTER d TYPE text USING d || $$!$$; DROP TABLE gone', 'typed');
  const typed = await db.preview({ branch: 'typed' });
  expect(typed.rows[0]).toMatchObject({ key: 'gone/1', base: { a: 1 }, ours: { a: 1 }, theirs: null, result: null, delete: true });
  expect(typed.rows.find(({ key }) => key === 't/1')).toMatchObject({ base: { d: 7 }, ours: { d: 7 }, theirs: { d: '7!' }, result: { d: '7!' } });
});

test('what breaks a constraint is a row of the dry run, with advice that works', async () => {
  const { db } = governed;
  await sql('CREATE TABLE u (id int PRIMARY KEY, e text UNIQUE); CREATE TABLE c (id int PRIMARY KEY, u int REFERENCES u)');
  await db.fork({ name: 'w' });
  await sql(`INSERT INTO u VALUES (1, 'b')`, 'w');
  await sql(`INSERT INTO u VALUES (2, 'b')`);
  expect((await sql('MERGE WORLD w DRY RUN')).map(({ key, outcome }) => [key, outcome])).toEqual([['u/1', 'conflict']]);
  const error = await refused(db.merge({ branch: 'w', resolve: 'theirs' }));
  expect(error.message).toBe('1 row would break a constraint of the result; nothing was merged');
  expect(error.hint).not.toContain('`resolve` "ours"');
  await db.merge({ branch: 'w', picks: { 'u/1': 'ours' } });
  await db.fork({ name: 'part' });
  await sql(`INSERT INTO u VALUES (3, 'c'); INSERT INTO c VALUES (1, 3)`, 'part');
  const partial = await db.preview({ branch: 'part', only_tables: ['c'] });
  expect(partial.rows.map(({ key, outcome }) => [key, outcome])).toEqual([['c/1', 'conflict']]);
  const broken = await refused(db.merge({ branch: 'part', only_tables: ['c'] }));
  expect(broken.hint).toContain('only_tables');
  await db.merge({ branch: 'part', only_tables: ['c', 'u'] });
});

test('reviews count rows in conflict, and history names both worlds and who merged', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.set_merge_policy({ name: 'none', rules: { max_rows: 0 } });
  const ann = await governed.agent('ann', { policy: 'none' });
  await ann.fork({ name: 'w' });
  await sql('UPDATE t SET w = $$b$$ WHERE id < 3', 'w');
  await reasonsOf(ann.merge({ branch: 'w' }));
  await sql('UPDATE t SET w = $$m$$ WHERE id < 3');
  const [review] = (await db.reviews()).reviews;
  expect(review).toMatchObject({ changes: [{ table: 't', deleted: 0, updated: 2, inserted: 0 }], conflicts: 2 });
  const { id } = await db.world({ branch: 'w' });
  await db.merge({ branch: 'w', resolve: 'theirs' });
  const [event] = (await db.history({ branch: 'main' })).events;
  expect(event).toMatchObject({ event: 'merge', branch: { name: 'w', id }, into: { name: 'main' }, by: null });
  expect((await sql('SHOW HISTORY LIMIT 1'))[0]).toMatchObject({ branch: `w (${id})` });
});

test('materialized views and row policies over a changed column are readers', async () => {
  const { db } = governed;
  await sql(`${TABLE} CREATE MATERIALIZED VIEW filled AS SELECT v FROM t; CREATE POLICY mine ON t USING (v > 0)`);
  await db.fork({ name: 'w' });
  await sql('UPDATE t SET v = 5 WHERE id = 1', 'w');
  const { readers } = await db.preview({ branch: 'w' });
  expect(readers.map(({ kind, reader }) => [kind, reader])).toEqual(
    expect.arrayContaining([
      ['materialized view', 'filled'],
      ['row policy', 'mine on t'],
    ]),
  );
});

test('conflicts of definitions are worded in SQL', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.fork({ name: 'w' });
  await sql(`ALTER TABLE t ALTER v SET DEFAULT 6; CREATE TABLE both_made (a int); CREATE TYPE mood AS ENUM ('a')`, 'w');
  await sql('ALTER TABLE t ALTER v SET DEFAULT 7; CREATE TABLE both_made (a text)');
  const { conflicts } = await db.preview({ branch: 'w' });
  const text = JSON.stringify(conflicts);
  expect(conflicts).toHaveLength(2);
  expect(text).not.toContain('attnum');
  expect(text).not.toContain('mood');
  expect(text).toContain('v integer DEFAULT 6');
  expect(text).toContain('CREATE TABLE both_made (a text)');
});

// contract: policy.9
test('reasons of a policy name what each definition is of', async () => {
  const { db } = governed;
  await sql(TABLE);
  await db.set_merge_policy({ name: 'rows', rules: { schema: false } });
  const ann = await governed.agent('ann', { policy: 'rows' });
  await ann.fork({ name: 'w' });
  await sql(`COMMENT ON COLUMN t.v IS 'x'; ALTER TABLE t ENABLE ROW LEVEL SECURITY`, 'w');
  const [{ message }] = await reasonsOf(ann.merge({ branch: 'w' }));
  expect(message).toContain('creates comment on column t.v');
  expect(message).toContain('creates row security of table t');
});

test('a table of documents that the branch drops goes, and is held by `schema`', async () => {
  const { db } = governed;
  await db.put({ table: 'notes', id: 'a', record: { text: 'x' } });
  await db.set_merge_policy({ name: 'rows', rules: { schema: false } });
  const ann = await governed.agent('ann', { policy: 'rows' });
  await ann.fork({ name: 'w' });
  await sql('DROP TABLE notes', 'w');
  expect((await reasonsOf(ann.merge({ branch: 'w' }))).map(({ rule }) => rule)).toEqual(['schema']);
  expect((await db.diff({ branch: 'w' })).definitions!.map(({ object, change }) => [object, change])).toEqual([['table notes', 'drop']]);
  await db.merge({ branch: 'w' });
  expect((await refused(sql('SELECT * FROM notes'))).code).toBe('42P01');
});

test.each([1, 2, 3, 4])('a dry run says row by row what the merge does, definitions included: seed %i', async (seed) => {
  const { db } = governed;
  const random = new Random(seed);
  await sql('CREATE TABLE t (id int PRIMARY KEY, a int, b text, c int); INSERT INTO t SELECT i, i, $$x$$, i FROM generate_series(1, 8) i');
  const change = (): string => {
    const id = 1 + random.below(10);
    return random.of([
      `UPDATE t SET id = id WHERE id = ${id}`,
      `DELETE FROM t WHERE id = ${id}`,
      `INSERT INTO t (id) VALUES (${20 + random.below(9)}) ON CONFLICT DO NOTHING`,
      'ALTER TABLE t DROP COLUMN IF EXISTS a',
      'ALTER TABLE t DROP COLUMN IF EXISTS b; ALTER TABLE t ADD b int',
      `ALTER TABLE t ADD COLUMN IF NOT EXISTS d${random.below(3)} int DEFAULT ${random.below(9)}`,
      `UPDATE t SET c = ${random.below(99)} WHERE id = ${id}`,
    ]);
  };
  let merged = 0;
  for (let round = 0; round < 15; round++) {
    const branch = `w${round}`;
    await db.fork({ name: branch });
    for (let i = 0; i < 3; i++) await sql(change(), branch);
    if (random.chance(0.5)) await sql(change());
    const dry = await db.preview({ branch });
    if (dry.conflicts.length > 0) {
      await db.discard({ branch });
      continue;
    }
    const before = await rowsOf();
    const reply = await db.merge({ branch, target: dry.target });
    expect(reply.merged, JSON.stringify(dry.summary)).toBe(dry.summary.reduce((sum, each) => sum + each.deleted + each.updated + each.inserted, 0));
    const after = await rowsOf();
    const shown = new Map(dry.rows.map((row) => [row.key, row]));
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) expectShown(key, before[key], after[key], shown.get(key));
    merged++;
  }
  expect(merged).toBeGreaterThan(3);
});

function expectShown(key: string, before: Row | undefined, after: Row | undefined, shown: MergePreview['rows'][number] | undefined): void {
  if (shown !== undefined) return expect(shown.result, key).toEqual(after ?? null);
  // What is not shown holds what it held, but for columns that hold nothing.
  const values = (row: Row | undefined): unknown =>
    row === undefined
      ? null
      : Object.entries(row)
          .filter(([, value]) => value !== null)
          .sort();
  expect(values(after), key).toEqual(values(before));
}

async function rowsOf(): Promise<Record<string, Row>> {
  const { hits } = await governed.db.find({ table: 't', limit: 1000 });
  return Object.fromEntries(hits.map(({ id, row }) => [`t/${id}`, row]));
}
