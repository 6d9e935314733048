import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Call, WindowFunction, WindowView } from '../../../src/sql/functions/define.ts';
import { WINDOW_RANK } from '../../../src/sql/functions/window/window-rank.ts';
import { WINDOW_VALUE } from '../../../src/sql/functions/window/window-value.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { seeded } from '../json/against-oracle.ts';
import { ENV, FLOAT8, INT4, INT8, typeNamed } from '../json/plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec('create table w (id int, k int, v int, n int)');
});
afterAll(() => pg.close());

interface Row {
  readonly id: number;
  readonly k: number;
  readonly v: number | null;
  readonly n: number | null;
}

type Exclusion = '' | 'exclude current row' | 'exclude group' | 'exclude ties';

/** Frame in rows, relative to the current one. */
interface Frame {
  readonly before: number;
  readonly after: number;
  readonly exclusion: Exclusion;
}

/** One partition ordered by k, seen row by row. */
class View implements WindowView {
  readonly rows: readonly Row[];
  readonly args: readonly ((row: Row) => Value)[];
  readonly frame: Frame;
  row = 0;

  constructor(rows: readonly Row[], args: readonly ((row: Row) => Value)[], frame: Frame) {
    this.rows = rows;
    this.args = args;
    this.frame = frame;
  }

  get count(): number {
    return this.rows.length;
  }

  get frameStart(): number {
    return Math.min(Math.max(0, this.row - this.frame.before), this.count);
  }

  get frameEnd(): number {
    return Math.max(this.frameStart, Math.min(this.count, this.row + this.frame.after + 1));
  }

  peersOf(position: number): readonly [number, number] {
    const { k } = this.rows[position];
    let start = position;
    while (start > 0 && this.rows[start - 1].k === k) start--;
    let end = position + 1;
    while (end < this.count && this.rows[end].k === k) end++;
    return [start, end];
  }

  inFrame(position: number): boolean {
    if (position < this.frameStart || position >= this.frameEnd) return false;
    const peer = this.rows[position].k === this.rows[this.row].k;
    switch (this.frame.exclusion) {
      case 'exclude current row':
        return position !== this.row;
      case 'exclude group':
        return !peer;
      case 'exclude ties':
        return !peer || position === this.row;
      default:
        return true;
    }
  }

  arg(n: number, position: number): Value {
    return this.args[n](this.rows[position]);
  }
}

const CASES: readonly [call: string, name: string, args: readonly ((row: Row) => Value)[]][] = [
  ['row_number()', 'row_number', []],
  ['rank()', 'rank', []],
  ['dense_rank()', 'dense_rank', []],
  ['percent_rank()', 'percent_rank', []],
  ['cume_dist()', 'cume_dist', []],
  ['ntile(1)', 'ntile', [() => 1]],
  ['ntile(3)', 'ntile', [() => 3]],
  ['ntile(100)', 'ntile', [() => 100]],
  ['ntile(0)', 'ntile', [() => 0]],
  ['ntile(null)', 'ntile', [() => null]],
  ['lag(v)', 'lag', [(row) => row.v]],
  ['lead(v)', 'lead', [(row) => row.v]],
  ['lag(v, 2)', 'lag', [(row) => row.v, () => 2]],
  ['lag(v, n)', 'lag', [(row) => row.v, (row) => row.n]],
  ['lead(v, n)', 'lead', [(row) => row.v, (row) => row.n]],
  ['lag(v, n, id)', 'lag', [(row) => row.v, (row) => row.n, (row) => row.id]],
  ['lead(v, -1, id)', 'lead', [(row) => row.v, () => -1, (row) => row.id]],
  ['lead(v, 0)', 'lead', [(row) => row.v, () => 0]],
  ['first_value(v)', 'first_value', [(row) => row.v]],
  ['last_value(v)', 'last_value', [(row) => row.v]],
  ['nth_value(v, 1)', 'nth_value', [(row) => row.v, () => 1]],
  ['nth_value(v, 2)', 'nth_value', [(row) => row.v, () => 2]],
  ['nth_value(v, 50)', 'nth_value', [(row) => row.v, () => 50]],
  ['nth_value(v, null)', 'nth_value', [(row) => row.v, () => null]],
  ['nth_value(v, 0)', 'nth_value', [(row) => row.v, () => 0]],
];

test('every function over random partitions and frames', async () => {
  const functions = [...WINDOW_RANK.functions!, ...WINDOW_VALUE.functions!] as WindowFunction[];
  const next = seeded(31);
  for (let round = 0; round < 12; round++) {
    const rows: Row[] = Array.from({ length: round === 0 ? 1 : 1 + next(14) }, (_, id) => ({
      id,
      k: next(5),
      v: next(4) === 0 ? null : next(100),
      n: next(5) === 0 ? null : next(4) - 1,
    })).sort((a, b) => a.k - b.k || a.id - b.id);
    await pg.exec(`truncate w; insert into w values ${rows.map((row) => `(${row.id}, ${row.k}, ${row.v ?? 'null'}, ${row.n ?? 'null'})`).join(', ')}`);
    const before = next(4) - 1;
    const frame: Frame = {
      before,
      after: next(4) - (before < 0 ? 0 : 1),
      exclusion: (['', 'exclude current row', 'exclude group', 'exclude ties'] as const)[next(4)],
    };
    const side = (rowsAway: number, forth: string, back: string): string => (rowsAway < 0 ? `${-rowsAway} ${back}` : `${rowsAway} ${forth}`);
    const over = `rows between ${side(frame.before, 'preceding', 'following')} and ${side(frame.after, 'following', 'preceding')} ${frame.exclusion}`;
    for (const [call, name, args] of CASES) {
      const sql = `select (${call} over (order by k, id ${over}))::text from w order by k, id`;
      // Peers are those of k alone; ranks must see ties, values must see rows in a known order.
      const tied = /rank|cume|exclude (group|ties)/.test(`${call} ${frame.exclusion}`);
      const query = tied ? `select (${call} over (order by k ${over}))::text from (select * from w order by k, id) s` : sql;
      const theirs = await pg.query<[string | null]>(query, [], { rowMode: 'array' }).then(
        (result) => result.rows.map((row) => row[0]),
        (error: { code: string; message: string }) => `${error.code} ${error.message}`,
      );
      const found = functions.find((f) => f.name === name && f.args.length === args.length)!;
      const returnType = { int8: INT8, float8: FLOAT8 }[found.returns] ?? INT4;
      const context: Call = { env: ENV, argTypes: args.map(() => INT4), returnType };
      const view = new View(rows, args, frame);
      let ours: unknown;
      try {
        ours = rows.map((_, row) => {
          view.row = row;
          const value = found.impl(view, context);
          return value === null ? null : returnType.format(value, ENV);
        });
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        ours = `${error.code} ${error.message}`;
      }
      expect([query, rows, ours]).toEqual([query, rows, theirs]);
    }
  }
});

test('dense_rank does not depend on the order in which rows are evaluated', () => {
  const rows = [1, 1, 2, 3, 3].map((k, id): Row => ({ id, k, v: null, n: null }));
  const found = WINDOW_RANK.functions!.find((f) => f.name === 'dense_rank') as WindowFunction;
  const view = new View(rows, [], { before: 0, after: 0, exclusion: '' });
  const context: Call = { env: ENV, argTypes: [], returnType: typeNamed('int8') };
  const at = (row: number): Value => {
    view.row = row;
    return found.impl(view, context);
  };
  expect([4, 2, 3, 0, 4, 1].map(at)).toEqual([3, 2, 3, 1, 3, 1]);
});
