/** Rows of one world: get, put, delete, batch, find. */
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/commands/contract.ts';
import { type Open, refused, stateOf, using } from './open.ts';

const RECORDS: { name: string; record: Row }[] = [
  { name: 'no fields', record: {} },
  { name: 'each JSON type', record: { t: true, f: false, i: 1, d: 1.5, s: 'text', n: null, l: [1, 'two', null, [3]], o: { a: { b: {} } } } },
  { name: 'null beside absent', record: { a: null } },
  { name: 'empty text, list and object', record: { s: '', l: [], o: {} } },
  { name: 'negative, tiny and huge numbers', record: { a: -1, b: 5e-324, c: 1.7976931348623157e308, d: 9007199254740991, e: -9007199254740991, f: 0.1 } },
  {
    name: 'field names of all kinds',
    record: { 'with space': 1, Upper: 2, 'a.b': 3, '"q"': 4, é: 5, '🙂': 6, constructor: 7, toString: 8, hasOwnProperty: 9 },
  },
  { name: 'text of all kinds', record: { a: '🙂 é\u0001\n\t"\'\\', b: '\u{10FFFF}', c: 'null', d: '{"x":1}', e: ' ' } },
  { name: "id beside the fields, equal to the row's", record: { id: 'r', x: 1 } },
  { name: 'a deep value', record: { d: nested(100) } },
];

function nested(depth: number): Row {
  let value: Row = {};
  for (let i = 0; i < depth; i++) value = { x: value };
  return value;
}

const IDS = [
  'a',
  'A',
  '1',
  '-1',
  '0001',
  'a/b',
  'a%2Fb',
  'a,b',
  '%',
  'é',
  '🙂',
  '\u{FFFD}',
  'constructor',
  '__proto__',
  'a@b',
  '"',
  "'",
  'null',
  'x'.repeat(1000),
];

export function rowsSuite(open: Open): void {
  describe('rows', () => {
    for (const { name, record } of RECORDS) {
      test(`a record comes back as it was put: ${name}`, () =>
        using(open, async (db) => {
          const { id: _id, ...kept } = record;
          await db.put({ table: 't', id: 'r', record });
          expect(await db.get({ table: 't', id: 'r' })).toEqual({ id: 'r', row: kept });
          expect((await db.find({ table: 't' })).hits).toEqual([{ id: 'r', score: 0, row: kept }]);
        }));
    }

    test('a field named __proto__ is a field', () =>
      using(open, async (db) => {
        const record = JSON.parse('{"__proto__": 1, "x": {"__proto__": 2}}') as Row;
        await db.put({ table: 't', id: 'r', record });
        expect(JSON.stringify((await db.get({ table: 't', id: 'r' })).row)).toBe('{"__proto__":1,"x":{"__proto__":2}}');
      }));

    test('every text without white space is an id of its own, in byte order', () =>
      using(open, async (db) => {
        for (const [n, id] of IDS.entries()) await db.put({ table: 't', id, record: { n } });
        for (const [n, id] of IDS.entries()) expect(await db.get({ table: 't', id })).toEqual({ id, row: { n } });
        const sorted = [...IDS].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect((await db.find({ table: 't', limit: 100 })).hits.map(({ id }) => id)).toEqual(sorted);
      }));

    // contract: row.2
    test('a put replaces the whole row', () =>
      using(open, async (db) => {
        await db.put({ table: 't', id: 'r', record: { a: 1, b: 2 } });
        await db.put({ table: 't', id: 'r', record: { b: 3, c: null } });
        expect((await db.get({ table: 't', id: 'r' })).row).toEqual({ b: 3, c: null });
        await db.put({ table: 't', id: 'r', record: {} });
        expect((await db.get({ table: 't', id: 'r' })).row).toEqual({});
      }));

    test('a field may hold another type in each row and at each put', () =>
      using(open, async (db) => {
        const values = [1, 1.5, 'x', true, null, [1], { a: 1 }, '1', 0, false, ''];
        for (const [n, v] of values.entries()) await db.put({ table: 't', id: `r${n}`, record: { v } });
        for (const v of values) await db.put({ table: 't', id: 'one', record: { v } });
        for (const [n, v] of values.entries()) expect((await db.get({ table: 't', id: `r${n}` })).row).toEqual({ v });
        for (const v of values) {
          const same = values.filter((each) => each === v).length;
          expect((await db.find({ table: 't', where: { v } })).total, JSON.stringify(v)).toBe(same + (v === '' ? 1 : 0));
        }
      }));

    test('what the caller does to a record afterwards changes nothing', () =>
      using(open, async (db) => {
        const record: Row = { list: [1] };
        await db.put({ table: 't', id: 'r', record });
        (record.list as number[]).push(2);
        const { row } = await db.get({ table: 't', id: 'r' });
        (row.list as number[]).push(3);
        expect((await db.get({ table: 't', id: 'r' })).row).toEqual({ list: [1] });
      }));

    // contract: world.4, state.2, op.put, op.delete, op.batch, version.2
    test('each write raises the version by one and replies with it', () =>
      using(open, async (db) => {
        expect((await db.world({})).version).toBe(0);
        expect(await db.put({ table: 't', id: 'r', record: {} })).toEqual({ ok: true, version: 1 });
        expect(await db.put({ table: 't', id: 'r', record: {} })).toEqual({ ok: true, version: 2 });
        expect(await db.delete({ table: 't', id: 'r' })).toEqual({ ok: true, version: 3 });
        expect(
          await db.batch({
            rows: [
              { table: 't', id: 'a', record: {} },
              { table: 't', id: 'b', record: {} },
            ],
          }),
        ).toEqual({ ok: true, count: 2, version: 4 });
        expect((await db.world({})).version).toBe(4);
      }));

    test('a refused write raises no version', () =>
      using(open, async (db) => {
        await refused('02000', db.delete({ table: 't', id: 'r' }));
        await refused('22023', db.put({ table: 't', id: 'r', record: { id: 'other' } }));
        expect((await db.world({})).version).toBe(0);
      }));

    test('a deleted row is gone and can be put again', () =>
      using(open, async (db) => {
        await db.put({ table: 't', id: 'r', record: { a: 1 } });
        await db.delete({ table: 't', id: 'r' });
        await refused('02000', db.get({ table: 't', id: 'r' }));
        await refused('02000', db.delete({ table: 't', id: 'r' }));
        await db.put({ table: 't', id: 'r', record: { b: 1 } });
        expect((await db.get({ table: 't', id: 'r' })).row).toEqual({ b: 1 });
      }));

    // contract: row.2, op.batch
    test('in a batch the last entry for a key wins, null deletes, a missing row is no error', () =>
      using(open, async (db) => {
        await db.put({ table: 't', id: 'gone', record: {} });
        const rows = [
          { table: 't', id: 'a', record: { n: 1 } },
          { table: 't', id: 'a', record: { n: 2 } },
          { table: 't', id: 'gone', record: null },
          { table: 't', id: 'never', record: null },
          { table: 'unknown', id: 'x', record: null },
          { table: 't', id: 'b', record: { n: 1 } },
          { table: 't', id: 'b', record: null },
          { table: 's', id: 'c', record: null },
          { table: 's', id: 'c', record: { n: 3 } },
        ];
        expect(await db.batch({ rows })).toEqual({ ok: true, count: 9, version: 2 });
        expect(await stateOf(db, 'main', ['t', 's', 'unknown'])).toEqual({ 't/a': { n: 2 }, 's/c': { n: 3 } });
      }));

    test('an empty batch moves no version', () => using(open, async (db) => expect(await db.batch({ rows: [] })).toEqual({ ok: true, count: 0, version: 0 })));

    // contract: op.batch
    test('a batch with one bad entry leaves nothing behind', () =>
      using(open, async (db) => {
        const good = { table: 't', id: 'a', record: {} };
        await refused('22023', db.batch({ rows: [good, { table: 't', id: '', record: {} }] }));
        await refused('22023', db.batch({ rows: [good, { table: 't', id: 'b', record: [] as unknown as Row }] }));
        await refused('22003', db.batch({ rows: [good, { table: 't', id: 'b', record: { n: 2 ** 60 } }] }));
        expect((await db.find({ table: 't' })).total).toBe(0);
        expect((await db.world({})).version).toBe(0);
      }));

    test('calls made at once take effect in order', () =>
      using(open, async (db) => {
        const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => db.put({ table: 't', id: 'r', record: { n } })));
        expect(replies.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
        expect((await db.get({ table: 't', id: 'r' })).row).toEqual({ n: 49 });
      }));
  });
  findTests(open);
}

function findTests(open: Open): void {
  const rows = Array.from({ length: 45 }, (_, n) => ({
    table: 't',
    id: `r${String(n).padStart(2, '0')}`,
    record: { n, odd: n % 2 === 1, tag: ['x', 'y', 'z'][n % 3], j: { k: n % 2 } },
  }));
  const filled = (use: Parameters<typeof using>[1]): Promise<unknown> =>
    using(open, async (db, clock) => {
      await db.batch({ rows });
      await use(db, clock);
    });

  describe('find', () => {
    // contract: op.find.1, op.find.5
    test('without limit the first 20 rows in key order', () =>
      filled(async (db) => {
        const { total, hits, next_offset } = await db.find({ table: 't' });
        expect({ total, next_offset }).toEqual({ total: 45, next_offset: 20 });
        expect(hits).toEqual(rows.slice(0, 20).map(({ id, record }) => ({ id, score: 0, row: record })));
      }));

    for (const { limit, offset, ids, next } of [
      { limit: 10, offset: 0, ids: [0, 10], next: 10 },
      { limit: 10, offset: 40, ids: [40, 45], next: null },
      { limit: 5, offset: 40, ids: [40, 45], next: null },
      { limit: 4, offset: 40, ids: [40, 44], next: 44 },
      { limit: 10, offset: 45, ids: [45, 45], next: null },
      { limit: 10, offset: 1000, ids: [45, 45], next: null },
      { limit: 10_000, offset: 0, ids: [0, 45], next: null },
    ]) {
      // contract: op.find.1
      test(`limit ${limit} from ${offset} gives rows ${ids.join(' to ')}`, () =>
        filled(async (db) => {
          const reply = await db.find({ table: 't', limit, offset });
          expect(reply.hits.map(({ id }) => id)).toEqual(rows.slice(ids[0], ids[1]).map(({ id }) => id));
          expect({ total: reply.total, next: reply.next_offset }).toEqual({ total: 45, next });
        }));
    }

    test('limit 0 counts', () => filled(async (db) => expect(await db.find({ table: 't', limit: 0 })).toMatchObject({ total: 45, hits: [] })));

    const wheres: { where: Row; count: number }[] = [
      { where: { odd: true }, count: 22 },
      { where: { odd: true, tag: 'x' }, count: 7 },
      { where: { n: 7 }, count: 1 },
      { where: { n: '7' }, count: 0 },
      { where: { n: 7.5 }, count: 0 },
      { where: { j: { k: 1 } }, count: 22 },
      { where: { j: {} }, count: 0 },
      { where: { tag: null }, count: 0 },
      { where: { id: 'r07' }, count: 1 },
      { where: { id: 'r07', n: 8 }, count: 0 },
      { where: {}, count: 45 },
    ];
    for (const { where, count } of wheres) {
      // contract: op.find.2
      test(`where ${JSON.stringify(where)} finds ${count}`, () =>
        filled(async (db) => {
          const { total, hits, next_offset } = await db.find({ table: 't', where, limit: 6 });
          expect({ total, shown: hits.length, next_offset }).toEqual({ total: count, shown: Math.min(6, count), next_offset: count > 6 ? 6 : null });
          const rest = await db.find({ table: 't', where, limit: 100, offset: 6 });
          expect(hits.length + rest.hits.length).toBe(count);
        }));
    }

    test('where null finds null, not absent', () =>
      using(open, async (db) => {
        await db.batch({
          rows: [
            { table: 't', id: 'null', record: { a: null } },
            { table: 't', id: 'absent', record: {} },
            { table: 't', id: 'zero', record: { a: 0 } },
          ],
        });
        expect((await db.find({ table: 't', where: { a: null } })).hits.map(({ id }) => id)).toEqual(['null']);
      }));

    test('a table whose rows are all deleted has no rows', () =>
      filled(async (db) => {
        await db.batch({ rows: rows.map(({ table, id }) => ({ table, id, record: null })) });
        expect(await db.find({ table: 't' })).toEqual({ total: 0, hits: [], next_offset: null });
      }));
  });
}
