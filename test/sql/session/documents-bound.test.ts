/** What is bound to documents is kept by every writer of rows: foreign keys, triggers and rules, names and numbers of columns, rows given to a merge. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExactNumber } from '../../../src/base/exact-json.ts';
import type { Row } from '../../../src/commands/contract.ts';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.db.put({ table: 'docs', id: 'a', record: { n: 1, s: 'x', k: 7 } });
  await t.db.put({ table: 'docs', id: 'b', record: { n: 2.5 } });
});
afterEach(() => t.close());

const put = (record: Row, { id = 'q', table = 'docs', branch = 'main' } = {}): Promise<unknown> => t.db.put({ branch, table, id, record });
const columns = (table: string): Promise<string[]> =>
  t.lines(`SELECT attname FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`);

describe('documents that something refers to', () => {
  test('are not deleted by any writer', async () => {
    await t.run(`CREATE TABLE refs (doc text REFERENCES docs); INSERT INTO refs VALUES ('a')`);
    await refused('23503', t.db.delete({ table: 'docs', id: 'a' }));
    await refused('23503', t.db.batch({ rows: [{ table: 'docs', id: 'a', record: null }] }));
    await t.refused('23503', `DELETE FROM docs WHERE id = 'a'`);
    await t.refused('2BP01', 'DROP TABLE docs');
    await t.db.delete({ table: 'docs', id: 'b' });
    expect(await t.lines('SELECT id FROM docs')).toEqual(['a']);
  });

  test.each(['NO ACTION', 'CASCADE'])('ON DELETE %s: a merge with the deletion is a conflict, from either side', async (action) => {
    const refer = (branch: string): Promise<unknown> =>
      t.run(`CREATE TABLE refs (doc text REFERENCES docs ON DELETE ${action}); INSERT INTO refs VALUES ('a')`, branch);
    const remove = (branch: string): Promise<unknown> => t.db.delete({ branch, table: 'docs', id: 'a' });
    for (const [here, there] of [
      [refer, remove],
      [remove, refer],
    ]) {
      await t.run('CREATE WORLD here; CREATE WORLD there FROM here');
      await here('here');
      await there('there');
      await refused('SV409', t.db.commands.merge({ branch: 'there' }));
      await t.run('DROP WORLD there; DROP WORLD here');
    }
  });

  test('a dropped table against a new reference is a conflict, and either side can stand', async () => {
    await t.run('CREATE WORLD w');
    await t.run('DROP TABLE docs');
    await t.run(`CREATE TABLE refs (doc text REFERENCES docs); INSERT INTO refs VALUES ('a')`, 'w');
    await refused('SV409', t.db.commands.merge({ branch: 'w' }));
    await t.run('CREATE WORLD o; CREATE WORLD p');
    await t.db.commands.merge({ branch: 'w', into: 'o', resolve: 'ours' });
    expect(await t.lines(`SELECT to_regclass('docs'), count(*) FROM pg_constraint WHERE contype = 'f'`, 'o')).toEqual(['null 0']);
    await t.db.commands.merge({ branch: 'w', into: 'p', resolve: 'theirs' });
    expect(await t.lines('SELECT id, doc FROM docs LEFT JOIN refs ON doc = id ORDER BY id', 'p')).toEqual(['a a', 'b null']);
  });

  test.each([
    [
      'a trigger',
      `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.n := 99; RETURN NEW; END'; CREATE TRIGGER t BEFORE INSERT ON docs FOR EACH ROW EXECUTE FUNCTION f()`,
    ],
    ['a rule', 'CREATE RULE r AS ON INSERT TO docs DO INSTEAD NOTHING'],
  ])('%s is not passed by puts', async (_title, statement) => {
    await t.run(statement);
    await refused('0A000', put({ n: 2 }));
  });
});

describe('names that were used before', () => {
  test.each([
    ['ALTER TABLE docs RENAME TO papers', 'papers'],
    ['CREATE SCHEMA s; ALTER TABLE docs SET SCHEMA s', 's.docs'],
  ])('%s: puts of the name make another table', async (statement, moved) => {
    await t.run(statement);
    await put({ z: 1 });
    expect(await t.lines(`SELECT id, n, k FROM ${moved} ORDER BY id`)).toEqual(['a 1 7', 'b 2.5 null']);
    expect(await t.lines('SELECT * FROM docs')).toEqual(['q 1']);
    await t.reopen({ withoutCache: true });
    expect(await t.lines(`SELECT id, n, k FROM ${moved} ORDER BY id`)).toEqual(['a 1 7', 'b 2.5 null']);
  });

  test.each([
    ['ALTER TABLE docs RENAME k TO kk', ['id', 'n', 's', 'kk', 'k'], ['a 7 null', 'b null null', 'q null text']],
    ['ALTER TABLE docs DROP k; ALTER TABLE docs ADD kk int', ['id', 'n', 's', 'kk', 'k'], ['a null null', 'b null null', 'q null text']],
  ])('%s: puts of the name make another column', async (statement, names, rows) => {
    await t.run(statement);
    await put({ k: 'text' });
    expect(await columns('docs')).toEqual(names);
    expect(await t.lines('SELECT id, kk, k FROM docs ORDER BY id')).toEqual(rows);
    expect((await t.db.get({ table: 'docs', id: 'a' })).row).not.toHaveProperty('k');
  });

  test('of views and indexes are refused', async () => {
    await t.run('CREATE VIEW v AS SELECT 1 AS one; CREATE SEQUENCE counter; CREATE INDEX by_n ON docs (n)');
    for (const table of ['v', 'counter', 'by_n', 'docs_pkey']) await refused('42809', put({ z: 1 }, { table }));
  });

  test('the key of a table takes a free name', async () => {
    await put({ z: 1 }, { table: 'docs_pkey' });
    await t.run('CREATE INDEX ON docs (n)');
    expect(await t.lines(`SELECT conname FROM pg_constraint WHERE conrelid = 'docs'::regclass`)).toEqual(['docs_pkey1']);
    expect(await t.lines('SELECT * FROM docs_pkey')).toEqual(['q 1']);
  });

  test('a table that puts made and one of another kind under one name are a conflict', async () => {
    for (const options of ['', ' WITH (documents)']) {
      await t.run('CREATE WORLD here; CREATE WORLD there FROM here');
      await t.run(`CREATE TABLE fresh (id text PRIMARY KEY, x int)${options}`, 'here');
      await put({ y: 1 }, { table: 'fresh', branch: 'there' });
      const { conflicts } = await t.db.commands.preview({ branch: 'there', into: 'here' });
      expect(conflicts.map(({ key }) => key)).toEqual(['_svc_schema/table:fresh']);
      await t.db.commands.merge({ branch: 'there', into: 'here', resolve: 'theirs' });
      expect(await t.lines('SELECT * FROM fresh', 'here')).toEqual(['q 1']);
      await t.run('DROP WORLD there; DROP WORLD here');
    }
  });
});

describe('rows given to a merge', () => {
  const GIVEN: readonly [title: string, there: string, here: string, given: Row, rows: readonly string[]][] = [
    ['of a table that the branch indexed', 'CREATE INDEX ON docs (n)', 'SELECT 1', { n: 7, fresh: 'f' }, ['a 7 null f', 'b 2.5 null null']],
    ['of a table indexed here', 'SELECT 1', 'CREATE INDEX ON docs (n)', { n: 7, s: 4, fresh: 'f' }, ['a 7 4 f', 'b 2.5 null null']],
    ['of a field that the branch renamed', 'ALTER TABLE docs RENAME s TO said', 'SELECT 1', { n: 7, said: 'q', fresh: 'f' }, ['a 7 q f', 'b 2.5 null null']],
  ];
  test.each(GIVEN)('%s', async (_title, there, here, given, rows) => {
    await t.run('CREATE WORLD w');
    await t.run(`ALTER TABLE docs DROP k`);
    await t.run('MERGE WORLD main INTO w');
    await t.run(there, 'w');
    await t.run(here);
    await put({ n: 5 }, { id: 'a', branch: 'w' });
    await put({ n: 6 }, { id: 'a' });
    await t.db.commands.merge({ branch: 'w', picks: { 'docs/a': given } });
    expect((await t.db.get({ table: 'docs', id: 'a' })).row).toEqual(given);
    expect(await t.lines('SELECT * FROM docs ORDER BY id')).toEqual(rows);
    await t.reopen({ withoutCache: true });
    expect(await t.lines('SELECT * FROM docs ORDER BY id')).toEqual(rows);
    await t.run('UNDO MERGE w');
    expect((await t.db.get({ table: 'docs', id: 'a' })).row).toEqual({ n: 6 });
  });

  test('of a table that the branch made', async () => {
    await t.run('CREATE WORLD w');
    await t.run('CREATE TABLE made (id text PRIMARY KEY, x int)', 'w');
    await put({ x: 5 }, { table: 'made', branch: 'w' });
    await t.db.commands.merge({ branch: 'w', picks: { 'made/q': { x: 7 } } });
    expect(await t.lines('SELECT * FROM made')).toEqual(['q 7']);
  });
});

test('a folder of the form before is opened, kept, altered, merged and undone', async () => {
  await t.close();
  t = await TestDatabase.open({}, new URL('../../../fixtures/folders/documents', import.meta.url).pathname);
  const rows = ['a 1 x', 'b 2.5 y', 'c wide null'];
  expect(await t.lines('SELECT id, n, s FROM docs ORDER BY id')).toEqual(rows);
  const { row } = await t.db.get({ table: 'docs', id: 'a' });
  expect(row).toMatchObject({ n: 1, s: 'x', ok: true, list: [1, { b: null }], none: null });
  expect(((row['extra'] as Row)['large'] as unknown as ExactNumber).text).toBe('9007199254740993.50');
  await refused('23503', t.db.delete({ table: 'docs', id: 'a' }));
  await refused('0A000', put({ text: 'passed' }, { table: 'logged' }));
  await put({ n: 5, further: 1 }, { id: 'e' });
  await t.run('CREATE INDEX by_s ON docs (s); ALTER TABLE docs ADD CHECK (length(s) < 5)');
  await t.db.commands.merge({ branch: 'draft', confirm: true });
  expect(await t.lines('SELECT id, n, later, further FROM docs ORDER BY id')).toEqual(['a 1 null null', 'c wide null null', 'd 4 true null', 'e 5 null 1']);
  await t.run('UNDO MERGE draft');
  expect(await t.lines('SELECT id, n, s FROM docs ORDER BY id')).toEqual([...rows, 'e 5 null']);
  await t.run('UNDO MERGE merged');
  expect(await t.lines('SELECT id, n, s FROM docs ORDER BY id')).toEqual(['a 1 x', 'b 2.5 y', 'e 5 null']);
  await t.db.commands.restore({ checkpoint: 'merged' });
  expect(await t.lines('SELECT id, n, s FROM docs ORDER BY id')).toEqual(rows);
  expect(await t.lines(`SELECT takes_documents('docs')`)).toEqual(['true']);
});
