/** Definitions made, changed and dropped, with the rows that hang on them. */
import { describe, expect, test } from 'vitest';
import type { WorldNumber } from '../../../src/base/brands.ts';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { alterTable, type AlterSpec } from '../../../src/sql/schema/alter-table.ts';
import { createSequence } from '../../../src/sql/schema/create-sequence.ts';
import { dropNamed } from '../../../src/sql/schema/drop.ts';
import { chooseName, objectName } from '../../../src/sql/schema/implicit-name.ts';
import {
  addEnumValue,
  createEnum,
  createSchema,
  createView,
  renameColumn,
  renameRelation,
  setComment,
  setSchema,
  truncate,
} from '../../../src/sql/schema/other-objects.ts';
import { SequenceAllocator, SequenceMemory, type SequenceStates } from '../../../src/sql/schema/sequence-values.ts';
import { INT4, INT8, NUMERIC, TEXT } from './test-types.ts';
import { column, primaryKey, references, TestWorld, unique } from './test-world.ts';

function failure(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.code} ${error.message}${error.detail === undefined ? '' : ` | ${error.detail}`}`;
  }
  throw new Error('it should have failed');
}

function alter(world: TestWorld, table: string, ...actions: AlterSpec[]): void {
  world.ddl((ddl) => alterTable(ddl, world.table(table).number, actions));
}

function shop(): TestWorld {
  const world = new TestWorld();
  world.create('customers', [column('id', INT4, { serial: true }), column('name', TEXT)], [primaryKey('id')]);
  world.create('orders', [column('id', INT4), column('customer', INT4), column('note', TEXT)], [primaryKey('id'), references(['customer'], 'customers')]);
  world.insert('customers', [1, 'Ann'], [2, 'Bob']);
  world.insert('orders', [10, 1, 'x'], [11, 2, 'y']);
  return world;
}

test('names are cut and numbered as Postgres does', () => {
  const long = 'a'.repeat(60);
  expect(objectName(long, 'column', 'key')).toBe(`${'a'.repeat(52)}_column_key`);
  expect(Buffer.byteLength(objectName(long, long, 'fkey'))).toBe(63);
  expect(chooseName('t', 'a', 'key', (name) => name === 't_a_key' || name === 't_a_key1')).toBe('t_a_key2');
});

describe('columns', () => {
  test('are added with one value for all rows, or one for each', () => {
    const world = shop();
    alter(world, 'orders', {
      kind: 'add column',
      column: column('state', TEXT, { default: "'new'", notNull: true }),
      constraints: [],
      ifNotExists: false,
      fill: { value: 'new' },
    });
    expect(world.rows('orders')).toEqual([
      [10, 1, 'x', 'new'],
      [11, 2, 'y', 'new'],
    ]);
    world.index('orders', ['state']);
    world.checkIndexes();
    alter(world, 'orders', {
      kind: 'add column',
      column: column('n', INT8, { serial: true }),
      constraints: [unique('n')],
      ifNotExists: false,
      fill: { value: null },
    });
    expect(world.rows('orders').map((row) => row[4])).toEqual([1, 2]);
    const sequence = world.schema.sequenceOf(world.table('orders').number, world.table('orders').columns[4].number)!;
    expect(world.sequences.get(sequence.number)).toEqual({ state: { last: 2, called: true } });
    expect(
      failure(() => alter(world, 'orders', { kind: 'add column', column: column('note', TEXT), constraints: [], ifNotExists: false, fill: { value: null } })),
    ).toBe('42701 column "note" of relation "orders" already exists');
    expect(
      failure(() =>
        alter(world, 'orders', {
          kind: 'add column',
          column: column('q', TEXT, { notNull: true }),
          constraints: [],
          ifNotExists: false,
          fill: { value: null },
        }),
      ),
    ).toBe('23502 column "q" of relation "orders" contains null values');
    world.checkIndexes();
  });

  test('are dropped with what is only theirs, and come back empty', () => {
    const world = shop();
    world.index('orders', ['note']);
    alter(world, 'orders', { kind: 'drop column', column: 'note', ifExists: false, cascade: false });
    expect(world.table('orders').indexes).toEqual([]);
    alter(world, 'orders', { kind: 'add column', column: column('note', TEXT), constraints: [], ifNotExists: false, fill: { value: null } });
    expect(world.rows('orders')).toEqual([
      [10, 1, null],
      [11, 2, null],
    ]);
    expect(world.table('orders').columns.map(({ attnum }) => attnum)).toEqual([1, 2, 4]);
    expect(failure(() => alter(world, 'customers', { kind: 'drop column', column: 'id', ifExists: false, cascade: false }))).toMatch(
      /^2BP01 cannot drop column id of table customers because other objects depend on it \| constraint orders_customer_fkey on table orders depends on /,
    );
    alter(world, 'customers', { kind: 'drop column', column: 'id', ifExists: false, cascade: true });
    expect(world.notices[0].message).toBe('drop cascades to constraint orders_customer_fkey on table orders');
    expect(world.rows('customers')).toEqual([['Ann'], ['Bob']]);
    expect(world.table('customers').primaryKey).toBe(null);
    expect(world.schema.relation('public', 'customers_id_seq')).toBe(null);
  });

  test('change their type, in a key or an index or alone', () => {
    const world = shop();
    world.index('orders', ['note', 'customer']);
    expect(failure(() => alter(world, 'orders', { kind: 'set type', column: 'customer', type: TEXT, typmod: -1, convert: () => 'x' }))).toMatch(
      /^42804 foreign key constraint "orders_customer_fkey" cannot be implemented/,
    );
    alter(world, 'orders', { kind: 'drop constraint', name: 'orders_customer_fkey', ifExists: false, cascade: false });
    alter(world, 'orders', { kind: 'set type', column: 'customer', type: TEXT, typmod: -1, convert: (row) => `c${String(row[1])}` } as AlterSpec, {
      kind: 'set type',
      column: 'id',
      type: NUMERIC,
      typmod: -1,
      convert: (row) => NUMERIC.parse(`${String(row[0])}.50`, -1, undefined as never),
    });
    expect(world.rows('orders').map((row) => [NUMERIC.format(row[0]!, undefined as never), ...row.slice(1)])).toEqual([
      ['10.50', 'c1', 'x'],
      ['11.50', 'c2', 'y'],
    ]);
    world.checkIndexes();
  });

  test('are renamed with the texts that name them', () => {
    const world = new TestWorld();
    world.create('t', [column('a', INT4)], [{ kind: 'check', name: null, condition: 'a > 0', columns: ['a'] }]);
    world.ddl((ddl) => renameColumn(ddl, world.table('t').number, 'a', 'b', (sql) => sql.replace('a', 'b')));
    expect(world.table('t').checks[0]).toMatchObject({ name: 't_a_check', condition: 'b > 0' });
    expect(() => world.insert('t', [-1])).toThrow('violates check constraint "t_a_check"');
  });
});

describe('constraints', () => {
  test('a primary key that is added later gives the rows new keys', () => {
    const world = new TestWorld();
    world.create('t', [column('a', INT4), column('b', TEXT)]);
    world.insert('t', [3, 'x'], [1, 'y'], [2, null]);
    world.index('t', ['b']);
    expect(failure(() => alter(world, 't', { kind: 'add constraint', constraint: primaryKey('b') }))).toBe(
      '23502 column "b" of relation "t" contains null values',
    );
    alter(world, 't', { kind: 'add constraint', constraint: primaryKey('a') });
    expect(world.rows('t').map(([a]) => a)).toEqual([1, 2, 3]);
    expect(world.table('t').key).toEqual({ numeric: true, columns: [0] });
    world.checkIndexes();
    alter(world, 't', { kind: 'drop constraint', name: 't_pkey', ifExists: false, cascade: false });
    world.insert('t', [3, 'again']);
    expect(failure(() => alter(world, 't', { kind: 'add constraint', constraint: primaryKey('a') }))).toBe(
      '23505 could not create unique index "t_pkey" | Key (a)=(3) is duplicated.',
    );
    world.checkIndexes();
  });

  test('are refused where rows break them or names are taken', () => {
    const world = shop();
    expect(
      failure(() => alter(world, 'orders', { kind: 'add constraint', constraint: { kind: 'check', name: 'c', condition: 'id > 10', columns: ['id'] } })),
    ).toBe('23514 check constraint "c" of relation "orders" is violated by some row');
    expect(failure(() => alter(world, 'orders', { kind: 'add constraint', constraint: references(['id'], 'customers') }))).toBe(
      '23503 insert or update on table "orders" violates foreign key constraint "orders_id_fkey" | Key (id)=(10) is not present in table "customers".',
    );
    expect(failure(() => alter(world, 'orders', { kind: 'add constraint', constraint: references(['note'], 'customers') }))).toBe(
      '42804 foreign key constraint "orders_note_fkey" cannot be implemented | Key columns "note" and "id" are of incompatible types: text and integer.',
    );
    expect(failure(() => alter(world, 'orders', { kind: 'add constraint', constraint: references(['note'], 'customers', { targetColumns: ['name'] }) }))).toBe(
      '42830 there is no unique constraint matching given keys for referenced table "customers"',
    );
    expect(failure(() => alter(world, 'orders', { kind: 'drop constraint', name: 'x', ifExists: false, cascade: false }))).toBe(
      '42704 constraint "x" of relation "orders" does not exist',
    );
  });
});

describe('objects', () => {
  test('a table that others point at, views and sequences are dropped with care', () => {
    const world = shop();
    const { number } = world.table('customers');
    world.ddl((ddl) =>
      createView(ddl, {
        schema: 'public',
        name: 'v',
        replace: false,
        sql: 'SELECT 1',
        columns: [{ name: 'a', type: 23, typmod: -1 }],
        uses: [{ object: number, columns: [] }],
      }),
    );
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'customers' }], false, false)))).toBe(
      '2BP01 cannot drop table customers because other objects depend on it | constraint orders_customer_fkey on table orders depends on table customers\nview v depends on table customers',
    );
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'sequence', [{ schema: 'public', name: 'customers_id_seq' }], false, false)))).toBe(
      '2BP01 cannot drop sequence customers_id_seq because other objects depend on it | default value for column id of table customers depends on sequence customers_id_seq',
    );
    const both = ['customers', 'orders'].map((name) => ({ schema: 'public', name }));
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'table', both, false, false)))).toBe(
      '2BP01 cannot drop desired object(s) because other objects depend on them | view v depends on table customers',
    );
    world.ddl((ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'customers' }], false, true));
    expect(world.notices[0]).toMatchObject({ message: 'drop cascades to 2 other objects' });
    expect(world.schema.relation('public', 'customers')).toBe(null);
    expect(world.schema.relation('public', 'customers_id_seq')).toBe(null);
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'view', [{ schema: 'public', name: 'orders' }], false, false)))).toBe(
      '42809 "orders" is not a view',
    );
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'nope' }], false, false)))).toBe(
      '42P01 table "nope" does not exist',
    );
    world.ddl((ddl) => dropNamed(ddl, 'table', [{ schema: 'public', name: 'nope' }], true, false));
    expect(world.notices[0].message).toBe('table "nope" does not exist, skipping');
    world.create('customers', [column('id', INT4)]);
    expect(world.rows('customers')).toEqual([]);
  });

  test('schemas, enums, comments, moving and renaming', () => {
    const world = shop();
    world.ddl((ddl) => createSchema(ddl, 's', false));
    expect(failure(() => world.ddl((ddl) => createSchema(ddl, 's', false)))).toBe('42P06 schema "s" already exists');
    expect(failure(() => world.create('no.t', [column('a', INT4)]))).toBe('3F000 schema "no" does not exist');
    world.ddl((ddl) => setSchema(ddl, 'relation', 'public', 'orders', 's', false));
    world.ddl((ddl) => renameRelation(ddl, 's', 'orders', 'bills', false));
    expect(world.rows('s.bills').length).toBe(2);
    world.ddl((ddl) => renameRelation(ddl, 'public', 'customers_id_seq', 'numbers', false));
    expect(world.table('customers').columns[0].default).toBe(`nextval('numbers'::regclass)`);
    world.ddl((ddl) => createEnum(ddl, 'public', 'mood', ['sad', 'happy']));
    const mood = world.schema.typeByName('public', 'mood')!;
    world.create('m', [column('a', mood)], [primaryKey('a')]);
    world.insert('m', ['happy'], ['sad']);
    world.ddl((ddl) => addEnumValue(ddl, 'public', 'mood', { label: 'ok', ifNotExists: false, neighbor: 'happy', after: false }));
    world.insert('m', ['ok']);
    expect(world.rows('m')).toEqual([['sad'], ['ok'], ['happy']]);
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'type', [{ schema: 'public', name: 'mood' }], false, false)))).toBe(
      '2BP01 cannot drop type mood because other objects depend on it | column a of table m depends on type mood',
    );
    world.ddl((ddl) => setComment(ddl, world.table('m').number, 0, 'moods'));
    expect(world.schema.comment(world.table('m').number)).toBe('moods');
    expect(failure(() => world.ddl((ddl) => dropNamed(ddl, 'schema', [{ schema: '', name: 's' }], false, false)))).toBe(
      '2BP01 cannot drop schema s because other objects depend on it | table s.bills depends on schema s',
    );
    world.ddl((ddl) => dropNamed(ddl, 'schema', [{ schema: '', name: 's' }], false, true));
    expect(world.table('s.bills')).toBe(null);
  });

  test('truncate empties a table and asks about those that point at it', () => {
    const world = shop();
    const numbers = ['customers', 'orders'].map((name) => world.table(name).number);
    expect(failure(() => world.ddl((ddl) => truncate(ddl, [numbers[0]], { cascade: false, restartIdentity: false })))).toBe(
      '0A000 cannot truncate a table referenced in a foreign key constraint | Table "orders" references "customers".',
    );
    world.index('orders', ['note']);
    world.ddl((ddl) => truncate(ddl, [numbers[0]], { cascade: true, restartIdentity: true }));
    expect([world.rows('customers'), world.rows('orders')]).toEqual([[], []]);
    world.checkIndexes();
    world.insert('customers', [1, 'Ann']);
    world.insert('orders', [10, 1, 'x']);
    world.checkIndexes();
  });
});

test('sequences return each value once, cycle, end, and continue after a commit', () => {
  const world = new TestWorld();
  const make = (name: string, options: Parameters<typeof createSequence>[1]['options']): void => {
    world.ddl((ddl) => createSequence(ddl, { schema: 'public', name, ifNotExists: false, options }));
  };
  make('s', { min: 1n, max: 3n, cycle: true });
  make('down', { increment: -2n, type: 21, start: -1n });
  make('wide', { start: 9007199254740990n });
  const of = (name: string): NonNullable<ReturnType<TestWorld['schema']['relation']>> & { kind: 'sequence' } => world.schema.relation('public', name) as never;
  const at = (): Parameters<SequenceAllocator['nextval']>[0] => ({ number: 1 as WorldNumber, root: world.root });
  const NONE: SequenceStates = new Map();
  const allocator = new SequenceAllocator(world.pager);
  const take = (name: string, count: number): unknown[] => Array.from({ length: count }, () => allocator.nextval(at(), of(name).sequence));
  expect(take('s', 5)).toEqual([1, 2, 3, 1, 2]);
  expect(take('down', 2)).toEqual([-1, -3]);
  expect(take('wide', 3)).toEqual([9007199254740990, 9007199254740991, 9007199254740992n]);
  const numbers = ['s', 'down', 'wide'].map((name) => of(name).sequence.number);
  world.apply([allocator.changes(at(), numbers, NONE)!]);
  expect(allocator.changes(at(), numbers, NONE)).toBe(null);
  const again = new SequenceAllocator(world.pager);
  expect(again.nextval(at(), of('wide').sequence)).toBe(9007199254740993n);
  expect(again.setval(at(), of('s').sequence, 3, false)).toBe(3);
  expect(again.nextval(at(), of('s').sequence)).toBe(3);
  expect(failure(() => again.setval(at(), of('s').sequence, 4, true))).toBe('22003 setval: value 4 is out of bounds for sequence "s" (1..3)');
  make('once', { max: 2n, start: 2n });
  again.nextval(at(), of('once').sequence);
  expect(failure(() => again.nextval(at(), of('once').sequence))).toBe('2200H nextval: reached maximum value of sequence "once" (2)');
  const memory = new SequenceMemory();
  expect(failure(() => memory.currval(of('s').sequence))).toBe('55000 currval of sequence "s" is not yet defined in this session');
  expect(failure(() => make('bad', { min: 5n, max: 3n }))).toBe('22023 MINVALUE (5) must be less than MAXVALUE (3)');
});
