/** From a logical plan to code: each operator adds its own to the pipeline and calls the next one. */
import type { Plan } from '../plan/logical.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { COMPARISONS } from './inline/comparisons.ts';
import { conjunction } from '../plan/rules/rewrite.ts';
import { columnsOf, conjuncts, hasSubquery, isVolatile } from '../plan/rules/walk.ts';
import type { Pipeline } from './pipeline.ts';
import { produceScan } from './scan.ts';
import { produceForeignScan } from './foreign-scan.ts';
import { produceRankedScan } from './ranked-scan.ts';
import { produceLimit } from './limit.ts';
import { openDistinct, produceDistinctOn } from './distinct.ts';
import { produceLock } from './lock-rows.ts';
import { produceJoin } from './join.ts';
import { openValues, openFunctionScan, openProjectSet } from './small-sources.ts';
import { produceVirtualScan } from './virtual-scan.ts';
import { predicateTest } from './zone-tests.ts';
import { openAggregate } from './aggregate.ts';
import { openSort } from './sort.ts';
import { openWindow, usedFunctions } from './window.ts';
import { produceAppend } from './append.ts';
import { openSetOperation } from './set-operation.ts';
import { openCteScan, openRecursive, openWith } from './with.ts';
import { openModify } from './modify.ts';
import { BatchSource } from './pipeline.ts';
import { overBatch } from './bind-batch.ts';
import type { Rows } from './compilation.ts';
import { typesOf } from './compilation.ts';
import type { SqlType } from '../types/type.ts';
import type { Expressions } from './expression.ts';

export type Needed = ReadonlySet<ColumnId>;

export function withColumns(needed: Needed, expressions: readonly Bound[]): Set<ColumnId> {
  const all = new Set(needed);
  for (const e of expressions) columnsOf(e, all);
  return all;
}

/** Adds the code that produces the plan's rows; `consume` adds what is done with each. `needed`: columns that are read above. */
export function produce(p: Pipeline, plan: Plan, needed: Needed, consume: () => void): void {
  if (!p.c.analyze) return produceNode(p, plan, needed, consume);
  const state = p.c.runState(() => ({ rows: 0 }));
  p.c.counted.set(plan, state);
  produceNode(p, plan, needed, () => {
    p.g.line(`${p.g.state(state)}.rows++;`);
    consume();
  });
}

function produceNode(p: Pipeline, plan: Plan, needed: Needed, consume: () => void): void {
  switch (plan.op) {
    case 'scan':
      return produceScan(p, plan, needed, consume);
    case 'foreignScan':
      return produceForeignScan(p, plan, needed, consume);
    case 'rankedScan':
      return produceRankedScan(p, plan, needed, consume);
    case 'filter': {
      const all = conjuncts(plan.predicate);
      // A condition without columns is evaluated once, before the first row is read.
      const once = all.filter((e) => columnsOf(e).size === 0 && !isVolatile(e) && !hasSubquery(e));
      const asked = once.map((e) => p.c.scalars([e]));
      if (once.length > 0) p.idle.push((run) => asked.some((value) => value(run, [])[0] !== true));
      const predicates = all.filter((e) => !once.includes(e));
      if (plan.input.op === 'scan') {
        const test = predicateTest(p.c, plan.input, predicates);
        if (test !== null) p.zoneTests.push(test);
      }
      return produce(p, plan.input, withColumns(needed, predicates), () => {
        if (p.wantsMask && plan.input.op === 'scan' && predicates.length > 0 && predicates.every(isPlainComparison)) {
          // If about half of the rows pass, a mispredicted branch costs more than the row.
          const tests = predicates.map((e) => p.x.compile(e));
          p.mask = p.g.fresh('mask');
          p.g.line(`const ${p.mask} = ${tests.map(({ v, n }) => (n === 'false' ? `${v} & 1` : `${v} & !${n}`)).join(' & ')};`);
          consume();
          p.mask = null;
          return;
        }
        // Deep nesting of blocks would exhaust the parser's stack.
        if (predicates.length <= 30) p.x.where(predicates, consume);
        else p.x.where([conjunction(predicates)!], consume);
      });
    }
    case 'project': {
      const used = plan.items.filter((item) => needed.has(item.id) || isVolatile(item.value));
      return produce(
        p,
        plan.input,
        withColumns(
          new Set(),
          used.map((item) => item.value),
        ),
        () => {
          bindItems(p.x, used);
          consume();
        },
      );
    }
    case 'append':
      return produceAppend(p, plan, needed, consume);
    case 'limit':
      return produceLimit(p, plan, needed, consume);
    case 'lock':
      return produceLock(p, plan, needed, consume);
    case 'distinct':
      if (plan.on !== null) return produceDistinctOn(p, plan, needed, consume);
      return fromRows(p, openDistinct(p.c, plan), typesOf(plan), consume);
    case 'window':
      // If no window function is read the sort is not needed.
      if (usedFunctions(plan, needed).length === 0) return produce(p, plan.input, needed, consume);
      return fromRows(p, openWindow(p.c, plan, needed), typesOf(plan), consume);
    case 'virtualScan':
      return produceVirtualScan(p, plan, consume);
    case 'join':
      return produceJoin(p, plan, needed, consume);
    case 'insert':
    case 'update':
    case 'merge':
    case 'delete': {
      const modified = openModify(p.c, plan);
      return fromRows(p, modified, modified.types, () => {
        if (modified.returned !== true) bindItems(p.x, plan.returning ?? []);
        consume();
      });
    }
    default:
      return fromRows(p, open(p, plan, needed), typesOf(plan), consume);
  }
}

/** A comparison of numbers that cannot fail. */
function isPlainComparison(e: Bound): boolean {
  if (e.kind !== 'call' || !COMPARISONS.has(e.proc) || e.args.length !== 2) return false;
  return e.args.every(
    ({ kind, type }) =>
      (kind === 'column' || kind === 'constant' || kind === 'parameter') && (type.repr === 'i32' || type.repr === 'f64' || type.repr === 'whole'),
  );
}

/** Columns of a select list: evaluated at first use, or at once if evaluating twice would be visible. */
export function bindItems(x: Expressions, items: readonly { readonly id: ColumnId; readonly value: Bound }[]): void {
  for (const { id, value } of items) {
    if (value.kind === 'column' && value.id === id) continue;
    if (isVolatile(value)) {
      const made = x.compile(value);
      x.scope.set(id, () => made);
    } else x.scope.set(id, () => x.compile(value));
  }
}

/** Uses batches as the pipeline's source: opens the loop over their rows. */
export function fromRows(p: Pipeline, rows: Rows, types: ReadonlyMap<ColumnId, SqlType>, consume: () => void): void {
  p.source = new BatchSource((run) => rows.open(run), rows.one === undefined ? undefined : (run) => rows.one!(run), rows.whole);
  overBatch(p, rows.ids, types, consume);
}

function open(p: Pipeline, plan: Plan, needed: Needed): Rows {
  const { c } = p;
  switch (plan.op) {
    case 'values':
      return openValues(c, plan, needed);
    case 'functionScan':
      return openFunctionScan(c, plan);
    case 'projectSet':
      return openProjectSet(c, plan, needed);
    case 'aggregate':
      return openAggregate(c, plan, needed);
    case 'sort':
      return openSort(c, plan, needed);
    case 'setOperation':
      return openSetOperation(c, plan);
    case 'with':
      return openWith(c, plan, needed);
    case 'cteScan':
      return openCteScan(c, plan);
    case 'recursive':
      return openRecursive(c, plan, p);
    default:
      throw new Error(`unreachable: ${plan.op}`);
  }
}
