/** With little memory sorts go through files and hash tables through passes; the rows stay the same. */
import { describe, expect, test } from 'vitest';
import { YIELD } from '../../../src/sql/exec/batch.ts';
import { compile } from '../../../src/sql/exec/compile.ts';
import type { ExecContext, SpillFile } from '../../../src/sql/exec/context.ts';
import type { Plan } from '../../../src/sql/plan/logical.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { aggregate, aggregateOf, and, col, COUNT_ALL, INT4, INT8, limit, NUMERIC, op, sort, sortBy, SUM_INT4, TEXT, World } from './world.ts';

class MemoryFile implements SpillFile {
  static made = 0;
  #bytes = Buffer.alloc(0);
  constructor() {
    MemoryFile.made++;
  }
  write(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }
  read(from: number, length: number): Uint8Array {
    return this.#bytes.subarray(from, from + length);
  }
  close(): void {
    this.#bytes = Buffer.alloc(0);
  }
}

const world = new World();
const rows: Value[][] = Array.from({ length: 20_000 }, (_, i) => [
  i,
  (i * 7919) % 10_007,
  i % 5 === 0 ? null : `text ${(i * 31) % 997} é${i % 3 === 0 ? '漢' : ''}`,
  new Numeric(i, 2),
]);
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'n', type: INT4 },
    { name: 's', type: TEXT },
    { name: 'd', type: NUMERIC, scale: 2 },
  ],
  rows,
  true,
);
const u = world.table(
  'u',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 's', type: TEXT },
  ],
  Array.from({ length: 15_000 }, (_, i) => [i, i % 9 === 0 ? null : `text ${i % 997} é`]),
  true,
);
const SMALL: Partial<ExecContext> = { workMemBytes: 100_000, spill: () => new MemoryFile() };
const sorted = (result: Value[][]): string[] =>
  result.map((row) => row.map((v) => (v instanceof Numeric ? `${v.coefficient}/${v.scale}` : String(v))).join('|')).sort();
const same = (plan: Plan): void => expect(sorted(world.run(plan, SMALL))).toEqual(sorted(world.run(plan)));

test('a sort through files keeps its order', () => {
  const s = world.scan(t);
  const plan = sort(s, sortBy(col(s, 2), true, false), sortBy(col(s, 1)));
  const before = MemoryFile.made;
  expect(world.run(plan, SMALL)).toEqual(world.run(plan));
  expect(MemoryFile.made).toBeGreaterThan(before + 3);
});

test('groups in passes', () => {
  const s = world.scan(t);
  const aggregates = [aggregateOf(world, COUNT_ALL, INT8, []), aggregateOf(world, SUM_INT4, INT8, [col(s, 0)])];
  same(aggregate(world, s, [col(s, 1)], aggregates));
  same(aggregate(world, s, [col(s, 1), col(s, 2)], aggregates));
  same(aggregate(world, s, [col(s, 1), col(s, 2)], aggregates, [[0, 1], [1], []]));
});

test('joins in passes', () => {
  for (const kind of ['inner', 'left', 'semi', 'anti', 'right', 'full'] as const) {
    const a = world.scan(t);
    const b = world.scan(u);
    const c = world.scan(u);
    const join = (x: Plan, y: Plan, on: ReturnType<typeof op>): Plan => ({
      op: 'join',
      kind,
      left: x,
      right: y,
      on,
      lateral: false,
      columns: kind === 'semi' || kind === 'anti' ? x.columns : [...x.columns, ...y.columns],
    });
    const one = join(a, b, op('=', col(a, 1), col(b, 0)));
    same(one);
    same(join(one, c, and(op('=', col(a, 0), col(c, 0)), op('=', col(a, 2), col(c, 1)))));
  }
  const a = world.scan(t);
  const b = world.scan(u);
  const plan: Plan = { op: 'join', kind: 'inner', left: a, right: b, on: op('=', col(a, 1), col(b, 0)), lateral: false, columns: [...a.columns, ...b.columns] };
  expect(world.run(limit(plan, 10), SMALL).length).toBe(10);
});

// contract: limit.max_memory_mb
describe('what a statement holds is refused past its limit', () => {
  const cross = (): Plan => {
    const a = world.scan(t);
    const b = world.scan(u);
    return { op: 'join', kind: 'inner', left: b, right: a, on: op('<', col(a, 0), col(b, 0)), lateral: false, columns: [...b.columns, ...a.columns] };
  };
  const full = (): Plan => {
    const a = world.scan(t);
    const b = world.scan(u);
    return { op: 'join', kind: 'full', left: a, right: b, on: op('=', col(a, 1), col(b, 0)), lateral: false, columns: [...a.columns, ...b.columns] };
  };
  const s = world.scan(t);
  const cases: [string, Plan][] = [
    ['the side of a loop', limit(cross(), 1)],
    ['the side of a full join', full()],
    ['a sort without files', sort(s, sortBy(col(s, 2)))],
    ['groups', aggregate(world, s, [col(s, 0), col(s, 2)], [aggregateOf(world, COUNT_ALL, INT8, [])])],
    ['DISTINCT without files', { op: 'distinct', input: s, on: null, columns: s.columns }],
  ];
  test.each(cases)('%s', (_name, plan) => {
    expect(() => world.run(plan, { heldBytesMax: 200_000 })).toThrow(expect.objectContaining({ code: '53200' }));
    expect(world.run(plan, { heldBytesMax: 1 << 28 }).length).toBeGreaterThan(0);
  });

  test('and so is a result that is kept', () => {
    const cursor = compile(s).run(world.context({ heldBytesMax: 200_000 }));
    expect(() => {
      for (let batch = cursor.next(); batch !== null; batch = cursor.next()) if (batch !== YIELD) cursor.hold(batch);
    }).toThrow(expect.objectContaining({ code: '53200' }));
  });
});
