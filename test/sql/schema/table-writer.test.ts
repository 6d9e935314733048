/** What statements write: constraints of rows, keys, indexes kept beside, foreign keys. */
import { STORED } from '../../../src/sql/types/environment.ts';
import { describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { BOOL, FLOAT8, INT4, INT8, NUMERIC, TEXT, TIMESTAMP } from './test-types.ts';
import { column, primaryKey, references, TEST_COMPILER, TestWorld, unique } from './test-world.ts';
import { checkDeferred, StatementWrites } from '../../../src/sql/schema/statement-writes.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';

function failure(run: () => void): { code: string; message: string; detail: string | undefined } {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { code: error.code, message: error.message, detail: error.detail };
  }
  throw new Error('it should have failed');
}

function people(): TestWorld {
  const world = new TestWorld();
  world.create(
    'people',
    [column('id', INT4), column('name', TEXT, { notNull: true }), column('age', INT4), column('mail', TEXT)],
    [primaryKey('id'), unique('mail'), { kind: 'check', name: null, condition: 'age === null ? null : age >= 0', columns: ['age'] }],
  );
  return world;
}

describe('constraints of one row', () => {
  test('names of implicit objects', () => {
    const { schema } = people();
    const table = schema.table('public', 'people')!;
    expect([table.primaryKey, table.indexes[0].name, table.checks[0].name]).toEqual(['people_pkey', 'people_mail_key', 'people_age_check']);
  });

  test('not null, check, primary key and unique are refused as Postgres words it', () => {
    const world = people();
    world.insert('people', [1, 'Ann', 30, 'ann@x'], [2, 'Bob', null, null], [3, 'Cy', null, null]);
    expect(failure(() => world.insert('people', [4, null, 1, null]))).toEqual({
      code: '23502',
      message: 'null value in column "name" of relation "people" violates not-null constraint',
      detail: 'Failing row contains (4, null, 1, null).',
    });
    expect(failure(() => world.insert('people', [4, 'Di', -1, null]))).toEqual({
      code: '23514',
      message: 'new row for relation "people" violates check constraint "people_age_check"',
      detail: 'Failing row contains (4, Di, -1, null).',
    });
    expect(failure(() => world.insert('people', [1, 'Di', 1, null]))).toEqual({
      code: '23505',
      message: 'duplicate key value violates unique constraint "people_pkey"',
      detail: 'Key (id)=(1) already exists.',
    });
    expect(failure(() => world.insert('people', [4, 'Di', 1, 'ann@x']))).toEqual({
      code: '23505',
      message: 'duplicate key value violates unique constraint "people_mail_key"',
      detail: 'Key (mail)=(ann@x) already exists.',
    });
    expect(failure(() => world.insert('people', [4, 'Di', 1, 'd'], [5, 'Ed', 1, 'd'])).code).toBe('23505');
    expect(failure(() => world.update('people', 2, { mail: 'ann@x' })).code).toBe('23505');
    world.checkIndexes();
  });

  test('a deferrable unique constraint is checked when the statement ends', () => {
    const world = new TestWorld();
    world.create('t', [column('id', INT4), column('n', INT4)], [primaryKey('id'), { ...unique('n'), deferrable: true } as ReturnType<typeof unique>]);
    world.insert('t', [1, 1], [2, 2], [3, 3]);
    const table = world.table('t');
    world.statement((writes) => [1, 2, 3].forEach((n) => writes.writer(table).update(n, [1], [n + 1])));
    expect(world.rows('t').map(([, n]) => n)).toEqual([2, 3, 4]);
    world.checkIndexes();
    expect(failure(() => world.update('t', 1, { n: 4 })).detail).toBe('Key (n)=(4) already exists.');
    expect(failure(() => world.insert('t', [7, 7], [8, 7])).code).toBe('23505');
  });

  test('a value may move from one row to another within a statement', () => {
    const world = people();
    world.insert('people', [1, 'Ann', 30, 'a'], [2, 'Bob', 30, 'b']);
    const table = world.table('people');
    world.statement((writes) => {
      const writer = writes.writer(table);
      writer.update(1, [3], ['c']);
      writer.update(2, [3], ['a']);
      writer.update(1, [3], ['b']);
      writer.delete(1);
      writer.insert([1, 'Ann', 31, 'b']);
      expect(writer.written(1)).toBe(true);
      expect(writer.conflict([9, 'x', 1, 'b'], null)).toBe(1);
      expect(writer.conflict([9, 'x', 1, 'b'], 'key')).toBe(null);
    });
    expect(world.rows('people')).toEqual([
      [1, 'Ann', 31, 'b'],
      [2, 'Bob', 30, 'a'],
    ]);
    world.checkIndexes();
  });

  test('an update holds only what changed, a moved key is a new row', () => {
    const world = people();
    world.insert('people', [1, 'Ann', 30, 'a']);
    const table = world.table('people');
    const [change] = world.statement((writes) => writes.writer(table).update(1, [1, 2], ['Ann', 31]));
    expect(change.rows[0]).toMatchObject({ key: 1, before: [30], after: [31] });
    world.statement((writes) => writes.writer(table).update(1, [0], [7]));
    expect(world.rows('people')).toEqual([[7, 'Ann', 31, 'a']]);
    world.checkIndexes();
  });

  test('rows without a primary key have numbers that do not repeat', () => {
    const world = new TestWorld();
    world.create('logs', [column('line', TEXT)]);
    const fork = world.fork();
    const [a, b] = world.insert('logs', ['x'], ['x']);
    const [c] = fork.insert('logs', ['y']);
    expect(a).toBeGreaterThanOrEqual(2 ** 40);
    expect(new Set([a, b, c]).size).toBe(3);
  });

  test('composite and wide keys', () => {
    const world = new TestWorld();
    world.create('t', [column('a', TEXT), column('b', INT8), column('c', TIMESTAMP)], [primaryKey('b', 'a')]);
    world.insert('t', ['x', 9007199254740993n, Infinity], ['x', -5, 9300000000000000n], ['', 5, -Infinity], ['\u00e9', 5, 0]);
    expect(world.rows('t')).toEqual([
      ['x', -5, 9300000000000000n],
      ['', 5, -Infinity],
      ['\u00e9', 5, 0],
      ['x', 9007199254740993n, Infinity],
    ]);
    const codec = world.schema.rowKey(world.table('t'));
    expect(codec.decode(codec.encode([9007199254740993n, 'x']))).toEqual([9007199254740993n, 'x']);
    expect(failure(() => world.insert('t', ['x', -5, 0])).detail).toBe('Key (b, a)=(-5, x) already exists.');
  });
});

describe('indexes', () => {
  test('are built over rows that are there and kept by later writes', () => {
    const world = people();
    world.insert('people', ...Array.from({ length: 1000 }, (_, i) => [i, `n${i % 7}`, i % 13 === 0 ? null : i % 100, `m${i}`]));
    world.index('people', ['age', 'name']);
    world.index('people', [{ sql: 'name.toUpperCase()', type: TEXT }], { where: 'age !== null && age > 50' });
    expect(world.table('people').indexes.map(({ name }) => name)).toEqual(['people_mail_key', 'people_age_name_idx', 'people_expr_idx']);
    world.checkIndexes();
    for (let i = 0; i < 300; i++) {
      if (i % 3 === 0) world.update('people', i, { age: (i * 7) % 100 });
      else if (i % 3 === 1) world.update('people', i, { name: `z${i}` });
      else world.delete('people', i);
    }
    world.insert('people', [5000, 'q', 99, null]);
    world.checkIndexes();
  });

  test('over numbers of any precision and with a unique expression', () => {
    const world = new TestWorld();
    world.create('t', [column('id', INT4), column('n', NUMERIC), column('s', TEXT)], [primaryKey('id')]);
    world.insert('t', [1, new Numeric(150, 2), 'a'], [2, new Numeric(Number.NaN, 0), 'b'], [3, new Numeric(-7, 0), 'c'], [4, null, 'd']);
    world.index('t', ['n'], { unique: true });
    world.index('t', [{ sql: 's.toLowerCase()', type: TEXT }], { unique: true });
    world.checkIndexes();
    expect(failure(() => world.insert('t', [5, new Numeric(15, 1), 'e'])).detail).toBe('Key (n)=(1.5) already exists.');
    expect(failure(() => world.insert('t', [5, null, 'A'])).detail).toBe('Key (s.toLowerCase())=(a) already exists.');
    world.insert('t', [5, null, 'E']);
    expect(failure(() => world.index('t', ['id', 'id'], { unique: false, where: null, name: 't_n_idx' })).code).toBe('42P07');
    world.create('u', [column('a', INT4)]);
    world.insert('u', [1], [1]);
    expect(failure(() => world.index('u', ['a'], { unique: true }))).toMatchObject({
      code: '23505',
      message: 'could not create unique index "u_a_idx"',
      detail: 'Key (a)=(1) is duplicated.',
    });
  });

  test('cells that grow beyond 2^53, infinities, NaN and -0 survive', () => {
    const world = new TestWorld();
    world.create(
      't',
      [column('id', INT4), column('w', INT8), column('f', FLOAT8), column('b', BOOL), column('d', NUMERIC, { typmod: ((18 << 16) | 2) + 4 })],
      [primaryKey('id')],
    );
    world.index('t', ['w']);
    world.index('t', ['f', 'b']);
    world.insert('t', [1, 5, Number.NaN, true, new Numeric(Number.NaN, 0)], [2, null, -0, false, new Numeric(123456789012345678n, 2)]);
    world.update('t', 1, { w: 9223372036854775807n });
    world.update('t', 2, { w: -9223372036854775808n });
    expect(world.rows('t')).toEqual([
      [1, 9223372036854775807n, Number.NaN, true, new Numeric(Number.NaN, 0)],
      [2, -9223372036854775808n, -0, false, new Numeric(123456789012345678n, 2)],
    ]);
    world.checkIndexes();
    world.update('t', 2, { f: 0 });
    expect(Object.is(world.rows('t')[1][2], 0)).toBe(true);
    world.checkIndexes();
  });
});

describe('foreign keys', () => {
  function shop(more: Parameters<typeof references>[2] = {}): TestWorld {
    const world = new TestWorld();
    world.create('customers', [column('id', INT4), column('name', TEXT)], [primaryKey('id')]);
    world.create('orders', [column('id', INT4), column('customer', INT8, { default: '1' })], [primaryKey('id'), references(['customer'], 'customers', more)]);
    world.insert('customers', [1, 'Ann'], [2, 'Bob']);
    world.insert('orders', [10, 1], [11, 2], [12, null], [13, 2]);
    return world;
  }

  test('a row must point at one that is there', () => {
    const world = shop();
    expect(failure(() => world.insert('orders', [14, 9]))).toEqual({
      code: '23503',
      message: 'insert or update on table "orders" violates foreign key constraint "orders_customer_fkey"',
      detail: 'Key (customer)=(9) is not present in table "customers".',
    });
    expect(failure(() => world.delete('customers', 2))).toEqual({
      code: '23503',
      message: 'update or delete on table "customers" violates foreign key constraint "orders_customer_fkey" on table "orders"',
      detail: 'Key (id)=(2) is still referenced from table "orders".',
    });
    expect(failure(() => world.update('customers', 2, { id: 3 })).code).toBe('23503');
    const customers = world.table('customers');
    world.statement((writes) => {
      writes.writer(customers).delete(2);
      writes.writer(customers).insert([2, 'Bea']);
    });
    world.delete('orders', 11, 13);
    world.delete('customers', 2);
    expect(world.rows('customers')).toEqual([[1, 'Ann']]);
  });

  test('cascade, set null and set default', () => {
    const cascade = shop({ onDelete: 'cascade', onUpdate: 'cascade' });
    cascade.update('customers', 1, { id: 5 });
    cascade.delete('customers', 2);
    expect(cascade.rows('orders')).toEqual([
      [10, 5],
      [12, null],
    ]);
    const nulled = shop({ onDelete: 'set null', onUpdate: 'set default' });
    nulled.index('orders', ['customer']);
    nulled.delete('customers', 2);
    expect(nulled.rows('orders')).toEqual([
      [10, 1],
      [11, null],
      [12, null],
      [13, null],
    ]);
    expect(failure(() => nulled.update('customers', 1, { id: 7 })).code).toBe('23503');
    nulled.checkIndexes();
  });

  test('a deferred key is checked when the transaction commits', () => {
    const world = shop({ deferrable: true, initiallyDeferred: true });
    const parts = { pager: world.pager, objects: world.objects, schema: world.schema, root: world.root, compiler: TEST_COMPILER, env: STORED };
    const writes = new StatementWrites(parts);
    writes.writer(world.table('orders')).insert([20, 9]);
    writes.writer(world.table('customers')).delete(2);
    world.apply(writes.finish());
    expect(writes.deferred.map(({ side }) => side).sort()).toEqual(['pointing', 'target']);
    const again = (): void => void checkDeferred({ ...parts, schema: world.schema, root: world.root }, writes.deferred);
    expect(failure(again).code).toBe('23503');
    world.insert('customers', [9, 'Late'], [2, 'Back']);
    again();
    world.delete('customers', 9);
    expect(failure(again).detail).toBe('Key (customer)=(9) is not present in table "customers".');
    world.delete('orders', 20);
    again();
  });

  test('a table that points at itself, over several rows of one statement', () => {
    const world = new TestWorld();
    world.create('tree', [column('id', INT4), column('parent', INT4)], [primaryKey('id'), references(['parent'], 'tree', { onDelete: 'cascade' })]);
    world.insert('tree', [2, 1], [1, null], [3, 2], [4, 3]);
    world.delete('tree', 1);
    expect(world.rows('tree')).toEqual([]);
  });
});

test('a hundred thousand narrow rows and single updates are written in good time', () => {
  const world = new TestWorld();
  world.create('t', [column('id', INT4), column('a', INT4), column('s', TEXT)], [primaryKey('id')]);
  const table = world.table('t');
  const begun = performance.now();
  const changes = world.draft((writes) => {
    const writer = writes.writer(table);
    for (let i = 0; i < 100_000; i++) writer.insert([i, i * 2, 'abc']);
  });
  const insertMs = performance.now() - begun;
  world.apply(changes);
  const again = performance.now();
  for (let i = 0; i < 5000; i++) world.draft((writes) => writes.writer(table).update((i * 7919) % 100_000, [1], [i]));
  const updateUs = ((performance.now() - again) / 5000) * 1000;
  if (process.env['SVC_SHOW'] === '1') console.log({ insertMs, updateUs });
  expect(changes[0].rows.length).toBe(100_000);
});
