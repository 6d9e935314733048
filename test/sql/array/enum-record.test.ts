import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENUM_FUNCTIONS } from '../../../src/sql/functions/enum/enum-functions.ts';
import { RECORD_COMPARE } from '../../../src/sql/functions/record/record-compare.ts';
import { rowDistinct, rowEqual, rowIsNotNull, rowIsNull, rowOrder } from '../../../src/sql/functions/record/row-compare.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { expectSame } from '../json/against-oracle.ts';
import { INT4, PLAIN_TYPES_SQL } from '../json/plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec(PLAIN_TYPES_SQL);
});
afterAll(() => pg.close());

test('enum functions and operators', async () => {
  const labels = ['sad', 'ok', 'happy', null];
  for (const a of labels) {
    for (const name of ['enum_first', 'enum_last', 'enum_range']) await expectSame(pg, ENUM_FUNCTIONS, name, [['mood', a]]);
    for (const b of labels) {
      for (const name of ['enum_range', 'enum_larger', 'enum_smaller', '=', '<>', '<', '>', '<=', '>='])
        await expectSame(pg, ENUM_FUNCTIONS, name, [
          ['mood', a],
          ['mood', b],
        ]);
    }
  }
});

test('record operators', async () => {
  for (const a of ['(1,a)', '(1,)', '(,)', '(2,a)', null]) {
    for (const b of ['(1,a)', '(1,)', '(,b)', '(1,b)'])
      for (const name of ['=', '<>', '<', '>', '<=', '>='])
        await expectSame(pg, RECORD_COMPARE, name, [
          ['pair', a],
          ['pair', b],
        ]);
  }
});

test('row constructors compare with three values', async () => {
  const orders = [INT4.compare, INT4.compare];
  const one = async (sql: string): Promise<unknown> => (await pg.query<[boolean | null]>(`select ${sql}`, [], { rowMode: 'array' })).rows[0][0];
  const rows: Value[][] = [1, 2, null].flatMap((a) => [1, 2, null].map((b) => [a, b]));
  const text = (row: readonly Value[]): string => `(${row.map((value) => `${String(value)}::int`).join(', ')})`;
  for (const a of rows) {
    expect([a, rowIsNull(a), rowIsNotNull(a)]).toEqual([a, await one(`${text(a)} is null`), await one(`${text(a)} is not null`)]);
    for (const b of rows) {
      const order = rowOrder(a, b, orders);
      expect([a, b, rowEqual(a, b, orders), rowDistinct(a, b, orders), order === null ? null : order < 0, order === null ? null : order >= 0]).toEqual([
        a,
        b,
        await one(`${text(a)} = ${text(b)}`),
        await one(`${text(a)} is distinct from ${text(b)}`),
        await one(`${text(a)} < ${text(b)}`),
        await one(`${text(a)} >= ${text(b)}`),
      ]);
    }
  }
});
