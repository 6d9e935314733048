/** Typed tables in worlds: row operations, diffs, merges, undo, time travel, and what survives a rebuild. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Conflict } from '../../../src/commands/contract.ts';
import { alterTable, type AlterSpec } from '../../../src/sql/schema/alter-table.ts';
import { dropNamed } from '../../../src/sql/schema/drop.ts';
import { truncate } from '../../../src/sql/schema/other-objects.ts';
import { SequenceAllocator } from '../../../src/sql/schema/sequence-values.ts';
import { OpenSchema } from './open-schema.ts';
import { BOOL, BYTEA, INT4, INT4_ARRAY, INT8, JSONB, NUMERIC, TEXT } from './test-types.ts';
import { column, primaryKey, references, unique } from './test-world.ts';

const opened: OpenSchema[] = [];
let db: OpenSchema;

beforeEach(async () => {
  db = await OpenSchema.make();
  opened.push(db);
});
afterAll(async () => {
  for (const each of opened) await each.close();
});

async function failure(promise: Promise<unknown>): Promise<{ code: string; message: string; status: number; conflicts: Conflict[] }> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SvcError)) throw error ?? new Error('it should have failed');
  return { code: error.code, message: error.message, status: error.status, conflicts: (error.data?.['conflicts'] ?? []) as Conflict[] };
}

function alter(world: string, table: string, action: AlterSpec): void {
  db.ddl(world, (ddl) => alterTable(ddl, db.schema(world).table('public', table)!.number, [action]));
}

const add = (name: string, more: object = {}): AlterSpec => ({
  kind: 'add column',
  column: column(name, TEXT),
  constraints: [],
  ifNotExists: false,
  fill: { value: null },
  ...more,
});

function people(): void {
  db.create(
    'main',
    'people',
    [column('id', INT4), column('name', TEXT, { notNull: true }), column('age', INT4), column('mail', TEXT)],
    [primaryKey('id'), unique('mail')],
  );
  db.index('main', 'people', 'age');
  db.insert('main', 'people', [1, 'Ann', 30, 'a'], [2, 'Bob', 40, 'b'], [3, 'Cy', 50, null]);
}

describe('row operations', () => {
  test('get, put, delete, batch and find speak JSON', async () => {
    db.create(
      'main',
      't',
      [
        column('id', INT4),
        column('n', NUMERIC),
        column('b', BOOL, { default: 'true' }),
        column('j', JSONB),
        column('x', BYTEA),
        column('l', INT4_ARRAY),
        column('w', INT8),
      ],
      [primaryKey('id')],
    );
    const { commands } = db;
    await commands.put({ table: 't', id: '5', record: { n: '1.50', j: { a: [1] }, x: '\\x00ff', l: [1, null], w: '7' } });
    expect(await commands.get({ table: 't', id: '5' })).toEqual({
      id: '5',
      row: { id: 5, n: '1.50', b: true, j: { a: [1] }, x: '\\x00ff', l: '["1",null]', w: 7 },
    });
    await commands.batch({
      rows: [
        { table: 't', id: '5', record: { id: 5, n: null } },
        { table: 't', id: '9', record: {} },
        { table: 'docs', id: 'x', record: { a: 1 } },
      ],
    });
    expect((await commands.find({ table: 't' })).hits.map(({ id, row }) => [id, row['n'], row['b']])).toEqual([
      ['5', null, true],
      ['9', null, true],
    ]);
    expect((await commands.find({ table: 't', where: { id: 9 } })).total).toBe(1);
    expect(await failure(commands.put({ table: 't', id: '5', record: { w: 'abc' } }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('field w: '),
    });
    expect(await failure(commands.put({ table: 't', id: '5', record: { q: 1 } }))).toMatchObject({ code: '42703', status: 400 });
    expect(await failure(commands.put({ table: 't', id: 'x', record: {} }))).toMatchObject({
      code: '22P02',
      status: 400,
      message: expect.stringContaining('field id: '),
    });
    expect(await failure(commands.put({ table: 't', id: '5', record: { id: 6 } }))).toMatchObject({ code: '22023' });
    await commands.delete({ table: 't', id: '9' });
    expect(await failure(commands.get({ table: 't', id: '9' }))).toMatchObject({ code: '02000', status: 404 });
    expect(await failure(commands.delete({ table: 't', id: '9' }))).toMatchObject({ code: '02000', status: 404 });
  });

  test('ids of several columns, of rows without a key, and tables of other schemas', async () => {
    db.create('main', 'c', [column('a', TEXT), column('b', INT4), column('v', TEXT)], [primaryKey('a', 'b')]);
    const { commands } = db;
    await commands.put({ table: 'c', id: 'x%2Cy,7', record: { v: 'one' } });
    expect((await commands.get({ table: 'c', id: 'x%2Cy,7' })).row).toEqual({ a: 'x,y', b: 7, v: 'one' });
    expect((await commands.find({ table: 'c' })).hits[0].id).toBe('x%2Cy,7');
    await commands.fork({ name: 'w' });
    await commands.put({ branch: 'w', table: 'c', id: 'x%2Cy,7', record: { v: 'two' } });
    await commands.put({ branch: 'w', table: 'c', id: 'z,1', record: { v: 'three' } });
    const { changes } = await commands.diff({ branch: 'w' });
    expect(changes!.map(({ key, columns }) => [key, columns])).toEqual([
      ['c/x%2Cy,7', ['v']],
      ['c/z,1', ['a', 'b', 'v']],
    ]);
    expect((await commands.diff({ branch: 'w', limit: 1, after: 'c/x%2Cy,7' })).changes!.map(({ key }) => key)).toEqual(['c/z,1']);
    expect((await commands.merge({ branch: 'w', only_keys: ['c/z,1'] })).merged).toBe(1);
    await commands.merge({ branch: 'w', picks: { 'c/x%2Cy,7': { v: 'given' } } });
    expect(db.rows('main', 'c')).toEqual([
      ['x,y', 7, 'given'],
      ['z', 1, 'three'],
    ]);
    db.create('main', 'n', [column('v', TEXT)]);
    db.insert('main', 'n', ['q']);
    const [{ id }] = (await commands.find({ table: 'n' })).hits;
    expect(id).toBe(String(2 ** 40));
    await commands.put({ table: 'n', id, record: { v: 'r' } });
    expect(await failure(commands.put({ table: 'n', id: '5', record: {} }))).toMatchObject({ code: '22023' });
  });
});

describe('merges', () => {
  test('of disjoint rows keep indexes right; a rebuild from the log agrees', async () => {
    people();
    const { commands } = db;
    await commands.fork({ name: 'w' });
    db.insert('w', 'people', [4, 'Di', 20, 'd']);
    await commands.put({ branch: 'w', table: 'people', id: '1', record: { name: 'Ann', age: 31, mail: 'a' } });
    await commands.put({ table: 'people', id: '2', record: { name: 'Bob', age: 41, mail: 'b' } });
    await commands.merge({ branch: 'w' });
    expect(db.rows('main', 'people').map(([id, , age]) => [id, age])).toEqual([
      [1, 31],
      [2, 41],
      [3, 50],
      [4, 20],
    ]);
    db.checkIndexes();
    await db.reopen();
    db.checkIndexes();
    await db.commands.undo_merge({ branch: 'w' });
    db.checkIndexes();
    expect(db.rows('main', 'people').map(([id, , age]) => [id, age])).toEqual([
      [1, 30],
      [2, 41],
      [3, 50],
    ]);
  });

  test('a result that breaks a unique constraint or a foreign key is a conflict with its code', async () => {
    people();
    db.create('main', 'orders', [column('id', INT4), column('who', INT4)], [primaryKey('id'), references(['who'], 'people', { onDelete: 'cascade' })]);
    db.index('main', 'orders', 'who');
    const { commands } = db;
    await commands.fork({ name: 'w' });
    db.insert('w', 'people', [4, 'Di', 20, 'same']);
    db.insert('w', 'orders', [1, 3]);
    db.insert('main', 'people', [5, 'Ed', 20, 'same']);
    await commands.delete({ table: 'people', id: '3' });
    const { code, conflicts } = await failure(commands.merge({ branch: 'w' }));
    expect(code).toBe('SV409');
    expect(conflicts.map(({ key, code: state }) => [key, state])).toEqual([
      ['people/4', '23505'],
      ['orders/1', '23503'],
    ]);
    expect((await commands.preview({ branch: 'w' })).conflicts.length).toBe(2);
    await commands.put({ branch: 'w', table: 'people', id: '4', record: { name: 'Di', mail: 'other' } });
    await commands.delete({ branch: 'w', table: 'orders', id: '1' });
    await commands.merge({ branch: 'w' });
    db.checkIndexes();
  });

  test('definitions merge: columns, tables, indexes and constraints of both sides', async () => {
    people();
    const { commands } = db;
    await commands.fork({ name: 'w' });
    alter('w', 'people', add('nick', { column: column('nick', TEXT, { default: "'none'" }), fill: { value: 'none' } }));
    db.create('w', 'pets', [column('id', INT4), column('owner', INT4)], [primaryKey('id'), references(['owner'], 'people')]);
    db.insert('w', 'pets', [1, 1]);
    db.index('w', 'people', 'name');
    alter('main', 'people', add('town'));
    db.insert('main', 'people', [9, 'Zoe', null, 'z', 'Oslo']);
    await commands.merge({ branch: 'w' });
    expect(
      db
        .schema()
        .table('public', 'people')!
        .columns.map(({ name, attnum }) => [name, attnum]),
    ).toEqual([
      ['id', 1],
      ['name', 2],
      ['age', 3],
      ['mail', 4],
      ['town', 5],
      ['nick', 6],
    ]);
    expect(db.rows('main', 'people').map((row) => row.slice(4))).toEqual([
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
      ['Oslo', 'none'],
    ]);
    expect(db.rows('main', 'pets')).toEqual([[1, 1]]);
    db.checkIndexes();
    await db.reopen();
    db.checkIndexes();
    await db.commands.undo_merge({ branch: 'w' });
    expect(db.schema().table('public', 'pets')).toBe(null);
    expect(
      db
        .schema()
        .table('public', 'people')!
        .columns.map(({ name }) => name),
    ).toEqual(['id', 'name', 'age', 'mail', 'town']);
    db.checkIndexes();
  });

  test('what both define differently, or one drops and the other writes, is a conflict', async () => {
    people();
    const { commands } = db;
    await commands.fork({ name: 'w' });
    alter('w', 'people', { kind: 'drop column', column: 'age', ifExists: false, cascade: false });
    await commands.put({ table: 'people', id: '1', record: { name: 'Ann', age: 99 } });
    expect((await failure(commands.merge({ branch: 'w' }))).conflicts[0]).toMatchObject({
      key: '_svc_schema/column:people.age',
      explanation: '"w" dropped column age of table people, "main" wrote to it.',
    });
    await commands.fork({ name: 'x' });
    alter('x', 'people', { kind: 'set default', column: 'age', default: '1' });
    alter('main', 'people', { kind: 'set default', column: 'age', default: '2' });
    expect((await failure(commands.merge({ branch: 'x' }))).conflicts[0].explanation).toContain('Both sides changed column age');
    await commands.merge({ branch: 'x', resolve: 'theirs' });
    expect(db.schema().table('public', 'people')!.columns[2].default).toBe('1');
    await commands.fork({ name: 'y' });
    db.ddl('y', (ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'people' }], false, false));
    await commands.put({ table: 'people', id: '1', record: { name: 'Ann' } });
    expect((await failure(commands.merge({ branch: 'y' }))).conflicts[0].explanation).toBe('"y" dropped table people, "main" changed its rows.');
    await commands.merge({ branch: 'y', resolve: 'theirs' });
    expect(db.schema().table('public', 'people')).toBe(null);
    await db.reopen();
    expect(db.schema().table('public', 'people')).toBe(null);
    await db.commands.undo_merge({ branch: 'y' });
    expect(db.rows('main', 'people').length).toBe(3);
    db.checkIndexes();
  });

  test('two worlds that make the same table make one; different ones conflict', async () => {
    const { commands } = db;
    await commands.fork({ name: 'a' });
    await commands.fork({ name: 'b' });
    await commands.fork({ name: 'c' });
    for (const world of ['a', 'b']) db.create(world, 't', [column('id', INT4), column('v', TEXT)], [primaryKey('id')]);
    db.create('c', 't', [column('id', TEXT)], [primaryKey('id')]);
    db.insert('a', 't', [1, 'a']);
    db.insert('b', 't', [2, 'b']);
    await commands.merge({ branch: 'a' });
    await commands.merge({ branch: 'b' });
    expect(db.rows('main', 't')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect((await failure(commands.merge({ branch: 'c' }))).conflicts[0].explanation).toContain('Both sides made table t');
  });

  test('an index of one side covers the rows of the other, hidden keys too', async () => {
    people();
    const { commands } = db;
    await commands.fork({ name: 'w' });
    db.index('w', 'people', '', {
      columns: [{ column: null, expression: { sql: 'name.toLowerCase()', type: TEXT, typmod: -1 }, descending: false, nullsFirst: false }],
      unique: true,
      where: 'age !== 1',
    });
    expect((await commands.diff({ branch: 'w' })).changes).toEqual([]);
    db.insert('main', 'people', [7, 'Eve', 3, null]);
    await commands.put({ table: 'people', id: '1', record: { name: 'Anna', age: 30, mail: 'a' } });
    await commands.merge({ branch: 'w' });
    db.checkIndexes();
    expect(await failure(commands.put({ table: 'people', id: '8', record: { name: 'EVE' } }))).toMatchObject({ code: '23505', status: 400 });
  });
});

describe('sequences', () => {
  test('fork with their world, are merged to the further state, and restoring does not take them back', async () => {
    db.create('main', 't', [column('id', INT4, { serial: true }), column('v', TEXT)], [primaryKey('id')]);
    let allocator = new SequenceAllocator(db.pager);
    const take = (world: string, count: number): number => {
      const sequence = db.schema(world).relation('public', 't_id_seq')!;
      if (sequence.kind !== 'sequence') throw new Error('a sequence');
      let last = 0;
      for (let i = 0; i < count; i++) last = Number(allocator.nextval(db.world(world), sequence.sequence));
      db.commit(world, [allocator.changes(db.world(world), [sequence.sequence.number], new Map())!]);
      return last;
    };
    expect(take('main', 3)).toBe(3);
    const before = db.world().lastWrite;
    await db.commands.fork({ name: 'w' });
    expect([take('w', 4), take('main', 1)]).toEqual([7, 4]);
    expect((await db.commands.diff({ branch: 'w' })).changes).toEqual([]);
    await db.commands.merge({ branch: 'w' });
    expect(take('main', 1)).toBe(8);
    await db.commands.restore({ at: `#${before}` });
    expect(take('main', 1)).toBe(9);
    await db.reopen();
    allocator = new SequenceAllocator(db.pager);
    expect(take('main', 1)).toBe(10);
    expect(await db.differencesOfBase()).toEqual([]);
    expect((await db.commands.history({ limit: 1 })).events[0].rows).toBe(0);
  });
});

describe('the past', () => {
  test('reads, restores and forks of moments before drops and truncates', async () => {
    people();
    const { commands } = db;
    const before = db.world().lastWrite;
    db.ddl('main', (ddl) => truncate(ddl, [db.schema().table('public', 'people')!.number], { cascade: false, restartIdentity: false }));
    db.insert('main', 'people', [8, 'New', 1, null]);
    const between = db.world().lastWrite;
    db.ddl('main', (ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'people' }], false, false));
    expect((await commands.find({ branch: `main@#${between}`, table: 'people' })).total).toBe(1);
    expect((await commands.find({ branch: `main@#${before}`, table: 'people' })).total).toBe(3);
    await commands.fork({ name: 'old', from: `main@#${before}` });
    expect(db.rows('old', 'people').length).toBe(3);
    db.checkIndexes('old');
    await commands.restore({ at: `#${before}` });
    expect(db.rows('main', 'people').length).toBe(3);
    db.checkIndexes();
    await db.reopen();
    expect(db.rows('main', 'people').length).toBe(3);
    db.checkIndexes();
    db.checkIndexes('old');
  });
});
