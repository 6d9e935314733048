/** Random statements give the same rows optimized or not, with much memory or little. */
import { expect, test } from 'vitest';
import { treeStatistics } from '../../../src/sql/exec/statistics.ts';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import type { JoinPlan, Plan } from '../../../src/sql/plan/logical.ts';
import { optimize } from '../../../src/sql/plan/rules/optimize.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import {
  aggregate,
  aggregateOf,
  and,
  BOOL,
  col,
  COUNT_ALL,
  filter,
  int,
  INT4,
  INT8,
  isNull,
  limit,
  MAX_INT4,
  not,
  op,
  or,
  out,
  project,
  sort,
  sortBy,
  SUM_INT4,
  TEXT,
  World,
} from './world.ts';

const world = new World();
const columns = [
  { name: 'id', type: INT4, notNull: true },
  { name: 'n', type: INT4 },
  { name: 's', type: TEXT },
];
const rowsOf = (count: number, mod: number): Value[][] =>
  Array.from({ length: count }, (_, i) => [i, i % 7 === 3 ? null : (i * 13) % mod, i % 5 === 0 ? null : `k${i % 6}`]);
const tables = [
  world.table('big', columns, rowsOf(700, 90), true, [
    { name: 'big_n', columns: [1] },
    { name: 'big_s_n', columns: [2, 1] },
  ]),
  world.table('mid', columns, rowsOf(90, 12), true, [{ name: 'mid_n', columns: [1] }]),
  world.table('small', columns, rowsOf(9, 5)),
];
const statistics = treeStatistics(world.pager, () => world.root, world.context().keys);

class Maker {
  #state: number;
  constructor(seed: number) {
    this.#state = seed * 7919 + 1;
  }
  random(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)];
  }

  ints(plan: Plan, outer: Plan | null): Bound[] {
    const own = plan.columns.flatMap((c, i) => (c.type === INT4 ? [col(plan, i)] : []));
    const from = outer === null ? [] : outer.columns.flatMap((c, i) => (c.type === INT4 ? [col(outer, i)] : []));
    return [...own, ...own, ...from];
  }

  predicate(plan: Plan, outer: Plan | null, depth: number): Bound {
    const ints = this.ints(plan, outer);
    const x = this.pick(ints);
    const roll = this.random();
    if (roll < 0.3) return op(this.pick(['=', '<', '>', '<=', '>=', '<>']), x, int(Math.floor(this.random() * 60)));
    if (roll < 0.5) return op(this.pick(['=', '=', '<', '<>']), x, this.pick(ints));
    if (roll < 0.58) return isNull(x, this.random() < 0.5);
    if (roll < 0.66) return or(this.predicate(plan, outer, 0), this.predicate(plan, outer, 0));
    if (roll < 0.72) return and(this.predicate(plan, outer, depth - 1), this.predicate(plan, outer, depth - 1));
    if (depth <= 0) return op('<', x, int(40));
    const query = this.query(depth - 1, plan);
    const kind = this.random();
    if (kind < 0.4) {
      const exists: Bound = { kind: 'exists', plan: query, type: BOOL, typmod: -1 };
      return this.random() < 0.5 ? exists : not(exists);
    }
    const at = query.columns.findIndex((c) => c.type === INT4);
    if (at < 0) return op('=', x, int(3));
    const one = project(world, query, col(query, at));
    if (kind < 0.75) {
      const list: Bound = {
        kind: 'quantifiedQuery',
        quantifier: 'any',
        plan: one,
        compare: op(this.pick(['=', '=', '<']), x, col(one, 0)),
        type: BOOL,
        typmod: -1,
      };
      return this.random() < 0.7 ? list : not(list);
    }
    const max = aggregate(world, one, [], [aggregateOf(world, MAX_INT4, INT4, [col(one, 0)])]);
    return op(this.pick(['=', '>', '<']), x, { kind: 'subquery', plan: max, type: INT4, typmod: -1 });
  }

  query(depth: number, outer: Plan | null): Plan {
    let plan: Plan = world.scan(this.pick(tables));
    for (let joins = Math.floor(this.random() * 2.5); joins > 0 && depth > 0; joins--) {
      const right: Plan = this.random() < 0.7 ? world.scan(this.pick(tables)) : this.query(depth - 1, null);
      const l = this.ints(plan, null);
      const r = this.ints(right, null);
      if (r.length === 0) continue;
      const kind = this.pick<JoinPlan['kind']>(['inner', 'inner', 'inner', 'left', 'right', 'full', 'semi', 'anti']);
      let on: Bound = op('=', this.pick(l), this.pick(r));
      if (kind !== 'full' && this.random() < 0.3) on = and(on, op('<', this.pick(l), this.pick(r)));
      plan = {
        op: 'join',
        kind,
        left: plan,
        right,
        on,
        lateral: false,
        columns: kind === 'semi' || kind === 'anti' ? plan.columns : [...plan.columns, ...right.columns],
      };
    }
    for (let filters = Math.floor(this.random() * 3); filters > 0; filters--) plan = filter(plan, this.predicate(plan, outer, depth));
    const roll = this.random();
    const ints = this.ints(plan, null);
    if (roll < 0.2) {
      plan = aggregate(
        world,
        plan,
        [this.pick(ints)],
        [aggregateOf(world, COUNT_ALL, INT8, []), aggregateOf(world, SUM_INT4, INT8, [this.pick(ints)]), aggregateOf(world, MAX_INT4, INT4, [this.pick(ints)])],
      );
      if (this.random() < 0.5) plan = filter(plan, this.predicate(plan, null, 0));
    } else if (roll < 0.4)
      plan = project(world, plan, op('+', this.pick(ints), int(1)), ...[...new Set(plan.columns.map((_, i) => i))].slice(0, 2).map((i) => col(plan, i)));
    else if (roll < 0.5) {
      const one = project(world, plan, this.pick(ints));
      plan = { op: 'distinct', input: one, on: null, columns: one.columns };
    } else if (roll < 0.6) {
      const other = this.query(depth - 1, null);
      const at = other.columns.findIndex((c) => c.type === INT4);
      if (at >= 0)
        plan = {
          op: 'setOperation',
          operator: this.pick(['union', 'intersect', 'except']),
          all: this.random() < 0.5,
          left: project(world, plan, this.pick(ints)),
          right: project(world, other, col(other, at)),
          columns: [out(world.id(), INT4)],
        };
      if (plan.op === 'setOperation' && this.random() < 0.5) plan = filter(plan, this.predicate(plan, null, 0));
    } else if (roll < 0.7) {
      const all = project(world, plan, ...plan.columns.map((_, i) => col(plan, i)));
      // Ordered by everything, so that the rows cut off are the same ones.
      plan = limit(
        sort(all, ...all.columns.map((_, i) => sortBy(col(all, i), this.random() < 0.5))),
        Math.floor(this.random() * 30),
        Math.floor(this.random() * 3),
      );
    }
    return plan;
  }
}

const SEEDS = 250;
for (let from = 0; from < SEEDS; from += 50) {
  test(`seeds ${from} to ${from + 49}`, () => {
    for (let seed = from; seed < from + 50; seed++) {
      const maker = new Maker(seed);
      const plan = maker.query(2, null);
      const show = (made: Plan): string[] => {
        const rows = world.run(made);
        return rows.map((row) => row.map(String).join('|')).sort();
      };
      if (size(plan) > 2e6) continue;
      const expected = show(plan);
      expect({ seed, rows: show(optimize(plan, statistics)) }).toEqual({ seed, rows: expected });
    }
  });
}

/** Rows that joins may give at most, so that no seed runs for long. */
function size(plan: Plan): number {
  if (plan.op === 'scan') return plan.table.name === 'big' ? 700 : plan.table.name === 'mid' ? 90 : 9;
  if (plan.op === 'join') return size(plan.left) * size(plan.right);
  if (plan.op === 'setOperation') return size(plan.left) + size(plan.right);
  return 'input' in plan ? size(plan.input) : 1;
}
