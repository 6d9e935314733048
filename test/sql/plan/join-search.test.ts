/** The cheapest tree of joins against all trees, and the shapes that are hoped for. */
import { describe, expect, test } from 'vitest';
import { cheapestTree, type Relations, type Tree } from '../../../src/sql/plan/rules/join-search.ts';

interface Given {
  readonly rows: readonly number[];
  /** Pairs with the share that they leave. */
  readonly joins: readonly (readonly [a: number, b: number, share: number])[];
  /** Relations that can be looked up, for one row of any other, and what that costs. */
  readonly lookups?: Readonly<Record<number, number>>;
  readonly implied?: readonly (readonly [a: number, b: number, share: number])[];
  /** All joins are about columns that are all equal. */
  readonly redundant?: boolean;
}

function pairs(joins: Given['joins'], isWritten: boolean): { mask: number; share: number; written: boolean }[] {
  return joins.map(([a, b, share]) => ({ mask: (1 << a) | (1 << b), share, written: isWritten }));
}

function relations({ rows, joins, lookups = {}, implied = [], redundant = false }: Given): Relations {
  const all = [...joins, ...implied];
  return {
    rows,
    reading: rows,
    predicates: all.map(([a, b]) => ({ mask: (1 << a) | (1 << b), sides: [1 << a, 1 << b] })),
    shares: joins.map(([a, b, share]) => ({ mask: (1 << a) | (1 << b), share })),
    equalities: implied.length === 0 && !redundant ? [] : [[...pairs(joins, true), ...pairs(implied, false)].sort((x, y) => y.share - x.share)],
    lookup: (relation, set) =>
      lookups[relation] !== undefined && all.some(([a, b]) => (a === relation && (set & (1 << b)) !== 0) || (b === relation && (set & (1 << a)) !== 0))
        ? lookups[relation]
        : null,
  };
}

function written(tree: Tree): string {
  if (tree.split === null) return String(tree.relation);
  return `(${written(tree.split[0])} ${tree.lookup ? '→' : '×'} ${written(tree.split[1])})`;
}

test.each<[string, Given, string]>([
  ['the smaller side is gathered', { rows: [1000, 10], joins: [[0, 1, 0.1]] }, '(0 × 1)'],
  ['whichever is written first', { rows: [10, 1000], joins: [[0, 1, 0.1]] }, '(1 × 0)'],
  ['a few rows look up the others', { rows: [10, 100000], joins: [[0, 1, 1e-5]], lookups: { 1: 20 } }, '(0 → 1)'],
  ['many rows do not', { rows: [90000, 100000], joins: [[0, 1, 1e-5]], lookups: { 1: 20 } }, '(1 × 0)'],
  [
    'what leaves few rows comes first',
    {
      rows: [100000, 1000, 10],
      joins: [
        [0, 1, 1e-3],
        [0, 2, 1e-5],
      ],
    },
    '(1 × (0 × 2))',
  ],
  ['without a condition: as written', { rows: [10, 20], joins: [] }, '(0 × 1)'],
])('%s', (_name, given, tree) => {
  expect(written(cheapestTree(relations(given)))).toBe(tree);
});

test('relations without a condition are joined last', () => {
  const tree = cheapestTree(
    relations({
      rows: [2, 3, 1000, 2000],
      joins: [
        [0, 2, 1e-3],
        [1, 3, 1e-3],
      ],
    }),
  );
  expect(tree.split!.map(({ set }) => set).sort((a, b) => a - b)).toEqual([0b0101, 0b1010]);
});

test('of equalities that follow from one another as many count as link their relations', () => {
  const joins: Given['joins'] = [
    [0, 1, 1e-3],
    [1, 2, 1e-1],
    [0, 2, 1e-3],
  ];
  expect(cheapestTree(relations({ rows: [1000, 10, 10], joins, redundant: true })).rows).toBeCloseTo(10);
  expect(cheapestTree(relations({ rows: [1000, 10, 10], joins: joins.slice(0, 2), implied: joins.slice(2) })).rows).toBeCloseTo(10);
});

test('equalities that follow allow another start, and are counted once', () => {
  const given: Given = {
    rows: [25, 100000, 1000],
    joins: [
      [0, 1, 1 / 25],
      [1, 2, 1 / 25],
    ],
    implied: [[0, 2, 1 / 25]],
  };
  const tree = cheapestTree(relations(given));
  expect(tree.rows).toBeCloseTo((25 * 100000 * 1000) / 25 / 25);
  expect(cheapestTree(relations({ ...given, rows: [1, 100000, 1000] })).split!.map(({ set }) => set)).toContain(0b101);
});

describe('against all trees', () => {
  /** mulberry32 */
  const random = (seed: number): (() => number) => {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  };
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('seed %i: no split of the whole costs less', (seed) => {
    const next = random(seed);
    const count = 3 + Math.floor(next() * 3);
    const rows = Array.from({ length: count }, () => Math.ceil(10 ** (next() * 5)));
    const joins = Array.from({ length: count - 1 }, (_, i): [number, number, number] => {
      const other = Math.floor(next() * (i + 1));
      return [other, i + 1, 1 / Math.max(rows[other], rows[i + 1])];
    });
    const lookups = Object.fromEntries(rows.flatMap((_, i) => (next() < 0.4 ? [[i, 15 + Math.floor(next() * 50)]] : [])));
    const given = relations({ rows, joins, lookups });
    const best = cheapestTree(given);
    // The parts of the tree are the cheapest trees of their own relations.
    const check = (tree: Tree): void => {
      if (tree.split === null) return;
      const members = rows.flatMap((_, i) => ((tree.set & (1 << i)) === 0 ? [] : [i]));
      const at = (mask: number): number => members.reduce((sum, member, i) => sum | ((mask & (1 << member)) === 0 ? 0 : 1 << i), 0);
      const alone = cheapestTree({
        rows: members.map((i) => rows[i]),
        reading: members.map((i) => rows[i]),
        predicates: given.predicates
          .filter(({ mask }) => (mask & tree.set) === mask)
          .map(({ mask, sides }) => ({ mask: at(mask), sides: [at(sides![0]), at(sides![1])] as const })),
        shares: given.shares.filter(({ mask }) => (mask & tree.set) === mask).map(({ mask, share }) => ({ mask: at(mask), share })),
        equalities: [],
        lookup: (relation, set) =>
          given.lookup(
            members[relation],
            members.reduce((sum, member, i) => sum | ((set & (1 << i)) === 0 ? 0 : 1 << member), 0),
          ),
      });
      expect(alone.rows).toBeCloseTo(tree.rows, 3);
      expect(alone.cost).toBeCloseTo(tree.cost, 3);
      tree.split.forEach(check);
    };
    check(best);
    expect(Number.isFinite(best.cost)).toBe(true);
  });
});
